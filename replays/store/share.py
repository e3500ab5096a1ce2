"""Games out of the library into files for others: as they are kept, as one seat saw them, or without names.

As they are kept, a game's lines come out byte for byte. What a file is like inside (lines, frames) is `events`'
affair; which games there are, the library's; what a seat may know, `engine.view`'s.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from msgspec import structs

from engine.state import Declared
from engine.view import view
from events import kinds
from events.game import GameLog, header_of
from events.kinds import Acted, Annotated, Event, GameStarted, Sealed
from events.pack import PackWriter
from events.record import LogError, edition, encode, game_id, seal
from events.sections import text_of
from replays.store import notes
from replays.store.atomic import written_aside
from replays.store.entries import Entry, day_of
from replays.store.library import Library


class Kept(StrEnum):
    """What may be kept in an anonymous copy, where that is wished."""

    date = "date"
    """the day of the game; its clock time is never kept"""
    match = "match"
    """the random name by which the logs of a live game, and notes on it, find each other"""
    times = "times"
    """how long each decision took"""
    decks = "decks"
    """what decks are called; their cards always stay"""


def export_games(
    library: Library,
    games: Sequence[str | Entry],
    to: Path | BinaryIO,
    *,
    seat: str | int | None = None,
    anonymous: bool = False,
    keep: Collection[Kept] = (),
    with_notes: bool = False,
    replace: bool = True,
) -> int:
    """Writes these games, or those of these ids (or beginnings of ids), in this order, and says how many.

    The file's ending says plain (`.jsonl`) or packed (`.jsonl.zst`); an open stream gets plain lines. `seat`: what
    that seat knew and no more. `anonymous`: see `nameless`; `keep`: what stays there all the same. `with_notes`: their
    notes go into a file beside it. Raises LibraryError for an id that is unknown or not of one game only, before
    anything is written, and LogError for what cannot be had, or is there already where it is not to be replaced.
    """
    beside = notes.beside(to) if with_notes and isinstance(to, Path) else None
    if with_notes and beside is None:
        raise LogError("notes go into a file beside the log: give a file, not standard output.")
    if with_notes and (seat is not None or anonymous):
        what = "notes may tell what a seat did not know, and who is who: leave out --with-notes, or the others."
        raise LogError(what)
    if keep and not anonymous:
        raise LogError("--keep goes with --anonymous: without it all is kept.")
    for path in (to, beside):
        if isinstance(path, Path):
            may_write(path, replace)
    entries = [game if isinstance(game, Entry) else library.find(game) for game in games]
    logs: Iterable[GameLog] = (library.read(entry) for entry in entries)
    if seat is not None:
        logs = (as_seen(game, seat_of(game, seat)) for game in logs)
    if anonymous:
        logs = nameless(logs, keep)
    count = write_games(logs, to)
    if beside is not None:
        beside.unlink(missing_ok=True)
        found = notes.merge(*(library.notes(entry) for entry in entries))
        notes.add_notes(beside, {name: notes.current_notes(held) for name, held in found.items()})
    return count


def may_write(path: Path, replace: bool) -> None:
    """Raises LogError where there is something at this path that is not to be replaced."""
    if path.exists() and not replace:
        raise LogError("is there already: choose another name, or --force to replace it.", str(path))


# --- other games made of a game -----------------------------------------------------------------------------


def seat_of(game: GameLog, given: str | int) -> int:
    """The seat that is meant by its number, 0 or 1, or by the name of who sits there. Raises LogError."""
    players = [seat.player for seat in game.header.seats]
    named = [number for number, player in enumerate(players) if player.casefold() == str(given).casefold()]
    if str(given) in ("0", "1"):
        return int(given)
    if len(named) != 1:
        there = " and ".join(f"{number} ({player[:80]!r})" for number, player in enumerate(players))
        raise LogError(f"there is no seat {str(given)[:80]!r}; there are {there}.", game=game.header.id or game.index)
    return named[0]


def as_seen(game: GameLog, seat: int) -> GameLog:
    """The game's one-seat log, with a seal of its own where the game is whole. Raises LogError, FoldError."""
    header = game.header
    if header.view is not None and header.view != seat:
        what = f"this is the game as seat {header.view} saw it: what seat {seat} knew does not stand in it."
        raise LogError(what, game=header.id or game.index)
    if header.view == seat:
        return game
    return _rewritten(game, view(game.events, seat, Declared(game.rulebook)))


