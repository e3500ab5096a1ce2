"""The library: what it takes in, what it refuses and says, and that nothing in it is ever half there."""

from __future__ import annotations

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

from events.game import write_game
from events.live import LogWriter
from events.pack import PackWriter, read_pack
from events.record import LogError
from replays.store import catalogue as catalogue_module
from replays.store import importing
from replays.store import library as library_module
from replays.store.catalogue import LibraryError
from replays.store.importing import Found, ImportReport
from replays.store.library import Library
from tests.events.highcard import SHARED, Seat, game, header


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
    monkeypatch.setattr(catalogue_module, "_PATIENCE", 0.05)
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
