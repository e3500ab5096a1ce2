"""What the pages show, read from the library and its warehouse, kept for as long as their files do not change."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import streamlit as st

from dashboard.charts import marks
from dashboard.words import page_words
from engine.cards.definition import Definition
from engine.rulebooks import registry
from engine.words import words
from replays.play.live_game import HUMAN
from replays.stats.columns import is_digest
from replays.stats.courses import Lives, Notable, PackPlace, lives_of, notable_games, place_of
from replays.stats.metrics import Filters, metric
from replays.stats.warehouse import NAME, Warehouse, WarehouseError, open_warehouse
from replays.store.bucket import VERDICTS
from replays.store.filters import NamedValue
from replays.store.groups import GROUPS_FILE, family_of
from replays.store.library import Entry, Library, LibraryError, default_path
from replays.store.listing import MOST_LISTED, Listing
from replays.store.verdicts import Judged, standing
from replays.view.board import Look, board_of

Stamp: TypeAlias = str
"""name, time and size of files, a line each: what a cached answer stands for"""


@st.cache_resource(max_entries=4)
def _library(path: str) -> Library:
    return Library(Path(path))


def library() -> Library:
    """The library of this server. Raises LibraryError where it cannot be opened."""
    return _library(str(default_path()))


def stamp_of(*folders: Path) -> Stamp:
    """When the files of these folders, or these files, were last changed."""
    found = []
    for folder in folders:
        try:
            found += [_stamp(file) for file in os.scandir(folder) if file.is_file()]
        except NotADirectoryError:
            found.append(_stamp(folder))
        except FileNotFoundError:
            pass
    return "".join(sorted(found))


def _stamp(file: os.DirEntry[str] | Path) -> Stamp:
    about = file.stat()
    return f"{file.name} {about.st_mtime_ns} {about.st_size}\n"


# --- games --------------------------------------------------------------------------------------------------


def listing() -> Listing:
    """The games of the library, the newest first and at most MOST_LISTED, ready to be filtered.

    Of a game that is being played, how far it has come may be of the moment when the last game came in.
    """
    kept = library()
    path = kept.path
    decided = (path / name for name in ("packs", "removed.jsonl", "verdicts.jsonl", VERDICTS, GROUPS_FILE))
    played = sorted(file.name for file in (path / "live").glob("*.jsonl"))
    return _listing(str(path), stamp_of(*decided) + "\n".join(played))


@st.cache_resource(max_entries=2, show_spinner=False)
def _listing(path: str, stamp: Stamp) -> Listing:
    kept = _library(path)
    games, more = kept.newest(MOST_LISTED)
    return Listing(games, kept.verdicts({entry.digest for entry in games}), kept.groups(), more)


def entries() -> list[Entry]:
    """The games of the library, the newest first; see `listing`."""
    return listing().entries


def verdicts(shown: Iterable[Entry]) -> list[str]:
    """What checking has found of each game, in the words of `verdicts.standing`."""
    kept = library()
    found = _verdicts(str(kept.path), stamp_of(kept.path / "verdicts.jsonl", kept.path / VERDICTS))
    return [standing(entry, found) for entry in shown]


@st.cache_resource(max_entries=2, show_spinner=False)
def _verdicts(path: str, stamp: Stamp) -> dict[str, Judged]:
    return _library(path).verdicts()


def title(game: str, language: str = "en") -> str:
    """How people call a game."""
    return words(language, game).pattern("term.title") or game


def zone(game: str, name: str, language: str) -> str:
    """How people call a zone of a game."""
    return words(language, game).get(f"zone.{name}") if game in registry.GAMES else name


def deck_titles(entry: Entry, language: str) -> tuple[str, str]:
    """How people call the two decks."""
    first, second = entry.decks
    return registry.deck_name(entry.game, first, language), registry.deck_name(entry.game, second, language)


def ending(entry: Entry, language: str) -> str:
    """How a game ended, in words."""
    if entry.reason is None:
        return page_words(language)["not_ended"]
    try:
        book = library().rulebook(entry)
    except LibraryError:  # its pack has gone, or was made anew just now
        book = None
    return words(language, entry.game, book).get(f"reason.{entry.reason}")


# --- what a list of games draws -----------------------------------------------------------------------------


def lives(shown: Sequence[Entry]) -> dict[PackPlace, Lives]:
    """The lives of these games turn by turn, of those whose facts were gathered."""
    path = library().path
    stamp = stamp_of(path / NAME)
    return _lives(str(path), stamp, tuple(map(place_of, shown)), _hashed=shown) if stamp and shown else {}


@st.cache_data(max_entries=64, show_spinner=False)
def _lives(path: str, stamp: Stamp, places: tuple[PackPlace, ...], _hashed: Sequence[Entry]) -> dict[PackPlace, Lives]:
    try:
        return lives_of(open_warehouse(Path(path)), _hashed)
    except WarehouseError:
        return {}


def notable() -> list[tuple[Notable, Entry]]:
    """Games that are worth watching, of those whose facts were gathered; see `stats.courses.notable`."""
    path = library().path
    stamp = stamp_of(path / NAME)
    found = _notable(str(path), stamp) if stamp else []
    offsets = {one.place[1] for one in found}  # compared first, since most games lie elsewhere
    there = {place_of(entry): entry for entry in listing().entries if entry.offset in offsets} if found else {}
    return [(one, there[one.place]) for one in found if one.place in there]


@st.cache_resource(max_entries=2, show_spinner=False)
def _notable(path: str, stamp: Stamp) -> list[Notable]:
    try:
        return notable_games(open_warehouse(Path(path)))
    except WarehouseError:
        return []


_MOST_FRAMES = 4
"""Frames of a deck that are shown, those of most of its cards."""


def deck_frames(entry: Entry, seat: int) -> list[str]:
    """The frames of a deck's cards as marks (see `mark`), that of most cards first; none where no list is known."""
    return _deck_frames(str(library().path), entry.game, entry.deck_keys[seat], _entry=entry, _seat=seat)


