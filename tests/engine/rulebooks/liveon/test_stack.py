"""Skills, abilities, the pile and its windows (LO-39 … LO-43)."""

import pytest

from events.kinds import Asked, CounterSet, DamageDealt, PhaseBegan, StackPopped, StackPushed
from tests.engine.rulebooks.liveon.abilities import (
    BELL,
    DOWN,
    KILL,
    ZAP,
    cards,
    discard,
    do,
    on,
    skill,
    target,
    used,
)
from tests.engine.rulebooks.liveon.position import position

BOUNCE = skill(do("move", what="target", zone="hand"), do("move", what="target", zone="a"), targets=[target("a")])
NOTHING = skill(do("draw", n=0))


@pytest.mark.rule("LO-39")
def test_a_skill_is_played_from_the_hand_by_either_player_and_discarded_after_its_effect():
    table = position("""
        0 A: Ox, Idle   B: Elf red   hand: Bolt red skill
        1 A: Wall 5000  B: Imp blue  hand: Jet blue skill
    """, Bolt=ZAP, Jet=ZAP)
    table.do("attack Ox Wall", "use Bolt", "choose Wall")
    assert table.zone(0, "stack") == ["Bolt"]
    table.do("use Jet", "choose Idle")
    assert table.zone(1, "discard") == ["Jet"]
    assert table.moves("spent", "destroyed") == ["Idle destroyed", "Jet spent", "Bolt spent", "Ox destroyed"]


@pytest.mark.rule("LO-39")
def test_a_skill_needs_the_power_of_the_b_line():
    table = position("0 A: Ox red red, Idle   B: Elf red   hand: Bolt red red skill", Bolt=ZAP)
    assert table.refused("use Bolt") == "LO-39"


@pytest.mark.rule("LO-39")
def test_the_requirement_is_checked_when_it_is_played_and_not_when_it_is_settled():
    table = position("""
        0 A: Idle   B: Elf red   hand: Bolt red skill
        1 A: Wall 5000   hand: Kill
    """, Bolt=ZAP, Kill=KILL)
    table.do("use Bolt", "choose Wall", "use Kill", "choose Elf")
    assert table.zone(0, "B") == []
    assert table.value("Wall", "damage") == 1000


@pytest.mark.rule("LO-40", "LO-41")
def test_the_turn_player_has_the_first_word_and_is_settled_last():
    table = position("""
        0 A: Ox, Idle   hand: Bolt
        1 A: Wall 5000   hand: Jet
    """, Bolt=ZAP, Jet=ZAP)
    table.do("attack Ox Wall")
    assert table.waits == "0 window"
    table.do("use Bolt", "choose Wall")
    assert table.waits == "1 window"
    table.do("use Jet", "choose Wall")
    assert table.story(StackPushed, StackPopped) == ["skill Bolt", "skill Jet", "Jet resolved", "Bolt resolved"]


@pytest.mark.rule("LO-40")
def test_after_that_they_alternate():
    table = position("""
        0 A: Ox, Idle   hand: Bolt, Rock, Last
        1 A: Wall 9000   hand: Jet, Wave
    """, Bolt=NOTHING, Rock=NOTHING, Last=NOTHING, Jet=NOTHING, Wave=NOTHING)
    table.do("attack Ox Wall", "use Bolt", "use Jet", "use Rock", "use Wave", "pass")
    assert [e.seat for e in table.events(Asked) if e.question == "window"] == [0, 1, 0, 1, 0, 0]
    assert table.story(StackPopped) == ["Wave resolved", "Rock resolved", "Jet resolved", "Bolt resolved"]


@pytest.mark.rule("LO-41")
def test_an_effect_does_nothing_while_it_may_be_answered():
    table = position("0 A: Idle   hand: Bolt\n1 A: Wall 5000   B: Bell", Bolt=ZAP, Bell=BELL)
    table.do("use Bolt", "choose Wall")
    assert table.waits == "1 window"
    assert table.value("Wall", "damage") == 0
    table.do("pass")
    assert table.value("Wall", "damage") == 1000


@pytest.mark.rule("LO-41")
def test_two_passes_in_a_row_settle_the_pile_without_further_words():
    table = position("""
        0 A: Idle   B: Gong   hand: Bolt
        1 A: Wall 5000   B: Bell
    """, Bolt=ZAP, Bell=BELL, Gong=BELL)
    table.do("use Bolt", "choose Wall", "pass")  # 1 passes
    assert table.waits == "0 window"
    table.do("use Gong")
    assert table.waits == "1 window"  # a pass before a use does not count
    table.do("pass")
    assert table.story(StackPopped) == ["Gong resolved", "Bolt resolved"]


