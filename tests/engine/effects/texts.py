"""Rules texts of Live On monsters with given abilities. For tests."""

from __future__ import annotations

import re

import msgspec

from engine.cards.rules_text import rules_text
from engine.rulebooks.liveon.card import LiveOnCard

LEFT_OVER = re.compile(r"[{}]|a\(n\)|  |\btext\.|, ,|，，|、、|\(\)|（）")


def card(*abilities: dict, **fields: object) -> LiveOnCard:
    """A Live On monster with these abilities, as a card file would give them."""
    raw = {
        "code": "TST-001", "name": {"en": "Test Golem", "ja": "試しのゴーレム"}, "kind": "monster", "colour": "red",
        "power": {"red": 1}, "pow": 1000, "rarity": "C", "ability": list(abilities), **fields,
    }
    return msgspec.convert(raw, LiveOnCard)


def line(ability: dict, language: str = "en") -> str:
    return rules_text(card(ability), language)[0]


def effect(*then: dict, **fields: object) -> dict:
    return {"ability": "effect", "then": list(then), **fields}
