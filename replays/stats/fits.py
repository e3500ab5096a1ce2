"""What is fitted and not only counted: shrunk effects, corrections for many looks, ratings. The only module with scipy.

Each takes the rows of a metric's statement as an Arrow table and gives the table that people see. Groups are the games
of the list of games: nothing is compared across them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import log
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.optimize import minimize
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, ndtr, ndtri
from scipy.stats import false_discovery_control

_Z = float(ndtri(0.975))
ELO = 400 / log(10)
"""Elo points of a unit of log-odds."""

CERTAIN = 0.05
"""Share of false discoveries among what is marked."""


def effects(table: pa.Table) -> pa.Table:
    """Effects with their standard `deviation`: shrunk ones, what many looks leave of them, sorted by the shrunk.

    `shrunk` towards 0 by the spread of true effects in the game (empirical Bayes; DerSimonian and Laird 1986). `q`: the
    share of false discoveries if this and all that are clearer are called effects (Benjamini and Hochberg 1995);
    `certain` where it is below 5 %. Ranks stand in the order of the rows.
    """
    effect, deviation = _floats(table, "effect"), _floats(table, "deviation")
    shrunk, q = np.full(len(effect), np.nan), np.full(len(effect), np.nan)
    games = np.array(table.column("game").to_pylist(), dtype=object)
    for game in dict.fromkeys(games):
        known = (games == game) & ~np.isnan(effect) & ~np.isnan(deviation)
        if known.any():
            variance = deviation[known] ** 2
            spread = between_variance(effect[known], variance)
            shrunk[known] = effect[known] * spread / (spread + variance)
            q[known] = false_discovery_control(2 * ndtr(-np.abs(effect[known]) / deviation[known]))
    certain = [None if np.isnan(value) else bool(value < CERTAIN) for value in q]
    found = _with(table.drop(["deviation"]), "high", {
        "shrunk": _column(shrunk), "q": _column(q), "certain": pa.array(certain, pa.bool_()),
        "thin": pa.array([None if np.isnan(d) else bool(_Z * d > 0.05) for d in deviation], pa.bool_()),
    })
    order = sorted(range(len(effect)), key=lambda n: (str(games[n]), *_falling(shrunk[n]), *_falling(effect[n])))
    return found.take(pa.array(order, pa.int64()))


def between_variance(effect: np.ndarray, variance: np.ndarray) -> float:
    """The variance of true effects behind estimates of these variances (DerSimonian and Laird 1986, moments)."""
    weight = 1 / variance
    if len(effect) < 2:
        return 0.0
    mean = (weight * effect).sum() / weight.sum()
    excess = (weight * (effect - mean) ** 2).sum() - (len(effect) - 1)
    return max(0.0, float(excess / (weight.sum() - (weight**2).sum() / weight.sum())))


def interactions(early: pa.Table) -> pa.Table:
    """Of each pair of cards of a deck the interaction of both, with its interval.

    `early` says of each `game`, `deck`, `code` and `x` (early copies of the card, less what chance gives) in which
    `games` of the deck it was so. These are numbered from 0 in the order of their results above the deck's mean;
    `results` says how many `games` there were of each, `r`. The model is least squares on 1, x, y and xy, the variance
    HC3 (MacKinnon and White 1985), which does not take a few games for more than they are. A pair of which not all four
    terms can be told apart has no effect.
    """
    names = list(zip(*(early.column(name).to_pylist() for name in ("game", "deck")), strict=True))
    code, x = np.array(early.column("code").to_pylist(), dtype=object), _floats(early, "x")
    pairs: list[tuple[str, ...]] = []
    found: list[np.ndarray] = []
    for name in dict.fromkeys(names):
        mine = [n for n, other in enumerate(names) if other == name]
        cells = _met(early.take(mine))
        one, other = np.nonzero((cells[0] > 0) & (code[mine][:, None] < code[mine][None, :]))
        of_cell = list(zip(code[mine][one], code[mine][other], strict=True))
        place = {pair: len(pairs) + n for n, pair in enumerate(dict.fromkeys(of_cell))}
        pairs += [(*name, *pair) for pair in place]
        pair = [place[both] for both in of_cell]
        found.append(np.stack([pair, x[mine][one], x[mine][other], *cells[:, one, other]]))
    cells = np.concatenate([np.zeros((6, 0)), *found], axis=1)
    games, effect, deviation = _fitted_pairs(len(pairs), cells[0].astype(int), *cells[1:])
    return effects(pa.table({
        **{name: pa.array([key[n] for key in pairs], pa.string()) for n, name in enumerate(_PAIR)},
        "games": pa.array(games.astype(int), pa.int64()), "effect": _column(effect),
        "low": _column(effect - _Z * deviation), "high": _column(effect + _Z * deviation),
        "deviation": _column(deviation),
    }))


def _met(early: pa.Table) -> np.ndarray:
    """Of each two rows of one deck: in how many games both were, and Σr and Σr² over these."""
    results = early.column("results")[0].as_py()
    games = early.column("games").combine_chunks()
    flat, ends = games.flatten().to_numpy(), games.offsets.to_numpy() - games.offsets[0].as_py()
    lay = np.zeros((len(early), sum(some["games"] for some in results)), np.float32)  # holds whole numbers to 2^24
    lay[np.repeat(np.arange(len(early)), np.diff(ends)), flat] = 1
    met = np.zeros((3, len(early), len(early)))
    begin = 0
    for some in results:
        with_it = lay[:, begin : begin + some["games"]]
        begin += some["games"]
        both = with_it @ with_it.T
        met += np.array([1, some["r"], some["r"] ** 2])[:, None, None] * both
    return met


def _fitted_pairs(
    pairs: int, pair: np.ndarray, x: np.ndarray, y: np.ndarray, games: np.ndarray, r: np.ndarray, rr: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Games, interaction and standard deviation of so many pairs.

    Given is of each x and y that a `pair` had how many `games` there were, and the sums over them of the result and of
    its square.
    """
    terms = np.stack([np.ones(len(x)), x, y, x * y], axis=1)
    outer = terms[:, :, None] * terms[:, None, :]

    def summed(of_cell: np.ndarray) -> np.ndarray:
        found = np.zeros((pairs, *of_cell.shape[1:]))
        np.add.at(found, pair, of_cell)
        return found

    squares = summed(games[:, None, None] * outer)
    known = np.linalg.matrix_rank(squares, hermitian=True, tol=1e-6) == 4
    inverse = np.full(squares.shape, np.nan)
    inverse[known] = np.linalg.inv(squares[known])
    fitted = np.einsum("pij,pj->pi", inverse, summed(r[:, None] * terms))
    told = (fitted[pair] * terms).sum(axis=1)
    kept = np.clip(1 - (outer * inverse[pair]).sum(axis=(1, 2)), 1e-12, None)  # by how much a game fails to fit itself
    off = (rr - 2 * told * r + games * told**2) / kept**2
    variance = (inverse @ summed(off[:, None, None] * outer) @ inverse)[:, 3, 3]
    return summed(games), fitted[:, 3], np.sqrt(np.where(variance > 1e-12, variance, np.nan))


