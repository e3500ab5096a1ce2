"""Monster Battle: the main phase. Drawing, standby, evolution, weapons, assists, items, fields, skills."""

from __future__ import annotations

import pytest

from events.actions import Use
from events.kinds import CardAttached, CardMoved, CounterSet, PhaseBegan, RuleApplied, StackPushed
from tests.engine.rulebooks.monbattle.abilities import (
    add,
    cards,
    choose,
    discard,
    do,
    effect,
    lp,
    on,
    passive,
    skill,
    target,
)
from tests.engine.rulebooks.monbattle.position import position

# --- drawing ------------------------------------------------------------------------------------------------


@pytest.mark.rule("MB-22")
def test_a_main_phase_begins_with_a_draw() -> None:
    table = position("""
        0  battle: Ox   deck: Ace, Bee
        phase draw
    """)
    assert table.zone(0, "hand") == ["Ace"] and table.waits == "0 main"


@pytest.mark.rule("MB-22", "MB-50")
def test_drawing_the_last_card_is_no_loss_but_the_next_main_phase_is() -> None:
    table = position("""
        0  battle: Ox   standby: Ram, Bull   deck: Ace
        1  battle: Elk 9/900/3   standby: Doe 9/900/3, Hind 9/900/3
        phase draw   active 0
    """)
    assert table.waits == "0 main" and table.zone(0, "deck") == []
    table.do("pass", "pass", "choose Ram", "choose Doe")
    table.until("0 main")
    assert table.result == (1, "no_draw")


@pytest.mark.rule("MB-22")
def test_a_draw_by_an_effect_from_an_empty_deck_is_no_loss() -> None:
    table = position("""
        0  battle: Ox   hand: Dig assist   deck: Ace
        phase draw
    """, Dig=effect(do("draw", n=3)))
    table.do("use Dig")
    assert table.result is None and table.waits == "0 main"
    assert table.moves("spent") == ["Dig spent"]


@pytest.mark.rule("MB-23")
def test_all_is_done_in_any_order_and_as_often_as_possible() -> None:
    table = position("""
        0  standby: Ox fire   hand: 2 Ram, Axe weapon fire +100, Wow field, Dig assist, Ruby from:Ox
    """, Dig=effect(do("draw")))
    table.do("play Wow", "play Ram", "use Dig", "play Axe", "play Ruby", "play Ram")
    assert sorted(table.zone(0, "standby")) == ["Ram", "Ram#2", "Ruby"]
    assert "pass" in table.legal()


@pytest.mark.rule("MB-23")
def test_what_a_card_goes_onto_is_asked_when_it_has_been_named() -> None:
    table = position("0  standby: Ox fire, Ram fire   hand: Axe weapon fire +100")
    assert table.refused("play Axe on Ox") == "MB-23"
    table.do("play Axe")
    assert table.waits == "0 weapon" and table.refused("pass") == "MB-26"


# --- standby ------------------------------------------------------------------------------------------------


@pytest.mark.rule("MB-24")
def test_monsters_up_to_the_player_level_go_to_standby_any_number() -> None:
    table = position("""
        0  player: Chief 6000/30/2   hand: One, Two c2, Three c3
    """)
    table.do("play One", "play Two")
    assert table.zone(0, "standby") == ["One", "Two"]
    assert table.refused("play Three") == "MB-24" and "play Three" not in table.legal()


@pytest.mark.rule("MB-24")
def test_a_changed_level_counts() -> None:
    table = position("""
        0  player: Chief 6000/30/2   hand: Three c3, Up item:player
    """, Up=passive("level", what="own", add=1))
    table.do("play Up", "play Three")
    assert table.value(0, "level") == 3 and table.zone(0, "standby") == ["Three"]


@pytest.mark.rule("MB-24")
def test_standby_holds_five() -> None:
    table = position("0  standby: 4 Ox   hand: 2 Ram")
    table.do("play Ram")
    assert table.refused("play Ram#2") == "MB-24"


@pytest.mark.rule("MB-24")
def test_an_effect_puts_no_sixth_monster_there_either() -> None:
    table = position("""
        0  battle: Elk   standby: 5 Ox   hand: Ram, Call assist, Back assist
    """, Call=effect(do("move", what=cards("hand", of="own", kind="monster"), zone="standby"),
                     do("play", what=cards("hand", of="own", kind="monster"))),
        Back=effect(do("move", what=cards("battle", of="own"), zone="standby")))
    table.do("use Call", "use Back")
    assert len(table.zone(0, "standby")) == 5
    assert (table.zone(0, "hand"), table.zone(0, "battle")) == (["Ram"], ["Elk"])


