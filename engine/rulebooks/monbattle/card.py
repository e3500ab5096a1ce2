"""What is printed on a Monster Battle card, what a set defines, and how the engine reads both (MB-01 … MB-06)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from engine.cards.definition import Definition, Printed
from engine.effects.abilities import Ability, AnyAbility, Passive
from engine.effects.instruction import Instruction
from engine.effects.language import Select

Kind: TypeAlias = Literal["player", "monster", "weapon", "assist", "field"]
Bearer: TypeAlias = Literal["player", "monster"]

SUPPORTS = ("weapon", "assist", "field")
STATS = ("cost", "atk", "def", "spd")
CHANGES = ("damage_out", "damage_in", "no_attack")
"""Values that no card is printed with: changes of damage on either side (MB-40, MB-42), and not attacking (MB-38)."""
MOMENTS = (
    "played", "evolved", "set", "attacks", "hits", "destroyed", "assist_used", "main_began", "end_began",
)
"""Moments that set off triggered abilities. `played`: into the area from elsewhere; `set`: onto the battle stage."""


class MonBattleCard(Printed, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A player card (`lp`, `pp`, `level`), monster, weapon (its stats are additions), assist or field."""

    kind: Kind
    lp: int = 0
    pp: int = 0
    level: int = 0
    cost: int = 0
    atk: int = 0
    def_: int = field(default=0, name="def")
    spd: int = 0
    attribute: str | None = None
    evolves: str | None = None
    """of evolution monsters: English name of the monster that it evolves from"""
    item: Bearer | None = None
    """of assists that are items: what they are put beside"""


class Attribute(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One attribute of a set: its name by language, and the attributes that it has the advantage over (MB-05)."""

    name: dict[str, str] = {}
    beats: tuple[str, ...] = ()


class SetRules(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`rules.toml`: what a set defines besides its cards (MB-05, MB-06)."""

    attributes: dict[str, Attribute] = {}
    deck_size: int | None = None
    copies: int | None = None
    """absent: as another set says, else 40 and 3"""


class MonBattleDefinition(Definition):
    """A Monster Battle card. The additions of a weapon are passive abilities behind the printed ones."""

    __slots__ = ("about_stage", "attribute", "evolves", "item", "kinds", "starter")

    def __init__(self, card: MonBattleCard) -> None:
        stats: dict[str, int] = {}
        if card.kind == "monster":
            stats = {**_stats(card), "attribute": 0, **dict.fromkeys(CHANGES, 0)}
        elif card.kind == "weapon":
            stats = {"attribute": 0}
        super().__init__(card, stats, {"attribute": card.attribute or ""}, _additions(card))
        self.attribute = card.attribute
        self.evolves = card.evolves
        self.item = card.item
        self.kinds = _kinds(card)
        self.starter = card.kind == "monster" and card.evolves is None and card.cost == 1
        """may be the first battle monster (MB-08)"""
        self.about_stage = tuple(map(_about_stage, self.abilities, self.programs))
        """of each ability: whether some part of it means battle monsters alone (MB-16)"""


def _stats(card: MonBattleCard) -> dict[str, int]:
    return {"cost": card.cost, "atk": card.atk, "def": card.def_, "spd": card.spd}


def _additions(card: MonBattleCard) -> tuple[AnyAbility, ...]:
    if card.kind != "weapon":
        return ()
    return tuple(Passive(name=name, what="bearer", add=n) for name, n in _stats(card).items() if n)


def _kinds(card: MonBattleCard) -> tuple[str, ...]:
    """Every name that the card may go by (MB-01)."""
    if card.kind == "monster":
        return ("monster", "evolution") if card.evolves is not None else ("monster",)
    if card.kind == "player":
        return ("player",)
    return (card.kind, "support", "item") if card.item is not None else (card.kind, "support")


def _about_stage(ability: Ability, program: tuple[Instruction, ...]) -> bool:
    """Whether some instruction means battle monsters alone, by itself or through a target."""
    targets = {t.slot: t.from_ for t in getattr(ability, "targets", ())}
    meant = (getattr(step, name, None) for step in program for name in ("what", "from_"))
    return any(on_stage(targets.get(what) if isinstance(what, str) else what) for what in meant)


def on_stage(select: Select | None) -> bool:
    """Whether a selection means battle monsters alone."""
    return select is not None and select.zone == ("battle",)
