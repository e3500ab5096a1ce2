"""Packs: joined by appending, sliced by offset, never half there, and damage costs the damaged game only."""

from __future__ import annotations

import io
import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

from events import pack
from events.game import GameLog, write_game
from events.kinds import CardSet
from events.open import read_games
from events.pack import PackWriter, game_at, pack_index, read_pack, shared_at, slice_game, zstd
from events.record import LogError, edition, encode
from events.stretches import games_in, stretches
from tests.events.highcard import CARDS, SHARED, game
from tests.events.test_reader import opened, told, whole

FRAME = b"\x28\xb5\x2f\xfd"


def packed(path: Path, *ids: str) -> bytes:
    """A pack of games with these ids, of one turn, two turns, …"""
    with PackWriter(path) as writer:
        for turns, name in enumerate(ids, 1):
            writer.add(*SHARED, game(turns, id=name))
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl.zst"


def test_a_pack_is_the_plain_log_in_frames(path: Path) -> None:
    data = packed(path, "a", "b")
    text = write_game((*SHARED, game(1, id="a"))) + b"\n".join(write_game((*SHARED, game(2, id="b"))).splitlines()[2:])
    assert zstd.decompress(data) == text + b"\n"
    assert [one.events for one in read_games(path)] == [one.events for one in opened(text)]
    assert [one.events for one in read_pack(path)] == [one.events for one in read_pack(io.BytesIO(data))]


def test_the_index_says_where_each_game_and_shared_line_is(path: Path) -> None:
    with PackWriter(path) as writer:
        places = [writer.add(*SHARED, game(id=name)) for name in ("a", "b")]
    index = list(pack_index(path))
    assert [(entry.kind, entry.id) for entry in index] == [
        ("rulebook", edition(SHARED[0]).digest),
        ("card_set", edition(CARDS).digest),
        ("game_started", "a"),
        ("game_started", "b"),
    ]
    assert index[2:] == places
    assert [entry.offset for entry in places] == [one.offset for one in read_games(path)]
    assert index[3].shared == (index[0][:2], index[1][:2])
    assert sum(entry.length for entry in index) == path.stat().st_size


@pytest.mark.parametrize("size", range(1, 6))
def test_stretches_of_a_pack_hold_its_games_as_the_whole_does(path: Path, size: int) -> None:
    packed(path, "a", "b", "c", "d", "e")
    found = [list(games_in(path, stretch)) for stretch in stretches(path, size)]
    assert [len(games) for games in found] == [stretch.games for stretch in stretches(path, size)]
    assert all(len(games) == size for games in found[:-1])
    assert [said(one) for games in found for one in games] == [said(one) for one in read_games(path)]


def said(one: GameLog) -> tuple[object, ...]:
    return one.index, one.offset, one.text, one.events, one.rulebook, one.card_sets, one.shared, one.fault


def test_no_stretch_goes_over_a_damaged_frame(path: Path) -> None:
    data = bytearray(packed(path, "a", "b", "c"))
    third = list(pack_index(path))[-1]
    data[third.offset + 1] ^= 0xFF
    path.write_bytes(data)
    found = stretches(path, 1)
    assert next(found).games == 1
    with pytest.raises(LogError, match="is damaged here"):
        list(found)


def test_one_game_is_read_by_its_place(path: Path) -> None:
    packed(path, "a", "b", "c")
    entry = list(pack_index(path))[3]
    one = game_at(path, entry.offset, entry.length, shared_at(path, entry.shared))
    assert (one.header.id, one.sealed, one.fault, one.offset) == ("b", True, None, entry.offset)
    assert (one.rulebook, one.card_sets) == SHARED
    with pytest.raises(LogError, match="more than one game"):
        game_at(path, entry.offset, 10**6, shared_at(path, entry.shared))
    with pytest.raises(LogError, match="it was cut off"):
        game_at(path, entry.offset, 20, shared_at(path, entry.shared))


def test_a_slice_is_a_pack_of_one_game(path: Path) -> None:
    newer = CardSet(key="HC", version="2", game="highcard", cards={})
    with PackWriter(path) as writer:
        writer.add(*SHARED, game(id="a"))
        writer.add(SHARED[0], (newer,), game(id="b", card_sets=(edition(newer),)))
        writer.add(*SHARED, game(id="c"))
    for entry in pack_index(path):
        if entry.kind == "game_started":
            (one,) = opened(slice_game(path, entry))
            assert (one.header.id, one.sealed, one.fault) == (entry.id, True, None)
            assert [cards.version for cards in one.card_sets] == ["2" if entry.id == "b" else "1"]


