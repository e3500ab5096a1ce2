"""The games of a library as columns, the newest 200,000: they are filtered, searched and sorted in milliseconds.

A game is known here by its position, the newest is 0; a choice of games is an array of positions. This is for a program
that stays: a command reads the catalogue and filters what it reads (`Library.newest`, `Library.games`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.rulebooks import registry
from replays.store.entries import ID, Entry
from replays.store.filters import NAMED, GameFilters, NamedValue, looked_up, meant, rows_of
from replays.store.groups import NO_GROUPS, Groups
from replays.store.verdicts import Judged, standing

_Value = TypeVar("_Value", bound=Hashable)
Positions = NDArray[np.intp]

MOST_LISTED = 200_000
"""Games that are listed at most, the newest: each takes some 3 kB of memory."""

ORDERS = ("newest", "oldest", "longest", "shortest")
"""In which order games can be listed."""

_SOURCES: dict[str, Callable[[Entry], Hashable]] = {
    "game": lambda e: e.game,
    "card_set": lambda e: (e.card_sets, e.game),
    "format": lambda e: (e.format, e.game),
    "tags": lambda e: (e.tags, e.game),
    "player": lambda e: (e.players, e.game),
    "player_kind": lambda e: (e.player_kinds, e.game),
    "deck": lambda e: (e.deck_keys, e.decks, e.game),
    "reasons": lambda e: (e.reason, e.game),
    "playlist": lambda e: e.key,
}
"""What of an entry the values of a filter follow from: games that have it in common are looked at once."""

_SAME: dict[str, Callable[[Entry], Hashable]] = {
    "game": lambda e: e.game, "players": lambda e: e.players, "format": lambda e: e.format, "date": lambda e: e.date,
    "origin": lambda e: e.origin, "turns": lambda e: e.turns, "decisions": lambda e: e.decisions,
}  # fmt: skip
"""Columns of a list that tell nothing where all games have the same."""


class Listing:
    """The games of a library, ready to be filtered. May be shared by threads: nothing in it changes."""

    def __init__(
        self, entries: Iterable[Entry], verdicts: Mapping[str, Judged], groups: Groups = NO_GROUPS, more: bool = False
    ) -> None:
        """`more`: the library has older games, which are not among these."""
        self.entries = list(entries)[::-1]
        """the newest first"""
        self.more = more
        self.verdicts = [standing(entry, verdicts) for entry in self.entries]
        """what checking has found of each, in the words of `standing`"""
        self._grouped = looked_up(groups)
        self._named = {name: self._values_of(name) for name in NAMED}
        self._turns = np.array([e.turns for e in self.entries], np.int32)
        self._days = np.array([e.date or "" for e in self.entries], "U10")
        self._verdict, _ = _numbered(self.verdicts)
        self._columns = {name: _numbered(map(of, self.entries))[0] for name, of in _SAME.items()}
        self._columns["verdict"] = self._verdict
        self._group, texts = _numbered((e.game, e.players, e.decks, e.tags) for e in self.entries)
        self._texts = [_text_of(*text) for text in texts]
        self._ids = [f"\n{e.id}\n{e.key}\n{e.match or ''}".lower() for e in self.entries]

    def judged(self, position: int) -> tuple[Entry, str]:
        """A game and what checking has found of it."""
        return self.entries[position], self.verdicts[position]

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def dated(self) -> bool:
        """Whether any game has a day."""
        return bool((self._days != "").any())

    def named(self, name: str) -> dict[NamedValue, int]:
        """What a filter of NAMED can name, and how many games have it."""
        return {row: len(at) for row, at in self._named[name].items()}

    def where(self, filters: GameFilters, search: str = "", verdict: str = "") -> Positions:
        """The games that all this lets through, in rising order.

        `search`: words, all of which are in the names of a game's players and decks (in any language) or its tags, or
        with which its id begins. Raises FilterError for a filter that names something that no game has.
        """
        found = np.ones(len(self), np.bool_)
        for name, values in meant(filters, self._named.__getitem__).items():
            if values is not None:
                found &= self._having(name, set(values))
        if filters.since is not None:
            found &= self._days >= filters.since.isoformat()
        if filters.until is not None:
            found &= (self._days <= filters.until.isoformat()) & (self._days != "")
        if filters.least_turns is not None:
            found &= self._turns >= filters.least_turns
        if filters.most_turns is not None:
            found &= self._turns <= filters.most_turns
        if verdict:
            found &= np.array([one == verdict for one in self.verdicts], np.bool_)
        for word in search.lower().split():
            found &= self._with_word(word)
        return np.flatnonzero(found)

    def ordered(self, positions: Positions, order: str) -> Positions:
        """The games in an order of ORDERS; of equal ones the newer first."""
        if order == "oldest":
            return positions[::-1]
        if order in ("longest", "shortest"):
            turns = self._turns[positions]
            return positions[np.argsort(-turns if order == "longest" else turns, kind="stable")]
        return positions

    def varying(self, positions: Positions) -> set[str]:
        """The columns (game, players, format, date, origin, turns, decisions, verdict) that are not the same in all."""
        if not len(positions):
            return set()
        return {name for name, of in self._columns.items() if (of[positions] != of[positions[0]]).any()}

    def _values_of(self, name: str) -> dict[NamedValue, Positions]:
        if name == "playlist" and not self._grouped.playlists:
            return {}
        group, _ = _numbered(map(_SOURCES[name], self.entries))
        found: dict[NamedValue, list[Positions]] = {}
        for games in _by_group(group):
            for row in set(rows_of(self.entries[games[0]], name, self._grouped)):
                found.setdefault(row, []).append(games)
        return {row: np.concatenate(games) for row, games in found.items()}

    def _having(self, name: str, values: set[str]) -> NDArray[np.bool_]:
        """Which games have one of the values of a filter; of tags, all of them."""
        found = np.full(len(self), name == "tags", np.bool_)
        for value in values:
            one = np.zeros(len(self), np.bool_)
            for row, games in self._named[name].items():
                if row[0] == value:
                    one[games] = True
            found = found & one if name == "tags" else found | one
        return found

    def _with_word(self, word: str) -> NDArray[np.bool_]:
        found = np.array([word in text for text in self._texts], np.bool_)[self._group]
        if ID.fullmatch(word):
            found |= np.array([f"\n{word}" in names for names in self._ids], np.bool_)
        return found


def _numbered(values: Iterable[_Value]) -> tuple[NDArray[np.int32], list[_Value]]:
    """Each value as the number of its first occurrence among the different ones, and these."""
    numbers: dict[_Value, int] = {}
    found = np.fromiter((numbers.setdefault(value, len(numbers)) for value in values), np.int32)
    return found, list(numbers)


def _by_group(group: NDArray[np.int32]) -> Sequence[Positions]:
    """The positions of each number."""
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1) if len(order) else []


def _text_of(game: str, players: Iterable[str], decks: Iterable[str], tags: Iterable[str]) -> str:
    """What a game is found by besides its id."""
    called = [name for deck in decks for name in registry.deck_names(game, deck)]
    return "\n".join((*players, *decks, *called, *tags)).lower()
