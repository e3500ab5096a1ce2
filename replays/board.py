"""How a game looks on a screen: where its zones stand, and what is drawn of a card. Data for the viewer.

A game says it in `board.toml` beside its rules; one without that file gets a plain board made from its
declared zones. Definitions come from logs of strangers: what is not of the expected shape is left out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from engine import games
from engine.cards import CardError
from engine.game import Game
from engine.text import rules_texts
from engine.words import Words, declared_keys, words
from events.kinds import CardSet, Rulebook

FAMILIES = (
    "red", "white", "blue", "black", "holy", "demon", "human", "beast", "a1", "a2", "a3", "a4", "a5", "a6",
)  # fmt: skip
"""The fixed palette: frames and pictures that the viewer can draw."""

MAX_TEXT = 2000
"""Longest text of a card that is shown, in characters."""


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of cards of one seat; rows are listed from the player's own edge to the middle."""

    zone: str
    label: str = ""


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A zone shown as a life total or as a pile."""

    zone: str


class Tally(Struct, frozen=True, forbid_unknown_fields=True):
    """What the cards of a zone give together: the sum of a table of theirs, by symbol."""

    zone: str
    field: str
    symbols: tuple[str, ...]
    """those that are summed up, in this order"""
    words: str
    """where their words are: `colour` for `colour.red`"""
    title: str
    """a term"""


class Look(Struct, frozen=True, forbid_unknown_fields=True):
    """What of a card is drawn where; the strings are names of the card's fields, or words of them."""

    frame: str = "kind"
    """field whose word picks the frame"""
    letter: str = "kind"
    symbols: str = ""
    """field with a table symbol -> how many"""
    values: tuple[str, ...] = ()
    """numbers that stand large on the card; counters of the same name override what is printed"""
    damage: str = ""
    """counter drawn as a bar out of the first value"""
    type: tuple[str, ...] = ("kind",)
    frames: dict[str, str] = {}
    letters: dict[str, str] = {}
    badges: dict[str, str] = {}
    """number -> its letters on the card while it is above 0, with {n}"""


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """A game's `board.toml`."""

    hand: str = ""
    stack: str = ""
    """zone of cards that wait for their effect"""
    lines: tuple[Line, ...] = ()
    lives: tuple[Place, ...] = ()
    piles: tuple[Place, ...] = ()
    tallies: tuple[Tally, ...] = ()
    spot: dict[str, str] = {}
    """kind of move -> the word under which its card is shown for a moment beside the pile it left"""
    marks: dict[str, str] = {}
    """kind of move, `hit` or `ended` -> its shape on the timeline"""
    card: Look = Look()


def board_of(rulebook: Rulebook) -> Board:
    """The board of a game: its own, as far as it names declared zones, else a plain one."""
    if rulebook.key in games.GAMES:
        path = games.load(rulebook.key).folder / "board.toml"
        if path.exists():
            board = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Board)
            if _zones(board) <= {zone.name for zone in rulebook.zones}:
                return board
    return plain_board(rulebook)


def _zones(board: Board) -> set[str]:
    places: list[Line | Place | Tally] = [*board.lines, *board.lives, *board.piles, *board.tallies]
    return {place.zone for place in places} | {name for name in (board.hand, board.stack) if name}


def plain_board(rulebook: Rulebook) -> Board:
    """Rows for the zones of the table, the life zones at the left, every other zone but the hand at the right."""
    lines: list[Line] = []
    lives: list[Place] = []
    piles: list[Place] = []
    hand = next((z.name for z in rulebook.zones if z.see == "owner" and not z.pile), "")
    for zone in rulebook.zones:
        if zone.life:
            lives.append(Place(zone.name))
        elif zone.values:
            lines.append(Line(zone.name))
        elif zone.name != hand:
            piles.append(Place(zone.name))
    values = tuple(c.name for c in rulebook.counters if c.of == "card" and not c.words)[:1]
    marks = {**{how: "cross" for how in rulebook.hows if how == "destroyed"}, "hit": "star", "ended": "flag"}
    return Board(hand, "", tuple(lines), tuple(lives), tuple(piles), marks=marks, card=Look(values=values))


