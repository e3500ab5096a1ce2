"""The kinds of ability: when instructions of a card are carried out, and what they cost. `ability` names the kind."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from engine.effects.kinds import AnyInstruction
from engine.effects.language import Cost, Number, Select, Target, When, Who
from events.actions import snake


class Ability(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="ability", tag=snake):
    """Base of all abilities."""


class Activated(Ability, frozen=True):
    """Used by the owner, when abilities can be used. Once a turn unless the cost takes a card away."""

    then: tuple[AnyInstruction, ...]
    cost: tuple[Cost, ...] = ()
    targets: tuple[Target, ...] = ()
    when: When | None = None
    once: bool = False
    """once a turn even though its cost takes a card away"""


class Effect(Ability, frozen=True):
    """What a card does that is used from the hand (a skill, an item)."""

    then: tuple[AnyInstruction, ...]
    cost: tuple[Cost, ...] = ()
    targets: tuple[Target, ...] = ()
    when: When | None = None


class Triggered(Ability, frozen=True):
    """Set off by a moment of the game, of this card or (`whose`) of others; the card concerned is in slot `it`."""

    on: str
    then: tuple[AnyInstruction, ...]
    whose: Literal["self", "own", "other", "any"] = "self"
    fits: Select | None = None
    targets: tuple[Target, ...] = ()
    when: When | None = None


class Passive(Ability, frozen=True):
    """Holds as long as the card is on the table and the condition holds: adds to, or sets, a value of cards."""

    name: str
    what: Who = "self"
    add: Number = 0
    set: int | None = None
    when: When | None = None


class Reaction(Ability, frozen=True):
    """Carried out when the card is burst from its owner's deck, before it is discarded."""

    then: tuple[AnyInstruction, ...]
    targets: tuple[Target, ...] = ()


class Regenerate(Ability, frozen=True):
    """When the card would be destroyed and this is paid (or holds), it is not, and its damage goes to 0."""

    cost: tuple[Cost, ...] = ()
    when: When | None = None


AnyAbility: TypeAlias = Activated | Effect | Triggered | Passive | Reaction | Regenerate