@st.cache_resource(max_entries=10_000, show_spinner=False)
def _deck_frames(path: str, game: str, deck: str, _entry: Entry, _seat: int) -> list[str]:
    try:
        cards = _library(path).read(_entry).header.seats[_seat].deck.cards
    except LibraryError:
        return []
    found: Counter[str] = Counter()
    for code, copies in cards.items():
        shown = look(game, code, code, "en")
        if shown.frame:
            found[f"{shown.fill} {shown.shape}"] += copies
    return [name for name, _ in found.most_common(_MOST_FRAMES)]


def mark(name: str) -> tuple[str, str]:
    """Colour and shape of a mark."""
    fill, _, shape = name.partition(" ")
    return fill, shape


# --- what filters can choose --------------------------------------------------------------------------------

_SHORT = 12
"""Letters of a deck's digest that stand for it in an address."""

_FAMILY = "family:"
"""What stands before a family's name there."""


def filter_choices(name: str, game: str, language: str, most: int | None = 500) -> dict[str, str]:
    """What a filter can choose: value in the address -> what it is called here; of one game, where one is given.

    At most `most`, those that most games have.
    """
    if name == "seat":
        return {seat: page_words(language)[seat] for seat in ("first", "second")}
    if name == "verdict":
        return {one: page_words(language)[one] for one in sorted(set(listing().verdicts))}
    if name == "playlist":
        return {one.name: one.name for one in library().groups().playlists}
    found = listing().named(name) if name != "deck" else _decks()
    fitting = {row: n for row, n in found.items() if name == "game" or not game or row[2] == game}
    often = sorted(fitting, key=lambda row: -fitting[row])[:most]
    said = {short(row[0]) if name == "deck" else row[0]: _named(name, row, language) for row in often}
    in_order = dict(sorted(said.items(), key=lambda pair: pair[1]))
    return _family_choices(fitting, language) | in_order if name == "deck" else in_order


def _decks() -> dict[NamedValue, int]:
    """The decks of the library by their own names, which those of families are not, and how many games have each."""
    families = family_of(library().groups())
    found: dict[str, tuple[NamedValue, int]] = {}
    for row, games in listing().named("deck").items():
        if row[0] not in found or found[row[0]][0][1] == families.get(row[0]):
            found[row[0]] = row, games
    return dict(found.values())


