"""Monster Battle: evolution (MB-25)."""

from __future__ import annotations

import pytest

from events.kinds import RuleApplied
from tests.engine.rulebooks.monbattle.abilities import (
    add,
    cards,
    do,
    effect,
    lp,
    passive,
    skill,
)
from tests.engine.rulebooks.monbattle.position import position


@pytest.mark.rule("MB-25")
def test_an_effect_that_plays_two_has_only_the_first_go_onto_the_one_monster() -> None:
    table = position("""
        0  standby: Imp   hand: Ruby from:Imp, Jade from:Imp, Call assist
    """, Call=effect(do("play", what=cards("hand", of="own", kind="monster"))))
    table.do("use Call")
    assert table.waits == "0 main" and table.zone(0, "standby") == ["Jade"] and table.zone(0, "hand") == ["Ruby"]


@pytest.mark.rule("MB-25")
def test_an_evolution_goes_onto_its_monster_on_standby_or_on_the_stage_whatever_the_level() -> None:
    for place in ("standby", "battle"):
        table = position(f"""
            0  player: Chief 6000/30/1   {place}: Imp 500/200/3   hand: Ruby 900/400/5 c3 from:Imp
        """)
        table.do("play Ruby")
        assert table.zone(0, place) == ["Ruby"] and table.held("Ruby") == ["Imp"]
        assert [table.value("Ruby", name) for name in ("atk", "def", "spd", "cost")] == [900, 400, 5, 3]
        assert table.story(RuleApplied) == ["evolve Ruby"]


@pytest.mark.rule("MB-25")
def test_only_onto_the_monster_that_it_names_which_must_lie_on_top_and_be_ones_own() -> None:
    table = position("""
        0  standby: Ruby from:Imp over Imp, Ox   hand: Jade from:Imp
        1  standby: Imp
    """)
    assert table.refused("play Jade") == "MB-25"


@pytest.mark.rule("MB-25")
def test_of_several_the_player_chooses_and_the_place_in_the_line_stays() -> None:
    table = position("""
        0  battle: Imp   standby: Ox, Imp, Ram   hand: Ruby from:Imp
    """)
    table.do("play Ruby")
    assert table.waits == "0 evolve" and table.legal() == ["choose Imp", "choose Imp#2"]
    assert table.refused("choose Ox") == "MB-25"
    table.do("choose Imp#2")
    assert table.zone(0, "standby") == ["Ox", "Ruby", "Ram"]


@pytest.mark.rule("MB-25")
def test_equipment_is_kept_whatever_the_attribute_and_a_chain_may_stand_on_one_monster() -> None:
    table = position("""
        0  standby: Imp fire + Torch weapon fire +300 + Boots item:monster
        0  hand: Ruby water 900/0/1 from:Imp, King from:Ruby 1200/0/1
    """, Boots=passive("spd", what="bearer", add=4))
    table.do("play Ruby")
    assert table.held("Ruby") == ["Boots", "Imp", "Torch"]
    assert (table.value("Ruby", "atk"), table.value("Ruby", "spd")) == (1200, 5)
    table.do("play King")
    assert table.held("King") == ["Boots", "Imp", "Ruby", "Torch"]
    assert (table.value("King", "atk"), table.value("King", "spd")) == (1500, 5)
    assert table.zone(0, "under") == ["Imp", "Ruby"]


@pytest.mark.rule("MB-25", "MB-36")
def test_changes_on_the_lower_card_do_not_pass_to_the_upper_one() -> None:
    table = position("""
        0  standby: Imp   hand: Rage assist, Ruby 900/400/5 from:Imp
    """, Rage=effect(add("atk", 300, cards("standby", of="own"))))
    table.do("use Rage")
    assert table.value("Imp", "atk") == 800
    table.do("play Ruby")
    assert table.value("Ruby", "atk") == 900 and not table.match.state.modifiers


@pytest.mark.rule("MB-25")
def test_a_use_spent_by_the_lower_card_is_not_spent_for_the_upper_one() -> None:
    table = position("""
        0  standby: Imp   hand: Ruby from:Imp
    """, Imp=skill(lp(10)), Ruby=skill(lp(20)))
    table.do("use Imp")
    assert table.refused("use Imp") == "MB-37"
    table.do("play Ruby", "use Ruby")
    assert table.value(0, "lp") == 6030
    assert table.refused("use Imp") == "MB-35", "a card under another one has no skill"


@pytest.mark.rule("MB-25", "MB-51")
def test_evolving_on_the_stage_can_bring_cost_over_at_once_and_on_standby_does_not() -> None:
    for place, result in (("battle", (1, "cost_over")), ("standby", None)):
        table = position(f"""
            0  player: Chief 6000/10/3   {place}: Imp   stock: Cow c7   hand: Ruby c4 from:Imp
        """)
        table.do("play Ruby")
        assert table.result == result


@pytest.mark.rule("MB-25")
def test_only_the_upper_cards_cost_counts_while_it_stands_there() -> None:
    table = position("""
        0  player: Chief 6000/10/3   battle: Imp c3   stock: Cow c7   hand: Ruby c2 from:Imp
    """)
    table.do("play Ruby")
    assert table.result is None and table.value("Ruby", "cost") == 2
