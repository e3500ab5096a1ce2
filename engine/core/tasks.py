"""What is still to be done, as data: tasks of the agenda, abilities that were set off, and why an action is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias

from msgspec import Struct

from events.actions import AnyAction, snake

Handler: TypeAlias = Callable[[Any, Any, AnyAction | None], None]
"""`handler(match, task, answer=None)` does one task; the answer is the decision that it asked for."""


class Illegal(Exception):
    """An action that the rules refuse: `Illegal(rule, sentence)`. Cheap, since most are made and never read."""

    @property
    def rule(self) -> str:
        """The rule's id; empty where no rule of the book says it."""
        return str(self.args[0])

    @property
    def sentence(self) -> str:
        """What is wrong."""
        return str(self.args[1])

    def __str__(self) -> str:
        return f"{self.sentence} ({self.rule})" if self.rule else self.sentence


class Task(Struct, frozen=True, gc=False, array_like=True, tag=snake):
    """Something still to be done. `safe`: pending triggers are placed before it runs."""

    safe: ClassVar[bool] = False


class PendingTrigger(Struct, frozen=True, gc=False, array_like=True):
    """A triggered ability that waits to be placed on the stack."""

    item_kind: str
    seat: int
    card: int
    code: str
    ability: int
    cause: int
    since: int | None
    """the cards that it means must not have moved since this record; null: since it is placed"""
    it: int | None = None
    attack: tuple[int | None, int | None, int] | None = None
    """attacker and target of the attack that it came from, and the record at which that attack ended"""
