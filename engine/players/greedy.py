"""The greedy player: looks one own decision ahead and takes what the game's valuation likes best.

What its seat does not see is dealt anew before it tries anything (`Observation.imagine`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from engine.core.match import Match
from engine.core.rules import MAX_LOG_ODDS
from engine.players.observation import Observation
from events.actions import AnyAction, Choose, Pass

FAR_ENOUGH = 12
"""Answers that a try goes on for after the decision, passing where it can, to see what comes of it."""

TIE = 1e-6
"""Log odds within which two actions are worth the same."""


def player(seed: int) -> Callable[[Observation], AnyAction]:
    """A greedy player; ties are broken at random from the seed."""
    random = Random(seed)
    return lambda observation: decide(observation, random)


def decide(observation: Observation, random: Random) -> AnyAction:
    """The best action for the asked seat."""
    actions = observation.legal
    if len(actions) == 1:
        return actions[0]
    imagined = observation.imagine(random)
    best, most = actions[0], float("-inf")
    for action in actions:
        trial = imagined if action is actions[-1] else imagined.fork()
        trial.carry_out(action)
        settle(trial)
        value = worth(trial, observation.seat) + random.random() * TIE
        if value > most:
            best, most = action, value
    return best


def after_best(match: Match, actions: Sequence[AnyAction]) -> Match:
    """The match after the action that is best for the asked seat if it sees all of it; the first of equals."""
    asked = match.state.asked
    assert asked is not None
    best, most, after = actions[0], float("-inf"), None
    for action in actions:
        trial = match.fork()
        trial.carry_out(action)
        decided = trial.state.seq
        settle(trial)
        value = worth(trial, asked.seat)
        if value > most:
            best, most, after = action, value, trial if trial.state.seq == decided else None
    if after is None:
        after = match
        after.carry_out(best)
    return after


def worth(trial: Match, seat: int) -> float:
    """What the position is worth to the seat, in log odds of winning."""
    result = trial.state.result
    if result is not None:
        return 0.0 if result.winner is None else MAX_LOG_ODDS if result.winner == seat else -MAX_LOG_ODDS
    return trial.game.evaluate(trial, seat)


def settle(trial: Match) -> None:
    """Lets what was begun play out: everybody passes, or takes the first option, until it has or the turn ends."""
    turn = trial.state.turn
    for _ in range(FAR_ENOUGH):
        asked = trial.state.asked
        if asked is None or trial.state.turn != turn or quiet(trial):
            break
        trial.carry_out(Pass() if not asked.options or asked.optional else Choose(asked.options[0]))


def quiet(match: Match) -> bool:
    """Whether the question belongs to nothing that was begun before."""
    asked = match.state.asked
    assert asked is not None
    return not match.state.stack and (not asked.options or asked.question in match.game.turn_questions)
