"""Logs of older versions, and games being written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import json, structs

from events import kinds, reader, upcasts
from events.game import game_lines, write_game
from events.kinds import Acted, Annotated, Asked, Event, GameEnded, Sealed, TurnBegan
from events.live import LogWriter
from events.open import read_games
from events.record import LogError, decode, edition, encode, seal
from tests.events.highcard import CARDS, RULEBOOK, SHARED, game, header
from tests.events.test_reader import (
    opened,
    told,
    whole,
)

# --- older versions -----------------------------------------------------------------------------------------


@pytest.fixture
def a_newer_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 9 is today's; in version 0.1 a turn was a `round` and a rulebook's key was its `name`."""

    def from_0_1(record: dict[str, Any]) -> dict[str, Any]:
        if record["kind"] == "turn_began":
            record["turn"] = record.pop("round")
        if record["kind"] == "rulebook":
            record["key"] = record.pop("name")
        return record

    monkeypatch.setattr(kinds, "PROTOCOL", "9")
    monkeypatch.setattr(upcasts, "VERSIONS", ("0", "0.1", "9"))
    monkeypatch.setattr(upcasts, "UPCASTS", {**upcasts.UPCASTS, "0.1": from_0_1})


def old_file() -> bytes:
    """A file as version 0.1 of that fixture wrote it."""
    shared = [encode(RULEBOOK).replace(b'"key"', b'"name"', 1), encode(CARDS)]
    named = structs.replace(edition(RULEBOOK), digest=reader.digest(shared[0]))
    lines = [encode(event).replace(b'"turn":', b'"round":') for event in game(rulebook=named)]
    return b"\n".join([*shared, *lines, encode(Sealed(seal=seal(lines)))]) + b"\n"


@pytest.mark.usefixtures("a_newer_protocol")
def test_an_old_log_is_read_as_one_of_today() -> None:
    (one,) = opened(old_file())
    assert (one.fault, one.sealed, one.rulebook) == (None, True, RULEBOOK)
    assert one.events[1:-1] == game()[1:]
    assert write_game(one) == old_file()
    new = write_game((*SHARED, game(protocol="9")))
    assert [two.sealed for two in opened(old_file() + new)] == [True, True]


@pytest.mark.usefixtures("a_newer_protocol")
def test_a_record_that_the_upcast_cannot_take_is_a_fault() -> None:
    (one,) = opened(old_file().replace(b'"round"', b'"rounds"'))
    assert one.fault is not None
    assert (one.fault.record, len(one.events)) == (4, 4)
    assert "no record of protocol 0.1" in str(one.fault)


@pytest.mark.usefixtures("a_newer_protocol")
def test_upcast_goes_through_every_version_between() -> None:
    today = {"kind": "turn_began", "turn": 3}
    assert upcasts.upcast({"kind": "turn_began", "round": 3}, "0") == today
    assert upcasts.upcast({"kind": "turn_began", "round": 3}, "0.1") == today
    assert upcasts.upcast({"kind": "turn_began", "turn": 3}, "9") == today


# --- a game being written -----------------------------------------------------------------------------------


def decisions(events: list[Event]) -> Iterator[list[Event]]:
    """The records of a game as they are appended: each time up to the next question or the end."""
    batch: list[Event] = []
    for event in events:
        batch.append(event)
        if isinstance(event, Asked | GameEnded):
            yield batch
            batch = []


def test_a_live_game_is_readable_after_each_decision(tmp_path: Path) -> None:
    path, events, written = tmp_path / "live.jsonl", game(3), 0
    with LogWriter(path, *SHARED, sync=True) as writer:
        for batch in decisions(events):
            writer.append(batch)
            written += len(batch)
            (one,) = read_games(path)
            assert (one.events, one.fault, one.ended) == (events[:written], None, written == len(events))
    assert path.read_bytes() == write_game((*SHARED, events))


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    with LogWriter(path, *SHARED) as writer:
        writer.append(game()[:8])
        for second in (lambda: LogWriter(path, *SHARED), lambda: LogWriter.resume(path)):
            with pytest.raises(LogError, match=r"^live.jsonl: is being written by another process"):
                second()
    with pytest.raises(LogError, match="there is a log already"):
        LogWriter(path, *SHARED)
    LogWriter.resume(path)[0].close()


