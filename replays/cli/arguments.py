"""What the arguments of commands mean: games, logs, decks, players, options."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.cards.decks import DeckError, DeckFile, names_of, read_deck
from engine.players import make_player
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from engine.words import LANGUAGES
from events.game import GameLog
from events.record import LogError
from replays import workers
from replays.cli.output import say
from replays.play.simulate import PlanError, all_pairs
from replays.store.archives import games_from
from replays.store.library import Library
from replays.store.share import seat_of

SUFFIXES = (".jsonl", ".zst", ".gz", ".zip", ".html")
"""Endings of files: what is called so is no id of a game, whether it is there or not."""


def load_game(key: str, cards: list[Path] | None) -> Rulebook:
    return registry.load(key, tuple(cards or ()))


def open_log(name: str, library: Path | None, number: int = 1) -> GameLog:
    """A game from a file (or standard input), else from the library by its id."""
    found = _games_of_file(name)
    return Library(library).open(name) if found is None else _nth(found, number, name)


def chosen_seat(found: GameLog, given: str | None) -> int | None:
    """The seat that an option names by number or player, if it does; says which. Raises LogError."""
    if given is None:
        return None
    seat = seat_of(found, given)
    say(f"As seat {seat} ({found.header.seats[seat].player}) saw it.")
    return seat


def all_logs(name: str, library: Path | None) -> Iterator[GameLog]:
    """All games of a file (or of standard input), else the one of the library with this id."""
    found = _games_of_file(name)
    if found is None:
        yield Library(library).open(name)
    else:
        yield from found


def _games_of_file(name: str) -> Iterator[GameLog] | None:
    """The games of what the name leads to; None where it names no file, and so may be an id."""
    if name == "-":
        return games_from("standard input", sys.stdin.buffer)
    path = Path(name)
    return games_from(name, path) if path.exists() or path.suffix in SUFFIXES else None


def _nth(found: Iterator[GameLog], number: int, name: str) -> GameLog:
    count = 0
    for game in found:
        count += 1
        if count == number:
            if not game.events and game.fault is not None:
                raise game.fault
            return game
    raise LogError(f"has {count} games; there is no game {number}.", name)


def work_runner(ray: str | None) -> workers.Runner:
    """Who does the work of a command: worker processes here, or the Ray cluster at this address."""
    if ray is None:
        return workers.run_work
    from replays import cluster

    return cluster.runner(ray)


def deck_files(given: Sequence[str] | None, game: Rulebook, folder: Path | None = None) -> list[DeckFile]:
    """Decks by file (in `folder`, else the current one), or by a name (in any language) or file name of a
    shipped one; none given: all shipped ones.
    """
    decks = game.shipped_decks()
    if given is None:
        return decks
    shipped = {path.stem: path for path in sorted((game.folder / "decks").glob("*.toml"))}
    names = names_of(d.printed for d in game.cards.values())
    called = {deck.called(language).casefold(): deck for language in LANGUAGES for deck in decks}
    found = []
    for name in map(str.strip, given):
        by_name = called.get(name.casefold())
        if by_name is not None:
            found.append(by_name)
        elif name in shipped:
            found.append(read_deck(shipped[name], names))
        elif (file := (folder or Path()) / name).exists():
            found.append(read_deck(file, names))
        else:
            raise DeckError(f"There is no deck {name!r}: give a file, or one of {', '.join(shipped)}.")
    return found


def deck_pairs(given: str | None, game: Rulebook) -> tuple[tuple[DeckFile, DeckFile], ...]:
    decks = deck_files(None if given is None else given.split(","), game)
    if given is not None and len(decks) == 2:
        return ((decks[0], decks[1]),)
    return all_pairs(decks)


def player_pair(given: str, besides: Sequence[str] = ()) -> tuple[str, str]:
    """Two players in seat order, computer players or `besides`; one that is named alone sits on both seats.

    Raises PlanError or PlayerError.
    """
    player_kinds = [name.strip() for name in given.split(",")]
    player_kinds = player_kinds * 2 if len(player_kinds) == 1 else player_kinds
    if len(player_kinds) != 2:
        raise PlanError(f"Two players are needed, like greedy,random; {given!r} names {len(player_kinds)}.")
    for player_kind in player_kinds:
        if player_kind not in besides:
            make_player(player_kind, 0, modules=True)
    return player_kinds[0], player_kinds[1]


def game_options(given: list[str] | None) -> dict[str, int | str | bool]:
    options: dict[str, int | str | bool] = {}
    for option in given or ():
        name, equals, value = option.partition("=")
        if not equals:
            raise PlanError(f"An option is written NAME=VALUE, like max_turns=50; {option!r} is not.")
        options[name] = int(value) if value.lstrip("-").isdecimal() else value == "true" if value in (
            "true", "false") else value
    return options
