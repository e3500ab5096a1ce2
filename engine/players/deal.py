"""What a seat does not see, and dealing it anew: the match as it could be for all that the seat knows.

Nothing in a deal depends on where unseen cards really lie, nor on a deck list that the seat does not know. Cards off
the table get their numbers anew, too, in the order of their places. One that lies face down on the table keeps its
number, since what is still to be done may mean it.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from random import Random
from struct import unpack
from typing import Any, TypeAlias

from msgspec import structs

from engine.core.match import Match
from engine.core.rules import Rules
from engine.state import Card, copy_card
from events.kinds import NOTHING

_Place: TypeAlias = tuple[int, str]
"""Side and name of a zone."""
_Deck: TypeAlias = dict[str, list[str]]
"""Codes by back, one for each card."""


_Piles: TypeAlias = tuple[list[int], dict[tuple[int, str], tuple[list[int], "_Copies"]]]
"""The unseen cards that lie somewhere, all of them and by owner and back, with what those are like."""


@dataclass(slots=True)
class Unseen:
    """Cards of one owner with the same back that a seat does not see: they could lie in each other's places."""

    owner: int
    back: str
    on_table: list[int] = field(default_factory=list)
    off_table: dict[_Place, list[int]] = field(default_factory=dict)
    codes: list[str] | None = None
    """what they are, in no place's order, where the seat knows the owner's deck list"""

    def __len__(self) -> int:
        return len(self.on_table) + sum(map(len, self.off_table.values()))

    def numbers(self) -> list[int]:
        """All of them."""
        return list(chain(self.on_table, *self.off_table.values()))


def unseen(match: Match, seat: int) -> list[Unseen]:
    """The cards that `seat` does not see, in groups of those that could lie in each other's places."""
    return _layout(match, seat).groups


def _layout(match: Match, seat: int) -> _Layout:
    """What the seat does not see, and what that could be: made anew where it is not as at the seat's last question."""
    kept = match.shown_to(seat)
    known = _known(match, kept.cards)
    strangers = not match.state.options.get("open_lists")
    layout: _Layout | None = kept.layout
    if layout is None or kept.moved or layout.strangers != strangers or not layout.holds(match, known):
        kept.layout = layout = _Layout(match, seat, known, strangers, layout, kept.moved)
        kept.moved = set()
    return layout


def _known(match: Match, known: set[int]) -> Set[int]:
    """The cards that the seat knows wherever they lie: what it was shown, and what it may choose among."""
    asked = match.state.asked
    return known.union(asked.options) if asked is not None and asked.option_type == "card" else known