def nameless(games: Iterable[GameLog], keep: Collection[Kept] = ()) -> Iterator[GameLog]:
    """The games without what tells who played, when and where.

    Players are called Player 1, Player 2 … in the order in which they come, the same one the same. Gone are tags,
    remarks, the game it branched off, date and times, match id and names of decks, but for those in `keep`; and of
    games that people played the seed, by which a copy could be recognised. A remark's record stays, with nothing in it:
    records keep their numbers, by which causes, effects and notes name them.
    """
    called: dict[str, str] = {}
    for game in games:
        yield _rewritten(game, [_nameless_header(game.header, called, keep), *_nameless_records(game, keep)])


def _nameless_header(header: GameStarted, called: dict[str, str], keep: Collection[Kept]) -> GameStarted:
    seats = tuple(
        structs.replace(
            seat,
            player=called.setdefault(seat.player, f"Player {len(called) + 1}"),
            deck=seat.deck if Kept.decks in keep else structs.replace(seat.deck, name=""),
        )
        for seat in header.seats
    )
    changed = structs.replace(
        header, seats=seats, tags=(), parent=None, at=None,
        date=day_of(header) if Kept.date in keep else None,
        match=header.match if Kept.match in keep else None,
        seed=None if by_people(header) else header.seed,
    )
    if header.id:  # the old one was made of the names too
        changed = structs.replace(changed, id=game_id(changed))
    return changed


def _nameless_records(game: GameLog, keep: Collection[Kept]) -> Iterator[Event]:
    for event in game.events[1:]:
        if isinstance(event, Annotated):
            yield Annotated(text="", back=event.back)
        elif isinstance(event, Acted) and Kept.times not in keep:
            yield structs.replace(event, ms=None)
        else:
            yield event


def by_people(header: GameStarted) -> bool:
    """Whether people played, or may have: what was not simulated, and what says that a human sat there."""
    return header.origin != "simulated" or any(seat.player_kind == "human" for seat in header.seats)


def _rewritten(game: GameLog, events: Sequence[Event]) -> GameLog:
    """A game of these records with the shared lines of another, sealed as that one is. An altered one stays itself."""
    header = events[0]
    assert isinstance(header, GameStarted)
    if game.altered or not game.rulebook.key:
        what = "only its lines as they are can be exported, for they were changed, or their rulebook is not there."
        raise LogError(what, game=game.header.id or game.index)
    shared = game.shared
    if header.protocol != kinds.PROTOCOL:  # its records are today's by now
        shared = (encode(game.rulebook), *(encode(cards) for cards in game.card_sets))
        header = structs.replace(
            header, protocol=kinds.PROTOCOL, rulebook=edition(game.rulebook),
            card_sets=tuple(map(edition, game.card_sets)),
        )
    told = [header, *(event for event in events[1:] if not isinstance(event, Sealed))]
    lines = [encode(event) for event in told]
    if game.sealed:
        told.append(Sealed(seal=seal(lines)))
        lines.append(encode(told[-1]))
    return structs.replace(game, events=told, text=text_of(lines), shared=shared)


# --- writing ------------------------------------------------------------------------------------------------


def write_games(games: Iterable[GameLog], to: Path | BinaryIO) -> int:
    """Writes games one after the other and says how many; a file is there under its name only when it is whole."""
    if not isinstance(to, Path):
        return _write_plain(games, to)
    if packed(to):
        count = 0
        with PackWriter(to) as pack:
            for game in games:
                pack.add_game(game)
                count += 1
        return count
    try:
        with written_aside(to) as file:
            return _write_plain(games, file)
    except OSError as error:
        raise LogError(f"cannot be written: {error.strerror}.", to.name) from None


def packed(to: Path) -> bool:
    """Whether a file of this name is to be a pack. Raises LogError for a name that says neither."""
    if to.name.endswith(".jsonl.zst"):
        return True
    if to.name.endswith(".jsonl"):
        return False
    raise LogError("the name must end with .jsonl (plain lines) or .jsonl.zst (packed).", to.name)


def _write_plain(games: Iterable[GameLog], to: BinaryIO) -> int:
    count = 0
    for count, lines in enumerate(_plain(games), 1):  # noqa: B007
        to.write(text_of(lines))
    return count


def _plain(games: Iterable[GameLog]) -> Iterator[list[bytes]]:
    """The lines of each game; the shared ones before the first game that names them."""
    written: set[bytes] = set()
    for game in games:
        header_of(game.events)
        new = [line for line in game.shared if line not in written]
        written.update(new)
        yield [*new, *game.lines]
