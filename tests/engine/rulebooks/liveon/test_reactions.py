"""Reactions and regeneration (LO-54, LO-55, LO-57)."""

import pytest

from events.kinds import (
    DamageDealt,
    RuleApplied,
    StackPopped,
    StackPushed,
)
from tests.engine.rulebooks.liveon.abilities import (
    BELL,
    DOWN,
    KILL,
    ZAP,
    cards,
    discard,
    do,
    on,
    passive,
    reaction,
    regenerate,
    skill,
    target,
)
from tests.engine.rulebooks.liveon.position import position

# --- Reaction -------------------------------------------------------------------------------------------------


@pytest.mark.rule("LO-54")
def test_a_burst_card_carries_out_its_reaction_before_it_is_discarded():
    table = position("0 A: Ox, Idle   B: Bell\n1 deck: Mine, 3 Plain", Bell=BELL, Mine=reaction(do("draw")))
    table.do("attack Ox deck", "pass")
    assert table.zone(1, "stack") == ["Mine"]  # neither in the deck nor in the discard
    assert table.match.card(table.find("Mine")).face_up
    assert table.zone(1, "discard") == []
    table.do("pass")
    assert table.moves("reaction", "drawn", "burst") == ["Mine reaction", table.moves("drawn")[0], "Mine burst"]
    assert table.zone(1, "discard") == ["Mine"]


@pytest.mark.rule("LO-54")
def test_skills_have_reactions_too():
    mine = [ZAP, reaction(do("draw"))]
    table = position("0 A: Ox, Idle\n1 deck: Mine skill, 3 Plain", Mine=mine).do("attack Ox deck")
    assert table.story(StackPushed) == ["reaction Mine"]
    assert (len(table.zone(1, "hand")), table.zone(1, "discard")) == (1, ["Mine"])


@pytest.mark.rule("LO-54")
def test_only_a_burst_sets_it_off():
    mine = reaction(do("draw"))
    mill = position("0 A: Idle   hand: Flood\n1 deck: Mine, 3 Plain", Mine=mine, Flood=skill(do("mill")))
    mill.do("use Flood")
    assert mill.events(StackPushed)[1:] == []
    assert mill.zone(1, "discard") == ["Mine"]
    burst = position("0 A: Idle   hand: Flood\n1 deck: Mine, 3 Plain", Mine=mine, Flood=skill(do("burst")))
    burst.do("use Flood")
    assert burst.story(StackPushed)[1:] == ["reaction Mine"]


@pytest.mark.rule("LO-55")
def test_those_burst_together_go_on_the_pile_in_their_owners_order_and_are_settled_last_first():
    table = position("0 A: Ox burst 3, Idle\n1 deck: One, Two, Three, 3 Plain", One=reaction(do("draw")),
                     Two=reaction(do("burst", n=1)), Three=reaction(do("move", what="self", zone="hand")))
    table.do("attack Ox deck")
    assert table.waits == "1 order"
    table.do("choose Two", "choose Three")
    assert table.story(StackPushed) == ["reaction Two", "reaction Three", "reaction One"]
    assert table.story(StackPopped) == ["One resolved", "Three resolved", "Two resolved"]
    assert "Three" in table.zone(1, "hand")


@pytest.mark.rule("LO-55", "LO-40")
def test_of_both_players_reactions_the_turn_players_goes_on_the_pile_first():
    flood = skill(do("burst", who="any"))
    table = position("""
        0 A: Idle   hand: Flood   deck: Mine, 3 Plain
        1 deck: Yours, 3 Plain
    """, Flood=flood, Mine=reaction(do("draw")), Yours=reaction(do("draw"))).do("use Flood")
    assert table.story(StackPushed)[1:] == ["reaction Mine", "reaction Yours"]
    assert table.story(StackPopped)[1:] == ["Yours resolved", "Mine resolved"]


