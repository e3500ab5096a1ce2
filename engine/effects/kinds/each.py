"""each: the same for each of some cards."""

from __future__ import annotations

from msgspec import structs

from engine.effects import query, steps
from engine.effects.hidden_information import HiddenInformation, HiddenSlots, Leaks
from engine.effects.instruction import Instruction, Jump, Steps
from engine.effects.language import Who
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class Next(Instruction, frozen=True):
    """Takes the next card of the loop into `slot`, or goes on at `to` when none is left."""

    what: Who
    slot: str
    rest: str
    to: int

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> Frame:
        rest = frame.slots.get(self.rest)
        if rest is None:
            rest = tuple(query.who(m, frame, self.what))
        slots = {name: held for name, held in frame.slots.items() if name not in (self.rest, self.slot)}
        for at, card in enumerate(rest):
            if not query.gone(m, card, frame.since):
                slots.update({self.slot: (card,), self.rest: rest[at + 1:]})
                return structs.replace(frame, at=frame.at + 1, slots=slots)
        return structs.replace(frame, at=self.to, slots=slots)


class Each(Instruction, frozen=True):
    """Does `then` for each of the cards, one after another, with the card in `slot`."""

    example = """then = [{ do = "each", what = { of = "other" }, then = [
    { do = "damage", what = "each", n = 500 },
    { do = "exhaust", what = "each", exhausted = true },
] }]"""

    what: Who
    """the cards"""
    then: Steps
    """what is done for each"""
    slot: str = "each"
    """what the card whose turn it is is called there"""

    def flatten(self, program: list[Instruction]) -> None:
        at = len(program)
        program.append(self)
        for step in self.then:
            step.flatten(program)
        program.append(Jump(at))
        program[at] = Next(self.what, self.slot, f"#{at}", len(program))

    def lint(self, linter: Linter, at: str, filled: Set) -> None:
        linter.who(self.what, f"{at}.what", filled)
        if not self.then:
            linter.say("no-effect", f"{at}.then", "no instructions; nothing is done")
        steps.lint_steps(linter, self.then, f"{at}.then", filled | {self.slot})

    def nested(self) -> Steps:
        return self.then

    def fills(self) -> tuple[str, Who]:
        return self.slot, self.what

    def leaks(self, reader: HiddenInformation, at: str, slots: HiddenSlots, free: bool) -> Leaks:
        yield from super().leaks(reader, at, slots, free)
        inside = dict(slots)
        if reader.holds_hidden(self.what, slots):
            inside[self.slot] = False
        yield from steps.leaks(reader, self.then, f"{at}.then", inside, free)
        slots.update(inside)

    def text(self, writer: Writer, form: str) -> list[str]:
        what = writer.what(self.what)
        alone = self.then[0] if len(self.then) == 1 else None
        writer.slots[self.slot] = what._replace(text=writer.t("text.slot.it"), taken="")
        if getattr(alone, "what", None) == self.slot and not isinstance(alone, Each):
            writer.fresh[self.slot] = what
            return steps.sentences(writer, self.then)
        return writer.line("each", form, what=what.text, then=steps.clause(writer, self.then))