def test_packs_are_joined_by_appending(path: Path) -> None:
    both = packed(path, "a", "b") + packed(path, "c")
    assert whole(both) == ["a", "b", "c"]
    path.write_bytes(both)
    assert [entry.kind for entry in pack_index(path)].count("rulebook") == 2
    (one,) = opened(slice_game(path, list(pack_index(path))[-1]))
    assert one.header.id == "c"


def test_shared_lines_are_written_once(path: Path) -> None:
    with PackWriter(path) as writer:
        writer.add(*SHARED, game(id="a"))
        writer.add(structs.replace(SHARED[0]), (structs.replace(CARDS),), game(id="b"))
    assert [entry.kind for entry in pack_index(path)] == ["rulebook", "card_set", "game_started", "game_started"]


def test_a_game_that_was_read_is_added_byte_for_byte(path: Path) -> None:
    data = b"".join(told("a").splitlines(keepends=True)[:9]).replace(b'"seat":0', b'"seat": 0')
    with PackWriter(path) as writer:
        writer.add_game(opened(data)[0])
        with pytest.raises(LogError, match="names another rulebook"):
            writer.add(SHARED[0], (), game())
    assert zstd.decompress(path.read_bytes()) == data


# --- never half there ---------------------------------------------------------------------------------------


def test_a_pack_left_by_an_error_changes_nothing(path: Path) -> None:
    before = packed(path, "a")

    def interrupted() -> None:
        with PackWriter(path) as writer:
            writer.add(*SHARED, game(id="b"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_a_killed_writer_leaves_nothing_under_the_name(path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; sys.path.insert(0, sys.argv[2])\n"
        "from tests.events.highcard import SHARED, game; from events.pack import PackWriter\n"
        "with PackWriter(Path(sys.argv[1])) as writer:\n"
        "    for turns in range(300): writer.add(*SHARED, game(turns))\n"
        "    writer._file.flush(); print('written', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path), str(Path(__file__).parents[2])], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"written\n"
        with pytest.raises(LogError, match="being written by another process"), PackWriter(path):
            pass
        process.send_signal(signal.SIGKILL)
    assert not path.exists()
    packed(path, "a")
    assert whole(path.read_bytes()) == ["a"]
    assert os.listdir(path.parent) == [path.name]


def test_a_pack_that_cannot_be_made_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"p.zst: cannot be made: No such file"), PackWriter(tmp_path / "no" / "p.zst"):
        pass


# --- damage -------------------------------------------------------------------------------------------------


def test_each_flipped_byte_of_a_pack_is_noticed_or_changes_nothing_and_costs_one_game(path: Path) -> None:
    data = packed(path, "a", "b", "c")
    frames, lines = list(pack_index(path)), [one.lines for one in opened(data)]
    for place, flip in zip(range(len(data)), itertools.cycle((0x04, 0x80, 0x01))):
        changed = bytearray(data)
        changed[place] ^= flip
        hit = next(entry for entry in frames if entry.offset <= place < entry.offset + entry.length)
        try:
            games = opened(bytes(changed))
        except LogError:
            assert hit.kind != "game_started"
            continue
        if [one.lines for one in games if one.fault is None] == lines:
            continue  # a bit that zstd has no use for
        assert any(one.fault for one in games)
        if hit.kind == "game_started":
            good = [one.header.id for one in games if one.events and not one.fault]
            assert good == [name for name in ("a", "b", "c") if name != hit.id]


def test_a_damaged_frame_is_played_up_to_the_damage(path: Path) -> None:
    data = bytearray(packed(path, "a", "b"))
    data[-1] ^= 1
    first, second = opened(bytes(data))
    assert first.fault is None
    assert second.fault is not None
    assert second.fault.byte == second.offset == list(pack_index(path))[-1].offset
    assert "Restored data doesn't match checksum" in str(second.fault)
    assert second.events[:-1] == game(2, id="b")


def test_a_cut_pack_keeps_the_games_before_the_cut(path: Path) -> None:
    data = packed(path, "a", "b")
    last = list(pack_index(path))[-1].offset
    other = packed(path, "z")
    for size in range(last, len(data)):
        games = opened(data[:size])
        assert [one.header.id for one in games if not one.fault] == ["a"]
        assert whole(data[:size] + other) == ["a", "z"]
        if size > last:
            assert games[1].fault is not None
            assert games[1].fault.byte == last


def test_bytes_in_front_between_and_behind_are_passed_over(path: Path) -> None:
    one, two = packed(path, "a"), packed(path, "b")
    assert whole(b"HTTP/1.1 200 OK\r\n\r\n" + one + b"junk" * 10 + two + b"PK\x05\x06") == ["a", "b"]
    skippable = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"
    assert whole(skippable + one + skippable + two + skippable) == ["a", "b"]
    assert all(one.fault is None for one in opened(skippable + one + skippable))


def test_the_index_names_damaged_stretches(path: Path) -> None:
    data = packed(path, "a", "b")
    index = list(pack_index(path))
    path.write_bytes(data[: index[2].offset] + b"\x00" * index[2].length + data[index[3].offset :] + FRAME)
    kinds = [entry.kind for entry in pack_index(path)]
    assert kinds == ["rulebook", "card_set", "damaged", "game_started", "damaged"]
    assert sum(entry.length for entry in pack_index(path)) == path.stat().st_size
    path.write_bytes(told("a"))
    with pytest.raises(LogError, match="is no pack"):
        list(pack_index(path))


# --- packs that other programs made, and bounds -------------------------------------------------------------


def test_a_log_packed_as_a_whole_is_read(path: Path) -> None:
    text = told("a", "b", "c", rounds=40)
    assert whole(zstd.compress(text)) == ["a", "b", "c"]
    halves = zstd.compress(text[:5000]) + zstd.compress(text[5000:])
    assert whole(halves) == ["a", "b", "c"]
    path.write_bytes(zstd.compress(text))
    with pytest.raises(LogError, match="more than a shared line"):
        list(pack_index(path))


def test_frames_without_a_last_line_feed_are_read() -> None:
    lines = told("a").splitlines()
    frames = [lines[0], lines[1], b"\n".join(lines[2:]), b"\n".join(told("b").splitlines()[2:])]
    assert whole(b"".join(map(zstd.compress, frames))) == ["a", "b"]


def test_large_frames_come_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "HOLD", 1000)
    monkeypatch.setattr(pack, "STEP", 64)
    assert whole(zstd.compress(told("a", "b", "c", rounds=40))) == ["a", "b", "c"]


def test_what_unpacks_to_far_more_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "MAX_GAME", 1 << 20)
    bomb = zstd.compress(told("a") + b" " * (32 << 20))
    with pytest.raises(LogError, match="unpacks to more than 256 times its size"):
        opened(bomb)


