"""Fitting what a position is worth: what is learnt, from which positions, and how it is told."""

from __future__ import annotations

import json
import sys
import tomllib
from math import exp
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from engine.core.rules import MAX_LOG_ODDS, logistic
from engine.rulebooks import registry
from events.game import GameLog
from events.kinds import GameEnded
from replays.play import fit as module
from replays.play.fit import FitError, Position, Tenth, calibration, calibration_svg, fit, positions
from tests.play import begin, play
from tests.replays.cli.conftest import Run, run

__all__ = ["run"]


def log_of(key: str, seed: int) -> GameLog:
    match = begin(seed, key)
    return GameLog(match.game.rulebook, match.game.card_sets, play(match, seed))


def drawn(weights: list[float], n: int, seed: int = 1) -> list[Position]:
    """Positions that are won as often as these weights say, by features that are drawn at random."""
    random = Random(seed)
    found = []
    for _ in range(n):
        features = [random.gauss(0, 1 + at) for at in range(len(weights))]
        odds = sum(w * f for w, f in zip(weights, features, strict=True))
        active = random.random() < 0.5
        found.append(Position(features, active, random.random() < logistic(odds + (0.8 if active else -0.8))))
    return found


def test_the_weights_that_games_were_won_by_are_found_whoever_is_active() -> None:
    assert module._regress(drawn([0.5, 1.0, 0.1], 8000), 3) == pytest.approx([0.5, 1.0, 0.1], abs=0.06)


def test_a_feature_that_comes_out_as_bad_has_no_weight() -> None:
    found = module._regress(drawn([0.5, -0.4, 0.2], 4000), 3)
    assert found[1] == 0 and found[0] > 0.3 and found[2] > 0.1


def test_a_feature_that_is_the_same_everywhere_has_no_weight() -> None:
    taken = [Position([*one.features, 3.0], one.active, one.won) for one in drawn([0.5], 500)]
    assert module._regress(taken, 2)[1] == 0


@pytest.mark.parametrize("key", registry.GAMES)
def test_positions_are_of_both_seats_one_of_which_wins_and_the_same_each_time(key: str) -> None:
    game, log = registry.load(key), log_of(key, 4)
    found = positions(game, log, 3)
    end = next(e for e in log.events if isinstance(e, GameEnded))
    assert len(found) == 6
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert (one.won, other.won) == (end.winner == 0, end.winner == 1)
        assert one.active != other.active
        assert len(one.features) == len(game.feature_names)
    assert found == positions(game, log, 3)
    assert len(positions(game, log, 10_000)) > 20


def test_nothing_is_learnt_from_games_that_nobody_won_or_of_other_cards() -> None:
    log = log_of("liveon", 4)
    log.events[-1] = GameEnded(None, "turn_limit")
    assert positions(registry.load("liveon"), log, 3) == []
    assert positions(registry.load("xcard"), log_of("liveon", 4), 3) == []


def test_few_games_are_a_sentence() -> None:
    with pytest.raises(FitError, match="there are 2 games to learn from that somebody won; at least 50 are needed"):
        fit(registry.load("monbattle"), [log_of("monbattle", n) for n in (1, 2)], 3)


def test_calibration_is_by_tenths_and_counts_every_position() -> None:
    taken = drawn([0.5, 1.0], 5000)
    rows = calibration([0.5, 1.0], [Position(one.features, one.active, one.won) for one in taken])
    assert [row.least for row in rows] == [n / 10 for n in range(10)]
    assert sum(row.n for row in rows) == 5000
    for row in rows:
        assert row.least <= row.predicted <= row.least + 0.1
        assert row.actual == pytest.approx(row.predicted, abs=0.12)


@pytest.mark.parametrize("key", registry.GAMES)
def test_shipped_weights_are_of_the_features_and_none_is_bad(key: str) -> None:
    game = registry.load(key)
    given = tomllib.loads((game.folder / "evaluation.toml").read_text(encoding="utf-8"))["weights"]
    assert list(given) == list(game.feature_names)
    assert min(given.values()) >= 0 and max(given.values()) > 0.1


@pytest.mark.parametrize("log_odds", [-1e9, -30.0, -3.0, -0.1, 0.0, 0.7, 5.0, 30.0, 1e9])
def test_a_chance_by_arithmetic_alone_is_that_of_the_exponential(log_odds: float) -> None:
    kept = max(-MAX_LOG_ODDS, min(MAX_LOG_ODDS, log_odds))
    assert logistic(log_odds) == pytest.approx(1 / (1 + exp(-kept)), abs=1e-6)


def test_the_picture_has_a_dot_for_each_tenth() -> None:
    rows = [Tenth(n / 10, n / 10 + 0.05, n / 10, n + 1) for n in range(10)]
    drawing = ElementTree.fromstring(calibration_svg(registry.load("xcard"), rows))
    dots = drawing.findall(".//{*}circle")
    assert len(dots) == 10
    assert [float(dot.get("cx") or 0) for dot in dots] == sorted(float(dot.get("cx") or 0) for dot in dots)


def test_the_command_writes_weights_and_prints_how_they_predict(run: Run, tmp_path: Path) -> None:
    assert run("simulate", "monbattle", "-n", "60", "--players", "random", "--jobs", "1")[0] == 0
    to, svg = tmp_path / "weights.toml", tmp_path / "calibration.svg"
    code, out, said = run("fit", "monbattle", "--to", to, "--svg", svg, "--per-game", "5", "--format", "json")
    assert code == 0, said
    rows = json.loads(out)
    assert sum(row["n"] for row in rows) == 2 * 5 * 60 / module.HELD_OUT
    assert set(rows[0]) == {"least", "predicted", "actual", "n"}
    assert list(tomllib.loads(to.read_text())["weights"]) == list(registry.load("monbattle").feature_names)
    assert ElementTree.fromstring(svg.read_text()).findall(".//{*}circle")


def test_without_scikit_learn_the_command_says_what_to_install(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("simulate", "monbattle", "-n", "60", "--players", "random", "--jobs", "1")[0] == 0
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    code, out, said = run("fit", "monbattle", "--to", tmp_path / "weights.toml")
    assert code == 2 and out == "" and "pip install 'cardfold[fit]'" in said
    assert not (tmp_path / "weights.toml").exists()
