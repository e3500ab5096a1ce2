"""One old log of each ending of each game opens, is told as it was, and verifies."""

from __future__ import annotations

import functools

import pytest

from engine import games
from events.kinds import GameEnded
from events.log import Game, read_games
from replays.narrate import as_text, narrate
from replays.verify import verify
from tests.golden.make import FOLDER

UNREACHED = {
    "xcard": {"loop"},  # an item is used once, so 200 settlements never come in one turn
    "monbattle": {"both"},  # one player's LP and the other's cost must run out by one instruction
}


@functools.cache
def endings() -> list[Game]:
    return list(read_games(FOLDER / "endings.jsonl"))


def reason(game: Game) -> str:
    end = game.events[-2]
    assert isinstance(end, GameEnded)
    return end.reason


@pytest.mark.parametrize("key", games.GAMES)
def test_there_is_a_game_of_each_ending(key: str) -> None:
    found = [reason(game) for game in endings() if game.header.game == key]
    declared = games.load(key).rulebook.reasons
    assert found == [word for word in declared if word not in UNREACHED.get(key, ())]


def test_each_is_whole_and_verifies() -> None:
    for game in endings():
        assert game.sealed and game.fault is None
        verdict = verify(game)
        wanted = "whole" if reason(game) == "error" else "verified"
        assert verdict.verdict == wanted, f"{game.header.game} {reason(game)}: {verdict.text}"


def test_each_is_told_as_it_was() -> None:
    told = [as_text(narrate(g.events[:-1], g.rulebook, g.card_sets)) for g in endings()]
    assert "\n\n".join(told) + "\n" == (FOLDER / "endings.txt").read_text(encoding="utf-8")
