"""How a game looks on a screen: where its zones stand, and what of a card is drawn where. Data for the viewer.

A game says it in its `board.toml`; one without that file gets a plain board made from its declared zones.
Definitions come from logs of strangers: what is not of the expected shape is left out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

import msgspec
from msgspec import Struct

from engine.rulebooks import registry
from engine.words import declared_keys, words
from events.kinds import RulebookLine

FAMILIES = (
    "red", "white", "blue", "black", "gold", "purple", "azure", "rust", "indigo", "ochre", "teal", "violet", "maroon",
    "ice", "plain",
)  # fmt: skip
"""The fixed palette: frames and pictures that the viewer can draw."""
NEUTRAL = FAMILIES[-7:-1]
"""Families for words that a board gives none."""


class ZoneRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of cards of one seat; rows are listed from the player's own edge to the middle."""

    zone: str
    label: str = ""


class CountedZone(Struct, frozen=True, forbid_unknown_fields=True):
    """A zone shown as a life total or as a pile."""

    zone: str


class Tally(Struct, frozen=True, forbid_unknown_fields=True):
    """What the cards of a zone give together: the sum of a table of theirs, by symbol."""

    zone: str
    field: str
    symbols: tuple[str, ...]
    """those that are summed up, in this order"""
    words: str
    """sort of their words: `suit` for `suit.hearts`"""
    title: str
    """a term"""


class Look(Struct, frozen=True, forbid_unknown_fields=True):
    """What of a card is drawn where; the strings are names of the card's fields, or words of them."""

    anatomy: str = "upright"
    """the viewer's routine that draws a card: upright, square, monster or slip"""
    anatomies: dict[str, str] = {}
    """kind of card -> another routine"""
    frame: str = "kind"
    """field whose word picks the frame"""
    letter: str = "kind"
    """field whose word's letters (`letter.hearts` in the word files, else `letters` here) stand on the card"""
    mark: str = ""
    """field whose word's letters stand in the other corner"""
    prefix: dict[str, str] = {}
    """field that is true or false -> what stands before the name of a card where it is true"""
    corner: str = ""
    """number that stands in a circle before the name"""
    symbols: str = ""
    """field with a table symbol -> how many"""
    values: tuple[str, ...] = ()
    """numbers that stand large on the card; counters of the same name override what is printed"""
    more: tuple[str, ...] = ()
    """printed numbers that are shown elsewhere on the table"""
    sides: dict[str, tuple[str, str]] = {}
    """direction, which is also the side of the card -> its numbers for a fist and for a shield there"""
    signs: dict[str, str] = {}
    """number -> the word of a tag at the card's edge while it is above 0, with what it adds to the first value"""
    attachments: dict[str, str] = {}
    """attachment -> the sign before what hangs on a card: sword, shield, or flag for the attachment's letters alone"""
    damage: str = ""
    """counter drawn as a bar out of the first value"""
    type: tuple[str, ...] = ("kind",)
    frames: dict[str, str] = {}
    letters: dict[str, str] = {}
    badges: dict[str, str] = {}
    """number -> its letters on the card while it is above 0, with {n}"""


# --- parts of a board in rows: each is drawn by the viewer's routine of its tag -------------------------------


class BoardPart(
    Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="part", tag=str.lower
):
    """Something that stands in a row of a side, or between the sides."""

    width: int = 0
    """in pixels of a board 1044 wide; 0: its share of what is left"""


class Piles(BoardPart, frozen=True):
    """Zones as piles with their counts; the first one is a deck."""

    zones: tuple[str, ...]
    title: str = ""
    rest: str = ""
    """words for the deck and for the others; left out: each pile has its zone's name"""


class Leader(BoardPart, frozen=True):
    """The card that stands for its player, and the player's life as a bar."""

    zone: str
    life: str
    """counter of the seat"""
    full: str
    """printed number of the card that is a full life"""
    shown: tuple[str, ...] = ()
    """further counters of the seat"""
    ticks: tuple[int, ...] = ()
    """marks on the bar"""
    away: str = ""
    """zone where the card may be instead, while its number `by` is above 0; `sign` is a word for that"""
    by: str = ""
    sign: str = ""


class Portrait(BoardPart, frozen=True):
    """The same, smaller, with the card's text instead of its anatomy; `tag` says the seat's counter `level`."""

    zone: str
    life: str
    full: str
    level: str
    tag: str


class Cards(BoardPart, frozen=True):
    """A row of a zone's cards, with at least so many places."""

    zone: str
    places: int


