"""The warehouse: DuckDB over the shards of a library. The only module that imports duckdb.

It is disposable: built anew beside the old one from the shards, then renamed. What the tables hold and what the
numbers mean stands in `sql/`, one file a table, a view or a metric; no SQL stands here.
"""

from __future__ import annotations

import os
import re
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any
from uuid import uuid4

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from events.errors import CardfoldError
from events.record import digest
from replays import workers
from replays.stats.arrow import table_of
from replays.stats.extract import FACTS
from replays.stats.metrics import VERSION
from replays.stats.rows import LeftOutRow
from replays.stats.shards import SCHEMAS, FactsError, HaltError, build_shards, drop_damaged, files_of, is_built, stem
from replays.store.audit import judge
from replays.store.catalogue import packs_in
from replays.store.library import Library

SQL = Path(__file__).parent / "sql"
NAME = "warehouse.duckdb"

WAREHOUSE_TABLES = {
    "packs": "games", "games": "games", "seats": "seats", "deck_names": "", "decks": "",
    "filter_values": "", "units": "", "sides": "", "end_sums": "", "player_sums": "", "cards": "cards",
    "card_names": "names", "card_sums": "", "play_sums": "", "piles": "piles", "game_piles": "", "pile_sums": "",
    "early_counts": "", "early_cards": "", "orders": "", "places": "", "turns": "turns", "turn_sums": "",
    "strikes": "strikes",
}
"""The tables in the order in which they are built, and the fact table that each is read from. `decisions` is not
among them: it is the largest by far, and no number needs it yet."""

COARSER = (
    "cells", "sides", "end_sums", "player_sums", "card_sums", "play_sums", "pile_sums", "orders", "places", "turn_sums",
)
"""What is added up for the sides of a detail, out of what was added up for the one before, in this order."""

DETAILS = (1, 2)
"""The coarser details of sides, see `sql/tables/sides.sql`."""

VIEWS = (
    "intervals", "filtered", "means", "card_rates", "held_rates", "life_cards", "residuals", "draw_effects", "pairs",
)
"""Views and functions in the order in which they are defined."""


MAX_ROWS = 100_000
"""Rows of an answer that are given."""

MAX_SECONDS = 30.0
"""How long a question may take."""

BUILDING = "2GB"
"""Most memory that building may use; what does not fit goes to disk meanwhile."""

MOST_GAMES = 2_000_000
"""Games up to which the warehouse has tables of every game, and not sums only."""

MEMORY = "12.5%"
"""Most memory of the machine that the answers of one warehouse may use together; what does not fit goes to disk
meanwhile. A question of one's own may use as much, without the disk."""

MOST_OPEN = 3
"""Warehouses that are kept open for the next question: of libraries, and again of playlists. With the one question of
one's own that is answered at a time, what they may use together is less than the machine has."""

OF_GAMES = re.compile(r"(?:from|join) (?:units|cards|piles|turns|strikes|pairs|games|early_cards)\b")
"""What a statement reads that a warehouse of sums has not."""

OF_THOSE_LEFT_OUT = ("metrics/game/left_out",)
"""Statements that read games all the same: of those that are left out it has them."""

READING = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)
"""What a question may be; DESCRIBE, SUMMARIZE and SHOW are SELECTs."""


NO_GAMES = (
    f"This library has more than {MOST_GAMES:,} games, of which the statistics keep sums only: by deck, card, day and "
    "card set. They know no single games, players, lengths and endings to choose by: take the games in question out "
    "with `cardfold export`, and ask in a library of these."
)

TOO_LARGE = (
    f"This takes more memory than a question may use ({MEMORY} of the machine's): ask about fewer games, for example "
    "of one game or card set."
)

BUSY = "Another question is still being answered: ask again in a moment."

_asking = threading.Lock()
"""Held while a question of somebody's own is answered."""


warnings.filterwarnings("ignore", "Arrow output on a DB-API result", UserWarning)
"""The other way of asking, by a relation, plans each statement twice, which takes longer than most answers."""


class WarehouseError(CardfoldError):
    """There is no warehouse, or it cannot be built, read or asked this; the message is a sentence."""


class NoWarehouseError(WarehouseError):
    """Nothing has been counted yet."""


