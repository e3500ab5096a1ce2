"""Plain logs: whatever happens to a file, a game says how far it can be read, and the others are read."""

from __future__ import annotations

import io
import itertools
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw, structs

from events import open as opening
from events import reader, sections
from events.game import GameLog, game_lines, write_game
from events.kinds import Annotated, Asked, CardSet, Sealed, TurnBegan
from events.open import read_games
from events.record import MAX_DEPTH, LogError, edition, encode, seal
from tests.events.highcard import CARDS, RULEBOOK, SHARED, game, header

BOM = b"\xef\xbb\xbf"


def told(*ids: str, rounds: int = 1) -> bytes:
    """A file of games with these ids, shared lines in front."""
    games = [b"\n".join(game_lines(game(rounds, id=name))) + b"\n" for name in ids]
    return b"\n".join(map(encode, (RULEBOOK, CARDS))) + b"\n" + b"".join(games)


def opened(data: bytes) -> list[GameLog]:
    return list(read_games(data, name="x.jsonl"))


def whole(data: bytes) -> list[str]:
    """The ids of the games of a file that are whole."""
    return [one.header.id for one in opened(data) if one.sealed and one.fault is None]


def test_a_game_comes_back_with_what_it_shares() -> None:
    events = game(2)
    (one,) = opened(write_game((*SHARED, events)))
    seal_line = Sealed(seal=seal(map(encode, events)))
    assert one.events == [*events, seal_line]
    assert one.lines == [encode(event) for event in one.events]
    assert (one.rulebook, one.card_sets) == SHARED
    assert (one.sealed, one.ended, one.fault, one.index) == (True, True, None, 0)
    assert one.offset == len(encode(RULEBOOK)) + len(encode(CARDS)) + 2


def test_a_game_is_written_again_byte_for_byte() -> None:
    finished = told("a")
    unfinished = b"".join(told("a").splitlines(keepends=True)[:9]).replace(b'"seat":0', b'"seat": 0')
    for data in (finished, unfinished):
        assert write_game(opened(data)[0]) == data


def test_files_of_all_sources_are_read(tmp_path: Path) -> None:
    path = tmp_path / "anything.txt"
    path.write_bytes(told("a", "b"))
    assert [one.header.id for one in read_games(path)] == ["a", "b"]
    assert [one.header.id for one in read_games(io.BytesIO(told("a", "b")))] == ["a", "b"]
    with pytest.raises(LogError, match=r"^nowhere.jsonl: cannot be read: No such file"):
        list(read_games(tmp_path / "nowhere.jsonl"))


def test_an_ended_game_is_sealed_and_an_unfinished_one_is_not() -> None:
    assert game_lines(game())[-1].startswith(b'{"kind":"sealed"')
    assert game_lines([*game(), Annotated(text="well played")])[-1].startswith(b'{"kind":"sealed"')
    sealed = opened(told("a"))[0].events
    assert game_lines(sealed) == [encode(event) for event in sealed]
    assert len(game_lines(game()[:-1])) == len(game()) - 1


# --- damage -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [b"\n", b"\n\n"])  # decoded in one go, and line by line
def test_a_rest_that_is_too_deep_is_refused_however_the_game_is_written(end: bytes) -> None:
    events = game()
    number = next(n for n, event in enumerate(events) if isinstance(event, Asked))
    for depth in (MAX_DEPTH - 1, MAX_DEPTH):
        deep = structs.replace(events[number], continuation=Raw(b"[" * depth + b"]" * depth))
        lines = [encode(event) for event in (*events[:number], deep)]
        (one,) = opened(b"\n".join([encode(RULEBOOK), encode(CARDS), *lines]) + end)
        assert (one.fault is not None and "nests deeper" in one.fault.what) == (depth == MAX_DEPTH)
        assert len(one.events) == number + (depth < MAX_DEPTH)


def test_every_prefix_opens_up_to_its_last_whole_record() -> None:
    data = write_game((*SHARED, game(2)))
    lines = data.splitlines(keepends=True)
    begins = list(itertools.accumulate(map(len, lines), initial=0))
    for size in range(1, len(data)):
        line = max(number for number, begin in enumerate(begins) if begin < size)
        torn = size < begins[line + 1] - 1  # a line that lacks but its line feed is whole
        if line < 2 or (line == 2 and torn):
            with pytest.raises(LogError) as error:
                opened(data[:size])
            if torn:
                assert error.value.byte == begins[line]
            continue
        (one,) = opened(data[:size])
        assert len(one.events) == line - 2 + (not torn)
        assert one.sealed == (size >= len(data) - 1)
        if torn:
            assert one.fault is not None
            place = (one.fault.file, one.fault.game, one.fault.record, one.fault.byte)
            assert place == ("x.jsonl", 0, line - 2, begins[line])
            assert f"stops after {size - begins[line]} bytes" in str(one.fault)
        else:
            assert one.fault is None


