"""What must hold whatever games there are: properties of every metric over games that hypothesis makes up."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, settings
from hypothesis import given as over
from hypothesis import strategies as st

from replays.cli import people
from replays.stats.behind import games_behind, keys_of
from replays.stats.columns import is_share
from replays.stats.metrics import METRICS, Filters, metric
from replays.stats.warehouse import Warehouse
from tests.replays.stats import given, naive, naive_effects
from tests.replays.stats.games import alike, by_code, rows

Game = dict[str, Any]
CLASSES = ("opening", "drawn", "unseen")
SIZE = 5


@st.composite
def card_rows(draw: st.DrawFn, seat: int) -> list[dict[str, Any]]:
    """What the copies of two cards did, in a pile of five cards of which two are early."""
    order = draw(st.permutations(range(1, SIZE + 1)))
    found = []
    for code in draw(st.sampled_from([(), ("X",), ("X", "Y")])):
        ways = draw(st.lists(st.sampled_from(CLASSES), min_size=1, max_size=2))
        places, order = sorted(order[: len(ways)]), order[len(ways) :]
        played = draw(st.integers(0, sum(way != "unseen" for way in ways)))
        found.append({
            "seat": seat, "code": code, **{way: ways.count(way) for way in set(ways)}, "places": places,
            "played": played, "held_played": played, **({"first_turn": 2, "turns_held": played} if played else {}),
        })  # fmt: skip
    return found


@st.composite
def one_game(draw: st.DrawFn) -> Game:
    return {
        "decks": (draw(st.sampled_from("AB")), draw(st.sampled_from("AB"))), "turns": draw(st.integers(2, 4)),
        "players": (draw(st.sampled_from(["Ann", "Bo"])), draw(st.sampled_from(["Bo", "Cy"]))),
        "first": draw(st.integers(0, 1)), "winner": draw(st.sampled_from([0, 1, "draw"])),
        "reason": draw(st.sampled_from(["lp", "conceded"])), "day": draw(st.sampled_from([None, "2026-05-04"])),
        "piles": [{"seat": seat, "size": SIZE} for seat in (0, 1)],
        "cards": draw(card_rows(0)) + draw(card_rows(1)),
    }  # fmt: skip


some_games = st.lists(one_game(), min_size=1, max_size=14)
few = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
"""Each example builds a warehouse."""


def warehouse_of(games: list[Game]) -> Warehouse:
    return given.warehouse(Path(tempfile.mkdtemp()), games)


def units_of(games: list[Game]) -> list[naive.Unit]:
    """Both seats of each game, as the second implementation has them."""
    found = []
    for number, game in enumerate(games):
        for seat in (0, 1):
            w = 0.5 if game["winner"] == "draw" else float(game["winner"] == seat)
            cards = {
                card["code"]: {
                    **dict.fromkeys((*CLASSES, "fetched", "held_played"), 0), "size": SIZE, **card,
                    "deck": sum(card.get(way, 0) for way in CLASSES),
                } for card in game["cards"] if card["seat"] == seat
            }  # fmt: skip
            found.append({
                "g": number, "w": w, "deck": game["decks"][seat], "against": game["decks"][1 - seat],
                "first": game["first"] == seat, "turns": game["turns"], "cards": cards, "player": game["players"][seat],
            })  # fmt: skip
    return found


@settings(few, max_examples=3)
@over(some_games, st.randoms(use_true_random=False))
def test_the_order_of_games_changes_no_number(games: list[Game], order: random.Random) -> None:
    one = warehouse_of(games)
    order.shuffle(games)
    other = warehouse_of(games)
    for name in METRICS:
        alike(rows(other, name), rows(one, name))


@few
@over(some_games)
def test_the_second_implementation_agrees(games: list[Game]) -> None:
    warehouse, units = warehouse_of(games), units_of(games)
    counted = {"gp_wr": CLASSES, "gih_wr": ("opening", "drawn"), "oh_wr": CLASSES[:1], "gd_wr": CLASSES[1:2],
               "gns_wr": CLASSES[2:], "played_wr": ("played",)}  # fmt: skip
    for name, ways in counted.items():
        for code, row in by_code(rows(warehouse, name)).items():
            expected = naive.by_copies(units, code, lambda card, ways=ways: sum(card[way] for way in ways))
            assert (row["rate"] is None) == (expected is None)
            _close(row, expected)
    for code, row in by_code(rows(warehouse, "play_rate")).items():
        _close(row, naive.play_rate(units, code))
    for code, row in by_code(rows(warehouse, "draw_effect")).items():
        expected = naive_effects.draw_effect(units, code, 2)
        _close(row, expected and {name: expected[name] for name in ("effect", "games", "copies")})
    for name, whose in (("deck_win_rate", "deck"), ("player_win_rate", "player")):
        for row in rows(warehouse, name):
            won = [u["w"] for u in units if u[whose] == row[whose] and u["w"] != 0.5]
            assert row["games"] == len(won) and row["rate"] == (pytest.approx(sum(won) / len(won)) if won else None)


def _close(row: dict[str, Any], expected: dict[str, Any] | None) -> None:
    for name, value in (expected or {}).items():
        assert row[name] == pytest.approx(value, abs=1e-9), (name, row, expected)


ONE_GAME: Game = {
    "decks": ("A", "A"), "turns": 2, "players": ("Ann", "Bo"), "first": 0, "winner": 0, "reason": "lp", "day": None,
    "piles": [{"seat": seat, "size": SIZE} for seat in (0, 1)],
    "cards": [{"seat": 1, "code": "X", "opening": 1, "places": [1]}],
}  # fmt: skip
"""A game of a deck against itself: its intervals are as wide as they can be."""


@few
@example([ONE_GAME])
@over(some_games)
def test_shares_lie_within_their_intervals_and_probabilities_do_not_contradict_each_other(games: list[Game]) -> None:
    warehouse = warehouse_of(games)
    for name in METRICS:
        table = metric(warehouse, name)
        for column in people.columns(table.column_names):
            for row in map(tuple, (one.values() for one in table.to_pylist())):
                value = row[column.value]
                if column.low is not None and column.high is not None and row[column.low] is not None:
                    assert row[column.low] <= value <= row[column.high] and row[column.low] < row[column.high]
                    if is_share(column.name) and column.name != "effect":
                        assert row[column.low] >= -1 and row[column.high] <= 1
    cells = {(row["deck"], row["against"]): row for row in rows(warehouse, "matchups")}
    for (one, other), row in cells.items():
        back = cells[other, one]
        assert row["rate"] + back["rate"] == pytest.approx(1) and row["games"] == back["games"]
        assert one != other or row["rate"] == 0.5
    for name in ("endings", "lengths"):
        assert sum(row["rate"] for row in rows(warehouse, name)) == pytest.approx(1)
        assert sum(row["games"] for row in rows(warehouse, name)) == len(games)
    assert sum(row["rating"] or 0 for row in rows(warehouse, "deck_rating")) == pytest.approx(0, abs=1e-6)


@few
@over(some_games)
def test_every_number_leads_back_to_its_games(games: list[Game]) -> None:
    warehouse = warehouse_of(games)
    for name in ("gih_wr", "gp_wr", "oh_wr", "deck_win_rate", "player_win_rate", "first_in_matchup"):
        for row in rows(warehouse, name):
            asked = {key: str(row[key]) for key in keys_of(name, row)}
            found = games_behind(warehouse, name, asked, Filters()).to_pylist()
            drawn = [one for one in found if one["result"] == 0.5]
            assert len(drawn) == (row["draws"] if "draws" in row else len(drawn))
            assert len(found) - len(drawn) == row["games"]
            if row["rate"] is not None and "copies" not in row:
                assert row["rate"] == pytest.approx(sum(one["result"] == 1 for one in found) / row["games"])
