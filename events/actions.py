"""What a player may do: one struct each, the same seven for every game.

An action is an answer to the last `asked`. Free decisions (`play`, `move`, `attack`, `use`) begin something;
`choose` and `pass` answer a question. Nothing here knows whether an action is legal.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

Int: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""An integer as lines may hold it: of 64 bits, so that every reader and writer can."""


def snake(name: str) -> str:
    """`CardMoved` -> `card_moved`: the tag of a struct is its name in snake case."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Action(Struct, frozen=True, gc=False, tag_field="do", tag=snake, omit_defaults=True, forbid_unknown_fields=True):
    """Base of all actions; `do` names which."""


class Pass(Action, frozen=True):
    """Nothing (more): ends a phase, declines an offer, closes a choice of "up to"."""


class Concede(Action, frozen=True):
    """Gives the game up. Accepted at any question of one's own, never offered among the legal choices."""


class Choose(Action, frozen=True):
    """One of the options of the question, by its number (an entity, a count, 1 or 0 for yes or no, or an index)."""

    option: Int


class Move(Action, frozen=True):
    """Moves an own card on the table to the other line."""

    card: Int


class Play(Action, frozen=True):
    """Brings a card from the hand to the table, by itself or onto the card `on`."""

    card: Int
    on: Int | None = None


class Attack(Action, frozen=True):
    """Attacks with `card`; `target` is a card or, for the opponent itself, its seat (0 or 1)."""

    card: Int
    target: Int


class Use(Action, frozen=True):
    """Uses the ability number `ability` of `card` (a skill or item in the hand has its effect as number 0)."""

    card: Int
    ability: Int = 0


AnyAction = Pass | Concede | Choose | Move | Play | Attack | Use