def test_each_flipped_byte_of_a_sealed_game_is_noticed() -> None:
    data = write_game((*SHARED, game()))
    for place, flip in itertools.product(range(len(data)), (0x01, 0x10, 0x20, 0x80)):
        changed = bytearray(data)
        changed[place] ^= flip
        try:
            games = opened(bytes(changed))
        except LogError:
            continue
        assert any(one.fault is not None or not one.sealed for one in games), (place, flip)


def test_a_changed_record_is_found_by_the_seal() -> None:
    (one,) = opened(told("a").replace(b'"value":1', b'"value":9'))
    assert not one.sealed
    assert one.fault is not None
    assert one.fault.record == len(one.events) - 1 == len(game())
    assert "the seal does not match" in str(one.fault)
    assert (one.altered, one.ended, isinstance(one.events[-1], Sealed)) == (True, True, True)
    again = opened(write_game(one))[0]
    assert (again.lines, again.sealed, again.altered) == (one.lines, False, True)


def test_a_damaged_game_does_not_spoil_the_others() -> None:
    data = told("a", "b", "c")
    for damage in (b'"kind":"shuffled"', b'"id":"b"', b'"kind":"game_started"', b'"kind":"sealed"'):
        at = data.index(damage, data.index(b'{"kind":"game_started"', data.index(b'"id":"a"')))
        assert whole(data[: at + 3] + b"\x00" + data[at + 4 :]) == ["a", "c"]
        assert any(one.fault for one in opened(data[: at + 3] + b"\x00" + data[at + 4 :]))


def test_a_game_that_lost_its_first_line_is_named() -> None:
    first, lost, third = opened(told("a", "b", "c").replace(b'"id":"b"', b'"id":b'))
    assert (first.sealed, third.sealed, lost.events) == (True, True, [])
    with pytest.raises(LogError, match=r"x.jsonl, game 1, record 0, byte \d+: the line is no JSON object"):
        _ = lost.header


def test_every_prefix_joined_to_another_file_leaves_that_one_whole() -> None:
    data, other = told("a"), told("z")
    for size in range(len(data)):
        assert whole(data[:size] + other) == (["a", "z"] if size >= len(data) - 1 else ["z"])
        assert whole(data[:size] + BOM + other)[-1:] == ["z"]


def test_records_after_the_seal_are_not_part_of_the_game() -> None:
    extra = encode(TurnBegan(turn=9, seat=0)) + b"\n"
    first, lost, last = opened(told("a") + extra + b"\n".join(game_lines(game(id="b"))))
    assert (first.sealed, first.fault, last.sealed) == (True, None, True)
    assert lost.fault is not None
    assert lost.fault.byte == len(told("a"))
    assert "no game begins here" in str(lost.fault)


@pytest.mark.parametrize("back", [5, -1])
def test_a_cause_outside_the_game_stops_it_there(back: int) -> None:
    events = [*game()[:4], TurnBegan(turn=1, seat=0, back=back), *game()[5:]]
    (one,) = opened(write_game((*SHARED, events)))
    assert one.fault is not None
    assert (one.fault.record, len(one.events)) == (4, 4)
    assert f"`back` is {back}" in str(one.fault)


@pytest.mark.parametrize("line", [header(), RULEBOOK, CARDS])
def test_a_line_that_begins_something_must_begin_as_such_lines_do(line: Any) -> None:
    spaced = encode(line).replace(b'{"kind":', b'{ "kind": ')
    lines = told("a").splitlines(keepends=True)
    (one,) = opened(b"".join([*lines[:5], spaced + b"\n", *lines[5:]]))
    assert one.fault is not None
    assert one.fault.record == 3
    assert "no space in it" in str(one.fault)


# --- what mailers, editors and joins do to files ------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda data: BOM + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: BOM + data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\n\n"),
        lambda data: data.replace(b"\n", b"\n  \t\n"),
        lambda data: b"\n\r\n" + data,
        lambda data: data.rstrip(b"\n"),
        lambda data: data + b"\n\n  ",
    ],
)
def test_line_ends_and_marks_do_no_harm(change: Any) -> None:
    data = change(told("a", "b"))
    assert whole(data) == ["a", "b"]
    for one in opened(data):
        assert data[one.offset :].startswith(b'{"kind":"game_started"')


