"""What a player may do: one struct each, the same seven for every game.

An action is an answer to the last `asked`. Free decisions (`play`, `move`, `attack`, `use`) begin something;
`choose` and `pass` answer a question. Nothing here knows whether an action is legal.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from events.fields import CardId, EntityId, OpenInt, Option


def snake(name: str) -> str:
    """`CardMoved` -> `card_moved`: the tag of a struct is its name in snake case."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Action(Struct, frozen=True, gc=False, tag_field="do", tag=snake, omit_defaults=True, forbid_unknown_fields=True):
    """Base of all actions; `do` names which. The other seat sees only a `public` one."""

    public: ClassVar[bool] = False


class Pass(Action, frozen=True):
    """Nothing (more): ends a phase, declines an offer, closes a choice of "up to"."""


class Concede(Action, frozen=True):
    """Gives the game up; possible at any question of one's own, never offered among the legal choices."""

    public = True


class Choose(Action, frozen=True):
    """The answer to a question with options: one of them."""

    option: Option


class Move(Action, frozen=True):
    """Moves an own card on the table to the other line."""

    public = True
    card: CardId


class Play(Action, frozen=True):
    """Brings a card from the hand to the table, by itself or onto the card `on`."""

    public = True
    card: CardId
    on: CardId | None = None


class Attack(Action, frozen=True):
    """Attacks a card, or (with 0 or 1) a seat."""

    public = True
    card: CardId
    target: EntityId


class Use(Action, frozen=True):
    """Uses an ability of the card, by its number; a card in the hand has its effect as number 0."""

    public = True
    card: CardId
    ability: OpenInt = 0


AnyAction = Pass | Concede | Choose | Move | Play | Attack | Use

FREE_ACTIONS = frozenset((Move, Play, Attack, Use))
"""Kinds of free decisions: nobody asked for just this one, and it is the cause of what follows."""
