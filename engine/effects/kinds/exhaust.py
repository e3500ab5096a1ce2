"""exhaust: cards are turned down, or stood up."""

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


class Exhaust(Instruction, frozen=True):
    """Turns the cards down, or stands them up."""

    example = 'then = [{ do = "exhaust", what = { of = "own", another = true }, exhausted = false }]'

    what: Who
    """the cards"""
    exhausted: bool
    """false: they are stood up"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        for card in query.on_table(m, frame, self.what):
            m.exhaust(card, self.exhausted)

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.cards(self.what, f"{at}.what", filled)

    def text(self, writer: Writer, form: str) -> list[str]:
        return writer.line("exhaust" if self.exhausted else "ready", form, what=writer.what(self.what).text)
