"""The warehouse: DuckDB over the shards of a library. The only module that imports duckdb.

It is disposable: built anew beside the old one from the shards, then renamed. What the tables hold and what the
numbers mean stands in `sql/`, one file a table, a view or a metric; no SQL stands here.
"""

from __future__ import annotations

import os
import threading
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from replays.facts import SCHEMAS, table_of

SQL = Path(__file__).parent / "sql"
NAME = "warehouse.duckdb"

TABLES = {
    "packs": "games", "games": "games", "seats": "seats", "units": "", "cards": "cards", "turns": "turns",
    "strikes": "strikes", "decisions": "decisions",
}
"""The tables in the order in which they are built, and the fact table that each is read from."""

VIEWS = ("intervals", "chosen", "means", "card_rates")
"""Views and functions in the order in which they are defined."""


class WarehouseError(Exception):
    """There is no warehouse, or it cannot be built or read; the message is a sentence."""


class Warehouse:
    """A warehouse, open for reading. May be shared by threads: each query has a cursor of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Attached and not opened: a second connection to the same path would be given the file of before a rebuild.
        self._connection = duckdb.connect(":memory:", config={"autoinstall_known_extensions": False})
        try:
            self._connection.execute(_statement("open").format(path=str(path).replace("'", "''")))
        except duckdb.Error as problem:
            raise WarehouseError(f"{path} cannot be opened: {problem}") from None

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor of its own for one thread or one run of a page; it sees all tables and views."""
        cursor = self._connection.cursor()
        cursor.execute(_statement("use"))
        return cursor

    def query(self, name: str, **parameters: Any) -> pa.Table:
        """The rows of `sql/metrics/<name>.sql`; its parameters are named as they stand there, without the `$`."""
        return self.cursor().sql(_statement(f"metrics/{name}"), params=parameters).to_arrow_table()

    def close(self) -> None:
        """Closes the connection; cursors that are in use go on."""
        self._connection.close()


@cache
def _statement(name: str) -> str:
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")


def build_warehouse(library: Path, memory: str = "") -> Path:
    """Builds `library/warehouse.duckdb` from the shards in `library/facts`, beside the old one, and renames it.

    Returns its path. A library without shards has empty tables. `memory` bounds what DuckDB takes, e.g. "1GB".
    """
    library.mkdir(parents=True, exist_ok=True)
    target = library / NAME
    try:
        with TemporaryDirectory(prefix=f".{NAME}.", dir=library) as folder:
            part = Path(folder) / NAME
            with duckdb.connect(str(part), config={"memory_limit": memory} if memory else {}) as connection:
                _fill(connection, library / "facts", Path(folder))
            os.replace(part, target)
    except (duckdb.Error, OSError) as problem:
        raise WarehouseError(f"The warehouse of {library} cannot be built: {problem}") from None
    return target


def _fill(connection: duckdb.DuckDBPyConnection, facts: Path, scratch: Path) -> None:
    """Makes all tables and views. An empty shard is read with the others, so that there is always one."""
    for table in SCHEMAS:
        pq.write_table(table_of(table, []), scratch / f"{table}.parquet")
    for table, source in TABLES.items():
        files = [str(scratch / f"{source}.parquet"), *map(str, sorted(facts.glob(f"[!.]*/{source}.parquet")))]
        connection.execute(_statement(f"tables/{table}"), {"files": files} if source else None)
    for view in VIEWS:
        connection.execute(_statement(f"views/{view}"))


_open: dict[Path, tuple[tuple[int, int, int], Warehouse]] = {}
_lock = threading.Lock()


def open_warehouse(library: Path) -> Warehouse:
    """The library's warehouse; the same object until it is built anew. Raises WarehouseError where there is none."""
    path = (library / NAME).resolve()
    try:
        found = path.stat()
    except OSError:
        raise WarehouseError(f"{library} has no warehouse yet: build it first, with `cardfold build`.") from None
    stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
    with _lock:
        if path not in _open or _open[path][0] != stamp:
            _open[path] = (stamp, Warehouse(path))
        return _open[path][1]
