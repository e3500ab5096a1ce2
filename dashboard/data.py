"""What the pages show, read from the library and its warehouse, kept for as long as their files do not change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import viewer
from engine import games
from engine.cards import LANGUAGES
from engine.words import words
from replays.library import Entry, Library, LibraryError, default_path
from replays.metrics import Filters, metric
from replays.timeline import Timeline
from replays.verify import verify
from replays.warehouse import WarehouseError, open_warehouse

Stamp = tuple[tuple[str, int, int], ...]
"""name, time and size of files: what a cached answer stands for"""

LISTED = 2000
"""Games that a table lists at most, the newest first; filters look at all."""


@st.cache_resource(max_entries=4)
def _library(path: str) -> Library:
    return Library(Path(path))


def library() -> Library:
    """The library of this server. Raises LibraryError where it cannot be opened."""
    return _library(str(default_path()))


def _stamp(*folders: Path) -> Stamp:
    files = [file for folder in folders if folder.is_dir() for file in folder.iterdir() if file.is_file()]
    files += [folder for folder in folders if folder.is_file()]
    found = []
    for file in sorted(files):
        about = file.stat()
        found.append((file.name, about.st_mtime_ns, about.st_size))
    return tuple(found)


# --- games --------------------------------------------------------------------------------------------------


def entries() -> list[Entry]:
    """All games of the library, the newest first."""
    kept = library()
    return _entries(str(kept.path), _stamp(kept.path / "packs", kept.path / "live"))


@st.cache_resource(max_entries=2, show_spinner="Reading the catalogue …")
def _entries(path: str, stamp: Stamp) -> list[Entry]:
    return list(_library(path).entries())[::-1]


def table(shown: list[Entry]) -> pd.DataFrame:
    """Games as the table of the page Library."""
    return pd.DataFrame(
        {
            "Game": [title(e.game) for e in shown],
            "First": [e.players[0] for e in shown],
            "Deck": [e.decks[0] for e in shown],
            "Second": [e.players[1] for e in shown],
            "Deck ": [e.decks[1] for e in shown],
            "Won by": [won_by(e) for e in shown],
            "Turns": [e.turns for e in shown],
            "Decisions": [e.decisions for e in shown],
            "Format": [e.format for e in shown],
            "Date": [e.date or "" for e in shown],
            "Origin": [e.origin for e in shown],
            "Log": [e.state for e in shown],
            "Id": [e.id for e in shown],
        }
    )


def title(game: str, language: str = "en") -> str:
    """How people call a game."""
    return words(language, game).pattern("term.title") or game


def won_by(entry: Entry) -> str:
    """The winner's deck with the reason, in words."""
    if entry.reason is None:
        return "not ended"
    reason = words("en", entry.game).get(f"reason.{entry.reason}").lower()
    if entry.winner is None:
        return f"draw · {reason}"
    return f"{entry.decks[entry.winner] or entry.players[entry.winner]} · {reason}"


@st.cache_data(max_entries=32, show_spinner="Opening the replay …")
def _replay(path: str, key: str, stamp: Stamp, seat: int | None, language: str) -> str:
    log = _library(path).open(key)
    if not log.events:
        raise LibraryError(f"Of the game {key} not even the first line can be read: {log.fault}")
    found = verify(log)
    good = found.verdict in ("verified", "whole") and log.fault is None
    timeline = Timeline(log.events, log.rulebook, log.card_sets, seat if log.header.view is None else None)
    return viewer.game_json(timeline, language, found.verdict, "" if good else str(log.fault or found.text), key)


def replay(key: str, seat: int | None = None, language: str = "en") -> str:
    """The game of this id or key as the viewer takes it, all open or as a seat saw it. Raises LibraryError."""
    kept = library()
    stamp = _stamp(kept.path / "packs", kept.path / "live")
    return _replay(str(kept.path), key, stamp, seat, language if language in LANGUAGES else "en")


# --- statistics ---------------------------------------------------------------------------------------------


def cards(filters: Filters) -> pd.DataFrame | None:
    """The cards' rates in one table, a row a card; None where there is no warehouse yet."""
    path = library().path
    stamp = _stamp(path / "warehouse.duckdb")
    return _cards(str(path), stamp, filters) if stamp else None


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs={Filters: repr})
def _cards(path: str, stamp: Stamp, filters: Filters) -> pd.DataFrame | None:
    try:
        warehouse = open_warehouse(Path(path))
    except WarehouseError:
        return None
    rates = {name: metric(warehouse, name, filters).to_pandas() for name in ("gih_wr", "iih", "play_rate", "gp_wr")}
    found = rates["gih_wr"]
    found = found[found["copies"] > 0]
    for name, column, as_name in (
        ("iih", "difference", "iih"), ("play_rate", "rate", "play_rate"), ("gp_wr", "rate", "gp_wr"),
    ):  # fmt: skip
        extra = rates[name][["game", "code", column]].rename(columns={column: as_name})
        found = found.merge(extra, on=["game", "code"], how="left")
    looks = [_look(game, code) for game, code in zip(found["game"], found["code"], strict=True)]
    return found.assign(card=[look["name"] for look in looks], frame=[look["frame"] for look in looks])


def _look(game: str, code: str) -> dict[str, Any]:
    """Name and frame of a shipped card; the code where it is none of ours."""
    if game not in games.GAMES or code not in (known := games.load(game).cards):
        return {"name": code, "frame": ""}
    return {"name": known[code].name, "frame": known[code].words.get("colour", "")}


def deck_choices(shown: list[Entry], game: str) -> dict[str, str]:
    """Digest -> name of the decks that were played."""
    decks = [pair for e in shown if e.game == game for pair in zip(e.deck_keys, e.decks, strict=True)]
    return {key: name or key[:8] for key, name in sorted(set(decks), key=lambda pair: pair[1])}


def counted(filters: Filters) -> tuple[int, int]:
    """Games that are counted under these filters, and those left out."""
    path = library().path
    stamp = _stamp(path / "warehouse.duckdb")
    return _counted(str(path), stamp, filters) if stamp else (0, 0)


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs={Filters: repr})
def _counted(path: str, stamp: Stamp, filters: Filters) -> tuple[int, int]:
    try:
        warehouse = open_warehouse(Path(path))
    except WarehouseError:
        return 0, 0
    return tuple(  # type: ignore[return-value]
        sum(metric(warehouse, name, filters).column("games").to_pylist()) for name in ("endings", "left_out")
    )