def test_a_fault_has_its_byte_whatever_the_line_ends() -> None:
    for text in (BOM + told("a").replace(b"\n", b"\r\n"), told("a").replace(b"\n", b"\n \n\n")):
        data = text.replace(b'"kind":"turn_began"', b'"kind":"turn_begun"')
        (one,) = opened(data)
        assert one.fault is not None
        assert data[one.fault.byte :].startswith(b'{"kind":"turn_begun"')


@pytest.mark.parametrize("block", [1, 7, 100])
def test_blocks_of_any_size_give_the_same_games(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = BOM + told("a", "b").replace(b'"kind":"turn_began"', b'"kind":"turn_begun"', 1) + b"\n" + told("c")
    expected = [(one.events, one.lines, str(one.fault), one.offset) for one in opened(data)]
    monkeypatch.setattr(opening, "BLOCK", block)
    assert [(one.events, one.lines, str(one.fault), one.offset) for one in opened(data)] == expected
    assert len(expected) == 3


def test_files_are_joined_by_appending() -> None:
    assert whole(told("a") + told("b", "c")) == ["a", "b", "c"]
    assert whole(told("a").rstrip(b"\n") + told("b")) == ["a", "b"]


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    class Repeated(io.RawIOBase):
        """Shared lines, then the same game over and over."""

        def __init__(self, count: int) -> None:
            lines = told("a").splitlines(keepends=True)
            self.parts = itertools.chain([b"".join(lines[:2])], itertools.repeat(b"".join(lines[2:]), count))

        def read(self, size: int = -1) -> bytes:
            return next(self.parts, b"")

    def peak(count: int) -> int:
        tracemalloc.start()
        assert sum(one.sealed for one in read_games(Repeated(count))) == count  # type: ignore[arg-type]
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(5)
    assert peak(600) < 1.5 * peak(30)


# --- shared lines -------------------------------------------------------------------------------------------


def test_a_game_without_its_rulebook_says_so() -> None:
    _, _, *lines = told("a").splitlines(keepends=True)
    (one,) = opened(encode(CARDS) + b"\n" + b"".join(lines))
    assert one.fault is not None
    assert "the line of its rulebook 'highcard' '1.0' (digest" in str(one.fault)
    assert (one.fault.record, one.sealed, one.untouched, one.altered) == (0, False, True, False)
    assert (len(one.events), one.rulebook.zones) == (1, ())
    changed = b"".join(lines).replace(b'"value":1', b'"value":9')
    (one,) = opened(encode(CARDS) + b"\n" + changed)
    assert (one.sealed, one.untouched, one.altered) == (False, False, True)


def test_a_game_without_a_card_set_can_still_be_watched() -> None:
    _, _, *lines = told("a").splitlines(keepends=True)
    (one,) = opened(encode(RULEBOOK) + b"\n" + b"".join(lines))
    assert one.fault is not None
    assert "the line of its card set 'HC' '1'" in str(one.fault)
    assert (one.rulebook, one.card_sets, one.events[:-1]) == (RULEBOOK, (), game(id="a"))


def test_a_changed_card_set_is_not_taken_for_the_old_one() -> None:
    (one,) = opened(told("a").replace(b'"rank":7', b'"rank":8'))
    assert one.fault is not None
    assert one.card_sets == ()


def test_games_of_one_file_may_name_different_card_sets() -> None:
    newer = CardSet(key="HC", version="2", game="highcard", cards={})
    second = game(id="b", card_sets=(edition(newer),))
    data = told("a") + encode(newer) + b"\n" + b"\n".join(game_lines(second)) + b"\n"
    assert [one.card_sets[0].version for one in opened(data)] == ["1", "2"]
    assert whole(data) == ["a", "b"]


def test_a_game_is_not_written_with_other_shared_lines_than_it_names() -> None:
    other = structs.replace(RULEBOOK, version="1.1")
    with pytest.raises(LogError, match="names another rulebook"):
        write_game((other, (CARDS,), game()))


# --- files that are no logs, and bounds ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "x.jsonl: is empty"),
        (b"\n\r\n \n", "holds no game"),
        (b"Hello\tyou,\nnot a log", r"no game begins here, but 'Hello\tyou,'"),
        (b"\x00" * 5000, "no game begins here, but bytes that are no text"),
        (b'{"hello": "world"}\n' * 3, "no game begins here"),
        (b'[{"kind":"game_started"}]', "no game begins here, but '['"),
        (b'{"kind":"game_started"}', "in game_started: Object missing required field `protocol`"),
        (encode(RULEBOOK), "holds no game"),
        (encode(TurnBegan(turn=1, seat=0)), "no game begins here"),
        (("\ufeff" + told("a").decode()).encode("utf-16"), "is text in UTF-16"),
    ],
)
def test_a_file_without_a_game_is_refused_with_a_sentence(data: bytes, part: str) -> None:
    with pytest.raises(LogError) as error:
        opened(data)
    assert part in str(error.value)


