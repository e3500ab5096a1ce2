"""if: something only where a condition holds."""

from __future__ import annotations

from msgspec import structs

from engine.effects import query, steps
from engine.effects.hidden_information import HiddenInformation, HiddenSlots, Leaks
from engine.effects.instruction import Instruction, Steps
from engine.effects.language import When
from engine.effects.linter import Linter
from engine.effects.protocols import MatchProtocol
from engine.effects.vocabulary import Set
from engine.effects.writer import Writer
from events.actions import AnyAction
from events.kinds import Frame


class Unless(Instruction, frozen=True):
    """Goes on at `to` if the condition does not hold."""

    when: When
    to: int

    def run(self, m: MatchProtocol, frame: Frame, answer: AnyAction | None) -> Frame | None:
        return None if query.holds(m, frame, self.when) else structs.replace(frame, at=self.to)


class If(Instruction, frozen=True):
    """Does `then` where the condition holds, else `otherwise`."""

    example = """then = [{ do = "if", when = { count = { zone = ["hand"], of = "own" }, at_most = 2 }, then = [
    { do = "draw", n = 2 },
], otherwise = [
    { do = "draw" },
] }]"""

    when: When
    """the condition"""
    then: Steps
    """what is done where it holds"""
    otherwise: Steps = ()
    """what is done where it does not"""

    def flatten(self, program: list[Instruction]) -> None:
        steps.flatten_branches(program, self.then, self.otherwise, lambda to: Unless(self.when, to))

    def lint(self, linter: Linter, at: str, filled: Set) -> Set:
        if not self.then:
            linter.say("no-effect", f"{at}.then", "no instructions; nothing is done")
        linter.when(self.when, f"{at}.when", filled)
        return steps.lint_branches(linter, self.then, self.otherwise, at, filled)

    def nested(self) -> Steps:
        return (*self.then, *self.otherwise)

    def leaks(self, reader: HiddenInformation, at: str, slots: HiddenSlots, free: bool) -> Leaks:
        yield from reader.condition(self.when, f"{at}.when", slots)
        yield from steps.leaks_of_branches(reader, self.then, self.otherwise, at, slots, (free, free))

    def text(self, writer: Writer, form: str) -> list[str]:
        when = writer.t("text.comma").join(writer.conditions(self.when))
        told = writer.line("if", form, when=when, then=steps.clause(writer, self.then))
        if self.otherwise:
            told += writer.line("otherwise", form, then=steps.clause(writer, self.otherwise))
        return told
