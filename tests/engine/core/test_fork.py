"""A fork is a second match: what is tried on it leaves the first as it was, and goes as it would have gone there.

Forks share cards and zones with the match until one of them writes. A rule that held a card across a change would read
on a fork what is no longer true, so every legal action of many questions is tried on a fork and on a match made anew.
"""

from __future__ import annotations

import gc

import pytest

from engine.core.match import Match
from engine.players import Observation, make_player
from engine.rulebooks import registry
from events.record import encode
from tests.play import begin, play
from tests.state_json import from_json, to_json


@pytest.mark.parametrize("key", registry.GAMES)
def test_what_is_tried_on_a_fork_is_what_would_happen_and_changes_nothing(key: str) -> None:
    tried = 0

    def watch(m: Match) -> None:
        nonlocal tried
        if m.state.asked is None or len(m.log) % 3:
            return
        before = to_json(m.state)
        for action in m.legal():
            fork, anew = m.fork(), Match(m.game, from_json(before))
            fork.act(action)
            anew.act(action)
            assert [encode(e) for e in fork.log] == [encode(e) for e in anew.log]
            assert to_json(fork.state) == to_json(anew.state)
            tried += 1
        assert to_json(m.state) == before

    for seed in (2, 5):
        match = begin(seed, key)
        play(match, seed, watch=watch)
        assert match.state.result is not None
    assert tried > 100


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_fork_and_its_match_write_apart(key: str) -> None:
    """Both go on after the fork, in turns: neither sees what the other does."""

    def watch(m: Match) -> None:
        if m.state.asked is None or len(m.log) % 5:
            return
        one, other = m.fork(), m.fork()
        actions = m.legal()
        one.act(actions[0])
        kept = to_json(one.state)
        other.act(actions[-1])
        deeper = one.fork()
        if deeper.state.asked is not None:
            deeper.act(deeper.legal()[-1])
        assert to_json(one.state) == kept
        anew = Match(m.game, from_json(to_json(m.state)))
        anew.act(actions[-1])
        assert to_json(other.state) == to_json(anew.state)

    match = begin(3, key)
    play(match, 3, watch=watch)
    assert match.state.result is not None


def test_what_is_shared_is_copied_before_it_is_changed() -> None:
    match = begin(2)
    deck = match.state.zones[0]["deck"]
    before = deck.copy()
    match.state.share()
    play(match, 2)
    assert deck == before != match.state.zones[0]["deck"]


def test_a_card_held_across_a_change_is_an_old_one_on_a_fork() -> None:
    """What the tests above are there for: code must ask for the card again."""
    match = begin(2).fork()
    number = next(iter(match.state.cards))
    held = match.card(number)
    match.exhaust(number, not held.exhausted)
    assert match.card(number) is not held
    assert match.card(number).exhausted != held.exhausted


@pytest.mark.parametrize("key", registry.GAMES)
def test_what_players_tried_is_freed_without_the_garbage_collector(key: str) -> None:
    """Players try so many forks that collecting them took a tenth of their time."""

    def matches() -> int:
        return sum(type(one) is Match for one in gc.get_objects())

    def watch(m: Match) -> None:
        if m.state.asked is None or len(m.log) % 7:
            return
        for player in players:
            player(Observation(m))
        assert matches() == before

    players = [make_player("greedy", 1), make_player("search:2", 1)]
    match = begin(4, key)
    gc.collect()
    before = matches()
    gc.disable()
    try:
        play(match, 4, watch=watch)
    finally:
        gc.enable()
