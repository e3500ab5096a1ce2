"""Families and playlists in statistics: every number is the one of a library where they are all there is."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from engine.cards.decks import deck_digest
from events.pack import PackWriter
from events.record import game_key
from replays.stats.behind import games_behind
from replays.stats.compare import compare
from replays.stats.metrics import METRICS, Filters, metric
from replays.stats.warehouse import Warehouse, WarehouseError, open_warehouse, update
from replays.store.filters import FilterError
from replays.store.groups import Family, Groups, joined, listed, read_groups, write_groups
from tests.replays.stats import given
from tests.replays.stats.games import DECKS, GAME, alike, all_games, copy_packs, rows

BEST = Filters(playlist="best")


@pytest.fixture(scope="module")
def copy(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with the playlist `best`: every third game, those that do not count among them."""
    path = tmp_path_factory.mktemp("copy")
    copy_packs(library, path)
    shutil.copytree(library / "facts", path / "facts")
    update(path)
    write_groups(path, listed(Groups(), "best", [game_key(game.events) for game in all_games(path)[::3]]))
    return path


@pytest.fixture(scope="module")
def alone(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The warehouse of a library that has these games and no others."""
    path = tmp_path_factory.mktemp("alone")
    (path / "packs").mkdir()
    with PackWriter(path / "packs" / "p.jsonl.zst") as pack:
        for game in all_games(copy)[::3]:
            pack.add(game.rulebook, game.card_sets, game.events if game.sealed else list(game.events))
    update(path)
    return open_warehouse(path)


@pytest.mark.parametrize("name", METRICS)
def test_a_playlist_is_counted_as_if_there_were_no_other_games(copy: Path, alone: Warehouse, name: str) -> None:
    alike(rows(open_warehouse(copy), name, BEST), rows(alone, name))


def test_the_games_behind_a_row_of_a_playlist_are_on_it(copy: Path, alone: Warehouse) -> None:
    found = games_behind(open_warehouse(copy), "deck_win_rate", {"deck_name": DECKS[0].name}, BEST).to_pylist()
    assert found == games_behind(alone, "deck_win_rate", {"deck_name": DECKS[0].name}, Filters()).to_pylist() != []


def test_a_playlist_that_changes_is_counted_anew(copy: Path) -> None:
    warehouse, keys = open_warehouse(copy), [game_key(game.events) for game in all_games(copy)]
    groups = read_groups(copy)
    try:
        for keys_now in (keys[:9], keys[:12], keys[:9], []):
            write_groups(copy, listed(Groups(), "short", keys_now))
            told = rows(warehouse, "endings", Filters(playlist="short"))
            assert sum(row["games"] for row in told) == len(keys_now)
        with pytest.raises(FilterError, match="There is no playlist 'best'; there is 'short'"):
            rows(warehouse, "endings", BEST)
    finally:
        write_groups(copy, groups)


def test_where_the_facts_have_gone_it_is_said(copy: Path, tmp_path: Path) -> None:
    for name in ("warehouse.duckdb", "groups.json"):
        shutil.copy(copy / name, tmp_path / name)
    with pytest.raises(WarehouseError, match=r"The facts of \w+ have gone: build the statistics anew"):
        rows(open_warehouse(tmp_path), "endings", BEST)


def made_up(folder: Path, versions: bool) -> Warehouse:
    """1,200 games of two decks; with `versions`, each in three, which are families."""
    rng, games = random.Random(4), []
    for _ in range(1200):
        decks = [rng.choice("AB") for _ in range(2)]
        numbers = [rng.choice("123") for _ in range(2)]
        places = rng.sample(range(1, 7), 3)
        cards = [{"seat": 0, "code": code, "opening": 1, "places": [place]}
                 for code, place in zip("XYZ", places, strict=True)]
        games.append({
            "decks": tuple(deck + number * versions for deck, number in zip(decks, numbers, strict=True)),
            "cards": cards,
            "winner": int(rng.random() < 0.6), "day": f"2026-05-0{rng.randint(1, 9)}",
            "piles": [{"seat": 0, "size": 6}],
        })  # fmt: skip
    return given.warehouse(folder, games)


@pytest.fixture(scope="module")
def plain_and_many(tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, Warehouse]:
    """The same games with two decks, and with three versions of each that are a family."""
    folder = tmp_path_factory.mktemp("many")
    groups = Groups()
    for deck in "AB":
        groups = joined(groups, Family(deck, "toy", tuple(deck + number for number in "123")))
    write_groups(folder, groups)
    return made_up(tmp_path_factory.mktemp("plain"), versions=False), made_up(folder, versions=True)


@pytest.mark.parametrize("name", METRICS)
def test_a_family_is_counted_as_one_deck(plain_and_many: tuple[Warehouse, Warehouse], name: str) -> None:
    plain, many = plain_and_many

    def told(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{key: value for key, value in row.items() if not key.endswith("_name")} for row in found]

    alike(told(rows(many, name, Filters(families=True))), told(rows(plain, name)))
    alike(told(rows(many, name, Filters(families=True, deck="A"))), told(rows(plain, name, Filters(deck="A"))))
    if "deck" in (columns := metric(many, name).column_names) and "deck_name" in columns:
        assert {row["deck_name"] for row in rows(many, name, Filters(families=True))} == {"A", "B"}
        assert {row["deck"] for row in rows(many, name)} <= {deck + number for deck in "AB" for number in "123"}


def test_a_family_s_games_lie_behind_its_row_and_it_can_be_compared(copy: Path) -> None:
    warehouse, groups = open_warehouse(copy), read_groups(copy)
    digests = tuple(map(deck_digest, DECKS[:2]))
    try:
        write_groups(copy, joined(groups, Family("both", GAME.key, digests)))
        both = Filters(families=True)
        row = next(row for row in rows(warehouse, "deck_win_rate", both) if row["deck"] == "both")
        found = games_behind(warehouse, "deck_win_rate", {"deck": "both"}, both).to_pylist()
        assert len(found) == row["games"] + row["draws"] and {game["deck"] for game in found} == {"both"}
        table = compare(warehouse, "deck_win_rate", both, structs.replace(both, seat="first"))
        assert "both" in table["deck"].to_pylist()
    finally:
        write_groups(copy, groups)
