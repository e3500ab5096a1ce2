"""What the arguments of commands that play mean: games, decks, players, options, and who does the work."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.cards.decks import DeckError, DeckFile, names_of, read_deck
from engine.players import make_player
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from engine.words import LANGUAGES
from replays import workers
from replays.play.simulate import PlanError, all_pairs


def load_game(key: str, cards: list[Path] | None) -> Rulebook:
    return registry.load(key, tuple(cards or ()))


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
        return list(decks)
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