BOMBS = {
    "zeros": bytes(8 << 20), "blank lines": b"\n" * (8 << 20), "spaces": b" " * (8 << 20),
    "records": b'{"kind":"annotated","text":"x"}\n' * (1 << 18),
    "an endless record": b'{"kind":"annotated","text":"' + b"x" * (8 << 20),
}


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_frame_that_unpacks_to_far_more_costs_no_other_game(
    bomb: str, place: int, monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    monkeypatch.setattr(pack, "MAX_GAME", 1 << 20)
    monkeypatch.setattr(pack, "HOLD", 1 << 18)
    packed(path, "a", "b", "c")
    data = path.read_bytes()
    starts = [entry.offset for entry in pack.pack_index(path) if entry.kind == "game_started"]
    at = [*starts, len(data)][place]
    for times in (1, 3):
        games = list(read_games(data[:at] + zstd.compress(BOMBS[bomb]) * times + data[at:], name="x"))
        assert [game.header.id for game in games if game.sealed] == ["a", "b", "c"]
        told = [game for game in games if "unpacks to more than 256 times its size" in str(game.fault)]
        assert len(told) == 1 and not told[0].events, "one stretch of the file is one fault"


def test_a_frame_that_needs_too_much_memory_is_refused() -> None:
    options = {zstd.CompressionParameter.window_log: 27, zstd.CompressionParameter.content_size_flag: 0}
    compressor = zstd.ZstdCompressor(options=options)
    wide = compressor.compress(told("a")) + compressor.flush()
    with pytest.raises(LogError, match="too much memory"):
        opened(wide)


def test_a_file_full_of_frame_marks_is_given_up() -> None:
    with pytest.raises(LogError, match="256 damaged stretches"):
        opened(FRAME * 5000)


def test_the_same_games_make_the_same_bytes(path: Path) -> None:
    first = packed(path, "a", "b", "c")
    assert packed(path, "a", "b", "c") == first
    assert encode(CARDS) in zstd.decompress(first)
