"""Live On as the engine asks for it: what is legal, what may be used, and what follows from each change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from engine.cards.decks import DeckFile
from engine.core import destruction, stack, triggers
from engine.core.match import Match
from engine.core.tasks import Destroy, Illegal, PendingTrigger, Task
from engine.effects import query
from engine.problems import Problem
from engine.rulebooks.liveon import battle, checks, evaluation, lines, turn
from engine.rulebooks.liveon.card import KEYWORDS, LiveOnCard, LiveOnDefinition
from engine.rulebooks.liveon.deck import FORMATS, trial
from engine.rulebooks.liveon.deck import problems as deck_problems
from engine.rulebooks.liveon.tasks import Main
from engine.rulebooks.rulebook import Options, Rulebook
from events.actions import AnyAction, Attack, Choose, Concede, Move, Pass, Play, Use
from events.kinds import FIRST_ITEM, DeckList, Frame, GameStarted

USED_IN = ("move", "live", "attack")
"""Phases in which both players can use abilities (LO-11)."""


class LiveOn(Rulebook):
    """The rulebook LO-01 … LO-64."""

    key = "liveon"
    feature_names = evaluation.FEATURES
    fitted_phases = frozenset(("move",))  # later in a turn, cards in hand are mostly those that cannot be played
    folder = Path(__file__).parent
    card_type = LiveOnCard
    definition_type = LiveOnDefinition
    field = ("a", "b")
    fighting = ("a",)
    keywords = frozenset(KEYWORDS)
    vocabulary = checks.VOCABULARY
    tasks: ClassVar = {**turn.HANDLERS, **lines.HANDLERS, **battle.HANDLERS}
    spent_as: ClassVar = {"reaction": "burst"}
    question_rules: ClassVar = {
        "fighter": "LO-15", "defend": "LO-30", "step_in": "LO-56", "target": "LO-42", "cost": "LO-43",
        "choose": "LO-10", "may": "LO-10", "order": "LO-41", "regenerate": "LO-57", "rush": "LO-51", "star": "LO-12",
        "overflow": "LO-48",
    }
    options: ClassVar = {"format": tuple(FORMATS), "first": ("random", 0, 1), "max_turns": range(1, 10_001)}

    def problems(self, deck: DeckFile, options: Options) -> list[Problem]:
        return deck_problems(deck, self.cards, str(options.get("format", "standard")))

    def printed_problems(self) -> list[Problem]:
        return checks.problems(self.cards)

    def trial_deck(self, codes: Sequence[str], below: Callable[[int], int]) -> DeckList:
        return trial(codes, self.cards, below)

    def set_up(self, m: Match, header: GameStarted) -> None:
        turn.set_up(m, header)

    def legal(self, m: Match, task: Task, seat: int) -> Iterator[AnyAction]:
        return turn.legal(m, task, seat)

    # --- what may be done ---------------------------------------------------------------------------------

    def refuse(self, m: Match, task: Task, seat: int, action: AnyAction) -> Illegal | None:
        if isinstance(action, Pass):
            return None
        if isinstance(action, (Choose, Concede)):
            return Illegal("", "There is nothing to choose now; act or pass")
        card = action.card
        if card not in m.state.cards:
            return Illegal("", f"There is no card {card}")
        if m.card(card).seat != seat:
            return Illegal("", f"Card {card} is not this player's")
        if isinstance(action, Use):
            return self.refuse_use(m, seat, card, action.ability)
        if not isinstance(task, Main):
            return Illegal("LO-42", "In a window, only skills and abilities are used")
        if isinstance(action, Move):
            return self._refuse_move(m, task, seat, card)
        if isinstance(action, Play):
            return self._refuse_play(m, task, seat, card, action.on)
        if isinstance(action, Attack):
            return self._refuse_attack(m, task, seat, card, action.target)
        return Illegal("", "That does not answer the question")

    def _refuse_move(self, m: Match, task: Main, seat: int, card: int) -> Illegal | None:
        zone = m.card(card).zone
        if task.phase != "move":
            return Illegal("LO-21", "Cards are moved in the move phase")
        if zone not in ("a", "b"):
            return Illegal("LO-21", "Only a card on a line can be moved")
        if m.state.count(seat, "b" if zone == "a" else "a") >= lines.CAP:
            return Illegal("LO-22", "The other line is full")
        if (card, m.card(card).since) in task.moved:
            return Illegal("LO-23", "The card has already moved this phase")
        return None

    def _refuse_play(self, m: Match, task: Main, seat: int, card: int, on: int | None) -> Illegal | None:
        if m.card(card).zone != "hand":
            return Illegal("LO-24", "Only a card in the hand can be lived")
        if task.phase != "live":
            return Illegal("LO-24", "Fighters and monsters are lived in the player's own live phase")
        if task.lives >= turn.MAX_LIVES:
            return Illegal("LO-24", "Two cards have already been lived this phase")
        return lines.refuse_live(m, seat, card, on)

    def _refuse_attack(self, m: Match, task: Main, seat: int, card: int, target: int) -> Illegal | None:
        if task.phase != "attack":
            return Illegal("LO-27", "Attacks are declared in the attack phase")
        if m.card(card).zone != "a":
            return Illegal("LO-27", "Only a card on the A line attacks")
        if m.card(card).exhausted:
            return Illegal("LO-27", "A card that is down does not attack")
        if target != 1 - seat and target not in m.state.zones[1 - seat]["a"]:
            return Illegal("LO-28", "An attack is aimed at the opponent's deck or at a card on the opponent's A line")
        return None

    def refuse_use(self, m: Match, seat: int, card: int, number: int) -> Illegal | None:
        """Why an ability (on the table) or skill (in the hand) cannot be used now, or None."""
        definition: LiveOnDefinition = m.printed[card]
        zone = m.state.cards[card].zone
        phase = m.state.phase
        ability: Any
        if zone in self.field:
            if number not in definition.activated:
                return Illegal("LO-11", f"{definition.name} has no ability {number} that can be used")
            if phase not in USED_IN:
                return Illegal("LO-11", "Abilities are used in the move, live and attack phases")
            ability = definition.abilities[number]
            if number in definition.once and m.value(card, f"used_{number}") == m.state.turn:
                return Illegal("LO-43", f"This ability of {definition.name} has already been used this turn")
        elif zone == "hand" and number == definition.effect:
            if phase != "attack":
                return Illegal("LO-26", "A skill is played in an attack phase")
            if not lines.powered(m, seat, card):
                return Illegal("LO-39", f"The B line does not produce what {definition.name} requires")
            ability = definition.abilities[number]
        else:
            return Illegal("LO-49", "Abilities are used by cards on the player's own lines, skills from the hand")
        when = ability.when
        if when is not None and not query.timely(m, seat, when):
            return Illegal("LO-10", f"{definition.name} cannot be used in this turn or phase")
        if when is None and not ability.cost and not ability.targets:
            return None
        frame = Frame(seat, card, number, since=m.state.seq)
        if when is not None and not query.holds(m, frame, when):
            return Illegal("LO-10", f"The condition of {definition.name} does not hold")
        if ability.cost and not stack.payable(m, frame, ability.cost):
            return Illegal("LO-43", f"The cost of {definition.name} cannot be paid")
        if ability.targets and not stack.nameable(m, frame, ability.targets):
            return Illegal("LO-42", f"{definition.name} has no target")
        return None

    def usable(self, m: Match, seat: int) -> Iterable[Use]:
        phase = m.state.phase
        if phase == "attack" or (m.activated and phase in USED_IN):
            return self._usable(m, seat, phase)
        return ()

    def _usable(self, m: Match, seat: int, phase: str) -> Iterator[Use]:
        cards, printed = m.state.cards, m.printed
        for card, number in m.activated:
            if cards[card].seat == seat:
                when = printed[card].abilities[number].when
                if when is not None and not query.timely(m, seat, when):
                    continue  # most are refused by that: no sentence needed
                if self.refuse_use(m, seat, card, number) is None:
                    yield Use(card, number)
        if phase == "attack":
            seen = set()
            for card in m.state.zones[seat]["hand"]:
                definition = m.printed[card]
                if definition.effect is not None and definition.code not in seen:
                    seen.add(definition.code)
                    if self.refuse_use(m, seat, card, definition.effect) is None:
                        yield Use(card, definition.effect)

    def answers(self, m: Match) -> bool:
        return m.state.phase in USED_IN

    def mark_used(self, m: Match, card: int, ability: int) -> None:
        m.set_counter(card, f"used_{ability}", m.state.turn)

    def announced(self, m: Match, frame: Frame) -> None:
        self.trigger(m, "skill_played", frame.card, frame.seat)

    # --- what follows from a change -----------------------------------------------------------------------

    def check(self, m: Match, touched: set[int]) -> None:
        if self._decks_out(m, touched):
            return
        dying = []
        cards = m.state.cards
        for card in touched:
            if card > 1 and cards[card].zone in self.field:
                power = m.value(card, "pow")
                if power <= 0 or m.value(card, "damage") >= power:  # LO-37
                    dying.append(card)
        for seat in (1 - m.state.active, m.state.active):
            if seat in touched:
                lines.check_lines(m, seat)
        if dying:
            already = destruction.waiting(m)
            m.push(Destroy(tuple(card for card in sorted(dying) if card not in already)))

    def _decks_out(self, m: Match, touched: set[int]) -> bool:
        """Who has brought the other deck to 0 wins at once (LO-46); both by one instruction is a draw (LO-47)."""
        zones = m.state.zones
        if m.state.turn == 0 or (zones[0]["deck"] and zones[1]["deck"]):
            return False
        out = [seat for seat in (0, 1) if seat in touched and not zones[seat]["deck"]]
        if len(out) == 2:
            m.end(None, "both")
        elif out:
            m.end(1 - out[0], self._reason(m, out[0]))
        return bool(out)

    @staticmethod
    def _reason(m: Match, seat: int) -> str:
        """How the last card left the deck: by burst, draw or effect."""
        return {"burst": "burst", "reaction": "burst", "drawn": "draw"}.get(m.state.last_moves[seat], "effect")

    def may_regenerate(self, m: Match, card: int) -> bool:
        return m.value(card, "pow") > 0  # LO-57

    def draw(self, m: Match, seat: int, n: int) -> None:
        turn.draw(m, seat, n)

    def mill(self, m: Match, seat: int, n: int, move_kind: str) -> None:
        for card in m.state.zones[seat]["deck"][: -n - 1 : -1]:
            m.move(card, seat, "discard", move_kind)

    def burst(self, m: Match, seat: int, n: int) -> None:
        for card in m.state.zones[seat]["deck"][: -n - 1 : -1]:
            definition = m.definition(card)
            if definition.reaction is None:
                m.move(card, seat, "discard", "burst")
                continue
            m.move(card, seat, self.stack_zone, "reaction")  # LO-54
            m.set_off(
                PendingTrigger(
                    triggers.REACTION, seat, card, definition.code, definition.reaction, m.cause, m.state.seq
                )
            )

    def discard(self, m: Match, card: int, move_kind: str) -> None:
        m.move(card, m.card(card).owner, "discard", move_kind)

    def put(self, m: Match, card: int, zone: str, at: str) -> None:
        owner = m.card(card).owner
        definition = m.definition(card)
        if zone not in self.field:
            move_kind = "returned" if zone in ("hand", "deck") else "discarded"
            m.move(card, owner, zone, move_kind, index=0 if at == "bottom" else -1, face_up=zone != "deck")
            return
        if definition.kind == "skill" or (definition.live_change is not None and not m.on_table(card)):  # LO-52
            return
        if m.card(card).zone == self.stack_zone and not self._room_for_reaction(m, owner, zone, definition):
            return  # LO-48, LO-55: its place on the stack ends in the discard pile
        if not m.on_table(card):
            m.move(card, owner, zone, "put")
        elif m.card(card).zone != zone:
            lines.change_line(m, card, zone, "put")

    def _room_for_reaction(self, m: Match, seat: int, line: str, definition: LiveOnDefinition) -> bool:
        same = [c for z in self.field for c in m.state.zones[seat][z] if m.definition(c).name == definition.name]
        return m.state.count(seat, line) < lines.CAP and not (definition.star and same)

    def play(self, m: Match, seat: int, card: int) -> None:
        reaction = m.card(card).zone == self.stack_zone  # LO-55; others overflow, and the owner chooses (LO-12, LO-48)
        if lines.refuse_live(m, seat, card, None, room=reaction) is None:
            lines.live(m, seat, card, None)

    def works(self, m: Match, card: int) -> bool:
        return m.card(card).face_up  # LO-15: the first fighter lies face down until the game begins

    def features(self, m: Match, seat: int) -> Sequence[float]:
        return evaluation.features(m, seat)

    def has_word(self, m: Match, entity: int, definition: Any, word: str, wanted: str) -> bool:
        if definition.words.get(word, "") == wanted:
            return True
        if word != "kind" or wanted != "fighter" or definition.live_change is None:
            return False
        return entity < FIRST_ITEM and m.on_table(entity)  # LO-52


GAME = LiveOn
