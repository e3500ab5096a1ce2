"""Card files: TOML -> frozen structs. No rules.

An error names file, card, field and what would be right. A set is a folder: `set.toml` (key, version, game, maybe
`extends`) and card files beside it, each with a list of `[[card]]` tables whose fields are the game's own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from engine.cards.definition import Printed
from engine.words import LANGUAGES
from events.errors import CardfoldError
from events.kinds import CardSet

_MAX_BYTES = 4 << 20
"""Largest card file that is read."""

_Table = TypeVar("_Table")
Tables: TypeAlias = Mapping[str, type[Struct]]
"""Name of a file beside the cards of a set -> what stands in it: each game's own affair."""
NO_TABLES: Tables = MappingProxyType({})


class CardError(CardfoldError):
    """A card or set file that cannot be used; the message is a sentence with the place."""


class SetFile(Struct, frozen=True, forbid_unknown_fields=True):
    """`set.toml`: what the set is called, and the set it changes, if any."""

    key: str
    version: str
    game: str
    name: dict[str, str]
    extends: str | None = None


def read_about(folder: Path) -> SetFile:
    """What `set.toml` in the folder of a card set says. Raises CardError."""
    about: SetFile = _convert(_toml(folder / "set.toml"), SetFile, folder / "set.toml")
    return about


def read_sets(
    folders: Iterable[Path], card_type: type[Printed], game: str, tables: Tables = NO_TABLES
) -> tuple[list[CardSet], dict[str, Printed]]:
    """The sets of these folders in order, and all their cards; a set that `extends` another may change its cards.

    A folder that is named twice is read once. Raises CardError.
    """
    sets: dict[str, CardSet] = {}
    cards: dict[str, Printed] = {}
    read: set[Path] = set()
    for folder in folders:
        if folder.resolve() in read:
            continue
        read.add(folder.resolve())
        about, found = read_set(folder, card_type, tables)
        if about.game != game:
            raise CardError(f"{folder / 'set.toml'}: this set is for {about.game!r}, not for {game!r}")
        if about.key in sets:
            raise CardError(f"{folder / 'set.toml'}: there is a set {about.key!r} already; give this one its own key")
        if about.extends is not None and about.extends not in sets:
            raise CardError(f"{folder / 'set.toml'}: it extends {about.extends!r}, which is not there")
        taken = sorted(code for code in found if code in cards)
        if taken and about.extends is None:
            raise CardError(f"{folder}: the code {taken[0]} is another set's; a set that changes cards says `extends`")
        cards.update(found)
        sets[about.key] = set_line(about, found.values(), read_tables(folder, tables))
    return list(sets.values()), cards


def read_set(
    folder: Path, card_type: type[Printed], tables: Tables = NO_TABLES
) -> tuple[SetFile, dict[str, Printed]]:
    """A set's own file and its cards by code, in the order of the files."""
    about = read_about(folder)
    cards: dict[str, Printed] = {}
    for path in sorted(folder.glob("*.toml")):
        if path.stem == "set" or path.stem in tables:
            continue
        table = _toml(path)
        if set(table) != {"card"} or not isinstance(table["card"], list):
            raise CardError(f"{path}: a card file holds [[card]] tables and nothing else")
        for number, raw in enumerate(table["card"], 1):
            card = card_from(raw, card_type, f"{path}: card {_label(raw, number)}")
            if card.code in cards:
                raise CardError(f"{path}: the code {card.code} stands twice in this set; codes are unique")
            cards[card.code] = card
    if not cards:
        raise CardError(f"{folder}: no cards; a set folder holds set.toml and card files with [[card]] tables")
    return about, cards


def read_tables(folder: Path, tables: Tables) -> dict[str, Any]:
    """What a set lays down besides its cards: each of the game's `tables` has a file of its name in the folder.

    Raises CardError.
    """
    there = [(name, kind, folder / f"{name}.toml") for name, kind in tables.items()]
    return {name: msgspec.to_builtins(_convert(_toml(p), kind, p)) for name, kind, p in there if p.exists()}


def tables_of(card_sets: Iterable[CardSet], name: str, kind: type[_Table]) -> list[_Table]:
    """The tables of this name that the sets have, in order. Raises CardError where one is not of the kind."""
    found = []
    for card_set in card_sets:
        if name in card_set.tables:
            try:
                found.append(msgspec.convert(card_set.tables[name], kind))
            except msgspec.ValidationError as problem:
                raise CardError(f"the table {name} of the set {card_set.key}: {_sentence(str(problem), {})}") from None
    return found


def card_from(raw: Any, card_type: type[Printed], place: str) -> Printed:
    """One card from its table; `CardError` says at `place` which field is wrong and what would be right."""
    try:
        card = msgspec.convert(raw, card_type)
    except msgspec.ValidationError as problem:
        raise CardError(f"{place}: {_sentence(str(problem), raw)}") from None
    if not card.name.get("en"):
        raise CardError(f"{place}: `name` needs at least the language en, e.g. name = {{ en = \"…\" }}")
    for field in ("name", "flavour"):
        for language in getattr(card, field):
            if language not in LANGUAGES:
                raise CardError(f"{place}: `{field}` has the language {language!r}; known are {', '.join(LANGUAGES)}")
    return card


def set_line(about: SetFile, cards: Iterable[Printed], tables: dict[str, Any] | None = None) -> CardSet:
    """The set as a log carries it; `tables` as `read_tables` gives them."""
    return CardSet(about.key, about.version, about.game, {c.code: msgspec.to_builtins(c) for c in cards}, tables or {})


def _label(raw: Any, number: int) -> str:
    return str(raw.get("code", f"number {number}")) if isinstance(raw, dict) else f"number {number}"


def _toml(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise CardError(f"{path}: larger than {_MAX_BYTES >> 20} MiB; that is no card file")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CardError(f"{path}: there is no such file") from None
    except (ValueError, RecursionError, OSError) as problem:
        raise CardError(f"{path}: cannot be read as TOML: {problem}") from None


def _convert(raw: dict[str, Any], kind: type, path: Path) -> Any:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as problem:
        raise CardError(f"{path}: {_sentence(str(problem), raw)}") from None


def _sentence(problem: str, raw: Any) -> str:
    """msgspec's message ("Object contains unknown field `x` - at `$.ability[0]`"), its path as a place in the card."""
    text, _, at = problem.partition(" - at ")
    place = at.strip("`").removeprefix("$").lstrip(".") or "the card itself"
    if "unknown field" in text:
        wrong = text.split("`")[1]
        return f"{place} has no field `{wrong}`; check its spelling against the schema (`cardfold cards schema`)"
    if "Invalid value" in text:
        return f"{place}: {text[0].lower()}{text[1:]}; see `cardfold cards schema` for what can stand here"
    return f"{place}: {text[0].lower()}{text[1:]}"
