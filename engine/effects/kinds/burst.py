"""burst: an attack on the deck without an attack."""

from __future__ import annotations

from engine.effects import query
from engine.effects.instruction import Instruction
from engine.effects.language import Quantity, Side
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import DamageDealt, Frame


class Burst(Instruction, frozen=True):
    """Turns up cards from the top of the deck and discards them, as an attack on the deck does."""

    example = 'then = [{ do = "burst", n = 3 }]'

    n: Quantity = 1
    """how many"""
    who: Side = "other"
    """whose deck"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        for seat in query.sides(self.who, frame.seat):
            n = min(query.number(m, frame, self.n), m.state.count(seat, m.game.deck_zone))
            if n > 0:
                m.emit(DamageDealt(frame.card, seat, n))
                m.game.burst(m, seat, n)

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.amount(self, self.n, f"{at}.n", filled)

    def text(self, writer: Writer, form: str) -> list[str]:
        return writer.line("burst", form, self.n, whose=writer.whose(self.who, "each"))