@pytest.mark.rule("LO-41")
def test_when_the_pile_is_empty_the_window_is_open_again_for_the_turn_player_first():
    table = position("0 A: Ox, Idle   hand: Bolt, Rock\n1 A: Wall 5000", Bolt=ZAP, Rock=ZAP)
    table.do("attack Ox Wall", "use Bolt", "choose Wall", "pass")
    assert table.story(StackPopped) == ["Bolt resolved"]
    assert table.waits == "0 window"
    assert table.events(DamageDealt)[1:] == []  # the attack has not been settled yet


@pytest.mark.rule("LO-41")
def test_what_is_set_off_goes_on_top_after_the_item_in_hand_and_opens_a_window():
    widow = on("destroyed", do("damage", what="target", n=500), targets=[target("a", of="other")], whose="own")
    table = position("""
        0 A: Ox, Idle   hand: Bolt, Kill
        1 A: Wall 5000, Son   B: Widow, Bell
    """, Bolt=ZAP, Kill=KILL, Widow=widow, Bell=BELL)
    table.do("attack Ox Wall", "use Bolt", "choose Wall", "pass", "use Kill", "choose Son", "pass")
    assert table.story(StackPopped) == ["Kill resolved"]
    assert table.waits == "1 target"
    table.do("choose Idle")
    assert table.story(StackPushed) == ["skill Bolt", "skill Kill", "trigger Widow"]
    assert table.waits == "1 window"  # turn player 0 has nothing to use
    table.do("pass")
    assert table.story(StackPopped) == ["Kill resolved", "Widow resolved", "Bolt resolved"]
    assert table.value("Idle", "damage") == 500


@pytest.mark.rule("LO-41")
def test_of_what_is_set_off_together_the_turn_players_is_placed_first_in_the_owners_order():
    hears = on("destroyed", do("draw"), whose="any")
    table = position("""
        0 A: Idle   B: Mine, Twin   hand: Kill
        1 A: Son   B: Yours, Ours
    """, Mine=hears, Twin=hears, Yours=hears, Ours=hears, Kill=KILL)
    table.do("use Kill", "choose Son")
    assert table.waits == "0 order"
    table.do("choose Twin")
    assert table.waits == "1 order"
    table.do("choose Ours")
    assert table.story(StackPushed)[1:] == ["trigger Twin", "trigger Mine", "trigger Ours", "trigger Yours"]
    assert table.story(StackPopped)[1:] == ["Yours resolved", "Ours resolved", "Mine resolved", "Twin resolved"]


@pytest.mark.rule("LO-41")
@pytest.mark.parametrize("phase", ["move", "live"])
def test_abilities_pile_in_the_move_and_live_phases_too(phase):
    table = position(f"0 A: Idle   B: Mine\n1 B: Yours\nphase {phase}", Mine=BELL, Yours=BELL)
    table.do("use Mine", "use Yours")
    assert table.story(StackPushed, StackPopped) == ["ability Mine", "ability Yours", "Yours resolved", "Mine resolved"]


@pytest.mark.rule("LO-42")
def test_the_other_player_gets_a_word_after_each_move_live_attack_and_use_and_at_the_phases_end():
    text = "0 A: Ox, Idle   B: Gong   hand: Cat\n1 A: Wall 5000 (down)  B: Bell\nphase "
    table = position(text + "move", Bell=BELL, Gong=BELL).do("move Ox")
    assert table.waits == "0 window"  # the turn player has the first word
    table.do("pass")
    assert table.waits == "1 window"
    table.do("pass")
    assert table.waits == "0 move"
    table.do("use Gong")
    assert table.waits == "1 window"
    table.do("pass", "pass")  # settled; the window is open again, only 1 has something left
    assert table.waits == "0 move"
    table.do("pass")
    assert table.waits == "1 window"
    table.do("pass")
    assert table.story(PhaseBegan) == ["live"]
    table.do("live Cat")
    assert table.waits == "1 window"
    table.do("pass", "pass")
    assert table.story(PhaseBegan) == ["live", "attack"]
    table.do("attack Idle Wall")
    assert table.waits == "1 window"


