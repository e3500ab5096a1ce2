"""Fitting what a position is worth: the weights of a rulebook's features by logistic regression over games played.

Positions are taken where a phase has just begun, and each is seen from both seats. Whose turn it is, is reckoned out:
it is the same after all that a player could do but ending the turn, which is to be worth nothing by itself. Every
feature is good to have, so one that comes out as bad (by chance, or since it goes along with something else) is left
out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from msgspec import Struct

from engine.core.match import Match
from engine.core.rules import logistic
from engine.fold import empty_state, fold
from engine.rulebooks.rulebook import Rulebook
from engine.state import State, copy
from events.errors import CardfoldError
from events.game import GameLog
from events.kinds import Asked, GameEnded

HELD_OUT = 5
"""Of so many games one is kept for the calibration."""

LEAST_GAMES = 50


class FitError(CardfoldError):
    """Nothing can be fitted; the message is a sentence."""


class Position(Struct, frozen=True):
    """One position as one seat sees it: its features, whether that seat is the active one, whether it won."""

    features: Sequence[float]
    active: bool
    won: bool


class Tenth(Struct, frozen=True):
    """Positions of the games held out whose win chance was said to lie in one tenth: the mean of what was said, the
    share that was won, and how many there are.
    """

    least: float
    predicted: float
    actual: float
    n: int


def fit(
    game: Rulebook, logs: Iterable[GameLog], per_game: int, done: Callable[[], None] = lambda: None
) -> tuple[dict[str, float], list[Tenth]]:
    """The weights by feature, and how they predict games that they were not fitted on. Raises FitError."""
    kept: list[list[Position]] = []
    for log in logs:
        taken = positions(game, log, per_game)
        done()
        if taken:
            kept.append(taken)
    if len(kept) < LEAST_GAMES:
        raise FitError(f"Of {game.key} there are {len(kept)} games to learn from that somebody won; "
                       f"at least {LEAST_GAMES} are needed: cardfold simulate {game.key} -n 1000.")
    apart = kept[::HELD_OUT]
    learnt = [one for n, taken in enumerate(kept) if n % HELD_OUT for one in taken]
    weights = _regress(learnt, len(game.feature_names))
    return dict(zip(game.feature_names, weights, strict=True)), calibration(weights, [p for g in apart for p in g])


def positions(game: Rulebook, log: GameLog, per_game: int) -> list[Position]:
    """So many positions of a game, each from both seats, taken at random by its id; none where nobody won, or where it
    was played by other rules or cards.
    """
    header, end = log.header, next((e for e in log.events if isinstance(e, GameEnded)), None)
    if end is None or end.winner is None or (header.rulebook, header.card_sets) != game.editions:
        return []
    states = list(_beginnings(game, log))
    found = []
    for state in Random(header.id).sample(states, min(per_game, len(states))):
        match = Match(game, replace(state, asked=None))
        for seat in (0, 1):
            found.append(Position(game.features(match, seat), seat == state.active, seat == end.winner))
    return found


def _beginnings(game: Rulebook, log: GameLog) -> Iterator[State]:
    """The table at the first free question of each phase that the game fits by."""
    state, last = empty_state(game.declared), ""
    for event in log.events:
        fold(state, event, game.declared)
        if state.turn and isinstance(event, Asked) and not event.options:
            now = f"{state.turn} {state.phase} {state.phase_seat}"
            if now != last and (not game.fitted_phases or state.phase in game.fitted_phases):
                yield copy(state)
            last = now


def _regress(learnt: Sequence[Position], width: int) -> list[float]:
    """The weights, rounded to what is written; features whose weight would be below 0 have none."""
    try:
        import numpy as np
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise FitError("Fitting needs scikit-learn: pip install 'cardfold[fit]'.") from None
    table = np.array([[*one.features, 1.0 if one.active else -1.0] for one in learnt])
    scale = np.maximum(table.std(axis=0), 1e-9)
    won = np.array([one.won for one in learnt])
    used: list[int] = [n for n in range(width) if scale[n] > 1e-6]
    while True:
        columns = [*used, width]
        model: Any = LogisticRegression(fit_intercept=False, max_iter=1000)
        found = model.fit(table[:, columns] / scale[columns], won).coef_[0] / scale[columns]
        bad = [(weight, n) for weight, n in zip(found, used, strict=False) if weight < 0]
        if not bad:
            break
        used.remove(min((weight * scale[n], n) for weight, n in bad)[1])
    by_feature = dict(zip(used, found, strict=False))
    return [round(float(by_feature.get(n, 0.0)), 4) for n in range(width)]


def calibration(weights: Sequence[float], seen: Iterable[Position]) -> list[Tenth]:
    """What was predicted of these positions against what came of them, by tenths of the win chance."""
    tenths: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
    for one in seen:
        chance = logistic(sum(w * f for w, f in zip(weights, one.features, strict=True)))
        tenths[min(9, int(10 * chance))].append((chance, one.won))
    return [
        Tenth(n / 10, sum(c for c, _ in held) / len(held), sum(won for _, won in held) / len(held), len(held))
        for n, held in enumerate(tenths) if held
    ]


def as_toml(game: Rulebook, weights: dict[str, float], games: int) -> str:
    """The weights as `evaluation.toml` has them."""
    lines = "".join(f"{name} = {weight}\n" for name, weight in weights.items())
    return (f"# What each feature adds to the log odds of winning (evaluation.py says what it counts).\n"
            f"# Made by cardfold fit {game.key} from {games} games.\n[weights]\n{lines}")


def calibration_svg(game: Rulebook, tenths: Sequence[Tenth]) -> str:
    """The calibration as an SVG picture: a dot for each tenth, as large as it has positions, on the line of truth."""
    most = max([one.n for one in tenths], default=1)
    dots = "".join(
        f'<circle cx="{_x(one.predicted)}" cy="{_y(one.actual)}" r="{2 + 6 * (one.n / most) ** 0.5:.1f}"/>'
        for one in tenths
    )
    marks = "".join(
        f'<text x="{_x(n / 5)}" y="236">{20 * n}</text><text x="30" y="{_y(n / 5) + 4}">{20 * n}</text>'
        for n in range(6)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 260 270" width="260" height="270">'
        '<rect width="260" height="270" fill="#fff"/><rect x="40" y="20" width="200" height="200" fill="none" '
        'stroke="#999"/><path d="M40 220L240 20" stroke="#999" stroke-dasharray="4"/>'
        f'<g fill="#2563a8">{dots}</g><g font-family="sans-serif" font-size="10" text-anchor="middle" fill="#333">'
        f'{marks}<text x="140" y="14">{game.key}</text><text x="140" y="254">predicted win chance, %</text>'
        '<text x="12" y="120" transform="rotate(-90 12 120)">games won, %</text></g></svg>\n'
    )


def _x(share: float) -> float:
    return round(40 + 200 * share, 1)


def _y(share: float) -> float:
    return round(220 - 200 * share, 1)
