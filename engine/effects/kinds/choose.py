"""choose: a player chooses cards, with which the next instructions do something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import field, structs

from engine.effects import query, steps
from engine.effects.hidden_information import HiddenInformation, HiddenSlots, Leaks
from engine.effects.instruction import Instruction, Question
from engine.effects.language import Few, Select
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction, Choose, Pass
from events.kinds import Frame


class ChooseCards(Instruction, frozen=True, tag="choose"):
    """`by` chooses n (or up to n) of the cards into a slot; as many as there are, if fewer."""

    example = """then = [
    { do = "choose", from = { zone = ["hand"], of = "own" }, n = 2 },
    { do = "move", what = "chosen", zone = "discard" },
]"""

    from_: Select = field(name="from")
    """out of which cards"""
    slot: str = "chosen"
    """what the chosen cards are called by the instructions that follow"""
    n: Few = 1
    """how many"""
    up_to: bool = False
    """fewer may be chosen, or none"""
    by: Literal["own", "other"] = "own"
    """who chooses"""

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> Frame | Question:
        # Without an answer it has just begun: what an earlier round of a loop has left in the slot is forgotten.
        chosen = () if answer is None else frame.slots.get(self.slot, ())
        if type(answer) is Choose:
            chosen = (*chosen, answer.option)
        frame = structs.replace(frame, slots={**frame.slots, self.slot: chosen})
        after = structs.replace(frame, at=frame.at + 1)
        if type(answer) is Pass:
            return after
        left = [e for e in query.cards(m, self.from_, frame.seat, frame.card) if e not in chosen]
        if len(chosen) >= self.n or not left:
            return after
        if len(left) <= self.n - len(chosen) and not self.up_to:
            return structs.replace(after, slots={**frame.slots, self.slot: (*chosen, *left)})
        seat = frame.seat if self.by == "own" else 1 - frame.seat
        return Question(frame, seat, "choose", "card", left, self.up_to)

    def lint(self, linter: Linter, at: str, filled: Set) -> Set:
        linter.count(self.n, f"{at}.n")
        linter.select(self.from_, f"{at}.from")
        linter.seen(self.from_, f"{at}.from", self.by)
        return frozenset((self.slot,))

    def fills(self) -> tuple[str, Select]:
        return self.slot, self.from_

    def leaks(self, reader: HiddenInformation, at: str, slots: HiddenSlots, free: bool) -> Leaks:
        declined = self.up_to or (free and self.by == "own")
        if reader.tells_apart(self.from_) and not declined:
            yield f"{at}.from", (
                "whoever must choose tells whether there is one; leave it open by `up_to = true` or in a `may`"
            )
        slots.pop(self.slot, None)
        if reader.hidden(self.from_):
            slots[self.slot] = reader.tells_apart(self.from_)

    def text(self, writer: Writer, form: str) -> list[str]:
        side = "their" if self.by == "other" and self.from_.of == "other" else ""
        phrase = writer.some(self.from_, self.n, self.up_to, side)
        writer.introduce(self.slot, phrase, self.n)
        writer.fresh.pop(self.slot)
        return writer.line("choose" if self.by == "own" else "choose_they", form, what=phrase.text)

    def told_with(self, writer: Writer, following: Instruction) -> bool:
        return self.by == "own" and getattr(following, "what", None) == self.slot

    def text_with(self, writer: Writer, form: str, following: Sequence[Instruction]) -> list[str]:
        writer.introduce(self.slot, writer.some(self.from_, self.n, self.up_to), self.n)
        return steps.told_together(writer, following, form)