@pytest.mark.rule("LO-55", "LO-41")
def test_reactions_are_carried_out_before_anything_else_that_the_burst_has_set_off():
    table = position("""
        0 A: Ox, Idle   B: Bell
        1 B: Widow, Gong   deck: Mine, 3 Plain
    """, Bell=BELL, Gong=BELL, Mine=reaction(do("draw")), Ox=on("bursts", do("draw")),
        Widow=on("bursts", do("draw"), whose="other"))
    table.do("attack Ox deck", "pass", "pass")
    assert table.story(StackPushed) == ["reaction Mine"]
    assert table.waits == "0 window"  # both players may answer it
    table.do("pass")
    assert table.waits == "1 window"
    table.do("pass")
    assert table.story(StackPushed, StackPopped) == ["reaction Mine", "Mine resolved", "trigger Ox", "trigger Widow"]
    assert table.waits == "0 window"
    table.settle()
    assert table.story(StackPopped) == ["Mine resolved", "Widow resolved", "Ox resolved"]


@pytest.mark.rule("LO-55", "LO-48")
@pytest.mark.parametrize("seat", [0, 1])
def test_no_trigger_takes_a_reactions_place_on_the_line(seat):
    """Whosever trigger it is: both put a card to the last place on the A line of seat 1."""
    filler = do("move", what=cards("hand", of="own" if seat else "other", name="Cat"), zone="a")
    ear = on("bursts", filler, whose="any")
    table = position(f"""
        0 A: Ox, Idle{"" if seat else ", Ear"}
        1 A: 4 Elf (down)   {"B: Ear   " if seat else ""}hand: Cat   deck: Mine, 3 Plain
    """, Ear=ear, Mine=reaction(do("move", what="self", zone="a")))
    table.do("attack Ox deck")
    assert table.moves("put") == ["Mine put", "Cat put"]
    assert "Mine" in table.zone(1, "A")
    assert table.waits == "1 overflow"


@pytest.mark.rule("LO-55", "LO-41")
def test_what_an_answer_sets_off_waits_for_the_reaction_too_and_another_reaction_does_not():
    flood = skill(do("burst"), do("destroy", what=cards("b", of="own", name="Son")))
    widow = on("destroyed", do("draw", n=0), whose="any")
    table = position("""
        0 A: Ox, Idle   B: Widow   deck: Trap, 3 Plain
        1 B: Son   hand: Flood, Cat   deck: Mine, 3 Plain
    """, Flood=flood, Widow=widow, Mine=reaction(do("draw", n=0)), Trap=reaction(do("draw", n=0)))
    table.do("attack Ox deck", "pass", "use Flood").settle()
    assert table.story(StackPushed) == ["reaction Mine", "skill Flood", "reaction Trap", "trigger Widow"]
    assert table.story(StackPopped) == ["Flood resolved", "Trap resolved", "Mine resolved", "Widow resolved"]


@pytest.mark.rule("LO-55", "LO-07")
@pytest.mark.parametrize(("b_line", "lived"), [("Elf red red", True), ("Elf red", False)])
def test_a_reaction_that_lives_its_card_needs_the_requirement(b_line, lived):
    mine = reaction(do("play", what="self"))
    table = position(f"0 A: Ox, Idle\n1 B: {b_line}   deck: Mine red red, 3 Plain", Mine=mine)
    table.do("attack Ox deck")
    assert table.moves("lived", "burst") == ["Mine lived" if lived else "Mine burst"]
    assert ("Mine" in table.zone(1, "B")) == lived


@pytest.mark.rule("LO-55")
def test_a_reaction_that_puts_its_card_needs_room_and_no_production():
    mine = reaction(do("move", what="self", zone="a"))
    table = position("0 A: Ox, Idle\n1 deck: Mine red red red, 3 Plain", Mine=mine).do("attack Ox deck")
    assert table.zone(1, "A") == ["Mine"]
    star = position("0 A: Ox, Idle\n1 B: ★Mine   deck: Mine, 3 Plain", Mine=mine).do("attack Ox deck")
    assert star.zone(1, "discard") == ["Mine#2"]


