"""A few of the games that `python -m tests.soak` plays in thousands."""

from __future__ import annotations

import pytest

from engine.rulebooks import registry
from tests.soak import check


@pytest.mark.parametrize("key", registry.GAMES)
@pytest.mark.parametrize("seed", range(24))
def test_a_random_game_ends_folds_and_verifies(key: str, seed: int) -> None:
    reason, decisions, turns, winner = check(key, seed, "random")
    assert reason in registry.load(key).rulebook.reasons and decisions > 5 and turns > 1
    assert winner in (0, 1, None)


@pytest.mark.parametrize("key", registry.GAMES)
def test_greedy_games_end_fold_and_verify(key: str) -> None:
    reasons = {check(key, seed, "greedy")[0] for seed in range(6)}
    assert reasons and "error" not in reasons
