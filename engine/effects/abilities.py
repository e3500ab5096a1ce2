"""The kinds of ability: when instructions of a card are carried out, and what they cost. `ability` names the kind."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from engine.effects.kinds import AnyInstruction
from engine.effects.language import Cost, Quantity, Select, Target, When, Who
from events.actions import snake


class Ability(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="ability", tag=snake):
    """Base of all abilities."""

    example: ClassVar[str]
    """fields of an ability of a card file, for `docs/CARDS.md`"""


class Activated(Ability, frozen=True):
    """Used by the owner, when abilities can be used. Once a turn unless the cost takes a card away."""

    example = """ability = "activated"
cost = [{ pay = "exhaust" }]
targets = [{ from = { of = "other" } }]
then = [{ do = "damage", what = "target", n = 1000 }]"""

    then: tuple[AnyInstruction, ...]
    """what is done"""
    cost: tuple[Cost, ...] = ()
    """what is paid"""
    targets: tuple[Target, ...] = ()
    """what is named before"""
    when: When | None = None
    """what must hold"""
    once: bool = False
    """once a turn even though its cost takes a card away"""

    @property
    def once_a_turn(self) -> bool:
        """Whether it is used once a turn: nothing limits it else, where no card is taken away."""
        return self.once or all(cost.pay == "exhaust" for cost in self.cost)


class Effect(Ability, frozen=True):
    """What a card does that is used from the hand (a skill, an item)."""

    example = """ability = "effect"
when = { turn = "own" }
then = [{ do = "draw", n = 2 }]"""

    then: tuple[AnyInstruction, ...]
    """what is done"""
    cost: tuple[Cost, ...] = ()
    """what is paid"""
    targets: tuple[Target, ...] = ()
    """what is named before"""
    when: When | None = None
    """what must hold"""


class Triggered(Ability, frozen=True):
    """Set off by a moment of the game, of this card or (`whose`) of others; the card concerned is in slot `it`."""

    example = """ability = "triggered"
on = "destroyed"
whose = "own"
then = [{ do = "draw" }]"""

    on: str
    """the moment"""
    then: tuple[AnyInstruction, ...]
    """what is done"""
    whose: Literal["self", "own", "other", "any"] = "self"
    """of this card, or of cards of whom"""
    fits: Select | None = None
    """what the card of the moment must be"""
    targets: tuple[Target, ...] = ()
    """what is named before"""
    when: When | None = None
    """what must hold"""


class Passive(Ability, frozen=True):
    """Holds as long as the card is on the table and the condition holds: adds to, or sets, a value of cards."""

    example = """ability = "passive"
name = "pow"
what = { of = "own", another = true }
add = 500"""

    name: str
    """of the value"""
    what: Who = "self"
    """the cards"""
    add: Quantity = 0
    """what is added to it"""
    set: int | None = None
    """or what it is; additions come on top"""
    when: When | None = None
    """what must hold"""


class Reaction(Ability, frozen=True):
    """Carried out when the card is burst from its owner's deck, before it is discarded."""

    example = """ability = "reaction"
then = [{ do = "move", what = "self", zone = "hand" }]"""

    then: tuple[AnyInstruction, ...]
    """what is done"""
    targets: tuple[Target, ...] = ()
    """what is named before"""


class Regenerate(Ability, frozen=True):
    """When the card would be destroyed and this is paid (or holds), it is not, and its damage goes to 0."""

    example = """ability = "regenerate"
cost = [{ pay = "discard", from = { zone = ["hand"] } }]"""

    cost: tuple[Cost, ...] = ()
    """what is paid"""
    when: When | None = None
    """what must hold"""


AnyAbility: TypeAlias = Activated | Effect | Triggered | Passive | Reaction | Regenerate
