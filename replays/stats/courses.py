"""The course of single games in short: what both seats had left turn by turn; and games that are worth watching."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from msgspec import Struct

from replays.stats.warehouse import Warehouse
from replays.store.entries import PACK, Entry

PackPlace = tuple[str, int]
"""Pack and offset: which copy of a game it is."""


class Lives(Struct, frozen=True):
    """Life of both seats at the end of each turn, in the game's own measure."""

    first: list[int]
    second: list[int]


class Notable(Struct, frozen=True):
    """A game that is worth watching, and why."""

    what: str
    """closest, longest, biggest_turn or upset"""
    game: str
    """its rulebook"""
    place: PackPlace
    amount: float
    """the life that the winner had left; the number of turns; the life that was lost in one turn; the share of games
    that such a side wins against such a one"""
    turn: int | None
    """in which that much was lost"""
    games: int | None
    """how many games the share is of"""


def place_of(entry: Entry) -> PackPlace:
    """Where an entry's game is in the facts."""
    return PurePosixPath(entry.pack).name.removesuffix(PACK), entry.offset


def lives_of(warehouse: Warehouse, entries: Iterable[Entry]) -> dict[PackPlace, Lives]:
    """The courses of those games whose facts are in the warehouse and which have a life that is counted."""
    places = sorted({place_of(entry) for entry in entries})
    rows = warehouse.query("courses", packs=[pack for pack, _ in places], offsets=[at for _, at in places])
    return {(row["pack"], row["offset"]): Lives(row["first"], row["second"]) for row in rows.to_pylist()}


def notable_games(warehouse: Warehouse) -> list[Notable]:
    """Games that are worth watching, the foremost of each sort and rulebook first."""
    return [
        Notable(
            row["what"], row["game"], (row["pack"], row["offset"]), row["amount"], row["turn"], row["games"],
        )
        for row in warehouse.query("notable").to_pylist()
    ]  # fmt: skip