@pytest.mark.rule("MB-24")
def test_evolution_monsters_do_not_go_there_by_themselves_not_even_by_an_effect() -> None:
    table = position("""
        0  standby: Ox   hand: Ruby c1 from:Imp, Call assist
        1  battle: Elk
    """, Call=effect(choose("hand", of="own", kind="evolution"), do("move", what="chosen", zone="standby"),
                     do("play", what="chosen")))
    assert table.refused("play Ruby") == "MB-25"
    table.do("use Call")
    assert table.zone(0, "hand") == ["Ruby"] and table.zone(0, "standby") == ["Ox"]


# --- assists ------------------------------------------------------------------------------------------------


@pytest.mark.rule("MB-30")
def test_an_assist_is_announced_carried_out_and_dropped_any_number_of_them() -> None:
    table = position("""
        0  hand: Gain assist, Dig assist
    """, Gain=effect(lp(100)), Dig=effect(do("draw")))
    table.do("use Gain", "use Dig")
    assert table.moves("announced") == ["Gain announced", "Dig announced"]
    assert table.story(StackPushed) == ["assist Gain", "assist Dig"]
    assert table.zone(0, "drop") == ["Dig", "Gain"] and table.value(0, "lp") == 6100


@pytest.mark.rule("MB-30")
def test_an_assist_that_says_so_goes_elsewhere() -> None:
    table = position("0  hand: Gain assist, Ox", Gain=effect(lp(100), do("move", what="self", zone="deck")))
    table.do("use Gain")
    assert table.zone(0, "deck")[0] == "Gain" and table.zone(0, "drop") == []


@pytest.mark.rule("MB-30")
def test_an_assist_is_used_not_put_down_and_what_it_asks_for_must_hold() -> None:
    table = position("0  hand: Gain assist", Gain=effect(lp(100), when={"count": cards("standby", of="own")}))
    assert table.refused("play Gain") == "MB-30" and table.refused("use Gain") == "MB-30"


@pytest.mark.rule("MB-31")
def test_no_assists_in_the_first_round_items_included_by_neither_player() -> None:
    text = """
        {}  standby: Ox fire   hand: Gain assist, Ring item:player, Axe weapon fire +300, Wow field
        turn {}   seat {}
    """
    for seat in (0, 1):
        table = position(text.format(seat, 1, seat), Gain=effect(lp(100)), Ring=passive("level", what="own", add=1))
        assert table.refused("use Gain") == "MB-31" and table.refused("play Ring") == "MB-31"
        table.do("play Axe", "play Wow")
        table = position(text.format(seat, 2, seat), Gain=effect(lp(100)), Ring=passive("level", what="own", add=1))
        table.do("use Gain", "play Ring")


# --- fields -------------------------------------------------------------------------------------------------


@pytest.mark.rule("MB-33")
def test_a_field_stays_and_is_replaced_by_the_opponents_going_to_its_owners_drop() -> None:
    table = position("""
        0  battle: Ox 500/200/3   hand: Hill field
        1  battle: Elk 500/200/3   hand: Moor field
    """, Hill=passive("atk", what=cards("battle"), add=100), Moor=passive("atk", what=cards("battle"), add=-100))
    table.do("play Hill")
    assert table.zone(0, "field") == ["Hill"] and table.value("Elk", "atk") == 600
    table.do("pass", "play Moor")
    assert (table.zone(0, "field"), table.zone(1, "field")) == ([], ["Moor"])
    assert table.zone(0, "drop") == ["Hill"] and table.value("Ox", "atk") == 400
    assert table.story(RuleApplied) == ["replace_field Moor"]


@pytest.mark.rule("MB-33")
def test_one_field_per_phase_and_an_own_older_field_is_replaced_too() -> None:
    table = position("""
        0  field: Hill field   hand: Moor field, Fen field
    """)
    table.do("play Moor")
    assert table.zone(0, "field") == ["Moor"] and table.zone(0, "drop") == ["Hill"]
    assert table.refused("play Fen") == "MB-33"


@pytest.mark.rule("MB-34")
def test_a_field_of_the_same_name_cannot_be_played_whosever_is_out() -> None:
    for lies in ("0  hand: Hill field   field: Hill", "0  hand: Hill field\n1  field: Hill"):
        table = position(lies)
        assert table.refused("play Hill") == "MB-34"


