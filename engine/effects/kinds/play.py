"""play: cards come into play as if a player had played them."""

from __future__ import annotations

from msgspec import structs

from engine.effects import query
from engine.effects.hidden_information import HiddenInformation, HiddenSlots, Leaks
from engine.effects.instruction import Instruction
from engine.effects.language import Who
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set, Vocabulary
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class PlayCards(Instruction, frozen=True, tag="play"):
    """Brings the card into play as a player would, if everything that the rules ask of that holds."""

    example = """targets = [{ from = { zone = ["discard"], of = "own", at_most = { pow = 2000 } } }]
then = [{ do = "play", what = "target" }]"""

    what: Who
    """the cards"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> Frame:
        cards, slots = query.who(m, frame, self.what), query.still_meant(m, frame)
        for card in cards:
            m.game.play(m, frame.seat, card)
        return structs.replace(frame, at=frame.at + 1, since=m.state.seq, slots=slots)

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.who(self.what, f"{at}.what", filled)

    def puts(self, vocabulary: Vocabulary) -> Set:
        return vocabulary.table

    def leaks(self, reader: HiddenInformation, at: str, slots: HiddenSlots, free: bool) -> Leaks:
        yield from super().leaks(reader, at, slots, free)
        reader.mix()

    def text(self, writer: Writer, form: str) -> list[str]:
        return writer.line("play", form, what=writer.what(self.what).away)
