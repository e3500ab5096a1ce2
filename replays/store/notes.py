"""Notes on games: what people say about a record of a log, kept in a `.notes.json` file beside it.

A note names its game by the match id of a live game, else by the game key, so that it finds anonymised copies and
one-seat logs too. Notes may be merged in any order: the later change of a note wins. Logs are never touched here.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from events.errors import CardfoldError
from events.fields import Int
from events.game import GameLog
from events.kinds import GameStarted
from events.lock import lock
from events.record import game_key
from replays.store.atomic import written_aside

_VERSION = 1
"""Version of the files' format. Files of a later one are refused."""

ENDING = ".notes.json"

MAX_FILE = 16 << 20
"""Most bytes of a file that are read."""

MAX_NOTE_TEXT = 10_000
"""Most characters of a note."""

MAX_NOTES = 10_000
"""Most notes of a game."""

_PATIENCE = 30.0
"""Seconds to wait for another process that is writing notes."""

_NAME = re.compile(r"[0-9A-Za-z_-]{1,64}")
"""What names a game: a match id or a game key."""

_START = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"notes"\s*:')
"""How a file of notes begins."""

_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_FORMAT = "%Y-%m-%dT%H:%M:%S.%fZ"


NoteMark: TypeAlias = Literal["", "brilliant", "good", "doubtful", "mistake", "blunder"]
"""What a note thinks of the decision, if anything."""

MARKS: tuple[NoteMark, ...] = get_args(NoteMark)


class NotesError(CardfoldError):
    """Notes cannot be read or written; the message is a sentence."""


