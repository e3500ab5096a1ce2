"""The searching player: plays out what may lie hidden, so many simulations a decision.

A simulation deals anew what the seat does not see (`Observation.imagine`), takes an action, goes on to the end of the
turn as greedy would, for both seats, and judges the position by its win chance. All actions are tried on the same
deals with the same random outcomes to come, which halves the variance of the difference between two of them.

Simulations are spent by sequential halving (Karnin, Koren and Somekh 2013): in every round all actions that are left
get as many, and the better half is left.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import to_builtins

from engine.core.match import Match
from engine.players.greedy import after_best, quiet, settle
from engine.players.observation import Observation
from events.actions import AnyAction, Pass

SIMULATIONS = 64
"""Simulations a decision where the player's name does not say it."""

MAX_SIMULATIONS = 1_000_000

DECISIONS_A_TURN = 12
"""Decisions that a simulation plays in a turn, at most."""


def player(seed: int, setting: str = str(SIMULATIONS)) -> Callable[[Observation], AnyAction]:
    """A searching player; `setting`: how many simulations a decision. Raises ValueError."""
    if not (setting.isdecimal() and 1 <= int(setting) <= MAX_SIMULATIONS):
        raise ValueError(f"{setting!r} is no number of simulations from 1 to {MAX_SIMULATIONS}")
    return Searching(seed, int(setting))


class _Tried:
    """An action and what came of it so far."""

    __slots__ = ("action", "total", "visits")

    def __init__(self, action: AnyAction) -> None:
        self.action, self.visits, self.total = action, 0, 0.0

    @property
    def chance(self) -> float:
        """The mean win chance."""
        return self.total / self.visits


class Searching:
    """A searching player with so many simulations a decision; more where an action would have none in a round."""

    def __init__(self, seed: int, simulations: int) -> None:
        self._random, self._simulations = Random(seed), simulations
        self.remark: dict[str, Any] = {}
        """what the last decision was based on: for each action how often it was tried, and its win chance"""

    def __call__(self, observation: Observation) -> AnyAction:
        """The action with the best mean win chance of those that were not left out before."""
        actions = observation.legal
        if len(actions) == 1:
            self.remark = {}
            return actions[0]
        tried = [_Tried(action) for action in actions]
        best = _best(observation, tried, self._random, self._simulations)
        self.remark = {"actions": [
            {"action": to_builtins(one.action), "visits": one.visits, "chance": round(one.chance, 4)} for one in tried
        ]}
        return best.action


def _best(observation: Observation, tried: list[_Tried], random: Random, simulations: int) -> _Tried:
    """The best of these actions by sequential halving."""
    left = tried
    rounds = (len(tried) - 1).bit_length()
    for _ in range(rounds):
        for _ in range(max(1, simulations // (rounds * len(left)))):
            imagined = observation.imagine(random)
            for one in left:
                one.visits += 1
                one.total += _simulate(imagined.fork(), one.action, observation.seat)
        left = sorted(left, key=lambda one: one.chance, reverse=True)[: (len(left) + 1) // 2]
    return left[0]


def _simulate(trial: Match, action: AnyAction, seat: int) -> float:
    """The win chance of `seat` after the action and the rest of the turn."""
    turns = trial.game.foresight + 1
    beyond = trial.state.turn + turns
    trial.carry_out(action)
    for _ in range(turns * DECISIONS_A_TURN):
        asked = trial.state.asked
        if asked is None or trial.state.turn >= beyond:
            break
        actions = trial.legal()
        if asked.options and quiet(trial):
            trial.carry_out(Pass())
        elif len(actions) == 1:
            trial.carry_out(actions[0])
        else:
            trial = after_best(trial, actions)
    if trial.state.turn < beyond:
        settle(trial)
    result = trial.state.result
    if result is not None:
        return 0.5 if result.winner is None else float(result.winner == seat)
    return trial.game.win_chance(trial, seat)
