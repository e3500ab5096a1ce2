"""How often 95 % intervals cover the truth: `python -m tests.replays.stats.coverage -n 1000`.

Each of n made-up worlds (games of the list of games) has decks of different strength, a card that does something, one
without text (0), and copies in hand of both. Figures are for people; a short run is a test.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa

from replays.stats.metrics import metric
from replays.stats.shards import SCHEMAS
from replays.stats.warehouse import Warehouse
from tests.replays.stats import given

SIZE, EARLY, COPIES = 20, 6, 2
EFFECT = 0.08
"""What a copy of the card `strong` among the first EARLY places adds to the chance to win."""

STRENGTHS = (0.0, 0.1, 0.2)
"""Of the decks; the difference of two is added to the chance of the better one."""


def made_up(worlds: int, games: int, seed: int, to: Path) -> Warehouse:
    """A warehouse of worlds with so many games each; seat 0 alone holds the cards, so that the truth is known."""
    rng = np.random.default_rng(seed)
    n = worlds * games
    world = np.repeat(np.arange(worlds), games)
    decks = rng.integers(0, len(STRENGTHS), (n, 2))
    order = rng.permuted(np.tile(np.arange(1, SIZE + 1), (n, 1)), axis=1)
    places = {"strong": order[:, :COPIES], "blank": order[:, COPIES : 2 * COPIES]}
    strength = np.array(STRENGTHS)
    early = (places["strong"] <= EARLY).sum(axis=1)
    chance = 0.5 + strength[decks[:, 0]] - strength[decks[:, 1]] + EFFECT * (early - COPIES * EARLY / SIZE)
    won = rng.random(n) < chance
    opening = {code: rng.integers(0, COPIES + 1, n) for code in places}
    tables = {name: schema.empty_table() for name, schema in SCHEMAS.items()}
    index = np.arange(n)
    tables["games"] = _table(
        "games", n, index=index, game=np.char.add("w", world.astype(str)), game_key=np.char.add("k", index.astype(str)),
        turns=9, first_seat=0, winner=1 - won.astype(int),
    )
    tables["seats"] = _table(
        "seats", 2 * n, index=np.repeat(index, 2), seat=np.tile([0, 1], n), first=np.tile([True, False], n),
        deck=np.char.add("d", decks.astype(str)).reshape(-1), w=np.stack([won, ~won], 1).reshape(-1).astype(float),
    )
    tables["piles"] = _table("piles", n, index=index, pile="deck", size=SIZE, early=EARLY, life=False, seen=SIZE)
    tables["cards"] = pa.concat_tables(
        _table("cards", n, index=index, seat=0, code=code, deck=COPIES, opening=opening[code], pile="deck",
               unseen=COPIES - opening[code], places=list(map(sorted, where.tolist())))
        for code, where in places.items()
    )
    return given.of_tables(to, tables)


def _table(name: str, rows: int, **columns: object) -> pa.Table:
    """A fact table of so many rows: these columns (a single value for all rows), 0, no or nothing in the others."""
    filled = {
        "pack": "given", "game_id": "g", "offset": 0, "ended": True, "sealed": True, "reason": "lp",
        "origin": "simulated", "deck_name": "", "player": "A", "player_kind": "human", **columns,
    }
    found = []
    for field in SCHEMAS[name]:
        value = filled.get(field.name, 0 if pa.types.is_integer(field.type) and field.name not in _MISSING else None)
        values = value if isinstance(value, list | np.ndarray) else [value] * rows
        found.append(pa.array(values, field.type))
    return pa.table(found, SCHEMAS[name])


_MISSING = ("view", "first_turn", "turns_held", "life")
"""Numbers of the fact tables that are nothing where nothing is said."""


def covered(warehouse: Warehouse) -> dict[str, float]:
    """Share of the worlds whose interval covers the truth."""
    effects = metric(warehouse, "draw_effect").to_pylist()
    found = {}
    for code, truth in (("strong", EFFECT), ("blank", 0.0)):
        mine = [row for row in effects if row["code"] == code]
        found[f"draw effect, {code}"] = float(np.mean([row["low"] <= truth <= row["high"] for row in mine]))
    rates = [row for row in metric(warehouse, "oh_wr").to_pylist() if row["code"] == "blank"]
    found["opening-hand win rate"] = float(np.mean([row["low"] <= 0.5 <= row["high"] for row in rates]))
    decks = metric(warehouse, "first_player").to_pylist()
    found["first player"] = float(np.mean([row["low"] <= 0.5 <= row["high"] for row in decks]))
    return found


def main() -> None:
    """Prints the shares."""
    wished = argparse.ArgumentParser(description=__doc__)
    wished.add_argument("-n", type=int, default=1000, help="worlds")
    wished.add_argument("--games", type=int, default=300)
    told = wished.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, share in covered(made_up(told.n, told.games, 1, Path(folder))).items():
            print(f"{name:<32}{100 * share:>7.1f} %")


if __name__ == "__main__":
    main()