def test_a_log_cut_at_any_byte_goes_on_and_ends_as_it_would_have(tmp_path: Path) -> None:
    events = game(2)
    data = write_game((*SHARED, events))
    begin = data.index(b"\n", data.index(b'{"kind":"game_started"'))
    for size in range(begin, data.index(b'{"kind":"sealed"') + 30, 3):
        path = tmp_path / f"{size}.jsonl"
        path.write_bytes(data[:size])
        writer, one = LogWriter.resume(path)
        kept = len(one.events)
        assert one.events == events[:kept]
        assert kept == 1 or isinstance(events[kept - 1], Asked | GameEnded)
        torn = tmp_path / f"{size}.jsonl.torn"
        if one.fault:
            assert (one.fault.record, torn.exists()) == (kept, True)
            assert torn.read_bytes().rstrip(b"\n") == data[one.fault.byte : size].rstrip(b"\n")
            assert f"put aside in {torn.name}" in str(one.fault)
        else:
            assert not torn.exists()
        writer.append(events[kept:])
        writer.close()
        assert path.read_bytes() == data


def test_a_log_without_a_game_is_not_resumed_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    for data in (b"", told("a")[:100], told("a")[:700]):
        path.write_bytes(data)
        with pytest.raises(LogError):
            LogWriter.resume(path)
        assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        (b'"kind":"shuffled"', b'"kind":"shuffeld"', "no kind 'shuffeld'"),
        (b'"rank":7', b'"rank":8', "the line of its card set"),
        (b'"value":1', b'"value":2', "the seal does not match"),
        (b"", b"", "the game is finished and sealed"),
    ],
)
def test_damage_in_the_middle_is_not_cut_off(tmp_path: Path, old: bytes, new: bytes, part: str) -> None:
    path = tmp_path / "live.jsonl"
    path.write_bytes(told("a").replace(old, new))
    with pytest.raises(LogError, match=part):
        LogWriter.resume(path)
    assert path.read_bytes() == told("a").replace(old, new)


def test_zeros_at_the_end_are_a_torn_tail(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    data = b"\n".join(write_game((*SHARED, game(2))).splitlines()[:10]) + b"\n"
    path.write_bytes(data + b"\x00" * 4096)
    writer, one = LogWriter.resume(path)
    writer.close()
    assert (len(one.events), path.read_bytes()) == (8, data)
    assert (tmp_path / "live.jsonl.torn").read_bytes() == b"\x00" * 4096 + b"\n"


def test_notes_and_transcribed_records_stay(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    for events in ([*game()[:8], Annotated(text="hm")], game(origin="transcribed")[:7]):
        path.unlink(missing_ok=True)
        with LogWriter(path, *SHARED) as writer:
            writer.append(events)
        writer, one = LogWriter.resume(path)
        writer.close()
        assert (one.events, one.fault) == (events, None)


def test_the_last_game_of_several_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    lines = game_lines(game(id="b"))
    path.write_bytes(told("a") + b"\n".join(lines[:8]) + b"\n" + lines[8][:-1])
    writer, one = LogWriter.resume(path)
    assert one.header.id == "b"
    writer.append(game(id="b")[8:])
    writer.close()
    assert whole(path.read_bytes()) == ["a", "b"]


def test_what_cannot_follow_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    with LogWriter(path, *SHARED) as writer:
        for events, part in (
            (game()[1:], "a game begins with game_started"),
            ([header(protocol="1")], "written with protocol 0.1, not 1"),
            ([header(card_sets=())], "names another rulebook"),
        ):
            with pytest.raises(LogError, match=part):
                writer.append(events)
        writer.append([])
        assert path.read_bytes() == b""
        writer.append(game())
        for event, part in (
            (header(), "one game"),
            (Sealed(seal=""), "close"),
            (TurnBegan(turn=1, seat=0), "only notes may follow"),
        ):
            with pytest.raises(LogError, match=part):
                writer.append([event])
        writer.append([Annotated(text="gg")])
    writer.close()
    (one,) = read_games(path)
    assert (one.sealed, one.ended) == (True, True)
    assert one.events[-2] == Annotated(text="gg")


def test_a_full_disk_leaves_the_log_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, write = tmp_path / "live.jsonl", os.write

    def full(file: int, data: bytes) -> int:
        if len(data) < 100:
            raise OSError(28, "No space left on device")
        return write(file, data[:100])

    with LogWriter(path, *SHARED) as writer:
        writer.append(game()[:8])
        before = path.read_bytes()
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(LogError, match=r"cannot be written: No space left on device"):
            writer.append(game()[8:])
        monkeypatch.undo()
        assert path.read_bytes() == before
        writer.append(game()[8:])
    assert path.read_bytes() == write_game((*SHARED, game()))


def test_a_log_that_cannot_be_opened_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"live.jsonl: cannot be opened for writing: No such file"):
        LogWriter(tmp_path / "none" / "live.jsonl", *SHARED)


def test_decoded_lines_are_what_a_json_reader_sees() -> None:
    for line in game_lines(game(2)):
        plain = json.decode(line)
        assert plain["kind"] == decode(line).__struct_config__.tag
        if plain["kind"] == "acted":
            assert isinstance(decode(line), Acted)
