"""From the deck lists to the first round (XC-12 … XC-15)."""

from __future__ import annotations

import pytest

from engine.view import view
from events.kinds import CardFlipped, CardMoved, Rolled, Shuffled
from tests.engine.rulebooks.xcard.position import new_game

DECK = "leader: Sun  2 Sun holy 1200/1100/2500, 12 Plain, 8 Blank"
OTHER = "leader: Moon  Moon demon 1300/900/2700, 12 Plain, 8 Blank"
NO_LEADER = "Sun holy 1200/1100/2500, Moon demon 1300/900/2700, 12 Plain, 8 Blank"


@pytest.mark.rule("XC-12")
def test_the_named_leader_lies_face_up_and_leaves_the_deck() -> None:
    table = new_game(DECK, OTHER)
    assert [table.zone(seat, "leader") for seat in (0, 1)] == [["Sun"], ["Moon"]]
    assert all(table.match.card(table.find(name)).face_up for name in ("Sun", "Moon"))
    assert table.hp == (2500, 2700) and [table.value(seat, "def") for seat in (0, 1)] == [1100, 900]
    assert len(table.zone(0, "warriors")) + len([c for c in table.zone(0, "hand") if c != "Blank"]) >= 13


@pytest.mark.rule("XC-12")
def test_leaders_chosen_at_set_up_stay_hidden_until_both_are_turned_up() -> None:
    table = new_game(NO_LEADER, NO_LEADER, options={"first": 0})
    assert table.waits == "0 leader" and table.legal() == ["choose Plain", "choose Moon", "choose Sun"]
    table.do("choose Moon")
    assert table.waits == "1 leader"
    seen = [e for e in view(table.match.log, 1, table.match.game.declared) if isinstance(e, CardMoved)]
    assert [(e.card, e.zone) for e in seen] == [(-1, "leader")]
    table.do("choose Sun#2")
    flipped = [e for e in table.match.log if isinstance(e, CardFlipped)]
    assert [table.name(e.card) for e in flipped] == ["Moon", "Sun#2"]
    first, second = (table.match.log.index(e) for e in flipped)
    assert second == first + 1, "turned up together"
    assert table.hp == (2700, 2500)


@pytest.mark.rule("XC-13")
def test_items_and_warriors_are_two_decks_each_with_its_own_discard_pile() -> None:
    table = new_game(DECK, OTHER, options={"first": 0})
    shuffled = [(e.seat, e.zone) for e in table.events(Shuffled)]
    assert shuffled == [(0, "warriors"), (0, "items"), (1, "warriors"), (1, "items")]
    kinds = {
        zone: {table.match.definition(c).kind for side in table.match.state.zones for c in side[zone]}
        for zone in ("warriors", "items")
    }
    assert kinds == {"warriors": {"character"}, "items": {"item"}}
    orders = {e.order for seed in range(4) for e in new_game(DECK, OTHER, seed=seed).events(Shuffled)[:1]}
    assert len(orders) == 4, "the order comes from the seed"


@pytest.mark.rule("XC-14")
def test_the_first_hand_is_3_warriors_and_2_items() -> None:
    table = new_game(DECK, OTHER)
    for seat in (0, 1):
        hand = table.match.state.zones[seat]["hand"]
        assert sorted(table.match.definition(c).kind for c in hand) == ["character"] * 3 + ["item"] * 2
        assert (len(table.zone(seat, "items")), len(hand)) == (6, 5)


@pytest.mark.rule("XC-15")
def test_who_attacks_first_is_drawn_from_the_seed_or_fixed_in_the_options() -> None:
    for first in (0, 1):
        table = new_game(DECK, OTHER, options={"first": first})
        assert table.match.state.active == first and not table.events(Rolled)
    drawn = [new_game(DECK, OTHER, seed=seed) for seed in range(12)]
    assert {table.match.state.active for table in drawn} == {0, 1}
    assert all(table.events(Rolled)[0].outcome == table.match.state.active for table in drawn)
