"""What instructions and abilities are made of: selections, amounts, conditions, costs and targets, as data."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct, field

Side: TypeAlias = Literal["own", "other", "any"]
Few: TypeAlias = Annotated[int, Meta(le=99)]
"""How many cards are named or paid: each is looked for, so no card of a stranger may ask for a million."""


class EffectPart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of what stands inside abilities and instructions."""

    example: ClassVar[str]
    """fields of an ability of a card file, for `docs/CARDS.md`"""


class Select(EffectPart, frozen=True):
    """A selection of cards. What is left out does not restrict."""

    example = """then = [
    { do = "destroy", what = { zone = ["a"], of = "other", is = { kind = "monster" }, exhausted = true } },
]"""

    zone: tuple[str, ...] = ()
    """zones to look in; left out: the places on the table where cards fight and work"""
    of: Side = "any"
    """whose cards"""
    is_: dict[str, str] = field(default={}, name="is")
    """printed words, e.g. {kind = "monster", colour = "red"}"""
    name: str | None = None
    """the card's English name"""
    at_least: dict[str, int] = {}
    """current values, e.g. {pow = 3000} or {rush = 1}"""
    at_most: dict[str, int] = {}
    """the same, from above"""
    exhausted: bool | None = None
    """whether they have been turned down"""
    another: bool = False
    """not the card itself whose ability this is"""


Who: TypeAlias = str | Select
"""Cards: a slot by name (self, it, attacker, attacked, or one filled by a target or `choose`), or a selection.

`bearer` is the card that this one is attached to (what an equipped card hangs on).
`own` and `other` mean the players themselves, for values of theirs.
"""


class Amount(EffectPart, frozen=True):
    """times × (number of cards selected, or a value of the first card of a slot) + plus."""

    example = 'then = [{ do = "draw", n = { count = { of = "own", at_least = { pow = 3000 } }, plus = 1 } }]'

    times: int = 1
    """factor"""
    plus: int = 0
    """what is added, after multiplying"""
    count: Select | None = None
    """cards that are counted"""
    value: str | None = None
    """or a current value"""
    of: str = "self"
    """the slot whose first card has the value"""


Quantity: TypeAlias = int | Amount


class When(EffectPart, frozen=True):
    """A condition; everything stated must hold."""

    example = """when = { turn = "own", count = { of = "other" }, at_least = 3 }
then = [{ do = "draw" }]"""

    count: Select | None = None
    """cards that are counted"""
    at_least: int | None = None
    """of `count`; 1 where neither this nor `at_most` stands"""
    at_most: int | None = None
    """of `count`"""
    turn: Side | None = None
    """whose turn it is"""
    phase: str | None = None
    """in which phase"""
    slot: str | None = None
    """this slot holds a card (that `fits`, where given)"""
    fits: Select | None = None
    """what the card of `slot` must be"""
    not_: When | None = field(default=None, name="not")
    """what must not hold"""


class Cost(EffectPart, frozen=True):
    """What is paid: this card goes down, cards are discarded, or cards from the top of your own deck."""

    example = """cost = [{ pay = "discard", from = { zone = ["hand"] }, n = 2 }, { pay = "mill", n = 3 }]
then = [{ do = "draw", n = 3 }]"""

    pay: Literal["exhaust", "discard", "mill"]
    """how"""
    from_: Select | None = field(default=None, name="from")
    """out of which cards, where cards are discarded"""
    n: Few = 1
    """how many cards"""


class Target(EffectPart, frozen=True):
    """Cards named when the ability is announced, before costs are paid: exactly n, or up to n, different ones."""

    example = """targets = [{ from = { of = "other" }, n = 2, up_to = true }]
then = [{ do = "exhaust", what = "target", exhausted = true }]"""

    from_: Select = field(name="from")
    """out of which cards"""
    slot: str = "target"
    """what they are called by the instructions"""
    n: Few = 1
    """how many"""
    up_to: bool = False
    """fewer may be named, or none"""
