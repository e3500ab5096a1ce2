"""Monster Battle: what a deck may hold (MB-02, MB-06). Reading deck files is `engine.cards.decks`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from engine.cards.decks import DeckFile
from engine.problems import Problem, closest
from engine.rulebooks.monbattle.card import MonBattleDefinition, SetRules
from events.kinds import DeckList

DECK_SIZE, COPIES = 40, 3
FEW_STARTERS = 6
"""With fewer COST 1 monsters than this, hands often have to be redrawn (MB-09)."""


class Limits(Struct, frozen=True):
    """How many cards a deck has, and how many copies of one name (MB-06)."""

    deck_size: int = DECK_SIZE
    copies: int = COPIES

    @classmethod
    def of(cls, rules: Iterable[SetRules]) -> Limits:
        """The limits that the sets give; where several do, the last one counts."""
        limits = cls()
        for said in rules:
            limits = cls(said.deck_size or limits.deck_size, said.copies or limits.copies)
        return limits


def problems(deck: DeckFile, cards: Mapping[str, MonBattleDefinition], limits: Limits) -> list[Problem]:
    """What is wrong with the deck, each with its rule id; empty if it may be played."""
    found = [p for code, n in deck.cards.items() for p in _entry(code, n, cards, limits)]
    count = sum(deck.cards.values())
    if count != limits.deck_size:
        text = f"the deck has {count} cards besides the player card; it has exactly {limits.deck_size}"
        found.append(Problem("MB-06", None, text))
    copies: dict[str, dict[str, int]] = {}
    for code, n in deck.cards.items():
        if code in cards:
            copies.setdefault(cards[code].name, {})[code] = n
    for name, by_code in copies.items():
        total = sum(by_code.values())
        if total > limits.copies:
            text = f"{total} copies of {name} ({', '.join(by_code)}); at most {limits.copies} of one name are allowed"
            found.append(Problem("MB-06", next(iter(by_code)), text))
    if not any(n > 0 and code in cards and cards[code].starter for code, n in deck.cards.items()):
        found.append(Problem("MB-06", None, "the deck has no COST 1 monster; it needs at least one to start with"))
    return found + list(_player(deck.leader, cards))


def _entry(code: str, n: int, cards: Mapping[str, MonBattleDefinition], limits: Limits) -> Iterable[Problem]:
    if code not in cards:
        yield _unknown(code, cards, "MB-06")
    elif cards[code].kind == "player":
        yield Problem("MB-06", code, f"{cards[code].name} is a player card; a deck names it as `leader`")
    if n < 1:
        yield Problem("MB-06", code, f"{n} copies of {code}; leave it out, or give 1 to {limits.copies}")


def _player(leader: str | None, cards: Mapping[str, MonBattleDefinition]) -> Iterable[Problem]:
    if leader is None:
        yield Problem("MB-02", None, "the deck names no player card, e.g. leader = \"…\"")
    elif leader not in cards:
        yield _unknown(leader, cards, "MB-02")
    elif cards[leader].kind != "player":
        yield Problem("MB-02", leader, f"{cards[leader].name} is no player card but a {cards[leader].kind}")


def _unknown(code: str, cards: Mapping[str, MonBattleDefinition], rule: str) -> Problem:
    near = closest(code, cards)
    return Problem(rule, code, f"there is no card {code!r}" + (f"; the closest is {near}" if near else ""))


def trial(
    codes: Sequence[str], cards: Mapping[str, MonBattleDefinition], limits: Limits, below: Callable[[int], int]
) -> DeckList:
    """A legal deck with as many copies as may be of these cards and of what they need, and others at random."""
    leaders = [c for c in codes if cards[c].kind == "player"] or [c for c, d in cards.items() if d.kind == "player"]
    wanted = _with_needs([c for c in codes if cards[c].kind != "player"], cards, below)
    starters = [code for code, d in cards.items() if d.starter]
    others = [code for code, d in cards.items() if d.kind == "monster"]
    deck: dict[str, int] = {}
    named: dict[str, int] = {}

    def add(code: str, n: int) -> None:
        name = cards[code].name
        n = min(n, limits.copies - named.get(name, 0), limits.deck_size - sum(deck.values()))
        if n > 0:
            deck[code] = deck.get(code, 0) + n
            named[name] = named.get(name, 0) + n

    add(starters[below(len(starters))], limits.copies)
    for code in wanted:
        add(code, limits.copies)
    for pool, least in ((starters, FEW_STARTERS), (others, limits.deck_size), (list(cards), limits.deck_size)):
        pool = [code for code in pool if cards[code].kind != "player"]
        while sum(n for c, n in deck.items() if c in pool) < least and sum(deck.values()) < limits.deck_size:
            open_ = [code for code in pool if named.get(cards[code].name, 0) < limits.copies]
            if not open_:
                break
            add(open_[below(len(open_))], 1)
    return DeckList("trial", deck, leaders[below(len(leaders))])


def _with_needs(
    codes: Sequence[str], cards: Mapping[str, MonBattleDefinition], below: Callable[[int], int]
) -> list[str]:
    """The cards, those that they evolve from, and for each weapon a monster of its attribute."""
    by_name = {d.name: code for code, d in reversed(list(cards.items())) if d.kind == "monster"}
    wanted = list(codes)
    for code in wanted:
        card = cards[code]
        base = by_name.get(card.evolves or "")
        if base is not None and base not in wanted:
            wanted.append(base)
        if card.kind == "weapon":
            bearers = [c for c, d in cards.items() if d.kind == "monster" and d.attribute == card.attribute]
            if bearers and not set(bearers) & set(wanted):
                wanted.append(bearers[below(len(bearers))])
    return wanted
