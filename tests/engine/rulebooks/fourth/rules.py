"""Summit, a tiny game: each turn one draws, sends a climber or uses a charm, and climbs as high as one's best.

Decks have twelve cards, three of one name at most. Who reaches 2,000 metres first wins; who cannot draw loses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Literal

from engine.cards.decks import DeckFile
from engine.cards.definition import Definition, Printed
from engine.core import stack, values
from engine.core.match import Match
from engine.core.tasks import Handler, Illegal, ResolveStack, Task
from engine.effects.vocabulary import Vocabulary
from engine.problems import Problem
from engine.rulebooks.rulebook import Rulebook
from events.actions import AnyAction, Pass, Play, Use
from events.kinds import FIRST_CARD, DeckList, Frame, GameStarted

DECK, COPIES, HAND, TOP = 12, 3, 3, 2000
CARDS = {"climber": frozenset(("passive", "triggered")), "charm": frozenset(("effect",))}


class SummitCard(Printed, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A climber with a height, or a charm with an effect."""

    kind: Literal["climber", "charm"]
    height: int = 0


class Step(Task, frozen=True):
    """A step of a player's turn; what has been set off before it comes first."""

    safe: ClassVar[bool] = True
    seat: int


class Turn(Step, frozen=True):
    """It begins with a draw."""


class Choice(Step, frozen=True):
    """One card may be played."""


class Climb(Step, frozen=True):
    """It ends: the height of the best climber is added."""


def turn(m: Match, task: Turn, answer: AnyAction | None) -> None:
    m.begin_turn(m.state.turn + 1, task.seat)
    m.begin_phase("turn", task.seat)
    if not m.state.count(task.seat, "deck"):
        m.end(1 - task.seat, "no_draw")
        return
    m.push(Climb(task.seat), Choice(task.seat))
    m.game.draw(m, task.seat, 1)


def choice(m: Match, task: Choice, answer: AnyAction | None) -> None:
    if isinstance(answer, Play):
        m.move(answer.card, task.seat, "slope", "climbed")
        m.game.trigger(m, "climbed", answer.card, task.seat)
    elif isinstance(answer, Use):
        m.push(ResolveStack(quiet=True))
        stack.use(m, task.seat, answer)
    elif answer is None:
        m.ask_freely(task.seat, "turn", task, m.game.legal(m, task, task.seat))


def climb(m: Match, task: Climb, answer: AnyAction | None) -> None:
    best = max((m.value(card, "height") for card in m.state.zones[task.seat]["slope"]), default=0)
    m.set_counter(task.seat, "metres", m.value(task.seat, "metres") + best)
    values.end_duration(m, "turn")
    m.push(Turn(1 - task.seat))


HANDLERS: dict[type[Task], Handler] = {Turn: turn, Choice: choice, Climb: climb}
WORDS = Vocabulary(
    zones={"deck": "none", "hand": "owner", "slope": "all", "valley": "all"}, table=frozenset(("slope",)),
    targets=frozenset(("hand", "valley")), spent="valley", values=frozenset(("height",)), stats=frozenset(("height",)),
    seat_values=frozenset(("metres",)), moments={"climbed": frozenset(("it",))}, slots=frozenset(),
    phases=frozenset(("turn",)), durations=frozenset(("turn",)), words={"kind": frozenset(CARDS)}, kinds={**CARDS},
    wants={"charm": "effect"}, instructions=frozenset(("draw", "move", "add", "change", "may")),
)


class Summit(Rulebook):
    key, folder, field, stack_zone = "summit", Path(__file__).parent, ("slope",), "play"
    card_type, vocabulary, tasks, options = SummitCard, WORDS, HANDLERS, {"format": ("standard",)}
    question_rules: ClassVar = dict.fromkeys(("target", "may", "order"), "a card")

    @staticmethod
    def definition_type(card: SummitCard) -> Definition:
        return Definition(card, {"height": card.height} if card.kind == "climber" else {}, {})

    def problems(self, deck: DeckFile, options: dict[str, int | str | bool]) -> list[Problem]:
        found = [Problem("cards", code, f"there is no card {code!r}") for code in deck.cards if code not in self.cards]
        if sum(deck.cards.values()) != DECK or max(deck.cards.values()) > COPIES:
            found.append(Problem("size", None, f"a deck has {DECK} cards, no name more than {COPIES} times"))
        return found

    def trial_deck(self, codes: Sequence[str], below: Callable[[int], int]) -> DeckList:
        order = [*codes, *sorted(set(self.cards) - set(codes), key=lambda code: below(1000))]
        return DeckList("trial", dict.fromkeys(order[: DECK // COPIES], COPIES))

    def set_up(self, m: Match, header: GameStarted) -> None:
        for seat in (0, 1):
            codes = [code for code, n in header.seats[seat].deck.cards.items() for _ in range(n)]
            m.make(seat, "deck", FIRST_CARD + seat * DECK, tuple(codes))
            m.shuffle(seat, "deck")
            self.draw(m, seat, HAND)
        m.push(Turn(m.roll("first", 2)))

    def legal(self, m: Match, task: Task, seat: int) -> list[AnyAction]:
        hand = m.state.zones[seat]["hand"]
        offers = [Play(card) if m.definition(card).kind == "climber" else Use(card) for card in hand]
        return [Pass(), *(offer for offer in offers if self.refuse(m, task, seat, offer) is None)]

    def refuse(self, m: Match, task: Task, seat: int, action: AnyAction) -> Illegal | None:
        if isinstance(action, Pass):
            return None
        card = getattr(action, "card", -1)
        kind = m.definition(card).kind if card in m.state.zones[seat]["hand"] else ""
        if type(action) is not {"climber": Play, "charm": Use}.get(kind):
            return Illegal("turn", "One sends a climber of the hand, uses a charm of the hand, or passes")
        targets = getattr(m.definition(card).abilities[0], "targets", ()) if kind == "charm" else ()
        nameable = stack.nameable(m, Frame(seat, card, since=m.state.seq), targets)
        return None if nameable else Illegal("turn", "There is nobody to be named")

    def answers(self, m: Match) -> bool:
        return False

    def check(self, m: Match, touched: set[int]) -> None:
        there = [seat for seat in (0, 1) if m.value(seat, "metres") >= TOP]
        if there:
            m.end(there[0] if len(there) == 1 else None, "summit")

    def draw(self, m: Match, seat: int, n: int) -> None:
        for card in m.state.zones[seat]["deck"][: -max(n, 0) - 1 : -1]:
            m.move(card, seat, "hand", "drawn" if m.state.turn else "set_up")

    def put(self, m: Match, card: int, zone: str, at: str) -> None:
        m.move(card, m.card(card).owner, zone, "fell")

    def discard(self, m: Match, card: int, how: str) -> None:
        m.move(card, m.card(card).owner, "valley", how)

    def evaluate(self, m: Match, seat: int) -> float:
        slopes = [sum(m.value(c, "height") for c in side["slope"]) for side in m.state.zones]
        sides = [m.value(s, "metres") + slopes[s] + 40 * m.state.count(s, "hand") for s in (0, 1)]
        return sides[seat] - sides[1 - seat]


GAME = Summit