def _family_choices(decks: Iterable[NamedValue], language: str) -> dict[str, str]:
    """The families of which there are decks, as a filter of decks can choose them."""
    there = {row[0] for row in decks}
    families = [one for one in library().groups().families if there.intersection(one.decks)]
    said = page_words(language)["family_choice"]
    return {short(one.name): said.format(name=one.name, n=len(one.decks)) for one in families}


def named_decks(game: str, language: str) -> dict[str, str]:
    """What the decks of a game are called, by digest."""
    return {row[0]: _named("deck", row, language) for row in _decks() if row[2] == game}


def short(deck: str) -> str:
    """What stands for a deck, or a family, in an address."""
    return deck[:_SHORT] if is_digest(deck) else _FAMILY + deck


def deck_of(shortened: str) -> str:
    """The deck that is meant by what stands in an address, or the name of the family."""
    if shortened.startswith(_FAMILY):
        return shortened.removeprefix(_FAMILY)
    return next((row[0] for row in listing().named("deck") if row[0].startswith(shortened)), shortened)


def _named(name: str, row: tuple[str, str, str], language: str) -> str:
    value, called, game = row
    if name == "game":
        return title(game, language)
    if name == "deck":
        return registry.deck_name(game, called, language) or value[:8]
    if name == "format":
        return registry.format_name(game, value, language)
    if name == "reasons":
        return words(language, game).get(f"reason.{value}")
    return player_kind(value, game, language) if name == "player_kind" else called


def player_kind(kind: str, game: str, language: str) -> str:
    """How people call a kind of player."""
    name, _, setting = kind.partition(":")
    said = words(language, game).pattern("term.human_player" if name == HUMAN else f"term.player_{name}")
    return f"{said} {setting}".strip() if said else kind


# --- statistics ---------------------------------------------------------------------------------------------


def warehouse() -> Warehouse:
    """The library's warehouse. Raises WarehouseError where there is none."""
    return open_warehouse(library().path)


class CardLook(NamedTuple):
    """How a card is called and marked in tables and charts: kind and frame in words, the frame's colour and shape."""

    card: str
    kind: str
    cost: int | None
    frame: str
    fill: str
    shape: str


def look(game: str, code: str, name: str, language: str) -> CardLook:
    """The look of a shipped card as its board has it; the name of its logs and a neutral mark for one not of ours."""
    if game not in registry.GAMES or code not in (known := registry.load(game).cards):
        return CardLook(name, "", None, "", *marks.OTHER)
    rulebook, definition = registry.load(game).rulebook, known[code]
    drawn = board_of(rulebook).card
    word = definition.words.get(drawn.frame, "")
    frames = list(drawn.frames)
    fill, shape = marks.symbol_of(drawn.frames.get(word, ""), frames.index(word) if word in frames else -1)
    said = words(language, game, rulebook)
    name = definition.printed.name.get(language) or definition.name
    kind = said.get(f"kind.{definition.kind}")
    frame = said.get(f"{drawn.frame}.{word}") if word else ""
    return CardLook(name, kind, _cost(definition, drawn), frame, fill, shape)


def _cost(definition: Definition, drawn: Look) -> int | None:
    """What a card says that it costs: the number in its corner, or as many symbols; None for one that says nothing."""
    if drawn.corner:
        return definition.stats.get(drawn.corner) or None
    symbols = getattr(definition.printed, drawn.symbols, None) if drawn.symbols else None
    return sum(symbols.values()) if isinstance(symbols, dict) else None


def counted(filters: Filters) -> tuple[int, dict[str, int]]:
    """Games that are counted under these filters, and how many are left out for which reason."""
    stamp = counted_at()
    return _counted(str(library().path), stamp, filters) if stamp else (0, {})


def counted_at() -> Stamp:
    """When the statistics were last built, and groups last changed; empty where there are no statistics."""
    path = library().path
    built = stamp_of(path / NAME)
    return built + stamp_of(path / GROUPS_FILE) if built else built


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs={Filters: repr})
def _counted(path: str, stamp: Stamp, filters: Filters) -> tuple[int, dict[str, int]]:
    warehouse = open_warehouse(Path(path))
    in_all = sum(metric(warehouse, "endings", filters).column("games").to_pylist())
    return in_all, {row["reason"]: row["games"] for row in metric(warehouse, "left_out", filters).to_pylist()}
