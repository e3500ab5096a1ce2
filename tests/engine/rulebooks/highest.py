"""Highest, a whole game in one file: each round both play a card of the hand, and the higher one takes a point.

Whoever has more points when the hands are empty wins. Below is everything that a rulebook has to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from engine.cards.decks import DeckFile
from engine.cards.definition import Definition, Printed
from engine.core.match import Match
from engine.core.tasks import Handler, Illegal, Task
from engine.problems import Problem
from engine.rulebooks.rulebook import Rulebook
from events.actions import AnyAction, Play
from events.kinds import FIRST_CARD, CardSet, Counter, DeckList, GameStarted, Phase, RulebookLine, Zone

HAND = 5
RANKS = range(1, 10)
NUMBERS = CardSet("HI", "1", "highest", {
    f"HI-{n}": {"code": f"HI-{n}", "name": {"en": f"Number {n}"}, "kind": "number", "rank": n} for n in RANKS
})  # fmt: skip


class Number(Printed, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What is printed on a card."""

    rank: int


class Trick(Task, frozen=True):
    """`seat` plays next; `led` is the card of the player before, if one has played in this round."""

    seat: int
    led: int | None = None


def trick(m: Match, task: Trick, answer: AnyAction | None) -> None:
    if isinstance(answer, Play):
        m.move(answer.card, task.seat, "table", "played")
        if task.led is None:
            m.push(Trick(1 - task.seat, answer.card))
        else:
            score(m, task.led, answer.card)
    elif answer is None and m.state.count(task.seat, "hand"):
        if task.led is None:
            m.begin_turn(m.state.turn + 1, task.seat)
            m.begin_phase("trick")
        m.ask(task.seat, "play", task)
    else:
        points = [m.value(seat, "points") for seat in (0, 1)]
        m.end(None if points[0] == points[1] else points.index(max(points)), "points")


def score(m: Match, led: int, followed: int) -> None:
    """The higher card takes a point, the first of two equal ones; its player leads the next trick."""
    best = max((led, followed), key=lambda card: m.value(card, "rank"))
    winner = m.card(best).seat
    m.set_counter(winner, "points", m.value(winner, "points") + 1)
    m.push(Trick(winner))


class Highest(Rulebook):
    """Highest."""

    key, folder, field, card_type = "highest", Path(__file__).parent, ("table",), Number
    tasks: ClassVar[dict[type[Task], Handler]] = {Trick: trick}
    question_rules: ClassVar = {"play": "one plays a card of the hand"}

    @staticmethod
    def definition_type(card: Number) -> Definition:
        return Definition(card, {"rank": card.rank}, {})

    @classmethod
    def load(cls, folders: Sequence[Path] = ()) -> Rulebook:
        return cls.from_sets([NUMBERS])

    def ruleset(self) -> RulebookLine:
        zones = (Zone("hand", "owner"), Zone("table", "all", table=True))
        counters = (Counter("points", "seat"), Counter("rank"))
        return RulebookLine("highest", "1", zones, counters, (Phase("trick"),), move_kinds=("played",),
                            questions=("play",), reasons=("points",))  # fmt: skip

    def problems(self, deck: DeckFile, options: Mapping[str, Any]) -> list[Problem]:
        right = sum(deck.cards.values()) == HAND and deck.cards.keys() <= self.cards.keys()
        return [] if right else [Problem("deck", None, f"a deck has {HAND} numbers from 1 to 9")]

    def card_problems(self, files: Mapping[str, str] | None = None) -> list[Problem]:
        return []

    def trial_deck(self, codes: Sequence[str], below: Callable[[int], int]) -> DeckList:
        order = [*codes, *sorted(self.cards, key=lambda code: below(1000))]
        return DeckList("trial", dict.fromkeys(order[:HAND], 1))

    def set_up(self, m: Match, header: GameStarted) -> None:
        for seat, player in enumerate(header.seats):
            codes = tuple(code for code, n in player.deck.cards.items() for _ in range(n))
            m.make(seat, "hand", FIRST_CARD + seat * HAND, codes)
        m.push(Trick(0))

    def legal(self, m: Match, task: Task, seat: int) -> list[AnyAction]:
        return [Play(card) for card in m.state.zones[seat]["hand"]]

    def refuse(self, m: Match, task: Task, seat: int, action: AnyAction) -> Illegal | None:
        return None if action in self.legal(m, task, seat) else Illegal("play", "One plays a card of the hand")

    def check(self, m: Match, touched: set[int]) -> None:
        """Nothing follows from a single change."""

    def evaluate(self, m: Match, seat: int) -> float:
        return m.value(seat, "points") - m.value(1 - seat, "points")


GAME = Highest
