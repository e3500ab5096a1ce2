"""A replay as one HTML file: the viewer with a game inside. It opens from the disk, and asks no network for anything.

`python -m dashboard.export` writes one; `cardfold export --html` runs that.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import io
import json
import re
import sys
from base64 import b64encode
from collections.abc import Collection, Sequence
from pathlib import Path

from dashboard import viewer
from dashboard.words import ENGLISH
from engine.fold import FoldError
from engine.words import LANGUAGES, words
from events.game import GameLog
from events.record import LogError
from replays.cli.output import say
from replays.store import notes as notes_file
from replays.store import share
from replays.store.atomic import written_aside
from replays.store.library import Library, LibraryError
from replays.store.notes import Note, NotesError, encode_notes
from replays.view.verify import verify

_START = """
const text = (id) => document.getElementById(id).textContent;
mount({ parentElement: document.body, data: text("game"), log: JSON.parse(text("log")) });
"""
_STYLE = "body{margin:0}noscript{padding:2em}"


def replay_page(
    log: GameLog,
    seat: int | None = None,
    *,
    anonymous: bool = False,
    keep: Collection[share.Kept] = (),
    notes: Sequence[Note] = (),
    language: str = ENGLISH,
) -> str:
    """The file's text: all open, or as a seat saw the game, without names where that is wished.

    The log that it holds and gives back is then the one-seat or nameless one, and it holds no other. Of `notes` those
    are in it that may be shown with that log. Raises LogError and FoldError where such a log cannot be made.
    """
    if seat is not None:
        log = share.as_seen(log, seat)
    if anonymous:
        log = next(share.nameless([log], keep))
    course = viewer.timeline_of(log)
    game = json.loads(viewer.game_json(course, log, verify(log), language))
    game["notes"] = viewer.notes_data(course, log, notes)
    shown = {note["id"] for note in game["notes"]}
    saved = _saved(log, [note for note in notes if note.id in shown])
    script, style = viewer.javascript() + _START, viewer.css() + _STYLE
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(_title(log, language))}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'{viewer.html()}\n<noscript>This replay needs JavaScript.</noscript>\n'
        f"{_data('game', game)}\n{_data('log', saved)}\n"
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _saved(log: GameLog, notes: Sequence[Note]) -> dict[str, object]:
    """What an import takes out of the page, and what the page saves as a file; see `events.page`."""
    out = io.BytesIO()
    share.write_games([log], out)
    saved: dict[str, object] = {"name": f"{file_name(log)}.jsonl", "text": out.getvalue().decode()}
    if notes:
        saved["notes"] = json.loads(encode_notes({notes_file.notes_name(log): tuple(notes)}))
    return saved


def file_name(log: GameLog) -> str:
    """What a file of this game is called, without an ending: by its id, as far as that can stand in a name."""
    return re.sub(r"[^0-9A-Za-z_-]", "", log.header.id or log.header.match or "")[:64] or "game"


def base64(data: bytes) -> str:
    """Bytes as text for the browser."""
    return b64encode(data).decode()


def _title(log: GameLog, language: str) -> str:
    game = words(language, log.header.game, log.rulebook).pattern("term.title") or log.header.game
    first, second = (seat.player[:80] for seat in log.header.seats)
    return f"{game[:80]}: {first} – {second}"


def _data(name: str, value: object) -> str:
    """Data inside the page. No text of a stranger can end it: `<` stands there as an escape."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def _hash(text: str) -> str:
    return f"'sha256-{base64(hashlib.sha256(text.encode()).digest())}'"


def write_page(
    kept: Library, name: str, to: Path, seat: int | None, anonymous: bool, keep: Collection[share.Kept],
    with_notes: bool, language: str, force: bool,
) -> None:
    """Writes the page of a game in the library. Raises LibraryError, LogError, NotesError or FoldError."""
    if keep and not anonymous:
        raise LogError("--keep goes with --anonymous: without it all is kept.")
    if with_notes and anonymous:
        raise NotesError("Notes may tell who is who: leave out --with-notes, or --anonymous.")
    if to.exists() and not force:
        raise LogError("is there already: choose another name, or --force to replace it.", str(to))
    entry = kept.find(name)
    held = [note for given in kept.notes(entry).values() for note in given] if with_notes else []
    log = kept.read(entry)
    if not log.events:
        raise LibraryError(f"Of the game {name} not even the first line can be read: {log.fault}")
    text = replay_page(log, seat, anonymous=anonymous, keep=keep, notes=held, language=language)
    try:
        with written_aside(to) as file:
            file.write(text.encode())
    except OSError as error:
        raise LogError(f"cannot be written: {error.strerror}.", str(to)) from None


def main() -> int:
    """`python -m dashboard.export ID FILE`; gives the exit code."""
    parser = argparse.ArgumentParser(prog="dashboard.export", description="Writes a replay as one HTML file.")
    parser.add_argument("game", help="id of the game")
    parser.add_argument("file", type=Path)
    parser.add_argument("--library", type=Path, default=None)
    parser.add_argument("--seat", type=int, choices=(0, 1), default=None)
    parser.add_argument("--anonymous", action="store_true")
    parser.add_argument("--keep", action="append", type=share.Kept, default=[])
    parser.add_argument("--with-notes", action="store_true")
    parser.add_argument("--language", choices=LANGUAGES, default=ENGLISH)
    parser.add_argument("--force", action="store_true")
    given = parser.parse_args()
    try:
        write_page(
            Library(given.library), given.game, given.file, given.seat, given.anonymous, given.keep, given.with_notes,
            given.language, given.force,
        )
    except (LibraryError, LogError, NotesError, FoldError) as problem:
        say(str(problem))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
