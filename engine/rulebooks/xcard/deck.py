"""X-Card: what a deck may hold (XC-08 … XC-12), ban lists included. Reading deck files is `engine.cards.decks`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from engine.cards.decks import DeckFile
from engine.cards.files import tables_of
from engine.problems import Problem, closest
from engine.rulebooks.xcard.card import XCardDefinition
from events.kinds import CardSet, DeckList

LEAST_WARRIORS = 25
LEAST_ITEMS, MAX_ITEMS = 5, 15
MAX_COPIES = 3
MAX_MARKED = {"cooperate": 7, "link": 5}
BANNED = {"banned": 0, "limited": 1, "semi_limited": 2, "leader_only": 1}
"""Restriction -> most copies in a deck (XC-11)."""


class BanFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`ban.toml`: names (in any language) or codes of cards by how their use in decks is restricted.

    A list may name cards that the set does not have.
    """

    banned: tuple[str, ...] = ()
    limited: tuple[str, ...] = ()
    semi_limited: tuple[str, ...] = ()
    leader_only: tuple[str, ...] = ()


class BanList:
    """The ban lists of some card sets, applied to the cards: a name stands for every card that bears it."""

    def __init__(self, cards: Mapping[str, XCardDefinition], card_sets: Iterable[CardSet]) -> None:
        by_name: dict[str, list[str]] = {}
        for code, definition in cards.items():
            for name in {code, *definition.printed.name.values()}:
                by_name.setdefault(name, []).append(code)
        self.most: dict[str, tuple[str, int]] = {}
        """code -> the strictest restriction and how many copies it leaves"""
        self.leader_only: set[str] = set()
        for ban in tables_of(card_sets, "ban", BanFile):
            for word in BanFile.__struct_fields__:
                for code in (code for name in getattr(ban, word) for code in by_name.get(name, ())):
                    if word == "leader_only":
                        self.leader_only.add(code)
                    if BANNED[word] < self.copies(code):
                        self.most[code] = word, BANNED[word]

    def copies(self, code: str) -> int:
        """How many copies of a card a deck may hold."""
        return self.most[code][1] if code in self.most else MAX_COPIES


def problems(deck: DeckFile, cards: Mapping[str, XCardDefinition], bans: BanList) -> list[Problem]:
    """What is wrong with the deck, each with its rule id; empty if it may be played. The leader is one of its cards."""
    found = [p for code, n in deck.cards.items() for p in _entry(code, n, cards)]
    known = {code: n for code, n in deck.cards.items() if code in cards and n > 0}
    return [
        *found, *_counts(known, cards), *_copies(known, cards, bans), *_marks(known, cards),
        *_leader(deck.leader, known, cards), *_leader_only(deck.leader, known, cards, bans),
    ]


def _entry(code: str, n: int, cards: Mapping[str, XCardDefinition]) -> Iterable[Problem]:
    if code not in cards:
        near = closest(code, cards)
        hint = f"; the closest is {near}" if near else ""
        yield Problem("XC-09", code, f"there is no card {code!r}{hint}")
    if n < 1:
        yield Problem("XC-09", code, f"{n} copies of {code}; leave it out, or give 1 to {MAX_COPIES}")


def _counts(deck: Mapping[str, int], cards: Mapping[str, XCardDefinition]) -> Iterable[Problem]:
    warriors = sum(n for code, n in deck.items() if cards[code].warrior)
    items = sum(deck.values()) - warriors
    if warriors < LEAST_WARRIORS:
        text = f"{warriors} characters and skills (leader included); a deck has at least {LEAST_WARRIORS}"
        yield Problem("XC-08", None, text)
    if not LEAST_ITEMS <= items <= MAX_ITEMS:
        yield Problem("XC-08", None, f"{items} items; a deck has {LEAST_ITEMS} to {MAX_ITEMS}")


def _copies(deck: Mapping[str, int], cards: Mapping[str, XCardDefinition], bans: BanList) -> Iterable[Problem]:
    named: dict[str, dict[str, int]] = {}
    for code, n in deck.items():
        named.setdefault(cards[code].name, {})[code] = n
    for name, copies in named.items():
        total, code = sum(copies.values()), next(iter(copies))
        restricted = min(copies, key=bans.copies)
        if restricted in bans.most:
            word, most = bans.most[restricted]
            if total > most:
                text = f"{total} copies of {name}, which is {word.replace('_', '-')}: at most {most}"
                yield Problem("XC-11", restricted, text)
        elif total > MAX_COPIES:
            codes = ", ".join(copies)
            text = f"{total} copies of {name} ({codes}); at most {MAX_COPIES} of one name are allowed"
            yield Problem("XC-09", code, text)


