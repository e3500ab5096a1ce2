"""Stretches of a pack: games that stand side by side in it, for a worker to read."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from events.game import GameLog
from events.pack import Unpacking, pack_index, shared_at
from events.reader import Reader
from events.record import LogError


class Stretch(NamedTuple):
    """Some games of a pack that stand side by side; the default is all of them."""

    start: int = 0
    """where the first one's frame begins"""
    end: int | None = None
    """where the frame after the last one's begins; None where it is the last of the pack"""
    first: int = 0
    """the number of the first one in the pack"""
    shared: tuple[tuple[int, int], ...] = ()
    """offset and length of the frames of shared lines and dictionaries that stand before it and that it needs"""
    games: int = 0
    """how many there are, where that is known"""


def stretches(path: Path, size: int) -> Iterator[Stretch]:
    """Cuts a pack into stretches of so many games, the last of what is left.

    Raises LogError for what is no pack, or where it is damaged.
    """
    held: Stretch | None = None
    games = 0
    for entry in pack_index(path):
        if entry.kind == "damaged":
            raise LogError("is damaged here.", path.name, byte=entry.offset)
        if entry.kind != "game_started":
            continue
        if held is None or games % size == 0:
            if held is not None:
                yield held._replace(end=entry.offset, games=size)
            held = Stretch(entry.offset, None, games)
        more = [place for place in entry.shared if place[0] < held.start and place not in held.shared]
        held = held._replace(shared=(*held.shared, *more)) if more else held
        games += 1
    if held is not None:
        yield held._replace(games=games - held.first)


def games_in(path: Path, stretch: Stretch) -> Iterator[GameLog]:
    """The games of a stretch of a pack, as read_games gives them."""
    with path.open("rb") as file:
        file.seek(stretch.start)
        needed = shared_at(path, stretch.shared)
        pieces = Unpacking(file, path.name, at=stretch.start, dictionaries=needed.dictionaries).pieces()
        wanted = itertools.takewhile(lambda piece: stretch.end is None or piece.at < stretch.end, pieces)
        reader = Reader(path.name, needed.shared, stretch.first)
        yield from reader.games(wanted, packed=True)
