"""Match: a state and what is still to be done. Emits records, asks, takes answers, runs until the next question.

The agenda is a stack of small frozen tasks, one handler for each kind: `handler(match, task, answer=None)`. No
handler waits: `ask` puts the task back and writes the whole agenda into `asked`, so a game goes on from its state
alone. A handler either asks or emits; the state check runs on what it emits before the next task does.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Raw
from msgspec.structs import force_setattr

from engine.cards.definition import AIM, COURSE, POSTURE
from engine.core import chance, values
from engine.core.index import Index
from engine.core.rules import ENGINE, ContinuationError, Rules
from engine.core.shown import Shown
from engine.core.table import ANYTHING, Mark
from engine.core.tasks import Illegal, PendingTrigger, Task
from engine.fold import FOLDS, NOT_THERE, cannot_follow
from engine.state import Card, State, copy
from events import kinds as k
from events.actions import FREE_ACTIONS, AnyAction, Choose, Concede, Pass

MAX_STEPS = 5000
"""Tasks that one decision may run before the game ends as a draw, reason `loop`."""

_T = TypeVar("_T")
_encode = msgspec.json.Encoder().encode


class Match(Index):
    """A game in progress. Made from a state (`Match(game, state)`) or from a header (`game.begin(header)`).

    For rulebooks and players: `legal` and `act` decide; `card`, `definition`, `value`, `on_table` and `modifiers_on`
    look; `move`, `exhaust`, `flip`, `attach`, `set_attack`, `set_counter`, `shuffle`, `roll`, `begin_turn`,
    `begin_phase`, `emit` and `end` write; `push`, `ask` and `ask_freely` say what comes next. Nothing outside writes
    its attributes.

    `state` is changed in place; `log` collects the records emitted since this Match was made.
    """

    __slots__ = (
        "_keeps_offers", "_memo", "_shown", "agenda", "answered", "cause", "log", "offers", "pending", "resumable",
        "touched",
    )  # fmt: skip

    def __init__(self, game: Rules, state: State, like: Match | None = None) -> None:
        super().__init__(game, state, like)
        if like is not None:
            self._follow(like)
            return
        self.log: list[k.Event] = []
        self.agenda: list[tuple[int, Task]] = []
        self.pending: list[PendingTrigger] = []
        self.cause = self.answered = state.cause
        self.touched: set[int] = set()
        self._memo: dict[Any, Any] = {}
        """what a rulebook remembers until a card moves"""
        self.offers: Iterable[AnyAction] | None = None
        self._keeps_offers = True
        self._shown: tuple[Shown, Shown] | None = None
        self.resumable = True
        """whether questions carry a continuation, from which the game can go on elsewhere"""
        if state.asked is not None:
            version, agenda, pending = game.decode_continuation(state.asked.continuation)
            if version != ENGINE:
                raise ContinuationError(version)
            self.agenda, self.pending = agenda, pending

    def fork(self) -> Match:
        """An independent copy at the same question, for trying something out; its log begins empty."""
        return Match(self.game, copy(self.state), self)

    def _follow(self, other: Match) -> None:
        """Goes on where the other match stands, of whose state this one has a copy."""
        self.log, self.touched = [], other.touched.copy()
        self.agenda, self.pending = other.agenda.copy(), other.pending.copy()
        self.cause, self.answered = other.cause, other.answered
        self._memo, self._shown, self.resumable = other._memo.copy(), None, other.resumable
        self.offers = other.offers if isinstance(other.offers, list) else None
        self._keeps_offers = False  # half listed they hold their match: only the garbage collector would free the two

    def imagined(
        self, cards: dict[int, Card], printed: dict[int, Any], zones: Mapping[tuple[int, str], list[int]],
        asked: k.Asked | None, seed: int | None, turned: Iterable[int],
    ) -> Match:
        """A fork with these cards and their definitions, in which these zones (by side and name) hold others, this is
        asked, and random outcomes come from another seed. `turned`: cards on the table that are others. It cannot be
        resumed from its state alone.
        """
        other = self.fork()
        other.resumable, other.state.seed, other.state.asked = False, seed, asked
        for (side, zone), held in zones.items():
            other.state.zones[side][zone] = held
        for card in turned:
            other._drop_card(card)
        other.state.cards, other.printed = cards, printed
        for card in turned:
            other._add_card(card)
        other.stale, other._memo = set(), {}  # what was asked was resolved
        return other

    # --- looking ------------------------------------------------------------------------------------------

    def card(self, number: int) -> Card:
        return self.state.cards[number]

    def definition(self, number: int) -> Any:
        """The definition of a card in play: what is printed on it."""
        return self.printed[number]

    def value(self, card: int, name: str) -> int:
        """The current value of a card (its counter, else the printed value) or of a seat; 0 if it has none."""
        if card < 2:
            return self.state.counters[card].get(name, 0)
        counters = self.state.cards[card].counters
        return counters[name] if name in counters else self.printed[card].stats.get(name, 0)

    def remembered(self, key: Hashable, work: Callable[..., _T], *given: Any) -> _T:
        """The result of `work`, which is called with the match and what is `given`, computed once and kept until a card
        moves.
        """
        found: _T | None = self._memo.get(key)
        if found is None:
            found = self._memo[key] = work(self, *given)
        return found

    def shown_to(self, seat: int) -> Shown:
        """The cards that the seat was shown where it does not see them, as far as `log` tells."""
        if self._shown is None:
            self._shown = Shown(0, self.declared), Shown(1, self.declared)
        return self._shown[seat].follow(self.log)

    def on_table(self, card: int) -> bool:
        """Whether a card is on the table, where it has values; true for seats."""
        return card < 2 or self.state.cards[card].zone in self.declared.table

    # --- writing ------------------------------------------------------------------------------------------

    def emit(self, event: k.Event) -> int:
        """Appends a record with the current cause, folds it (as `engine.fold.fold` does), and returns its number."""
        state, cause = self.state, self.cause
        number = state.seq
        if cause != state.cause:
            force_setattr(event, "back", number - cause)
            state.cause = cause
        try:
            FOLDS[type(event)](state, event, self.declared, number)
        except NOT_THERE as problem:
            raise cannot_follow(number, event, problem) from problem
        state.seq = number + 1
        self.log.append(event)
        return number

    def begin_modifier(self, event: k.ModifierBegan) -> None:
        """Begins a modifier."""
        self.emit(event)
        self._add_modifier(event)

    def end_modifier(self, number: int) -> None:
        """Ends a modifier."""
        effect = self.state.modifiers[number]
        self.emit(k.ModifierEnded(number))
        self._drop_modifier(effect)

    def modify(
        self, card: int, on: int, name: str, duration: str, *, add: int = 0, be: int | None = None, ability: int = 0
    ) -> None:
        """Begins a modifier: an ability of `card` adds to a value of `on`, or sets it."""
        values.apply_modifier(self, card, on, name, duration, add=add, be=be, ability=ability)

    def annotate(self, event: k.Annotated) -> None:
        """Appends a remark, with the cause that it says, else that of the record before it."""
        self.cause = self.state.seq - event.back if event.back else self.state.cause
        self.emit(event)

    def take_log(self) -> list[k.Event]:
        """Returns the records since the last call (or since this Match was made) and clears the log."""
        log, self.log = self.log, []
        return log

    def make(self, seat: int, zone: str, first: int, codes: tuple[str, ...]) -> None:
        """Creates these cards in a zone, numbered from `first`."""
        self.emit(k.CardsMade(seat, zone, first, codes))
        self.printed = self.printed.copy()
        self.printed.update(enumerate(map(self.game.cards.__getitem__, codes), first))
        if zone in self.declared.table:
            for card in range(first, first + len(codes)):
                self._add_card(card)

    def emit_cause(self, event: k.Event) -> None:
        """Appends a record and makes it the cause of what follows."""
        self.cause = self.emit(event)

    def move(
        self, number: int, seat: int, zone: str, move_kind: str, *,
        index: int = -1, face_up: bool = True, follow: bool = True,
    ) -> None:
        """Moves a card and its attachments, and begins and ends what depends on where it is."""
        state, table, touched = self.state, self.declared.table, self.touched
        card = state.cards[number]
        before, side = card.zone, card.seat
        was_out, is_out = before in table, zone in table
        leaves = was_out and not is_out
        crosses = was_out and is_out and side != seat  # its abilities mean other sides then
        held = list(card.attachments) if leaves and follow else ()
        self._memo.clear()
        touched.update((number, side, seat))
        if leaves or crosses:
            self._drop_card(number)
        if leaves and (self._modifiers.get(number) or self._given.get(number)):
            values.remove_modifiers_of(self, number)
        if self.watched:
            marks: set[Mark] = {(before, side), (zone, seat)}
            if crosses or (before in self.game.field) != (zone in self.game.field):
                marks |= {("", side), ("", seat)}
            self.stale |= marks & self.watched
        self.emit(k.CardMoved(number, seat, zone, move_kind, index, face_up))
        if number in state.attack and zone not in (self.game.fighting or table):
            attacker = state.attack[0]
            self.set_attack() if attacker == number else self.set_attack(attacker)
        for other in held:
            self.move(other, self.card(other).owner, zone, move_kind, index=index, face_up=face_up)
        if crosses or (is_out and not was_out):
            self._add_card(number)

    def exhaust(self, card: int, exhausted: bool) -> None:
        """Exhausts or readies a card, unless it already is."""
        if self.state.cards[card].exhausted != exhausted:
            self._changed(POSTURE)
            self.emit(k.CardExhausted(card, exhausted))

    def flip(self, card: int, face_up: bool) -> None:
        """Turns a card face up or face down, unless it already is."""
        if self.state.cards[card].face_up != face_up:
            self._changed(ANYTHING)
            self.emit(k.CardFlipped(card, face_up))

    def attach(self, card: int, to: int, attachment: str) -> None:
        """Attaches a card to the card `to`; both must be in their zones already."""
        self._changed(ANYTHING)
        self.emit(k.CardAttached(card, to, attachment))

    def set_attack(self, attacker: int | None = None, target: int | None = None) -> None:
        """Sets the attack under way; without an attacker there is none."""
        self._changed(AIM)
        self.emit(k.AttackSet(attacker, target))

    def begin_turn(self, turn: int, seat: int) -> None:
        self._changed(COURSE)
        self.emit_cause(k.TurnBegan(turn, seat))

    def begin_phase(self, phase: str, seat: int | None = None) -> None:
        self._changed(COURSE)
        self.cause = self.emit(k.PhaseBegan(phase, seat))

    def set_counter(self, entity: int, name: str, value: int) -> None:
        """Sets a counter of a card or seat, unless it has that value."""
        old = self.state.counters[entity].get(name) if entity < 2 else self.value(entity, name)
        if old != value:
            self.touched.add(entity)
            self.emit(k.CounterSet(entity, name, value))
            if self.declared.counters[name].words:  # such as an attribute: any selection may ask for it
                self._changed(ANYTHING)

    def shuffle(self, seat: int, zone: str) -> None:
        state = self.state
        self.emit(k.Shuffled(seat, zone, chance.shuffle(self._seed(), state.rolls, state.zones[seat][zone])))

    def roll(self, name: str, sides: int) -> int:
        """A recorded random outcome from 0 to sides - 1."""
        outcome = chance.roll(self._seed(), self.state.rolls, sides)
        self.emit(k.Rolled(name, sides, outcome))
        return outcome

    def _seed(self) -> int:
        if self.state.seed is None:
            raise ValueError("this game has no seed: its random outcomes are recorded, it cannot be played on")
        return self.state.seed

    def end(self, winner: int | None, reason: str) -> None:
        """Ends the game and drops all remaining tasks."""
        self.agenda.clear()
        self.pending.clear()
        self.emit(k.GameEnded(winner, reason))

    # --- doing --------------------------------------------------------------------------------------------

    def push(self, *tasks: Task) -> None:
        """Pushes tasks on the agenda; the last one runs first. They keep the current cause."""
        for task in tasks:
            self.agenda.append((self.cause, task))

    def set_off(self, trigger: PendingTrigger) -> None:
        """Adds a trigger to those waiting to be placed on the stack."""
        self.pending.append(trigger)

    def take_pending(self) -> tuple[PendingTrigger, ...]:
        """Returns the pending triggers and clears them."""
        waiting, self.pending = tuple(self.pending), []
        return waiting

    def caused_by(self, record: int) -> None:
        """Makes this record the cause of what follows."""
        self.cause = record

    def push_back(self, task: Task) -> None:
        """Pushes the answered task again, with its own cause instead of the decision."""
        self.agenda.append((self.answered, task))

    def push_under(self, depth: int, task: Task) -> None:
        """Inserts a task below everything pushed since the agenda was `depth` long."""
        self.agenda.insert(depth, (self.cause, task))

    def ask(
        self, seat: int, question: str, task: Task, *, option_type: str = "", options: Iterable[int] = (),
        about: tuple[int, ...] = (), optional: bool = False, offers: Iterable[AnyAction] | None = None,
    ) -> None:
        """Stops for a decision of `seat`, which goes to `task`. `offers`: the legal actions, where they are known.

        Raises UnanswerableError if there is an `option_type` but no option.
        """
        self.agenda.append((self.cause, task))
        if self.touched or self.stale:
            return  # checks come first; then the task runs and asks again
        listed = tuple(options)
        if option_type and not listed:
            raise UnanswerableError(question)
        continuation = Raw(_encode((ENGINE, self.agenda, self.pending))) if self.resumable else k.NOTHING
        self.emit(k.Asked(seat, question, option_type, listed, about, optional, continuation))
        self.offers = offers if self._keeps_offers else None

    def ask_freely(self, seat: int, question: str, task: Task, offers: Iterable[AnyAction]) -> AnyAction | None:
        """Asks for one of these free decisions, or returns the only one without asking.

        `offers` is consumed lazily. Raises UnanswerableError if it is empty.
        """
        found = iter(offers)
        first = next(found, None)
        if first is None:
            raise UnanswerableError(question)
        for second in found:
            self.ask(seat, question, task, offers=itertools.chain((first, second), found))
            return None
        return first

    def refuse(self, action: AnyAction) -> Illegal | None:
        """Why the action does not answer the question, or None if it does."""
        asked = self.state.asked
        if asked is None:
            return Illegal("", "The game is over; nothing is asked")
        if type(action) is Concede:
            return None
        if not asked.options:
            return self.game.refuse(self, self.agenda[-1][1], asked.seat, action)
        if type(action) is Pass and asked.optional:
            return None
        if type(action) is Choose and action.option in asked.options:
            return None
        rule = self.game.question_rules.get(asked.question, "")
        return Illegal(rule, f"That is no answer to the question ({asked.question}); possible are {asked.options}")

    def legal(self) -> list[AnyAction]:
        """All legal actions except conceding; empty only when the game is over."""
        asked = self.state.asked
        if asked is None:
            return []
        if not asked.options:
            if not isinstance(self.offers, list):
                self.offers = list(self.offers or self.game.legal(self, self.agenda[-1][1], asked.seat))
            return self.offers
        choices: list[AnyAction] = [Choose(option) for option in asked.options]
        if asked.optional:
            choices.append(Pass())
        return choices

    def act(self, action: AnyAction, ms: int | None = None) -> None:
        """Carries out a decision of the asked seat and runs to the next question. Raises Illegal."""
        if not (isinstance(self.offers, list) and action in self.offers):  # else `legal` has listed it
            problem = self.refuse(action)
            if problem is not None:
                raise problem
        self.carry_out(action, ms)

    def carry_out(self, action: AnyAction, ms: int | None = None) -> None:
        """Like `act`, without checking that the action is legal."""
        asked = self.state.asked
        assert asked is not None
        self.offers = None
        self.cause, task = self.agenda.pop()
        self.answered = self.cause
        number = self.emit(k.Acted(asked.seat, action, ms))
        if type(action) is Concede:
            self.end(1 - asked.seat, "conceded")
            return
        if type(action) in FREE_ACTIONS:
            self.cause = number
        self.game.handlers[type(task)](self, task, action)
        self.run()

    def run(self) -> None:
        """Runs tasks until a question is asked or the game is over."""
        state, game, agenda, handlers = self.state, self.game, self.agenda, self.game.handlers
        steps = 0
        while state.asked is None and state.result is None:
            steps += 1
            if steps > MAX_STEPS:
                self.end(None, "loop")
            elif self.stale:
                stale, self.stale = self.stale, set()
                values.refresh(self, stale)
            elif self.touched:
                touched = self.touched
                self.touched = set()
                game.check(self, touched)
            else:
                self.cause, task = agenda.pop()
                if not (self.pending and task.safe and game.place_before(self, task)):
                    handlers[type(task)](self, task, None)


class UnanswerableError(Exception):
    """A question without a legal answer was about to be asked: a bug in the rulebook, never a player's fault."""

    def __init__(self, question: str) -> None:
        super().__init__(f"There is no legal answer to the question {question!r}: a fault in the rulebook")