class Gauge(BoardPart, frozen=True):
    """A segment for each card of a zone, as wide as its number `of`, up to the seat's counter `limit`."""

    zone: str
    more: str
    """zone whose cards count too, and are hatched"""
    of: str
    limit: str
    title: str
    hatched: str


class Meetings(BoardPart, frozen=True):
    """How each fist of the side whose turn it is was met, by direction.

    `outcomes`: outcome -> what answered (shield, fist, none) and what became of the fist (through, stopped, back).
    """

    zone: str
    outcomes: dict[str, tuple[str, str]]


class Strikes(BoardPart, frozen=True):
    """Every reckoning against a player in this phase, a line each, and the course of the lives it is about."""

    title: str
    note: str
    life: str
    first: tuple[str, ...]
    """steps with which a reckoning begins"""
    sets: tuple[str, ...] = ()
    """steps that lay the value down, and do not add to it"""


class ReckoningStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a reckoning told in full."""

    word: str
    steps: tuple[str, ...]
    """steps whose value stands at the end; several are terms of one sum"""
    causes: str = ""
    """number whose lasting changes are the reason"""
    at: str = ""
    """whose they are: source or target"""
    against: str = ""
    """number that stands on both sides and decides"""
    factor: bool = False
    """the value is multiplied"""
    repeats: bool = False
    """this step has the same amount dealt once more"""


class Rivals(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards of both seats against each other, and what each seat has left of a limit."""

    zones: tuple[str, ...]
    """where those are that may meet, first those that do"""
    attack: str
    defence: str
    """numbers whose difference one would do to the other"""
    order: str
    """number that says who is quicker"""
    spent: tuple[str, ...]
    of: str
    limit: str
    """what counts of the cards of these zones against the seat's counter"""
    note: str
    nobody: str
    """said where neither seat has such a card"""
    bare: str
    """a seat without one, against which `attack` counts whole"""
    left: str


class Reckoning(BoardPart, frozen=True):
    """The reckoning at hand, step by step, and the life that it is about; `idle` is its title while there is none."""

    title: str
    idle: str
    note: str
    life: str
    first: tuple[str, ...]
    rows: tuple[ReckoningStep, ...]
    rivals: Rivals | None = None
    """stands here while nothing is reckoned"""
    ends: tuple[str, ...] = ()
    """steps after which no other line of the reckoning counts"""
    stops: bool = False
    """nor does one after a value of 0 or below"""


class Chain(BoardPart, frozen=True):
    """Cards of a zone of both seats in the order of their use, last one first, and which are settled."""

    zone: str
    title: str
    note: str


class Duel(BoardPart, frozen=True):
    """The cards of a zone of both seats, large, facing each other."""

    zone: str


class OpenCard(BoardPart, frozen=True, tag="open"):
    """The one card of a zone, of whichever seat, with its text."""

    zone: str


SAID = ("title", "idle", "rest", "note", "sign", "tag", "hatched")
"""fields of parts that hold the key of a word"""

AnyPart: TypeAlias = (
    Piles | Leader | Portrait | Cards | Gauge | Meetings | Strikes | Reckoning | Chain | Duel | OpenCard
)


class BoardRow(Struct, frozen=True, forbid_unknown_fields=True):
    """Parts side by side; `high` in pixels of a board 706 high."""

    high: int
    parts: tuple[AnyPart, ...]


class Stage(Struct, frozen=True, forbid_unknown_fields=True):
    """A phase as it is listed, where the same one comes once for each seat: `of` is turn (whose it is) or other."""

    phase: str
    of: str = ""


class Sign(Struct, frozen=True, forbid_unknown_fields=True):
    """A word with an icon beside a player's name."""

    word: str
    icon: str


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """A game's `board.toml`: lines of cards with the life at the left, or rows of parts."""

    rows: tuple[BoardRow, ...] = ()
    """from the player's own edge to the middle"""
    middle: tuple[AnyPart, ...] = ()
    roles: tuple[Sign, ...] = ()
    """of the seat whose turn it is, and of the other one"""
    stages: tuple[Stage, ...] = ()
    usual: dict[str, int] = {}
    """counters of a seat -> the value that goes without saying, else 0"""
    hand: str = ""
    stack: str = ""
    """zone of cards that wait for their effect"""
    lines: tuple[ZoneRow, ...] = ()
    lives: tuple[CountedZone, ...] = ()
    piles: tuple[CountedZone, ...] = ()
    tallies: tuple[Tally, ...] = ()
    spot: dict[str, str] = {}
    """kind of move -> the word under which its card is shown for a moment beside the pile it left"""
    marks: dict[str, str] = {}
    """kind of move, `hit` or `ended` -> its shape on the timeline"""
    card: Look = Look()


