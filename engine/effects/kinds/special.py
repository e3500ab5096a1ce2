"""special: what only one game can do, and the language cannot say."""

from __future__ import annotations

from engine.effects.instruction import Instruction
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set, Vocabulary
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class Special(Instruction, frozen=True):
    """A function of the game, by name, for what the language cannot say; it may not ask."""

    example = 'then = [{ do = "special", name = "take_attack" }]'

    name: str
    """of the function"""

    @classmethod
    def known_to(cls, vocabulary: Vocabulary) -> bool:
        return super().known_to(vocabulary) and bool(vocabulary.specials)

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        m.game.specials[self.name](m, frame)

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.word("special", self.name, linter.vocabulary.specials, f"{at}.name")

    def text(self, writer: Writer, form: str) -> list[str]:
        key = writer.words.first(f"text.special.{self.name}", "text.special.any").removeprefix("text.")
        return writer.line(key, form, name=self.name.replace("_", " "))
