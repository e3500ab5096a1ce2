"""The kinds of instruction, one module each, called as card files call it: `do = "draw"` is `draw`, "if" is `if_`.

Every module of this folder is found by itself; their order is that of their names.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, TypeAlias, Union

from engine.effects.instruction import Instruction
from engine.effects.linter import tag_of


def _kind(tag: str, module: str) -> type[Instruction]:
    """The kind of this name that its module defines; the module may have others, made by flattening."""
    found = vars(import_module(f"{__name__}.{module}")).values()
    return next(k for k in found if isinstance(k, type) and issubclass(k, Instruction) and tag_of(k) == tag)


EFFECT_KINDS: dict[str, type[Instruction]] = {
    name.removesuffix("_"): _kind(name.removesuffix("_"), name)
    for name in sorted(module.name for module in iter_modules(__path__))
}
"""what a kind is called in card files -> its struct"""

if TYPE_CHECKING:
    AnyInstruction: TypeAlias = Instruction
else:
    AnyInstruction = Union[tuple(EFFECT_KINDS.values())]  # noqa: UP007
