"""Sums of the games of each pack, for libraries of more games than a warehouse could have one by one.

What a warehouse adds up by day is taken of each pack, by workers, and kept in `sums/<pack>/`; the warehouse of the
library is these, added up. So a new pack costs its own games only, and no step holds more than one pack or the sums.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from events.record import digest
from replays import workers
from replays.stats.metrics import VERSION
from replays.stats.rows import LeftOutRow
from replays.stats.shards import MANIFEST, digests_in, files_of, stem
from replays.stats.warehouse import (
    NAME,
    WAREHOUSE_TABLES,
    building,
    coarsen,
    database,
    finish,
    make_tables,
    statement,
    statements_digest,
)
from replays.store.bucket import mirror_in

TAKEN = {
    "sides": ("take", "add_sides", "keep"), "end_sums": ("take", "add", "keep"), "player_sums": ("take", "add", "keep"),
    "card_sums": ("take", "add", "keep"), "play_sums": ("take", "add", "keep"),
    "pile_sums": ("take", "add", "keep"), "turn_sums": ("take", "add", "keep"),
    "orders": ("take", "add_orders", "keep"), "places": ("take_places", "add_places", "keep_places"),
    "deck_names": ("take_all", "add_deck_names", "keep_all"),
    "filter_values": ("take_all", "add_filter_values", "keep_all"),
    "game_piles": ("take_all", "add_game_piles", "keep_all"),
}
"""Table -> the statements in `sql/sums` that take it of one pack, add it to those of others, keep it in the end."""

MADE_LAST = ("decks", "card_names")
"""Tables that are made of what was added."""

NOT_TAKEN = ("early_counts", "early_cards", "strikes")
"""Tables that no sums are made of."""

WHOSE = "whose.json"
"""The file that says of what the sums in a folder are: the last one to be there."""


class Whose(Struct, frozen=True):
    """What sums are of, and what they were when they were made."""

    basis: str
    """digest over the facts, the games that are left out, and the statements"""
    files: dict[str, str]
    """name of each file -> the digest of its bytes"""


class PackToSum(Struct, frozen=True):
    """A pack of which sums are to be made, and its games that do not count whatever their facts say."""

    pack: Path
    left_out: list[LeftOutRow]
    basis: str


class Summing(Struct, frozen=True):
    """The work of making sums, out of the facts in one folder into another."""

    facts: Path
    folder: Path

    def into(self, folder: Path) -> Summing:
        """The same, into another folder."""
        return Summing(self.facts, folder)

    def add_up(self, one: PackToSum, step: workers.Step) -> None:
        """Makes the sums of a pack, in one thread."""
        made = self.folder / stem(one.pack)
        part = made.with_name(f".{made.name}.{os.getpid()}.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        of_a_pack = [table for table in WAREHOUSE_TABLES if table not in (*MADE_LAST, *NOT_TAKEN)]
        try:
            with TemporaryDirectory() as scratch, database(Path(scratch) / NAME, 1) as connection:
                make_tables(connection, self.facts, [one.pack], Path(scratch), one.left_out, of_a_pack)
                coarsen(connection, (1,))
                for table, (take, _, _) in TAKEN.items():
                    taken = connection.sql(statement(f"sums/{take}").format(table=table))
                    taken.write_parquet(str(part / f"{table}.parquet"), compression="zstd")
            (part / WHOSE).write_bytes(msgspec.json.encode(Whose(one.basis, digests_in(part))))
            shutil.rmtree(made, ignore_errors=True)
            part.rename(made)
        finally:
            shutil.rmtree(part, ignore_errors=True)
        step()


def build_of_sums(
    folder: Path, packs: Sequence[Path], left_out: list[LeftOutRow], jobs: int | None = None,
    run: workers.Runner = workers.run_work,
) -> Path:
    """Builds `folder/warehouse.duckdb` of sums alone, as `warehouse.build_from` does of games; gives its path.

    Sums that are there and of these facts are not made again; those of packs that have gone are deleted.
    Raises WarehouseError and workers.WorkerKilled.
    """
    packs = [pack for pack in sorted(packs) if _games_in(pack, folder / "facts")]
    with building(folder) as scratch:
        gone = left_out_games(folder / "facts", packs, left_out, scratch, jobs)
        make_sums(folder, packs, gone, jobs, run)
        _add_up(folder, packs, gone, scratch, jobs)
    return folder / NAME


def make_sums(
    folder: Path, packs: Sequence[Path], gone: pa.Table, jobs: int | None = None,
    run: workers.Runner = workers.run_work,
) -> None:
    """Makes the sums of each pack in `folder/sums`, where they are not there; deletes those of packs that have gone.

    A mirror fetches those that its bucket has, and sends those that it has not: they are named by what they are of, so
    each machine of many makes the sums of some packs. `gone`: the games that statistics leave out. Raises
    workers.WorkerKilled and BucketError.
    """
    facts, sums = folder / "facts", folder / "sums"
    every = packs_to_sum(facts, packs, gone)
    for old in set(_folders(sums)) - {stem(pack) for pack in packs}:
        shutil.rmtree(sums / old)
    missing, mirror = [one for one in every if not _is_made(sums, one)], mirror_in(folder)
    if mirror is not None:
        mirror.fetch_made("sums", {stem(one.pack): one.basis for one in missing})
        missing = [one for one in missing if not _is_made(sums, one)]
    with closing(run(Summing(facts, sums).add_up, missing, jobs)) as made:
        for _ in made:
            pass
    if mirror is not None:
        mirror.send_made("sums", {stem(one.pack): one.basis for one in every})


def _add_up(folder: Path, packs: Sequence[Path], gone: pa.Table, scratch: Path, jobs: int | None) -> None:
    """Makes the warehouse of the sums of packs, in `scratch`."""
    facts, added = folder / "facts", scratch / "added.duckdb"
    with database(added, jobs) as connection:
        fresh = [table for table in WAREHOUSE_TABLES if table not in MADE_LAST]
        make_tables(connection, facts, [], scratch, [], fresh)
        connection.execute(statement("sums/packs"), {"packs": [stem(pack) for pack in packs]})
        for table, (_, add, _) in TAKEN.items():
            files = [str(folder / "sums" / stem(pack) / f"{table}.parquet") for pack in packs]
            connection.execute(statement("sums/files"), {"files": files})
            connection.execute(statement(f"sums/{add}").format(table=table), {"files": files})
        make_tables(connection, facts, packs, scratch, [], MADE_LAST)
        connection.register("left_out_games", gone)
        connection.execute(statement("sums/games"))
        _seats(facts, gone, connection)
        coarsen(connection)
        connection.unregister("left_out_games")
    with database(scratch / NAME, jobs) as connection:
        connection.execute(statement("added").format(path=str(added).replace("'", "''")))
        for table in WAREHOUSE_TABLES:
            keep = TAKEN[table][2] if table in TAKEN else "keep_all"
            connection.execute(statement(f"sums/{keep}").format(table=table))
        finish(connection)


def _games_in(pack: Path, facts: Path) -> int:
    return sum(pq.read_metadata(file).num_rows for file in files_of(pack, facts, "games"))


def left_out_games(
    facts: Path, packs: Sequence[Path], judged: list[LeftOutRow], scratch: Path, jobs: int | None
) -> pa.Table:
    """The games that statistics leave out, of all packs: no pack alone can tell whether a game is a copy of another."""
    with database(scratch / "games.duckdb", jobs) as connection:
        make_tables(connection, facts, packs, scratch, judged, ("packs", "games"))
        return connection.sql(statement("sums/left_out")).to_arrow_table()


def packs_to_sum(facts: Path, packs: Sequence[Path], left_out: pa.Table) -> list[PackToSum]:
    """What sums are to be made of, of each pack."""
    rows: dict[str, list[LeftOutRow]] = defaultdict(list)
    for row in left_out.select(["pack", "offset", "left_out"]).to_pylist():
        rows[row["pack"]].append(LeftOutRow(pack=row["pack"], offset=row["offset"], why=row["left_out"]))
    found = []
    for pack in packs:
        manifest, mine = facts / stem(pack) / MANIFEST, rows[stem(pack)]
        told = manifest.read_bytes() if manifest.exists() else b""
        basis = digest(told + msgspec.json.encode([VERSION, statements_digest(), mine]))
        found.append(PackToSum(pack, mine, basis))
    return found


def _seats(facts: Path, left_out: pa.Table, connection: Any) -> None:
    """Adds who sat in the games that are left out."""
    packs = sorted(set(left_out.column("pack").to_pylist()))
    files = [str(file) for pack in packs for file in files_of(Path(pack), facts, "seats")]
    if files:
        connection.execute(statement("sums/seats"), {"files": files})


def _folders(sums: Path) -> list[str]:
    return [folder.name for folder in sums.iterdir() if folder.is_dir()] if sums.is_dir() else []


def _is_made(sums: Path, one: PackToSum) -> bool:
    """Whether the sums of a pack are there, of this, and each byte is the one that was written."""
    folder = sums / stem(one.pack)
    try:
        whose = msgspec.json.decode((folder / WHOSE).read_bytes(), type=Whose)
        return whose == Whose(one.basis, digests_in(folder))
    except (OSError, msgspec.MsgspecError):
        return False
