"""Shards: the facts of each pack as Parquet, a folder with a file for each table and part of the pack.

A shard is built beside its place and renamed, so that it is never half there, and never changes afterwards: its
manifest has the digest of each of its files. The parts are the same however many workers gather them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from engine.state import Declared
from events.errors import CardfoldError
from events.game import GameLog
from events.kinds import CardSet
from events.open import read_games
from events.record import LogError
from events.stretches import Stretch, games_in, stretches
from replays import workers
from replays.stats.arrow import schema_of, table_of
from replays.stats.extract import FACTS, game_rows, name_rows
from replays.stats.rows import TABLES, Rows
from replays.store.bucket import brought
from replays.store.packs import digest_of

PART = 500
"""Games of a part, the work that one worker does in one go."""

AT_ONCE = 1_000
"""Rows that are held as they come, before they are packed into columns."""

ROWS, SIZE = 50_000, 1 << 20
"""Rows, and bytes of them, that are held in columns before they are written: a table's row group."""

SCHEMAS = {name: schema_of(row) for name, row in TABLES.items()}
"""Name of a table -> its columns."""

MANIFEST = "manifest.json"
"""The file of a shard that says what the others are."""


class Manifest(Struct, frozen=True):
    """What a shard was when it was built."""

    facts: int
    """version of the facts"""
    files: dict[str, str]
    """name of each file -> the digest of its bytes"""


class FactsError(CardfoldError):
    """A pack whose facts cannot be gathered; the message is a sentence with the pack's name."""


class HaltError(CardfoldError):
    """No facts can be gathered any more: there is no room on the disk. The message is a sentence."""


# --- looking ------------------------------------------------------------------------------------------------


def stem(pack: Path) -> str:
    """What a pack's shard is called: the pack's name without its ending."""
    return pack.name.removesuffix(".zst").removesuffix(".jsonl")


def is_built(pack: Path, out_dir: Path) -> bool:
    """Whether the pack's shard is there, of this version, with all its files."""
    shard = out_dir / stem(pack)
    manifest = _manifest(shard)
    return manifest is not None and all((shard / name).is_file() for name in manifest.files)


def drop_damaged(packs: Iterable[Path], out_dir: Path) -> list[Path]:
    """Deletes the shards that are not as they were built, or of another version; gives their packs."""
    damaged = [pack for pack in packs if (out_dir / stem(pack)).exists() and not is_sound(out_dir / stem(pack))]
    for pack in damaged:
        with _writing(pack):
            shutil.rmtree(out_dir / stem(pack))
    return damaged


def is_sound(shard: Path) -> bool:
    """Whether each byte of a shard is the one that was written."""
    manifest = _manifest(shard)
    try:
        return manifest is not None and digests_in(shard) == manifest.files
    except OSError:
        return False


