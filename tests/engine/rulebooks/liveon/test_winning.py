"""Winning, losing, conceding, drawing (LO-46, LO-47)."""

import pytest

from events.kinds import Acted, GameEnded, StackPushed
from tests.engine.rulebooks.liveon.abilities import BELL, cards, do, on, reaction, skill, used
from tests.engine.rulebooks.liveon.position import position


@pytest.mark.rule("LO-46")
def test_the_deck_burst_to_zero_loses_at_once():
    table = position("0 A: Ox, Idle\n1 deck: 1").do("attack Ox deck")
    assert table.result == (0, "burst")
    assert table.legal() == []
    assert table.waits == "over"
    assert isinstance(table.events()[-1], GameEnded)


@pytest.mark.rule("LO-46")
def test_the_own_draw_of_the_last_card_loses():
    table = position("0 A: Ox\n1 A: Cow   deck: 1\nphase end")
    assert len(table.zone(1, "hand")) == 1
    assert table.result == (0, "draw")


@pytest.mark.rule("LO-46")
@pytest.mark.parametrize("step", [
    do("mill"), do("draw", who="other"), do("move", what=cards("deck", of="other"), zone="hand"),
])
def test_an_effect_that_takes_the_last_card_wins(step):
    table = position("0 A: Idle   hand: Flood\n1 deck: 1", Flood=skill(step)).do("use Flood")
    assert table.result is not None
    assert table.result[0] == 0


@pytest.mark.rule("LO-46")
def test_an_effect_on_the_own_deck_loses():
    table = position("0 A: Idle   B: Forge   deck: 1", Forge=used(do("draw", n=0), cost=[{"pay": "mill"}]))
    table.do("use Forge")
    assert table.result == (1, "effect")


@pytest.mark.rule("LO-46")
def test_a_reaction_on_the_very_last_card_comes_too_late():
    table = position("0 A: Ox, Idle\n1 deck: Mine", Mine=reaction(do("move", what="self", zone="deck")))
    table.do("attack Ox deck")
    assert table.result == (0, "burst")
    assert table.events(StackPushed) == []


@pytest.mark.rule("LO-46")
def test_a_deck_at_0_ends_the_game_after_the_very_instruction():
    tide = skill(do("mill", who="other"), do("mill", who="own"))
    table = position("0 A: Idle   hand: Tide   deck: 1\n1 deck: 1", Tide=tide).do("use Tide")
    assert table.result == (0, "effect")
    assert len(table.zone(0, "deck")) == 1


@pytest.mark.rule("LO-46")
def test_a_player_may_concede_at_any_question_of_the_own():
    table = position("0 A: Ox, Idle\n1 A: Wall 5000   B: Bell", Bell=BELL)
    assert "concede" not in table.legal()
    table.do("attack Ox Wall")
    assert table.waits == "1 window"
    table.do("concede")
    assert table.result == (0, "conceded")
    assert table.events(Acted)[-1].seat == 1
    table = position("0 A: Ox, Idle\n1 A: Wall 5000").do("attack Ox deck", "concede")
    assert table.result == (0, "conceded")


@pytest.mark.rule("LO-46")
def test_a_won_game_carries_nothing_further_out():
    table = position("0 A: Ox burst 2, Idle\n1 B: Widow   deck: 2", Widow=on("bursts", do("draw"), whose="other"))
    table.do("attack Ox deck")
    assert table.result == (0, "burst")
    assert table.events(StackPushed) == []


@pytest.mark.rule("LO-47")
@pytest.mark.parametrize("what", ["draw", "mill", "burst"])
def test_one_instruction_that_empties_both_decks_is_a_draw(what):
    table = position("0 A: Idle   hand: Tide   deck: 2\n1 deck: 2", Tide=skill(do(what, n=2, who="any"))).do("use Tide")
    assert table.result == (None, "both")
    assert table.zone(0, "deck") == table.zone(1, "deck") == []
