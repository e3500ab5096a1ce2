"""The searching player: flat Monte Carlo over what may lie hidden, so many simulations a decision.

A simulation deals anew what the seat does not see (`Observation.imagine`) and tries every action on the same deal with
the same random numbers, which halves the variance of the difference between two actions. After the action come a few
random decisions of both seats, then passes until the position is quiet, and then its worth as a win chance.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import to_builtins

from engine.core.match import Match
from engine.players.greedy import settle
from engine.players.observation import Observation
from events.actions import AnyAction

SIMULATIONS = 64
"""Simulations a decision where the player's name does not say it."""

MAX_SIMULATIONS = 1_000_000

RANDOM_DECISIONS = 4
"""Decisions at random after the action that is tried."""


def player(seed: int, setting: str = str(SIMULATIONS)) -> Callable[[Observation], AnyAction]:
    """A searching player; `setting`: how many simulations a decision. Raises ValueError."""
    if not (setting.isdecimal() and 1 <= int(setting) <= MAX_SIMULATIONS):
        raise ValueError(f"{setting!r} is no number of simulations from 1 to {MAX_SIMULATIONS}")
    return Searching(seed, int(setting))


class Searching:
    """A searching player with so many simulations a decision."""

    def __init__(self, seed: int, simulations: int) -> None:
        self._random, self._simulations = Random(seed), simulations
        self.remark: dict[str, Any] = {}
        """what the last decision was based on: for each action how often it was looked at, and its win chance"""

    def __call__(self, observation: Observation) -> AnyAction:
        """The action with the best mean win chance over the simulations."""
        actions = observation.legal
        if len(actions) == 1:
            self.remark = {}
            return actions[0]
        chances = _chances(observation, self._random, self._simulations)
        self.remark = {"actions": [
            {"action": to_builtins(action), "visits": self._simulations, "chance": round(chance, 4)}
            for action, chance in zip(actions, chances, strict=True)
        ]}
        return actions[max(range(len(actions)), key=chances.__getitem__)]


def _chances(observation: Observation, random: Random, simulations: int) -> list[float]:
    """The mean win chance of each legal action."""
    actions = observation.legal
    chances = [0.0] * len(actions)
    for _ in range(simulations):
        imagined = observation.imagine(random)
        seed = random.getrandbits(63)
        for n, action in enumerate(actions):
            chances[n] += _simulate(imagined.fork(), action, observation.seat, Random(seed))
    return [chance / simulations for chance in chances]


def _simulate(trial: Match, action: AnyAction, seat: int, random: Random) -> float:
    """The win chance of `seat` after the action, some random decisions and what comes of them."""
    trial.carry_out(action)
    for _ in range(RANDOM_DECISIONS):
        if trial.state.asked is None:
            break
        trial.carry_out(random.choice(trial.legal()))
    settle(trial)
    result = trial.state.result
    if result is not None:
        return 0.5 if result.winner is None else float(result.winner == seat)
    return trial.game.win_chance(trial, seat)
