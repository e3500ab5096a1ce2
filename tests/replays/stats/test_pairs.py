"""Pair effects: statsmodels agrees with them over real games, and they are bounded."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import false_discovery_control, norm

from engine.rulebooks import registry
from events.open import read_games
from replays.play.simulate import Plan, simulate_into
from replays.stats.behind import games_behind
from replays.stats.metrics import Filters
from replays.stats.warehouse import open_warehouse, update
from replays.store.groups import Family, Groups, joined, write_groups
from replays.store.library import Library
from tests.replays.stats import given, naive, naive_effects
from tests.replays.stats.games import CLOSE, alike, rows


def test_pair_effects_are_those_of_statsmodels(tmp_path: Path) -> None:
    sm = pytest.importorskip("statsmodels.api")
    library = Library(tmp_path / "library")
    one, other = registry.load("xcard").shipped_decks()[:2]
    simulate_into(library, Plan(game="xcard", decks=((one, one),), count=480), jobs=1)
    simulate_into(library, Plan(game="xcard", decks=((one, other),), count=60, seed=9), jobs=1)
    update(library.path)
    warehouse = open_warehouse(library.path)
    found = rows(warehouse, "pair_effect")
    units = naive.units(game for pack in library.packs() for game in read_games(pack))
    (deck,) = {row["deck"] for row in found}
    mine = [(u, r) for u, r in zip(units, naive_effects.residuals(units), strict=True) if u["deck"] == deck]
    assert len(mine) == 1020 and len(found) > 100, "the other deck has too few games"
    known = {(row["code"], row["other_code"]): row for row in found if row["low"] is not None}
    assert len(known) > 100 and len({mine[0][0]["cards"][code].get("size") for pair in known for code in pair}) > 1
    for pair in list(known)[:: len(known) // 25]:
        early = [[naive_effects.early_copies(u["cards"][code]) for code in pair] for u, _ in mine]
        x, y = np.array(early).T
        model = sm.OLS([r for _, r in mine], np.stack([np.ones(len(x)), x, y, x * y], 1)).fit(cov_type="HC3")
        row, half = known[pair], naive.Z * model.bse[3]
        assert row["games"] == len(mine)
        assert (row["effect"], row["low"], row["high"]) == pytest.approx(
            (model.params[3], model.params[3] - half, model.params[3] + half), abs=CLOSE)
    deviations = [(row["high"] - row["low"]) / 2 / naive.Z for row in known.values()]
    chances = [2 * norm.sf(abs(row["effect"]) / d) for row, d in zip(known.values(), deviations, strict=True)]
    assert [row["q"] for row in known.values()] == pytest.approx(list(false_discovery_control(chances)), abs=CLOSE)
    row = found[0]
    asked = {"deck": deck, "code": row["code"], "other_code": row["other_code"]}
    assert len(games_behind(warehouse, "pair_effect", asked, Filters())) == row["games"]


def trial(games: int) -> list[dict[str, Any]]:
    """So many games in which the cards X, Y and Z lie in every order in turn, Z never early with X."""
    orders = [o for o in itertools.permutations(range(1, 7), 3) if not (o[0] < 3 and o[2] < 3)]
    cards = [
        [{"seat": 0, "code": code, "places": [place]} for code, place in zip("XYZ", order, strict=True)]
        for order in orders
    ]
    return [
        {"winner": (5 * n + n // 7) % 2, "piles": [{"seat": 0, "size": 6}], "cards": cards[n % len(cards)]}
        for n in range(games)
    ]


def test_cards_that_were_never_early_together_have_no_pair_effect(tmp_path: Path) -> None:
    told = rows(given.warehouse(tmp_path, trial(1000)), "pair_effect")
    found = {row["code"] + row["other_code"]: row for row in told}
    assert set(found) == {"XY", "XZ", "YZ"}
    assert {found["XZ"][name] for name in ("effect", "low", "high", "shrunk", "q", "certain", "thin")} == {None}
    assert found["XY"]["low"] < found["XY"]["effect"] < found["XY"]["high"]


def test_a_deck_of_fewer_than_a_thousand_games_has_no_pair_effects(tmp_path: Path) -> None:
    assert rows(given.warehouse(tmp_path, trial(999)), "pair_effect") == []


def test_of_a_deck_of_many_games_no_more_than_ten_thousand_are_taken(tmp_path: Path) -> None:
    found = rows(given.warehouse(tmp_path, trial(12_500)), "pair_effect")
    assert {row["games"] for row in found} == {10_000}


def test_decks_of_a_family_are_counted_as_one(tmp_path: Path) -> None:
    games = trial(1200)
    (tmp_path / "alone").mkdir()
    alone = rows(given.warehouse(tmp_path / "alone", games), "pair_effect")
    versions = [{**game, "decks": (f"A{n // 3 % 2}", "B")} for n, game in enumerate(games)]
    warehouse = given.warehouse(tmp_path, versions)
    write_groups(tmp_path, joined(Groups(), Family("A", "toy", ("A0", "A1"))))
    assert rows(warehouse, "pair_effect") == [], "neither has a thousand games"
    found = rows(warehouse, "pair_effect", Filters(families=True))
    assert len(alone) == 3
    alike([{**row, "deck_name": ""} for row in found], [{**row, "deck_name": ""} for row in alone])


def test_a_deck_of_very_many_different_cards_has_no_pair_effects(tmp_path: Path) -> None:
    cards = [{"seat": 0, "code": f"C{n}", "places": [n + 1]} for n in range(101)]
    games = [{"times": 1000, "piles": [{"seat": 0, "size": 101}], "cards": cards}]
    assert rows(given.warehouse(tmp_path, games), "pair_effect") == []
