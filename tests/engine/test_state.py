"""A copied state is a second one: nothing done to the one shows in the other."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import pytest

from engine.core.match import Match
from engine.rulebooks import registry
from engine.state import Card, Owned, State, copy, copy_card
from events.kinds import Asked, GameEnded
from tests.play import begin, play
from tests.state_json import to_json


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


def test_a_copy_has_each_field_in_its_place() -> None:
    """`copy` names the fields one by one: none may be left out, or stand where another belongs."""
    held: dict[str, Any] = {
        "zones": [{"deck": [2]}, {"deck": [3]}], "counters": [{"hp": 1}, {"hp": 2}], "owned": None, "attack": (7, 8),
        "game": "one", "phase": "two", "asked": Asked(seat=1, question="three"), "result": GameEnded(1, "four"),
    }
    for number, field in enumerate(fields(State)):
        makes = field.default_factory
        held.setdefault(field.name, number if makes is MISSING else {number: number} if makes is dict else [number])
    assert len({repr(value) for value in held.values()}) == len(held)
    second = copy(State(**held))
    assert second.owned == Owned()
    assert {field.name: getattr(second, field.name) for field in fields(State)} == {**held, "owned": Owned()}


def test_a_copied_card_has_each_field_in_its_place() -> None:
    card = Card("a", 1, 2, "b", False, True, 3, 4, "c", [5], {"d": 6})
    assert len(fields(Card)) == 11 and len({repr(getattr(card, field.name)) for field in fields(Card)}) == 11
    second = copy_card(card)
    assert second == card and second is not card
    second.zone = "elsewhere"
    assert card.zone == "b"
