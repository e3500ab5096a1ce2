"""A library of short games with its warehouse, and the same games as the second implementation sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rulebooks import registry
from events.open import read_games
from events.pack import PackWriter
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.stats.warehouse import Warehouse, open_warehouse, update
from replays.store.library import Library
from tests.replays.stats import naive
from tests.replays.stats.games import GAME, all_games, begin, finish, odd_games


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    (path / "packs").mkdir()
    logs = [finish(begin(number), number) for number in range(60)]
    for name, some in (("one", logs[:20]), ("two", [*logs[20:40], *odd_games()]), ("three", logs[40:])):
        with PackWriter(path / "packs" / f"{name}.jsonl.zst") as pack:
            for events in some:
                pack.add(GAME.rulebook, GAME.card_sets, events)
    assert update(path) == []
    return path


@pytest.fixture(scope="session")
def warehouse(library: Path) -> Warehouse:
    return open_warehouse(library)


@pytest.fixture(scope="session")
def units(library: Path) -> list[naive.Unit]:
    return naive.units(all_games(library))


@pytest.fixture(scope="session")
def three_games(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library with games of all rulebooks, of three shipped decks each."""
    library = Library(tmp_path_factory.mktemp("three") / "library")
    for key in registry.GAMES:
        decks = registry.load(key).shipped_decks()[:2]
        plan = Plan(game=key, decks=all_pairs(decks), count=160, player_kinds=("random", "random"), date="2026-03-04")
        simulate_into(library, plan, jobs=1)
    assert update(library.path) == []
    return library


@pytest.fixture(scope="session")
def three(three_games: Library) -> Warehouse:
    return open_warehouse(three_games.path)


@pytest.fixture(scope="session")
def three_units(three_games: Library) -> dict[str, list[naive.Unit]]:
    """Key of each game -> its units, as the second implementation has them."""
    games = [game for pack in three_games.packs() for game in read_games(pack)]
    return {key: naive.units(game for game in games if game.header.game == key) for key in registry.GAMES}