class _Layout:
    """The cards that a seat does not see, in groups, and what they could be. All of it is true as long as it `holds`.

    Cards off the table get new numbers, in the order of their places.
    """

    def __init__(
        self, match: Match, seat: int, known: Set[int], strangers: bool, before: _Layout | None, moved: set[int]
    ) -> None:
        self.strangers = strangers
        self._covered = [
            (side, name) for side in (0, 1) for name, visible_to in match.declared.covered
            if side != seat or visible_to == "none"
        ]
        """zones of which the seat does not see all"""
        self._held = self._lists(match)
        """what lies there; whoever writes to these zones makes other lists"""
        match.state.share()
        lying = self._lying(match, known)
        self.hidden = frozenset().union(*lying.values())
        """the cards that the seat does not see"""
        self._piles: dict[_Place, _Piles] = _piles(match, lying, {} if before is None else before._piles, moved)
        self.groups = self._groups(match.declared.table)
        if before is not None and (before.strangers != strangers or before.all_printed is not match.printed):
            before = None
        self.all_printed: dict[int, Any] = match.printed
        """definitions of all cards; another one where cards have been made"""
        self.printed = self._definitions(before)
        """definitions of the cards that the seat sees"""
        cards = match.state.cards
        owners = {0, 1} if before is None else {cards[number].owner for number in self.hidden ^ before.hidden}
        self._name_codes(match, seat, before, owners)
        self.decks: Sequence[_Deck] = ()
        """what may be left of the deck of the player whose list the seat does not know"""
        if strangers and before is not None and 1 - seat not in owners:
            self.decks = before.decks
        elif strangers:
            seen = [definition.code for n, definition in self.printed.items() if cards[n].owner != seat]
            size = len(seen) + sum([len(group) for group in self.groups if group.owner != seat])
            self.decks = likely_decks(match.game, tuple(sorted(seen)), size)
        self.zones: dict[_Place, list[int]] = {}
        """what lies there, with the new numbers"""
        self._given: list[tuple[int, int, list[int], _Copies]] = []
        held = dict(zip(self._covered, self._held, strict=True))
        for number, group in enumerate(self.groups):
            self._renumber(number, group, held)

    def holds(self, match: Match, known: Set[int]) -> bool:
        """Whether the same cards lie where they lay, and none of them is known by now."""
        return self.hidden.isdisjoint(known) and self._lists(match) == self._held

    def _lists(self, match: Match) -> list[list[int]]:
        zones = match.state.zones
        return [zones[side][name] for side, name in self._covered]

    def place(self, number: int) -> tuple[int, int, _Copies]:
        """Of a new number: number of its group, its place in the order of that group, and what it is like. Raises
        KeyError for one that is not off the table and unseen.
        """
        for group, at, given, copies in self._given:
            if given[0] <= number <= given[-1]:
                n = bisect_left(given, number)
                if given[n] == number:
                    return group, at + n, copies
        raise KeyError(number)

    def _lying(self, match: Match, known: Set[int]) -> dict[_Place, list[int]]:
        """Places, and the cards there that the seat does not see."""
        cards, zones = match.state.cards, match.declared.zones
        found = {}
        for place, held in zip(self._covered, self._held, strict=True):
            lying = held
            if zones[place[1]].visible_to == "up":
                lying = [number for number in held if not cards[number].face_up]
            if known and not known.isdisjoint(lying):
                lying = [number for number in lying if number not in known]
            if lying:
                found[place] = lying
        return found

    def _definitions(self, before: _Layout | None) -> dict[int, Any]:
        """The definitions of the cards that are not hidden."""
        hidden = self.hidden
        if before is None:
            return {n: definition for n, definition in self.all_printed.items() if n not in hidden}
        printed = before.printed.copy()
        for number in before.hidden - hidden:
            printed[number] = self.all_printed[number]
        for number in hidden - before.hidden:
            del printed[number]
        return printed

    def _name_codes(self, match: Match, seat: int, before: _Layout | None, owners: Set[int]) -> None:
        """Says of each group what its cards are where the seat knows that; `owners`: of whose cards others are hidden
        than before.
        """
        cards = match.state.cards
        kept = {} if before is None else {(group.owner, group.back): group.codes for group in before.groups}
        for group in self.groups:
            if not self.strangers or group.owner == seat:
                codes = None if group.owner in owners else kept[group.owner, group.back]
                group.codes = codes or sorted([cards[number].code or "" for number in group.numbers()])

    def _groups(self, table: frozenset[str]) -> list[Unseen]:
        found: dict[tuple[int, str], Unseen] = {}
        for place, (_, piles) in self._piles.items():
            for key, (there, _) in piles.items():
                group = found.setdefault(key, Unseen(*key))
                if place[1] in table:
                    group.on_table += there
                else:
                    group.off_table[place] = there
        return [found[key] for key in sorted(found)]

    def _renumber(self, number: int, group: Unseen, held: Mapping[_Place, list[int]]) -> None:
        numbers = sorted(chain.from_iterable(group.off_table.values()))
        at = 0
        for place, lying in group.off_table.items():
            given = numbers[at : at + len(lying)]
            there = self.zones.get(place) or held[place]
            if len(there) == len(lying):
                self.zones[place] = given
            else:
                new = dict(zip(lying, given, strict=True))
                self.zones[place] = [new.get(one, one) for one in there]
            self._given.append((number, at, given, self._piles[place][1][group.owner, group.back][1]))
            at += len(lying)


