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


def words() -> dict[str, dict[str, str]]:
    """What the viewer itself says, by language."""
    return tomllib.loads(_text("words.toml"))


def game_json(timeline: Timeline, language: str = "en", badge: str = "", fault: str = "", address: str = "") -> str:
    """The game as the JSON text that `mount` takes.

    `badge` says what is known of the log: verified, whole, cut, altered or illegal; `fault` why it stops; `address`
    is the name by which the page's address calls the game.
    """
    said = words()
    more = {
        "address": address,
        "chrome": {**said["en"], **said.get(language, {})},
        "languages": {name: own["language"] for name, own in said.items()},
    }
    data = timeline.viewer_data(language, badge)
    return msgspec.json.encode({**data, "fault": data["fault"] or fault, **more}).decode()


@cache
def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
