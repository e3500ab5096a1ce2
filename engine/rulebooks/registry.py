"""The list of games. A new game adds a line here and a folder with all that is its own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path

from engine.rulebooks.rulebook import Rulebook
from engine.words import words
from events.errors import CardfoldError
from events.kinds import CardSet
from events.record import edition

GAMES = {key: f"engine.rulebooks.{key}.rules" for key in ("liveon", "xcard", "monbattle")}
"""Key of each game -> the module whose GAME is its class. The first one is meant where none is named."""


_MAX_KEPT = 4
_kept: dict[tuple[str, ...], Rulebook] = {}


class UnknownGame(CardfoldError):
    """A game that is not in the list; the message names those that are."""

    def __init__(self, key: str) -> None:
        super().__init__(f"There is no game {key!r}; the games are {', '.join(GAMES)}")


@cache
def load(key: str, folders: tuple[Path, ...] = ()) -> Rulebook:
    """A game with its shipped card sets, and the sets in `folders` beside them or (`extends`) changing them."""
    return game_type(key).load(folders)


def from_sets(key: str, card_sets: Iterable[CardSet]) -> Rulebook:
    """A game with exactly these card sets, as a log carries them. The last few are kept."""
    sets = tuple(card_sets)
    name = (key, *(edition(s).digest for s in sets))
    if name not in _kept:
        if len(_kept) >= _MAX_KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[name] = game_type(key).from_sets(sets)
    return _kept[name]


def deck_name(key: str, name: str, language: str) -> str:
    """How a deck that a log of this game names is called in a language: a shipped one by its name there."""
    return _deck_names(key).get(name, {}).get(language, name) if key in GAMES else name


def deck_names(key: str, name: str) -> tuple[str, ...]:
    """What a deck that a log of this game names is called in all languages; nothing where it is no shipped one."""
    return tuple(_deck_names(key).get(name, {}).values()) if key in GAMES else ()


@cache
def _deck_names(key: str) -> dict[str, dict[str, str]]:
    """English name of each shipped deck that has others -> its name by language."""
    return {deck.called(): deck.name for deck in game_type(key).shipped_decks() if isinstance(deck.name, dict)}


def format_name(key: str, name: str, language: str) -> str:
    """How a format that a log of this game names is called in a language; as it is where the game has no such one."""
    return words(language, key).pattern(f"term.format_{name}") or name if key in GAMES and name else name


def game_type(key: str) -> type[Rulebook]:
    """The class of a game. Raises UnknownGame."""
    if key not in GAMES:
        raise UnknownGame(key)
    game: type[Rulebook] = import_module(GAMES[key]).GAME
    return game
