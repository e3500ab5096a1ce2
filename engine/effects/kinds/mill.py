"""mill: cards from the top of the deck into the discard pile."""

from __future__ import annotations

from engine.effects import query
from engine.effects.instruction import Instruction
from engine.effects.language import Quantity, Side
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class Mill(Instruction, frozen=True):
    """Puts cards from the top of the deck into the discard pile; no burst."""

    example = 'then = [{ do = "mill", n = 2 }]'

    n: Quantity = 1
    """how many"""
    who: Side = "other"
    """whose deck"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        for seat in query.sides(self.who, frame.seat):
            m.game.mill(m, seat, query.number(m, frame, self.n), "milled")

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.amount(self, self.n, f"{at}.n", filled)

    def text(self, writer: Writer, form: str) -> list[str]:
        return writer.line("mill", form, self.n, whose=writer.whose(self.who, "each"))
