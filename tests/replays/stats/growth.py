"""How a library grows with its games, step by step: `python -m tests.replays.stats.bench --grow 100000 1000000`.

Facts, sums and catalogue of real games are multiplied under new ids, each copy a day later than the one before, for
this test alone. Each step runs in a process of its own, so that its memory is its own. What is too much to be made,
the sums of more than SUMMED games, is copied from those of the real ones, and says so.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from replays.cli.bench import _peak
from replays.stats.metrics import METRICS, Filters, metric
from replays.stats.rows import TABLES
from replays.stats.shards import digests_in, files_of, stem
from replays.stats.sums import WHOSE, Whose, build_of_sums, left_out_games, make_sums, packs_to_sum
from replays.stats.warehouse import MOST_GAMES, NAME, Warehouse, build_from
from replays.store.filters import GameFilters
from replays.store.groups import Family, Groups, write_groups
from replays.store.importing import known_games
from replays.store.library import Library
from replays.store.listing import MOST_LISTED, Listing

Result = TypeVar("Result")

READ = tuple(name for name in TABLES if name != "decisions")
"""Tables of facts that are multiplied: decisions no warehouse reads."""

SUMMED = 1_000_000
"""Games up to which the sums of all packs are made here."""

OF_ALL = ("games", "seats", "names")
"""Tables of facts that a warehouse of sums reads besides these."""

PAGES = {
    "Cards": ("draw_effect", "gih_wr", "above_deck", "iih", "play_rate", "gp_wr"),
    "Decks": ("deck_win_rate", "field", "deck_rating", "matchups"),
    "Meta": ("first_player", "first_in_matchup", "lengths", "endings", "course", "trend"),
}
"""What is asked for to draw a page of the dashboard."""

NEED_GAMES = ("pair_effect",)
"""Metrics that a warehouse of sums has not."""


class Step(NamedTuple):
    """Seconds of the processor and of the clock, most memory in MiB that a step took; what it has left on disk."""

    name: str
    cpu: float
    wall: float
    peak: float
    said: str = ""
    size: float = 0
    """MiB"""
    files: int = 0


def table_of_growth(real: Library, folder: Path, counts: Sequence[int]) -> Iterator[str]:
    """The lines of the table, for each number of games. What is made in `folder` goes again."""
    for count in counts:
        there = folder / f"grown{count}"
        shutil.rmtree(there, ignore_errors=True)
        yield f"\n{count:,} games"
        yield f"{'':<62}{'CPU s':>8}{'wall s':>8}{'most MiB':>9}{'MiB':>9}{'files':>8}"
        yield from map(line_of, _steps(real.path, there, count))
        shutil.rmtree(there)


def line_of(step: Step) -> str:
    """The line of a step in the table."""
    disk = f"{step.size:>9.1f}{step.files:>8,}" if step.files else ""
    return f"{step.name + step.said:<62}{step.cpu:>8.2f}{step.wall:>8.1f}{step.peak:>9.0f}{disk}"


def _steps(real: Path, there: Path, count: int) -> Iterator[Step]:
    single = count <= MOST_GAMES
    yield _step("facts, multiplied" if single else f"facts, multiplied: {', '.join(OF_ALL)} only",
                partial(multiply, real, there, count, READ if single else OF_ALL, 1), there / "facts")  # fmt: skip
    yield _step("games that do not count, copies among them", partial(_gone, there))
    if count <= SUMMED:
        yield _step("sums of each pack", partial(_summing, there), there / "sums")
    else:
        yield _step("sums of each pack: copies", partial(multiply_sums, real, there), there / "sums")
    yield _step("warehouse of sums: adding them up", partial(_adding_up, there), there / NAME)
    yield from _asking(there, False)
    (there / NAME).unlink()
    if single:
        yield _step("warehouse of games", partial(_building, there), there / NAME)
        yield from _asking(there, True)
        (there / NAME).unlink()
    yield _step("catalogue, multiplied", partial(multiply_catalogue, real, there, count), there / "catalogue")
    yield _step("opened, the newest 50 listed (`list`)", partial(_newest, there))
    yield _step("the newest 50 of one deck, which is named", partial(_newest, there, "deck"))
    yield _step(f"as pages list them, {MOST_LISTED:,} at most", partial(_listing, there))
    yield _step("counted (`library`)", partial(_counted, there))
    yield _step("known games: before others are taken in", partial(_known, there))


def _step(name: str, work: Callable[[], object], made: Path | None = None) -> Step:
    """Does the work in a process of its own; `made` is the file or folder that it makes."""
    took = apart(partial(_measured, work))
    sizes = [] if made is None else [file.stat().st_size for file in (made, *made.rglob("*")) if file.is_file()]
    return Step(name, *took, sum(sizes) / 2**20, len(sizes))


def apart(work: Callable[[], Result]) -> Result:
    """Does the work in a process of its own, so that its most memory is its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work).result()