@pytest.mark.rule("LO-42")
def test_the_turn_player_acts_before_and_after_each_move_and_attack():
    table = position("0 A: Ox, Idle   B: Gong\n1 A: Wall 5000\nphase move", Gong=BELL)
    assert "use Gong" in table.legal()
    table.do("move Ox", "pass")
    assert "use Gong" in table.legal()
    table = position("0 A: Ox, Idle   hand: Bolt\n1 A: Wall 5000", Bolt=ZAP)
    assert "use Bolt" in table.legal()
    table.do("attack Ox Wall", "pass")
    assert table.waits == "0 attack"
    assert "use Bolt" in table.legal()


@pytest.mark.rule("LO-42")
def test_a_declaration_cannot_be_forestalled_and_windows_are_for_uses_only():
    table = position("0 A: Ox, Idle\n1 A: Wall 5000   B: Bell", Bell=BELL)
    assert table.waits == "0 attack"  # nobody else had a word before
    table.do("attack Ox Wall")
    assert table.waits == "1 window"
    assert table.legal() == ["pass", "use Bell"]
    assert table.refused("attack Wall deck") == "LO-42"


@pytest.mark.rule("LO-42")
def test_targets_are_chosen_when_it_goes_on_the_pile_before_costs_are_paid():
    drain = used(do("damage", what="target", n=1000), targets=[target("a", of="other")], cost=[discard("hand")])
    table = position("0 A: Drain, Idle   hand: Cat, Dog\n1 A: Wall 5000, Ram 5000", Drain=drain)
    table.do("use Drain")
    assert table.waits == "0 target"
    table.do("choose Ram")
    assert table.waits == "0 cost"
    table.do("choose Dog", "pass")
    assert table.moves("cost") == ["Dog cost"]
    assert table.value("Ram", "damage") == 1000


@pytest.mark.rule("LO-42")
def test_a_skill_whose_target_has_gone_does_nothing_and_is_discarded_all_the_same():
    table = position("0 A: Idle   hand: Bolt\n1 A: Wall 5000   hand: Gale", Bolt=ZAP,
                     Gale=skill(do("move", what="target", zone="hand"), targets=[target("a")]))
    table.do("use Bolt", "choose Wall", "use Gale", "choose Wall")
    assert table.story(StackPopped) == ["Gale resolved", "Bolt fizzled"]
    assert table.events(DamageDealt) == []
    assert table.zone(0, "discard") == ["Bolt"]


@pytest.mark.rule("LO-42", "LO-28")
def test_a_target_that_has_gone_and_come_back_is_another_card():
    table = position("0 A: Idle   hand: Bolt\n1 A: Wall 5000   hand: Bounce", Bolt=ZAP, Bounce=BOUNCE)
    table.do("use Bolt", "choose Wall", "use Bounce", "choose Wall")
    assert table.zone(1, "A") == ["Wall"]
    assert table.story(StackPopped) == ["Bounce resolved", "Bolt fizzled"]


CHANGES = {
    "its POW": (do("add", what="target", name="pow", n=-2000), {"at_least": {"pow": 4000}}),
    "its posture": (do("exhaust", what="target", exhausted=True), {"exhausted": False}),
    "its line": (do("move", what="target", zone="b"), {}),
    "a keyword": (do("set", what="target", name="stealth", value=0), {"at_least": {"stealth": 1}}),
}


@pytest.mark.rule("LO-42")
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_asked_of_a_target_is_asked_again_when_it_is_carried_out(change):
    step, wanted = CHANGES[change]
    spire = skill(do("destroy", what="target"), targets=[target("a", of="other", **wanted)])
    text = "0 A: Idle   hand: Spire\n1 A: Wall 5000 stealth   hand: Shift, Cat"
    table = position(text, Spire=spire, Shift=skill(step, targets=[target("a", of="own")]))
    table.do("use Spire", "use Shift")
    assert table.story(StackPopped) == ["Shift resolved", "Spire fizzled"]
    assert "Wall" in table.zone(1, "A") + table.zone(1, "B")
    assert table.zone(0, "discard") == ["Spire"]
    table = position(text, Spire=spire, Shift=skill(step, targets=[target("a", of="own")])).do("use Spire", "pass")
    assert table.moves("destroyed") == ["Wall destroyed"]


