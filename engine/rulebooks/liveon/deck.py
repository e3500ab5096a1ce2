"""Live On: what a deck may hold (LO-13, LO-14). Reading deck files is `engine.cards.decks`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.cards.decks import DeckFile
from engine.problems import Problem, closest
from engine.rulebooks.liveon.card import LiveOnDefinition
from events.kinds import DeckList

FORMATS = {"standard": 41, "short": 21, "starter": 19}
"""Format -> the exact number of cards in a deck."""

MAX_COPIES = 4


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
        if total > MAX_COPIES:
            codes = ", ".join(by_code)
            text = f"{total} copies of {name} ({codes}); at most {MAX_COPIES} of one name are allowed"
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
        found.append(Problem("LO-14", code, f"{n} copies of {code}; leave it out, or give 1 to {MAX_COPIES}"))
    return found


def trial(codes: Sequence[str], cards: Mapping[str, LiveOnDefinition], below: Callable[[int], int]) -> DeckList:
    """A standard deck: four copies of each of these cards (as many as fit), what they need, and cheap cards."""
    fighters = {d.name: code for code, d in reversed(list(cards.items())) if d.kind == "fighter" and not d.live_change}
    wanted = list(codes)
    wanted += [fighters[d.live_change] for code in codes if (d := cards[code]).live_change in fighters]
    if not any(cards[code].kind == "fighter" for code in wanted):
        wanted.insert(0, list(fighters.values())[below(len(fighters))])
    colours = {cards[code].words["colour"] for code in codes}
    cheap = [c for c, d in cards.items() if d.needs == 1 and d.words["colour"] in colours] or list(cards)
    deck: dict[str, int] = {}
    named: dict[str, int] = {}
    size = FORMATS["standard"]
    for code in wanted:
        _add(deck, named, cards, code, min(MAX_COPIES, size - sum(deck.values())))
    while sum(deck.values()) < size:
        pool = cheap if any(named.get(cards[c].name, 0) < MAX_COPIES for c in cheap) else list(cards)
        _add(deck, named, cards, pool[below(len(pool))], 1)
    return DeckList("trial", deck)


def _add(
    deck: dict[str, int], named: dict[str, int], cards: Mapping[str, LiveOnDefinition], code: str, n: int
) -> None:
    name = cards[code].name
    n = min(n, MAX_COPIES - named.get(name, 0))
    if n > 0:
        deck[code] = deck.get(code, 0) + n
        named[name] = named.get(name, 0) + n
