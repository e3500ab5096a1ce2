"""Filters of games: what users ask for by name, and the games that are meant by it.

A name that nothing has is an error which says what there is, never an empty answer. What is asked for, a library looks
up in its catalogue and statistics in their warehouse, both by these names.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from msgspec import Struct

from engine.rulebooks import registry
from events.errors import CardfoldError
from replays.store.entries import Entry
from replays.store.groups import NO_GROUPS, Groups, family_of

_MAX_LISTED = 12
"""Most names that an error lists."""

DIGEST_BEGINNING = 8
"""Least letters of a deck's digest that are taken for it."""

NamedValue = tuple[str, str, str]
"""Of a game: a value, what people call it, and the game's key."""

Meant = Mapping[str, list[str] | None]
"""Filter -> the values that it lets through; None lets all through."""


class FilterError(CardfoldError):
    """A filter names nothing that is there; the message is a sentence."""


class GameFilters(Struct, frozen=True, kw_only=True):
    """Which games are meant; None (or no tags, no reasons) is no filter.

    `card_set` is key and version ("EMB 1.0"), or the key alone for all its versions. `player` is a name, `deck` the
    name of one in any language, its digest, or the name of a family; they and `player_kind` are of either seat. `since`
    and `until` are days and both included (games without a day are left out by them), all `tags` must be there,
    `least_turns` and `most_turns` are included, `reasons` are how the game may have ended, `playlist` is its name.
    """

    game: str | None = None
    card_set: str | None = None
    format: str | None = None
    since: date | None = None
    until: date | None = None
    tags: tuple[str, ...] = ()
    player: str | None = None
    player_kind: str | None = None
    deck: str | None = None
    least_turns: int | None = None
    most_turns: int | None = None
    reasons: tuple[str, ...] = ()
    playlist: str | None = None


EVERY_GAME = GameFilters()

NAMED = {
    "game": "game", "card_set": "card set", "format": "format of a game", "tags": "tag", "player": "player",
    "player_kind": "kind of player", "deck": "deck", "reasons": "reason for a game's end", "playlist": "playlist",
}  # fmt: skip
"""Filters that name something -> what they name."""


def _asked(filters: GameFilters, name: str) -> tuple[str, ...]:
    """What a filter that names something asks for."""
    value = getattr(filters, name)
    return value if isinstance(value, tuple) else () if value is None else (value,)


def meant(filters: GameFilters, there: Callable[[str], Iterable[NamedValue]]) -> Meant:
    """What filters that name something let through; `there` gives the rows of one of them.

    Raises FilterError for a name that nothing has.
    """
    found: dict[str, list[str] | None] = {}
    for name in NAMED:
        wanted = _asked(filters, name)
        rows = set(there(name)) if wanted else set()
        found[name] = sorted({value for one in wanted for value in _called(name, one, rows)}) if wanted else None
    return found


def _called(name: str, wanted: str, rows: set[NamedValue]) -> set[str]:
    """The values that are called so. Raises FilterError where there is none."""
    found = {row[0] for row in rows if wanted in _names(name, row)}
    found = found or {row[0] for row in rows if wanted.casefold() in map(str.casefold, _names(name, row))}
    if name == "deck" and not found and len(wanted) >= DIGEST_BEGINNING:
        found = {row[0] for row in rows if row[0].startswith(wanted)}
    if not found:
        raise FilterError(f"There is no {NAMED[name]} {wanted[:80]!r}; {_there_are(wanted, rows)}.")
    return found


def _names(name: str, row: NamedValue) -> Iterator[str]:
    """What a value may be called."""
    value, called, game = row
    yield from filter(None, (value, called))
    if name == "card_set":
        yield value.partition(" ")[0]
    elif name == "deck":
        yield from registry.deck_names(game, called)


def _there_are(wanted: str, rows: set[NamedValue]) -> str:
    names = sorted({called or value[:DIGEST_BEGINNING] for value, called, _ in rows})
    if not names:
        return "no game has any"
    if len(names) > _MAX_LISTED:
        near = difflib.get_close_matches(wanted, names, _MAX_LISTED, 0.4)
        names = [*near, *(name for name in names if name not in near)]
    more = f" and {len(names) - _MAX_LISTED} more" if len(names) > _MAX_LISTED else ""
    return f"there {'is' if len(names) == 1 else 'are'} {', '.join(map(repr, names[:_MAX_LISTED]))}{more}"


# --- of a library -------------------------------------------------------------------------------------------


class Grouped(NamedTuple):
    """What groups say, as it is looked up."""

    families: Mapping[str, str]
    """digest of a deck -> name of its family"""
    playlists: Mapping[str, Container[str]]
    """name of a playlist -> keys of its games"""


NOTHING_GROUPED = Grouped({}, {})


def looked_up(groups: Groups) -> Grouped:
    """Groups as they are looked up."""
    return Grouped(family_of(groups), {one.name: frozenset(one.games) for one in groups.playlists})


def rows_of(entry: Entry, name: str, groups: Grouped = NOTHING_GROUPED) -> list[NamedValue]:
    """What an entry has for a filter that names something."""
    game = entry.game
    if name == "deck":
        own = [(key, deck, game) for key, deck in zip(entry.deck_keys, entry.decks, strict=True)]
        return own + [(key, groups.families[key], game) for key in entry.deck_keys if key in groups.families]
    if name == "playlist":
        return [(one, one, game) for one, games in groups.playlists.items() if entry.key in games]
    values = {
        "game": (game,), "card_set": entry.card_sets, "format": (entry.format,), "tags": entry.tags,
        "player": entry.players, "player_kind": entry.player_kinds, "reasons": (entry.reason or "",),
    }[name]  # fmt: skip
    return [(value, value, game) for value in values if value]


def fitting(entries: list[Entry], filters: GameFilters, groups: Groups = NO_GROUPS) -> list[Entry]:
    """The games that are meant by the filters. Raises FilterError for a name that none of them has."""
    grouped = looked_up(groups)
    names = meant(filters, lambda name: (row for entry in entries for row in rows_of(entry, name, grouped)))
    return [entry for entry in entries if lets_through(entry, filters, names, grouped)]


def lets_through(entry: Entry, filters: GameFilters, names: Meant, grouped: Grouped) -> bool:
    """Whether a game is meant by the filters; `names`: what those of them that name something let through."""
    for name, values in names.items():
        if values is not None:
            own = {value for value, *_ in rows_of(entry, name, grouped)}
            if not (own.issuperset(values) if name == "tags" else own.intersection(values)):
                return False
    return (
        (filters.since is None or (entry.date or "") >= filters.since.isoformat())
        and (filters.until is None or (entry.date or "~") <= filters.until.isoformat())
        and (filters.least_turns is None or entry.turns >= filters.least_turns)
        and (filters.most_turns is None or entry.turns <= filters.most_turns)
    )
