"""Faults that statistics of other tools had, one test each: each is of a kind that must not come back."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from statsmodels.stats.proportion import proportion_confint

from replays.stats.metrics import METRICS, Filters, metric
from replays.stats.warehouse import Warehouse, WarehouseError, open_warehouse
from tests.replays.stats import given
from tests.replays.stats.games import DECKS, rows


def card(code: str = "X", seat: int = 0, **said: Any) -> dict[str, Any]:
    return {"seat": seat, "code": code, **said}


def only(warehouse: Warehouse, name: str, **filters: Any) -> dict[str, Any]:
    (row,) = metric(warehouse, name, Filters(**filters)).to_pylist()
    return dict(row)


def test_mirror_matches_are_a_half(warehouse: Warehouse) -> None:
    mirrors = [row for row in rows(warehouse, "matchups") if row["deck"] == row["against"]]
    assert len(mirrors) == 3 and {row["rate"] for row in mirrors} == {0.5}


def test_a_against_b_is_one_less_b_against_a(warehouse: Warehouse) -> None:
    cells = {(row["deck"], row["against"]): row for row in rows(warehouse, "matchups")}
    for (one, other), row in cells.items():
        back = cells[other, one]
        assert row["rate"] + back["rate"] == pytest.approx(1, abs=1e-12)
        assert row["shrunk"] + back["shrunk"] == pytest.approx(1, abs=1e-12)


def test_a_thin_cell_is_thin_by_its_own_games_not_by_its_row_s(tmp_path: Path) -> None:
    games = [{"decks": ("A", "B"), "winner": n % 2} for n in range(900)] + [{"decks": ("A", "C")}] * 3
    cells = {(row["deck"], row["against"]): row for row in rows(given.warehouse(tmp_path, games), "matchups")}
    assert not cells["A", "B"]["thin"] and cells["A", "C"]["thin"] and cells["A", "C"]["games"] == 3


def test_missing_is_missing_and_not_nought(tmp_path: Path) -> None:
    made = given.warehouse(tmp_path, [{"cards": [card(unseen=1)]}, {"winner": "draw", "cards": [card(drawn=1)]}])
    for name in ("gih_wr", "oh_wr", "gd_wr", "played_wr", "turned_up_wr"):
        row = only(made, name)
        numbers = {key: row[key] for key in ("rate", "low", "high", "shrunk", "thin", "rate_by_games")}
        assert set(numbers.values()) == {None}, (name, numbers)
    assert only(made, "draw_effect")["effect"] is None and only(made, "draw_effect")["not_counted"] == 2


def test_what_is_compared_is_not_part_of_what_it_is_compared_with(tmp_path: Path) -> None:
    """Improvement in hand compares copies in hand with unseen ones, not with all."""
    games = [{"cards": [card(opening=1)]}] * 30 + [{"winner": 1, "cards": [card(unseen=1)]}] * 30
    assert only(given.warehouse(tmp_path, games), "iih")["difference"] == 1


def test_redrawn_cards_are_no_draws(tmp_path: Path) -> None:
    games = [{"cards": [card(unseen=1, redrawn=2)], "redrawn": (2, 0)}] * 5
    made = given.warehouse(tmp_path, games)
    assert only(made, "gd_wr")["copies"] == only(made, "oh_wr")["copies"] == only(made, "gih_wr")["copies"] == 0
    assert only(made, "hands")["redrawn"] == 10


def test_the_share_of_kept_hands_is_of_all_hands_with_the_card(tmp_path: Path) -> None:
    games = [{"cards": [card(opening=2, redrawn=1)]}] * 3 + [{"cards": [card(opening=1)]}] * 2
    games += [{"cards": [card(unseen=1)]}] * 5
    row = only(given.warehouse(tmp_path, games), "hands")
    assert (row["kept"], row["redrawn"], row["hands"], row["rate"]) == (5, 3, 8, 5 / 8)


def test_draws_are_no_losses(tmp_path: Path) -> None:
    games = [{"cards": [card(opening=1)]}] + [{"winner": "draw", "cards": [card(opening=1)]}] * 9
    made = given.warehouse(tmp_path, games)
    row = only(made, "gih_wr")
    assert (row["rate"], row["games"], row["draws"]) == (1.0, 1, 9)
    cells = {(row["deck"], row["against"]): row["rate"] for row in rows(made, "matchups")}
    assert cells == {("A", "B"): 0.55, ("B", "A"): 0.45}


def test_a_concession_has_a_result(tmp_path: Path) -> None:
    made = given.warehouse(tmp_path, [{"winner": 1, "reason": "conceded"}] * 4)
    decks = {row["deck"]: row["rate"] for row in rows(made, "deck_win_rate")}
    assert decks == {"A": 0.0, "B": 1.0}
    assert rows(made, "deck_win_rate", Filters(reasons=("conceded",))) == rows(made, "deck_win_rate")


def test_a_game_that_was_cut_off_is_no_loss(warehouse: Warehouse) -> None:
    found = {row["reason"]: row["games"] for row in rows(warehouse, "left_out")}
    assert found["unfinished"] == 1 and sum(row["games"] for row in rows(warehouse, "endings")) == 60


def test_a_game_that_both_players_send_in_is_one_game(tmp_path: Path) -> None:
    made = given.warehouse(tmp_path, [{"key": "same"}, {"key": "same"}, {"key": "other", "winner": 1}])
    assert {row["deck"]: row["games"] for row in rows(made, "deck_win_rate")} == {"A": 2, "B": 2}
    assert rows(made, "left_out") == [{"game": "toy", "reason": "duplicate", "games": 1}]


def test_a_game_is_counted_once_whatever_its_deck_is_called(tmp_path: Path, warehouse: Warehouse) -> None:
    by_deck = sum(row["games"] + row["draws"] for row in rows(warehouse, "deck_win_rate"))
    assert by_deck == 2 * sum(row["games"] for row in rows(warehouse, "endings"))
    assert len(rows(warehouse, "deck_win_rate")) == len(DECKS)


def test_probabilities_do_not_contradict_each_other(warehouse: Warehouse) -> None:
    ends = rows(warehouse, "endings")
    assert sum(row["rate"] for row in ends) == pytest.approx(1, abs=1e-12)
    by_turn = [row["rate_by"] for row in rows(warehouse, "lengths")]
    assert by_turn == sorted(by_turn) and by_turn[-1] == 1
    field = [row["rate"] for row in rows(warehouse, "field") if row["week"] is None]
    assert sum(field) == pytest.approx(1, abs=1e-12)


def test_rows_are_sorted_by_the_number_and_not_by_what_is_shown_of_it(tmp_path: Path) -> None:
    games = [{"winner": int(n < 502), "cards": [card("A", opening=1)]} for n in range(1000)]
    games += [{"winner": int(n < 501), "cards": [card("B", opening=1)]} for n in range(1000)]
    found = rows(given.warehouse(tmp_path, games), "gih_wr")
    assert [row["code"] for row in found] == ["B", "A"] and found[0]["shrunk"] - found[1]["shrunk"] < 0.0015


def test_copies_of_a_card_in_one_game_are_one_piece_of_evidence(tmp_path: Path) -> None:
    games = [{"winner": n % 2, "cards": [card(opening=3)]} for n in range(40)]
    row = only(given.warehouse(tmp_path, games), "gih_wr")
    assert row["copies"] == 120 and row["effective_games"] == 40
    assert (row["low"], row["high"]) == (row["low_by_games"], row["high_by_games"])


def test_few_games_of_uneven_copies_are_no_more_than_they_are(tmp_path: Path) -> None:
    """Their own spread may say less than it is: the effective number of games is capped by the copies' shares."""
    copies = [1, 1, 1, 1, 6]
    games = [{"winner": int(n == 4), "cards": [card(opening=k)]} for n, k in enumerate(copies)]
    row = only(given.warehouse(tmp_path, games), "gih_wr")
    assert row["effective_games"] <= sum(copies) ** 2 / sum(k * k for k in copies)


