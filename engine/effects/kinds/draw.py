"""draw: cards from the top of the deck into the hand."""

from __future__ import annotations

from engine.effects import query
from engine.effects.hidden_information import HiddenInformation, HiddenSlots, Leaks
from engine.effects.instruction import Instruction
from engine.effects.language import Quantity, Side
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class Draw(Instruction, frozen=True):
    """Draws cards from the top of the deck, as far as there are any."""

    example = 'then = [{ do = "draw", n = 2 }]'

    n: Quantity = 1
    """how many"""
    who: Side = "own"
    """who draws"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        for seat in query.sides(self.who, frame.seat):
            m.game.draw(m, seat, query.number(m, frame, self.n))

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.amount(self, self.n, f"{at}.n", filled)

    def leaks(self, reader: HiddenInformation, at: str, slots: HiddenSlots, free: bool) -> Leaks:
        yield from super().leaks(reader, at, slots, free)
        reader.mix()

    def text(self, writer: Writer, form: str) -> list[str]:
        if self.who == "own":
            return writer.line("draw", form, self.n)
        return writer.line("draw_they", form, self.n, who=writer.t(f"text.who.{self.who}"))
