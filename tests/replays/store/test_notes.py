"""Notes: merged in any order they are the same, the later change wins, and hostile files get a sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from events.game import write_game
from events.open import read_games
from events.record import game_key
from replays.store import notes
from replays.store.notes import Note, Notes, NotesError, add_notes, decode_notes, encode_notes, merge, read_notes
from tests.events.highcard import SHARED, game

TIMES = [f"2026-11-29T20:15:0{n}.000000Z" for n in range(4)]
NOTE = st.builds(
    Note, id=st.sampled_from(["a1", "b2", "c3"]), record=st.integers(0, 5), text=st.sampled_from(["", "x", "y"]),
    by=st.sampled_from(["Ann", "Bo"]), at=st.sampled_from(TIMES), view=st.sampled_from([None, 0]),
)
NOTES = st.dictionaries(st.sampled_from(["g1", "g2"]), st.lists(NOTE, max_size=4).map(tuple), max_size=2)


def note(text: str = "well played", **changes: object) -> Note:
    fields: dict = {"id": "a1", "record": 3, "text": text, "by": "Ann", "at": TIMES[0]}
    return Note(**{**fields, **changes})


@settings(max_examples=200, deadline=None)
@given(NOTES, NOTES, NOTES)
def test_merging_knows_no_order_and_does_nothing_twice(a: Notes, b: Notes, c: Notes) -> None:
    assert merge(a, b) == merge(b, a)
    assert merge(merge(a, b), c) == merge(a, merge(b, c))
    assert merge(a, a) == merge(a) == merge(merge(a))
    assert decode_notes(encode_notes(merge(a, b))) == merge(a, b)


def test_the_later_change_wins_and_taking_back_is_one() -> None:
    old, new = note(), note("well enough", at=TIMES[1])
    assert merge({"g": [new]}, {"g": [old]}) == {"g": (new,)}
    gone = notes.new_note(3, "", "Ann", change=new)
    assert notes.current_notes(merge({"g": [gone]}, {"g": [new, old]})["g"]) == []
    ahead = note(at="2999-01-01T00:00:00.000000Z")
    assert notes.new_note(3, "again", change=ahead).at == "2999-01-01T00:00:00.000001Z"


def test_two_people_s_notes_on_one_game_end_in_one_file(tmp_path: Path) -> None:
    file = notes.beside(tmp_path / "game.jsonl.zst")
    assert file.name == "game.notes.json" and notes.beside(tmp_path / "game.jsonl").name == "game.notes.json"
    add_notes(file, {"g": [note()]})
    add_notes(file, {"g": [note("no", id="b2", by="Bo", record=1)], "h": [note(id="c3")]})
    assert {game: [n.by for n in held] for game, held in read_notes(file).items()} == {"g": ["Bo", "Ann"], "h": ["Ann"]}
    assert [path.name for path in tmp_path.iterdir()] == ["game.notes.json"]


def test_writers_in_many_processes_lose_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from replays.store.notes import add_notes, new_note\n"
        "for n in range(20): add_notes(Path(sys.argv[1]), {'g': [new_note(n, sys.argv[2])]})\n"
    )
    file = tmp_path / "x.notes.json"
    writers = [subprocess.Popen([sys.executable, "-c", code, str(file), name]) for name in ("Ann", "Bo", "Cy")]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert sorted(n.text for n in read_notes(file)["g"]) == ["Ann"] * 20 + ["Bo"] * 20 + ["Cy"] * 20


def test_a_game_is_named_by_its_match_else_by_its_key() -> None:
    (live,) = read_games(write_game((*SHARED, game(match="table7"))))
    (other,) = read_games(write_game((*SHARED, game())))
    (hostile,) = read_games(write_game((*SHARED, game(match="../../etc"))))
    assert notes.notes_name(live) == "table7"
    assert notes.notes_name(other) == notes.notes_name(hostile) == game_key(other.events)


def test_a_note_is_about_a_record_that_there_is() -> None:
    (one,) = read_games(write_game((*SHARED, game())))
    notes.check_record(note(record=len(one.events) - 1), one)
    with pytest.raises(NotesError, match="there is no record 12"):
        notes.check_record(note(record=len(one.events)), one)
    with pytest.raises(NotesError, match="counts records as the log of seat 1 does; this is the whole log"):
        notes.check_record(note(view=1), one)


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b'{"notes":2,"games":{},"new":1}', "made by a newer version of Cardfold (notes 2; this one reads up to 1)"),
        (b'{"notes":1}', "missing required field `games`"),
        (b'{"notes":1,"games":{},"more":1}', "unknown field `more`"),
        (b'{"notes":1,"games":[]}', "Expected `object`"),
        (b'{"notes":1,"games":{"g":[{"id":"a","record":1}]}}', "missing required field `text`"),
        (b'{"notes":1,"games":{"g":[' + b"[" * 100_000 + b"]}}", "no notes that can be read"),
        (b'{"notes":1', "no notes that can be read"),
        (b"\xff\xfe", "no notes that can be read"),
        (b"", "no notes that can be read"),
        (encode_notes({"../x": (note(),)}), "a game is named by its match id or game key"),
        (encode_notes({"g": (note(id="<b>"),)}), "the id '<b>' is none"),
        (encode_notes({"g": (note(record=-1),)}), "there is no record -1"),
        (encode_notes({"g": (note(at="29/11/2026"),)}), "the time '29/11/2026' is not written like"),
        (encode_notes({"g": (note(at="2026-13-40T20:15:00.000000Z"),)}), "does not match format"),
        (encode_notes({"g": (note("x" * 10_001),)}), "at most 10000 characters"),
        (encode_notes({"g": tuple(note(id=f"n{n}") for n in range(10_001))}), "there are more than 10000"),
        (b" " * (17 << 20), "has more than 16777216 bytes"),
    ],
)
def test_a_file_that_is_none_gets_a_sentence(data: bytes, part: str) -> None:
    with pytest.raises(NotesError) as error:
        decode_notes(data, "x.notes.json")
    assert part in str(error.value) and str(error.value).startswith("x.notes.json: ")


def test_a_damaged_file_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "x.notes.json"
    file.write_bytes(b'{"notes":1,"games":{"g":[{')
    with pytest.raises(NotesError, match="no notes that can be read"):
        add_notes(file, {"g": [note()]})
    assert file.read_bytes() == b'{"notes":1,"games":{"g":[{'
    with pytest.raises(NotesError, match="cannot be kept"):
        add_notes(tmp_path / "y.notes.json", {"g": [structs.replace(note(), text="x" * 20_000)]})
    with pytest.raises(NotesError, match="cannot be written: No such file"):
        add_notes(tmp_path / "none" / "y.notes.json", {"g": [note()]})
    with pytest.raises(NotesError, match="This note cannot be kept"):
        notes.new_note(-1, "x")
