"""Ladders: what is played, ratings with their intervals, and going on where one was stopped."""

from __future__ import annotations

import json
from collections import Counter
from math import log10
from pathlib import Path

import pytest
from msgspec import structs

from engine.players import PLAYER_KINDS, Player, PlayerError
from engine.rulebooks import registry
from events.kinds import Event
from replays.play import ladder as module
from replays.play.ladder import Deal, bradley_terry, ladder, ratings, scores
from replays.play.simulate import Plan, PlanError, Stopped, all_pairs
from replays.store.library import Library
from tests.replays.cli.conftest import Run, run

__all__ = ["run"]

LIVEON = registry.load("liveon")
PLAN = Plan(game="liveon", decks=all_pairs([d for d in LIVEON.shipped_decks() if d.format == "short"]), count=8, seed=3)


def deals(won: int, lost: int, pair: tuple[str, str] = ("a", "b"), split: int = 0) -> list[Deal]:
    """Deals of which so many were won twice, lost twice, and won once each."""
    points = [(1.0, 1.0)] * won + [(0.0, 0.0)] * lost + [(1.0, 0.0)] * split
    return [Deal(pair, n, p) for n, p in enumerate(points)]


def test_the_ratings_of_two_players_are_the_odds_of_their_points() -> None:
    found = bradley_terry(["a", "b"], deals(15, 5))
    assert found["a"] - found["b"] == pytest.approx(400 * log10(30.5 / 10.5), abs=0.01)
    assert found["a"] + found["b"] == pytest.approx(0)


@pytest.mark.parametrize("strengths", [(1.0, 2.0, 4.0), (1.0, 1.0, 1.0), (8.0, 1.0, 3.0)])
def test_the_ratings_give_back_the_strengths_that_the_points_came_from(strengths: tuple[float, ...]) -> None:
    names = ["a", "b", "c"]
    made = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        share = strengths[i] / (strengths[i] + strengths[j])
        made += [Deal((names[i], names[j]), n, (share, share)) for n in range(2000)]
    found = bradley_terry(names, made)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        wanted = 400 * log10(strengths[i] / strengths[j])
        assert found[names[i]] - found[names[j]] == pytest.approx(wanted, abs=1)


def test_intervals_grow_narrow_with_the_deals_and_are_wide_where_all_was_won() -> None:
    few, many = (scores(deals(3 * n, n))[0] for n in (5, 50))
    assert few.low < many.low < many.share == 0.75 < many.high < few.high
    all_won = scores(deals(20, 0))[0]
    assert all_won.share == 1 and 0.7 < all_won.low < 0.95
    best, worst = ratings(deals(20, 0))
    assert (best.player, best.score, worst.score) == ("a", 1, 0)
    assert worst.high < best.low < best.rating


def test_two_games_of_a_deal_are_one_piece_of_evidence() -> None:
    together, apart = scores(deals(50, 50))[0], scores(deals(0, 0, split=100))[0]
    assert together.share == apart.share == 0.5
    assert together.high - together.low > 3 * (apart.high - apart.low)


def test_games_that_ended_by_an_error_do_not_count() -> None:
    rows = scores([Deal(("a", "b"), 0, (1.0, None)), Deal(("a", "b"), 1, (0.5, None))])
    assert (rows[0].games, rows[0].wins, rows[0].draws, rows[0].share) == (2, 1, 1, 0.75)


def test_each_deal_is_played_twice_with_seats_swapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = []

    def played(game: object, header: Event, players: list[Player]) -> list[Event]:
        headers.append(header)
        return original(game, header, players)  # type: ignore[arg-type]

    original = module.play_game
    monkeypatch.setattr(module, "play_game", played)
    ladder(PLAN, ["random", "greedy"], Library(tmp_path), jobs=1)
    seen = [(h.seed, [s.deck for s in h.seats], [s.player_kind for s in h.seats]) for h in headers]  # type: ignore[attr-defined]
    assert len(seen) == PLAN.count
    for one, other in zip(seen[::2], seen[1::2], strict=True):
        assert one[:2] == other[:2]
        assert one[2] == other[2][::-1] == ["random", "greedy"]
    assert len({seed for seed, _, _ in seen}) == PLAN.count / 2
    assert max(Counter(str(decks) for _, decks, _ in seen).values()) == 2, "decks are spread"


def test_a_ladder_that_was_stopped_goes_on_and_comes_out_the_same(tmp_path: Path) -> None:
    players = ["random", "greedy"]
    whole = ladder(PLAN, players, Library(tmp_path / "whole"), jobs=1)
    library, done = Library(tmp_path / "stopped"), [0]
    with pytest.raises(Stopped) as stopped:
        ladder(PLAN, players, library, jobs=1, progress=lambda n, _: done.__setitem__(0, n), stop=lambda: done[0] >= 5)
    assert (stopped.value.done, stopped.value.total) == (4, 8)
    (kept,) = library.making.iterdir()
    kept.write_bytes(kept.read_bytes() + b'[["random","gre')  # torn while it was written
    begun: list[int] = []
    assert ladder(PLAN, players, library, jobs=2, progress=lambda n, _: begun.append(n)) == whole
    assert begun[0] == 4
    assert list(library.making.iterdir()) == []


def failing(seed: int) -> Player:
    raise_later = PLAYER_KINDS["random"](seed)
    return lambda observation: raise_later(observation) if observation.state.turn < 2 else 1 / 0  # type: ignore[return-value]


def test_a_player_that_fails_is_counted_and_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYER_KINDS, "failing", failing)
    played = ladder(structs.replace(PLAN, count=2), ["random", "failing"], Library(tmp_path), jobs=1)
    assert [deal.points for deal in played] == [(None, None)]
    assert scores(played)[0].games == 0
    assert [row.rating for row in ratings(played)] == [0, 0]


@pytest.mark.parametrize(("players", "count", "why"), [
    (["greedy"], 2, "two or more different players, not of greedy"),
    ([], 2, "not of none"),
    (["greedy", "greedy"], 2, "different players"),
    (["greedy", "random"], 3, "3 games are not even"),
    (["greedy", "clever"], 2, "no player 'clever'"),
])
def test_a_ladder_that_cannot_be_played_is_a_sentence(
    tmp_path: Path, players: list[str], count: int, why: str
) -> None:
    with pytest.raises((PlanError, PlayerError), match=why):
        ladder(structs.replace(PLAN, count=count), players, Library(tmp_path), jobs=1)


def test_the_command_prints_ratings_or_pairs(run: Run) -> None:
    words = ("ladder", "liveon", "--players", "random,greedy", "-n", "2", "--jobs", "1", "--format", "json")
    code, out, _ = run(*words)
    rows = json.loads(out)
    assert code == 0 and [set(row) for row in rows] == [{"player", "rating", "low", "high", "games", "score"}] * 2
    assert sum(row["games"] for row in rows) == 4
    code, out, _ = run(*words, "--pairs")
    (row,) = json.loads(out)
    assert (row["player"], row["against"], row["games"]) == ("random", "greedy", 2)
    code, out, said = run("ladder", "liveon", "-n", "3")
    assert code != 0 and "not even" in said and out == ""