_PAIR = ("game", "deck", "code", "other_code")
"""What a pair of cards is known by."""


def rated_by_pairs(table: pa.Table, who: str) -> pa.Table:
    """Pairs that met (`one`, `other`, `games`, `won` by one) as ratings of each `who`, the strongest first.

    A rating is missing where the results do not say it: of who has never won or never lost against the others, or never
    met them. Of groups that are so set apart the one with the most games is rated.
    """
    rows: list[dict[str, object]] = []
    pairs = table.to_pylist()
    for game in dict.fromkeys(pair["game"] for pair in pairs):
        mine = [pair for pair in pairs if pair["game"] == game]
        names = sorted({pair[end] for pair in mine for end in ("one", "other")})
        place = {name: n for n, name in enumerate(names)}
        one = np.array([place[pair["one"]] for pair in mine])
        other = np.array([place[pair["other"]] for pair in mine])
        games = np.array([pair["games"] for pair in mine], float)
        won = np.array([pair["won"] for pair in mine], float)
        points, deviation = strengths(one, other, games, won, len(names))
        played = np.bincount(one, games, len(names)) + np.bincount(other, games, len(names))
        for n in sorted(range(len(names)), key=lambda n: (*_falling(points[n]), names[n])):
            half = _Z * deviation[n]
            known = not np.isnan(points[n])
            rows.append({
                "game": game, who: names[n], "games": int(played[n]), "rating": points[n] if known else None,
                "low": points[n] - half if known else None, "high": points[n] + half if known else None,
            })
    return pa.Table.from_pylist(rows, pa.schema([
        ("game", pa.string()), (who, pa.string()), ("games", pa.int64()), ("rating", pa.float64()),
        ("low", pa.float64()), ("high", pa.float64()),
    ]))