def test_text_in_front_of_a_log_is_named_and_passed_over() -> None:
    lost, one = opened(b"From: Ann\nSubject: our game\n\n" + told("a"))
    assert lost.fault is not None
    assert "From: Ann" in str(lost.fault)
    assert (one.header.id, one.sealed) == ("a", True)


@pytest.mark.parametrize("protocol", ["0.2", "1", "99"])
def test_a_newer_version_is_refused_by_its_number(protocol: str) -> None:
    line = b'{"kind":"game_started","protocol":"%s","players":["all","new"]}\n{"kind":"leapt"}\n' % protocol.encode()
    with pytest.raises(LogError) as error:
        opened(line)
    assert f"made by a newer version of Cardfold (protocol {protocol}; this one reads up to 0.1)" in str(error.value)
    first, second = opened(line + told("a"))
    assert first.fault is not None
    assert second.sealed


def test_games_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_RECORDS", 8)
    monkeypatch.setattr(sections, "MAX_RECORDS", 8)
    long, short = opened(told("a") + b"\n".join(game_lines(game()[:6])))
    assert long.fault is not None
    assert (len(long.events), long.fault.record) == (8, 8)
    assert "more than 8 records" in str(long.fault)
    assert short.fault is None


def test_a_game_has_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_GAME", 3000)
    monkeypatch.setattr(sections, "MAX_GAME", 3000)
    monkeypatch.setattr(opening, "BLOCK", 1000)
    long, short = opened(told("a", rounds=40) + b"\n".join(game_lines(game()[:6])))
    assert long.fault is not None
    assert "more than 250000 records or 3000 bytes; the rest is not read" in str(long.fault)
    assert 0 < len(long.events) < len(game(40)) and short.fault is None


def test_a_file_that_begins_with_many_broken_games_is_no_log() -> None:
    with pytest.raises(LogError, match="record 0, byte 0: "):
        opened(b'{"kind":"game_started","protocol":"0.1"}\n' * (reader.MAX_HELD + 1) + told("a"))


def test_a_card_set_with_a_number_beyond_64_bits_is_refused() -> None:
    lost, one = opened(told("a").replace(b'"rank":7', b'"rank":9223372036854775808'))
    assert lost.fault is not None and one.fault is not None
    assert "a shared line cannot be read: it holds a number beyond 64 bits" in str(lost.fault)
    assert "the line of its card set 'HC' '1'" in str(one.fault)


def test_files_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_GAMES", 2)
    with pytest.raises(LogError, match="more than 2 games"):
        opened(told("a", "b", "c"))
    monkeypatch.setattr(reader, "MAX_SHARED", 100)
    with pytest.raises(LogError, match="more than 100 bytes"):
        opened(told("a"))
    monkeypatch.undo()
    monkeypatch.setattr(reader, "MAX_SHARED_LINES", 1)
    with pytest.raises(LogError, match="or 1 lines of rulebooks and card sets"):
        opened(told("a"))
    monkeypatch.setattr(reader, "MAX_LOST", 5)
    monkeypatch.setattr(reader, "MAX_SHARED_LINES", 2)
    with pytest.raises(LogError, match="more than 5 games of it cannot be read"):
        opened(told("a") + b'{"kind":"game_started"\n' * 6)
    monkeypatch.undo()
    with pytest.raises(LogError, match="no game begins here"):
        opened((b"junk\n" + b'{"kind":"rulebook"\n') * 1000)


def test_a_long_line_costs_its_game_only() -> None:
    long = encode(Annotated(text="x" * (5 << 20)))
    lines = told("a", "b").splitlines(keepends=True)
    first, second = opened(b"".join([*lines[:4], long + b"\n", *lines[4:]]))
    assert first.fault is not None
    assert (first.fault.record, second.sealed) == (2, True)
    assert f"more than {4 << 20} bytes" in str(first.fault)
    assert second.offset == len(b"".join(lines[:4])) + len(long) + 1 + len(b"".join(lines[4 : 2 + len(game()) + 1]))