class OutdatedError(WarehouseError):
    """The warehouse was built by another version of Cardfold."""


class QuestionError(WarehouseError):
    """A question that the warehouse cannot answer; the message is a sentence."""


class Warehouse:
    """A warehouse, open for reading. May be shared by threads: each query has a cursor of its own."""

    def __init__(self, path: Path, library: Path | None = None) -> None:
        """`library`: the folder whose groups filters name; that of the warehouse, unless another is given."""
        self.path = path
        self.library = library or path.parent
        # Attached and not opened: a second connection to the same path would be given the file of before a rebuild.
        self._connection = duckdb.connect(":memory:", config={
            "autoinstall_known_extensions": False, "memory_limit": MEMORY,
            # made when it is needed, and gone with the connection
            "temp_directory": str(Path(gettempdir()) / f"cardfold-{uuid4()}"),
        })
        try:
            self._connection.execute(statement("open").format(path=str(path).replace("'", "''")))
        except duckdb.Error as problem:
            raise WarehouseError(f"{path} cannot be opened: {problem}") from None
        built = self._built_by()
        if built.get("version") != VERSION:
            raise OutdatedError(
                f"{path} holds numbers of definition version {built.get('version', 'm1')}; this is {VERSION}, in which "
                "some mean something else: build it anew, with `cardfold build`."
            )
        if built.get("statements") != statements_digest():
            raise OutdatedError(f"{path} was built by another Cardfold: build it anew, with `cardfold build`.")
        self._kept: dict[tuple[str, ...], pa.Table] = {}
        self.has_sums_only = bool(self.query("has_sums_only").column("has_sums_only")[0].as_py())

    def _built_by(self) -> dict[str, str]:
        """By what it was built: version of the definitions, digest of the statements; the first ones did not say so."""
        try:
            return dict(self.query("built_by").to_pylist()[0])
        except duckdb.CatalogException:
            return {}

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor of its own for one thread or one run of a page; it sees all tables and views."""
        cursor = self._connection.cursor()
        cursor.execute(statement("use"))
        return cursor

    def query(self, name: str, **parameters: Any) -> pa.Table:
        """The rows of `sql/<name>.sql`; its parameters are named as they stand there, without the `$`.

        Raises QuestionError where it asks for single games and there are sums only, or for more than fits.
        """
        if name not in OF_THOSE_LEFT_OUT and OF_GAMES.search(statement(name)):
            self.need_games()
        try:
            return self.cursor().execute(statement(name), parameters).to_arrow_table()
        except duckdb.OutOfMemoryException:
            raise QuestionError(TOO_LARGE) from None

    def kept(self, name: str, **parameters: str) -> pa.Table:
        """As `query`, asked once: for what is named, which every answer needs."""
        asked = (name, *parameters.values())
        if asked not in self._kept:
            self._kept[asked] = self.query(name, **parameters)
        return self._kept[asked]

    def need_games(self) -> None:
        """Raises QuestionError where there are sums of games only."""
        if self.has_sums_only:
            raise QuestionError(NO_GAMES)

    def ask(self, question: str, most_rows: int = MAX_ROWS, seconds: float = MAX_SECONDS) -> tuple[pa.Table, bool]:
        """The rows of a SELECT that somebody wrote, over the documented tables; and whether there were more of them.

        It can read the warehouse and nothing else: no file, no address, no setting. At most `most_rows` rows are given;
        a question that takes longer than `seconds` is stopped. Others wait for it, as long. Raises QuestionError, with
        the mistake in a sentence.
        """
        if not _asking.acquire(timeout=seconds):
            raise QuestionError(BUSY)
        try:
            return self._asked(question, most_rows, seconds)
        finally:
            _asking.release()

    def _asked(self, question: str, most_rows: int, seconds: float) -> tuple[pa.Table, bool]:
        connection = self._shut_in()
        alarm = threading.Timer(seconds, connection.interrupt)
        alarm.start()
        try:
            statements = connection.extract_statements(question)
            if len(statements) != 1 or statements[0].type not in READING:
                raise QuestionError("Only one SELECT can be asked at a time: the warehouse is read, never changed.")
            return _rows_of(connection.sql(question), most_rows)
        except duckdb.InterruptException:
            raise QuestionError(f"The question took longer than {seconds:g} seconds and was stopped.") from None
        except duckdb.OutOfMemoryException:
            raise QuestionError(TOO_LARGE) from None
        except duckdb.Error as problem:
            raise QuestionError(f"DuckDB says: {str(problem).strip()}") from None
        finally:
            alarm.cancel()
            connection.close()

    def _shut_in(self) -> duckdb.DuckDBPyConnection:
        """A connection of its own that reaches nothing but the warehouse, and cannot be told otherwise."""
        connection = duckdb.connect(":memory:", config={
            "autoinstall_known_extensions": False, "autoload_known_extensions": False, "memory_limit": MEMORY,
            "max_temp_directory_size": "0KB",
        })
        try:
            connection.execute(statement("open").format(path=str(self.path).replace("'", "''")))
            connection.execute(statement("use"))
            connection.execute(statement("shut"))
        except duckdb.Error as problem:
            connection.close()
            raise WarehouseError(f"{self.path} cannot be opened: {problem}") from None
        return connection

    def close(self) -> None:
        """Closes the connection; cursors that are in use go on."""
        self._connection.close()


def _rows_of(found: duckdb.DuckDBPyRelation, most: int) -> tuple[pa.Table, bool]:
    reader = found.to_arrow_reader(10_000)
    batches, count = [], 0
    for batch in reader:
        batches.append(batch)
        count += len(batch)
        if count > most:
            break
    table = pa.Table.from_batches(batches, reader.schema).slice(0, most)
    return table.replace_schema_metadata({"definition": VERSION}), count > most


@cache
def statements_digest() -> str:
    """The digest of the statements that make a warehouse, by which one is known that another Cardfold has built."""
    made = (file for folder in ("tables", "coarser", "sums", "views") for file in sorted((SQL / folder).glob("*.sql")))
    return digest(b"\0".join(file.read_bytes() for file in made))


@cache
def statement(name: str) -> str:
    """What stands in `sql/<name>.sql`."""
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")


def update(
    library: Path, jobs: int = 1, progress: Callable[[int, int], None] | None = None,
    said: Callable[[str], object] = lambda sentence: None, run: workers.Runner = workers.run_work,
) -> list[FactsError]:
    """Brings facts and warehouse up to the packs in `library/packs`: what `cardfold build` does.

    May be stopped at any time and begun again. `progress` is told of how many games of how many the facts are gathered,
    `said` which facts are damaged and made anew. Returns what of the packs is damaged or could not be read; the rest is
    counted. Raises WarehouseError and workers.WorkerKilled.
    """
    kept = Library(library)
    judge(kept, jobs=jobs)
    packs, facts = packs_in(library), library / "facts"
    if kept.mirror is not None:
        kept.send()
        kept.mirror.fetch_made("facts", {stem(pack): str(FACTS) for pack in packs if not (facts / stem(pack)).exists()})
    try:
        for pack in drop_damaged(packs, facts):
            said(f"The facts of {pack.name} are damaged or of another version: they are made anew.")
        problems = build_shards(packs, facts, jobs, progress, run)
        if kept.mirror is not None:
            kept.mirror.send_made("facts", {stem(pack): str(FACTS) for pack in packs if is_built(pack, facts)})
        build_warehouse(library, jobs, run)
    except HaltError as problem:
        raise WarehouseError(str(problem)) from None
    return [*problems, *map(FactsError, kept.damage())]


def build_warehouse(library: Path, jobs: int | None = None, run: workers.Runner = workers.run_work) -> Path:
    """Builds `library/warehouse.duckdb` from the shards of its packs, beside the old one, and renames it.

    Returns its path. Works in so many threads or processes (None: one a core). Shards are `library/facts/<pack>/`; one
    whose pack has gone is not read, one that is not built yet is left for the next time. A library without packs has
    empty tables, one of more than MOST_GAMES games has sums only. Raises WarehouseError.
    """
    facts = library / "facts"
    packs = [pack for pack in packs_in(library) if is_built(pack, facts)]
    left_out = [LeftOutRow(pack=pack, offset=offset, why=why) for pack, offset, why in Library(library).left_out()]
    if sum(pq.read_metadata(file).num_rows for pack in packs for file in files_of(pack, facts, "games")) > MOST_GAMES:
        from replays.stats.sums import build_of_sums  # which stands on this module

        return build_of_sums(library, packs, left_out, jobs, run)
    return build_from(library, packs, left_out, jobs)


def build_from(
    folder: Path, packs: Sequence[Path], left_out: list[LeftOutRow], jobs: int | None = None
) -> Path:
    """Builds `folder/warehouse.duckdb` from the shards in `folder/facts` of these packs, which need not be there.

    `left_out`: games that do not count whatever their facts say. Returns its path. Raises WarehouseError.
    """
    with building(folder) as scratch, database(scratch / NAME, jobs) as connection:
        make_tables(connection, folder / "facts", packs, scratch, left_out)
        coarsen(connection)
        finish(connection)
    return folder / NAME


@contextmanager
def building(folder: Path) -> Iterator[Path]:
    """A folder in which to build a warehouse, which is that of `folder` when it is whole. Raises WarehouseError."""
    try:
        with TemporaryDirectory(prefix=f".{NAME}.", dir=folder) as scratch:
            yield Path(scratch)
            os.replace(Path(scratch) / NAME, folder / NAME)
    except (duckdb.Error, OSError, pa.ArrowException) as problem:
        raise WarehouseError(f"The warehouse of {folder} cannot be built: {problem}") from None


@contextmanager
def database(path: Path, jobs: int | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in this file, for so many threads (None: one a core), on the disk when the block has ended well."""
    own: dict[str, Any] = {"memory_limit": BUILDING, "threads": jobs or os.cpu_count() or 1}
    with duckdb.connect(str(path), config=own) as connection:
        connection.execute(statement("quiet"))
        connection.begin()
        yield connection
        connection.commit()
        connection.checkpoint()  # closing does it too, but says nothing where the disk is full


