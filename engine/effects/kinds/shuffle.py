"""shuffle: a deck is shuffled."""

from __future__ import annotations

from engine.effects import query
from engine.effects.hidden_information import HiddenInformation, HiddenSlots, Leaks
from engine.effects.instruction import Instruction
from engine.effects.language import Side
from engine.effects.protocols import MatchProtocol
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class Shuffle(Instruction, frozen=True):
    """Shuffles the deck."""

    example = 'then = [{ do = "shuffle" }]'

    who: Side = "own"
    """whose"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> None:
        for seat in query.sides(self.who, frame.seat):
            m.shuffle(seat, m.game.deck_zone)

    def leaks(self, reader: HiddenInformation, at: str, slots: HiddenSlots, free: bool) -> Leaks:
        yield from super().leaks(reader, at, slots, free)
        reader.mix()

    def text(self, writer: Writer, form: str) -> list[str]:
        return writer.line("shuffle", form, whose=writer.whose(self.who, "each"))
