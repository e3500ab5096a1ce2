"""One game that is open in the viewer: out of the library, or of the one file that the dashboard was started on.

Its data for the viewer, notes on it, and files of it for others. What comes from the browser is checked here.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from dashboard import export, viewer
from dashboard.data import Stamp, entries, library, stamp_of
from dashboard.serve import WATCHED
from engine.fold import FoldError
from events.game import GameLog
from events.record import LogError
from replays.play.simulate import small_plan_seed
from replays.store import notes, share
from replays.store.archives import games_from
from replays.store.library import LibraryError
from replays.store.notes import MARKS, Note, NotesError
from replays.view.timeline import Timeline
from replays.view.verify import Verdict, verify

PROBLEMS = (LibraryError, LogError, NotesError, FoldError)
"""What can go wrong: said in its own sentence."""


class Opened(NamedTuple):
    """A game, and where notes on it are."""

    address: str
    """what the page's address calls it: its id in the library, its number in the watched file"""
    log: GameLog
    verdict: Verdict
    notes_file: Path
    notes_name: str
    stamp: Stamp
    """of the files that it was read from"""


_KEY: dict[str | type[Any], Callable[[Any], Any]] = {
    Opened: lambda game: (game.address, str(game.notes_file), game.stamp)
}
"""By what the data of a game are found again."""


def watched() -> Path | None:
    """The file that this dashboard was started on, if it was."""
    path = os.environ.get(WATCHED)
    return Path(path) if path else None


def address_of(wanted: str | None) -> str | None:
    """The game to show: the wanted one, else the first of the watched file, else the newest; None without games."""
    if wanted:
        return wanted
    if watched() is not None:
        return "1"
    return next((entry.id for entry in entries()), None)


def opened(address: str) -> Opened:
    """The game of an address. Raises one of PROBLEMS where there is none, or not even its first line can be read."""
    file = watched()
    if file is not None:
        return _of_file(str(file), address, stamp_of(file))
    kept = library()
    return _of_library(str(kept.path), address, stamp_of(kept.path / "packs", kept.path / "live"))


@st.cache_resource(max_entries=16, show_spinner=False)
def _of_library(path: str, address: str, stamp: Stamp) -> Opened:
    kept = library()
    log = kept.open(address)
    _check(log, address)
    name = notes.notes_name(log)
    return Opened(address, log, verify(log), kept.notes_file(name), name, stamp)


@st.cache_resource(max_entries=16, show_spinner=False)
def _of_file(path: str, address: str, stamp: Stamp) -> Opened:
    number = int(address) if re.fullmatch(r"[0-9]{1,7}", address) else 0
    file = Path(path)
    for count, log in enumerate(games_from(file.name, file), 1):
        if count == number:
            _check(log, address)
            return Opened(address, log, verify(log), notes.beside(file), notes.notes_name(log), stamp)
    raise LogError(f"there is no game {address[:80]!r} in it.", file.name)


def _check(log: GameLog, address: str) -> None:
    if not log.events:
        raise LibraryError(f"Of the game {address} not even the first line can be read: {log.fault}")


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_KEY)
def timeline(game: Opened, seat: int | None) -> Timeline:
    """The game's course, all open or as a seat saw it."""
    return viewer.timeline_of(game.log, seat)


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=_KEY)
def source(game: Opened, seat: int | None, language: str) -> str:
    """The game as the viewer takes it."""
    return viewer.game_json(timeline(game, seat), game.log, game.verdict, language, game.address)


# --- what the page tells the viewer meanwhile ---------------------------------------------------------------


def news(game: Opened, seat: int | None, language: str, note: Any, want: Any) -> dict[str, Any]:
    """What the viewer gets besides the game: the notes, and the answer to what it has asked for in this run.

    `note` and `want` are what it sent, if anything: a note to be kept, a file to be had.
    """
    seen = game.log.header.view if game.log.header.view is not None else seat
    told: dict[str, Any] = {"game": game.address, "view": seen, "once": None, "file": None, "problem": None}
    for message, does in ((note, _keep), (want, _file)):
        if isinstance(message, dict) and message.get("game") == game.address and message.get("view") == seen:
            told["once"] = str(message.get("once"))
            try:
                told["file"] = does(game, seat, language, message)
            except PROBLEMS as problem:
                told["problem"] = str(problem)
    try:
        held = notes.read_notes(game.notes_file).get(game.notes_name, ())
        told["notes"] = viewer.notes_data(timeline(game, seat), game.log, held)
    except PROBLEMS as problem:
        told |= {"notes": [], "problem": str(problem), "once": told["once"] or "notes"}
    return told


def _keep(game: Opened, seat: int | None, language: str, message: dict[str, Any]) -> None:
    """Writes a note, a change of one, or that one is taken back."""
    text, by, mark = (str(message.get(name) or "") for name in ("text", "by", "mark"))
    if mark not in MARKS:
        raise NotesError(f"There is no mark {mark[:40]!r}.")
    old = _note(game, message.get("id")) if message.get("id") is not None else None
    step = message.get("n")
    if old is None and not (isinstance(step, int) and 0 <= step < timeline(game, seat).steps):
        raise NotesError("The game has no such step.")
    record, view = (old.record, old.view) if old is not None else (int(step or 0), message.get("view"))
    new = notes.new_note(record, text, by, view, old, mark)
    notes.add_notes(game.notes_file, {game.notes_name: [new]})


def _note(game: Opened, name: object) -> Note:
    held = notes.read_notes(game.notes_file).get(game.notes_name, ())
    found = next((note for note in held if note.id == name), None)
    if found is None:
        raise NotesError("That note is not there any more.")
    return found


def _file(game: Opened, seat: int | None, language: str, message: dict[str, Any]) -> dict[str, Any] | None:
    """A file of the game, named after it; with the plan's seed, where that gives away all that a seat has not seen."""
    log, what, seed = game.log, message.get("what"), None
    name = export.file_name(log)
    if what == "html":
        held = notes.read_notes(game.notes_file).get(game.notes_name, ())
        page = export.replay_page(log, seat, notes=held, language=language)
        return {"name": f"{name}{_seen(seat)}.html", "bytes": export.base64(page.encode())}
    if what == "anonymous":
        log, name = next(share.nameless([log])), f"{name}-anonymous"
    elif what in ("seat0", "seat1"):
        other = int(what[-1])
        if log.header.origin == "simulated" and log.header.seed is not None:
            seed = small_plan_seed(log.header.seed)
        log, name = share.as_seen(log, other), f"{name}{_seen(other)}"
    elif what != "log":
        return None
    out = io.BytesIO()
    share.write_games([log], out)
    return {"name": f"{name}.jsonl", "bytes": export.base64(out.getvalue()), "plan_seed": seed}


def _seen(seat: int | None) -> str:
    return "" if seat is None else f"-seat-{seat}"
