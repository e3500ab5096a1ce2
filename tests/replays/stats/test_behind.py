"""Every number leads back to exactly the games that it is made of."""

from __future__ import annotations

import pytest

from engine.rulebooks import registry
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.stats.behind import KEYS, games_behind
from replays.stats.metrics import METRICS, Filters, MetricError, metric
from replays.stats.warehouse import Warehouse, open_warehouse, update
from replays.store.library import Library

FILTERS = {
    "none": Filters(), "second": Filters(seat="second"), "one deck": Filters(deck="Old Roads"),
    "short": Filters(most_turns=12),
}  # fmt: skip

SPLIT = ("course", "draw_curve", "field", "trend", "left_out")
"""Metrics of which a row is more than what KEYS name: a turn, a place, a period; or games that do not count."""


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    library = Library(tmp_path_factory.mktemp("behind") / "library")
    decks = registry.load("monbattle").shipped_decks()[-4:]
    simulate_into(library, Plan(game="monbattle", decks=all_pairs(decks), count=48), jobs=1)
    update(library.path)
    return open_warehouse(library.path)


@pytest.mark.parametrize("chosen", FILTERS)
@pytest.mark.parametrize("name", [name for name in METRICS if name not in SPLIT])
def test_the_games_behind_a_row_are_as_many_as_it_says(warehouse: Warehouse, name: str, chosen: str) -> None:
    rows = metric(warehouse, name, FILTERS[chosen]).to_pylist()
    for row in rows[:5]:
        named_by = {key: str(row[key]) for key in KEYS if key in row}
        found = games_behind(warehouse, name, named_by, FILTERS[chosen]).to_pylist()
        assert len({(game["game_id"], game["seat"]) for game in found}) == len(found)
        draws = sum(game["result"] == 0.5 for game in found)
        if name in ("endings", "lengths"):
            assert len({game["game_id"] for game in found}) == row["games"]
        elif "draws" in row and METRICS[name].copies != "deck":
            assert len(found) == row["games"] + row["draws"] and draws == row["draws"]
        elif name in ("deck_win_rate", "player_win_rate", "first_player", "first_in_matchup"):
            assert len(found) == row["games"] + row["draws"]
        elif name == "matchups":  # of a deck against itself a game counts once
            assert len({game["game_id"] for game in found}) == row["games"] + row["draws"]


def test_games_behind_a_card_are_those_in_which_it_was_held(warehouse: Warehouse) -> None:
    rows, more = warehouse.ask(
        "SELECT code, count(*) FILTER (opening + drawn > 0) AS held, count(*) FILTER (cards.deck > 0) AS decks "
        "FROM cards JOIN units USING (unit) GROUP BY code")
    assert not more
    for row in rows.to_pylist()[::5]:
        for name, count in (("gih_wr", row["held"]), ("gp_wr", row["decks"])):
            assert len(games_behind(warehouse, name, {"code": row["code"]}, Filters())) == count


def test_a_row_may_be_named_by_what_its_card_is_called(warehouse: Warehouse) -> None:
    row = metric(warehouse, "gih_wr").to_pylist()[0]
    by_code = games_behind(warehouse, "gih_wr", {"code": row["code"]}, Filters())
    assert by_code.equals(games_behind(warehouse, "gih_wr", {"card": row["card"]}, Filters()))
    japanese = metric(warehouse, "gih_wr", language="ja").to_pylist()
    called = next(one["card"] for one in japanese if one["code"] == row["code"])
    assert len(games_behind(warehouse, "gih_wr", {"card": called}, Filters(), "ja")) == len(by_code)


def test_a_row_may_be_named_by_the_beginning_of_a_digest_as_people_see_it(warehouse: Warehouse) -> None:
    row = metric(warehouse, "deck_win_rate").to_pylist()[0]
    whole = games_behind(warehouse, "deck_win_rate", {"deck": row["deck"]}, Filters())
    assert whole.equals(games_behind(warehouse, "deck_win_rate", {"deck": row["deck"][:8]}, Filters()))
    with pytest.raises(MetricError, match="no row"):
        games_behind(warehouse, "deck_win_rate", {"deck": row["deck"][:7]}, Filters())


@pytest.mark.parametrize(("row", "wrong"), [
    ({"code": "WLD-999"}, "no row"), ({"joy": "1"}, "cannot be named by 'joy'"), ({"copies": "3"}, "cannot be named"),
])  # fmt: skip
def test_what_names_no_row_is_a_sentence(warehouse: Warehouse, row: dict[str, str], wrong: str) -> None:
    with pytest.raises(MetricError, match=wrong):
        games_behind(warehouse, "gih_wr", row, Filters())