# --- words --------------------------------------------------------------------------------------------------


def board_words(rulebook: Rulebook, board: Board, language: str) -> dict[str, str]:
    """All that the viewer may have to name, by dotted keys: zones, phases, counters, hows, questions, reasons …"""
    said = words(language, rulebook.key, rulebook.words)
    shown = {key: said.get(key) for key in declared_keys(rulebook)}
    phases = [f"phase.{phase.name}" for phase in rulebook.phases]
    shown |= {key: said.get(said.first(key.replace("phase.", "phase_short."), key)) for key in phases}
    for tally in board.tallies:
        shown[f"term.{tally.title}"] = said.get(f"term.{tally.title}")
        shown |= {f"{tally.words}.{symbol}": said.get(f"{tally.words}.{symbol}") for symbol in tally.symbols}
    return {**shown, "title": said.pattern("term.title") or rulebook.key}


# --- cards --------------------------------------------------------------------------------------------------


def faces(
    rulebook: Rulebook, card_sets: Iterable[CardSet], codes: Iterable[str], board: Board, language: str
) -> dict[str, dict[str, Any]]:
    """What the viewer draws of these cards: name, frame, letter, symbols, values, badges, rules text."""
    sets = tuple(card_sets)
    raw = {code: fields for line in sets for code, fields in line.cards.items()}
    game = _game(rulebook, sets)
    known = {code: d.printed for code, d in game.cards.items()} if game else {}
    texts = rules_texts(known.values(), language, rulebook.words)
    said = words(language, rulebook.key, rulebook.words)
    shown = {}
    for code in codes:
        fields = raw.get(code)
        face = _face(code, fields if isinstance(fields, dict) else {}, board, said)
        if game and code in known:
            face["stats"] = {name: value for name, value in game.cards[code].stats.items() if value}
            face["text"] = [line[:MAX_TEXT] for line in texts[code]]
        shown[code] = face
    return shown


def _game(rulebook: Rulebook, card_sets: tuple[CardSet, ...]) -> Game | None:
    try:
        return games.from_sets(rulebook.key, card_sets)
    except (games.UnknownGame, CardError):
        return None


def _face(code: str, fields: Mapping[str, Any], board: Board, said: Words) -> dict[str, Any]:
    look = board.card
    kind = str(fields.get(look.letter, ""))
    family = look.frames.get(str(fields.get(look.frame, "")), "")
    types = [_said(name, fields.get(name), said) for name in look.type]
    return {
        "name": _said("name", fields.get("name"), said)[:200] or code,
        "frame": family if family in FAMILIES else _any_family(str(fields.get(look.frame, ""))),
        "letter": look.letters.get(kind, kind[:1].upper()),
        "symbols": _table(fields.get(look.symbols)),
        "tables": {t.field: _table(fields.get(t.field)) for t in board.tallies},
        "type": " · ".join(part for part in types if part)[:200],
        "flavour": _said("flavour", fields.get("flavour"), said)[:MAX_TEXT],
        "stats": {name: n for name in look.values if (n := _number(fields.get(name))) is not None},
        "star": fields.get("star") is True,
        "text": [],
    }


def _any_family(text: str) -> str:
    """One of the neutral frames, always the same one for the same word."""
    return f"a{sum(text.encode()) % 6 + 1}"


def _said(field: str, value: Any, said: Words) -> str:
    """A text by language, or a printed word, as text."""
    if isinstance(value, dict):
        value = value.get(said.language) or value.get("en") or ""
        return value if isinstance(value, str) else ""
    return said.get(f"{field}.{value[:40]}") if isinstance(value, str) and value else ""


def _table(value: Any) -> dict[str, int]:
    if not isinstance(value, dict):
        return {}
    numbers = {str(name)[:20]: _number(amount) for name, amount in list(value.items())[:12]}
    return {name: n for name, n in numbers.items() if n is not None}


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9 else None