def _measured(work: Callable[[], object]) -> tuple[float, float, float, str]:
    """Seconds of the processor and of the clock, most memory from here on, and what the work says."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", "ascii")  # Linux counts the most memory anew
    used, begun = time.process_time(), time.perf_counter()
    said = work()
    took = time.process_time() - used, time.perf_counter() - begun
    return *took, _peak(), f" ({said})" if isinstance(said, str) else ""


# --- multiplying --------------------------------------------------------------------------------------------


def multiply(real: Path, to: Path, count: int, tables: Sequence[str] = READ, later: int = 0) -> list[Path]:
    """Facts of so many games: those of a library over and over, under new ids, keys and packs, each copy so many days
    later. Gives the packs, in the order of their numbers.
    """
    read = [
        {table: pa.concat_tables(map(pq.read_table, files_of(pack, real / "facts", table))) for table in tables}
        for pack in Library(real).packs()
    ]
    packs: list[Path] = []
    made = 0
    while made < count:
        copy, number = divmod(len(packs), len(read))
        packs.append(_pack(len(packs)))
        made += len(read[number]["games"])
        target = to / "facts" / stem(packs[-1])
        if not target.exists():
            target.mkdir(parents=True)
            for table, rows in read[number].items():
                renamed = _later(_renamed(rows, target.name), copy * later)
                pq.write_table(renamed, target / f"{table}.0000.parquet")
    return packs


def multiply_sums(real: Path, to: Path) -> None:
    """Sums of the packs whose facts were multiplied: copies of those of the real packs, which must be there."""
    packs, own = _packs(to), Library(real).packs()
    make_sums(real, own, _left_out(real, own), 1)
    for place, one in enumerate(packs_to_sum(to / "facts", packs, _left_out(to, packs))):
        copy, number = divmod(place, len(own))
        made, copied = real / "sums" / stem(own[number]), to / "sums" / stem(one.pack)
        copied.mkdir(parents=True)
        for file in made.glob("*.parquet"):
            if file.name == "sides.parquet":  # only here is a day
                pq.write_table(_later(pq.read_table(file), copy), copied / file.name, compression="zstd")
            else:
                os.link(file, copied / file.name)
        (copied / WHOSE).write_bytes(msgspec.json.encode(Whose(one.basis, digests_in(copied))))


def multiply_catalogue(real: Path, to: Path, count: int) -> None:
    """The catalogue's lines of so many games, with packs that are empty files."""
    (to / "packs").mkdir()
    (to / "catalogue").mkdir()
    own = [Library(real).file_of(pack).read_bytes() for pack in Library(real).packs()]
    games = [lines.count(b"\n") - 1 for lines in own]
    made = place = 0
    while made < count:
        copy, number = divmod(place, len(own))
        made += games[number]
        pack = to / "packs" / _pack(place).name
        pack.touch()
        new = rb'\g<1>%04x' % copy
        lines = re.sub(rb'("(?:id|key|digest)":")[0-9a-f]{4}', new, own[number])
        (to / "catalogue" / f"{stem(pack)}.jsonl").write_bytes(lines)
        place += 1


def _pack(place: int) -> Path:
    return Path(f"{place + 1:06}.own.jsonl.zst")


def _packs(there: Path) -> list[Path]:
    return [Path(f"{folder.name}.jsonl.zst") for folder in sorted((there / "facts").iterdir())]


def _renamed(table: pa.Table, name: str) -> pa.Table:
    for column in set(table.column_names) & {"game_id", "game_key"}:
        at = table.column_names.index(column)
        table = table.set_column(at, column, pc.binary_join_element_wise(table[column], name, "-"))
    return table.set_column(0, "pack", pa.array([name] * len(table), pa.string()))