class Note(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What somebody says about a record."""

    id: str
    """random; a note that was changed keeps it"""
    record: Int
    """number of the record in the game's log"""
    view: Int | None = None
    """the seat whose one-seat log counts records so; null: the whole log does"""
    text: str
    """plain text; without a text and a mark, the note was taken back"""
    mark: NoteMark = ""
    by: str = ""
    """who wrote it"""
    at: str
    """UTC time of its last change, `2026-11-29T20:15:00.000000Z`"""


Notes: TypeAlias = dict[str, tuple[Note, ...]]
"""Name of a game -> its notes, by record; notes that were taken back among them."""


class _File(Struct, forbid_unknown_fields=True):
    notes: Int
    games: dict[str, tuple[Note, ...]]


class _Version(Struct):
    notes: int


def notes_name(game: GameLog) -> str:
    """What notes call the game: its match id, else its game key. Raises the game's fault where it has no header."""
    match = game.header.match
    return match if match is not None and _NAME.fullmatch(match) else game_key(game.events)


def beside(log: Path) -> Path:
    """Where the notes on the games of a log file are."""
    name = re.sub(r"(\.jsonl)?(\.zst|\.gz)?$", "", log.name)
    return log.with_name(name + ENDING)


def new_note(
    record: int, text: str, by: str = "", view: int | None = None, change: Note | None = None, mark: NoteMark = ""
) -> Note:
    """A note of now, or a change of one that is there; without text and mark it takes it back. Raises NotesError."""
    now = datetime.now(UTC).replace(tzinfo=None)
    if change is not None:  # whatever the clocks say, a change is later than what it changes
        now = max(now, datetime.strptime(change.at, _FORMAT) + timedelta(microseconds=1))
    name = change.id if change is not None else secrets.token_hex(8)
    note = Note(id=name, record=record, view=view, text=text, mark=mark, by=by, at=now.strftime(_FORMAT))
    problem = _problem(note)
    if problem:
        raise NotesError(f"This note cannot be kept: {problem}")
    return note


def check_record(note: Note, game: GameLog) -> None:
    """Raises NotesError where the game has no such record, or counts its records another way."""
    header = game.header
    assert isinstance(header, GameStarted)
    if header.view != note.view:
        raise NotesError(f"The note counts records as {_counting(note.view)} does; this is {_counting(header.view)}.")
    if not 0 <= note.record < len(game.events):
        raise NotesError(f"The game has the records 0 to {len(game.events) - 1}; there is no record {note.record}.")


def _counting(view: int | None) -> str:
    return "the whole log" if view is None else f"the log of seat {view}"


def merge(*all_notes: Mapping[str, Iterable[Note]]) -> Notes:
    """The notes of several people as one: in whatever order they come, the latest change of each note is kept."""
    latest: dict[str, dict[str, Note]] = {}
    for notes in all_notes:
        for game, given in notes.items():
            found = latest.setdefault(game, {})
            for note in given:
                old = found.get(note.id)
                if old is None or _rank(note) > _rank(old):
                    found[note.id] = note
    return {
        game: tuple(sorted(found.values(), key=lambda note: (note.record, note.at, note.id)))
        for game, found in sorted(latest.items())
        if found
    }


def _rank(note: Note) -> tuple[str, bytes]:
    return note.at, msgspec.json.encode(note)


def current_notes(notes: Iterable[Note]) -> list[Note]:
    """The notes that were not taken back."""
    return [note for note in notes if note.text or note.mark]


# --- files --------------------------------------------------------------------------------------------------


def looks_like_notes(stream: IO[bytes]) -> bool:
    """Whether this is a file of notes, by how it begins; the stream stands at its beginning, and does so afterwards."""
    head = stream.read(256)
    stream.seek(0)
    return _START.match(head) is not None


def decode_notes(data: bytes, name: str = "") -> Notes:
    """The notes in a file's bytes; `name` is what errors call the file. Raises NotesError."""
    what = f"{name}: " if name else ""
    if len(data) > MAX_FILE:
        raise NotesError(f"{what}has more than {MAX_FILE} bytes, which is the most that is read of notes.")
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        version = msgspec.json.decode(data, type=_Version).notes
        if version > _VERSION:
            raise NotesError(
                f"{what}made by a newer version of Cardfold (notes {version}; this one reads up to {_VERSION}). "
                "Update Cardfold to read it."
            )
        games = msgspec.json.decode(data, type=_File).games
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise NotesError(f"{what}holds no notes that can be read: {str(error)[:300]}.") from None
    for game, notes in games.items():
        problem = _wrong(game, notes)
        if problem:
            raise NotesError(f"{what}the notes on the game {game[:80]!r} are wrong: {problem}")
    return merge(games)


def _wrong(game: str, notes: tuple[Note, ...]) -> str:
    if not _NAME.fullmatch(game):
        return "a game is named by its match id or game key."
    if len(notes) > MAX_NOTES:
        return f"there are more than {MAX_NOTES}."
    return next(filter(None, map(_problem, notes)), "")


def _problem(note: Note) -> str:
    if not _NAME.fullmatch(note.id):
        return f"the id {note.id[:80]!r} is none; ids are letters and digits."
    if note.record < 0 or note.view not in (None, 0, 1):
        return f"there is no record {note.record} as seat {note.view} counts."
    if len(note.text) > MAX_NOTE_TEXT or len(note.by) > 200:
        return f"a text has at most {MAX_NOTE_TEXT} characters, a name 200."
    if not _AT.fullmatch(note.at):
        return f"the time {note.at[:80]!r} is not written like 2026-11-29T20:15:00.000000Z."
    try:
        datetime.strptime(note.at, _FORMAT)
        note.text.encode()
    except ValueError as error:
        return f"{error}."
    return ""


def encode_notes(notes: Notes) -> bytes:
    """A file's bytes."""
    return msgspec.json.format(msgspec.json.encode(_File(_VERSION, notes)), indent=1) + b"\n"


def read_notes(path: Path) -> Notes:
    """The notes of a file; none where there is no file. Raises NotesError."""
    try:
        with path.open("rb") as file:
            return decode_notes(file.read(MAX_FILE + 1), path.name)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise NotesError(f"{path} cannot be read: {error.strerror}.") from None


def add_notes(path: Path, notes: Mapping[str, Iterable[Note]]) -> Notes:
    """Merges notes into a file, which is made where there is none, and gives all. Writers wait for each other.

    The file is never half there. Raises NotesError.
    """
    try:
        with _locked(path):
            merged = merge(read_notes(path), notes)
            for game, held in merged.items():
                problem = _wrong(game, held)
                if problem:
                    raise NotesError(f"The notes on the game {game} cannot be kept: {problem}")
            with written_aside(path) as file:
                file.write(encode_notes(merged))
            return merged
    except OSError as error:
        raise NotesError(f"{path} cannot be written: {error.strerror}.") from None


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """While this holds, no other process writes this file: the folder is locked, which leaves no file behind."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    until = time.monotonic() + _PATIENCE
    try:
        while not lock(folder):
            if time.monotonic() > until:
                raise NotesError(f"Another process is writing notes in {path.parent}. Try again later.")
            time.sleep(0.02)
        yield
    finally:
        os.close(folder)
