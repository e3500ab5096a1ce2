"""add: a value of cards is larger or smaller for some time."""

from __future__ import annotations

from collections.abc import Sequence

from engine.effects import query
from engine.effects.gift import Gift, Given
from engine.effects.language import Quantity, Who
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class AddValue(Gift, frozen=True, tag="add"):
    """Adds to a value of the cards for some time."""

    example = 'then = [{ do = "add", what = { of = "own" }, name = "pow", n = 1000 }]'

    what: Who
    """the cards"""
    name: str
    """of the value"""
    n: Quantity
    """how much; it may be negative"""
    duration: str = "turn"
    """until when"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        n = query.number(m, frame, self.n)
        for card in query.on_table(m, frame, self.what):
            if n:
                m.modify(frame.card, card, self.name, self.duration, add=n, ability=frame.ability)

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.cards(self.what, f"{at}.what", filled)
        linter.amount(self, self.n, f"{at}.n", filled, signed=True)
        linter.word("value", self.name, linter.values(self.what), f"{at}.name")
        linter.word("duration", self.duration, linter.vocabulary.durations, f"{at}.duration")

    def given(self) -> Given:
        if not isinstance(self.n, int):
            return Given(self.what, self.duration, "", self.n, False)
        own = f"text.add.{self.name}" + ("" if self.n > 0 else "_less")
        return Given(self.what, self.duration, own, abs(self.n), True)

    def gains(self, writer: Writer) -> Sequence[tuple[str, str]]:
        return [writer.gain(self.name, self.n)]
