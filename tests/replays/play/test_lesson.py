"""First steps: each script is played against the rules of today, and says something at each of the learner's steps."""

from __future__ import annotations

import re

import pytest

from engine.cards.decks import deck_list
from engine.core.match import Match
from engine.rulebooks import registry
from engine.words import LANGUAGES, placeholders
from events.kinds import Acted, Seat
from replays.play.lesson import LEARNER, TAG, lesson_of, lessons, next_step, script_of, steps_done


def begun(key: str, tags: tuple[str, ...] = (TAG,)) -> Match:
    """The game of a lesson, at its first question."""
    lesson, rules = lesson_of(key), registry.load(key)
    assert lesson is not None
    first, second = (Seat(name, "human", deck_list(deck)) for name, deck in zip("AB", lesson.decks, strict=True))
    header = rules.header((first, second), lesson.options, lesson.seed, origin="played", match="0" * 16, tags=tags)
    return rules.begin(header)


def test_each_game_has_a_lesson() -> None:
    assert lessons() == list(registry.GAMES)


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_script_is_legal_under_the_rules_of_today_and_ends_with_the_third_turn(key: str) -> None:
    lesson, match = lesson_of(key), begun(key)
    assert lesson is not None
    assert registry.load(key).option_problems(lesson.options) == []
    for number, step in enumerate(lesson.steps):
        asked = match.state.asked
        assert asked is not None and asked.seat == step.seat, number
        assert step.action in match.legal(), (number, match.legal())
        assert next_step(match.log) is step
        match.act(step.action)
    assert match.state.turn == 4 and match.state.result is None, "three turns, and the game goes on"
    assert next_step(match.log) is None and script_of(match.log) is lesson
    assert steps_done(match.log) == lesson.own_steps >= 10
    assert {event.seat for event in match.log if isinstance(event, Acted)} == {0, 1}


@pytest.mark.parametrize("key", registry.GAMES)
def test_each_of_the_learners_steps_says_something_in_each_language(key: str) -> None:
    lesson = lesson_of(key)
    assert lesson is not None
    for step in lesson.steps:
        assert bool(step.say) == (step.seat == LEARNER)
        if step.say:
            assert set(step.say) == set(LANGUAGES) and all(step.say.values())
            places = {language: set(placeholders(text)) for language, text in step.say.items()}
            assert all(found == places["en"] <= {"card"} for found in places.values()), step.say["en"]
            assert not re.search(r"[぀-ヿ一-鿿]", step.say["en"])


def test_a_game_that_is_no_lesson_or_has_left_it_has_no_next_step() -> None:
    assert script_of(begun("liveon", ()).log) is None
    match = begun("liveon")
    step = next_step(match.log)
    assert step is not None
    match.act(next(action for action in match.legal() if action != step.action))
    assert next_step(match.log) is None and script_of(match.log) is None
