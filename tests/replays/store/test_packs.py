"""Packs that are not as they were written: which are damaged, and where, is said by everything that reads them."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

import pytest

from events.game import write_game
from events.pack import PackWriter, pack_index
from replays.stats.warehouse import update
from replays.store import notes
from replays.store.library import Library
from tests.events.highcard import SHARED, game


def pack(path: Path, *ids: str) -> Path:
    with PackWriter(path) as writer:
        for turns, name in enumerate(ids, 1):
            writer.add(*SHARED, game(turns, id=name))
    return path



def overwrite(file: Path, at: int, *, quietly: bool = False) -> None:
    """Three bytes of a file become others; `quietly`: as a disk does it, without a new time of the file."""
    about, data = file.stat(), bytearray(file.read_bytes())
    data[at : at + 3] = bytes(byte ^ 0x55 for byte in data[at : at + 3])
    file.write_bytes(data)
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns if quietly else about.st_mtime_ns + 1_000_000))


@pytest.mark.parametrize("made_is_there", [True, False])
@pytest.mark.parametrize("part", ["shared line", "first", "middle", "last", "checksum"])
def test_damage_in_a_pack_is_named_with_pack_and_byte(
    library: Library, tmp_path: Path, part: str, made_is_there: bool
) -> None:
    ids_there = [f"g{n}" for n in range(1, 7)]
    library.add_pack(pack(tmp_path / "p.jsonl.zst", *ids_there), own=True)
    assert update(library.path) == [] and library.damage() == [] == library.check()
    (file,) = library.packs()
    frames = [entry for entry in pack_index(file) if entry.kind == "game_started"]
    hits = {"shared line": None, "first": frames[0], "middle": frames[3], "last": frames[-1], "checksum": frames[2]}
    hit = hits[part]
    at = 30 if hit is None else hit.offset + hit.length - 3 if part == "checksum" else hit.offset + hit.length // 2
    overwrite(file, at)
    if not made_is_there:
        for name in ("catalogue", "facts"):
            shutil.rmtree(library.path / name)
        (library.path / "packs.json").unlink()
    found = Library(library.path).damage()
    assert found and all(what.startswith(f"{file.name}, byte {hit.offset if hit else 0}: ") for what in found)
    again = Library(library.path)
    assert again.damage() == found == again.check(), "it is said every time"
    assert any(found[0] in str(problem) for problem in update(library.path))
    if hit is not None:
        assert set(ids_there) - {hit.id} <= {entry.id for entry in again.games()}


def test_damage_that_a_disk_did_is_found_by_reading_everything(library: Library, tmp_path: Path) -> None:
    library.add_pack(pack(tmp_path / "p.jsonl.zst", "g1", "g2"), own=True)
    assert library.damage() == []
    (file,) = library.packs()
    overwrite(file, file.stat().st_size // 2, quietly=True)
    assert library.damage() == []
    found = library.check()
    assert found and file.name in found[0]
    assert library.damage() == found, "and is not forgotten"


def test_a_copied_library_is_not_taken_for_a_damaged_one(library: Library, tmp_path: Path) -> None:
    library.import_paths([io.BytesIO(write_game((*SHARED, game(2, id="a1"))))])
    assert library.damage() == []
    shutil.copytree(library.path, tmp_path / "copy", copy_function=shutil.copyfile)
    assert Library(tmp_path / "copy").damage() == [] == Library(tmp_path / "copy").check()


def test_damaged_notes_and_live_logs_are_found_too(library: Library) -> None:
    (library.path / "notes" / f"x{notes.ENDING}").write_text("{")
    library.live("table7").write_bytes(write_game((*SHARED, game(1))).replace(b'"turn":1', b'"turn":9'))
    assert len(library.check()) == 2
