"""Damaged files: what a library says of them, and what it keeps."""

from __future__ import annotations

import errno
import gzip
import io
import os
import random
import zipfile
from pathlib import Path

import pytest

from events.open import read_games
from events.pack import PackWriter, read_pack
from replays.store import archives
from replays.store.library import Library
from tests.events.highcard import Seat, header
from tests.replays.store.test_library import (
    counts,
    ids,
    log,
    pack,
    take_in,
    told,
)


def test_of_a_cut_game_the_whole_lines_are_kept_and_the_torn_part_put_aside(library: Library, tmp_path: Path) -> None:
    whole = told(2, "b2")
    file = tmp_path / "cut.jsonl"
    file.write_bytes(log("a1") + whole[:-150])
    report = library.import_paths([file])
    assert counts(report) == (1, 0, 1, 0)
    entry, cut = library.games(state="cut")[0], library.open("b2")
    kept = b"\n".join([*cut.shared, *cut.lines, b""])
    aside = next((library.path / "aside").iterdir())
    assert whole.startswith(kept) and kept + aside.read_bytes() == whole[:-150]
    assert f"aside/{aside.name}" in report.found[-1].reason and entry.records == len(cut.events)


def test_a_cut_copy_of_a_game_that_is_there_is_a_duplicate(library: Library) -> None:
    take_in(library, told(3, "c3"))
    assert counts(take_in(library, told(3, "c3")[:-300])) == (0, 1, 0, 0)


@pytest.mark.parametrize("cut", [20, 90, 300])
def test_the_whole_game_is_meant_where_a_cut_copy_came_first(library: Library, cut: int) -> None:
    take_in(library, told(3, "c3")[:-cut])
    assert counts(take_in(library, told(3, "c3"))) == (1, 0, 0, 0)
    assert len(library.games()) == 2 and library.find("c3").state == "whole"


def test_a_changed_game_is_not_taken_for_a_whole_one(library: Library) -> None:
    report = take_in(library, told(2, "b2").replace(b'"value":1', b'"value":9'))
    assert counts(report) == (0, 0, 1, 0) and "seal does not match" in report.found[0].reason
    assert [entry.state for entry in library.games()] == ["unsealed"]
    library.rebuild()
    assert [entry.state for entry in library.games()] == ["unsealed"]


def test_a_game_without_its_rulebook_is_refused_and_kept_aside(library: Library) -> None:
    text = b"\n".join(line for line in told(1, "a1").split(b"\n") if not line.startswith(b'{"kind":"rulebook"'))
    report = take_in(library, text)
    assert counts(report) == (0, 0, 0, 1) and "rulebook 'highcard'" in report.found[0].reason
    assert text.endswith(next((library.path / "aside").iterdir()).read_bytes())


def test_one_damaged_frame_of_a_pack_costs_one_game(library: Library, tmp_path: Path) -> None:
    file = pack(tmp_path / "p.jsonl.zst", "a1", "b2", "c3")
    middle = list(read_pack(file))[1].offset
    data = bytearray(file.read_bytes())
    data[middle + 60] ^= 0x55
    file.write_bytes(data)
    report = library.import_paths([file])
    assert report.new == 2 and report.refused + report.partial == 1
    assert {"a1", "c3"} <= set(ids(library))


def test_gzip_data_are_read_up_to_where_they_are_cut(library: Library) -> None:
    noise = random.Random(1).randbytes(40_000).hex()
    data = gzip.compress(log("a1") + told(2, "b2", tags=(noise,)))
    report = take_in(library, data[:-20_000])
    assert [(found.outcome, found.id) for found in report.found] == [("refused", ""), ("new", "a1"), ("refused", "")]
    assert "cut off after" in report.found[0].reason


def test_a_stream_that_breaks_off_is_refused_and_the_library_is_not_blamed(library: Library) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    report = library.import_paths([Broken(), io.BytesIO(log("a1"))])
    assert report.found[0].reason == "cannot be read: Input/output error."
    assert (report.new, report.refused) == (1, 1)


def test_an_archive_that_unpacks_to_too_much_is_refused(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_GAME", 10_000)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("bomb", bytes(3_000_000))
    report = take_in(library, gzip.compress(bytes(3_000_000)), archive.getvalue())
    assert [found.reason for found in report.found] == ["unpacks to more than 256 times its size: refused."] * 2


def test_an_archive_of_too_many_files_is_read_so_far(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 2)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for n in range(1, 4):
            file.writestr(f"{n}.jsonl", told(n, f"g{n}"))
    report = take_in(library, archive.getvalue())
    assert counts(report) == (2, 0, 0, 1)
    assert [f.reason for f in report.found][-1] == "holds more than 2 files; the rest is not read."


def test_what_a_zip_archive_cannot_give_is_said(library: Library) -> None:
    outer, inner = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w") as file:
        file.writestr("x", log("a1"))
    with zipfile.ZipFile(outer, "w") as file:
        file.writestr("inner.zip", inner.getvalue())
    locked = bytearray(inner.getvalue())
    for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(magic) + place] |= 1
    report = take_in(library, outer.getvalue(), bytes(locked), b"PK\x03\x04 and no more", inner.getvalue())
    reasons = [found.reason for found in report.found if found.outcome == "refused"]
    assert "inside another" in reasons[0] and "locked by a password" in reasons[1] and "cannot be opened" in reasons[-1]
    assert report.new == 1


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The data with a bit flipped, a stretch taken out, doubled or stuffed in, or the end cut off."""
    changed, at = bytearray(data), chance.randrange(len(data))
    match chance.randrange(5):
        case 0:
            changed[at] ^= 1 << chance.randrange(8)
        case 1:
            del changed[at : at + chance.randrange(1, 200)]
        case 2:
            changed[at:at] = data[at : at + 300]
        case 3:
            changed[at:at] = bytes([chance.randrange(256)]) * chance.randrange(1, 2000)
        case _:
            del changed[at:]
    return bytes(changed)


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_done_to_a_file_only_unchanged_games_are_whole(library: Library, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    plain = b"".join(told(n, f"g{n}", seed=n) for n in range(1, 5))
    lines = {found.header.id: found.lines for found in read_games(plain)}
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a", plain)
    with PackWriter(tmp_path / "p.jsonl.zst") as writer:
        for found in read_games(plain):
            writer.add_game(found)
    packed = (tmp_path / "p.jsonl.zst").read_bytes()
    given = [plain, packed, gzip.compress(plain), archive.getvalue(), gzip.compress(packed)]
    report = take_in(library, *(mutated(data, chance) for data in given for _ in range(8)))
    assert len(report.found) >= 40
    for entry in library.games(state="whole"):
        assert library.read(entry).lines == lines[entry.id]
    before = library.games()
    library.rebuild()
    assert library.games() == before and library.damage() == []


def test_hostile_names_stay_text_and_stay_short(library: Library) -> None:
    deck = header().seats[0].deck
    name = "<b>x</b>" * 1000
    seats = (Seat(name, deck=deck), Seat("\u202eB", deck=deck))
    take_in(library, told(1, "../../etc/passwd", seats=seats, tags=("t",) * 99))
    entry = library.games()[0]
    assert entry.id == entry.key[:16] and len(entry.players[0]) == 200 and len(entry.tags) == 20
    assert library.open(entry.id).header.seats[0].player == name
