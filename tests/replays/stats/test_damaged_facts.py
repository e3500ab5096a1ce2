"""Facts that are not as they were built are made anew, and it is said: whatever is wrong with them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from replays.stats import shards
from replays.stats.rows import TABLES
from replays.stats.shards import MANIFEST, build_shards, is_built
from replays.stats.warehouse import update
from tests.replays.stats.test_shards import pack_of

NAMES = [MANIFEST, *(f"{table}.0000.parquet" for table in TABLES)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of two packs with their facts."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "packs").mkdir()
    pack_of(folder / "packs", "one", 1)
    pack_of(folder / "packs", "two", 3)
    assert update(folder) == []
    return folder


def damage(file: Path, way: str) -> None:
    """Damages one file of a shard. `another's` is a table that can be read, with other rows."""
    data = file.read_bytes()
    middle = len(data) // 3
    if way == "deleted":
        file.unlink()
    elif way == "another's":
        rows = pq.read_table(file)
        pq.write_table(rows.slice(0, rows.num_rows // 2), file)
    else:
        file.write_bytes({
            "emptied": b"", "cut": data[:middle], "replaced": b"PAR1 not a table PAR1",
            "overwritten": data[:4] + bytes(len(data) - 12) + data[-8:],
            "three bytes": data[:middle] + bytes(byte ^ 0x11 for byte in data[middle:][:3]) + data[middle + 3 :],
        }[way])  # fmt: skip


WAYS = ("deleted", "emptied", "cut", "replaced", "overwritten", "three bytes")


@pytest.mark.parametrize(
    ("name", "way"),
    [(name, way) for name in (MANIFEST, "games.0000.parquet", "strikes.0000.parquet") for way in WAYS]
    + [("games.0000.parquet", "another's"), ("strikes.0000.parquet", "another's")],
)
def test_damaged_facts_are_made_anew_and_it_is_said(built: Path, tmp_path: Path, name: str, way: str) -> None:
    copy = shutil.copytree(built, tmp_path / "library")
    damage(copy / "facts" / "two" / name, way)
    said: list[str] = []
    assert update(copy, said=said.append) == []
    assert said == ["The facts of two.jsonl.zst are damaged or of another version: they are made anew."]
    for table in TABLES:
        made, before = (folder / "facts" / "two" / f"{table}.0000.parquet" for folder in (copy, built))
        assert pq.read_table(made) == pq.read_table(before)
    assert update(copy, said=said.append) == [] and len(said) == 1


@pytest.mark.parametrize("name", NAMES)
def test_no_byte_of_a_shard_changes_unseen(built: Path, tmp_path: Path, name: str) -> None:
    shard = shutil.copytree(built / "facts" / "two", tmp_path / "two")
    file = shard / name
    whole = file.read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 97)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x11]) + whole[at + 1 :])
        assert not shards.is_sound(shard), f"byte {at}"
    file.write_bytes(whole)
    assert shards.is_sound(shard)


def test_facts_of_another_version_are_made_anew(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packs, facts = [built / "packs" / "one.jsonl.zst"], tmp_path / "facts"
    monkeypatch.setattr(shards, "FACTS", -1)
    build_shards(packs, facts)
    assert is_built(packs[0], facts)
    monkeypatch.undo()
    assert not is_built(packs[0], facts)
    build_shards(packs, facts)
    assert is_built(packs[0], facts)
