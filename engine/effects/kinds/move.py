"""move: cards into another zone."""

from __future__ import annotations

from typing import Literal

from msgspec import structs

from engine.effects import query
from engine.effects.hidden_information import NOT_PUBLIC, HiddenInformation, HiddenSlots, Leaks
from engine.effects.instruction import Instruction
from engine.effects.language import Who
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set, Vocabulary
from engine.effects.writer import Writer
from engine.words import inside
from events.actions import AnyAction
from events.kinds import Frame


class MoveCards(Instruction, frozen=True, tag="move"):
    """Puts the cards into a zone of their owner."""

    example = """targets = [{ from = { zone = ["discard"], of = "own" } }]
then = [{ do = "move", what = "target", zone = "deck", at = "bottom" }]"""

    what: Who
    """the cards"""
    zone: str
    """where to"""
    at: Literal["top", "bottom"] = "top"
    """at which end, where the zone has an order"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> Frame:
        cards, slots = query.who(m, frame, self.what), query.still_meant(m, frame)
        for card in cards:
            m.game.put(m, card, self.zone, self.at)
        return structs.replace(frame, at=frame.at + 1, since=m.state.seq, slots=slots)

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.who(self.what, f"{at}.what", filled)
        linter.word("zone for cards to be put into,", self.zone, linter.vocabulary.targets, f"{at}.zone")

    def puts(self, vocabulary: Vocabulary) -> Set:
        return frozenset((self.zone,))

    def leaks(self, reader: HiddenInformation, at: str, slots: HiddenSlots, free: bool) -> Leaks:
        yield from super().leaks(reader, at, slots, free)
        if reader.zones.get(self.zone) in NOT_PUBLIC:
            reader.mix()
        elif isinstance(self.what, str):
            slots.pop(self.what, None)  # it lies in the open

    def text(self, writer: Writer, form: str) -> list[str]:
        what = writer.what(self.what)
        keys = [f"put.{self.zone}_from_{zone}" for zone in what.zones if len(what.zones) == 1] + [f"put.{self.zone}"]
        if self.at == "bottom":
            keys.insert(0, f"put.{self.zone}_bottom")
        key = writer.words.first(*(f"text.{k}" for k in keys), "text.move").removeprefix("text.")
        zone = inside(writer.t(f"zone.{self.zone}"))
        return writer.line(key, form, what=what.away, whose=writer.whose(what.of, "owner"), zone=zone)
