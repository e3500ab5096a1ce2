"""How strong players are: every one against every other, and their ratings.

Each deal is played twice, with the players' seats swapped, on the same decks and from the same seed; every pair of
players gets the same deals. What was played is kept line by line: a ladder that was stopped goes on where it stopped.

Ratings are those of Bradley and Terry (1952), found by the iteration of Hunter (2004, MM algorithms for generalized
Bradley-Terry models), on the scale of Elo: 400 points are odds of 10 to 1, the mean is 0. Intervals come from drawing
deals again (bootstrap), so that the two games of a deal count as what they are: one piece of evidence. They are drawn
from those played and two more, one won and one lost twice, as Agresti and Coull (1998) add them: else all games won
would seem to be certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from itertools import combinations
from math import log10
from pathlib import Path
from random import Random
from typing import TypeAlias

import msgspec
from msgspec import Struct, structs

from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from events.kinds import GameEnded
from replays import workers
from replays.play.simulate import Plan, PlanError, Stopped, check, header_and_players, plan_key, play_game
from replays.store.library import Library

DRAWN_AGAIN = 400
"""How often deals are drawn again for the intervals."""

ROUNDS = 200
"""Rounds of the iteration, at most."""

CLOSE_ENOUGH = 1e-6

Pair: TypeAlias = tuple[str, str]


class Deal(Struct, frozen=True, array_like=True):
    """One deal between two players: the points of the first one in its two games (1 a win, ½ a draw), None where a
    game ended by an error.
    """

    players: Pair
    number: int
    points: tuple[float | None, float | None] = (None, None)


class Rating(Struct, frozen=True):
    """A player's rating in Elo points, with the bounds of its 95 % interval."""

    player: str
    rating: float
    low: float
    high: float
    games: int
    score: float
    """share of the points"""


class Score(Struct, frozen=True):
    """What a player made against another one: share of the points, with the bounds of its 95 % interval."""

    player: str
    against: str
    games: int
    wins: int
    draws: int
    share: float
    low: float
    high: float


class _Work(Struct):
    plan: Plan
    folders: tuple[Path, ...]

    def play(self, deal: Deal, step: workers.Step) -> Deal:
        """Plays the two games of a deal, with a step after each."""
        game = registry.load(self.plan.game, self.folders)
        found: list[float | None] = []
        for first in (0, 1):
            kinds = (deal.players[first], deal.players[1 - first])
            plan = structs.replace(self.plan, player_kinds=kinds)
            end = play_game(game, *header_and_players(plan, game, deal.number))[-1]
            assert isinstance(end, GameEnded)
            found.append(None if end.reason == "error" else 0.5 if end.winner is None else float(end.winner == first))
            step()
        return structs.replace(deal, points=(found[0], found[1]))


