"""One library through its years, and the verdicts that it keeps."""

from __future__ import annotations

import io
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec import structs

from events.actions import Choose
from events.game import write_game
from events.kinds import Acted
from events.live import LogWriter
from events.pack import PackWriter
from replays.stats.metrics import Filters, metric
from replays.stats.warehouse import open_warehouse, update
from replays.store import catalogue as catalogue_module
from replays.store import verdicts as verdicts_module
from replays.store.audit import judge
from replays.store.catalogue import LibraryError
from replays.store.library import Library
from replays.store.verdicts import standing
from tests.events.highcard import SHARED, game
from tests.play import begin, play
from tests.replays.store.test_library import (
    IMPORTER,
    catalogue,
    counts,
    ids,
    log,
    pack,
    take_in,
    told,
)

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
