"""Deck files: TOML, or a pasted list of lines "4 Name", to a `DeckFile` and back. Knows no game's deck rules.

What a deck may hold is each game's own affair (`engine/rulebooks/<game>/deck.py`); here is only what a file says.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine.cards.definition import Printed
from engine.problems import closest
from events.errors import CardfoldError
from events.kinds import DeckList
from events.record import digest

MAX_DECK_BYTES = 1 << 16
"""Largest deck file that is read, in bytes; honest ones have about one kilobyte."""

_LINE = re.compile(r"(\d{1,4})\s*[x×]?\s+(\S.*?)\s*")
_HEADING = re.compile(r"(name|game|format|leader)\s*:\s*(.*?)\s*", re.IGNORECASE)
_TOML = re.compile(r"^\s*(?:\[|[\w\"'-]+\s*=)", re.MULTILINE)


class DeckError(CardfoldError):
    """A deck file that cannot be read; the message is a sentence with the file and the line or field."""


class DeckFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A deck as a file says it: code -> copies, and the leader or player card's code where there is one.

    `name` is one text, or a name by language as a card's is. `game` and `format` are "" where a pasted list does not
    say them.
    """

    name: str | dict[str, str] = ""
    game: str = ""
    format: str = ""
    leader: str | None = None
    cards: dict[str, int]

    def called(self, language: str = "en") -> str:
        """The deck's name in a language; the English one where it has none there."""
        if isinstance(self.name, str):
            return self.name
        return self.name.get(language) or self.name["en"]


def read_deck(source: Path | str, names: Mapping[str, str]) -> DeckFile:
    """A deck from a file (`Path`) or from text; raises `DeckError`.

    `names` (see `names_of`) says which code a card's name means; names are used in pasted lists only, where
    codes do as well. Whether a code of a TOML file exists is for the game's deck rules to say.
    """
    place = str(source) if isinstance(source, Path) else "the pasted deck"
    text = _text(source, place)
    if _TOML.search(text) is not None:
        return _from_toml(text, place)
    return _from_lines(text, place, source.stem if isinstance(source, Path) else "", names)


def names_of(cards: Iterable[Printed]) -> dict[str, str]:
    """Every name of the cards, in any language, and its code. Of reprints the first one is meant."""
    names: dict[str, str] = {}
    for card in cards:
        for name in card.name.values():
            names.setdefault(name, card.code)
    return names


def write_deck(deck: DeckFile) -> str:
    """The deck as the TOML text that `read_deck` reads back."""
    lines = [f"{key} = {_value(said)}" for key in ("name", "game", "format") if (said := getattr(deck, key))]
    if deck.leader is not None:
        lines.append(f"leader = {_quoted(deck.leader)}")
    lines += ["", "[cards]", *(f"{_quoted(code)} = {n}" for code, n in sorted(deck.cards.items()))]
    return "\n".join(lines).lstrip("\n") + "\n"


def deck_list(deck: DeckFile) -> DeckList:
    """The deck as a log's header carries it, under its English name."""
    return DeckList(deck.called(), dict(sorted(deck.cards.items())), deck.leader)


def deck_digest(deck: DeckList) -> str:
    """What statistics call a deck: 32 hex digits over its sorted list and leader, whatever its name."""
    cards = sorted((code, n) for code, n in deck.cards.items() if n)
    return digest(msgspec.json.encode((deck.leader, cards)))


def _text(source: Path | str, place: str) -> str:
    if isinstance(source, str):
        data = source.encode("utf-8", "replace")
    else:
        try:
            with source.open("rb") as file:
                data = file.read(MAX_DECK_BYTES + 1)
        except FileNotFoundError:
            raise DeckError(f"{place}: there is no such file") from None
        except OSError as problem:
            raise DeckError(f"{place}: cannot be read: {problem.strerror}") from None
    if len(data) > MAX_DECK_BYTES:
        raise DeckError(f"{place}: longer than {MAX_DECK_BYTES // 1024} kilobytes; that is no deck")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as problem:
        raise DeckError(f"{place}: byte {problem.start} is not UTF-8 text") from None


def _from_toml(text: str, place: str) -> DeckFile:
    try:
        raw: dict[str, Any] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as problem:
        raise DeckError(f"{place}: cannot be read as TOML: {problem}") from None
    try:
        deck = msgspec.convert(raw, DeckFile)
    except msgspec.ValidationError as problem:
        raise DeckError(f"{place}: {_sentence(str(problem))}") from None
    for key in ("game", "format"):
        if not getattr(deck, key):
            raise DeckError(f"{place}: the field `{key}` is missing, e.g. {key} = \"…\"")
    if isinstance(deck.name, dict) and not deck.name.get("en"):
        raise DeckError(f"{place}: `name`: by language it has an English one too, e.g. name = {{ en = \"…\" }}")
    return deck


def _sentence(problem: str) -> str:
    text, _, at = problem.partition(" - at ")
    field = at.strip("`").removeprefix("$").lstrip(".")
    if "unknown field" in text:
        known = ", ".join(DeckFile.__struct_fields__)
        return f"a deck has no field `{text.split('`')[1]}`; it has {known}"
    if "missing required field" in text:
        return 'the table `cards` is missing, e.g. cards = { "EMB-001" = 4 }'
    return f"`{field or 'the deck'}`: {text[0].lower()}{text[1:]}"


def _from_lines(text: str, place: str, name: str, names: Mapping[str, str]) -> DeckFile:
    known = {wanted.casefold(): code for wanted, code in names.items()}
    known.update((code.casefold(), code) for code in names.values())
    said: dict[str, str] = {"name": name}
    cards: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line or line.startswith(("#", "//")):
            continue
        at = f"{place}, line {number}"
        if heading := _HEADING.fullmatch(line):
            said[heading[1].lower()] = heading[2]
        elif entry := _LINE.fullmatch(line):
            code = _code(entry[2], known, names, at)
            cards[code] = cards.get(code, 0) + int(entry[1])
        else:
            raise DeckError(f"{at}: {_short(line)} is not copies and a card, e.g. 4 Name or 4 EMB-001")
    if not cards:
        raise DeckError(f"{place}: no cards; a deck is a TOML file or lines like 4 Name")
    if said.get("leader"):
        said["leader"] = _code(said["leader"], known, names, f"{place}, leader")
    more: dict[str, Any] = {key: text for key, text in said.items() if text}
    return DeckFile(cards=cards, **more)


def _code(wanted: str, known: Mapping[str, str], names: Mapping[str, str], at: str) -> str:
    code = known.get(wanted.casefold())
    if code is not None:
        return code
    near = closest(wanted, (*names, *sorted(set(names.values()))))
    hint = f"; the closest is {near!r}" if near else ""
    raise DeckError(f"{at}: no card is called {_short(wanted)}{hint}")


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")


def _value(said: str | dict[str, str]) -> str:
    if isinstance(said, str):
        return _quoted(said)
    return f"{{ {', '.join(f'{_quoted(key)} = {_quoted(text)}' for key, text in said.items())} }}"


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes are TOML's too. What has no shape of its own stands there as an escape."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else f"\\U{ord(letter):08X}" for letter in quoted)