def _later(table: pa.Table, days: int) -> pa.Table:
    for column in set(table.column_names) & {"day", "at"}:
        at, old = table.column_names.index(column), table[column]
        moved = pc.add(old.cast(pa.timestamp("us")), pa.scalar(timedelta(days), pa.duration("us")))
        table = table.set_column(at, column, moved.cast(old.type))
    return table


# --- building and asking ------------------------------------------------------------------------------------


def _gone(there: Path) -> str:
    return f"{len(_left_out(there, _packs(there))):,} in {len(_packs(there)):,} packs"


def _left_out(there: Path, packs: Sequence[Path]) -> pa.Table:
    with TemporaryDirectory() as scratch:
        return left_out_games(there / "facts", packs, [], Path(scratch), 1)


def _summing(there: Path) -> None:
    make_sums(there, _packs(there), _left_out(there, _packs(there)), 1)


def _adding_up(there: Path) -> None:
    build_of_sums(there, _packs(there), [], 1)


def _building(there: Path) -> None:
    build_from(there, _packs(there), [], 1)


def _asking(there: Path, single: bool) -> Iterator[Step]:
    """Every metric under every kind of filter that there is an answer to, and what pages ask."""
    chosen = apart(partial(_filters, there, single))
    asked = [(f"all metrics, {name}", filters, tuple(METRICS)) for name, filters in chosen.items()]
    asked += [(f"page {page}, all its metrics", Filters(), names) for page, names in PAGES.items()]
    for name, filters, names in asked:
        yield Step(name, *apart(partial(_asked, there, filters, names)))


def _asked(there: Path, filters: Filters, names: Sequence[str]) -> tuple[float, float, float, str]:
    metric(Warehouse(there / NAME), "deck_rating")  # what is imported once, is
    return _measured(partial(_ask, there, filters, names))


def _filters(there: Path, single: bool) -> dict[str, Filters]:
    """A filter of each kind, with a value that the warehouse has."""
    warehouse = Warehouse(there / NAME)

    def first(name: str) -> str:
        return str(warehouse.query("names", filter=name).column("value")[0].as_py())

    asked, _ = warehouse.ask("select distinct day from sides where day is not null order by day")
    days = asked.column("day").to_pylist()
    decks = warehouse.query("names", filter="deck").to_pylist()
    alike = [row["value"] for row in decks if row["game"] == decks[0]["game"]]
    write_groups(there, Groups((Family("two", decks[0]["game"], tuple(alike[:2])),)))
    found = {
        "no filter": Filters(), "one game": Filters(game=first("game")),
        "card set": Filters(card_set=first("card_set")), "format": Filters(format=first("format")),
        "kind of player": Filters(player_kind=first("player_kind")),
        "deck": Filters(deck=first("deck")), "who goes second": Filters(seat="second"),
        f"one of {len(days)} days": Filters(since=days[-1], until=days[-1]),
        "all days": Filters(since=days[0]), "unchecked too": Filters(unchecked=True),
        "families": Filters(families=True),
    }
    if single:
        found |= {"player": Filters(player=first("player")), "length": Filters(least_turns=3),
                  "ending": Filters(reasons=(first("reasons"),))}  # fmt: skip
    return found


def _ask(there: Path, filters: Filters, names: Sequence[str]) -> str:
    warehouse = Warehouse(there / NAME)
    slowest = 0.0, ""
    for name in names:
        if name not in NEED_GAMES or not warehouse.has_sums_only:
            begun = time.process_time()
            metric(warehouse, name, filters)
            slowest = max(slowest, (time.process_time() - begun, name))
    warehouse.close()
    return f"{slowest[1]} {slowest[0]:.2f}"


# --- listing ------------------------------------------------------------------------------------------------


def _newest(there: Path, named: str = "") -> str:
    kept = Library(there)
    deck = kept.newest(1)[0][0].deck_keys[0] if named else None
    found, _ = kept.newest(50, GameFilters(deck=deck))
    return f"{len(found)} games"


def _listing(there: Path) -> str:
    kept = Library(there)
    found, _ = kept.newest(MOST_LISTED)
    return f"{len(Listing(found, kept.verdicts())):,} games"


def _counted(there: Path) -> str:
    return f"{Library(there).summary()[0][1]:,} games"


def _known(there: Path) -> None:
    known_games(Library(there)).close()


