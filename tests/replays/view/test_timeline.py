"""The table at any step, the index of a game, and the patches that the viewer applies."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from msgspec import structs

from engine.cards.decks import deck_list
from engine.fold import empty_state, fold, fold_all
from engine.rulebooks import registry
from engine.state import Declared
from engine.view import view
from engine.words import LANGUAGES
from events import kinds as k
from events.actions import Attack, Move, Play, Use
from events.kinds import CardMoved, Event
from replays.view.board import NEUTRAL, board_of
from replays.view.patches import FrameData, apply_patch, frame_of
from replays.view.timeline import KEYFRAME_STEPS, Timeline
from tests import play
from tests.events import highcard
from tests.state_json import to_json

SEEDS = (1, 2, 3)
Games = dict[int, tuple[Timeline, list[Event]]]


@pytest.fixture(scope="module")
def games() -> Games:
    """Random games with their timelines and records."""
    return {seed: _followed(seed) for seed in SEEDS}


def _followed(seed: int) -> tuple[Timeline, list[Event]]:
    match = play.begin(seed, size=21)
    events = play.play(match, seed)
    return Timeline(events, match.game.rulebook, match.game.card_sets), events


def _frames(timeline: Timeline) -> list[FrameData]:
    """The frame at every step, straight from the fold."""
    state, declared, frames = empty_state(timeline.declared), timeline.declared, []
    for event in timeline.events:
        asked = state.asked
        fold(state, event, declared)
        frames.append(_plain(frame_of(state, event, asked)))
    return frames


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _jump(data: dict[str, Any], step: int) -> FrameData:
    """The frame at a step as the viewer finds it: the key frame before it, and the patches from there."""
    frame = copy.deepcopy(data["frames"][step // KEYFRAME_STEPS])
    for patch in data["patches"][step - step % KEYFRAME_STEPS + 1 : step + 1]:
        apply_patch(frame, patch)
    return frame


@pytest.mark.parametrize("seed", SEEDS)
def test_the_state_at_a_step_is_the_fold_of_the_records_up_to_it(seed: int, games: Games) -> None:
    timeline, events = games[seed]
    assert timeline.steps == len(events) > 2 * KEYFRAME_STEPS
    around = range(KEYFRAME_STEPS - 1, KEYFRAME_STEPS + 2)
    for step in [*range(0, timeline.steps, 37), *around, timeline.steps - 1]:
        assert to_json(timeline.state(step)) == to_json(fold_all(events[: step + 1], timeline.declared))
    with pytest.raises(IndexError):
        timeline.state(timeline.steps)


@pytest.mark.parametrize("seed", SEEDS)
def test_patches_forward_and_jumps_from_anywhere_give_the_frame_of_the_fold(seed: int, games: Games) -> None:
    timeline, _ = games[seed]
    wanted, data = _frames(timeline), _plain(timeline.viewer_data())
    forward = copy.deepcopy(data["frames"][0])
    assert forward == wanted[0]
    for step in range(1, timeline.steps):
        apply_patch(forward, data["patches"][step])
        assert forward == wanted[step], step
    for step in reversed(range(0, timeline.steps, 7)):
        assert _jump(data, step) == wanted[step]


def test_a_view_of_one_seat_can_be_stepped_too_and_holds_nothing_of_the_other_hand(games: Games) -> None:
    timeline, events = games[SEEDS[0]]
    seen = view(events, 0, timeline.declared)
    one = Timeline(seen, timeline.rulebook, timeline.card_sets)
    wanted, data = _frames(one), _plain(one.viewer_data())
    assert [_jump(data, step) for step in range(one.steps)] == wanted
    hands = [frame["zones"][1]["hand"] for frame in wanted]
    told = [n for n, hand in enumerate(hands) if any(card != k.HIDDEN for card in hand)]
    assert any(hands)
    assert all(isinstance(seen[n], k.CardIdentified) for n in told), (
        "a card of the other hand is known only as it is played"
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_each_free_decision_and_each_turn_begins_an_action(seed: int, games: Games) -> None:
    timeline, events = games[seed]
    acted = [(n, e.action) for n, e in enumerate(events) if isinstance(e, k.Acted)]
    free = {n for n, action in acted if isinstance(action, Play | Move | Attack | Use)}
    begun = [n for n, e in enumerate(events) if isinstance(e, k.TurnBegan)]
    assert free | {0, *begun} <= {action.first for action in timeline.actions}
    assert [turn.step for turn in timeline.turns] == begun


def test_phases_that_are_quiet_are_left_out(games: Games) -> None:
    timeline, events = games[SEEDS[0]]
    began = [(n, e.phase) for n, e in enumerate(events) if isinstance(e, k.PhaseBegan)]
    assert ("set_up") in {phase for _, phase in began}
    assert [(p.step, p.phase) for p in timeline.phases] == [pair for pair in began if pair[1] != "set_up"]


@pytest.mark.parametrize("seed", SEEDS)
def test_key_events_are_the_marked_moves_blows_to_players_and_the_end(seed: int, games: Games) -> None:
    timeline, events = games[seed]
    found = {what: [e.step for e in timeline.key_events if e.what == what] for what in timeline.board.marks}
    for how in ("destroyed", "reaction"):
        assert found[how] == [n for n, e in enumerate(events) if isinstance(e, CardMoved) and e.move_kind == how]
    assert found["hit"] == [n for n, e in enumerate(events) if isinstance(e, k.DamageDealt) and e.target < 2]
    assert found["ended"] == [n for n, e in enumerate(events) if isinstance(e, k.GameEnded)]
    assert all(step in {e.step for e in timeline.key_events} for steps in found.values() for step in steps)


def test_the_life_total_follows_the_deck(games: Games) -> None:
    timeline, _ = games[SEEDS[0]]
    for step in range(0, timeline.steps, 41):
        state = timeline.state(step)
        for seat in (0, 1):
            known = [total for at, total in timeline.lives[seat] if at <= step]
            assert known[-1] == len(state.zones[seat]["deck"])


def test_the_viewer_gets_no_event_kind_and_no_continuation(games: Games) -> None:
    timeline, _ = games[SEEDS[0]]
    data = timeline.viewer_data()
    parts = msgspec.json.encode({part: data[part] for part in ("frames", "patches", "actions", "turns", "marks")})
    for kind in (k.CardMoved, k.CounterSet, k.TurnBegan, k.ModifierBegan, k.GameStarted):
        assert f'"{kind.__struct_config__.tag}"'.encode() not in parts
    assert b'"rest"' not in parts


def test_a_log_whose_records_stop_following_is_followed_up_to_there(games: Games) -> None:
    timeline, events = games[SEEDS[0]]
    bad: list[Event] = [*events[:250], CardMoved(card=9999, seat=0, zone="hand", move_kind="drawn"), *events[250:]]
    cut = Timeline(bad, timeline.rulebook, timeline.card_sets)
    assert cut.steps == 250
    assert cut.fault is not None and "record 249" in cut.fault and "Record 250" in cut.fault
    assert cut.actions[-1].last == 249
    assert len(cut.viewer_data()["patches"]) == 250


def test_hostile_definitions_of_cards_are_shown_as_far_as_they_go(games: Games) -> None:
    timeline, events = games[SEEDS[0]]
    own = timeline.card_sets[0]
    wrong = {"name": {"en": "<b>" * 200}, "kind": ["x"], "power": {"red": "many"}, "pow": 10**30, "colour": "__proto__"}
    sets = (msgspec.structs.replace(own, cards=dict.fromkeys(own.cards, wrong)),)
    faces = Timeline(events, timeline.rulebook, sets).viewer_data()["cards"]
    for face in faces.values():
        assert face["name"] == ("<b>" * 200)[:200]
        assert face["symbols"] == {} and face["stats"] == {} and face["text"] == []
        assert face["frame"] in NEUTRAL


@pytest.mark.parametrize("language", LANGUAGES)
def test_shipped_decks_are_called_in_the_viewer_s_language(games: Games, language: str) -> None:
    timeline, events = games[SEEDS[0]]
    shipped, header = registry.load("liveon").shipped_decks()[0], events[0]
    assert isinstance(header, k.GameStarted)
    first, second = header.seats
    called = (structs.replace(first, deck=deck_list(shipped)), second)
    decked = Timeline([structs.replace(header, seats=called), *events[1:]], timeline.rulebook, timeline.card_sets)
    told = [player["deck"] for player in decked.viewer_data(language)["game"]["players"]]
    assert told == [shipped.called(language), second.deck.name]


def test_a_game_without_a_board_gets_a_plain_one_with_a_place_for_every_zone() -> None:
    rulebook = highcard.SHARED[0]
    board = board_of(rulebook)
    placed = {place.zone for place in (*board.lines, *board.lives, *board.piles)} | {board.hand}
    assert {zone.name for zone in rulebook.zones} <= placed
    events = highcard.game(4)
    timeline = Timeline(events, rulebook, highcard.SHARED[1])
    assert timeline.steps == len(events)
    assert [_jump(_plain(timeline.viewer_data()), step) for step in range(timeline.steps)] == _frames(timeline)


def test_a_declared_board_names_declared_zones_only() -> None:
    rulebook = play.begin(1, size=21).game.rulebook
    board = board_of(rulebook)
    assert [line.zone for line in board.lines] == ["b", "a"]
    assert [place.zone for place in board.lives] == ["deck"]
    assert Declared(rulebook).move_kinds >= set(board.marks) - {"hit", "ended"}
    less = msgspec.structs.replace(rulebook, zones=tuple(z for z in rulebook.zones if z.name != "a"))
    assert [line.zone for line in board_of(less).lines] == ["b"], "a log that declares less gets the plain board"
