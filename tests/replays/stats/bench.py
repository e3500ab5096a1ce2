"""How statistics grow with the number of games: `python -m tests.replays.stats.bench -n 1000000`.

Real games are played (or taken of `--keep FOLDER`) and their facts gathered; these facts are then multiplied under new
ids and packs, for this test of speed and size alone, and each metric is asked for. polars counts the same in-hand win
rates from the same shards: a yardstick (`uv pip install polars`). `--grow 100000 10000000` prints how size, time and
memory grow instead (see `growth`). Figures are for people; compare those of one run.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from engine.rulebooks import registry
from events.pack import read_pack
from replays.cli.bench import _peak, machine
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.stats.metrics import METRICS, Filters, metric
from replays.stats.shards import build_shards
from replays.stats.warehouse import NAME, Warehouse, build_from
from replays.store.library import Library
from tests.replays.stats.growth import PAGES, apart, multiply, table_of_growth

GATHERED = 7_000
"""Games at least of which facts are gathered by one process and by two; the smallest packs are taken. To start two
processes takes more than a second of processor time, for which 3,000 games are too few."""

def main() -> None:
    """Prints all figures."""
    wished = argparse.ArgumentParser(description=__doc__)
    wished.add_argument("-n", type=int, default=1_000_000, help="games in all")
    wished.add_argument("--real", type=int, default=100_000, help="of them played")
    wished.add_argument("--game", default="liveon")
    wished.add_argument("--keep", type=Path, default=None, help="folder of the library; games that it has are taken")
    wished.add_argument("--grow", type=int, nargs="*", default=[], help="only the table of growth, for these numbers")
    told = wished.parse_args()
    for name, value in machine().items():
        print(f"{name:<12}{value}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = told.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        library = Library(folder / "real")
        _play(library, told.game, told.real)
        if told.grow:
            build_shards(library.packs(), library.path / "facts")
            for line in table_of_growth(library, folder, told.grow):
                print(line, flush=True)
            return
        for name, value in _gathering(library, folder):
            print(f"{name:<48}{value:>14,.2f}", flush=True)
        packs = apart(partial(multiply, folder / "real", folder / "many", told.n))
        for name, value in apart(partial(_asking, folder / "many", packs)):
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
    packs = _some(library)
    events = sum(len(game.events) for pack in packs for game in read_pack(pack))
    took: dict[int, tuple[float, float]] = {}
    for jobs in (1, 2):
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            used = os.times()
            facts = _timed(lambda there=scratch, jobs=jobs: build_shards(packs, Path(there) / "facts", jobs))[0]
            after = os.times()
            warehouse = _timed(lambda there=scratch, jobs=jobs: build_from(Path(there), packs, [], jobs))[0]
        took[jobs] = facts, facts + warehouse
        cpu = after.user + after.children_user - used.user - used.children_user
        yield f"facts, {jobs} process(es): events/s", events / facts
        yield f"facts, {jobs} process(es): events/s of CPU", events / cpu
    yield "facts: times as fast on two cores", took[1][0] / took[2][0]
    yield "facts and warehouse: times as fast on two cores", took[1][1] / took[2][1]
    build_shards(library.packs(), library.path / "facts", os.cpu_count())


def _some(library: Library) -> list[Path]:
    """The smallest packs with GATHERED games together, or all."""
    found: list[Path] = []
    count = 0
    for pack in sorted(library.packs(), key=lambda pack: pack.stat().st_size):
        if count >= GATHERED:
            break
        found.append(pack)
        count += sum(1 for _ in library.keys_of(pack))
    return found


def _asking(many: Path, packs: list[Path]) -> list[tuple[str, float]]:
    """Builds the warehouse of these packs, asks for each metric."""
    found: list[tuple[str, float]] = []
    used = time.process_time()
    took, path = _timed(lambda: build_from(many, packs, []))
    found.append(("warehouse: seconds to build", took))
    found.append(("warehouse: CPU seconds to build", time.process_time() - used))
    found.append(("warehouse: MiB", path.stat().st_size / 2**20))
    warehouse = Warehouse(path)
    wished = {
        "": Filters(), " (player kind, second)": Filters(player_kind="random", seat="second"),
        " (length)": Filters(least_turns=3),
    }
    for name in METRICS:
        metric(warehouse, name, Filters(seat="first"))  # what is imported once, is
        for said, filters in wished.items():
            times = []
            used = time.process_time()
            for _ in range(3):
                times.append(_timed(lambda name=name, filters=filters: metric(warehouse, name, filters))[0])
            found.append((f"{name}{said}: seconds", min(times)))
            found.append((f"{name}{said}: CPU seconds", (time.process_time() - used) / 3))
    found += _pages(warehouse)
    found.append(("most memory: MiB", _peak()))
    return found


def _pages(warehouse: Warehouse) -> Iterator[tuple[str, float]]:
    """What the queries of each page take, all of them."""
    for page, names in PAGES.items():
        took = min(_timed(lambda names=names: [metric(warehouse, name) for name in names])[0] for _ in range(3))
        yield f"page {page}, all its metrics: seconds", took


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
        games = pl.scan_parquet(facts / "*" / "games.*.parquet").filter(pl.col("turns") > 1).select("pack", "index")
        seats = pl.scan_parquet(facts / "*" / "seats.*.parquet").select("pack", "index", "seat", "w")
        seats = seats.join(games, on=["pack", "index"])  # shorter games do not count
        return cards.join(seats, on=["pack", "index", "seat"]).filter(pl.col("w") != 0.5).group_by("code").agg(
            copies=pl.col("k").sum(), won=(pl.col("k") * pl.col("w")).sum(), k2=(pl.col("k") ** 2).sum(),
            k2_won=(pl.col("k") ** 2 * pl.col("w")).sum(), games=(pl.col("k") > 0).sum(),
        ).collect(engine="streaming")

    took = min(_timed(in_hand)[0] for _ in range(2))
    warehouse = Warehouse(folder / "many" / NAME)
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