def _piles(
    match: Match, lying: Mapping[_Place, list[int]], before: Mapping[_Place, _Piles], moved: set[int]
) -> dict[_Place, _Piles]:
    """The unseen cards of each place; those of a place where still the same ones lie are taken over, but where one of
    them has moved.
    """
    found: dict[_Place, _Piles] = {}
    for place, numbers in lying.items():
        kept = before.get(place)
        if kept is None or not moved.isdisjoint(numbers):
            found[place] = numbers, _by_kind(match, numbers)
        elif kept[0] == numbers:
            found[place] = kept
        else:
            found[place] = numbers, _fewer(numbers, kept) or _by_kind(match, numbers)
    return found


def _fewer(numbers: list[int], kept: _Piles) -> dict[tuple[int, str], tuple[list[int], _Copies]] | None:
    """The piles of a place from which cards have been taken, such as a deck; None where that is not all."""
    before, piles = kept
    if len(piles) > 1 or numbers[0] != before[0] or not set(before).issuperset(numbers):
        return None
    (key, (_, copies)), = piles.items()
    return None if copies.card.since else {key: (numbers, copies)}  # the last to come may have been taken


def _by_kind(match: Match, numbers: list[int]) -> dict[tuple[int, str], tuple[list[int], _Copies]]:
    """These cards by owner and back, with what they are like."""
    cards, backs = match.state.cards, match.game.backs
    alike: dict[tuple[int, str], list[int]] = {}
    kinds = {(card.owner, backs[card.code]) for card in map(cards.__getitem__, numbers)}  # type: ignore[index]
    if len(kinds) == 1:
        alike[kinds.pop()] = numbers
    else:
        for number in numbers:
            card = cards[number]
            alike.setdefault((card.owner, backs[card.code]), []).append(number)  # type: ignore[index]
    found = {}
    for key, ones in alike.items():
        first = copy_card(cards[ones[0]])
        first.since = max([cards[number].since for number in ones])  # nobody knows which of them came last
        found[key] = ones, _Copies(first)
    return found


class Dealer:
    """Deals what `seat` does not see of a match anew, as often as one likes, as long as the match does not go on."""

    def __init__(self, match: Match, seat: int) -> None:
        self._match = match
        if isinstance(match.state.cards, _Cards):  # an imagined match: what was dealt there is to be there
            for number in chain.from_iterable(held for zones in match.state.zones for held in zones.values()):
                _ = match.state.cards[number], match.printed[number]
        self._layout = _layout(match, seat)
        asked = match.state.asked
        if asked is not None and asked.continuation is not NOTHING:
            asked = structs.replace(asked, continuation=NOTHING)
        self._question = asked

    @property
    def hidden(self) -> frozenset[int]:
        """The cards that the seat does not see."""
        return self._layout.hidden

    def deal(self, random: Random) -> Match:
        """The match with other cards where the seat sees none, with other random outcomes to come and an empty log.

        Which cards those are is worked out when one is first looked at: most never are. Those with the same code in
        the same zone are one object until one of them is changed.
        """
        match, layout = self._match, self._layout
        deck = random.choice(layout.decks) if layout.decks else None
        dealt = _Dealt(layout, [self._drawn(group, deck, random) for group in layout.groups])
        there = match.state.cards
        cards, printed = _Cards({number: there[number] for number in layout.printed}), _Definitions(layout.printed)
        cards.dealt, printed.dealt, printed.known = dealt, dealt, match.game.cards
        turned = []
        for number, group in enumerate(layout.groups):
            for card in group.on_table:
                code = self._of_its_kind(card, dealt.codes(number), group.back)
                cards[card] = replace(match.state.cards[card], code=code)
                printed[card] = match.game.cards[code]
                turned.append(card)
        seed = None if match.state.seed is None else random.getrandbits(63)
        return match.imagined(cards, printed, layout.zones, self._question, seed, turned)

    def _drawn(self, group: Unseen, deck: _Deck | None, random: Random) -> tuple[list[str], int]:
        """As many codes as there are cards in the group, or more, and random bits that put them in order."""
        codes = group.codes
        if codes is None:
            codes = [] if deck is None else deck.get(group.back, [])
            missing = len(group) - len(codes)
            if missing > 0:
                backs = self._match.game.backs
                codes = codes + random.choices([code for code, back in backs.items() if back == group.back], k=missing)
        return codes, random.getrandbits(32 * len(codes)) if codes else 0

    def _of_its_kind(self, number: int, codes: list[str], back: str) -> str:
        """Takes one of the codes for a card that lies face down on the table: such as may lie there, of its kind."""
        game = self._match.game
        kind = self._match.definition(number).kind
        for at, code in enumerate(codes):
            if game.cards[code].kind == kind:
                return codes.pop(at)
        codes.pop()
        return next(code for code, found in game.backs.items() if found == back and game.cards[code].kind == kind)


