"""Vocabulary: the words of one game's cards, for the linter, which knows the effect language and no game."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TypeAlias

from msgspec import Struct

Set: TypeAlias = AbstractSet[str]


class Vocabulary(Struct, frozen=True, kw_only=True):
    """The words that a game's cards may use, and what the linter must know of their meaning."""

    zones: dict[str, str]
    """zone -> who sees a card there: all, owner, none, up"""
    table: Set
    """zones where cards have values and abilities"""
    targets: Set
    """zones into which effects may put cards"""
    spent: str
    """the zone into which costs go"""
    values: Set
    """what can be added to or set"""
    stats: Set
    """what can be looked at: the values, and more"""
    seat_values: Set = frozenset()
    """what the players themselves have: the slots `own` and `other`"""
    moments: dict[str, Set]
    """moment -> the slots that it fills"""
    slots: Set
    """slots that the game fills by itself at some times, besides `self`"""
    bearers: Set = frozenset()
    """kinds of card that hang on another one: theirs is the slot `bearer`"""
    phases: Set
    durations: Set
    words: dict[str, Set | None]
    """what `is` may ask -> the possible answers; None: whatever stands on some card"""
    kinds: dict[str, Set]
    """kind of card -> kinds of ability that mean something on it"""
    wants: dict[str, str] = {}
    """kind of card -> the kind of ability without which it does nothing"""
    sets_off: dict[str, Set] = {}
    """instruction -> the moments that it may bring about; `move` only into a zone of the table"""
    activated: int = 3
    """an activated ability stands among the first so many of its card"""
    instructions: Set | None = None
    """instructions that mean something in the game; None: all"""
    specials: Set = frozenset()
    stack: str = "stack"
    hand: str = "hand"
    deck: str = "deck"