# --- skills -------------------------------------------------------------------------------------------------


@pytest.mark.rule("MB-35")
def test_skills_of_the_own_player_card_and_monsters_are_used_when_announced() -> None:
    table = position("""
        0  player: Boss player 5000/20/2   battle: Ox   standby: Ram   hand: Bull
        1  player: Lord player 5000/20/2   battle: Elk
    """, Boss=skill(lp(1)), Ox=skill(lp(10)), Ram=skill(lp(100)), Bull=skill(lp(9)), Elk=skill(lp(9)))
    assert table.legal() == ["pass", "play Bull", "use Boss", "use Ox", "use Ram"]
    table.do("use Ram", "use Boss", "use Ox")
    assert table.value(0, "lp") == 5111 and table.story(StackPushed) == ["ability Ram", "ability Boss", "ability Ox"]
    assert table.refused("use Bull") == "MB-35", "it lies in the hand"
    with pytest.raises(Exception, match="not this player's"):
        table.match.act(Use(table.ids["Elk#1"]))


@pytest.mark.rule("MB-35")
def test_what_a_skill_asks_for_must_hold_and_its_cost_be_paid() -> None:
    table = position("""
        0  standby: Ox, Ram   hand: Bull c9, Cow c9
    """, Ox=skill(lp(10), cost=[discard(2)]), Ram=skill(lp(10), when={"count": cards("standby"), "at_least": 3}))
    assert table.refused("use Ram") == "MB-35"
    table.do("use Ox")
    assert sorted(table.zone(0, "drop")) == ["Bull", "Cow"]
    assert table.refused("use Ox") == "MB-35", "the hand is empty"


@pytest.mark.rule("MB-36")
def test_what_works_on_its_own_works_in_the_area_and_nowhere_else() -> None:
    for place, atk in (("standby", 600), ("battle", 600), ("stock", 500), ("drop", 500), ("hand", 500)):
        table = position(f"""
            0  {place}: Drum c9
            1  battle: Elk 500/200/3
        """, Drum=passive("atk", what=cards("battle", of="other"), add=100))
        assert table.value("Elk", "atk") == atk, place


@pytest.mark.rule("MB-36")
def test_equipment_and_field_and_player_card_are_in_the_area() -> None:
    table = position("""
        0  player: Boss player 5000/20/2   field: Hill field
        0  battle: Ox 500/200/3 + Axe weapon stone +100 + Boots item:monster
        1  battle: Elk
    """, Boss=passive("atk", what=cards("battle", of="own"), add=1), Axe=passive("atk", what="bearer", add=20),
        Boots=passive("atk", what="bearer", add=300), Hill=passive("atk", what=cards("battle", of="own"), add=4000))
    assert table.waits == "1 main", "nothing to be done by the first player"
    struck = table.events(CounterSet)[-1]
    assert (struck.name, struck.value) == ("lp", 6000 - 4921 + 200)


@pytest.mark.rule("MB-36")
def test_a_monster_that_leaves_loses_changes_ties_and_marks_and_its_equipment_is_dropped() -> None:
    table = position("""
        0  standby: Ruby from:Imp 900/0/1 over Imp + Axe weapon stone +300   hand: Rage assist, Home assist
    """, Rage=effect(add("atk", 300, cards("standby"))), Ruby=skill(lp(1)),
        Home=effect(do("move", what=cards("standby", of="own"), zone="hand")))
    table.do("use Ruby", "use Rage", "use Home")
    assert sorted(table.zone(0, "hand")) == ["Imp", "Ruby"] and table.zone(0, "drop") == ["Home", "Axe", "Rage"]
    card = table.match.card(table.ids["Ruby#1"])
    assert (card.counters, card.attachments, table.match.state.modifiers) == ({}, [], {})


@pytest.mark.rule("MB-36")
def test_what_an_effect_destroys_goes_to_the_drop_pile_and_so_does_what_it_bears() -> None:
    table = position("""
        0  hand: Bang assist   standby: Ram
        1  standby: Ruby from:Imp over Imp + Axe weapon stone +300
    """, Bang=effect(do("destroy", what="target"), targets=[target("standby", of="other")]),
        Ruby=on("destroyed", lp(7)))
    table.do("use Bang")
    assert sorted(table.zone(1, "drop")) == ["Axe", "Imp", "Ruby"] and table.value(1, "lp") == 6007
    assert table.moves("destroyed", "dropped") == ["Ruby destroyed", "Imp destroyed", "Axe dropped"]


