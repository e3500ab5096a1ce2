"""A copied state is a second one: nothing done to the one shows in the other."""

from __future__ import annotations

from engine.machine import Match
from engine.state import copy, to_json
from tests.play import begin, play


def test_playing_on_in_a_copy_leaves_the_state_as_it_was() -> None:
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

    match = begin(8)
    play(match, 8, watch=watch)
    assert match.state.result is not None
