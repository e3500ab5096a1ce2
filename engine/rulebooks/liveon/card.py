"""What is printed on a Live On card, and how the engine reads it (LO-01 … LO-07, LO-12)."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from engine.cards.definition import Definition, Printed
from engine.effects.abilities import Activated, AnyAbility

Colour: TypeAlias = Literal["red", "white", "blue", "black"]
COLOURS: tuple[Colour, ...] = ("red", "white", "blue", "black")
Keyword: TypeAlias = Literal["burst", "rush", "defender", "stealth", "first_strike_attack", "first_strike_defence"]
KEYWORDS: tuple[Keyword, ...] = get_args(Keyword)
MOMENTS = ("lived", "moved", "attacks", "defends", "bursts", "destroyed", "skill_played", "turn_began")
"""Moments that set off triggered abilities. `bursts`: the card's attack bursts the deck; a turn is its player's."""


class LiveOnCard(Printed, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A fighter, monster or skill."""

    kind: Literal["fighter", "monster", "skill"]
    colour: Colour
    power: dict[Literal["red", "white", "blue", "black", "any"], int]
    """the power source: symbols of each colour, `any` for the colourless number (LO-05)"""
    pow: int = 0
    rarity: Literal["C", "U", "R", "VR", "SR", "MR"]
    star: bool = False
    race: dict[str, str] = {}
    """of monsters, by language"""
    live_change: str | None = None
    """English name of the fighter that it is lived onto (LO-52)"""
    keywords: dict[Keyword, int] = {}


class LiveOnDefinition(Definition):
    """A Live On card with its power source as numbers: symbols by colour, and how many in all."""

    __slots__ = ("colours", "live_change", "made", "needs", "once", "star", "symbols")

    def __init__(self, card: LiveOnCard) -> None:
        keywords: dict[str, int] = dict.fromkeys(KEYWORDS, 0)
        keywords.update(card.keywords.items())
        stats = {"pow": card.pow, "damage": 0, **keywords}
        super().__init__(card, stats, {"colour": card.colour, "race": card.race.get("en", "")})
        self.symbols = tuple(card.power.get(colour, 0) for colour in COLOURS)
        self.made = sum(self.symbols)
        self.colours = sum(1 << at for at, n in enumerate(self.symbols) if n)
        """the colours that it produces, as bits"""
        self.needs = sum(card.power.values())
        self.star = card.star
        self.live_change = card.live_change
        self.once = frozenset(number for number in self.activated if _once_a_turn(self.abilities[number]))


def _once_a_turn(ability: AnyAbility) -> bool:
    """Once a turn, unless its cost takes a card from hand, field or deck (LO-43)."""
    assert isinstance(ability, Activated)
    return ability.once_a_turn
