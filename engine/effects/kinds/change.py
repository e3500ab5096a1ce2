"""change: a number of the players, for good."""

from __future__ import annotations

from engine.effects import query
from engine.effects.instruction import Instruction
from engine.effects.language import Quantity, Side
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set, Vocabulary
from engine.effects.writer import Writer
from engine.words import inside
from events.actions import AnyAction
from events.kinds import Frame


class ChangeSeatValue(Instruction, frozen=True, tag="change"):
    """Changes a number of the players for good, within what the rulebook declares for it."""

    example = 'then = [{ do = "change", name = "lp", n = -500, who = "other" }]'

    name: str
    """of the number"""
    n: Quantity
    """by how much; it may be negative"""
    who: Side = "own"
    """whose"""

    @classmethod
    def known_to(cls, vocabulary: Vocabulary) -> bool:
        return super().known_to(vocabulary) and bool(vocabulary.seat_values)

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        n = query.number(m, frame, self.n)
        for seat in query.sides(self.who, frame.seat):
            m.set_counter(seat, self.name, m.declared.within(self.name, m.value(seat, self.name) + n))

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.amount(self, self.n, f"{at}.n", filled, signed=True)
        linter.word("value of players", self.name, linter.vocabulary.seat_values, f"{at}.name")

    def text(self, writer: Writer, form: str) -> list[str]:
        key, n = "change_up", self.n
        if isinstance(n, int) and n < 0:
            key, n = "change_down", -n
        name = inside(writer.value_name(self.name))
        return writer.line(key, form, n, whose=writer.whose(self.who, "each"), name=name)
