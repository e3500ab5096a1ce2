"""Metrics of decks, seats and games: a second implementation agrees, and matrices are whole."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from events.kinds import GameEnded
from replays.stats.metrics import Filters
from replays.stats.warehouse import Warehouse
from tests.replays.stats import naive
from tests.replays.stats.games import CLOSE, all_games, rows, same


def test_deck_and_seat_metrics_are_those_of_the_second_implementation(
    warehouse: Warehouse, units: list[naive.Unit]
) -> None:
    decided = [u for u in units if u["w"] != 0.5]
    found = rows(warehouse, "deck_win_rate")
    assert {row["deck"] for row in found} == {u["deck"] for u in units}
    for row in found:
        mine = [u["w"] for u in decided if u["deck"] == row["deck"]]
        same(row, {**naive.cell(sum(mine) / len(mine), len(mine), 0.5), "games": len(mine)})
        assert row["draws"] == sum(u["w"] == 0.5 for u in units if u["deck"] == row["deck"])
    first = [u["w"] for u in decided if u["first"]]
    (row,) = rows(warehouse, "first_player")
    same(row, {**naive.cell(sum(first) / len(first), len(first), 0.5), "games": len(first)})
    assert row["draws"] > 0


def test_endings_and_lengths_add_up(warehouse: Warehouse, units: list[naive.Unit]) -> None:
    all_games = len(units) // 2
    endings = rows(warehouse, "endings")
    assert {row["reason"]: row["games"] for row in endings} == {
        reason: sum(u["reason"] == reason for u in units) // 2 for reason in {u["reason"] for u in units}
    }
    assert "conceded" in {row["reason"] for row in endings}
    assert sum(row["rate"] for row in endings) == pytest.approx(1)
    lengths = rows(warehouse, "lengths")
    assert {row["turns"]: row["games"] for row in lengths} == {
        turns: sum(u["turns"] == turns for u in units) // 2 for turns in {u["turns"] for u in units}
    }
    assert lengths[-1]["rate_by"] == 1 and lengths[-1]["games_by"] == all_games
    for row in [*endings, *lengths]:
        low, high = naive.wilson(row["games"] / all_games, all_games)
        assert (row["low"], row["high"]) == (pytest.approx(low, abs=CLOSE), pytest.approx(high, abs=CLOSE))


def test_the_course_of_a_game_is_that_of_winners_and_losers(warehouse: Warehouse, library: Path) -> None:
    told = {(row["turn"], row["won"]): row for row in rows(warehouse, "course")}
    counted = naive.counted(all_games(library))
    ended = [game for game in counted if any(isinstance(e, GameEnded) and e.winner is not None for e in game.events)]
    assert told[1, True]["games"] == told[1, False]["games"] == len(ended)
    assert told[1, True]["deck"] > told[9, True]["deck"] > told[9, False]["deck"]
    assert told[9, True]["deck"] == told[9, True]["life"]
    assert told[9, True]["deck_low"] < told[9, True]["deck"] < told[9, True]["deck_high"]
    assert 3 < told[1, False]["hand"] < 8


def test_matchups_are_whole(warehouse: Warehouse, units: list[naive.Unit]) -> None:
    cells = {(row["deck"], row["against"]): row for row in rows(warehouse, "matchups")}
    assert len(cells) == 9
    for (one, other), row in cells.items():
        back = cells[other, one]
        assert row["rate"] + back["rate"] == pytest.approx(1, abs=1e-12)
        assert row["shrunk"] + back["shrunk"] == pytest.approx(1, abs=1e-12)
        assert row["low"] + back["high"] == pytest.approx(1, abs=1e-12)
        assert (row["games"], row["draws"]) == (back["games"], back["draws"])
        mine = [u["w"] for u in units if (u["deck"], u["against"]) == (one, other)]
        assert row["rate"] == pytest.approx(sum(mine) / len(mine), abs=1e-12)
        assert row["games"] == len(mine) // (2 if one == other else 1)
        if one == other:
            assert row["rate"] == 0.5 and row["shrunk"] == 0.5
    assert sum(row["draws"] for row in cells.values()) > 0


def test_matchups_stay_whole_when_player_kinds_are_chosen(warehouse: Warehouse) -> None:
    cells = {(row["deck"], row["against"]): row for row in rows(warehouse, "matchups", Filters(player_kind="random"))}
    assert cells
    for (one, other), row in cells.items():
        assert row["rate"] + cells[other, one]["rate"] == pytest.approx(1, abs=1e-12)


def test_draws_are_half_in_matrices_and_left_out_of_win_rates(warehouse: Warehouse) -> None:
    drawn = Filters(reasons=("turn_limit",))
    assert {row["rate"] for row in rows(warehouse, "matchups", drawn)} == {0.5}
    decks = rows(warehouse, "deck_win_rate", drawn)
    assert {(row["games"], row["rate"], row["shrunk"], row["thin"]) for row in decks} == {(0, None, None, None)}
    assert sum(row["draws"] for row in decks) > 0
    cards = rows(warehouse, "gp_wr", drawn)
    assert {(row["copies"], row["rate"], row["rate_by_games"]) for row in cards} == {(0, None, None)}


def test_games_that_do_not_count_are_counted_apart(warehouse: Warehouse) -> None:
    found = {row["reason"]: row["games"] for row in rows(warehouse, "left_out")}
    assert found == {"unfinished": 1, "short": 1, "error": 1, "one_seat": 1}
    assert rows(warehouse, "left_out", Filters(game="liveon", since=date(2030, 1, 1))) == []
