"""What holds in every game, whatever is played: checked on random games with random decks at every question."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core import values
from engine.core.match import Match
from engine.fold import fold, fold_all
from engine.rulebooks import registry
from events.kinds import Acted, Asked, CounterSet, Event, ModifierBegan, PhaseBegan
from events.record import causes, decode, encode
from replays.view.verify import verify
from tests.play import answerable, as_log, begin, play
from tests.state_json import from_json, to_json

GAMES = pytest.mark.parametrize("key", registry.GAMES)
SEEDS = pytest.mark.parametrize("seed", range(12))


def one_place(m: Match) -> None:
    placed = Counter(c for side in m.state.zones for cards in side.values() for c in cards)
    assert placed == Counter(list(m.state.cards)), "each card lies in exactly one place"
    for number, card in m.state.cards.items():
        assert number in m.state.zones[card.seat][card.zone]


def true_values(m: Match) -> None:
    """Every value that a lasting effect has ever changed is what is printed and what lasts, now."""
    names = {e.name for e in m.log if isinstance(e, ModifierBegan)}
    for number, card in m.state.cards.items():
        if m.on_table(number):
            for name in names & set(m.definition(number).stats):
                assert m.value(number, name) == values.effective(m, number, name)
        else:
            assert not card.counters and number not in {e.on for e in m.state.modifiers.values()}
    for seat in (0, 1):
        for name in names & set(m.state.counters[seat]):
            assert m.value(seat, name) == values.effective(m, seat, name)


def settled(m: Match) -> None:
    assert not m.touched and not m.stale
    assert (m.state.asked is None) == (m.state.result is not None)
    answerable(m)
    if m.state.asked is not None:
        assert len(m.legal()) > 1, "a choice with one answer is not asked"


@GAMES
@SEEDS
def test_invariants_hold_at_every_question(key: str, seed: int) -> None:
    def watch(m: Match) -> None:
        one_place(m)
        true_values(m)
        settled(m)

    match = begin(seed, key)
    play(match, seed, watch=watch)
    assert match.state.result is not None


@GAMES
@SEEDS
def test_folding_the_written_log_gives_the_live_state(key: str, seed: int) -> None:
    match = begin(seed, key)
    events = play(match, seed)
    read = [decode(encode(e)) for e in events]
    state = fold_all(read, match.game.declared)  # type: ignore[arg-type]
    assert to_json(state) == to_json(match.state)


@GAMES
@SEEDS
def test_deciding_from_the_state_alone_gives_the_same_records(key: str, seed: int) -> None:
    """The state goes through JSON before every decision; what follows must be what follows in the live match."""
    live = begin(seed, key)
    again: list[Event] = []

    def watch(m: Match) -> None:
        asked = m.state.asked
        if asked is None:
            return
        other = Match(m.game, from_json(to_json(m.state)))
        assert other.legal() == m.legal()
        action = m.legal()[len(m.log) % len(m.legal())]
        other.act(action)
        again[:] = other.log
        before = len(m.log)
        m.act(action)
        assert [encode(e) for e in m.log[before:]] == [encode(e) for e in again]

    for _ in range(2000):
        if live.state.asked is None:
            break
        watch(live)
    assert live.state.result is not None and again


@GAMES
@SEEDS
def test_a_played_game_verifies_and_a_changed_one_does_not(key: str, seed: int) -> None:
    match = begin(seed, key)
    events = play(match, seed)
    assert verify(as_log(match, events)).verdict == "verified"
    at = next(i for i, e in enumerate(events) if isinstance(e, CounterSet))
    changed = events[at]
    assert isinstance(changed, CounterSet)
    events[at] = CounterSet(changed.entity, changed.name, changed.value + 1, back=changed.back)
    verdict = verify(as_log(match, events))
    assert (verdict.verdict, verdict.record) == ("altered", at)
    assert verdict.differences == (("value", changed.value + 1, changed.value),)


@GAMES
def test_any_prefix_folds_and_a_stop_goes_on(key: str) -> None:
    match = begin(3, key)
    events = play(match, 3)
    declared = match.game.declared
    state = fold_all(events[: len(events) // 2], declared)
    for event in events[len(events) // 2:]:
        fold(state, event, declared)
    assert to_json(state) == to_json(match.state)


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_free_decision_comes_of_the_course_of_the_game_or_of_what_it_answers(key: str) -> None:
    """Never of the free decision before it: what comes after a move, live or attack does not come of it."""
    match = begin(2, key)
    events = play(match, 2)
    caused = causes(events)
    for number, event in enumerate(events):
        if isinstance(event, PhaseBegan) or (
            isinstance(event, Asked) and not event.options and event.question != "window"
        ):
            assert not isinstance(events[caused[number]], Acted), f"{key}: record {number}"
