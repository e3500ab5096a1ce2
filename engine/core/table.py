"""The match as the modules below it see it, as a type: a table to look at, and to keep the values of up to date."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from engine.core.rules import Rules
from engine.state import Card, Declared, State
from events.kinds import Event, ModifierBegan

Mark: TypeAlias = str | int | tuple[str, int]
"""What can have changed: a zone of a seat, a mark of `engine.cards.files`, a card that is new, or anything."""
ANYTHING = "#anything"


class Table(Protocol):
    """What `query` and `values` need of `engine.core.match.Match`, which says what each of them does."""

    game: Rules
    declared: Declared
    state: State
    printed: dict[int, Any]
    passives: tuple[tuple[int, int, frozenset[Mark]], ...]

    def card(self, number: int) -> Card: ...
    def definition(self, number: int) -> Any: ...
    def value(self, card: int, name: str) -> int: ...
    def on_table(self, card: int) -> bool: ...
    def modifiers_on(self, card: int) -> tuple[int, ...]: ...
    def emit(self, event: Event) -> int: ...
    def set_counter(self, entity: int, name: str, value: int) -> None: ...
    def begin_modifier(self, event: ModifierBegan) -> None: ...
    def end_modifier(self, number: int) -> None: ...
