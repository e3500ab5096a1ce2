"""damage: damage to cards."""

from __future__ import annotations

from engine.effects import query
from engine.effects.instruction import Instruction
from engine.effects.language import Quantity, Who
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import DamageDealt, Frame


class DealDamage(Instruction, frozen=True, tag="damage"):
    """Deals damage to each of the cards."""

    example = """targets = [{ from = { of = "other" } }]
then = [{ do = "damage", what = "target", n = 2000 }]"""

    what: Who
    """the cards"""
    n: Quantity
    """how much"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        n = query.number(m, frame, self.n)
        for card in query.on_table(m, frame, self.what):
            if n > 0:
                m.emit(DamageDealt(frame.card, card, n))
                m.set_counter(card, "damage", m.value(card, "damage") + n)

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.cards(self.what, f"{at}.what", filled)
        linter.amount(self, self.n, f"{at}.n", filled)

    def text(self, writer: Writer, form: str) -> list[str]:
        what = writer.what(self.what).text  # before the amount, which may speak of the same card
        return writer.line("damage", form, self.n, what=what)
