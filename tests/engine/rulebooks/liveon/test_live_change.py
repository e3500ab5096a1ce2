"""Live Change (LO-52, LO-53)."""

import pytest

from events.kinds import (
    CardAttached,
    ModifierBegan,
    StackPushed,
)
from tests.engine.rulebooks.liveon.abilities import (
    BELL,
    cards,
    do,
    on,
    passive,
    reaction,
    skill,
    target,
    used,
)
from tests.engine.rulebooks.liveon.position import new_game, position

CHAMP = "Champ 4000 blue blue change:Hero"


@pytest.mark.rule("LO-52")
def test_live_change_is_lived_onto_its_fighter_and_needs_no_place():
    table = position(f"0 B: Hero fighter 1000 blue blue, B2, B3, B4, B5   hand: {CHAMP}, Spare\nphase live")
    assert table.legal() == ["pass", "live Champ on Hero"]
    table.do("live Champ on Hero")
    assert table.zone(0, "B") == ["Champ", "B2", "B3", "B4", "B5"]
    assert table.zone(0, "under") == ["Hero"]
    assert table.match.card(table.find("Hero")).attached_to == table.find("Champ")
    assert (len(table.events(CardAttached)), table.pow("Champ")) == (1, 4000)


@pytest.mark.rule("LO-52")
def test_requirement_and_limit_of_two_hold():
    table = position(f"0 B: Hero fighter, Maid fighter   hand: {CHAMP}, Spare\nphase live")
    assert table.refused("live Champ on Hero") == "LO-07"
    table = position("0 B: Hero fighter   hand: Champ change:Hero, Cat, Dog, Bell\n0 A: Gong\nphase live", Gong=BELL)
    table.do("live Cat", "pass", "live Champ on Hero", "pass")
    assert table.refused("live Dog") == "LO-24"


@pytest.mark.rule("LO-52")
def test_without_the_fighter_on_the_own_b_line_it_cannot_be_lived():
    table = position("0 A: Hero fighter   B: Elf   hand: Champ change:Hero, Cat\n1 B: Hero\nphase live")
    assert table.refused("live Champ") == "LO-52"
    assert table.refused("live Champ on Elf") == "LO-52"
    assert table.refused("live Champ on Hero#1") == "LO-52"
    assert table.refused("live Champ on Hero#2") == "LO-52"
    assert table.refused("live Cat on Elf") == "LO-52"


@pytest.mark.rule("LO-52")
def test_the_upper_card_takes_over_posture_damage_and_bonuses():
    grow = used(do("add", what="target", name="pow", n=500), targets=[target("b", of="own", kind="fighter")])
    table = position(
        "0 B: Elf, Hero fighter 2000 (down, damage 1000), Grow   hand: Champ 4000 change:Hero, Cat\nphase live",
        Grow=grow)
    table.do("use Grow", "live Champ on Hero")
    assert table.zone(0, "B") == ["Elf", "Champ", "Grow"]
    assert table.down("Champ")
    assert (table.pow("Champ"), table.value("Champ", "damage")) == (4500, 1000)
    assert table.story(ModifierBegan) == ["Hero pow +500", "Champ pow +500"]


ANOTHER = used(do("mill", who="own"))


@pytest.mark.rule("LO-52", "LO-43")
@pytest.mark.parametrize("used_up", [0, 1])
@pytest.mark.parametrize("upper", [[BELL, ANOTHER], [ANOTHER, BELL], [BELL], [ANOTHER]])
def test_an_ability_that_the_fighter_has_used_is_used_wherever_the_upper_card_has_it_and_no_other(upper, used_up):
    lower = [BELL, ANOTHER]
    table = position("0 B: Hero fighter, Elf   hand: Champ change:Hero, Cat\nphase live", Hero=lower, Champ=upper)
    table.do(f"use Hero {used_up}").until("live").do("live Champ on Hero").until("live")
    free = [f"use Champ{f' {n}' if n else ''}" for n, ability in enumerate(upper) if ability is not lower[used_up]]
    assert [step for step in table.legal() if "use" in step] == free
    for number, ability in enumerate(upper):
        if ability is lower[used_up]:
            assert table.refused(f"use Champ {number}") == "LO-43"


KINDS_IN = {
    "A": (["fighter", "monster"], "A: Idle, Champ change:Hero over Hero fighter"),
    "B": (["fighter", "monster"], "A: Idle   B: Champ change:Hero over Hero fighter"),
    "hand": (["monster"], "A: Idle   hand: Champ change:Hero"),
    "deck": (["monster"], "A: Idle   deck: Champ change:Hero, 5 Plain"),
    "discard": (["monster"], "A: Idle   discard: Champ change:Hero"),
}


