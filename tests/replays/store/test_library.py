"""The library: what it takes in, what it refuses and says, and that nothing in it is ever half there."""

from __future__ import annotations

import errno
import gzip
import io
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from events.actions import Choose
from events.game import write_game
from events.kinds import Acted
from events.live import LogWriter
from events.open import read_games
from events.pack import PackWriter, read_pack
from events.record import LogError
from replays.stats.metrics import Filters, metric
from replays.stats.warehouse import open_warehouse, update
from replays.store import archives, importing
from replays.store import catalogue as catalogue_module
from replays.store import library as library_module
from replays.store import verdicts as verdicts_module
from replays.store.audit import judge
from replays.store.catalogue import LibraryError
from replays.store.importing import Found, ImportReport
from replays.store.library import Library
from replays.store.verdicts import standing
from tests.events.highcard import SHARED, Seat, game, header
from tests.play import begin, play


def log(*ids: str, **changes: object) -> bytes:
    """A plain file of games of one turn, two turns, …"""
    return b"".join(told(turns, name, **changes) for turns, name in enumerate(ids, 1))


def told(turns: int, name: str, **changes: object) -> bytes:
    return write_game((*SHARED, game(turns, id=name, **changes)))


def pack(path: Path, *ids: str) -> Path:
    with PackWriter(path) as writer:
        for turns, name in enumerate(ids, 1):
            writer.add(*SHARED, game(turns, id=name))
    return path


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")


def take_in(library: Library, *contents: bytes) -> ImportReport:
    return library.import_paths([io.BytesIO(content) for content in contents])


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    return report.new, report.duplicate, report.partial, report.refused


def ids(library: Library) -> list[str]:
    return [entry.id for entry in library.games()]


def catalogue(library: Library) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (library.path / "catalogue").glob("[!.]*")}


# --- importing ----------------------------------------------------------------------------------------------


def test_a_game_comes_out_as_it_went_in_byte_for_byte(library: Library) -> None:
    content = log("a1", "b2", "c3")
    assert counts(take_in(library, content)) == (3, 0, 0, 0)
    assert ids(library) == ["a1", "b2", "c3"]
    assert b"".join(write_game(library.open(name)) for name in ("a1", "b2", "c3")) == content


def test_the_catalogue_says_what_the_game_was(library: Library) -> None:
    changes = {"options": {"format": "short"}, "date": "2026-03-01", "tags": ("cup",), "origin": "simulated"}
    take_in(library, log("a1", "b2", **changes))
    entry = library.games()[1]
    assert (entry.game, entry.rulebook, entry.card_sets, entry.format) == ("highcard", "1.0", ("HC 1",), "short")
    assert (entry.players, entry.player_kinds, entry.decks) == (
        ("Ann", "Bo 桜"),
        ("human", "random"),
        ("Sevens", "Sevens"),
    )
    assert (entry.winner, entry.reason, entry.turns, entry.decisions) == (0, "points", 2, 2)
    assert (entry.date, entry.tags, entry.origin, entry.state) == ("2026-03-01", ("cup",), "simulated", "whole")


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-11-29T23:30:00Z", "2026-11-29"),
        ("2026-11-29T23:30:00-05:00", "2026-11-30"),
        ("29/11/2026", None),
        ("0001-01-01T00:00:00+09:00", "0001-01-01"),
    ],
)
def test_the_day_of_a_game_is_the_day_in_utc_or_none(library: Library, at: str, day: str | None) -> None:
    take_in(library, log("a1", at=at))
    assert library.games()[0].date == day


