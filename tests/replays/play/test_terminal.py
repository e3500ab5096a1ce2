"""What a person is asked in the terminal."""

from __future__ import annotations

import pytest

from engine.fold import empty_state
from engine.rulebooks import registry
from engine.state import Declared
from engine.words import words
from events.kinds import Asked
from replays.play.terminal import Names, question


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("key", registry.GAMES)
def test_every_question_of_a_game_is_asked_in_its_words(key: str, language: str) -> None:
    rules = registry.load(key)
    said = words(language, key)
    state = empty_state(Declared(rules.rulebook))
    names = Names(rules.rulebook, rules.card_sets, language)
    for asks in rules.rulebook.questions:
        state.asked = Asked(0, asks)
        assert question(state, names) == said.own(f"question.{asks}"), asks