def make_tables(
    connection: duckdb.DuckDBPyConnection, facts: Path, packs: Sequence[Path], scratch: Path,
    left_out: list[LeftOutRow], tables: Iterable[str] = WAREHOUSE_TABLES,
) -> None:
    """Makes tables from the shards of packs, and from an empty one, so that there always is one.

    `left_out`: games that do not count whatever their facts say.
    """
    connection.register("judged", table_of(LeftOutRow, left_out))
    for table, schema in SCHEMAS.items():
        pq.ParquetWriter(scratch / f"{table}.parquet", schema).close()
    for table in tables:
        source = WAREHOUSE_TABLES[table]
        shards = (file for pack in packs for file in files_of(pack, facts, source))
        files = [str(file) for file in (scratch / f"{source}.parquet", *shards)]
        connection.execute(statement(f"tables/{table}"), {"files": files} if source else None)
    connection.unregister("judged")


def coarsen(connection: duckdb.DuckDBPyConnection, details: Iterable[int] = DETAILS) -> None:
    """Adds what is added up for the sides of these details to the tables."""
    for detail in details:
        for table in COARSER:
            coarser = statement(f"coarser/{table}")
            connection.execute(coarser, {"detail": detail} if "$detail" in coarser else None)


def finish(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the views and functions, and says by which definitions."""
    for view in VIEWS:
        connection.execute(statement(f"views/{view}"))
    connection.execute(statement("definition"), {"version": VERSION, "statements": statements_digest()})


_open: OrderedDict[Path, tuple[tuple[int, int, int], Warehouse]] = OrderedDict()
_lock = threading.Lock()


def open_warehouse(library: Path) -> Warehouse:
    """The library's warehouse; the same object until it is built anew. Raises WarehouseError where there is none."""
    path = (library / NAME).resolve()
    try:
        found = path.stat()
    except OSError:
        raise NoWarehouseError(f"{library} has no warehouse yet: build it first, with `cardfold build`.") from None
    stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
    with _lock:
        if path not in _open or _open[path][0] != stamp:
            _open[path] = (stamp, Warehouse(path))
        _open.move_to_end(path)
        while len(_open) > MOST_OPEN:
            _open.popitem(last=False)  # closed when nobody reads it any more
        return _open[path][1]
