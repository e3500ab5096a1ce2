"""Live On: what a deck may hold (LO-13, LO-14). Reading deck files is `engine.decks`."""

from __future__ import annotations

from collections.abc import Mapping

from engine.checks import Problem
from engine.decks import DeckFile, closest
from engine.liveon.card import LiveOnDefinition

FORMATS = {"standard": 41, "short": 21, "starter": 19}
"""Format -> the number of cards that a deck has in it, exactly."""

MOST_COPIES = 4


def problems(deck: DeckFile, cards: Mapping[str, LiveOnDefinition], format: str) -> list[Problem]:
    """What is wrong with the deck in this format, each with its rule id; empty if it may be played."""
    found = [p for code, n in deck.cards.items() for p in _entry(code, n, cards)]
    wanted, count = FORMATS.get(format), sum(deck.cards.values())
    if wanted is None:
        found.append(Problem("LO-13", None, f"there is no format {format!r}; known are {', '.join(FORMATS)}"))
    elif count != wanted:
        found.append(Problem("LO-13", None, f"the deck has {count} cards; {format} asks for exactly {wanted}"))
    if deck.leader is not None:
        found.append(Problem("LO-13", deck.leader, "a Live On deck has no leader"))
    copies: dict[str, dict[str, int]] = {}
    for code, n in deck.cards.items():
        if code in cards:
            copies.setdefault(cards[code].name, {})[code] = n
    for name, by_code in copies.items():
        total = sum(by_code.values())
        if total > MOST_COPIES:
            codes = ", ".join(by_code)
            text = f"{total} copies of {name} ({codes}); at most {MOST_COPIES} of one name are allowed"
            found.append(Problem("LO-14", next(iter(by_code)), text))
    if not any(n > 0 and code in cards and cards[code].kind == "fighter" for code, n in deck.cards.items()):
        found.append(Problem("LO-14", None, "the deck has no fighter; it needs at least one to start with"))
    return found


def _entry(code: str, n: int, cards: Mapping[str, LiveOnDefinition]) -> list[Problem]:
    found = []
    if code not in cards:
        near = closest(code, cards)
        hint = f"; the closest is {near}" if near else ""
        found.append(Problem("LO-14", code, f"there is no card {code!r}{hint}"))
    if n < 1:
        found.append(Problem("LO-14", code, f"{n} copies of {code}; leave it out, or give 1 to {MOST_COPIES}"))
    return found