@pytest.mark.rule("LO-55")
def test_a_reaction_to_the_hand():
    table = position("0 A: Ox, Idle\n1 deck: Mine, 3 Plain", Mine=reaction(do("move", what="self", zone="hand")))
    table.do("attack Ox deck")
    assert table.zone(1, "hand") == ["Mine"]


# --- Regenerate -----------------------------------------------------------------------------------------------


@pytest.mark.rule("LO-57")
def test_regenerate_is_the_owners_choice_when_it_costs():
    text = "0 A: Ox 3000, Idle\n1 A: Troll 2000   hand: Cat, Dog"
    troll = regenerate(discard("hand"))
    table = position(text, Troll=troll).do("attack Ox Troll")
    assert table.waits == "1 regenerate"
    assert table.legal() == ["choose Cat", "choose Dog", "pass"]
    table.do("choose Dog")
    assert (table.zone(1, "A"), table.value("Troll", "damage")) == (["Troll"], 0)
    assert table.moves("cost", "destroyed") == ["Dog cost"]
    assert table.down("Troll")
    assert table.story(DamageDealt)[1] == "Troll strikes Ox 2000"
    refused = position(text, Troll=troll).do("attack Ox Troll", "pass")
    assert refused.moves("cost", "destroyed") == ["Troll destroyed"]


@pytest.mark.rule("LO-57")
def test_a_condition_without_cost_is_not_asked():
    troll = regenerate(when={"count": cards("b", of="own"), "at_least": 1})
    table = position("0 A: Ox 3000, Idle\n1 A: Troll 2000   B: Elf", Troll=troll).do("attack Ox Troll")
    assert table.story(RuleApplied) == ["regenerate Troll"]
    assert table.zone(1, "A") == ["Troll"]
    table = position("0 A: Ox 3000, Idle\n1 A: Troll 2000", Troll=troll).do("attack Ox Troll")
    assert table.moves("destroyed") == ["Troll destroyed"]


@pytest.mark.rule("LO-57")
def test_a_reaction_does_not_save_a_card_without_pow():
    wither = skill(do("add", what="target", name="pow", n=-2000), targets=[target("a", of="other")])
    table = position("0 A: Idle   hand: Wither\n1 A: Troll 2000", Troll=regenerate(), Wither=wither).do("use Wither")
    assert table.moves("destroyed") == ["Troll destroyed"]


@pytest.mark.rule("LO-57")
def test_a_reaction_saves_a_card_from_destroy_effects():
    table = position("0 A: Idle   hand: Kill\n1 A: Troll", Troll=regenerate(DOWN), Kill=KILL)
    table.do("use Kill", "choose Troll")
    assert table.legal() == ["yes", "no"]
    table.do("yes")
    assert table.zone(1, "A") == ["Troll"]
    assert table.down("Troll")


@pytest.mark.rule("LO-57")
def test_a_card_about_to_be_destroyed_itself_can_be_the_payment():
    quake = skill(do("damage", what=cards("a", of="other"), n=2000))
    troll = regenerate(discard("a", another=True))
    table = position("0 A: Idle   hand: Quake\n1 A: Troll 2000, Rat 1000, Cow 5000", Troll=troll, Quake=quake,
                     Rat=on("destroyed", do("draw")))
    table.do("use Quake")
    assert table.legal() == ["choose Rat", "choose Cow", "pass"]
    table.do("choose Rat")
    assert table.moves("cost", "destroyed") == ["Rat cost"]  # paid, so not destroyed: nothing hears it
    assert table.zone(1, "A") == ["Troll", "Cow"]
    assert table.events(StackPushed)[1:] == []


