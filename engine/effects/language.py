"""What instructions and abilities are made of: selections, amounts, conditions, costs and targets, as data."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

Side: TypeAlias = Literal["own", "other", "any"]
Few: TypeAlias = Annotated[int, Meta(le=99)]
"""How many cards are named or paid: each is looked for, so no card of a stranger may ask for a million."""


class _Table(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class Select(_Table, frozen=True):
    """A selection of cards. What is left out does not restrict."""

    zone: tuple[str, ...] = ()
    """zones to look in; left out: the places on the table where cards fight and work"""
    of: Side = "any"
    is_: dict[str, str] = field(default={}, name="is")
    """printed words, e.g. {kind = "monster", colour = "red"}"""
    name: str | None = None
    """the card's English name"""
    at_least: dict[str, int] = {}
    """current values, e.g. {pow = 3000} or {rush = 1}"""
    at_most: dict[str, int] = {}
    exhausted: bool | None = None
    another: bool = False
    """not the card itself whose ability this is"""


Who: TypeAlias = str | Select
"""Cards: a slot by name (self, it, attacker, attacked, or one filled by a target or `choose`), or a selection.

`bearer` is the card that this one is tied to (what an equipped card hangs on).
`own` and `other` mean the players themselves, for values of theirs.
"""


class Amount(_Table, frozen=True):
    """times × (number of cards selected, or a value of the first card of a slot) + plus."""

    times: int = 1
    plus: int = 0
    count: Select | None = None
    value: str | None = None
    of: str = "self"


Number: TypeAlias = int | Amount


class When(_Table, frozen=True):
    """A condition; everything stated must hold."""

    count: Select | None = None
    at_least: int | None = None
    """of `count`; 1 where neither this nor `at_most` stands"""
    at_most: int | None = None
    turn: Side | None = None
    phase: str | None = None
    slot: str | None = None
    """this slot holds a card (that `fits`, where given)"""
    fits: Select | None = None
    not_: When | None = field(default=None, name="not")


class Cost(_Table, frozen=True):
    """What is paid: this card goes down, cards are discarded, or cards from the top of the own deck."""

    pay: Literal["exhaust", "discard", "mill"]
    from_: Select | None = field(default=None, name="from")
    n: Few = 1


class Target(_Table, frozen=True):
    """Cards named when the ability is announced, before costs are paid: exactly n, or up to n, different ones."""

    from_: Select = field(name="from")
    slot: str = "target"
    n: Few = 1
    up_to: bool = False
