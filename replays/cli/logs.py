"""The logs that commands are given: files, standard input, or games of the library by their ids."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from events.game import GameLog
from events.record import LogError
from replays.cli.output import say
from replays.store.archives import games_from
from replays.store.library import Library
from replays.store.share import seat_of

SUFFIXES = (".jsonl", ".zst", ".gz", ".zip", ".html")
"""Endings of files: what is called so is no id of a game, whether it is there or not."""


def open_log(name: str, library: Path | None, number: int = 1) -> GameLog:
    """A game from a file (or standard input), else from the library by its id."""
    found = _games_of_file(name)
    return Library(library).open(name) if found is None else _nth(found, number, name)


def chosen_seat(found: GameLog, given: str | None) -> int | None:
    """The seat that an option names by number or player, if it does; says which. Raises LogError."""
    if given is None:
        return None
    seat = seat_of(found, given)
    say(f"As seat {seat} ({found.header.seats[seat].player}) saw it.")
    return seat


def all_logs(name: str, library: Path | None) -> Iterator[GameLog]:
    """All games of a file (or of standard input), else the one of the library with this id."""
    found = _games_of_file(name)
    if found is None:
        yield Library(library).open(name)
    else:
        yield from found


def _games_of_file(name: str) -> Iterator[GameLog] | None:
    """The games of what the name leads to; None where it names no file, and so may be an id."""
    if name == "-":
        return games_from("standard input", sys.stdin.buffer)
    path = Path(name)
    return games_from(name, path) if path.exists() or path.suffix in SUFFIXES else None


def _nth(found: Iterator[GameLog], number: int, name: str) -> GameLog:
    count = 0
    for game in found:
        count += 1
        if count == number:
            if not game.events and game.fault is not None:
                raise game.fault
            return game
    raise LogError(f"has {count} games; there is no game {number}.", name)