def _marks(deck: Mapping[str, int], cards: Mapping[str, XCardDefinition]) -> Iterable[Problem]:
    for mark, most in MAX_MARKED.items():
        marked = [code for code in deck if cards[code].mark == mark]
        total = sum(deck[code] for code in marked)
        if total > most:
            text = f"{total} cards with the mark {mark} (the leader's counts too); at most {most} are allowed"
            yield Problem("XC-10", marked[-1], text)


def _leader(leader: str | None, deck: Mapping[str, int], cards: Mapping[str, XCardDefinition]) -> Iterable[Problem]:
    if leader is None:
        if not any(cards[code].kind == "character" for code in deck):
            yield Problem("XC-12", None, "the deck has no character that could be its leader")
    elif leader not in cards:
        near = closest(leader, cards)
        yield Problem("XC-12", leader, f"there is no card {leader!r}" + (f"; the closest is {near}" if near else ""))
    elif cards[leader].kind != "character":
        text = f"{cards[leader].name} is {_article(cards[leader].kind)}; a leader is a character"
        yield Problem("XC-12", leader, text)
    elif leader not in deck:
        text = f"{cards[leader].name} is not among the cards of the deck; its leader is one of them"
        yield Problem("XC-12", leader, text)


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _leader_only(
    leader: str | None, deck: Mapping[str, int], cards: Mapping[str, XCardDefinition], bans: BanList
) -> Iterable[Problem]:
    """A leader-only card must be the leader: the one named, or the one chosen where none is (XC-11)."""
    only = [code for code in deck if code in bans.leader_only]
    fits = leader or next((code for code in only if cards[code].kind == "character"), None)
    for code in only:
        if code != fits:
            text = f"{cards[code].name} can only be a leader; a deck has one leader, who is a character"
            yield Problem("XC-11", code, text)


def trial(
    codes: Sequence[str], cards: Mapping[str, XCardDefinition], bans: BanList, below: Callable[[int], int]
) -> DeckList:
    """A legal deck with as many copies as may be of these cards, whose skills are, and others at random."""
    playable = [code for code in cards if code not in bans.leader_only and bans.copies(code)]
    by_name = {cards[code].name: code for code in playable if cards[code].kind == "character"}
    owners = [by_name[own] for code in codes if (own := cards[code].own) in by_name]
    deck = _Trial(cards, bans)
    for n in range(1, MAX_COPIES + 1):
        for code in (*codes, *owners):
            deck.add(code, n - deck.count([code]))
    warriors = [code for code in playable if cards[code].warrior]
    items = [code for code in playable if not cards[code].warrior]
    while not deck.characters():
        deck.add(list(by_name.values())[below(len(by_name))], 1)
    for pool, least in ((warriors, LEAST_WARRIORS + 3), (items, LEAST_ITEMS + 2)):
        while deck.count(pool) < least:
            deck.add(pool[below(len(pool))], 1)
    leaders = sorted(bans.leader_only & deck.copies.keys()) or deck.characters()
    return DeckList("trial", deck.copies, leaders[below(len(leaders))] if below(4) else None)


class _Trial:
    """A deck being put together; `add` takes no more than the rules allow."""

    def __init__(self, cards: Mapping[str, XCardDefinition], bans: BanList) -> None:
        self.cards, self.bans = cards, bans
        self.copies: dict[str, int] = {}

    def add(self, code: str, n: int) -> None:
        card = self.cards[code]
        same = sum(k for c, k in self.copies.items() if self.cards[c].name == card.name)
        n = min(n, self.bans.copies(code) - same)
        if card.mark:
            n = min(n, MAX_MARKED[card.mark] - self.count([c for c in self.copies if self.cards[c].mark == card.mark]))
        if not card.warrior:
            n = min(n, MAX_ITEMS - self.count([c for c in self.copies if not self.cards[c].warrior]))
        if code in self.bans.leader_only:
            n = min(n, int(card.kind == "character" and not self.bans.leader_only & self.copies.keys()))
        if n > 0:
            self.copies[code] = self.copies.get(code, 0) + n

    def count(self, codes: Iterable[str]) -> int:
        return sum(self.copies.get(code, 0) for code in codes)

    def characters(self) -> list[str]:
        return [c for c in self.copies if self.cards[c].kind == "character"]
