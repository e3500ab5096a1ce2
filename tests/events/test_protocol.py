"""PROTOCOL.md says what kinds.py and actions.py say: the same kinds, fields, types and defaults, and a true sample."""

from __future__ import annotations

import re
import types
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

import events
from engine.bounds import MAX_COUNTERS, MAX_IN_ZONE
from engine.state import Declared
from engine.view import view
from events.actions import AnyAction
from events.game import write_game
from events.kinds import Counter, DeckList, Edition, Frame, Phase, Seat, Zone
from events.open import read_games
from events.pack import MAX_EXPANSION, MAX_WINDOW_LOG
from events.reader import MAX_GAMES, MAX_SHARED, MAX_SHARED_LINES
from events.record import ACTION_TAGS, MAX_DEPTH, MAX_LINE, TAGS, causes, encode, game_key, line_schema
from events.sections import MAX_GAME, MAX_RECORDS
from replays.store import notes
from tests.events.highcard import SHARED, game

TEXT = (Path(events.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
PARTS = {part.__name__: part for part in (Zone, Counter, Phase, Edition, Seat, DeckList, Frame)}
PLAIN = {int: "int", str: "text", bool: "bool", type(None): "null", Any: "any", msgspec.Raw: "any"}


def sections() -> dict[str, dict[str, tuple[str, str]]]:
    """What PROTOCOL.md lists: heading of a kind or part -> field -> type and value if absent."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for title, body in re.findall(r"^### (`\w+`|[A-Z]\w+)\n(.*?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL):
        rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \| \S.*\|$", body, re.MULTILINE)
        found[title.strip("`")] = {field: (kind, absent) for field, kind, absent in rows}
    return found


def word(annotation: Any) -> str:
    """The type as PROTOCOL.md writes it."""
    if annotation in PLAIN:
        return PLAIN[annotation]
    if annotation == AnyAction:
        return "action"
    origin, args = get_origin(annotation), get_args(annotation)
    if origin in (types.UnionType, Union):
        return " or ".join(map(word, args))
    if origin is dict:
        return f"{{{word(args[0])}: {word(args[1])}}}"
    if origin is tuple:
        return f"[{word(args[0])} …]" if args[-1] is ... else f"[{', '.join(map(word, args))}]"
    return annotation.__name__


def fields(struct: Any) -> dict[str, tuple[str, str]]:
    """Field -> type and value if absent, as PROTOCOL.md should list them."""
    hints, found = get_type_hints(struct), {}
    for field in msgspec.structs.fields(struct):
        absent = "must"
        if not field.required:
            value = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
            absent = f"`{msgspec.json.encode(value).decode()}`"
        found[field.name] = (word(hints[field.name]), absent)
    found.pop("back", None)
    return found


def test_the_kinds_are_listed_in_their_order() -> None:
    kinds = [title for title in sections() if title not in PARTS and title in re.findall(r"### `(\w+)`", TEXT)]
    shared = ["rulebook", "card_set"]
    assert kinds == shared + [tag for tag in TAGS if tag not in shared]


@pytest.mark.parametrize("name", [*TAGS, *PARTS])
def test_each_field_is_listed_with_type_and_default(name: str) -> None:
    assert sections()[name] == fields({**TAGS, **PARTS}[name])


def test_the_actions_are_listed_with_their_fields() -> None:
    table = TEXT.split("## Actions")[1].split("\n## ")[0].split("| --- | --- | --- |")[1]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| \S.* \|$", table, re.MULTILINE)
    listed = {
        tag: re.findall(r"`(\w+)` \((\w+(?: or \w+)*)(?:, may be absent: (`\S+`))?\)", text) for tag, text in rows
    }
    assert listed == {
        tag: [(name, kind, "" if absent == "must" else absent) for name, (kind, absent) in fields(action).items()]
        for tag, action in ACTION_TAGS.items()
    }


def test_every_part_of_a_line_is_described() -> None:
    named = {
        name
        for struct in (*TAGS.values(), *PARTS.values())
        for kind, _ in fields(struct).values()
        for name in re.findall(r"\b[A-Z]\w+", kind)
    }
    assert named == set(PARTS)


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
    assert listed == {name: told for name, told in fields(notes.Note).items() if name != "mark"}
    assert f"{notes.MAX_TEXT:,} characters" in chapter and f"{notes.MAX_NOTES:,} notes a game" in chapter
    assert f"{notes.MAX_FILE >> 20} MiB" in " ".join(chapter.split())


def test_the_schema_takes_every_line_of_the_sample_and_no_other() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    check = jsonschema.Draft202012Validator(msgspec.json.decode(msgspec.json.encode(line_schema())))
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
    assert f"and {MAX_EXPANSION} times the packed size" in bounds
    lying = f"A zone holds at most {MAX_IN_ZONE} cards, the stack {MAX_IN_ZONE} items"
    assert f"{lying}, a card {MAX_COUNTERS} counters" in bounds