@pytest.mark.rule("MB-37")
def test_a_skill_with_neither_cost_nor_limit_is_once_per_main_phase_for_each_card_and_ability() -> None:
    table = position("""
        0  standby: 2 Ox   hand: Bull c9
    """, Ox=[skill(lp(1)), skill(lp(10))])
    table.do("use Ox", "use Ox 1", "use Ox#2")
    assert table.refused("use Ox") == "MB-37" and table.refused("use Ox 1") == "MB-37"
    table.do("use Ox#2 1")
    assert table.value(0, "lp") == 6022


@pytest.mark.rule("MB-37")
def test_a_skill_can_be_used_again_in_the_next_round() -> None:
    table = position("""
        0  standby: Ox, Ram
        1  standby: Elk, Doe
    """, Ram=skill(lp(5)))
    table.do("use Ram", "pass", "pass", "choose Ox", "choose Elk").until("0 main")
    table.do("use Ram")
    assert table.match.state.turn == 4


@pytest.mark.rule("MB-37")
def test_a_skill_that_costs_is_used_as_often_as_it_is_paid_unless_it_says_once() -> None:
    table = position("""
        0  standby: Ox, Ram   deck: 5 Plain
    """, Ox=skill(lp(1), cost=[{"pay": "mill"}]), Ram=skill(lp(10), cost=[{"pay": "mill"}], once=True))
    table.do("use Ox", "use Ox", "use Ram")
    assert table.refused("use Ram") == "MB-37"
    table.do("use Ox")
    assert table.value(0, "lp") == 6013 and len(table.zone(0, "drop")) == 4


@pytest.mark.rule("MB-37")
def test_there_is_no_limit_on_the_hand() -> None:
    table = position("0  hand: 20 Cow c9, Dig assist   deck: 9 Plain", Dig=effect(do("draw", n=5)))
    table.do("use Dig", "pass")
    assert len(table.zone(0, "hand")) == 25


def test_evolving_and_equipping_set_off_what_hears_it() -> None:
    table = position("""
        0  standby: Imp   hand: Ruby from:Imp, Axe weapon stone +100, Gain assist, Ox
    """, Ruby=[on("evolved", lp(1)), on("played", lp(1000), whose="own", fits=cards("standby"))],
        Axe=on("played", lp(10)), Gain=effect(lp(100)))
    table.do("play Ruby", "play Axe", "use Gain", "play Ox")
    assert table.value(0, "lp") == 7111
    assert [e.attachment for e in table.events(CardAttached)] == ["under", "weapon"]


def test_a_trigger_that_asks_goes_through_the_state() -> None:
    table = position("""
        0  battle: Ox   hand: Ram, 2 Cow c9
    """, Ram=on("played", do("may", then=[choose("hand", of="own"), do("move", what="chosen", zone="drop"), lp(50)])))
    table.do("play Ram")
    assert table.waits == "0 may"
    table.do("yes", "choose Cow#2")
    assert table.value(0, "lp") == 6050 and table.zone(0, "drop") == ["Cow#2"] and table.waits == "0 main"


def test_changes_until_the_end_of_the_phase_end_with_it() -> None:
    table = position("""
        0  player: Chief 6000/30/2   hand: Up assist, Big c3, Ox
        1  battle: Elk
    """, Up=effect(add("level", 1, "own", duration="phase")))
    table.do("use Up", "play Big", "pass")
    assert table.zone(0, "standby") == ["Big"] and table.value(0, "level") == 2
    assert table.story(PhaseBegan)[0] == "main 0" and table.events(CardMoved)


def test_an_effect_plays_a_monster_as_its_owner_would() -> None:
    table = position("""
        0  player: Chief 6000/30/2   drop: Big c3, Ox   hand: 2 Call assist
    """, Call=effect(choose("drop", of="own", kind="monster"), do("play", what="chosen")))
    table.do("use Call", "choose Big")
    assert table.zone(0, "standby") == [], "above the level"
    table.do("use Call", "choose Ox")
    assert table.zone(0, "standby") == ["Ox"]


def test_pp_for_the_rest_of_the_game_outlasts_the_assist() -> None:
    table = position("0  hand: Study assist, Ox", Study=effect(add("pp", 2, "own", duration="game")))
    table.do("use Study", "pass", "pass").until("0 main")
    assert table.value(0, "pp") == 32