def _manifest(shard: Path) -> Manifest | None:
    """What a shard says of its files; None where it says nothing that can be read, or is of another version."""
    try:
        found = msgspec.json.decode((shard / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError):
        return None
    return found if found.facts == FACTS else None


def digests_in(folder: Path) -> dict[str, str]:
    """The name of each Parquet file in a folder -> the digest of its bytes."""
    return {file.name: digest_of(file) for file in sorted(folder.glob("*.parquet"))}


def files_of(pack: Path, out_dir: Path, table: str) -> list[Path]:
    """The files of a table in the shard of a pack, in the order of its games."""
    return sorted((out_dir / stem(pack)).glob(f"{table}.*.parquet"))


def _file(shard: Path, table: str, part: int) -> Path:
    return shard / f"{table}.{part:04}.parquet"


# --- building -----------------------------------------------------------------------------------------------


class Part(Struct, frozen=True):
    """A part of a shard on its way: the games of a stretch of a pack, or all of a file that is no sound pack."""

    pack: Path
    to: str
    """the name of the folder of its files"""
    number: int = 0
    stretch: Stretch | None = None


def build_shards(
    packs: Iterable[Path], out_dir: Path, jobs: int | None = 1, progress: Callable[[int, int], None] | None = None,
    run: workers.Runner = workers.run_work,
) -> list[FactsError]:
    """Builds what shards are missing, in so many processes, or as `run` does it. May be stopped and begun again.

    `progress` is told how many games of how many are done. Packs that cannot be read are reported in the list
    that is returned, and the others are built all the same. Raises HaltError where no more can be written, and
    workers.WorkerKilled.
    """
    missing = [pack for pack in sorted(packs) if not is_built(pack, out_dir)]
    parts = {pack: _parts(pack, _beside(pack, out_dir).name) for pack in missing}
    largest_first = sorted(parts.values(), key=_games_in, reverse=True)  # so that all processes end at about one time
    every = [part for mine in largest_first for part in mine]
    total = _games_in(every)
    report = progress or (lambda done, total: None)
    problems: dict[Path, FactsError] = {}
    try:
        for pack in missing:
            shutil.rmtree(_beside(pack, out_dir), ignore_errors=True)  # left by a killed process of this number
            with _writing(pack):
                _beside(pack, out_dir).mkdir(parents=True)
        work = run(Gathering(out_dir).gather, every, jobs, lambda done: report(done, total))
        with closing(work) as found:  # so that workers stop at once, wherever an interrupt comes
            for part, problem in found:
                if problem is not None:
                    problems.setdefault(part.pack, problem)
                parts[part.pack].remove(part)
                if not parts[part.pack] and part.pack not in problems:
                    _put_in_place(part.pack, out_dir)
    finally:
        for pack in missing:
            shutil.rmtree(_beside(pack, out_dir), ignore_errors=True)
    return list(problems.values())


def _parts(pack: Path, to: str) -> list[Part]:
    """The parts of a pack. An unsound pack is one part."""
    try:
        found = [Part(pack, to, number, stretch) for number, stretch in enumerate(stretches(brought(pack), PART))]
    except (LogError, OSError):
        found = []
    return found or [Part(pack, to)]


def _games_in(parts: Iterable[Part]) -> int:
    """How many games these are, of packs that are sound."""
    return sum(part.stretch.games for part in parts if part.stretch is not None)


def _beside(pack: Path, out_dir: Path) -> Path:
    """Where this process builds the shard of a pack."""
    return out_dir / f".{stem(pack)}.{os.getpid()}.part"


def _put_in_place(pack: Path, out_dir: Path) -> None:
    if not is_built(pack, out_dir):  # else another process has just done it
        shutil.rmtree(out_dir / stem(pack), ignore_errors=True)
        built = _beside(pack, out_dir)
        with _writing(pack):
            (built / MANIFEST).write_bytes(msgspec.json.encode(Manifest(FACTS, digests_in(built))))
            built.rename(out_dir / stem(pack))


@contextmanager
def _writing(pack: Path) -> Iterator[None]:
    """What cannot be written here is a HaltError."""
    try:
        yield
    except OSError as problem:
        why = problem.strerror or problem
        raise HaltError(f"The facts of {pack.name} cannot be written: {why}. Those of other packs are kept.") from None


# --- one part -----------------------------------------------------------------------------------------------


class Gathering(Struct, frozen=True):
    """The work of gathering facts into this folder."""

    folder: Path

    def into(self, folder: Path) -> Gathering:
        """The same, into another folder."""
        return Gathering(folder)

    def gather(self, part: Part, step: workers.Step) -> FactsError | None:
        """Writes the tables of one part, with a step after each game; gives the problem of a pack that cannot be read.

        Raises HaltError.
        """
        try:
            with _writing(part.pack):
                (self.folder / part.to).mkdir(exist_ok=True)
                with _Writer(self.folder / part.to, part.number) as writer:
                    for rows in _rows(part):
                        writer.add(rows)
                        step()
        except FactsError as problem:
            return problem
        return None


def _rows(part: Part) -> Iterator[Rows]:
    known: dict[int, Declared] = {}
    named: dict[int, CardSet] = {}
    try:
        for game in _games(part):
            book = game.rulebook
            declared = known.get(id(book))
            if declared is None:
                declared = known[id(book)] = Declared(book)  # keeps the line alive, so that its id stays its own
            rows = game_rows(game, stem(part.pack), declared if book.key else None)
            for cards in game.card_sets:
                if id(cards) not in named:
                    named[id(cards)] = cards
                    rows["names"] += name_rows(cards, stem(part.pack), game.index)
            yield rows
    except LogError as problem:
        raise FactsError(f"{part.pack.name}: {problem.what}") from None
    except OSError as problem:
        raise FactsError(f"{part.pack.name}: cannot be read: {problem.strerror}.") from None


def _games(part: Part) -> Iterator[GameLog]:
    return read_games(part.pack) if part.stretch is None else games_in(part.pack, part.stretch)


class _Writer:
    """The Parquet files of one part. What is held in memory does not depend on how many games there are."""

    def __init__(self, folder: Path, part: int) -> None:
        self.folder, self.part = folder, part
        self.rows: Rows = {name: [] for name in TABLES}
        self.columns: dict[str, list[pa.Table]] = {name: [] for name in TABLES}
        self.files: dict[str, pq.ParquetWriter] = {}
        self.closing = ExitStack()

    def __enter__(self) -> _Writer:
        with self.closing as closing:
            for name, schema in SCHEMAS.items():
                file = _file(self.folder, name, self.part)
                self.files[name] = pq.ParquetWriter(file, schema, compression="zstd")
                closing.callback(_close, self.files[name])
            self.closing = closing.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        with self.closing:
            if error[0] is None:
                for name in TABLES:
                    self._pack(name)
                    self._write(name)

    def add(self, rows: Rows) -> None:
        for name, more in rows.items():
            self.rows[name] += more
            if len(self.rows[name]) >= AT_ONCE:
                self._pack(name)
                held = self.columns[name]
                if sum(len(part) for part in held) >= ROWS or sum(part.nbytes for part in held) >= SIZE:
                    self._write(name)

    def _pack(self, name: str) -> None:
        self.columns[name].append(table_of(TABLES[name], self.rows[name]))
        self.rows[name] = []

    def _write(self, name: str) -> None:
        group = pa.concat_tables(self.columns[name])
        self.columns[name] = []
        if len(group):
            self.files[name].write_table(group)


def _close(file: pq.ParquetWriter) -> None:
    try:
        file.close()
    finally:
        file.is_open = False  # else it tries once more when it is forgotten, and complains aloud
        file.file_handle = None
