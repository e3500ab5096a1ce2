"""PROTOCOL.md says what kinds.py and actions.py say: the same kinds, fields, types and defaults, and a true sample."""

from __future__ import annotations

import re
import types
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from highcard import SHARED, game

import events
from events.actions import AnyAction
from events.kinds import Counter, DeckList, Edition, Frame, Phase, Seat, Zone
from events.log import MAX_GAME, MAX_GAMES, MAX_RECORDS, MAX_SHARED, MAX_SHARED_LINES, read_games, write_game
from events.pack import MAX_EXPANSION, MAX_WINDOW_LOG
from events.record import ACTION_TAGS, MAX_DEPTH, MAX_LINE, TAGS, causes, game_key

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


def test_the_bounds_are_those_of_the_reader() -> None:
    bounds = " ".join(TEXT.split("### Bounds")[1].split("\n## ")[0].split())
    assert f"a line of {MAX_LINE >> 20} MiB, nesting of {MAX_DEPTH} levels" in bounds
    assert f"{MAX_RECORDS:,} records or {MAX_GAME >> 20} MiB a game" in bounds
    assert f"{MAX_SHARED_LINES:,} different shared lines or {MAX_SHARED >> 20} MiB of them a file" in bounds
    assert f"{MAX_GAMES:,} games a file" in bounds
    assert f"a window of 2{str(MAX_WINDOW_LOG).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))} bytes" in bounds
    assert f"and {MAX_EXPANSION} times the packed size" in bounds