@pytest.mark.rule("LO-52")
@pytest.mark.parametrize("kind", ["fighter", "monster", "skill"])
@pytest.mark.parametrize("zone", KINDS_IN)
def test_a_live_change_card_is_fighter_and_monster_on_the_field_and_a_monster_elsewhere(zone, kind):
    kinds, text = KINDS_IN[zone]
    counted = cards(zone.lower(), of="own", kind=kind, name="Champ")
    rage = passive("pow", add={"times": 100, "count": counted})
    table = position(f"0 {text}\n1 B: Elf", Idle=rage)
    assert table.pow("Idle") == 1000 + 100 * (kind in kinds)


@pytest.mark.rule("LO-52", "LO-14")
def test_a_live_change_card_cannot_be_the_first_fighter():
    start = new_game("Champ change:Hero, 3 Hero fighter, 37 Plain", "3 Hero, 38 Plain")
    assert start.match.state.turn == 1
    assert start.zone(0, "B") == ["Hero"]


@pytest.mark.rule("LO-52", "LO-12")
def test_a_star_looks_at_the_upper_name_only():
    table = position("0 B: Champ 4000 change:Hero over ★Hero fighter   hand: Hero, Cat\nphase live")
    assert "live Hero#2" in table.legal()


@pytest.mark.rule("LO-52", "LO-51")
def test_a_live_change_counts_as_living_a_card():
    table = position("0 B: Hero fighter   hand: Champ rush change:Hero, Cat\nphase live", Champ=on("lived", do("draw")))
    table.do("live Champ on Hero", "yes")
    assert table.zone(0, "A") == ["Champ"]
    assert table.story(StackPushed) == ["trigger Champ"]
    assert table.match.card(table.find("Champ")).attachments == [table.find("Hero")]


@pytest.mark.rule("LO-52")
@pytest.mark.parametrize("step", [
    do("play", what="target"), do("move", what="target", zone="b"), do("move", what="target", zone="a"),
])
def test_no_effect_and_no_reaction_puts_it_on_the_field(step):
    call = used(step, targets=[target("hand", of="own", name="Champ")])
    table = position("0 A: Idle   B: Hero fighter, Call   hand: Champ change:Hero", Call=call).do("use Call")
    assert table.zone(0, "hand") == ["Champ"]
    itself = {**step, "what": "self"}
    table = position("0 A: Ox, Idle\n1 B: Hero fighter   deck: Champ change:Hero, 3 Plain", Champ=reaction(itself))
    table.do("attack Ox deck")
    assert table.zone(1, "discard") == ["Champ"]


@pytest.mark.rule("LO-52")
def test_on_the_field_an_effect_moves_it_like_any_card_its_fighter_under_it():
    call = used(do("move", what="target", zone="a"), targets=[target("b", of="own", another=True)])
    table = position("0 A: Idle   B: Champ change:Hero over Hero fighter, Call", Call=call).do("use Call")
    assert (table.zone(0, "A"), table.zone(0, "under")) == (["Idle", "Champ"], ["Hero"])
    assert table.match.card(table.find("Champ")).attachments == [table.find("Hero")]


@pytest.mark.rule("LO-52")
def test_the_upper_cards_power_source_produces():
    table = position("""
        0 B: Champ blue blue change:Hero over Hero fighter red red   hand: Fish blue blue, Ox red red, Cat
        phase live
    """)
    assert "live Fish" in table.legal()
    assert table.refused("live Ox") == "LO-07"


@pytest.mark.rule("LO-53")
@pytest.mark.parametrize(("zone", "how"), [("discard", "discarded"), ("hand", "returned"), ("deck", "returned")])
def test_the_fighter_goes_the_same_way(zone, how):
    gale = skill(do("move", what="target", zone=zone), targets=[target("a")])
    table = position("0 A: Idle   hand: Gale\n1 A: Champ change:Hero over Hero fighter", Gale=gale)
    table.do("use Gale", "choose Champ")
    assert table.moves(how) == [f"Champ {how}", f"Hero {how}"]
    assert {"Champ", "Hero"} <= set(table.zone(1, zone))
    assert table.zone(1, "under") == []


@pytest.mark.rule("LO-53")
def test_an_effect_moves_both_cards_to_the_bottom_of_the_deck():
    gale = skill(do("move", what="target", zone="deck", at="bottom"), targets=[target("a")])
    table = position("0 A: Idle   hand: Gale\n1 A: Champ change:Hero over Hero fighter   deck: 3", Gale=gale)
    table.do("use Gale", "choose Champ")
    assert set(table.zone(1, "deck")[-2:]) == {"Champ", "Hero"}


@pytest.mark.rule("LO-53")
def test_destroyed_in_battle_both_are_discarded_and_one_is_destroyed():
    widow = on("destroyed", do("draw"), whose="own")
    table = position("0 A: Ox 5000, Idle\n1 A: Champ 4000 change:Hero over Hero fighter   B: Widow", Widow=widow)
    table.do("attack Ox Champ")
    assert table.zone(1, "discard") == ["Hero", "Champ"]
    assert table.story(StackPushed) == ["trigger Widow"]
