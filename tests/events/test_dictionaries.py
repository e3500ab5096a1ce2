"""Dictionaries of packs: the same games in fewer bytes, read in any way that packs are; what damage to one costs."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from msgspec import structs

from events import dictionaries
from events.dictionaries import MARK, dictionary_of
from events.open import read_games
from events.pack import PackWriter, game_at, pack_index, shared_at, slice_game, zstd
from events.record import LogError, edition
from events.stretches import games_in, stretches
from tests.events.highcard import SHARED, game
from tests.events.test_reader import opened

NAMES = tuple("abcdefghijkl")


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games without a dictionary, then a new one after every five."""
    monkeypatch.setattr(dictionaries, "FIRST", 2)
    monkeypatch.setattr(dictionaries, "EVERY", 5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return packed(tmp_path / "games.jsonl.zst")


def packed(path: Path, names: tuple[str, ...] = NAMES) -> Path:
    with PackWriter(path) as writer:
        for turns, name in enumerate(names, 20):
            writer.add(*SHARED, game(turns, id=name))
    return path


def test_games_come_back_as_they_were(path: Path) -> None:
    games = list(read_games(path))
    assert [one.events[:-1] for one in games] == [game(turns, id=name) for turns, name in enumerate(NAMES, 20)]
    assert all(one.sealed and one.fault is None for one in games)


def test_the_first_games_need_none_and_the_others_take_fewer_bytes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = path.read_bytes()
    index = list(pack_index(path))
    frames = [data[entry.offset : entry.offset + entry.length] for entry in index if entry.kind == "game_started"]
    assert [bool(dictionary_of(frame)) for frame in frames] == [False] * 2 + [True] * 10
    assert len({dictionary_of(frame) for frame in frames}) == 3, "none, and two dictionaries"
    assert [entry.kind for entry in index if entry.kind != "game_started"] == [
        "rulebook", "card_set", "dictionary", "dictionary",
    ]
    monkeypatch.setattr(dictionaries, "FIRST", 100)
    plain = [entry.length for entry in pack_index(packed(path)) if entry.kind == "game_started"]
    assert sum(map(len, frames[2:])) < 0.7 * sum(plain[2:])


def test_the_same_games_make_the_same_bytes(path: Path, tmp_path: Path) -> None:
    assert packed(tmp_path / "again.jsonl.zst").read_bytes() == path.read_bytes()


def test_one_game_is_read_by_its_place_and_its_slice_is_a_pack(path: Path) -> None:
    for entry in pack_index(path):
        if entry.kind == "game_started":
            assert game_at(path, entry.offset, entry.length, shared_at(path, entry.shared)).header.id == entry.id
            one, = opened(slice_game(path, entry))
            assert (one.header.id, one.fault) == (entry.id, None)


@pytest.mark.parametrize("size", [1, 3, 5, 100])
def test_stretches_hold_the_games_of_the_pack(path: Path, size: int) -> None:
    cut = list(stretches(path, size))
    assert [one.header.id for stretch in cut for one in games_in(path, stretch) if not one.fault] == list(NAMES)
    assert all(len(stretch.shared) <= 4 for stretch in cut)


def test_games_of_many_rulebooks_in_turn_are_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers remember only so many dictionaries: one that they have forgotten is not named any more."""
    monkeypatch.setattr(dictionaries, "MAX_KEPT", 2)
    books = [structs.replace(SHARED[0], version=str(n)) for n in range(4)]
    with PackWriter(path) as writer:
        for turns in range(20, 40):
            for n, book in enumerate(books):
                if turns % (n + 1) == 0:
                    writer.add(book, SHARED[1], game(turns, id=f"{n} {turns}", rulebook=edition(book)))
    assert all(one.fault is None and one.sealed for one in read_games(path))
    for entry in pack_index(path):
        assert entry.kind != "damaged"
        if entry.kind == "game_started":
            assert game_at(path, entry.offset, entry.length, shared_at(path, entry.shared)).fault is None
    assert [one.fault for stretch in stretches(path, 3) for one in games_in(path, stretch) if one.fault] == []


def test_packs_are_joined_by_appending(path: Path, tmp_path: Path) -> None:
    other = packed(tmp_path / "other.jsonl.zst", tuple("mnopqr"))
    joined = opened(path.read_bytes() + other.read_bytes())
    assert [one.header.id for one in joined if one.fault is None] == [*NAMES, *"mnopqr"]


def test_a_flipped_byte_of_a_dictionary_is_noticed_and_costs_the_games_that_name_it(path: Path) -> None:
    data = path.read_bytes()
    first, second = (entry for entry in pack_index(path) if entry.kind == "dictionary")
    lines = [one.lines for one in opened(data)]
    places = (*range(first.offset, first.offset + 24), *range(first.offset + 24, first.offset + first.length, 7))
    for place in places:
        for flip in (0x04, 0x80):
            changed = bytearray(data)
            changed[place] ^= flip
            games = opened(bytes(changed))
            whole = [one for one in games if one.fault is None]
            if [one.lines for one in whole] != lines:  # else a bit that zstd has no use for
                assert any(one.fault for one in games)
                assert [one.header.id for one in whole] == [*NAMES[:2], *NAMES[7:]]
                assert all(one.offset < first.offset or one.offset >= second.offset for one in whole)


def test_a_game_whose_dictionary_is_absent_says_so_and_costs_no_other(path: Path) -> None:
    data = path.read_bytes()
    first = next(entry for entry in pack_index(path) if entry.kind == "dictionary")
    path.write_bytes(data[: first.offset] + data[first.offset + first.length :])
    games = list(read_games(path))
    assert [one.header.id for one in games if one.fault is None] == [*NAMES[:2], *NAMES[7:]]
    assert len(games) == len(NAMES)
    number = dictionary_of(data[first.offset + first.length :])
    assert f"needs dictionary {number}, which is not before it" in str(games[2].fault)
    assert [entry.kind for entry in pack_index(path)].count("damaged") == 5
    with pytest.raises(LogError, match="is damaged here"):
        list(stretches(path, 3))


def test_a_damaged_game_before_a_dictionary_costs_no_other(path: Path) -> None:
    data = bytearray(path.read_bytes())
    last = [entry for entry in pack_index(path) if entry.kind == "dictionary"][1].offset - 1
    data[last] ^= 1
    games = opened(bytes(data))
    assert [one.header.id for one in games if one.fault is None] == [name for name in NAMES if name != NAMES[6]]
    data[last - 40 : last] = b""
    path.write_bytes(data)
    assert [one.header.id for one in opened(bytes(data)) if one.fault is None][-5:] == [*NAMES[7:]]
    assert [entry.id for entry in pack_index(path) if entry.kind == "game_started"][-5:] == [*NAMES[7:]]


@pytest.mark.parametrize("content", [
    b"", b"no frame", zstd.compress(b"no dictionary")[4:], zstd.compress(bytes(1 << 20))[4:], bytes(600 << 10),
])
def test_what_is_no_dictionary_is_named_and_costs_no_game(path: Path, content: bytes) -> None:
    plain = packed(path, tuple("ab")).read_bytes()
    games = opened(MARK + len(content).to_bytes(4, "little") + content + plain)
    assert [one.header.id for one in games if one.fault is None] == ["a", "b"]
    assert [one for one in games if one.fault is not None and "dictionary at byte 0" in str(one.fault)]


def test_skippable_frames_of_others_are_passed_over(path: Path) -> None:
    foreign = b"\x5c\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"hello"
    data = path.read_bytes()
    at = next(entry.offset for entry in pack_index(path) if entry.kind == "dictionary")
    games = list(read_games(io.BytesIO(data[:at] + foreign + data[at:])))
    assert [one.header.id for one in games if one.fault is None] == [*NAMES]


def test_games_of_few_bytes_make_no_dictionary() -> None:
    packing = dictionaries.Packing({zstd.CompressionParameter.compression_level: 10})
    for _ in range(20):
        assert packing.due(0) == b""
        assert zstd.decompress(packing.pack(b"x")) == b"x"
