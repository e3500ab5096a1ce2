"""reveal: cards are shown to everybody."""

from __future__ import annotations

from engine.effects import query
from engine.effects.hidden_information import HiddenInformation, HiddenSlots, Leaks
from engine.effects.instruction import Instruction
from engine.effects.language import Who
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import CardsRevealed, Frame


class RevealCards(Instruction, frozen=True, tag="reveal"):
    """Shows the cards to everybody."""

    example = 'then = [{ do = "reveal", what = { zone = ["hand"], of = "other" } }]'

    what: Who
    """the cards"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        cards = tuple(query.who(m, frame, self.what))
        if cards:
            m.emit(CardsRevealed(cards))

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.who(self.what, f"{at}.what", filled)

    def leaks(self, reader: HiddenInformation, at: str, slots: HiddenSlots, free: bool) -> Leaks:
        reader.reveal(self.what, slots)
        yield from ()

    def text(self, writer: Writer, form: str) -> list[str]:
        return writer.line("reveal", form, what=writer.what(self.what).text)