@pytest.mark.rule("LO-42")
def test_of_several_targets_those_that_still_fit_are_meant():
    spire = skill(do("destroy", what="target"), targets=[target("a", of="other", n=2, exhausted=False)])
    table = position("0 A: Idle   hand: Spire\n1 A: Wall, Gate, Post   hand: Shift, Cat", Spire=spire,
                     Shift=skill(do("exhaust", what="target", exhausted=True), targets=[target("a", of="own")]))
    table.do("use Spire", "choose Wall", "choose Gate", "use Shift", "choose Wall")
    assert table.story(StackPopped) == ["Shift resolved", "Spire resolved"]
    assert table.moves("destroyed") == ["Gate destroyed"]


@pytest.mark.rule("LO-42")
def test_a_target_that_has_only_moved_to_the_other_line_is_still_the_same():
    back = skill(do("move", what="target", zone="b"), targets=[target("a")])
    table = position("0 A: Idle   hand: Bolt\n1 A: Wall 5000   hand: Back", Bolt=ZAP, Back=back)
    table.do("use Bolt", "choose Wall", "use Back", "choose Wall")
    assert table.value("Wall", "damage") == 1000


@pytest.mark.rule("LO-42")
def test_a_target_paid_as_the_cost_has_gone():
    burn = used(do("damage", what="target", n=1000), targets=[target("a", of="own", another=True)],
                cost=[discard("a", another=True)])
    table = position("0 A: Burn, Cat, Idle", Burn=burn).do("use Burn", "choose Cat", "choose Cat", "pass")
    assert table.story(StackPopped) == ["Burn fizzled"]


@pytest.mark.rule("LO-42")
def test_an_ability_with_a_target_needs_a_candidate():
    snipe = skill(do("destroy", what="target"), targets=[target("a", of="other")])
    table = position("0 A: Ox, Idle   hand: Bolt\n1 B: Elf", Bolt=snipe)
    assert table.refused("use Bolt") == "LO-42"


@pytest.mark.rule("LO-42")
def test_several_targets_are_different_cards():
    swap = skill(
        do("damage", what="first", n=1000), do("damage", what="second", n=2000),
        targets=[target("a", of="other", slot="first"), target("a", of="other", slot="second", exhausted=True)],
    )
    text = "0 A: Idle   hand: Swap\n1 A: Wall 5000 (down)"
    assert position(text, Swap=swap).refused("use Swap") == "LO-42"
    table = position(text + ", Ram 5000", Swap=swap).do("use Swap")
    # Wall is the only one that can be the second, so that it cannot be the first
    assert table.story(DamageDealt) == ["Swap strikes Ram 1000", "Swap strikes Wall 2000"]


@pytest.mark.rule("LO-42", "LO-43")
def test_several_costs_are_different_cards():
    both = used(do("draw"), cost=[discard("hand"), discard("hand", colour="blue")])
    assert position("0 A: Both, Idle   hand: Cat blue", Both=both).refused("use Both") == "LO-43"
    table = position("0 A: Both, Idle   hand: Cat blue, Dog", Both=both).do("use Both")
    assert table.moves("cost") == ["Dog cost", "Cat cost"]


@pytest.mark.rule("LO-42")
def test_a_trigger_without_candidate_is_not_put_on_the_pile():
    sting = on("attacks", do("damage", what="target", n=1000), targets=[target("a", of="other")])
    table = position("0 A: Wasp 2000, Idle\n1 B: Elf", Wasp=sting).do("attack Wasp deck")
    assert table.events(StackPushed) == []
    table = position("0 A: Wasp 2000, Idle\n1 A: Wall 5000 (down)", Wasp=sting).do("attack Wasp deck")
    assert table.story(StackPushed) == ["trigger Wasp"]


@pytest.mark.rule("LO-42")
@pytest.mark.parametrize(("hand", "drawn"), [("Cat", 1), ("Dog", 0), ("", 0)])
@pytest.mark.parametrize("denied", [False, True])
def test_a_trigger_whose_condition_reads_hidden_cards_is_put_on_the_pile_whatever_they_are(hand, drawn, denied):
    """And looks at them when it is carried out; what everybody sees is still looked at when it is set off."""
    held = {"count": cards("hand", of="own", name="Cat")}
    asks = {"not": held} if denied else held
    wasp = [on("attacks", do("draw"), when=asks), on("attacks", do("draw"), when={**asks, "phase": "move"})]
    table = position(f"0 A: Wasp 2000, Idle   hand: {hand}   deck: Cat, Dog, 5 Plain\n1 A: Elf (down)", Wasp=wasp)
    table.do("attack Wasp deck")
    assert table.story(StackPushed, StackPopped) == ["trigger Wasp", "Wasp resolved"]
    assert len(table.moves("drawn")) == (1 - drawn if denied else drawn)


