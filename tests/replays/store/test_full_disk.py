"""A full disk, at any byte: a sentence, nothing lost, and the next try works.

Room is taken away by a limit on the size of files, which the operating system itself enforces, on duckdb and Arrow too.
"""

from __future__ import annotations

import io
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.rulebooks import registry
from events.game import write_game
from events.open import read_games
from replays.cli import main
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.stats.metrics import metric
from replays.stats.shards import build_shards, is_built, stem
from replays.stats.warehouse import NAME, WarehouseError, open_warehouse, update
from replays.store.library import Library, LibraryError
from tests.events.highcard import SHARED, game

GOLDEN = Path(__file__).parents[2] / "golden"


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file of this process can grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def log(*names: str) -> io.BytesIO:
    return io.BytesIO(b"".join(write_game((*SHARED, game(n, id=name))) for n, name in enumerate(names, 1)))


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """A library with three golden games and the statistics of them."""
    kept = Library(tmp_path / "library")
    kept.import_paths([GOLDEN / "liveon.jsonl"])
    assert update(kept.path) == []
    return kept


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by name, with their content."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def played(library: Library) -> int:
    return int(sum(metric(open_warehouse(library.path), "endings").column("games").to_pylist()))


@pytest.mark.parametrize("size", [0, 700, 20_000, 200_000, 2_000_000])
def test_a_build_without_room_keeps_the_old_statistics_and_the_next_one_works(library: Library, size: int) -> None:
    before = played(library)
    library.import_paths([GOLDEN / "xcard.jsonl"])
    old = files(library.path)
    with room(size), pytest.raises((WarehouseError, LibraryError), match=r"cannot be (built|written).*"):
        update(library.path)
    now = files(library.path)
    assert {name: now.get(name) for name in old if name != "verdicts.jsonl"} == {
        name: data for name, data in old.items() if name != "verdicts.jsonl"
    }
    assert not [name for name in now if ".part" in name or name.startswith(f".{NAME}")], "nothing half made is left"
    assert played(library) == before
    assert update(library.path) == [] and played(library) > before


def test_no_facts_are_there_but_whole_ones(library: Library, tmp_path: Path) -> None:
    pack, out = library.packs()[0], tmp_path / "facts"
    for size in (0, 100, 1000, 4000):
        with room(size), pytest.raises(Exception, match=r"cannot be written: .*File too large"):
            build_shards([pack], out)
        assert not is_built(pack, out) and list(out.glob("*")) == list(out.glob(".*")) == []
    assert build_shards([pack], out) == [] and (out / stem(pack)).is_dir() and is_built(pack, out)


@pytest.mark.parametrize("size", [0, 300, 900, 1500])
def test_an_import_without_room_takes_in_nothing_by_halves(library: Library, size: int) -> None:
    before, entries = files(library.path), library.games()
    with room(size), pytest.raises(LibraryError, match=r"cannot be written: .*File too large"):
        library.import_paths([log("a1", "b2", "c3", "d4")])
    assert files(library.path) == before and library.games() == entries
    assert library.import_paths([log("a1", "b2", "c3", "d4")]).new == 4


def test_a_simulation_without_room_is_a_sentence_and_can_be_gone_on_with(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    liveon = registry.load("liveon")
    plan = Plan(game="liveon", decks=all_pairs(liveon.shipped_decks()), count=4, seed=3)
    entries = library.games()
    with room(3000), pytest.raises(Exception) as raised:
        simulate_into(library, plan, jobs=1)
    assert main._failed(raised.value) == 2
    assert "File too large" in capsys.readouterr().err
    assert library.games() == entries
    simulate_into(library, plan, jobs=1)
    assert len(library.games()) == len(entries) + 4


def test_removing_and_purging_without_room_lose_nothing(library: Library) -> None:
    before, (first, *_) = library.games(), library.games()
    with room(10), pytest.raises(LibraryError, match="cannot be written: File too large"):
        library.remove([first.id])
    assert library.games() == before and library.removed() == []
    library.remove([first.id])
    with room(500), pytest.raises(LibraryError, match="cannot be written: File too large"):
        library.purge()
    assert library.games() == before[1:] and len(library.removed()) == 1
    assert library.purge() == 1
    assert [entry.key for entry in library.games()] == [entry.key for entry in before[1:]]
    assert all(game.sealed for pack in library.packs() for game in read_games(pack))