def board_of(rulebook: RulebookLine) -> Board:
    """The board of a game: its own, as far as it names declared zones, else a plain one."""
    board = _own_board(rulebook.key) if rulebook.key in registry.GAMES else None
    if board is not None and _zones(board) <= {zone.name for zone in rulebook.zones}:
        return board
    return plain_board(rulebook)


@cache
def _own_board(game: str) -> Board | None:
    """What the game's `board.toml` says, if it has one."""
    path = registry.load(game).folder / "board.toml"
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Board) if path.exists() else None


def _zones(board: Board) -> set[str]:
    places: list[ZoneRow | CountedZone | Tally] = [*board.lines, *board.lives, *board.piles, *board.tallies]
    named = {place.zone for place in places} | {name for name in (board.hand, board.stack) if name}
    for part in _parts(board):
        named |= set(getattr(part, "zones", ()))
        named |= {zone for name in ("zone", "more", "away") if (zone := getattr(part, name, ""))}
        if isinstance(part, Reckoning) and part.rivals:
            named |= {*part.rivals.zones, *part.rivals.spent}
    return named


def _parts(board: Board) -> Iterator[AnyPart]:
    for row in board.rows:
        yield from row.parts
    yield from board.middle


def limits(board: Board) -> dict[str, str]:
    """Counter of a seat that sums up a zone -> the counter that is its limit, where the board draws both as a gauge."""
    return {f"{part.zone}_{part.of}": part.limit for part in _parts(board) if isinstance(part, Gauge)}


def plain_board(rulebook: RulebookLine) -> Board:
    """Rows for the zones of the table, the life zones at the left, every other zone but the hand at the right."""
    lines: list[ZoneRow] = []
    lives: list[CountedZone] = []
    piles: list[CountedZone] = []
    hand = next((z.name for z in rulebook.zones if z.visible_to == "owner" and not z.ordered), "")
    for zone in rulebook.zones:
        if zone.life:
            lives.append(CountedZone(zone.name))
        elif zone.table:
            lines.append(ZoneRow(zone.name))
        elif zone.name != hand:
            piles.append(CountedZone(zone.name))
    values = tuple(c.name for c in rulebook.counters if c.of == "card" and not c.words)[:1]
    marks = {**{kind: "cross" for kind in rulebook.move_kinds if kind == "destroyed"}, "hit": "star", "ended": "flag"}
    return Board(
        hand=hand, lines=tuple(lines), lives=tuple(lives), piles=tuple(piles), marks=marks, card=Look(values=values)
    )


# --- words --------------------------------------------------------------------------------------------------


def board_words(rulebook: RulebookLine, board: Board, language: str) -> dict[str, str]:
    """All that the viewer may have to name, by dotted keys: zones, phases, counters, hows, questions, reasons …"""
    said = words(language, rulebook.key, rulebook)
    shown = {key: said.get(key) for key in declared_keys(rulebook)}
    for phase in rulebook.phases:
        key, short = f"phase.{phase.name}", f"phase_short.{phase.name}"
        if not said.renamed(key) and said.pattern(short) is not None:
            shown[key] = said.get(short)
    for question in rulebook.questions:
        if (waiting := said.pattern(f"waiting.{question}")) is not None:
            shown[f"waiting.{question}"] = waiting
    for tally in board.tallies:
        shown[f"term.{tally.title}"] = said.get(f"term.{tally.title}")
        shown |= {f"{tally.words}.{symbol}": said.get(f"{tally.words}.{symbol}") for symbol in tally.symbols}
    shown |= {key: said.get(key) for key in _named(board)}
    return {**shown, "title": said.pattern("term.title") or rulebook.key}


def _named(board: Board) -> set[str]:
    """The words that parts, signs and spots of a board call for."""
    named = {sign.word for sign in board.roles} | set(board.card.signs.values()) | set(board.spot.values())
    named |= {f"letter.{name}" for name, sign in board.card.attachments.items() if sign == "flag"}
    for part in _parts(board):
        named |= {word for name in SAID if (word := getattr(part, name, ""))}
        if isinstance(part, Reckoning):
            named |= {row.word for row in part.rows}
            if rivals := part.rivals:
                named |= {rivals.note, rivals.nobody, rivals.bare, rivals.left}
    return named
