"""A fork is a second match: what is tried on it leaves the first as it was, and goes as it would have gone there."""

from __future__ import annotations

from engine.core.match import Match
from engine.state import to_json
from events.record import encode
from tests.play import begin, play


def test_what_is_tried_on_a_fork_is_what_would_happen_and_changes_nothing() -> None:
    def watch(m: Match) -> None:
        if m.state.asked is None:
            return
        before = to_json(m.state)
        action = m.legal()[-1]
        fork, anew = m.fork(), Match(m.game, m.fork().state)
        fork.act(action)
        anew.act(action)
        assert [encode(e) for e in fork.log] == [encode(e) for e in anew.log]
        assert to_json(fork.state) == to_json(anew.state)
        assert to_json(m.state) == before

    for seed in (2, 5):
        match = begin(seed)
        play(match, seed, watch=watch)
        assert match.state.result is not None