def strengths(
    one: np.ndarray, other: np.ndarray, games: np.ndarray, won: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Strengths of n in Elo points, with mean 0, and their standard deviations; NaN for who cannot be rated.

    Of each pair: who they are, how many games they had, how many `one` won (a draw is half).
    """
    points, deviation = np.full(n, np.nan), np.full(n, np.nan)
    rated = _comparable(one, other, games, won, n)
    inside = rated[one] & rated[other]
    if inside.any():
        place = np.cumsum(rated) - 1
        a, b = place[one[inside]], place[other[inside]]
        strength, covariance = _fit(a, b, games[inside], won[inside], int(rated.sum()))
        points[rated], deviation[rated] = ELO * strength, ELO * np.sqrt(np.diag(covariance))
    return points, deviation


def _comparable(one: np.ndarray, other: np.ndarray, games: np.ndarray, won: np.ndarray, n: int) -> np.ndarray:
    """Which of n are rated: the largest group in which everybody has beaten everybody, over others at least."""
    beat = [(a, b) for a, b, g, w in zip(one, other, games, won, strict=True) if w > 0]
    beat += [(b, a) for a, b, g, w in zip(one, other, games, won, strict=True) if w < g]
    if not beat:
        return np.zeros(n, bool)
    edges = np.array(beat)
    graph = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), (n, n))
    group = connected_components(graph, directed=True, connection="strong")[1]
    played = np.bincount(group[one], games * (group[one] == group[other]), group.max() + 1)
    return np.asarray((group == played.argmax()) & (played.max() > 0))


def _fit(
    one: np.ndarray, other: np.ndarray, games: np.ndarray, won: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray]:
    def loss(strength: np.ndarray) -> tuple[float, np.ndarray]:
        gap = strength[one] - strength[other]
        off = games * expit(gap) - won
        slope = np.bincount(one, off, n) - np.bincount(other, off, n)
        return float((games * np.logaddexp(0, gap) - won * gap).sum()), slope

    def curvature(strength: np.ndarray) -> np.ndarray:
        p = expit(strength[one] - strength[other])
        found = np.zeros((n, n))
        weight = games * p * (1 - p)
        np.add.at(found, (one, one), weight)
        np.add.at(found, (other, other), weight)
        np.add.at(found, (one, other), -weight)
        np.add.at(found, (other, one), -weight)
        return found

    found = minimize(loss, np.zeros(n), jac=True, hess=curvature, method="trust-exact", options={"gtol": 1e-9})
    strength = found.x - found.x.mean()
    return strength, np.linalg.pinv(curvature(strength), hermitian=True)


FITS: dict[str, Callable[[pa.Table], pa.Table]] = {
    "draw_effect": effects,
    "pair_effect": interactions,
    "deck_rating": partial(rated_by_pairs, who="deck"),
    "player_rating": partial(rated_by_pairs, who="player"),
}
"""Metric -> what is fitted to its rows."""


def _floats(table: pa.Table, name: str) -> np.ndarray:
    return np.array([np.nan if value is None else value for value in table.column(name).to_pylist()], float)


def _column(values: np.ndarray) -> pa.Array:
    return pa.array(values, pa.float64(), from_pandas=True)


def _falling(value: Any) -> tuple[bool, float]:
    """Sorts large values first, missing ones last."""
    return (True, 0.0) if np.isnan(value) else (False, -value)


def _with(table: pa.Table, after: str, columns: dict[str, pa.Array]) -> pa.Table:
    at = table.column_names.index(after) + 1
    for n, (name, column) in enumerate(columns.items()):
        table = table.add_column(at + n, name, column)
    return table