@pytest.mark.parametrize(("won", "n"), [(0, 3), (5, 5), (1, 40), (30, 60), (997, 1000)])
def test_intervals_are_those_of_statsmodels(tmp_path: Path, won: int, n: int) -> None:
    games = [{"winner": int(k >= won), "cards": [card(opening=1)]} for k in range(n)]
    row = only(given.warehouse(tmp_path, games), "gih_wr")
    low, high = proportion_confint(won, n, method="wilson")
    assert (row["low"], row["high"]) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))


def test_undated_games_are_in_no_day_but_in_the_version(tmp_path: Path) -> None:
    found = rows(given.warehouse(tmp_path, [{"day": "2026-05-01"}] * 2 + [{}] * 3), "trend", Filters(deck="A"))
    assert {row["cut"]: (row["period"], row["games"]) for row in found} == {
        "day": ("2026-05-01", 2), "week": ("2026-04-27", 2), "card_set": ("TOY 1", 5),
    }


def test_cards_that_are_not_installed_have_the_names_of_their_logs(tmp_path: Path) -> None:
    names = [{"game": "toy", "code": "X", "language": tag, "name": said} for tag, said in (("en", "Axe"), ("ja", "斧"))]
    made = given.warehouse(tmp_path, [{"cards": [card(opening=1), card("Y", opening=1)]}], names)
    for name in METRICS:
        for language, said in (("en", "Axe"), ("ja", "斧"), ("zh-Hans", "Axe")):
            table = metric(made, name, language=language)
            if "code" in table.column_names:
                assert table.column_names.index("card") == table.column_names.index("code") + 1
                assert {row["code"]: row["card"] for row in table.to_pylist()}.items() <= {"X": said, "Y": "Y"}.items()


@pytest.mark.parametrize("name", METRICS)
def test_every_deck_has_its_name_beside_its_digest(warehouse: Warehouse, name: str) -> None:
    for row in rows(warehouse, name):
        for digest, called in (("deck", "deck_name"), ("against", "against_name")):
            if isinstance(row.get(digest), str):
                assert row[called] in {deck.name for deck in DECKS}


def test_a_warehouse_of_other_definitions_says_so_when_it_is_opened(tmp_path: Path, warehouse: Warehouse) -> None:
    import duckdb

    made = {"m1": "create table units as select 1 as g", "m3": "create table definition as select 'm3' as version"}
    for version, said in made.items():
        folder = tmp_path / version
        folder.mkdir()
        with duckdb.connect(str(folder / "warehouse.duckdb")) as connection:
            connection.execute(said)
        with pytest.raises(WarehouseError, match=f"definition version {version}; this is m2, .* build it anew"):
            open_warehouse(folder)


@pytest.mark.parametrize("said", ["'m2' as version", "'m2' as version, 'others' as statements"])
def test_a_warehouse_that_another_cardfold_has_built_says_so(tmp_path: Path, library: Path, said: str) -> None:
    import duckdb

    shutil.copy(library / "warehouse.duckdb", tmp_path)
    with duckdb.connect(str(tmp_path / "warehouse.duckdb")) as connection:
        connection.execute(f"create or replace table definition as select {said}")
    with pytest.raises(WarehouseError, match=r"was built by another Cardfold: build it anew, with `cardfold build`\."):
        open_warehouse(tmp_path)
