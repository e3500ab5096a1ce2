"""The games of a playlist as a warehouse of their own, made of their facts when it is first asked for.

What is added up in the library's warehouse goes by what games are like, and which playlists a game is on changes from
one moment to the next: so the same tables are built once more, of these games alone.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq

from replays.stats.rows import LeftOutRow
from replays.stats.shards import SCHEMAS, files_of
from replays.stats.warehouse import MOST_OPEN, WAREHOUSE_TABLES, Warehouse, WarehouseError, build_from
from replays.store.groups import playlist, read_groups

_kept: OrderedDict[tuple[Any, ...], tuple[TemporaryDirectory[str], Warehouse]] = OrderedDict()
_lock = threading.Lock()


def warehouse_of(warehouse: Warehouse, name: str) -> Warehouse:
    """A warehouse of the games of a playlist; the same one until the playlist or the library's warehouse changes.

    Raises GroupsError where there is no such playlist, WarehouseError where the facts of its games are gone.
    """
    games = playlist(read_groups(warehouse.library), name).games
    place = (warehouse.path, warehouse.path.stat().st_mtime_ns, games)
    with _lock:
        if place not in _kept:
            folder = TemporaryDirectory(prefix="cardfold-", ignore_cleanup_errors=True)
            _kept[place] = folder, _made(warehouse, games, Path(folder.name))
            while len(_kept) > MOST_OPEN:
                old, made = _kept.popitem(last=False)[1]
                made.close()
                old.cleanup()
        _kept.move_to_end(place)
        return _kept[place][1]


def _made(warehouse: Warehouse, games: tuple[str, ...], folder: Path) -> Warehouse:
    """Copies the facts of these games, and builds a warehouse of them."""
    wanted: dict[str, list[int]] = defaultdict(list)
    left_out = []
    for row in warehouse.query("games_of", keys=list(games)).to_pylist():
        wanted[row["pack"]].append(row["index"])
        if row["left_out"] is not None:
            left_out.append(LeftOutRow(pack=row["pack"], offset=row["offset"], why=row["left_out"]))
    packs = [Path(pack) for pack in wanted]
    for pack in packs:
        (folder / "facts" / pack.name).mkdir(parents=True)
        for table in set(filter(None, WAREHOUSE_TABLES.values())):
            files = files_of(pack, warehouse.library / "facts", table)
            if not files:
                raise WarehouseError(f"The facts of {pack.name} have gone: build the statistics anew.")
            chosen = None if table == "names" else [("index", "in", wanted[pack.name])]  # names are given once for many
            found = pq.read_table(files, schema=SCHEMAS[table], filters=chosen)
            pq.write_table(found, folder / "facts" / pack.name / f"{table}.0000.parquet")
    return Warehouse(build_from(folder, packs, left_out), warehouse.library)
