"""One old log of each ending of each game opens, is told as it was, and verifies."""

from __future__ import annotations

import functools

import pytest

from engine.core.stack import MAX_RESOLVED
from engine.fold import fold_all
from engine.rulebooks import registry
from engine.state import Declared
from events.game import GameLog
from events.kinds import CounterSet, GameEnded
from events.open import read_games
from replays.view.narrate import log_text, narrate
from replays.view.verify import verify
from tests.golden.make import FOLDER


@functools.cache
def endings() -> list[GameLog]:
    return list(read_games(FOLDER / "endings.jsonl"))


def reason(game: GameLog) -> str:
    end = game.events[-2]
    assert isinstance(end, GameEnded)
    return end.reason


@pytest.mark.parametrize("key", registry.GAMES)
def test_there_is_a_game_of_each_ending(key: str) -> None:
    found = [reason(game) for game in endings() if game.header.game == key]
    assert found == list(registry.load(key).rulebook.reasons)


def test_more_than_200_settlements_of_one_round_and_no_fewer_are_a_loop() -> None:
    for game in endings():
        if reason(game) == "loop":
            state = fold_all(game.events[:-1], Declared(game.rulebook))
            assert state.resolved == MAX_RESOLVED and state.stack, game.header.game


def test_both_in_monster_battle_is_cost_over_of_both_by_one_card() -> None:
    game = next(g for g in endings() if (g.header.game, reason(g)) == ("monbattle", "both"))
    changed = [e for e in game.events if isinstance(e, CounterSet) and e.name == "pp"]
    assert {(e.entity, e.value) for e in changed[-2:]} == {(0, 0), (1, 0)}


def test_each_is_whole_and_verifies() -> None:
    for game in endings():
        assert game.sealed and game.fault is None
        verdict = verify(game)
        wanted = "unchecked" if reason(game) == "error" else "verified"
        assert verdict.verdict == wanted, f"{game.header.game} {reason(game)}: {verdict.text}"


def test_each_is_told_as_it_was() -> None:
    told = [log_text(narrate(g.events[:-1], g.rulebook, g.card_sets)) for g in endings()]
    assert "\n\n".join(told) + "\n" == (FOLDER / "endings.txt").read_text(encoding="utf-8")
