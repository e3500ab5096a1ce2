"""The list of games. A new one adds its name here and a folder with a `rules` module beside this file."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path

from engine.game import Game
from events.kinds import CardSet

GAMES = ("liveon",)


class UnknownGame(Exception):
    """A game that is not in the list; the message names those that are."""

    def __init__(self, key: str) -> None:
        super().__init__(f"There is no game {key!r}; the games are {', '.join(GAMES)}")


@cache
def load(key: str, folders: tuple[Path, ...] = ()) -> Game:
    """A game with its shipped card sets, and the sets in `folders` beside them or (`extends`) changing them."""
    return game_type(key).load(folders)


def from_sets(key: str, card_sets: Iterable[CardSet]) -> Game:
    """A game with exactly these card sets, as a log carries them."""
    return game_type(key).from_sets(card_sets)


def game_type(key: str) -> type[Game]:
    """The class of a game. Raises UnknownGame."""
    if key not in GAMES:
        raise UnknownGame(key)
    game: type[Game] = import_module(f"engine.{key}.rules").GAME
    return game
