"""Effects that ask, loop and lose what they meant."""

import pytest

from events.kinds import CardsRevealed, DamageDealt, StackPopped, StackPushed
from tests.engine.rulebooks.liveon.abilities import (
    BELL,
    KILL,
    ZAP,
    cards,
    do,
    on,
    passive,
    reaction,
    skill,
    target,
    used,
)
from tests.engine.rulebooks.liveon.position import position


@pytest.mark.rule("LO-41", "LO-10")
def test_an_effect_asks_in_the_middle_of_a_trigger():
    sage = on(
        "lived", do("draw"), do("choose", **{"from": cards("hand", of="own")}),
        do("move", what="chosen", zone="discard"), do("draw"),
    )
    table = position("0 B: Elf   hand: Sage, Cat   deck: Top, Next, 3 Plain\nphase live", Sage=sage)
    table.do("live Sage")
    assert table.waits == "0 choose"
    assert table.legal() == ["choose Cat", "choose Top"]
    table.do("choose Cat")
    assert table.moves("drawn", "discarded") == ["Top drawn", "Cat discarded", "Next drawn"]


@pytest.mark.rule("LO-10")
def test_a_loop_over_chosen_cards_asks_for_each_again():
    storm = skill(
        do("choose", **{"from": cards("a", of="own")}, n=2, slot="payers"),
        do("each", what="payers", then=[
            do("exhaust", what="each", exhausted=True),
            do("choose", **{"from": cards("a", of="other")}),
            do("damage", what="chosen", n=1000),
        ]),
    )
    table = position("0 A: Ox, Ram, Idle, Cat   hand: Storm\n1 A: Wall 1000, Fence 1000, Gate 1000", Storm=storm)
    table.do("use Storm", "choose Ox", "choose Cat", "choose Wall", "choose Gate")
    assert table.story(DamageDealt) == ["Storm strikes Wall 1000", "Storm strikes Gate 1000"]
    assert [table.down(n) for n in ("Ox", "Ram", "Idle", "Cat")] == [True, False, False, True]
    assert table.zone(1, "A") == ["Fence"]


@pytest.mark.rule("LO-42", "LO-28")
def test_what_an_effect_has_lost_it_does_not_find_again_after_moving_another():
    twist = used(
        do("move", what="target", zone="hand"), do("move", what="self", zone="hand"), targets=[target("a", of="other")]
    )
    table = position("0 A: Twist, Idle\n1 A: Wall   hand: Kill", Twist=twist, Kill=KILL)
    table.do("use Twist", "use Kill", "choose Twist")
    assert table.zone(0, "discard") == ["Twist"]
    assert table.zone(1, "hand") == ["Wall"]


@pytest.mark.rule("LO-41")
def test_a_skill_takes_another_off_the_pile():
    deny = skill(do("cancel"), targets=[{"from": {"zone": ["stack"], "of": "other"}, "slot": "target"}])
    table = position("0 A: Idle   hand: Bolt\n1 A: Wall 5000   hand: Deny", Bolt=ZAP, Deny=deny)
    table.do("use Bolt", "choose Wall", "use Deny")
    assert table.story(StackPopped) == ["Deny resolved", "Bolt cancelled"]
    assert table.events(DamageDealt) == []
    assert (table.zone(0, "discard"), table.zone(1, "discard")) == (["Bolt"], ["Deny"])


@pytest.mark.rule("LO-41")
@pytest.mark.parametrize(("least", "found"), [(2000, True), (2001, False)])
def test_an_item_is_chosen_by_what_is_printed_on_its_card(least, found):
    deny = skill(do("cancel"), targets=[{"from": {"zone": ["stack"], "of": "other", "at_least": {"pow": least}}}])
    table = position("0 A: Idle   B: Gong 2000\n1 A: Wall   hand: Deny   B: Bell", Gong=BELL, Deny=deny, Bell=BELL)
    table.do("use Gong")
    assert ("use Deny" in table.legal()) == found


@pytest.mark.rule("LO-10")
def test_an_effect_asks_whether_it_is_done_and_how_things_stand():
    oracle = skill(
        do("may", then=[do("draw")], otherwise=[do("reveal", what=cards("hand", of="own"))]),
        do("if", when={"count": cards("hand", of="own"), "at_least": 2}, then=[do("burst")],
           otherwise=[do("mill", who="own")]),
    )
    text = "0 A: Idle   hand: Oracle, Cat\n1 deck: 4"
    yes = position(text, Oracle=oracle).do("use Oracle", "yes")
    assert yes.moves("drawn", "burst", "milled") == [yes.moves("drawn")[0], yes.moves("burst")[0]]
    no = position(text, Oracle=oracle).do("use Oracle", "no")
    assert no.story(CardsRevealed) == ["shown Cat"]
    assert len(no.moves("milled")) == 1
    assert no.moves("burst", "drawn") == []


@pytest.mark.rule("LO-41", "LO-54")
def test_reactions_and_triggers_set_off_in_mid_settlement_wait_for_the_item_in_hand():
    flood = skill(do("burst", n=1), do("damage", what=cards("a", of="other"), n=1000))
    table = position("0 A: Idle   hand: Flood\n1 A: Wall 5000   deck: Mine, 3 Plain", Flood=flood,
                     Mine=reaction(do("damage", what=cards("a", of="other"), n=1000)))
    table.do("use Flood")
    assert table.story(StackPushed, StackPopped, DamageDealt) == [
        "skill Flood", "Flood resolved", "Flood strikes seat 1 1", "Flood strikes Wall 1000",
        "reaction Mine", "Mine resolved", "Mine strikes Idle 1000",
    ]


@pytest.mark.rule("LO-10")
def test_passive_abilities_follow_the_table():
    drum = passive("pow", add={"times": 500, "count": cards("a", of="own")}, when={"turn": "own"})
    table = position("0 A: Drum 1000, Ox, Idle\n1 A: Ram\nphase move", Drum=drum)
    assert table.pow("Drum") == 2500
    table.do("move Ox")
    assert table.pow("Drum") == 2000
    table.do("pass", "pass")
    assert table.waits == "1 move"
    assert table.pow("Drum") == 1000


@pytest.mark.rule("LO-42")
def test_a_question_for_targets_is_about_the_card_that_names_them():
    pair = skill(do("damage", what="one", n=100), do("damage", what="two", n=100),
                 targets=[target("a", slot="one", of="other"), target("a", slot="two")])
    table = position("0 A: Ox, Idle   hand: Pair\n1 A: Elf, Ram", Pair=pair).do("use Pair")
    assert (table.waits, table.asked.about) == ("0 target", (table.find("Pair"),))
    assert table.do("choose Elf").asked.about == (table.find("Pair"),)