@pytest.mark.parametrize("wrapped", ["plain", "crlf", "pack", "gzip", "gzipped pack", "two gzip members", "zip"])
def test_content_decides_what_a_file_is(library: Library, tmp_path: Path, wrapped: str) -> None:
    content, packed = log("a1", "b2"), pack(tmp_path / "p.jsonl.zst", "a1", "b2").read_bytes()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("deep/one", told(1, "a1"))
        file.writestr("two.txt", gzip.compress(told(2, "b2")))
    half = content.index(b"\n") + 1
    file = tmp_path / "misleading.png"
    file.write_bytes(
        {
            "plain": content, "crlf": b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n").rstrip(), "pack": packed,
            "gzip": gzip.compress(content), "gzipped pack": gzip.compress(packed), "zip": archive.getvalue(),
            "two gzip members": gzip.compress(content[:half]) + gzip.compress(content[half:]) + b"trailing",
        }[wrapped]
    )
    assert counts(library.import_paths([file])) == (2, 0, 0, 0)
    assert [library.open(name).sealed for name in ("a1", "b2")] == [True, True]


def test_what_is_there_already_is_not_taken_in_again(library: Library, tmp_path: Path) -> None:
    take_in(library, log("a1", "b2"))
    before = catalogue(library)
    report = library.import_paths([pack(tmp_path / "same.jsonl.zst", "a1", "b2")])
    assert counts(report) == (0, 2, 0, 0) and report.packs == []
    assert catalogue(library) == before


def test_a_game_twice_in_one_import_is_taken_in_once(library: Library) -> None:
    assert counts(take_in(library, log("a1"), log("a1"))) == (1, 1, 0, 0)
    assert ids(library) == ["a1"]


def test_an_anonymised_copy_is_a_duplicate(library: Library) -> None:
    deck = header().seats[0].deck
    take_in(library, log("a1"))
    copy = told(1, "other", seats=(Seat("Player 1", deck=deck), Seat("Player 2", "random", deck)), tags=("x",))
    assert counts(take_in(library, copy)) == (0, 1, 0, 0)


def test_a_folder_of_good_and_bad_files(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "given"
    (folder / "sub" / "empty").mkdir(parents=True)
    (folder / "good.jsonl").write_bytes(log("a1", "b2"))
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "photo.jpg").write_bytes(bytes(range(256)) * 40)
    (folder / "sub" / "cut.jsonl").write_bytes(told(3, "c3", seed=6)[:-200])
    (folder / "sub" / "newer.jsonl").write_bytes(told(4, "d4").replace(b'"protocol":"0.1"', b'"protocol":"99"'))
    (folder / ".hidden").write_bytes(log("e5"))
    os.mkfifo(folder / "pipe")
    report = library.import_paths([folder, tmp_path / "absent.jsonl"])
    assert counts(report) == (2, 0, 1, 5)
    said = {found.file: found.reason for found in report.found if found.outcome in ("refused", "partial")}
    assert set(said) == {"empty.jsonl", "photo.jpg", "sub/cut.jsonl", "sub/newer.jsonl", "pipe", "absent.jsonl"}
    assert "newer version of Cardfold" in said["sub/newer.jsonl"]
    assert said["absent.jsonl"] == "there is no such file."
    assert ids(library) == ["a1", "b2", "c3"]


def test_the_report_is_json(library: Library) -> None:
    report = msgspec.json.decode(msgspec.json.encode(take_in(library, log("a1"), b"no log")))
    assert (report["new"], report["refused"], len(report["packs"])) == (1, 1, 1)
    assert report["found"][0] == {
        "file": "standard input", "outcome": "new", "id": "a1", "game": 0, "verdict": "unchecked",
        "reason": "whole, cannot be checked: The rulebook 'highcard' is not at hand.",
    }


