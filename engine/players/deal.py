"""What a seat does not see, and dealing it anew: the match as it could be for all that the seat knows.

Nothing in a deal depends on where unseen cards really lie, nor on a deck list that the seat does not know. Cards off
the table get their numbers anew, too, in the order of their places. One that lies face down on the table keeps its
number, since what is still to be done may mean it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, TypeAlias

from msgspec import Struct, structs

from engine.core.match import Match
from engine.state import Card, Declared, sees
from events import kinds as k

Place: TypeAlias = tuple[int, str, int, int]
"""Side, zone and index where a card lies, and the card's number."""


class Unseen(Struct):
    """Cards of one owner with the same back that a seat does not see: they could lie in each other's places."""

    owner: int
    back: str
    on_table: list[int] = []
    off_table: list[Place] = []
    codes: list[str] | None = None
    """what they are, in no place's order, where the seat knows the owner's deck list"""

    def __len__(self) -> int:
        return len(self.on_table) + len(self.off_table)

    def numbers(self) -> list[int]:
        """All of them."""
        return self.on_table + [place[3] for place in self.off_table]


def shown(log: Iterable[Any], seat: int, declared: Declared) -> set[int]:
    """The cards that `seat` was shown where it does not see them, and that have not gone from there since."""
    known: set[int] = set()
    for event in log:
        kind = type(event)
        if kind is k.CardMoved:
            if event.card in known and not sees(declared.zones[event.zone], event.seat, event.face_up, seat):
                known.discard(event.card)
        elif kind is k.CardsRevealed:
            if event.seat in (None, seat):
                known.update(event.cards)
        elif kind is k.Asked:
            if event.seat == seat and event.option_type == "card":
                known.update(event.options)
        elif kind is k.Shuffled:
            known.difference_update(event.order)
    return known


def unseen(match: Match, seat: int) -> list[Unseen]:
    """The cards that `seat` does not see, in groups of those that could lie in each other's places."""
    state, backs, declared = match.state, match.game.backs, match.declared
    known, cards = shown(match.log, seat, declared), state.cards
    if state.asked is not None and state.asked.option_type == "card":
        known.update(state.asked.options)
    found: dict[tuple[int, str], Unseen] = {}
    for side, zones in enumerate(state.zones):
        for name, held in zones.items():
            zone = declared.zones[name]
            if not held or sees(zone, side, False, seat):
                continue
            for index, number in enumerate(held):
                card = cards[number]
                if number in known or (card.face_up and zone.visible_to == "up"):
                    continue
                key = card.owner, backs[card.code or ""]
                group = found.get(key)
                if group is None:
                    group = found[key] = Unseen(*key)
                if name in declared.table:
                    group.on_table.append(number)
                else:
                    group.off_table.append((side, name, index, number))
    return [found[key] for key in sorted(found)]


class Dealer:
    """Deals what `seat` does not see of a match anew, as often as one likes."""

    def __init__(self, match: Match, seat: int) -> None:
        self._match = match
        self._groups = unseen(match, seat)
        self._since = self._latest()
        self._question = match.state.asked and structs.replace(match.state.asked, continuation=k.NOTHING)
        self._stranger = None if match.state.options.get("open_lists") else 1 - seat
        for group in self._groups:
            if group.owner != self._stranger:
                group.codes = sorted(match.state.cards[number].code or "" for number in group.numbers())
        self._decks = self._likely_decks()

    @property
    def hidden(self) -> frozenset[int]:
        """The cards that the seat does not see."""
        return frozenset(number for group in self._groups for number in group.numbers())

    def deal(self, random: Random) -> Match:
        """The match with other cards where the seat sees none, with other random outcomes to come and an empty log."""
        state = self._match.state
        cards: dict[int, Card] = {}
        zones: dict[tuple[int, str], list[int]] = {}
        deck = random.choice(self._decks) if self._decks else {}
        for group in self._groups:
            codes = self._drawn(group, deck, random)
            for number in group.on_table:
                cards[number] = structs.replace(state.cards[number], code=self._of_its_kind(number, codes, group.back))
            numbers = sorted(place[3] for place in group.off_table)
            for number, (side, zone, index, lies) in zip(numbers, group.off_table, strict=True):
                card = cards[number] = state.cards[lies].__copy__()  # type: ignore[attr-defined]
                card.code, card.since = codes.pop(), self._since[side, zone]
                if (side, zone) not in zones:
                    zones[side, zone] = state.zones[side][zone].copy()
                zones[side, zone][index] = number
        seed = None if state.seed is None else random.getrandbits(63)
        return self._match.imagined(cards, zones, self._question, seed)

    def _latest(self) -> dict[tuple[int, str], int]:
        """When the last of the unseen cards came into each zone: which of them did, nobody knows."""
        cards = self._match.state.cards
        latest: dict[tuple[int, str], int] = {}
        for group in self._groups:
            for side, zone, _, number in group.off_table:
                latest[side, zone] = max(latest.get((side, zone), 0), cards[number].since)
        return latest

    def _likely_decks(self) -> list[dict[str, int]]:
        """The decks that come with the game and best explain what is seen of the one that the seat does not know:
        for each what is left of it.
        """
        game = self._match.game
        if self._stranger is None or not game.known_decks:
            return []
        hidden = {n for group in self._groups if group.owner == self._stranger for n in group.numbers()}
        own = [(n, card) for n, card in self._match.state.cards.items() if card.owner == self._stranger]
        seen = Counter(card.code or "" for n, card in own if n not in hidden)
        misfits = [
            abs(size - len(own)) + sum(max(0, n - deck.get(code, 0)) for code, n in seen.items())
            for deck, size in game.known_decks
        ]
        least = min(misfits)
        fitting = [deck for (deck, _), n in zip(game.known_decks, misfits, strict=True) if n == least]
        return [{code: max(0, n - seen[code]) for code, n in deck.items()} for deck in fitting]

    def _drawn(self, group: Unseen, deck: Mapping[str, int], random: Random) -> list[str]:
        """As many codes as there are cards in the group, or more, in random order."""
        backs = self._match.game.backs
        if group.codes is not None:
            codes = group.codes.copy()
        else:
            codes = [code for code, n in deck.items() if backs[code] == group.back for _ in range(n)]
            missing = len(group) - len(codes)
            if missing > 0:
                codes += random.choices([code for code, back in backs.items() if back == group.back], k=missing)
        codes.sort(key=lambda code: random.random())
        return codes

    def _of_its_kind(self, number: int, codes: list[str], back: str) -> str:
        """Takes one of the codes for a card that lies face down on the table: such as may lie there, of its kind."""
        game = self._match.game
        kind = self._match.definition(number).kind
        for at, code in enumerate(codes):
            if game.cards[code].kind == kind:
                return codes.pop(at)
        codes.pop()
        return next(code for code, found in game.backs.items() if found == back and game.cards[code].kind == kind)
