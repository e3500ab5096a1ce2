"""may: something that the owner of the card may do or not."""

from __future__ import annotations

from msgspec import structs

from engine.effects import steps
from engine.effects.hidden_information import HiddenInformation, HiddenSlots, Leaks
from engine.effects.instruction import Instruction, Question, Steps
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction, Choose
from events.kinds import Frame


class Ask(Instruction, frozen=True):
    """Goes on at `to` if the owner says no."""

    to: int

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> Frame | Question | None:
        if type(answer) is not Choose:
            return Question(frame, frame.seat, "may", "yes_no", (1, 0))
        return None if answer.option else structs.replace(frame, at=self.to)


class May(Instruction, frozen=True):
    """The owner says whether `then` is done."""

    example = """then = [{ do = "may", then = [
    { do = "choose", from = { zone = ["hand"], of = "own" } },
    { do = "move", what = "chosen", zone = "discard" },
    { do = "draw", n = 2 },
] }]"""

    then: Steps
    """what the owner may do"""
    otherwise: Steps = ()
    """what is done where the owner does not"""

    def flatten(self, program: list[Instruction]) -> None:
        steps.flatten_branches(program, self.then, self.otherwise, Ask)

    def lint(self, linter: Linter, at: str, filled: Set) -> Set:
        if not self.then:
            linter.say("no-effect", f"{at}.then", "no instructions; nothing is done")
        return steps.lint_branches(linter, self.then, self.otherwise, at, filled)

    def nested(self) -> Steps:
        return (*self.then, *self.otherwise)

    def leaks(self, reader: HiddenInformation, at: str, slots: HiddenSlots, free: bool) -> Leaks:
        yield from steps.leaks_of_branches(reader, self.then, self.otherwise, at, slots, (True, free))

    def text(self, writer: Writer, form: str) -> list[str]:
        told = writer.line("may", form, then=steps.clause(writer, self.then))
        if self.otherwise:
            told += writer.line("may_not", form, then=steps.clause(writer, self.otherwise))
        return told
