"""Computer players decide from what their seat may know."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.match import Match
from engine.players import greedy
from engine.rulebooks import registry
from engine.state import State, copy, sees
from tests.play import begin, play


def swapped(match: Match, seat: int, random: Random) -> State:
    """The table with all cards that `seat` does not see in each other's places, as far as it could not tell."""
    state = copy(match.state)
    alike: dict[tuple[int, str, str], list[int]] = {}
    for number, card in state.cards.items():
        printed, zone = match.printed[number], match.game.declared.zones[card.zone]
        if number not in match.state.asked.options and not sees(zone, card.seat, card.face_up, seat):  # type: ignore[union-attr]
            alike.setdefault((card.owner, match.game.back(printed), printed.kind), []).append(number)
    for numbers in alike.values():
        codes = [state.cards[n].code for n in numbers]
        random.shuffle(codes)
        for number, code in zip(numbers, codes, strict=True):
            state.writable_card(number).code = code
    return state


@pytest.mark.parametrize("key", registry.GAMES)
def test_greedy_decides_the_same_whatever_lies_where_its_seat_does_not_see_it(key: str) -> None:
    compared = 0

    def watch(match: Match) -> None:
        nonlocal compared
        asked = match.state.asked
        if asked is None or match.state.turn % 4 or len(match.legal()) < 2:
            return
        twin = Match(match.game, swapped(match, asked.seat, Random(compared)))
        assert twin.legal() == match.legal()
        assert greedy.decide(twin, Random(compared)) == greedy.decide(match, Random(compared))
        compared += 1

    for seed in range(3):
        play(begin(seed, key), seed, watch=watch)
    assert compared > 30


def test_what_lies_face_down_on_the_table_is_imagined_as_another_card_of_its_kind() -> None:
    match = begin(2)
    match.act(match.legal()[0])
    assert match.state.asked is not None and match.state.asked.seat == 1
    (down,) = match.state.zones[0]["b"]
    found = {greedy.imagine(match, 1, Random(n)).state.cards[down].code for n in range(200)}
    fighters = {d.code for c, d in match.printed.items() if d.kind == "fighter" and match.card(c).owner == 0}
    assert found == fighters
    assert len(fighters) > 1