def test_an_empty_folder_is_said_to_be_one(library: Library, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    report = library.import_paths([tmp_path / "nothing"])
    assert [found.reason for found in report.found] == ["is a folder without files."]


def test_progress_ends_with_all_bytes_read(library: Library, tmp_path: Path) -> None:
    file, told = pack(tmp_path / "p.jsonl.zst", "a1", "b2"), []
    library.import_paths([file], lambda done, total: told.append((done, total)))
    assert told[-1] == (file.stat().st_size, file.stat().st_size)
    assert told == sorted(told)


# --- damaged files ------------------------------------------------------------------------------------------


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


# --- finding ------------------------------------------------------------------------------------------------


def test_a_game_is_found_by_the_beginning_of_its_id_key_or_match(library: Library) -> None:
    take_in(library, told(1, "abc1", match="table7"), told(2, "abd2"))
    key = library.find("abc1").key
    assert {library.find(name).id for name in ("abc", key, key[:12], "table")} == {"abc1"}


def test_an_exact_id_is_meant_though_another_begins_so(library: Library) -> None:
    take_in(library, told(1, "abc"), told(2, "abcd"))
    assert library.find("abc").turns == 1


@pytest.mark.parametrize("name", ["zz", "", '"', "a" * 100, ".*"])
def test_an_unknown_name_is_refused_with_a_sentence(library: Library, name: str) -> None:
    take_in(library, log("a1"))
    with pytest.raises(LibraryError, match="There is no game"):
        library.open(name)


def test_a_beginning_of_several_names_says_which(library: Library) -> None:
    take_in(library, told(1, "abc1"), told(2, "abd2"))
    with pytest.raises(LibraryError, match="2 games are meant by 'ab': abc1, abd2"):
        library.find("ab")


def test_two_games_of_one_id_are_told_apart_by_their_keys(library: Library) -> None:
    take_in(library, told(1, "same"), told(2, "same"))
    keys = [entry.key for entry in library.games()]
    with pytest.raises(LibraryError, match=f"{keys[0]}, {keys[1]}"):
        library.find("same")
    assert library.find(keys[1][:10]).turns == 2


# --- packs and the catalogue --------------------------------------------------------------------------------


def test_a_finished_pack_is_moved_in(library: Library, tmp_path: Path) -> None:
    file = pack(tmp_path / "p.jsonl.zst", "a1", "b2")
    content = file.read_bytes()
    added = library.add_pack(file)
    assert (added.new, added.duplicate) == (2, 0) and not file.exists()
    assert added.pack and (library.path / added.pack).read_bytes() == content


def test_of_a_pack_only_new_games_are_added(library: Library, tmp_path: Path) -> None:
    library.add_pack(pack(tmp_path / "p.jsonl.zst", "a1", "b2"))
    added = library.add_pack(pack(tmp_path / "q.jsonl.zst", "a1", "b2", "c3"))
    assert (added.new, added.duplicate) == (1, 2) and ids(library) == ["a1", "b2", "c3"]
    assert library.add_pack(pack(tmp_path / "p.jsonl.zst", "a1")).pack is None


def test_a_damaged_pack_is_not_moved_in(library: Library, tmp_path: Path) -> None:
    file = pack(tmp_path / "p.jsonl.zst", "a1", "b2")
    file.write_bytes(file.read_bytes()[:-5])
    with pytest.raises(LogError, match="is damaged"):
        library.add_pack(file)
    with pytest.raises(LogError, match="cannot be read"):
        library.add_pack(tmp_path / "absent.jsonl.zst")
    assert file.exists() and library.packs() == []


def test_the_catalogue_made_anew_is_the_same(library: Library, tmp_path: Path) -> None:
    take_in(library, log("a1", "b2"), told(3, "c3")[:-99])
    library.add_pack(pack(tmp_path / "p.jsonl.zst", "a1", "b2", "c3", "d4"))
    games, before = library.games(), catalogue(library)
    (library.path / "catalogue" / "000009-stray.jsonl").write_bytes(b"of a pack that has gone\n")
    assert library.rebuild() == 5
    assert catalogue(library) == before
    for file in (library.path / "catalogue").iterdir():
        file.unlink()
    assert library.games() == games and catalogue(library) == before


@pytest.mark.parametrize("damage", [b"", b"{}\n", b'{"catalogue":0}\nold\n', b'{"catalogue":2}\n{"id":7}\n'])
def test_a_damaged_or_older_catalogue_file_is_made_anew(library: Library, damage: bytes) -> None:
    take_in(library, log("a1"))
    games, before = library.games(), catalogue(library)
    (library.path / "catalogue" / next(iter(before))).write_bytes(damage)
    assert library.games() == games and catalogue(library) == before


def test_a_catalogue_line_that_was_damaged_doubles_and_loses_no_other(library: Library) -> None:
    take_in(library, log("g1", "g2", "g3"))
    games, (name, before) = library.games(), next(iter(catalogue(library).items()))
    lines = before.splitlines(keepends=True)
    (library.path / "catalogue" / name).write_bytes(b"".join([*lines[:2], b"{}\n", lines[3]]))
    assert library.games() == games and catalogue(library) == {name: before}


def test_the_rulebook_line_of_a_game_is_read_once_for_those_that_share_it(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(library, log("g1", "g2", "g3"))
    first, *others = library.games()
    assert library.rulebook(first) == SHARED[0]
    monkeypatch.setattr(library, "read", None)
    assert all(library.rulebook(entry) is library.rulebook(first) for entry in others)


def test_a_pack_that_was_damaged_in_the_library_costs_only_its_game(library: Library, tmp_path: Path) -> None:
    added = library.add_pack(pack(tmp_path / "p.jsonl.zst", "a1", "b2", "c3"))
    file = library.path / str(added.pack)
    data = bytearray(file.read_bytes())
    data[library.find("b2").offset + 60] ^= 0x55
    file.write_bytes(data)
    (library.path / "packs" / "x.jsonl.zst").write_bytes(b"no pack")
    library.rebuild()
    assert {"a1", "c3"} <= {entry.id for entry in library.games(state="whole")}
    assert len(library.damage()) >= 1 and any("x.jsonl.zst" in fault for fault in library.damage())


def test_a_game_whose_pack_has_gone_is_a_sentence(library: Library) -> None:
    take_in(library, log("a1"))
    entry = library.find("a1")
    library.packs()[0].unlink()
    with pytest.raises(LibraryError, match="cannot be read"):
        library.read(entry)


def test_an_import_that_another_one_overtakes_adds_nothing_twice(library: Library) -> None:
    content, taken = log("a1", "b2"), []

    def overtake(done: int, total: int) -> None:
        if not taken:
            taken.append(take_in(library, content))

    report = library.import_paths([io.BytesIO(content)], overtake)
    assert counts(taken[0]) == (2, 0, 0, 0) and counts(report) == (0, 2, 0, 0)
    assert ids(library) == ["a1", "b2"]


def test_a_long_import_makes_several_packs(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MAX_IN_PACK", 2)
    assert len(take_in(library, log("a1", "b2", "c3", "d4", "e5")).packs) == 3
    assert ids(library) == ["a1", "b2", "c3", "d4", "e5"]


def test_two_writers_do_not_write_at_once(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue_module, "PATIENCE", 0.05)
    file = pack(tmp_path / "p.jsonl.zst", "a1")
    with Library(library.path).locked(), pytest.raises(LibraryError, match="Another process is writing"):
        library.add_pack(file)
    assert library.add_pack(file).new == 1


def test_a_full_disk_is_a_sentence_and_leaves_the_library_as_it_was(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(library, log("a1"))

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(PackWriter, "add_game", full)
        with pytest.raises(LibraryError, match="No space left on device"):
            take_in(library, log("b2"), told(2, "c3"))
    assert ids(library) == ["a1"] and list(library.making.iterdir()) == []


IMPORTER = """
import sys
from pathlib import Path
from replays.store import archives, importing
from replays.store.library import Library
print("on", flush=True)
library = Library(Path(sys.argv[1]))
for file in sorted(Path(sys.argv[2]).iterdir()):
    library.import_paths([file])
"""


def test_an_import_killed_at_any_moment_can_be_run_again(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    for n in range(40):
        content = b"".join(told(1 + n % 5, f"g{n}-{m}", seed=100 * n + m) for m in range(5))
        (folder / f"{n:02}.jsonl").write_bytes(content)
    clock = random.Random(7)
    for _ in range(5):
        command = [sys.executable, "-c", IMPORTER, str(library.path), str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout and process.stdout.readline() == b"on\n"
            time.sleep(clock.uniform(0, 0.15))
            process.send_signal(signal.SIGKILL)
        for file in library.packs():
            assert all(found.sealed for found in read_pack(file))
    assert counts(library.import_paths([folder]))[2:] == (0, 0)
    assert len(ids(library)) == len(set(ids(library))) == 200
    assert not [file.name for file in library.making.iterdir()]
    before = catalogue(library)
    library.rebuild()  # which may take away the file of a pack that did not come
    assert catalogue(library).items() <= before.items() and len(catalogue(library)) == len(library.packs())


# --- games being played -------------------------------------------------------------------------------------


def test_a_game_being_played_is_listed_and_kept_when_it_is_over(library: Library) -> None:
    events = game(2, id="now")
    path = library.live("table7")
    writer = LogWriter(path, *SHARED)
    writer.append(events[:8])
    entry = library.find("now")
    assert (entry.state, entry.pack, len(library.open("now").events)) == ("live", "live/table7.jsonl", 8)
    with pytest.raises(LibraryError, match="being written by another process"):
        library.keep(path)
    writer.append(events[8:])
    writer.close()
    assert library.find("now").state == "whole"
    assert library.keep(path).new == 1 and not path.exists()
    assert library.open("now").sealed and library.find("now").pack.startswith("packs/")


def test_a_game_that_goes_on_is_not_kept(library: Library) -> None:
    path = library.live("table7")
    with LogWriter(path, *SHARED) as writer:
        writer.append(game(2, id="now")[:8])
    with pytest.raises(LibraryError, match="is not over"):
        library.keep(path)
    assert library.find("now").state == "live"


def test_a_live_log_that_was_kept_already_is_not_listed_twice(library: Library) -> None:
    library.live("table7").write_bytes(told(1, "a1"))
    take_in(library, told(1, "a1"))
    assert ids(library) == ["a1"]
    assert library.keep(library.live("table7")).duplicate == 1


# --- the folder ---------------------------------------------------------------------------------------------


def test_a_library_of_a_newer_layout_is_refused(library: Library) -> None:
    (library.path / "library.toml").write_text("layout = 9\n")
    with pytest.raises(LibraryError, match="made by a newer version of Cardfold"):
        Library(library.path)
    (library.path / "library.toml").write_text("what = 1\n")
    with pytest.raises(LibraryError, match="does not say the library's layout"):
        Library(library.path)


def test_a_folder_of_other_things_is_not_made_a_library(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("Dear")
    with pytest.raises(LibraryError, match="is no library, and not empty"):
        Library(tmp_path)
    with pytest.raises(LibraryError, match="cannot be opened"):
        Library(tmp_path / "letters.txt" / "below")
    assert [file.name for file in tmp_path.iterdir()] == ["letters.txt"]


def test_a_library_that_was_left_half_made_is_completed(tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    assert Library(tmp_path).games() == []
    assert (tmp_path / "library.toml").exists()


def test_cardfold_home_says_where_the_library_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path / "home"))
    assert Library().path == tmp_path / "home"
    monkeypatch.delenv("CARDFOLD_HOME")
    assert library_module.default_path().name == "cardfold"


def test_a_found_line_needs_no_empty_fields() -> None:
    assert msgspec.json.encode(Found("x", "refused", "why")) == b'{"file":"x","outcome":"refused","reason":"why"}'


# --- one library through its years --------------------------------------------------------------------------


def test_a_library_of_an_older_layout_is_brought_up_to_this_one(library: Library) -> None:
    take_in(library, log("a1", "b2"))
    games, before = library.games(), catalogue(library)
    (library.path / "library.toml").write_text("layout = 1\n")
    (library.path / "notes").rmdir()
    for name, lines in before.items():
        (library.path / "catalogue" / name).write_bytes(lines.replace(b'"catalogue":2', b'"catalogue":1'))
    again = Library(library.path)
    assert (library.path / "library.toml").read_text().endswith("layout = 2\n")
    assert again.games() == games and catalogue(again) == before and (library.path / "notes").is_dir()


def test_a_migration_that_was_killed_midway_is_run_again(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    (library.path / "library.toml").write_text("layout = 1\n")
    ran: list[int] = []

    def killed(path: Path) -> None:
        ran.append(1)
        if len(ran) == 1:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(catalogue_module, "MIGRATIONS", {1: killed})
    with pytest.raises(LibraryError, match=r"cannot be written: Input/output error\. What it had is still there"):
        Library(library.path)
    assert "layout = 1" in (library.path / "library.toml").read_text()
    Library(library.path)
    Library(library.path)
    assert len(ran) == 2


def test_a_removed_game_is_gone_until_it_is_taken_back(library: Library) -> None:
    take_in(library, log("a1", "b2", "c3"))
    pack, content = library.packs()[0], library.packs()[0].read_bytes()
    (gone,) = library.remove(["b2"])
    assert gone.id == "b2" and ids(library) == ["a1", "c3"] and [line.id for line in library.removed()] == ["b2"]
    with pytest.raises(LibraryError, match="There is no game 'b2'"):
        library.open("b2")
    assert pack.read_bytes() == content
    assert (pack.name.removesuffix(".jsonl.zst"), gone.offset, "removed") in library.left_out()
    library.rebuild()
    assert ids(library) == ["a1", "c3"]
    library.restore(["b2"])
    assert ids(library) == ["a1", "b2", "c3"] and library.removed() == []
    assert {why for _, _, why in library.left_out()} == {"unchecked"}
    with pytest.raises(LibraryError, match="There is no removed game 'b2'"):
        library.restore(["b2"])


def test_of_several_games_none_is_removed_where_one_cannot_be(library: Library) -> None:
    take_in(library, log("a1", "b2"))
    with pytest.raises(LibraryError, match="There is no game 'nobody'"):
        library.remove(["a1", "nobody"])
    with LogWriter(library.live("table7"), *SHARED) as writer:
        writer.append(game(2, id="now", seed=9)[:8])
        with pytest.raises(LibraryError, match=r"live/table7.jsonl: finish it, or delete its file"):
            library.remove(["a1", "now"])
    assert ids(library) == ["a1", "b2", "now"]


def test_a_removed_game_may_come_in_again(library: Library) -> None:
    take_in(library, log("a1", "b2"))
    library.remove(["b2"])
    assert counts(take_in(library, told(2, "b2"))) == (1, 0, 0, 0) and ids(library) == ["a1", "b2"]
    assert library.purge() == 1 and ids(library) == ["a1", "b2"] and library.open("b2").sealed


def test_purging_deletes_removed_games_and_nothing_else(library: Library, tmp_path: Path) -> None:
    take_in(library, log("a1", "b2", "c3"), told(4, "d4", seed=4)[:-200])
    library.add_pack(pack(tmp_path / "p.jsonl.zst", "x1", "x2", "x3", "x4", "x5", "x6"), own=True)
    library.import_paths([io.BytesIO(told(7, "e5", seed=5))])
    lines = {entry.id: library.read(entry).lines for entry in library.games()}
    facts = library.path / "facts" / library.packs()[0].name[: -len(".jsonl.zst")]
    facts.mkdir(parents=True)
    library.remove(["b2", "x4", "e5"])
    assert library.purge() == 3 and library.purge() == 0 and library.removed() == []
    kept = {entry.id: library.read(entry).lines for entry in library.games()}
    assert kept == {name: told for name, told in lines.items() if name not in ("b2", "x4", "e5")}
    names = [name.name[:7] + name.name[39:] for name in library.packs()]
    assert names == ["000001-.jsonl.zst", "000002-.own.jsonl.zst"]
    assert not facts.exists() and not list(library.making.iterdir())
    library.rebuild()
    assert {entry.id for entry in library.games()} == set(kept)


PURGER = """
import sys
from pathlib import Path
from replays.store import archives, importing
from replays.store.library import Library
print("on", flush=True)
library = Library(Path(sys.argv[1]))
library.purge()
"""


def test_a_purge_killed_at_any_moment_can_be_run_again(library: Library, tmp_path: Path) -> None:
    for n in range(30):
        take_in(library, *(told(1 + m, f"g{n}-{m}", seed=100 * n + m) for m in range(4)))
    wanted = {f"g{n}-{m}" for n in range(30) for m in range(4)} - {f"g{n}-1" for n in range(30)}
    library.remove([f"g{n}-1" for n in range(30)])
    clock = random.Random(5)
    for _ in range(6):
        with subprocess.Popen([sys.executable, "-c", PURGER, str(library.path)], stdout=subprocess.PIPE) as process:
            assert process.stdout and process.stdout.readline() == b"on\n"
            time.sleep(clock.uniform(0, 0.06))
            process.send_signal(signal.SIGKILL)
        assert sorted(ids(library)) == sorted(wanted)
    library.purge()
    assert sorted(ids(library)) == sorted(wanted) and len(library.packs()) == 30
    assert len(list((library.path / "packs").iterdir())) == 30 and library.removed() == []


def test_purging_keeps_a_damaged_pack_aside(library: Library, tmp_path: Path) -> None:
    added = library.add_pack(pack(tmp_path / "p.jsonl.zst", "a1", "b2", "c3"))
    file = library.path / str(added.pack)
    data = bytearray(file.read_bytes())
    data[library.find("b2").offset + 60] ^= 0x55
    file.write_bytes(data)
    library.remove(["a1"])
    library.purge()
    assert (library.path / "aside" / file.name).read_bytes() == data and "c3" in ids(library)


def test_a_damaged_list_of_removed_games_is_a_sentence(library: Library) -> None:
    take_in(library, log("a1"))
    (library.path / "removed.jsonl").write_text("nonsense\n")
    with pytest.raises(LibraryError, match=r"removed.jsonl is damaged: put back a copy"):
        library.games()


def test_stopped_simulations_that_nobody_resumes_are_forgotten_when_asked_to(library: Library) -> None:
    for name, age in (("old", 8), ("new", 1)):
        folder = library.making / f".{name}.jsonl.zst.0123"
        folder.mkdir()
        for path in (folder / "0000.jsonl.zst", folder):
            path.touch()
            os.utime(path, (time.time() - age * 86_400,) * 2)
    assert [path.name for path in library.forgotten()] == [".old.jsonl.zst.0123"]
    assert library.forget() == 1 and [path.name for path in library.making.iterdir()] == [".new.jsonl.zst.0123"]


def test_the_summary_counts_games_and_room(library: Library) -> None:
    take_in(library, log("a1", "b2"), told(3, "c3", seed=3)[:-200], told(4, "d4", view=0, match="m", seed=None))
    library.remove(["a1"])
    parts = {part.strip(): (count, size) for part, count, size in library.summary()}
    assert (parts["games"][0], parts["whole"][0], parts["cut"][0], parts["one seat's"][0]) == (3, 1, 1, 1)
    assert parts["removed"] == (1, 0) and parts["packs"] == (1, sum(p.stat().st_size for p in library.packs()))


def test_a_copy_made_while_games_are_written_is_a_library(library: Library, tmp_path: Path) -> None:
    """Copies of the folder, taken by `cp -r` while imports and a live game go on: each opens, and lacks nothing old."""
    folder = tmp_path / "given"
    folder.mkdir()
    for n in range(30):
        (folder / f"{n:02}.jsonl").write_bytes(b"".join(told(1 + m, f"g{n}-{m}", seed=100 * n + m) for m in range(4)))
    take_in(library, *(told(n, f"old{n}", seed=7000 + n) for n in range(1, 5)))
    command = [sys.executable, "-c", IMPORTER, str(library.path), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as one:
        assert one.stdout and one.stdout.readline() == b"on\n"
        copies, seen = 0, 0
        with LogWriter(library.live("table7"), *SHARED) as writer:
            events = game(400, id="now", seed=9)
            written = 0
            while one.poll() is None or copies < 4:
                writer.append(events[written : written + 6])
                written += 6
                copy = tmp_path / f"copy {copies}"
                subprocess.run(["cp", "-r", str(library.path), str(copy)], check=False, stderr=subprocess.DEVNULL)
                copies += 1
                again = Library(copy)
                entries = again.games()
                found = {entry.id for entry in entries if entry.state == "whole"}
                assert {f"old{n}" for n in range(1, 5)} <= found and len(found) >= seen and again.damage() == []
                assert all(again.read(entry).sealed for entry in entries if entry.state == "whole")
                (live,) = [entry for entry in entries if entry.state == "live"]
                assert live.records >= min(written, len(events)) - 6
                seen = len(found)
    assert copies >= 4


# --- verdicts -----------------------------------------------------------------------------------------------


def test_games_from_elsewhere_are_checked_and_only_verified_ones_count(library: Library) -> None:
    match = begin(3)
    events = play(match, 3)
    shared = (match.game.rulebook, match.game.card_sets)
    lie = [*events[:-1], structs.replace(events[-1], winner=None, reason="draw")]
    at = next(n for n, e in enumerate(events) if isinstance(e, Acted))
    broken = [*events[:at], structs.replace(events[at], action=Choose(99)), *events[at + 1 :]]
    other = play(begin(4), 4)
    logs = [broken, other, [structs.replace(lie[0], seed=3, tags=("x",), options={}), *lie[1:]]]
    report = take_in(library, *(write_game((*shared, log)) for log in logs), told(2, "b2"))
    assert [entry.state for entry in library.games()] == ["whole"] * 4
    wanted = ["illegal", "verified", "altered", "unchecked"]
    assert [found.verdict for found in report.found] == wanted
    assert report.verdicts == dict.fromkeys(wanted, 1) and judge(library) == {}
    assert all(found.reason for found in report.found if found.verdict != "verified")
    verdicts = library.verdicts()
    assert [standing(entry, verdicts) for entry in library.games()] == wanted
    assert {why for _, _, why in library.left_out()} == {"altered", "illegal", "unchecked"}
    update(library.path)
    warehouse = open_warehouse(library.path)
    untrue = {"altered": 1, "illegal": 1}
    for unchecked, left in ((False, {**untrue, "unchecked": 1}), (True, untrue)):
        filters = Filters(unchecked=unchecked)
        found = metric(warehouse, "left_out", filters).to_pylist()
        assert {row["reason"]: row["games"] for row in found} == left
        assert sum(row["games"] for row in metric(warehouse, "endings", filters).to_pylist()) == 1 + unchecked


def test_verdicts_outlive_the_catalogue_and_a_torn_line(library: Library) -> None:
    take_in(library, log("a1", "b2"))
    assert judge(library) == {}
    file = library.path / "verdicts.jsonl"
    before = file.read_bytes()
    file.write_bytes(before[:-9])
    assert len(library.verdicts()) == 1
    assert judge(library) == {"unchecked": 1} and len(library.verdicts()) == 2
    library.rebuild()
    assert judge(library) == {}


def test_what_could_not_be_checked_is_checked_again_when_other_rules_are_at_hand(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(3)
    take_in(library, log("a1"), write_game((match.game.rulebook, match.game.card_sets, play(match, 3))))
    assert judge(library) == {}
    monkeypatch.setattr(verdicts_module, "at_hand", lambda: "other rules")
    assert judge(library) == {"unchecked": 1} and judge(library) == {}


def test_of_own_simulations_a_sample_is_judged(library: Library, tmp_path: Path) -> None:
    with PackWriter(tmp_path / "p.jsonl.zst") as writer:
        for n in range(200):
            writer.add(*SHARED, game(1, id=f"g{n}", seed=n))
    library.add_pack(tmp_path / "p.jsonl.zst", own=True)
    assert 0 < judge(library)["unchecked"] < 20
