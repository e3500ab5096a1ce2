"""destroy: cards are destroyed, unless something saves them."""

from __future__ import annotations

from engine.effects import query
from engine.effects.instruction import Instruction
from engine.effects.language import Who
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class DestroyCards(Instruction, frozen=True, tag="destroy"):
    """Destroys the cards."""

    example = 'then = [{ do = "destroy", what = { of = "other", at_most = { pow = 2000 } } }]'

    what: Who
    """the cards"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        cards = query.on_table(m, frame, self.what)
        if cards:
            m.game.destroy(m, tuple(cards))

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.cards(self.what, f"{at}.what", filled)

    def text(self, writer: Writer, form: str) -> list[str]:
        return writer.line("destroy", form, what=writer.what(self.what).text)
