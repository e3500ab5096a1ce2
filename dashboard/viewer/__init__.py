"""The replay viewer: one client-side component, the same for a page of the dashboard and for a file of its own.

Its parts are plain HTML, CSS and JavaScript beside this file, put together here; there is no build step.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from replays.timeline import Timeline

FOLDER = Path(__file__).parent
SCRIPTS = ("replay", "pictures", "cards", "board", "log", "inspector", "dock", "viewer")
"""In this order they are one module; the last one exports `mount`."""


def html() -> str:
    """The empty viewer: its icons and the element that `mount` fills."""
    return _text("viewer.html")


def css() -> str:
    """Its looks."""
    return _text("viewer.css")


def javascript() -> str:
    """Its code as one module."""
    return "\n".join(_text(f"{name}.js") for name in SCRIPTS)


def words(language: str) -> dict[str, str]:
    """What the viewer itself says, in English where the language has no word."""
    known = tomllib.loads(_text("words.toml"))
    return {**known["en"], **known.get(language, {})}


def game_json(timeline: Timeline, language: str = "en", badge: str = "", fault: str = "") -> str:
    """The game as the JSON text that `mount` takes.

    `badge` says what is known of the log: verified, whole, cut, altered or illegal; `fault` why it stops.
    """
    data = timeline.viewer_data(language, badge)
    return msgspec.json.encode({**data, "fault": data["fault"] or fault, "chrome": words(language)}).decode()


@cache
def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
