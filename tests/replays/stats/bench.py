"""How fast statistics are over many games: `python -m tests.replays.stats.bench -n 1000000`.

Real games are played and their facts gathered; these facts are then multiplied under new ids and packs, for this test
of speed alone, and each metric is asked for. polars counts the same in-hand win rates from the same shards: a yardstick
(`uv pip install polars`). Figures are for people; compare those of one run.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from engine.rulebooks import registry
from events.pack import read_pack
from replays.cli.bench import _peak, machine
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.stats.metrics import METRICS, Filters, metric
from replays.stats.rows import TABLES
from replays.stats.shards import build_shards, files_of
from replays.stats.warehouse import Warehouse, build_from
from replays.store.library import Library


def main() -> None:
    """Prints all figures."""
    wished = argparse.ArgumentParser(description=__doc__)
    wished.add_argument("-n", type=int, default=1_000_000, help="games in all")
    wished.add_argument("--real", type=int, default=100_000, help="of them played")
    wished.add_argument("--game", default="liveon")
    wished.add_argument("--keep", type=Path, default=None, help="folder of the library; games that it has are taken")
    told = wished.parse_args()
    for name, value in machine().items():
        print(f"{name:<12}{value}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = told.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        library = Library(folder / "real")
        _play(library, told.game, told.real)
        for name, value in _gathering(library, folder):
            print(f"{name:<48}{value:>14,.2f}", flush=True)
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:  # so that its most memory is its own
            for name, value in pool.submit(_asking, folder, told.n).result():
                print(f"{name:<48}{value:>14,.2f}", flush=True)
        for name, value in _polars(folder):
            print(f"{name:<48}{value:>14,.2f}", flush=True)


def _play(library: Library, key: str, count: int) -> None:
    have = len(library.games())
    if have < count:
        plan = Plan(game=key, decks=all_pairs(registry.load(key).shipped_decks()), count=count - have, seed=have,
                    player_kinds=("random", "random"))
        simulate_into(library, plan)


def _gathering(library: Library, folder: Path) -> Iterator[tuple[str, float]]:
    packs = library.packs()
    events = sum(len(game.events) for pack in packs for game in read_pack(pack))
    for jobs in (1, 2):
        with tempfile.TemporaryDirectory(dir=folder) as facts:
            used = os.times()
            took = _timed(lambda facts=facts, jobs=jobs: build_shards(packs, Path(facts), jobs))[0]
            after = os.times()
        cpu = after.user + after.children_user - used.user - used.children_user
        yield f"facts, {jobs} process(es): events/s", events / took
        yield f"facts, {jobs} process(es): events/s of CPU", events / cpu
    build_shards(packs, library.path / "facts", os.cpu_count())


def _asking(folder: Path, count: int) -> list[tuple[str, float]]:
    """In a process of its own: multiplies the facts, builds the warehouse, asks for each metric."""
    found: list[tuple[str, float]] = []
    many = folder / "many"
    library = Library(folder / "real")
    packs = multiply(library, many, count)
    took, path = _timed(lambda: build_from(many, packs, []))
    found.append(("warehouse: seconds to build", took))
    found.append(("warehouse: MiB", path.stat().st_size / 2**20))
    warehouse = Warehouse(path)
    wished = {"": Filters(), " (player kind, second)": Filters(player_kind="random", seat="second")}
    for name in METRICS:
        metric(warehouse, name, Filters(seat="first"))  # what is imported once, is
        for said, filters in wished.items():
            times = [_timed(lambda name=name, filters=filters: metric(warehouse, name, filters))[0] for _ in range(3)]
            found.append((f"{name}{said}: seconds", min(times)))
    page = ("draw_effect", "gih_wr", "above_deck", "iih", "play_rate", "gp_wr")
    found.append(("the whole card table: seconds", min(_timed(lambda: [metric(warehouse, n) for n in page])[0]
                                                      for _ in range(3))))
    found.append(("most memory: MiB", _peak()))
    return found


def multiply(library: Library, to: Path, count: int) -> list[Path]:
    """Facts of so many games: those of the library's over and over, under new ids, keys and packs. Gives the packs."""
    packs: list[Path] = []
    made = 0
    while made < count:
        for pack in library.packs():
            name = f"{len(packs):06}"
            target = to / "facts" / name
            if made < count and not target.exists():
                target.mkdir(parents=True)
                for table in TABLES:
                    for part, file in enumerate(files_of(pack, library.path / "facts", table)):
                        pq.write_table(_renamed(pq.read_table(file), name), target / f"{table}.{part:04}.parquet")
            files = files_of(Path(f"{name}.jsonl.zst"), to / "facts", "games")
            made += sum(pq.read_metadata(file).num_rows for file in files)
            packs.append(Path(f"{name}.jsonl.zst"))
            if made >= count:
                break
    return packs


def _renamed(table: pa.Table, name: str) -> pa.Table:
    for column in ("game_id", "game_key"):
        if column in table.column_names:
            at = table.column_names.index(column)
            table = table.set_column(at, column, pc.binary_join_element_wise(table[column], name, "-"))
    return table.set_column(0, "pack", pa.array([name] * len(table), pa.string()))


def _polars(folder: Path) -> Iterator[tuple[str, float]]:
    try:
        import polars as pl
    except ImportError:
        print("polars is not installed: no yardstick")
        return
    facts = folder / "many" / "facts"

    def in_hand() -> Any:
        cards = pl.scan_parquet(facts / "*" / "cards.*.parquet").select(
            "pack", "index", "seat", "code", k=pl.col("opening") + pl.col("drawn"))
        seats = pl.scan_parquet(facts / "*" / "seats.*.parquet").select("pack", "index", "seat", "w")
        return cards.join(seats, on=["pack", "index", "seat"]).filter(pl.col("w") != 0.5).group_by("code").agg(
            copies=pl.col("k").sum(), won=(pl.col("k") * pl.col("w")).sum(), k2=(pl.col("k") ** 2).sum(),
            k2_won=(pl.col("k") ** 2 * pl.col("w")).sum(), games=(pl.col("k") > 0).sum(),
        ).collect(engine="streaming")

    took = min(_timed(in_hand)[0] for _ in range(2))
    warehouse = Warehouse(folder / "many" / "warehouse.duckdb")
    ours = min(_timed(lambda: metric(warehouse, "gih_wr"))[0] for _ in range(3))
    expected = {row["code"]: row["copies"] for row in in_hand().to_dicts()}
    assert {row["code"]: row["copies"] for row in metric(warehouse, "gih_wr").to_pylist()} == expected
    yield "in-hand win rates, polars over the shards: seconds", took
    yield "in-hand win rates, the warehouse: seconds", ours
    yield "polars / warehouse", took / ours


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    found = work()
    return time.perf_counter() - begun, found


if __name__ == "__main__":
    main()
