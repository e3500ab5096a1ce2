"""Export: lines come out as they are kept, whole or not at all under the file's name."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from events.log import Game, read_games, write_game
from events.pack import PackWriter, pack_index
from events.record import LogError
from replays.library import Entry, Library, LibraryError
from replays.share import export_games
from tests.events.highcard import SHARED, game


def told(turns: int, name: str) -> bytes:
    return write_game((*SHARED, game(turns, id=name)))


@pytest.fixture
def library(tmp_path: Path) -> Library:
    library = Library(tmp_path / "library")
    library.import_paths([io.BytesIO(told(n, f"g{n}")) for n in range(1, 6)])
    return library


def test_one_game_as_plain_lines_is_the_file_it_came_from(library: Library, tmp_path: Path) -> None:
    assert export_games(library, ["g3"], tmp_path / "x.jsonl") == 1
    assert (tmp_path / "x.jsonl").read_bytes() == told(3, "g3")


def test_several_games_share_their_shared_lines(library: Library, tmp_path: Path) -> None:
    to = tmp_path / "x.jsonl"
    assert export_games(library, ["g5", "g1"], to) == 2
    shared = told(5, "g5").split(b"\n")[:2]
    assert to.read_bytes() == told(5, "g5") + b"".join(told(1, "g1").partition(shared[1] + b"\n")[2:])
    assert [found.header.id for found in read_games(to)] == ["g5", "g1"]


def test_a_pack_holds_the_same_lines(library: Library, tmp_path: Path) -> None:
    to = tmp_path / "x.jsonl.zst"
    export_games(library, ["g2", "g4"], to)
    assert [entry.kind for entry in pack_index(to)] == ["rulebook", "card_set", "game_started", "game_started"]
    assert [found.lines for found in read_games(to)] == [library.open(name).lines for name in ("g2", "g4")]
    assert all(found.sealed for found in read_games(to))


def test_an_open_stream_gets_plain_lines(library: Library) -> None:
    stream = io.BytesIO()
    export_games(library, ["g2"], stream)
    assert stream.getvalue() == told(2, "g2")


def test_a_cut_game_is_exported_as_far_as_it_goes(library: Library, tmp_path: Path) -> None:
    cut = write_game((*SHARED, game(3, id="cut", seed=9)))[:-250]
    library.import_paths([io.BytesIO(cut)])
    export_games(library, ["cut"], tmp_path / "x.jsonl")
    kept = (tmp_path / "x.jsonl").read_bytes()
    assert kept == cut[: cut.rindex(b"\n") + 1]


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.zst"])
def test_an_unknown_game_leaves_no_file(library: Library, tmp_path: Path, name: str) -> None:
    with pytest.raises(LibraryError, match="There is no game 'nobody'"):
        export_games(library, ["g1", "nobody"], tmp_path / name)
    assert [file.name for file in tmp_path.iterdir()] == ["library"]


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.zst"])
def test_an_export_that_fails_midway_leaves_the_old_file(
    library: Library, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_games(library, ["g1"], tmp_path / name)
    before = (tmp_path / name).read_bytes()
    read = library.read

    def goes_after_one(entry: Entry) -> Game:
        library.packs()[0].rename(library.path / "packs" / ".gone")
        return read(entry)

    monkeypatch.setattr(library, "read", goes_after_one)
    with pytest.raises(LibraryError, match="cannot be read"):
        export_games(library, ["g1", "g2"], tmp_path / name)
    assert (tmp_path / name).read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} == {"library", name}


def test_a_name_that_says_neither_plain_nor_packed_is_refused(library: Library, tmp_path: Path) -> None:
    for name in ("x.json", "x.zst", "x"):
        with pytest.raises(LogError, match=r"must end with \.jsonl"):
            export_games(library, ["g1"], tmp_path / name)
    with pytest.raises(LogError, match="No such file or directory"):
        export_games(library, ["g1"], tmp_path / "absent" / "x.jsonl")
    with pytest.raises(LogError, match="No such file or directory"):
        export_games(library, ["g1"], tmp_path / "absent" / "x.jsonl.zst")


def test_what_is_exported_is_taken_in_elsewhere(library: Library, tmp_path: Path) -> None:
    to = tmp_path / "x.jsonl.zst"
    export_games(library, [f"g{n}" for n in range(1, 6)], to)
    other = Library(tmp_path / "other")
    assert other.import_paths([to]).new == 5
    assert [entry.key for entry in other.games()] == [entry.key for entry in library.games()]
    assert library.import_paths([to]).duplicate == 5


def test_a_pack_that_was_joined_by_appending_is_taken_in(library: Library, tmp_path: Path) -> None:
    parts = []
    for name in ("m1", "m2"):
        path = tmp_path / f"{name}.jsonl.zst"
        with PackWriter(path) as pack:
            pack.add(*SHARED, game(2, id=name, seed=int(name[1])))
        parts.append(path.read_bytes())
    (tmp_path / "joined").write_bytes(b"".join(parts))
    assert library.import_paths([tmp_path / "joined"]).new == 2
