"""What is fitted: ratings of a known data set, and intervals that cover."""

from __future__ import annotations

from itertools import combinations
from math import log
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm

from replays.stats.metrics import metric
from tests.replays.stats import given
from tests.replays.stats.coverage import EFFECT, covered, covered_pairs, made_up

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WON = (
    (0, 7, 9, 7, 7, 9, 11), (6, 0, 7, 5, 11, 9, 9), (4, 6, 0, 7, 7, 8, 12), (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12), (4, 4, 5, 6, 6, 0, 6), (2, 4, 1, 3, 1, 7, 0),
)  # fmt: skip
"""Games of the American League's East in 1987 that the team of the row won against that of the column (Agresti,
Categorical Data Analysis)."""

PUBLISHED = (1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0)
"""The strengths that are published for them, in log-odds above Baltimore's."""


def test_ratings_of_a_known_data_set_are_the_published_ones_and_those_of_statsmodels(tmp_path: Path) -> None:
    games = [
        {"players": (TEAMS[one], TEAMS[other]), "winner": 0}
        for one in range(7) for other in range(7) for _ in range(WON[one][other])
    ]  # fmt: skip
    found = {row["player"]: row for row in metric(given.warehouse(tmp_path, games), "player_rating").to_pylist()}
    elo = 400 / log(10)
    above = [(found[team]["rating"] - found["Baltimore"]["rating"]) / elo for team in TEAMS]
    assert above == pytest.approx(PUBLISHED, abs=0.006)
    pairs = list(combinations(range(7), 2))
    design = np.array([[(k == one) - (k == other) for k in range(6)] for one, other in pairs], float)
    counts = np.array([(WON[one][other], WON[other][one]) for one, other in pairs])
    fitted = sm.GLM(counts, design, family=sm.families.Binomial()).fit()
    assert above[:6] == pytest.approx(list(fitted.params), abs=1e-6)
    assert sum(row["rating"] for row in found.values()) == pytest.approx(0, abs=1e-6)
    centring = np.eye(7)[:, :6] - 1 / 7
    deviations = np.sqrt(np.diag(centring @ fitted.cov_params() @ centring.T))
    halves = [(found[team]["high"] - found[team]["low"]) / 2 for team in TEAMS]
    assert halves == pytest.approx(list(1.959963984540054 * elo * deviations), rel=1e-5)


def test_who_has_only_won_has_no_rating_but_is_listed(tmp_path: Path) -> None:
    games = [{"players": ("A", "B"), "winner": n % 2} for n in range(6)] + [{"players": ("C", "A")}] * 4
    found = {row["player"]: row for row in metric(given.warehouse(tmp_path, games), "player_rating").to_pylist()}
    assert found["C"]["rating"] is None and found["C"]["games"] == 4
    assert found["A"]["rating"] == pytest.approx(0, abs=1e-6) and found["A"]["low"] < 0 < found["A"]["high"]


def test_a_draw_is_half_a_win_in_ratings(tmp_path: Path) -> None:
    games = [{"decks": ("A", "B"), "winner": "draw"}] * 10
    found = metric(given.warehouse(tmp_path, games), "deck_rating").to_pylist()
    assert [row["rating"] for row in found] == pytest.approx([0, 0], abs=1e-6) and found[0]["high"] > 0


def test_intervals_cover_the_truth_and_a_card_without_text_gets_nothing(tmp_path: Path) -> None:
    """A short run of `python -m tests.replays.stats.coverage`: 252 worlds of 200 games; 95 % ± three deviations."""
    made = made_up(252, 200, 7, tmp_path)
    for name, share in covered(made).items():
        worlds = 252 // (3 if "%" in name else 1)
        assert abs(share - 0.95) <= 3 * (0.95 * 0.05 / worlds) ** 0.5, (name, share)
    effects = metric(made, "draw_effect").to_pylist()
    blank = [row["effect"] for row in effects if row["code"] == "blank"]
    strong = [row["effect"] for row in effects if row["code"] == "strong"]
    assert abs(np.mean(blank)) < 0.015 and abs(np.mean(strong) - EFFECT) < 0.015


def test_intervals_of_pairs_cover_the_truth(tmp_path: Path) -> None:
    for name, share in covered_pairs(made_up(40, 1000, 5, tmp_path, pairs=True)).items():
        assert share >= 0.95 - 3 * (0.95 * 0.05 / 40) ** 0.5, (name, share)
