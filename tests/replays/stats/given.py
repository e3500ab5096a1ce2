"""Facts that a test gives in a few words, as the warehouse that they make.

A game is a dict; what it does not say is the ordinary thing: two decks `A` and `B` by players `Ann` and `Bo`, seat 0
goes first and wins after ten turns. `cards` lists dicts of `seat`, `code` and the numbers that are not 0; `times` says
how many such games there were, `key` whose copy it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from replays.stats.shards import SCHEMAS
from replays.stats.warehouse import Warehouse, build_from

PACK = Path("given.jsonl.zst")
GAME: dict[str, Any] = {
    "game": "toy", "decks": ("A", "B"), "players": ("Ann", "Bo"), "player_kinds": ("human", "human"), "first": 0,
    "winner": 0, "turns": 10, "reason": "lp", "day": None, "card_sets": ["TOY 1"], "cards": (), "piles": (),
    "course": (), "redrawn": (0, 0), "times": 1, "key": None,
}
CLASSES = ("opening", "drawn", "fetched", "started", "turned_up", "milled", "unseen")


def warehouse(folder: Path, games: Iterable[Mapping[str, Any]], names: Iterable[Mapping[str, str]] = ()) -> Warehouse:
    """A warehouse in which just these games count."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in SCHEMAS}
    rows["names"] += [{"pack": "given", "index": 0, "card_set": "TOY", "version": "1", **name} for name in names]
    every: list[dict[str, Any]] = []
    for said in games:
        unknown = said.keys() - GAME.keys()
        assert not unknown, f"no game says {unknown}"
        every += [{**GAME, **said}] * said.get("times", 1)
    for index, game in enumerate(every):
        _add(rows, index, game)
    return of_tables(folder, {name: pa.Table.from_pylist(some, SCHEMAS[name]) for name, some in rows.items()})


def of_tables(folder: Path, tables: Mapping[str, pa.Table]) -> Warehouse:
    """A warehouse of these fact tables, all of the pack `given`."""
    shard = folder / "facts" / "given"
    shard.mkdir(parents=True)
    for name, table in tables.items():
        pq.write_table(table, shard / f"{name}.0000.parquet")
    return Warehouse(build_from(folder, [PACK], []))


def _add(rows: dict[str, list[dict[str, Any]]], index: int, game: Mapping[str, Any]) -> None:
    at = {"pack": "given", "index": index}
    winner = None if game["winner"] in (None, "draw") else game["winner"]
    day = date.fromisoformat(game["day"]) if isinstance(game["day"], str) else game["day"]
    rows["games"].append({
        **at, "offset": index, "game_id": f"g{index}", "game_key": game["key"] or f"k{index}", "game": game["game"],
        "rulebook": "1", "card_sets": game["card_sets"], "format": "open", "origin": "simulated", "day": day,
        "tags": [], "turns": game["turns"], "first_seat": game["first"], "winner": winner, "reason": game["reason"],
        "records": 1, "decisions": 1, "ended": True, "sealed": True,
    })  # fmt: skip
    for seat in (0, 1):
        rows["seats"].append({
            **at, "seat": seat, "player": game["players"][seat], "player_kind": game["player_kinds"][seat],
            "deck": game["decks"][seat], "deck_name": f"Deck {game['decks'][seat]}", "first": game["first"] == seat,
            "w": 0.5 if winner is None else float(winner == seat), "life": None, "redrawn": game["redrawn"][seat],
        })  # fmt: skip
    for card in game["cards"]:
        filled = {name: 0 for name in SCHEMAS["cards"].names if name not in ("pack", "index", "places")}
        filled = {**filled, "first_turn": None, "turns_held": None, "pile": "deck", **card}
        filled["deck"] = filled["deck"] or sum(filled[name] for name in CLASSES) or len(card.get("places", ()))
        rows["cards"].append({**at, **filled})
    for pile in game["piles"]:
        rows["piles"].append({**at, "pile": "deck", "early": 2, "life": False, "seen": pile["size"], **pile})
    for turn in game["course"]:
        rows["turns"].append({**at, "seat": 0, "hand_0": 0, "hand_1": 0, "deck_0": 0, "deck_1": 0, **turn})
