"""Monster Battle: what holds in whole games of the small set, whatever is played."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core import values
from engine.core.match import Match
from engine.fold import fold_all
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks.monbattle.card import CHANGES, STATS
from events.kinds import Asked, CardMoved, CounterSet, DamageCalculated, DamageDealt, ModifierBegan, RuleApplied
from events.record import decode, encode
from replays.view.verify import verify
from tests.engine.rulebooks.monbattle.cards import begin
from tests.play import as_log, play
from tests.state_json import from_json, to_json

SEEDS = pytest.mark.parametrize("seed", range(10))


def area_holds(m: Match) -> None:
    """Places, ties, values and limits at a question."""
    placed = Counter(c for side in m.state.zones for cards in side.values() for c in cards)
    assert placed == Counter(list(m.state.cards))
    for number, card in m.state.cards.items():
        if card.zone in ("battle", "standby"):
            for name in (*STATS, *CHANGES, "attribute"):
                assert m.value(number, name) == values.effective(m, number, name)
            ties = Counter(m.card(held).attachment for held in card.attachments)
            assert ties["weapon"] <= 1 and ties["item"] <= 1
        assert (card.zone in ("under", "gear")) == (card.attached_to is not None)
    assert sum(len(side["field"]) for side in m.state.zones) <= 1


def nobody_has_lost(m: Match) -> None:
    """While a question waits, nobody is without LP or over cost: every moment before has been checked."""
    if m.state.asked is None or "lp" not in m.state.counters[1]:
        return
    for seat, side in enumerate(m.state.zones):
        stock = sum(m.printed[c].stats["cost"] for c in side["stock"])
        assert m.value(seat, "stock_cost") == stock
        assert stock + sum(m.value(c, "cost") for c in side["battle"]) <= m.value(seat, "pp")
        assert m.value(seat, "lp") > 0 and len(side["standby"]) <= 5 and len(side["battle"]) <= 1
        for name in ("pp", "level"):
            assert m.value(seat, name) == values.effective(m, seat, name)


@SEEDS
def test_what_holds_at_every_question(seed: int) -> None:
    def watch(m: Match) -> None:
        area_holds(m)
        nobody_has_lost(m)
        assert not m.touched and not m.stale
        assert m.state.asked is None or len(m.legal()) > 1

    match = begin(seed)
    play(match, seed, watch=watch)
    assert match.state.result is not None


@SEEDS
def test_the_written_log_folds_to_the_live_state(seed: int) -> None:
    match = begin(seed)
    read = [decode(encode(event)) for event in play(match, seed)]
    assert to_json(fold_all(read, match.game.declared)) == to_json(match.state)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(4))
def test_deciding_from_the_state_alone_gives_the_same_records(seed: int) -> None:
    match = begin(seed)
    for _ in range(1000):
        if match.state.asked is None:
            break
        other = Match(match.game, from_json(to_json(match.state)))
        assert other.legal() == match.legal()
        action = match.legal()[len(match.log) % len(match.legal())]
        other.act(action)
        before = len(match.log)
        match.act(action)
        assert [encode(e) for e in match.log[before:]] == [encode(e) for e in other.log]
    assert match.state.result is not None


@pytest.mark.rule("MB-39")
def test_each_strike_is_what_was_reckoned_and_takes_as_many_lp() -> None:
    strikes = 0
    for seed in range(10):
        log = play(begin(seed), seed)
        lp: dict[int, int] = {}
        dealt: DamageCalculated | None = None
        for before, event in zip([None, *log], log, strict=False):
            if isinstance(event, DamageCalculated) and event.step == "dealt":
                dealt = event
            if isinstance(event, DamageDealt):
                assert dealt is not None and (dealt.source, dealt.value) == (event.source, event.amount)
                strikes += 1
            if isinstance(event, CounterSet) and event.name == "lp":
                if isinstance(before, DamageDealt):
                    assert event.value == lp[event.entity] - before.amount
                lp[event.entity] = event.value
    assert strikes > 50


def test_random_games_reach_every_question_step_how_and_rule() -> None:
    asked: set[str] = set()
    steps: set[str] = set()
    move_kinds: set[str] = set()
    effects: set[str] = set()
    for seed in range(60):
        match = begin(seed)
        for event in play(match, seed):
            if isinstance(event, Asked):
                asked.add(event.question)
            elif isinstance(event, DamageCalculated):
                steps.add(event.step)
            elif isinstance(event, CardMoved):
                move_kinds.add(event.move_kind)
            elif isinstance(event, RuleApplied):
                effects.add(event.rule)
    book = match.game.rulebook
    assert set(book.questions) - asked <= {"evolve", "order"}, "these are rare, and asked in scenarios"
    assert steps == set(book.steps) and set(book.rules) - effects == {"first_by_lot"}, "two blanks in round 1 are rare"
    assert set(book.move_kinds) - move_kinds <= {"destroyed", "put"}, "no card of the small set does that"


def test_a_played_game_verifies_with_the_cards_that_its_log_carries() -> None:
    match = begin(3)
    log = play(match, 3)
    assert verify(as_log(match, log)).verdict == "verified"
    at = next(i for i, e in enumerate(log) if isinstance(e, ModifierBegan) and e.duration == "while")
    changed = log[at]
    assert isinstance(changed, ModifierBegan)
    log[at] = ModifierBegan(
        changed.id, changed.card, changed.on, changed.name, "while", add=changed.add + 1, set=changed.set,
        ability=changed.ability, back=changed.back,
    )
    assert (verify(as_log(match, log)).verdict, verify(as_log(match, log)).record) == ("altered", at)


def test_greedy_plays_to_the_end_and_beats_random() -> None:
    won = 0
    for seed in range(8):
        match, seat = begin(seed), seed % 2
        players = {seat: PLAYER_KINDS["greedy"](seed), 1 - seat: PLAYER_KINDS["random"](seed)}
        while match.state.asked is not None:
            match.act(players[match.state.asked.seat](Observation(match)))
        assert match.state.result is not None
        won += match.state.result.winner == seat
    assert won >= 5
