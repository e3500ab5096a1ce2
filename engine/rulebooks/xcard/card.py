"""What is printed on an X-Card card, and how the engine reads it (XC-01 … XC-07)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from engine.cards.definition import Definition, Printed

Element: TypeAlias = Literal["holy", "demon", "human", "beast"]
Direction: TypeAlias = Literal["up", "down", "left", "right"]
CardMark: TypeAlias = Literal["cooperate", "link"]

ELEMENTS: tuple[Element, ...] = ("holy", "demon", "human", "beast")
BEATS: dict[Element, Element] = {"holy": "demon", "demon": "beast", "beast": "human", "human": "holy"}
"""Element -> the one that it beats (XC-05)."""

DIRECTIONS: tuple[Direction, ...] = ("up", "down", "left", "right")
FISTS = tuple(f"fist_{way}" for way in DIRECTIONS)
SHIELDS = tuple(f"shield_{way}" for way in DIRECTIONS)


class XCardCard(Printed, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A character, skill or item; an item has nothing but its effect."""

    kind: Literal["character", "skill", "item"]
    element: Element | None = None
    atk: int = 0
    def_: int = field(default=0, name="def")
    """of characters: counts while the card is the leader"""
    hp: int = 0
    """of characters: counts while the card is the leader"""
    fists: tuple[Direction, ...] = ()
    shields: tuple[Direction, ...] = ()
    mark: CardMark | None = None
    own: str | None = None
    """of skills: English name of the character whose own skill it is (XC-22)"""


class XCardDefinition(Definition):
    """An X-Card card with its element, fists and shields as numbers."""

    __slots__ = ("defence", "element", "fists", "hp", "mark", "own", "shields", "warrior")

    def __init__(self, card: XCardCard) -> None:
        self.warrior = card.kind != "item"
        self.element = ELEMENTS.index(card.element) if card.element is not None else -1
        stats: dict[str, int] = {}
        if self.warrior:
            stats = {"atk": card.atk, "element": self.element}
            stats |= {f"fist_{way}": int(way in card.fists) for way in DIRECTIONS}
            stats |= {f"shield_{way}": int(way in card.shields) for way in DIRECTIONS}
        super().__init__(card, stats, {"element": card.element or "", "mark": card.mark or ""})
        self.fists = tuple(way in card.fists for way in DIRECTIONS)
        self.shields = tuple(way in card.shields for way in DIRECTIONS)
        self.defence = card.def_
        self.hp = card.hp
        self.mark = card.mark
        self.own = card.own