class _Dealt:
    """One way in which the unseen cards of a layout may lie."""

    __slots__ = ("_codes", "_drawn", "_layout")

    def __init__(self, layout: _Layout, drawn: list[tuple[list[str], int]]) -> None:
        self._layout, self._drawn = layout, drawn
        self._codes: list[list[str] | None] = [None] * len(drawn)

    def codes(self, group: int) -> list[str]:
        """The codes of a group in the order of its places."""
        found = self._codes[group]
        if found is None:
            codes, bits = self._drawn[group]
            order = unpack(f"<{len(codes)}I", bits.to_bytes(4 * len(codes), "little"))
            found = self._codes[group] = [codes[n] for n in sorted(range(len(codes)), key=order.__getitem__)]
        return found

    def code(self, number: int) -> str:
        """The code of a card off the table. Raises KeyError for one that is not unseen."""
        group, n, _ = self._layout.place(number)
        return self.codes(group)[n]

    def card(self, number: int) -> Card:
        """A card off the table. Raises KeyError for one that is not unseen."""
        group, n, copies = self._layout.place(number)
        return copies[self.codes(group)[n]]


class _Cards(dict[int, Card]):
    """The cards of an imagined match: those dealt are there once they have been looked at."""

    __slots__ = ("dealt",)
    dealt: _Dealt

    def __missing__(self, number: int) -> Card:
        card = self[number] = self.dealt.card(number)
        return card

    def copy(self) -> _Cards:
        other = _Cards(self)
        other.dealt = self.dealt
        return other


class _Definitions(dict[int, Any]):
    """The definitions of these cards."""

    __slots__ = ("dealt", "known")
    dealt: _Dealt
    known: Mapping[str, Any]

    def __missing__(self, number: int) -> Any:
        definition = self[number] = self.known[self.dealt.code(number)]
        return definition


class _Copies(dict[str, Card]):
    """Copies of a card with other codes, made when they are asked for."""

    def __init__(self, card: Card) -> None:
        super().__init__()
        self.card = card

    def __missing__(self, code: str) -> Card:
        card = self[code] = copy_card(self.card)
        card.code = code
        return card


@lru_cache(maxsize=256)
def likely_decks(game: Rules, seen: tuple[str, ...], size: int) -> tuple[_Deck, ...]:
    """The decks known to the game that best explain these cards of a deck of that size: for each what is left of it."""
    copies = Counter(seen)
    least: float = math.inf
    best: list[Mapping[str, int]] = []
    for deck, known in game.known_decks:
        misfit = float(abs(known - size))
        for code, n in copies.items():
            there = deck.get(code, 0)
            if n > there:
                misfit += n - there
                if misfit > least:
                    break
        if misfit < least:
            least, best = misfit, []
        if misfit == least:
            best.append(deck)
    return tuple(_by_back(game, {code: n - copies.get(code, 0) for code, n in deck.items()}) for deck in best)


def _by_back(game: Rules, deck: Mapping[str, int]) -> _Deck:
    found: _Deck = {}
    for code, n in deck.items():
        found.setdefault(game.backs[code], []).extend([code] * n)
    return found
