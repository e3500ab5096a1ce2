"""What is still to be done, as data: tasks of the agenda, abilities that were set off, and why an action is refused.

Tasks are structs, which no compiled module may define: they stand here, below the module that does them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias

from msgspec import Struct

from events.actions import AnyAction, snake
from events.kinds import Frame

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


# --- stack.py -----------------------------------------------------------------------------------------------


class Announce(Task, frozen=True):
    """An effect is being announced: targets are chosen, then costs, then it goes on the stack."""

    frame: Frame
    item_kind: str


class Window(Task, frozen=True):
    """`speaker` (null: the player whose turn it then is) may use something.

    Two passes in a row end the window, or resolve the stack if there is anything on it.
    """

    safe: ClassVar[bool] = True
    speaker: int | None
    passes: int = 0


class ResolveStack(Task, frozen=True):
    """Resolves the stack, last in first out; `quiet`: nobody may respond to triggers (there is no window below)."""

    safe: ClassVar[bool] = True
    quiet: bool = False


class Run(Task, frozen=True):
    """An effect is being carried out (`engine.core.interpreter`)."""

    frame: Frame


class EndItem(Task, frozen=True):
    """A stack item has resolved: a card that waited on the stack goes where used cards go."""

    card: int
    item_kind: str


# --- triggers.py --------------------------------------------------------------------------------------------


class Place(Task, frozen=True):
    """Pending triggers go on the stack, the turn player's first."""

    waiting: tuple[PendingTrigger, ...]
    in_order: bool = False
    """each resolves before the next one is placed (in games without windows)"""


# --- destruction.py -----------------------------------------------------------------------------------------


class Destroy(Task, frozen=True):
    """`cards` are about to be destroyed; those in `doomed` can no longer be saved."""

    cards: tuple[int, ...]
    doomed: tuple[int, ...] = ()


class Save(Task, frozen=True):
    """Decides whether `card` regenerates, before the same is decided for `cards`."""

    card: int
    cards: tuple[int, ...]
    doomed: tuple[int, ...]
