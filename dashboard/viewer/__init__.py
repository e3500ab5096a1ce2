"""The replay viewer: one client-side component, the same for a page of the dashboard and for a file of its own.

Its parts are plain HTML, CSS and JavaScript beside this file, put together here; there is no build step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from dashboard.words import by_language
from events.game import GameLog
from replays.store.notes import Note, current_notes
from replays.view.timeline import Timeline
from replays.view.verify import Verdict

FOLDER = Path(__file__).parent
SCRIPTS = (
    "replay", "language", "pictures", "cards", "motion", "board", "lines", "rows", "rivals", "middle", "log",
    "inspector", "notes", "share", "dock", "viewer",
)  # fmt: skip
"""In this order they are one module; the last one exports `mount`."""

STYLES = ("viewer", "boards", "panels")

MAX_VALUE = 300
"""Longest value of a record that is shown where a log differs from what it should be, in characters."""


def html() -> str:
    """The empty viewer: its icons and the element that `mount` fills."""
    return _text("viewer.html")


def css() -> str:
    """Its looks."""
    return "\n".join(_text(f"{name}.css") for name in STYLES)


@cache
def families() -> dict[str, tuple[str, str]]:
    """Family of `replays.view.board.FAMILIES` -> the colour of its frame and of the ink on it, as the styles say."""
    found = re.findall(r"\.f-(\w+)\{--f:(#\w+);--fi:(#\w+)", css())
    return {name: (frame, ink) for name, frame, ink in found}


def javascript() -> str:
    """Its code as one module."""
    return "\n".join(_text(f"{name}.js") for name in SCRIPTS)


def face_css() -> str:
    """The looks of one card alone."""
    return css() + _text("face.css")


def face_javascript() -> str:
    """The code that draws one card alone, beside its text."""
    return "\n".join(_text(f"{name}.js") for name in ("language", "pictures", "cards", "face"))


def elements() -> str:
    """The part of its code that makes elements and pictures and writes numbers, for other components of the pages."""
    return _text("language.js") + _text("pictures.js")


def tokens() -> str:
    """Its colours, light and dark, as rules for elements of the classes `cf light` and `cf dark`."""
    return "\n".join(line for line in css().splitlines() if line.startswith((".cf.light{", ".cf.dark{")))


def viewer_words() -> dict[str, dict[str, str]]:
    """What the viewer itself says, by language."""
    return by_language(FOLDER / "words.toml")


def timeline_of(log: GameLog, seat: int | None = None) -> Timeline:
    """The game's course, all open or as a seat saw it; a one-seat log is as it is."""
    return Timeline(log.events, log.rulebook, log.card_sets, seat if log.header.view is None else None)


def game_json(timeline: Timeline, log: GameLog, verdict: Verdict, language: str = "en", address: str = "") -> str:
    """The game as the JSON text that `mount` takes; `address` is the name by which the page's address calls it."""
    said = viewer_words()
    data = timeline.viewer_data(language)
    found = _found(verdict, log, said[language], open_all=timeline.full is None)
    more = {
        "address": address,
        "log": found,
        "fault": _fault(verdict, log, timeline, found, said[language]),
        "chrome": said[language],
        "languages": {name: own["language"] for name, own in said.items()},
    }
    return msgspec.json.encode({**data, **more}).decode()


def _found(verdict: Verdict, log: GameLog, said: dict[str, str], open_all: bool) -> dict[str, Any]:
    """What checking has found. As one seat saw the game, without record and values, which that seat may not know.

    `text` is in the language of the words, `detail` a technical sentence in English.
    """
    if not open_all:
        return {"verdict": verdict.verdict, "text": "", "detail": "", "record": None, "rule": None, "differences": []}
    differences = [(field, _short(written), _short(right)) for field, written, right in verdict.differences]
    detail = str(verdict.about.get("detail", ""))
    return {"verdict": verdict.verdict, "text": _sentence(verdict, log, said), "record": verdict.record,
            "rule": verdict.rule, "detail": detail, "differences": differences}  # fmt: skip


def _sentence(verdict: Verdict, log: GameLog, said: dict[str, str]) -> str:
    """Why the verdict is as it is; players by their names."""
    if not verdict.reason:
        return ""
    about = {name: value if isinstance(value, str) else _plain(value) for name, value in verdict.about.items()}
    for name in ("seat", "asked"):
        if verdict.about.get(name) in (0, 1):
            about[name] = log.header.seats[verdict.about[name]].player[:80]
    return re.sub(r"\{(\w+)\}", lambda place: about.get(place[1], ""), said[f"found_{verdict.reason}"])


def _fault(
    verdict: Verdict, log: GameLog, timeline: Timeline, found: dict[str, Any], said: dict[str, str]
) -> dict[str, str] | None:
    """What stands above the board of a log that is not as it should be: what that means, and in English why.

    As one seat saw the game, without why: that may quote what the seat does not know.
    """
    seat = timeline.seat is not None
    if timeline.fault or (log.fault is not None and verdict.verdict == "cut"):
        stops = said["stops_at"].replace("{n}", str(timeline.steps - 1))
        return {"text": stops, "detail": "" if seat else timeline.fault or str(log.fault)}
    if log.fault is None and verdict.verdict in ("verified", "unchecked"):
        return None
    detail = found["detail"] if log.fault is None else str(log.fault)
    return {"text": found["text"] or said[f"{verdict.verdict}_means"], "detail": "" if seat else detail}


def _short(value: Any) -> Any:
    text = _plain(value)
    return text if text.endswith(" …") else value


def _plain(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= MAX_VALUE else f"{text[:MAX_VALUE]} …"


def notes_data(timeline: Timeline, log: GameLog, notes: Iterable[Note]) -> list[dict[str, Any]]:
    """The notes that may be shown with this course of the game, each with its step `n`.

    All open: those on the whole log and those of both seats. As a seat saw it: those that were written looking so.
    """
    seen = log.header.view if timeline.seat is None else timeline.seat
    held = current_notes(notes)
    others = {note.view for note in held if note.view is not None} if seen is None else set()
    full = {seat: timeline_of(log, seat).full or [] for seat in others}
    shown = []
    for note in held:
        step: int | None = note.record if note.view == seen else None
        if note.view in full:
            step = dict(enumerate(full[note.view])).get(note.record)
        if step is not None and step < timeline.steps:
            shown.append({"id": note.id, "n": step, "mark": note.mark, "text": note.text, "by": note.by, "at": note.at})
    return shown


@cache
def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
