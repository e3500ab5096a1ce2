"""How often 95 % intervals cover the truth: `python -m tests.replays.stats.coverage -n 1000`.

Each of n made-up worlds (games of the list of games) has decks of different strength, a card that does something, one
without text (0), and copies in hand of both; in some worlds seat 0 wins one game of five, in others four. Pairs of
cards need more games: those worlds have one deck. Figures are for people; a short run is a test.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa

from replays.stats.metrics import metric
from replays.stats.shards import SCHEMAS
from replays.stats.warehouse import Warehouse
from tests.replays.stats import given

SIZE, EARLY, COPIES = 20, 6, 2
EFFECT = 0.05
"""What a copy of the card `strong` among the first EARLY places adds to the chance to win."""

TOGETHER = 0.08
"""What a copy of `strong` and one of `partner` there add together, beyond what each does."""

CHANCES = (0.2, 0.5, 0.8)
"""Of seat 0 to win, over all decks: one world after the other has them in turn."""

STRENGTHS = (0.0, 0.05, 0.1)
"""Of the decks; the difference of two is added to the chance of the better one."""

CODES = ("strong", "blank", "partner")


def made_up(worlds: int, games: int, seed: int, to: Path, pairs: bool = False) -> Warehouse:
    """A warehouse of worlds with so many games each; seat 0 alone holds the cards, so that the truth is known.

    With `pairs`, seat 0 has one deck, and two of its cards do more together.
    """
    rng = np.random.default_rng(seed)
    n = worlds * games
    world = np.repeat(np.arange(worlds), games)
    decks = rng.integers(0, len(STRENGTHS), (n, 2))
    decks[:, 0] *= not pairs
    order = rng.permuted(np.tile(np.arange(1, SIZE + 1), (n, 1)), axis=1)
    places = {code: order[:, COPIES * at : COPIES * (at + 1)] for at, code in enumerate(CODES)}
    strength = np.array(STRENGTHS)
    early = {code: (where <= EARLY).sum(axis=1) - COPIES * EARLY / SIZE for code, where in places.items()}
    chance = np.array(CHANCES)[world % len(CHANCES)] + EFFECT * early["strong"]
    if pairs:
        chance = 0.5 + EFFECT * early["strong"] + TOGETHER * early["strong"] * early["partner"]
    won = rng.random(n) < chance + strength[decks[:, 0]] - strength[decks[:, 1]]
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
    """Share of the worlds whose interval covers the truth; of rates, apart for each chance to win."""
    found = {}
    for code, truth in (("strong", EFFECT), ("blank", 0.0)):
        effects = [row for row in metric(warehouse, "draw_effect").to_pylist() if row["code"] == code]
        found[f"draw effect, {code}"] = _share((row, truth) for row in effects)
    for name, said in (("oh_wr", "opening-hand win rate"), ("first_player", "first player")):
        rows = [row for row in metric(warehouse, name).to_pylist() if row.get("code", "blank") == "blank"]
        for chance in CHANCES:
            mine = (row for row in rows if _chance(row) == chance)
            found[f"{said}, {chance:.0%}"] = _share((row, chance) for row in mine)
    return found


def covered_pairs(warehouse: Warehouse) -> dict[str, float]:
    """The same of pair effects: of the pair that does more together, and of one without that."""
    rows = metric(warehouse, "pair_effect").to_pylist()
    return {
        f"pair effect, {codes[0]} and {codes[1]}": _share(
            (row, truth) for row in rows if {row["code"], row["other_code"]} == set(codes)
        )
        for codes, truth in ((("strong", "partner"), TOGETHER), (("strong", "blank"), 0.0))
    }


def _chance(row: dict[str, object]) -> float:
    return CHANCES[int(str(row["game"])[1:]) % len(CHANCES)]


def _share(rows: Iterable[tuple[dict[str, float], float]]) -> float:
    return float(np.mean([row["low"] <= truth <= row["high"] for row, truth in rows]))


def main() -> None:
    """Prints the shares."""
    wished = argparse.ArgumentParser(description=__doc__)
    wished.add_argument("-n", type=int, default=1000, help="worlds")
    wished.add_argument("--games", type=int, default=300, help="of a world")
    told = wished.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder, "one"), Path(folder, "other")
        found = covered(made_up(told.n, told.games, 1, one))
        found |= covered_pairs(made_up(told.n, max(told.games, 1000), 2, other, pairs=True))
        for name, share in found.items():
            print(f"{name:<40}{100 * share:>7.1f} %")


if __name__ == "__main__":
    main()
