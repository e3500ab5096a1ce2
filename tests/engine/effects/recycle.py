"""recycle: the last cards of the discard pile go under the deck. `test_kinds` adds it to a copy of the engine."""

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


class Recycle(Instruction, frozen=True):
    """Puts the last cards of the discard pile on the bottom of the deck."""

    example = 'then = [{ do = "recycle", n = 2 }]'

    n: Quantity = 1
    """how many"""
    who: Side = "own"
    """whose"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        n = query.number(m, frame, self.n)
        for seat in query.sides(self.who, frame.seat):
            for card in m.state.zones[seat]["discard"][-n:]:
                m.game.put(m, card, m.game.deck_zone, "bottom")

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.amount(self, self.n, f"{at}.n", filled)

    def text(self, writer: Writer, form: str) -> list[str]:
        return writer.line("recycle", form, self.n, whose=writer.whose(self.who, "each"))