@pytest.mark.rule("LO-42")
def test_a_player_with_nothing_to_use_is_not_asked():
    table = position("0 A: Ox, Idle\n1 A: Wall 5000   hand: Bolt blue skill", Bolt=ZAP)
    table.do("attack Ox Wall")
    assert [e.question for e in table.events(Asked)] == ["attack"]


@pytest.mark.rule("LO-42")
def test_when_the_closing_window_is_used_the_phase_does_not_go_back():
    table = position("0 A: Ox, Idle   hand: Jet\n1 A: Wall 5000   hand: Bolt", Bolt=ZAP, Jet=ZAP)
    table.do("pass")
    assert table.waits == "1 window"
    table.do("use Bolt", "choose Idle")
    assert table.waits == "0 window"
    assert table.refused("attack Ox deck") == "LO-42"
    table.do("use Jet", "choose Wall")
    assert table.story(PhaseBegan)[0] == "end"
    assert table.story(StackPopped) == ["Jet resolved", "Bolt resolved"]


@pytest.mark.rule("LO-43")
def test_an_ability_is_used_once_a_turn_and_card():
    table = position("""
        0 B: Bell, Bell, Idle
        1 B: Elf
        phase move
    """, Bell=used(do("draw", n=0), cost=[DOWN]))
    table.do("use Bell")
    assert table.refused("use Bell#1") == "LO-43"
    table.do("use Bell#2")
    assert not any("use" in step for step in table.legal())
    stands = position(
        "0 B: Bell, Idle\nphase move", Bell=used(do("exhaust", what="self", exhausted=False), cost=[DOWN])
    )
    stands.do("use Bell")
    assert not stands.down("Bell")
    assert stands.refused("use Bell") == "LO-43"


@pytest.mark.rule("LO-43")
def test_the_next_turn_it_can_be_used_again():
    table = position("0 B: Bell\n1 A: Idle\nphase move", Bell=BELL).do("use Bell", "pass", "pass")
    assert [e.value for e in table.events(CounterSet) if e.name == "used_0"] == [3]  # the number of the turn
    assert (table.match.state.turn, table.waits) == (4, "0 window")
    table.do("use Bell")
    assert table.story(StackPopped) == ["Bell resolved", "Bell resolved"]


@pytest.mark.rule("LO-43")
@pytest.mark.parametrize("cost", [discard("hand"), discard("b", another=True), {"pay": "mill"}])
def test_unless_its_cost_takes_a_card(cost):
    table = position("0 A: Idle   B: Forge, Elf, Imp   hand: Cat, Dog", Forge=used(do("draw", n=0), cost=[cost]))
    table.do("use Forge")
    if table.waits == "0 cost":
        table.do(table.legal()[0])
    assert "use Forge" in table.legal()


@pytest.mark.rule("LO-43")
def test_a_card_may_state_a_stricter_limit():
    forge = used(do("draw", n=0), cost=[discard("hand")], once=True)
    table = position("0 A: Idle   B: Forge   hand: Cat, Dog", Forge=forge)
    table.do("use Forge", "choose Cat")
    assert table.refused("use Forge") == "LO-43"


@pytest.mark.rule("LO-43")
def test_more_than_200_settlements_in_one_turn_end_the_game_as_a_draw():
    phoenix = on("destroyed", do("move", what="self", zone="b"), do("destroy", what="self"))
    table = position("0 A: Idle   B: Phoenix   hand: Kill", Phoenix=phoenix, Kill=KILL).do("use Kill", "choose Phoenix")
    assert len(table.events(StackPopped)) == 200
    assert table.result == (None, "loop")


@pytest.mark.rule("LO-43")
def test_a_game_that_reaches_the_turn_limit_is_a_draw():
    table = position("0 A: Ox\n1 A: Ram\nphase attack, turn 5, max_turns 6")
    table.do("pass", "pass")
    assert (table.match.state.turn, table.waits) == (6, "1 attack")
    table.do("pass")
    assert table.result == (None, "turn_limit")
