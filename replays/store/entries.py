"""What a library says of each game: the catalogue's lines, verdicts, games that were removed.

Data, and how a game that was read becomes an entry; where all this is kept stands in `catalogue`.
"""

from __future__ import annotations

import contextlib
import re
from array import array
from collections.abc import Callable, Hashable, Iterable
from datetime import UTC, datetime
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from engine.cards.decks import deck_digest
from engine.fold import FoldError
from engine.state import Declared
from engine.view import view
from events.game import GameLog
from events.kinds import Acted, GameEnded, GameStarted, TurnBegan
from events.record import SORTED, digest, game_key
from replays.store.archives import tidy

CATALOGUE = 3
"""Version of the catalogue's lines. Files of another one are made anew from their packs."""

PACK = ".jsonl.zst"

OWN = ".own"
"""Stands before PACK in the names of packs that were simulated here."""

ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
"""What the id of a game and of a match may be."""

EntryState: TypeAlias = Literal["whole", "unsealed", "cut", "live"]


class Entry(Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """What the catalogue says of a game. Names and tags are as the file gives them, but not longer than 200."""

    id: str
    """the one in the game's header; the key's beginning, where that is no id"""
    key: str
    """the game_key: which game it is, by header and decisions"""
    game: str
    rulebook: str
    card_sets: tuple[str, ...] = ()
    """"key version" of each"""
    format: str = ""
    players: tuple[str, str]
    player_kinds: tuple[str, str]
    decks: tuple[str, str]
    deck_keys: tuple[str, str]
    """what statistics call the decks: digests of their lists"""
    winner: int | None = None
    reason: str | None = None
    """how the game ended; None where it did not"""
    turns: int = 0
    decisions: int = 0
    records: int
    date: str | None = None
    """day, YYYY-MM-DD, in UTC"""
    origin: str
    tags: tuple[str, ...] = ()
    match: str | None = None
    view: int | None = None
    state: EntryState
    """whole: sealed. unsealed: ended, with no right seal. cut: not ended. live: still being played."""
    fault: str = ""
    """what is wrong with the game as it lies here"""
    pack: str = ""
    """the file's path within the library; not written in the catalogue, which has a file for each pack"""
    offset: int = 0
    length: int = 0
    shared: tuple[tuple[int, int], ...] = ()
    """offset and length of the frames of the shared lines that the game names"""
    digest: str = ""
    """of this copy, see `copy_digest`: by this verdicts are kept"""
    seen: tuple[str, ...] = ()
    """keys of the one-seat logs that this log of a live game holds all of"""
    terms: str = ""
    """digest over the rulebook and card set lines that the game names, and its options"""


class Removed(Struct, frozen=True, omit_defaults=True):
    """A game that was removed: still in its pack, until that is purged. With `by`: the pack was made anew as that."""

    pack: str
    offset: int = -1
    id: str = ""
    key: str = ""
    at: str = ""
    by: str = ""


class Key(Struct):
    """What the catalogue says of a game, in short."""

    key: str
    id: str
    state: str
    offset: int = 0
    match: str | None = None
    view: int | None = None
    digest: str = ""
    seen: tuple[str, ...] = ()
    terms: str = ""
    pack: str = ""


ENTRY_ENCODER = msgspec.json.Encoder()
ENTRY_DECODER = msgspec.json.Decoder(Entry)
KEY_DECODER = msgspec.json.Decoder(Key)
REMOVED_DECODER = msgspec.json.Decoder(Removed)
FIRST_LINE = msgspec.json.encode({"catalogue": CATALOGUE})


def entry_of(
    game: GameLog,
    place: tuple[int, int] | None = None,
    shared: tuple[tuple[int, int], ...] = (),
    state: EntryState | None = None,
) -> Entry:
    """What the catalogue says of a game that was read; it must have a first record."""
    header, events = game.header, game.events
    key = game_key(events)
    end = next((event for event in reversed(events) if type(event) is GameEnded), None)
    seats = header.seats
    offset, length = place or (game.offset, 0)
    return Entry(
        id=header.id if ID.fullmatch(header.id) else key[:16],
        key=key,
        game=tidy(header.game),
        rulebook=tidy(header.rulebook.version),
        card_sets=tuple(tidy(f"{named.key} {named.version}") for named in header.card_sets[:20]),
        format=tidy(str(header.options.get("format", ""))),
        players=(tidy(seats[0].player), tidy(seats[1].player)),
        player_kinds=(tidy(seats[0].player_kind), tidy(seats[1].player_kind)),
        decks=(tidy(seats[0].deck.name), tidy(seats[1].deck.name)),
        deck_keys=(deck_digest(seats[0].deck), deck_digest(seats[1].deck)),
        winner=end.winner if end else None,
        reason=tidy(end.reason) if end else None,
        turns=next((event.turn for event in reversed(events) if type(event) is TurnBegan), 0),
        decisions=sum(type(event) is Acted for event in events),
        records=len(events),
        date=day_of(header),
        origin=tidy(header.origin),
        tags=tuple(tidy(tag) for tag in header.tags[:20]),
        match=header.match if header.match and ID.fullmatch(header.match) else None,
        view=header.view,
        state=state or _state(game),
        fault=tidy(game.fault.what, 400) if game.fault else "",
        offset=offset,
        length=length,
        shared=shared,
        digest=copy_digest(game),
        seen=seen_keys(game),
        terms=digest(SORTED.encode((header.rulebook.digest, [s.digest for s in header.card_sets], header.options))),
    )


def copy_digest(game: GameLog) -> str:
    """What one copy of a game is known by: over its lines, and how many of its shared lines are missing."""
    missing = 1 + len(game.header.card_sets) - len(game.shared)
    return digest(game.text[:-1] + b"\n" * missing)


def seen_keys(game: GameLog) -> tuple[str, ...]:
    """The keys that the one-seat logs of a live game have. Of other games no one-seat logs are written."""
    if game.header.match is None or game.header.view is not None or not game.rulebook.key:
        return ()
    declared = Declared(game.rulebook)
    try:
        return tuple(game_key(view(game.events, seat, declared)) for seat in (0, 1))
    except FoldError:
        return ()


def _state(game: GameLog) -> EntryState:
    if not game.rulebook.key:
        return "cut"  # nothing but its first line can be read
    return "whole" if game.sealed else "unsealed" if game.ended else "cut"


def once(entries: Iterable[Entry]) -> list[Entry]:
    """The entries without the one-seat logs of which another log holds all, and each copy once: two who write into one
    bucket may both have brought it.
    """
    found = list({copy_of(entry): entry for entry in entries}.values())
    seen = {key for entry in found for key in entry.seen}
    return [entry for entry in found if entry.view is None or entry.key not in seen]


def count_once(entries: Callable[[], Iterable[Entry]]) -> int:
    """How many `once` would give, at some eight bytes of memory each; `entries` gives them anew each time."""
    copies, views = array("q"), {}
    for entry in entries():
        copies.append(hash(copy_of(entry)))
        if entry.view is not None:
            views[copy_of(entry)] = entry.key
    keys = set(views.values())
    seen = {key for entry in (entries() if views else ()) for key in entry.seen if key in keys}
    return _different(copies) - sum(key in seen for key in views.values())


def copy_of(entry: Entry) -> Hashable:
    return entry.digest or (entry.pack, entry.offset)


def _different(numbers: array[int]) -> int:
    if not numbers:
        return 0
    import numpy as np  # slow to import

    ordered = np.frombuffer(numbers, np.int64)
    ordered.sort()  # in place: no memory besides
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + 1


def noted_as(entry: Entry) -> str:
    """What notes call the game of an entry; see `notes.notes_name`."""
    return entry.match or entry.key


def day_of(header: GameStarted) -> str | None:
    """The day of a game, in UTC, YYYY-MM-DD."""
    return _day(header.at or header.date)


def _day(time: str | None) -> str | None:
    """The day of an ISO 8601 time, in UTC; None for what is no time."""
    try:
        at = datetime.fromisoformat(time or "")
    except ValueError:
        return None
    with contextlib.suppress(OverflowError):
        at = at if at.tzinfo is None else at.astimezone(UTC)
    return at.date().isoformat()


LIST_COLUMNS = ("id", "game", "format", "players", "decks", "winner", "reason", "turns", "date", "state", "verdict")
"""Columns of a list of games in files and on the command line."""


def in_list(entry: Entry, verdict: str) -> dict[str, str | int | None]:
    """A game's row in such a list, with what checking has found of it."""
    winner = None if entry.winner is None else entry.players[entry.winner]
    players, decks = " – ".join(entry.players), " – ".join(entry.decks)
    return dict(zip(LIST_COLUMNS, (
        entry.id, entry.game, entry.format, players, decks, winner, entry.reason, entry.turns, entry.date, entry.state,
        verdict,
    ), strict=True))
