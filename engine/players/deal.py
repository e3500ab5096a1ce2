"""What a seat does not see, and dealing it anew: the match as it could be for all that the seat knows.

Nothing in a deal depends on where unseen cards really lie, nor on a deck list that the seat does not know. Cards off
the table get their numbers anew, too, in the order of their places. One that lies face down on the table keeps its
number, since what is still to be done may mean it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from typing import TypeAlias

from msgspec import Struct, structs

from engine.core.match import Match
from engine.core.rules import Rules
from engine.state import Card, copy_card
from events.kinds import NOTHING

_Place: TypeAlias = tuple[int, str]
"""Side and name of a zone."""


class Unseen(Struct):
    """Cards of one owner with the same back that a seat does not see: they could lie in each other's places."""

    owner: int
    back: str
    on_table: list[int] = []
    off_table: dict[_Place, list[int]] = {}
    codes: list[str] | None = None
    """what they are, in no place's order, where the seat knows the owner's deck list"""

    def __len__(self) -> int:
        return len(self.on_table) + sum(map(len, self.off_table.values()))

    def numbers(self) -> list[int]:
        """All of them."""
        return list(chain(self.on_table, *self.off_table.values()))


def unseen(match: Match, seat: int) -> list[Unseen]:
    """The cards that `seat` does not see, in groups of those that could lie in each other's places."""
    state, backs, declared = match.state, match.game.backs, match.declared
    cards, asked, known = state.cards, state.asked, match.shown_to(seat)
    if asked is not None and asked.option_type == "card":
        known = known.union(asked.options)
    found: dict[tuple[int, str], Unseen] = {}
    for side, zones in enumerate(state.zones):
        for name, held in zones.items():
            if not held:
                continue
            visible_to = declared.zones[name].visible_to
            if visible_to == "all" or (side == seat and visible_to != "none"):
                continue
            lying: dict[tuple[int, str], list[int]] = {}
            for number in held if not known else [n for n in held if n not in known]:
                card = cards[number]
                if visible_to != "up" or not card.face_up:
                    key = card.owner, backs[card.code]  # type: ignore[index]
                    if key in lying:
                        lying[key].append(number)
                    else:
                        lying[key] = [number]
            for key, numbers in lying.items():
                group = found.setdefault(key, Unseen(*key))
                if name in declared.table:
                    group.on_table += numbers
                else:
                    group.off_table[side, name] = numbers
    return [found[key] for key in sorted(found)]


class Dealer:
    """Deals what `seat` does not see of a match anew, as often as one likes."""

    def __init__(self, match: Match, seat: int) -> None:
        self._match = match
        self._groups = unseen(match, seat)
        self._question = match.state.asked and structs.replace(match.state.asked, continuation=NOTHING)
        self.hidden = frozenset(chain.from_iterable(group.numbers() for group in self._groups))
        """the cards that the seat does not see"""
        stranger = None if match.state.options.get("open_lists") else 1 - seat
        for group in self._groups:
            if group.owner != stranger:
                group.codes = sorted([match.state.cards[number].code or "" for number in group.numbers()])
        self._decks = () if stranger is None else self._decks_of(stranger)
        self._zones: dict[_Place, list[int]] = {}
        self._places = list(map(self._renumbered, self._groups))

    def deal(self, random: Random) -> Match:
        """The match with other cards where the seat sees none, with other random outcomes to come and an empty log.

        Cards with the same code in the same zone are one object until one of them is changed.
        """
        state = self._match.state
        cards: dict[int, Card] = {}
        deck = random.choice(self._decks) if self._decks else {}
        for group, places in zip(self._groups, self._places, strict=True):
            codes = self._drawn(group, deck, random)
            for number in group.on_table:
                cards[number] = structs.replace(state.cards[number], code=self._of_its_kind(number, codes, group.back))
            left = iter(codes)
            for numbers, copies in places:
                cards.update(zip(numbers, map(copies.__getitem__, left), strict=False))
        seed = None if state.seed is None else random.getrandbits(63)
        return self._match.imagined(cards, self._zones, self._question, seed)

    def _renumbered(self, group: Unseen) -> list[tuple[list[int], _Copies]]:
        """For each zone off the table new numbers for the unseen cards of a group there, and what else they are like.

        Which of them came last, nobody knows: each counts as having come then.
        """
        state = self._match.state
        cards = state.cards
        numbers = sorted(chain.from_iterable(group.off_table.values()))
        places, at = [], 0
        for place, lying in group.off_table.items():
            given = numbers[at : at + len(lying)]
            at += len(lying)
            held = self._zones.get(place) or state.zones[place[0]][place[1]]
            if len(held) == len(lying):
                self._zones[place] = given
            else:
                new = dict(zip(lying, given, strict=True))
                self._zones[place] = [new.get(number, number) for number in held]
            first = copy_card(cards[lying[0]])
            first.since = max([cards[number].since for number in lying])
            places.append((given, _Copies(first)))
        return places

    def _decks_of(self, owner: int) -> Sequence[Mapping[str, int]]:
        """For each deck that this owner is likely to play what is left of it."""
        cards, hidden = self._match.state.cards, self.hidden
        seen = [cards[number].code or "" for number in cards.keys() - hidden if cards[number].owner == owner]
        size = len(seen) + sum(len(group) for group in self._groups if group.owner == owner)
        return likely_decks(self._match.game, tuple(sorted(seen)), size)

    def _drawn(self, group: Unseen, deck: Mapping[str, int], random: Random) -> list[str]:
        """As many codes as there are cards in the group, or more, in random order."""
        if group.codes is not None:
            codes = group.codes
        else:
            backs = self._match.game.backs
            codes = [code for code, n in deck.items() if n and backs[code] == group.back for _ in range(n)]
            missing = len(group) - len(codes)
            if missing > 0:
                codes += random.choices([code for code, back in backs.items() if back == group.back], k=missing)
        draw = random.random
        return sorted(codes, key=lambda code: draw())

    def _of_its_kind(self, number: int, codes: list[str], back: str) -> str:
        """Takes one of the codes for a card that lies face down on the table: such as may lie there, of its kind."""
        game = self._match.game
        kind = self._match.definition(number).kind
        for at, code in enumerate(codes):
            if game.cards[code].kind == kind:
                return codes.pop(at)
        codes.pop()
        return next(code for code, found in game.backs.items() if found == back and game.cards[code].kind == kind)


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
def likely_decks(game: Rules, seen: tuple[str, ...], size: int) -> tuple[dict[str, int], ...]:
    """The decks known to the game that best explain these cards of a deck of that size: for each what is left of it."""
    copies = Counter(seen)
    misfits = [
        abs(known - size) + sum(max(0, n - deck.get(code, 0)) for code, n in copies.items())
        for deck, known in game.known_decks
    ]
    least = min(misfits, default=0)
    return tuple(
        {code: max(0, n - copies[code]) for code, n in deck.items()}
        for (deck, _), misfit in zip(game.known_decks, misfits, strict=True) if misfit == least
    )
