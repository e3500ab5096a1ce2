"""What is given to an import: other libraries, notes beside logs, named streams; what was removed comes back once."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path

import pytest

from events.game import write_game
from events.live import LogWriter
from events.pack import PackWriter
from replays.store.library import Library
from replays.store.notes import add_notes, new_note
from tests.events.highcard import SHARED, Seat, game, header


def told(turns: int, name: str, **changes: object) -> bytes:
    return write_game((*SHARED, game(turns, id=name, **changes)))


def ids(library: Library) -> list[str]:
    return [entry.id for entry in library.games()]


@pytest.fixture
def other(tmp_path: Path) -> Library:
    """Another library: games in two packs, one of them removed, notes, a game being played, and what is made of it."""
    kept = Library(tmp_path / "other")
    kept.import_paths([io.BytesIO(told(1, "a1") + told(2, "b2")), io.BytesIO(told(3, "c3"))])
    kept.import_paths([io.BytesIO(told(4, "d4"))])
    kept.remove(["b2"])
    kept.add_notes({kept.find("a1").key: [new_note(3, "well played")]})
    with LogWriter(kept.live("table7"), *SHARED) as writer:
        writer.append(game(5, id="now", seed=9)[:8])
    (kept.path / "facts" / "x").mkdir(parents=True)
    for file in ("facts/x/games.parquet", "warehouse.duckdb", "aside/torn.part", "making/half.jsonl.zst"):
        (kept.path / file).write_bytes(b"PAR1\x00\x01")
    return kept


@pytest.mark.parametrize("way", ["itself", "in a folder", "twice over"])
def test_of_another_library_its_packs_and_notes_are_taken(
    library: Library, other: Library, tmp_path: Path, way: str
) -> None:
    before = sorted((file, file.stat().st_mtime_ns) for file in other.path.rglob("*"))
    (tmp_path / "given").mkdir()
    os.rename(other.path, tmp_path / "given" / "other")
    root = tmp_path / "given"
    gifts = {"itself": [root / "other"], "in a folder": [root], "twice over": [root, root / "other"]}[way]
    report = library.import_paths(gifts)
    assert (report.new, report.duplicate, report.partial, report.refused, report.notes) == (3, 0, 0, 0, 1)
    assert ids(library) == ["a1", "c3", "d4"], "b2 was removed there"
    assert [note.text for held in library.notes(library.find("a1")).values() for note in held] == ["well played"]
    assert {found.file.split("/")[0] for found in report.found} == {"other"}
    os.rename(root / "other", other.path)
    assert sorted((file, file.stat().st_mtime_ns) for file in other.path.rglob("*")) == before, "nothing is written"


def test_a_library_given_to_itself_has_all_already(other: Library) -> None:
    report = other.import_paths([other.path])
    assert (report.new, report.duplicate, report.refused) == (0, 3, 0) and ids(other) == ["a1", "c3", "d4", "now"]


def test_a_library_that_says_nothing_sound_of_what_was_removed_is_refused(library: Library, other: Library) -> None:
    (other.path / "removed.jsonl").write_bytes(b"{")
    report = library.import_paths([other.path])
    assert (report.new, report.refused) == (0, 1) and "removed.jsonl is damaged" in report.found[0].reason
    (empty,) = library.import_paths([Library(other.path.with_name("empty")).path]).found
    assert (empty.file, empty.reason) == ("empty", "is a library without games.")


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.zst", ".jsonl.gz", ""])
@pytest.mark.parametrize("way", ["the log alone", "both", "the folder"])
def test_notes_beside_a_log_come_along(library: Library, tmp_path: Path, ending: str, way: str) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    log, beside = folder / f"game{ending}", folder / "game.notes.json"
    if ending == ".jsonl.zst":
        with PackWriter(log) as pack:
            pack.add(*SHARED, game(2, id="b2", match="table7"))
    else:
        log.write_bytes(told(2, "b2", match="table7"))
    add_notes(beside, {"table7": [new_note(3, "well played")]})
    gifts = {"the log alone": [log], "both": [log, beside], "the folder": [folder]}[way]
    report = library.import_paths(gifts)
    assert (report.new, report.refused, report.notes) == (1, 0, 1)
    assert [note.text for held in library.notes(library.find("b2")).values() for note in held] == ["well played"]


@pytest.mark.parametrize(
    ("given", "called"),
    [
        (("README.md", b"# Hello"), "README.md"), (("../../x\ud800.jsonl", b"?"), "../../x?.jsonl"),
        (("pic.png", b"\x89PNG\r\n\x1a\n"), "pic.png"), (b"# Hello", "standard input"),
    ],
)  # fmt: skip
def test_a_stream_is_called_by_the_name_that_it_has(
    library: Library, given: tuple[str, bytes] | bytes, called: str
) -> None:
    gift = io.BytesIO(given) if isinstance(given, bytes) else (given[0], io.BytesIO(given[1]))
    report = library.import_paths([gift])
    assert report.refused == 1 and [found.file for found in report.found] == [called]
    assert all(found.reason.isprintable() for found in report.found)


# --- removed, and there again -------------------------------------------------------------------------------


def nameless(name: str) -> bytes:
    deck = header().seats[0].deck
    return told(2, name, seats=(Seat("Player 1", deck=deck), Seat("Player 2", "random", deck)), tags=())


COPIES = {
    "the same file": (told(2, "b2"), 1), "under another id": (told(2, "x9"), 1), "without names": (nameless("y8"), 1),
    "a cut copy": (told(2, "b2")[:-99], 2), "another game of that id": (told(2, "b2", seed=77), 2),
}  # fmt: skip


@pytest.mark.parametrize("purged", [False, True])
@pytest.mark.parametrize("copy", COPIES)
def test_a_game_that_came_in_again_is_there_once_when_it_is_restored(library: Library, copy: str, purged: bool) -> None:
    data, games = COPIES[copy]
    library.import_paths([io.BytesIO(told(1, "a1") + told(2, "b2"))])
    key = library.find("b2").key
    library.remove(["b2"])
    assert library.import_paths([io.BytesIO(data)]).refused == 0
    back, here = library.restore([key])
    assert ([line.id for line in back], [line.id for line in here]) == ((["b2"], []) if games == 2 else ([], ["b2"]))
    if purged:
        assert library.purge() == len(here)
    assert len(library.games()) == 1 + games
    assert sum(entry.key == key and entry.state == "whole" for entry in library.games()) == 1
    assert library.import_paths([io.BytesIO(told(2, "b2"))]).duplicate == 1


def test_of_several_restored_games_each_that_came_in_again_is_told(library: Library) -> None:
    library.import_paths([io.BytesIO(told(1, "a1") + told(2, "b2"))])
    library.remove(["a1", "b2"])
    library.import_paths([io.BytesIO(told(2, "b2"))])
    back, here = library.restore(["a1", "b2"])
    assert ([line.id for line in back], [line.id for line in here]) == (["a1"], ["b2"])
    assert [line.id for line in library.removed()] == ["b2"] and sorted(ids(library)) == ["a1", "b2"]


def test_a_page_holds_its_log_in_archives_too(library: Library, tmp_path: Path) -> None:
    text = json.dumps({"name": "x.jsonl", "text": told(2, "b2").decode()}).replace("<", "\\u003c")
    page = f'<!DOCTYPE html>\n<p>A replay</p><script type="application/json" id="log">{text}</script>'
    (tmp_path / "replay.html").write_text(page)
    with zipfile.ZipFile(tmp_path / "both.zip", "w") as archive:
        archive.writestr("deep/replay.html", page)
        archive.writestr("log.jsonl", told(1, "a1"))
    for file in (tmp_path / "both.zip", tmp_path / "replay.html"):
        assert library.import_paths([file]).refused == 0
    assert ids(library) == ["b2", "a1"] and told(2, "b2").endswith(library.open("b2").text)