@pytest.mark.rule("LO-57")
def test_several_are_asked_one_after_another_in_the_controllers_order():
    quake = skill(do("damage", what=cards("a", of="other"), n=2000))
    troll = regenerate(discard("a", another=True))
    table = position("0 A: Idle   hand: Quake\n1 A: Troll 2000, Ogre 2000", Troll=troll, Ogre=troll, Quake=quake)
    table.do("use Quake")
    assert table.waits == "1 order"
    table.do("choose Ogre", "choose Troll")
    assert table.zone(1, "A") == ["Ogre"]
    assert table.moves("cost", "destroyed") == ["Troll cost"]


@pytest.mark.rule("LO-57")
def test_a_payment_that_weakens_another_card_about_to_be_destroyed_does_not_doom_it_twice():
    quake = skill(do("damage", what=cards("a", of="other"), n=3000))
    table = position("""
        0 A: Idle   hand: Quake
        1 A: Troll 2000, Ogre 2000   B: Drum, Elf
    """, Quake=quake, Troll=regenerate(discard("b")), Ogre=regenerate({"pay": "mill"}),
        Drum=passive("pow", what=cards("a", of="own"), add=1000))
    table.do("use Quake", "choose Troll", "choose Drum")
    assert table.waits == "1 regenerate"
    table.do("yes")
    assert table.waits == "0 attack"
    assert table.zone(1, "A") == ["Troll", "Ogre"]
    assert len(table.moves("cost")) == 2


@pytest.mark.rule("LO-57", "LO-37")
@pytest.mark.parametrize(("stags", "others", "stay"), [(3, 0, 3), (2, 1, 2), (1, 2, 1), (2, 0, 0), (1, 1, 0)])
def test_cards_that_are_destroyed_together_lie_there_for_each_others_conditions(stags, others, stay):
    """A Stag regenerates while two other cards are on its line: those about to be destroyed still are."""
    quake = skill(do("damage", what=cards("a", of="other"), n=2000))
    stag = regenerate(when={"count": cards("a", of="own", another=True), "at_least": 2})
    herd = ", ".join(part for part in (f"{stags} Stag 2000", f"{others} Cow" if others else "") if part)
    table = position(f"0 A: Idle   hand: Quake\n1 A: {herd}", Stag=stag, Quake=quake).do("use Quake")
    while table.waits == "1 order":
        table.do(table.legal()[0])
    assert [name.split("#")[0] for name in table.zone(1, "A")] == ["Stag"] * stay
    assert len(table.moves("destroyed")) == stags + others - stay
    assert all(table.match.value(card, "damage") == 0 for card in table.match.state.zones[1]["a"])


@pytest.mark.rule("LO-57")
def test_three_that_pay_with_each_other_one_is_left():
    """One after another, in their owner's order: one that is saved can be paid with, one that has been paid is gone."""
    quake = skill(do("damage", what=cards("a", of="other"), n=2000))
    troll = regenerate(discard("a", another=True))
    table = position("0 A: Idle   hand: Quake\n1 A: Troll 2000, Ogre 2000, Imp 2000", Quake=quake,
                     Troll=troll, Ogre=troll, Imp=troll)
    table.do("use Quake", "choose Troll", "choose Ogre", "choose Troll")
    assert table.moves("cost", "destroyed") == ["Ogre cost", "Troll cost"]
    assert (table.zone(1, "A"), table.value("Imp", "damage")) == (["Imp"], 0)


@pytest.mark.rule("LO-57", "LO-40")
def test_the_turn_players_own_are_asked_first():
    quake = skill(do("damage", what=cards("a"), n=2000))
    troll = regenerate({"pay": "mill"})
    text = "0 A: Troll 2000   B: Elf\n1 A: Ogre 2000, Idle 9000   hand: Quake\nactive 1"
    table = position(text, Troll=troll, Ogre=troll, Quake=quake)
    table.do("use Quake")
    assert table.waits == "1 regenerate"
    table.do("no")
    assert table.waits == "0 regenerate"
    table.do("yes")
    assert table.moves("destroyed", "cost") == [table.moves("cost")[0], "Ogre destroyed"]