def ladder(
    plan: Plan,
    players: Sequence[str],
    library: Library,
    *,
    jobs: int | None = None,
    folders: tuple[Path, ...] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
    stop: Callable[[], bool] | None = None,
    run: workers.Runner = workers.run_work,
) -> list[Deal]:
    """Plays every pair of these players against each other, `plan.count` games a pair; the plan's own players do not
    count. What has been played is kept in the library until all is. Raises PlanError, PlayerError, Stopped.
    """
    game = registry.load(plan.game, folders)
    _check(plan, players, game)
    spread = list(plan.decks)
    Random(plan.seed).shuffle(spread)  # so that few deals, too, are of many decks
    plan = structs.replace(plan, decks=tuple(spread))
    wanted = [Deal(pair, n) for n in range(plan.count // 2) for pair in combinations(players, 2)]
    library.making.mkdir(parents=True, exist_ok=True)
    file = library.making / f"{plan_key(plan, game)}.ladder.jsonl"
    played = _kept(file)
    missing = [deal for deal in wanted if (deal.players, deal.number) not in played]
    done, total = 2 * (len(wanted) - len(missing)), 2 * len(wanted)
    progress(done, total)
    work = _Work(plan, folders).play
    try:
        with file.open("ab") as out, closing(
            run(work, missing, jobs, lambda new: progress(done + new, total), stop)
        ) as results:
            for _, deal in results:
                played[deal.players, deal.number] = deal
                out.write(msgspec.json.encode(deal) + b"\n")
                out.flush()
    except workers.WorkHalted:
        raise Stopped(2 * sum((d.players, d.number) in played for d in wanted), total) from None
    file.unlink()
    return [played[deal.players, deal.number] for deal in wanted]


def _check(plan: Plan, players: Sequence[str], game: Rulebook) -> None:
    if len(players) < 2 or len(set(players)) < len(players):
        raise PlanError(f"A ladder is of two or more different players, not of {', '.join(players) or 'none'}.")
    if plan.count % 2:
        raise PlanError(f"Each deal is played twice, with seats swapped: {plan.count} games are not even.")
    for pair in combinations(players, 2):
        check(structs.replace(plan, player_kinds=pair), game)


def _kept(file: Path) -> dict[tuple[Pair, int], Deal]:
    """The deals that a ladder which was stopped has played; a line that was torn is played again."""
    if not file.exists():
        return {}
    whole, _, torn = file.read_bytes().rpartition(b"\n")
    if torn:
        file.write_bytes(whole + b"\n" if whole else b"")
    deals = [msgspec.json.decode(line, type=Deal) for line in whole.splitlines()]
    return {(deal.players, deal.number): deal for deal in deals}


# --- what came of it ----------------------------------------------------------------------------------------


def ratings(deals: Sequence[Deal], seed: int = 0) -> list[Rating]:
    """The players' ratings, the strongest first."""
    players = list(dict.fromkeys(player for deal in deals for player in deal.players))
    again = [bradley_terry(players, drawn) for drawn in _drawn_again(deals, seed)]
    found = bradley_terry(players, deals)
    rows = []
    for player in players:
        low, high = _interval([one[player] for one in again])
        points = [p for deal in deals for p in _points(deal, player)]
        rows.append(Rating(player, found[player], low, high, len(points), sum(points) / max(1, len(points))))
    return sorted(rows, key=lambda row: -row.rating)


def scores(deals: Sequence[Deal], seed: int = 0) -> list[Score]:
    """What came of each pair of players, as they were named."""
    rows = []
    for pair in dict.fromkeys(deal.players for deal in deals):
        of_pair = [deal for deal in deals if deal.players == pair]
        points = [p for deal in of_pair for p in _points(deal, pair[0])]
        again = [[p for deal in drawn for p in _points(deal, pair[0])] for drawn in _drawn_again(of_pair, seed)]
        low, high = _interval([_mean(one) for one in again])
        rows.append(Score(*pair, len(points), points.count(1.0), points.count(0.5), _mean(points), low, high))
    return rows


def bradley_terry(players: Sequence[str], deals: Sequence[Deal]) -> Mapping[str, float]:
    """Ratings in Elo points, mean 0. Every pair counts as having drawn one game more: so they are finite always."""
    met = {frozenset(pair): 1.0 for pair in combinations(players, 2)}
    won = dict.fromkeys(players, 0.5 * (len(players) - 1))
    for deal in deals:
        for player in deal.players:
            points = _points(deal, player)
            won[player] += sum(points)
        met[frozenset(deal.players)] += len(points)
    strength = dict.fromkeys(players, 1.0)
    for _ in range(ROUNDS):
        new = {
            p: won[p] / sum(met[frozenset((p, q))] / (strength[p] + strength[q]) for q in players if q != p)
            for p in players
        }
        moved = max(abs(new[p] / strength[p] - 1) for p in players)
        strength = new
        if moved < CLOSE_ENOUGH:
            break
    elo = {p: 400 * log10(strength[p]) for p in players}
    mean = sum(elo.values()) / len(elo)
    return {p: rating - mean for p, rating in elo.items()}


def _points(deal: Deal, player: str) -> list[float]:
    """What a player made of a deal; nothing where it did not play."""
    if player not in deal.players:
        return []
    points = [p for p in deal.points if p is not None]
    return points if player == deal.players[0] else [1 - p for p in points]


def _mean(points: Sequence[float]) -> float:
    return sum(points) / len(points) if points else 0.5


def _drawn_again(deals: Sequence[Deal], seed: int) -> list[list[Deal]]:
    """As many deals of each pair of players, drawn with replacement (see above), DRAWN_AGAIN times."""
    random = Random(seed)
    of_pair: dict[Pair, list[Deal]] = {}
    for deal in deals:
        of_pair.setdefault(deal.players, []).append(deal)
    for pair, held in of_pair.items():
        of_pair[pair] = [*held, Deal(pair, -1, (1.0, 1.0)), Deal(pair, -1, (0.0, 0.0))]
    return [[d for held in of_pair.values() for d in random.choices(held, k=len(held) - 2)] for _ in range(DRAWN_AGAIN)]


def _interval(values: Sequence[float]) -> tuple[float, float]:
    """The bounds between which 95 % of the values lie."""
    ordered = sorted(values)
    return ordered[round(0.025 * (len(ordered) - 1))], ordered[round(0.975 * (len(ordered) - 1))]
