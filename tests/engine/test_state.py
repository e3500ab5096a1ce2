"""A copied state is a second one: nothing done to the one shows in the other."""

from __future__ import annotations

import pytest

from engine.core.match import Match
from engine.rulebooks import registry
from engine.state import copy, to_json
from tests.play import begin, play


@pytest.mark.parametrize("key", registry.GAMES)
def test_playing_on_in_a_copy_leaves_the_state_as_it_was(key: str) -> None:
    def watch(m: Match) -> None:
        before = to_json(m.state)
        second = copy(m.state)
        assert to_json(second) == before
        if second.asked is not None:
            other = Match(m.game, second)
            for _ in range(10):
                if other.state.asked is not None:
                    other.act(other.legal()[-1])
        assert to_json(m.state) == before

    match = begin(8, key)
    play(match, 8, watch=watch)
    assert match.state.result is not None
