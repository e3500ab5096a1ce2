"""Instructions one after another: as a program that runs, as the linter reads them, as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from engine.effects.hidden_information import HiddenInformation, HiddenSlots, Leaks
from engine.effects.instruction import Instruction, Jump, Steps
from engine.effects.linter import Linter, tag_of
from engine.effects.writer import Writer


def flatten(steps: Iterable[Instruction]) -> tuple[Instruction, ...]:
    """The instructions as one flat list: conditions and loops become jumps, so that a place in it is one integer."""
    program: list[Instruction] = []
    for step in steps:
        step.flatten(program)
    return tuple(program)


def flatten_branches(
    program: list[Instruction], then: Steps, otherwise: Steps, fork: Callable[[int], Instruction]
) -> None:
    """Adds `then`, which `fork(to)` leaves out by going on at `to`, where `otherwise` stands."""
    at = len(program)
    program.append(Jump(at))
    for step in then:
        step.flatten(program)
    end = len(program)
    if otherwise:
        program.append(Jump(end))
        for step in otherwise:
            step.flatten(program)
        program[end] = Jump(len(program))
        end += 1
    program[at] = fork(end)


def all_steps(steps: Iterable[Instruction]) -> Iterable[Instruction]:
    """All instructions of an effect, those inside others too."""
    for step in steps:
        yield step
        yield from all_steps(step.nested())


# --- the linter ---------------------------------------------------------------------------------------------


def lint_steps(linter: Linter, steps: Sequence[Instruction], at: str, filled: AbstractSet[str]) -> AbstractSet[str]:
    """Checks the instructions in turn; gives the slots that are filled after them."""
    known = linter.vocabulary.instructions
    for i, step in enumerate(steps):
        if known is not None:
            linter.word("instruction of this game", tag_of(step), known, f"{at}[{i}].do")
        filled = filled | (step.lint(linter, f"{at}[{i}]", filled) or frozenset())
    return filled


def lint_branches(
    linter: Linter, then: Steps, otherwise: Steps, at: str, filled: AbstractSet[str]
) -> AbstractSet[str]:
    """Checks two lists of instructions of which one is carried out; gives the slots that either fills."""
    after = lint_steps(linter, then, f"{at}.then", filled)
    return after & lint_steps(linter, otherwise, f"{at}.otherwise", filled)


def leaks(
    reader: HiddenInformation, steps: Sequence[Instruction], at: str, slots: HiddenSlots, free: bool = False
) -> Leaks:
    """What the instructions tell about hidden cards; see `Instruction.leaks`."""
    for i, step in enumerate(steps):
        yield from step.leaks(reader, f"{at}[{i}]", slots, free)


def leaks_of_branches(
    reader: HiddenInformation, then: Steps, otherwise: Steps, at: str, slots: HiddenSlots, free: tuple[bool, bool]
) -> Leaks:
    """What two lists of instructions tell of which one is carried out; `free` of each."""
    first, second = dict(slots), dict(slots)
    yield from leaks(reader, then, f"{at}.then", first, free[0])
    yield from leaks(reader, otherwise, f"{at}.otherwise", second, free[1])
    slots.clear()
    slots.update({**second, **first})


# --- the rules text -----------------------------------------------------------------------------------------


def sentences(writer: Writer, steps: Sequence[Instruction]) -> list[str]:
    """The instructions as sentences without their stops."""
    return [s for group in _grouped(writer, steps) for s in told_together(writer, group)]


def clause(writer: Writer, steps: Sequence[Instruction]) -> str:
    """The instructions as one clause: `draw a card, discard it and burst …`."""
    groups = _grouped(writer, steps)
    if any(group[0].nested() for group in groups[:-1]):
        return writer.t("text.stop").join(s for group in groups for s in told_together(writer, group))
    told = [s for group in groups[:-1] for s in told_together(writer, group, "_and")]
    last = told_together(writer, groups[-1])
    told.append(last[0])
    return (writer.t("text.stop") + writer.t("text.gap")).join([writer.listed(told, "clauses"), *last[1:]])


def told_together(writer: Writer, group: Sequence[Instruction], form: str = "") -> list[str]:
    """The sentences of instructions that are told together."""
    first, *more = group
    return first.text_with(writer, form, more) if more else first.text(writer, form)


def _grouped(writer: Writer, steps: Sequence[Instruction]) -> list[list[Instruction]]:
    """Instructions that one sentence tells: a choice with its use, gifts to the same cards."""
    groups: list[list[Instruction]] = []
    for step in steps:
        if groups and groups[-1][-1].told_with(writer, step):
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups
