"""The match as the modules below it see it, as a type: a table to look at, and to keep the values of up to date."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from engine.core.rules import Rules
from engine.effects.protocols import MatchProtocol
from engine.state import Card
from events.kinds import ModifierBegan

Mark: TypeAlias = str | int | tuple[str, int]
"""What can have changed: a zone of a seat, or all that the rulebook calls `field` there ("" for the zone); a mark of
`engine.cards.definition`; a card that is new; anything.
"""
ANYTHING = "#anything"


class Table(MatchProtocol, Protocol):
    """What `values` needs of `engine.core.match.Match`, besides what effects need."""

    game: Rules
    printed: dict[int, Any]
    passing: tuple[int, ...]
    passives: tuple[tuple[int, int, frozenset[Mark]], ...]

    def card(self, number: int) -> Card: ...
    def modifiers_on(self, card: int) -> tuple[int, ...]: ...
    def given_by(self, card: int) -> tuple[int, ...]: ...
    def begin_modifier(self, event: ModifierBegan) -> None: ...
    def end_modifier(self, number: int) -> None: ...
