"""PROTOCOL.md says what kinds.py and actions.py say: the same kinds, fields, types and defaults, and a true sample."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_type_hints

import msgspec
import pytest

import events
from engine.bounds import MAX_COUNTERS, MAX_IN_ZONE
from engine.state import Declared
from engine.view import view
from events import fields, kinds, protocol
from events.game import write_game
from events.open import read_games
from events.pack import MAX_EXPANSION, MAX_WINDOW_LOG
from events.reader import MAX_GAMES, MAX_SHARED, MAX_SHARED_LINES
from events.record import MAX_DEPTH, MAX_LINE, TAGS, causes, encode, game_key
from events.sections import MAX_GAME, MAX_RECORDS
from events.shared import EVERY_RULEBOOK
from replays.store import notes
from tests.events.highcard import SHARED, game

TEXT = (Path(events.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
RECORDS = [tag for tag, kind in TAGS.items() if issubclass(kind, kinds.Event)]


def test_kinds_actions_and_objects_are_listed_as_they_are_declared() -> None:
    assert protocol.with_tables(TEXT) == TEXT, "run `python -m events.protocol`"


def test_what_is_written_lists_each_field_with_type_default_and_meaning() -> None:
    text = protocol.with_tables(TEXT)
    listed = dict(re.findall(r"^### (`\w+`|[A-Z]\w+)\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL))
    assert [title.strip("`") for title in listed if title[0] == "`"] == ["rulebook", "card_set", *RECORDS]
    assert [struct.__name__ for struct in protocol.objects()] == [t for t in listed if t[0] != "`" and t != "Bounds"]
    assert "| `index` | int | `-1` | its place among the cards there, from 0, counted" in listed["`card_moved`"]
    assert "| `to` | int or null | must | the other card; null: free again |" in listed["`card_attached`"]
    assert "| `slots` | {text: [int …]} | `{}` | " in listed["Frame"]
    assert "| `seats` | [Seat, Seat] | must | " in listed["`game_started`"]


def test_the_words_that_every_rulebook_has_are_listed() -> None:
    (said,) = re.findall(r"^Some words every rulebook has.*?: (.*)\.$", TEXT, re.MULTILINE)
    listed = {names[0]: tuple(names[1:]) for names in (re.findall(r"`(\w+)`", part) for part in said.split("; "))}
    assert listed == EVERY_RULEBOOK


class Bare(kinds.Event, frozen=True):
    card: fields.CardId


def test_a_field_without_a_meaning_is_named() -> None:
    with pytest.raises(ValueError, match="Bare: the fields card have no docstring"):
        protocol.field_docs(Bare)


def test_what_one_seat_logs_leave_out_is_listed() -> None:
    chapter = TEXT.split("## One-seat logs")[1].split("\n## ")[0]
    told = chapter.split("- It is sealed")[0]
    for struct in (*kinds.EVENT_KINDS, *protocol.objects()):
        for name, hint in get_type_hints(struct, include_extras=True).items():
            if fields.SECRET in getattr(hint, "__metadata__", ()) and struct is not kinds.Sealed:
                tag = struct.__struct_config__.tag
                assert f"`{name}`" in told or f"all `{tag}`" in told or name == "deck", f"{struct.__name__}.{name}"


def test_the_sample_is_a_whole_game() -> None:
    sample = TEXT.split("```jsonl\n")[1].split("```")[0]
    (one,) = read_games(sample.encode())
    assert (one.sealed, one.fault) == (True, None)
    assert sample.encode() == write_game((*SHARED, game()))
    assert f"The causes of its records are `{causes(one.events)}`" in TEXT
    assert f"Its key is `{game_key(one.events)}`" in TEXT


def test_the_one_seat_sample_is_what_the_seat_saw() -> None:
    sample = TEXT.split("```jsonl\n")[2].split("```")[0].encode()
    shared = b"".join(encode(line) + b"\n" for line in (SHARED[0], *SHARED[1]))
    (one,) = read_games(shared + sample)
    assert (one.sealed, one.fault, one.header.view) == (True, None, 1)
    assert one.events[:-1] == view(game(), 1, Declared(SHARED[0]))


def test_the_sample_of_notes_is_read_and_its_fields_are_listed() -> None:
    sample = TEXT.split("```json\n")[1].split("```")[0].encode()
    (own,) = notes.decode_notes(sample).items()
    assert own[0] == game_key(game()) and own[1][0].record < len(game())
    chapter = TEXT.split("\n## Notes\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \| \S.*\|$", chapter, re.MULTILINE)
    listed = {field: (kind, absent) for field, kind, absent in rows[2:]}
    assert listed.pop("mark") == ("text", '`""`') and all(f"`{mark}`" in chapter for mark in notes.MARKS if mark)
    assert listed == {name: told for name, told in protocol.fields(notes.Note).items() if name != "mark"}
    assert f"{notes.MAX_NOTE_TEXT:,} characters" in chapter and f"{notes.MAX_NOTES:,} notes a game" in chapter
    assert f"{notes.MAX_FILE >> 20} MiB" in " ".join(chapter.split())


def test_the_schema_takes_every_line_of_the_sample_and_no_other() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    check = jsonschema.Draft202012Validator(msgspec.json.decode(msgspec.json.encode(protocol.line_schema())))
    lines = [line for sample in TEXT.split("```jsonl\n")[1:] for line in sample.split("```")[0].splitlines()]
    assert len(lines) > 20 and all(check.is_valid(msgspec.json.decode(line)) for line in lines)
    turn = {"kind": "turn_began", "turn": 1, "seat": 0}
    assert check.is_valid(turn)
    for wrong in ({"kind": "leapt"}, {"kind": "turn_began", "turn": 1}, {**turn, "x": 1}, {**turn, "turn": 2**63}):
        assert not check.is_valid(wrong)


def test_the_bounds_are_those_of_the_reader() -> None:
    bounds = " ".join(TEXT.split("### Bounds")[1].split("\n## ")[0].split())
    assert f"a line of {MAX_LINE >> 20} MiB, nesting of {MAX_DEPTH} levels" in bounds
    assert f"{MAX_RECORDS:,} records or {MAX_GAME >> 20} MiB a game" in bounds
    assert f"{MAX_SHARED_LINES:,} different shared lines or {MAX_SHARED >> 20} MiB of them a file" in bounds
    assert f"{MAX_GAMES:,} games a file" in bounds
    assert f"a window of 2{str(MAX_WINDOW_LOG).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))} bytes" in bounds
    assert f"and {MAX_EXPANSION} times the packed size of each frame" in bounds
    lying = f"A zone holds at most {MAX_IN_ZONE} cards, the stack {MAX_IN_ZONE} items"
    assert f"{lying}, a card {MAX_COUNTERS} counters" in bounds
