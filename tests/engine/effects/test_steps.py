"""Effects as flat programs: a place in one is an integer that stands in logs, so programs must stay what they are."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.effects.instruction import Instruction, Jump
from engine.effects.kinds import AnyInstruction
from engine.effects.kinds.draw import Draw
from engine.effects.kinds.each import Next
from engine.effects.kinds.if_ import Unless
from engine.effects.kinds.may import Ask
from engine.effects.kinds.mill import Mill
from engine.effects.language import Select, When
from engine.effects.steps import all_steps, flatten

OWN = When(turn="own")
ONE, TWO = {"do": "draw"}, {"do": "mill"}
D, M = Draw(), Mill()
YOURS: dict[str, Any] = {"of": "own"}


def steps(*raw: dict[str, Any]) -> tuple[Instruction, ...]:
    found: tuple[Instruction, ...] = msgspec.convert(raw, tuple[AnyInstruction, ...])
    return found


def may(*then: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"do": "may", "then": list(then), **fields}


def if_(*then: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"do": "if", "when": {"turn": "own"}, "then": list(then), **fields}


def each(*then: dict[str, Any]) -> dict[str, Any]:
    return {"do": "each", "what": YOURS, "then": list(then)}


@pytest.mark.parametrize(("raw", "program"), [
    ([ONE, TWO], (D, M)),
    ([if_(ONE), TWO], (Unless(OWN, 2), D, M)),
    ([if_(ONE, otherwise=[TWO]), ONE], (Unless(OWN, 3), D, Jump(4), M, D)),
    ([may(ONE), TWO], (Ask(2), D, M)),
    ([may(ONE, otherwise=[TWO]), ONE], (Ask(3), D, Jump(4), M, D)),
    ([each(ONE), TWO], (Next(Select(of="own"), "each", "#0", 3), D, Jump(0), M)),
    ([TWO, each(may(ONE))], (M, Next(Select(of="own"), "each", "#1", 5), Ask(4), D, Jump(1))),
    ([may(if_(ONE, otherwise=[TWO]))], (Ask(5), Unless(OWN, 4), D, Jump(5), M)),
])  # fmt: skip
def test_an_effect_becomes_one_flat_list(raw: list[dict[str, Any]], program: tuple[Instruction, ...]) -> None:
    assert flatten(steps(*raw)) == program


def test_all_instructions_of_an_effect_are_found_those_inside_others_too() -> None:
    found = all_steps(steps(each(may(ONE, otherwise=[if_(TWO)])), ONE))
    assert [type(step).__name__ for step in found] == ["Each", "May", "Draw", "If", "Mill", "Draw"]


@pytest.mark.parametrize("inner", [may, if_, each])
@pytest.mark.parametrize("outer", [may, if_, each])
def test_instructions_stand_inside_each_other(outer: Any, inner: Any) -> None:
    read = steps(outer(inner(ONE)))
    assert [type(step) for step in all_steps(read)][-1] is Draw
    assert msgspec.convert(msgspec.to_builtins(read), tuple[AnyInstruction, ...]) == read
