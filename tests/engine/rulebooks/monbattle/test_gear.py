"""Monster Battle: weapons and items (MB-26, MB-27, MB-32)."""

from __future__ import annotations

import pytest

from events.kinds import ModifierBegan
from tests.engine.rulebooks.monbattle.abilities import (
    be,
    cards,
    do,
    effect,
    lp,
    on,
    passive,
    target,
)
from tests.engine.rulebooks.monbattle.position import position

# --- weapons ------------------------------------------------------------------------------------------------


@pytest.mark.rule("MB-26")
def test_a_weapon_goes_on_an_own_standby_monster_of_its_attribute_and_counts_from_then_on() -> None:
    table = position("""
        0  standby: Ox fire 500/200/3, Ram stone   hand: Axe weapon fire +300/50/2 c1
        1  standby: Elk fire
    """)
    table.do("play Axe")
    assert table.held("Ox") == ["Axe"]
    assert [table.value("Ox", name) for name in ("atk", "def", "spd", "cost")] == [800, 250, 5, 2]
    assert {(e.card, e.duration) for e in table.events(ModifierBegan)} == {(table.ids["Axe#1"], "while")}


@pytest.mark.rule("MB-26")
def test_any_number_of_weapons_but_one_per_monster() -> None:
    table = position("""
        0  standby: Ox fire, Ram fire   hand: Axe weapon fire +300, Bow weapon fire +200, Cane weapon fire +100
    """)
    table.do("play Axe", "choose Ox", "play Bow")
    assert table.held("Ram") == ["Bow"], "the only one that has none"
    assert table.refused("play Cane") == "MB-26"


@pytest.mark.rule("MB-26")
def test_the_current_attribute_counts() -> None:
    table = position("""
        0  standby: Ox fire   hand: Ice weapon water +300, Dip assist
    """, Dip=effect(be("attribute", 2, "target"), targets=[target("standby", attribute="fire")]))
    assert table.refused("play Ice") == "MB-26"
    table.do("use Dip", "play Ice")
    assert table.held("Ox") == ["Ice"]


@pytest.mark.rule("MB-27")
def test_no_weapon_is_put_on_the_battle_monster() -> None:
    table = position("""
        0  battle: Ox fire   standby: Ram stone   hand: Axe weapon fire +300
    """)
    assert table.refused("play Axe") == "MB-27" and "play Axe" not in table.legal()


@pytest.mark.rule("MB-26", "MB-27")
@pytest.mark.parametrize(("battle", "standby", "rule"), [
    ("Ox fire", "Ram fire", None), ("Ox fire", "Ram stone", "MB-27"), ("Ox fire", "", "MB-27"),
    ("Ox stone", "Ram stone", "MB-26"), ("", "Ram stone", "MB-26"), ("", "Ram fire", None),
    ("Ox fire + Bow weapon fire +1", "Ram stone", "MB-26"), ("Ox fire", "Ram fire + Bow weapon fire +1", "MB-27"),
    ("", "", "MB-26"),
])
def test_why_a_weapon_finds_no_bearer(battle: str, standby: str, rule: str | None) -> None:
    table = position(f"0  battle: {battle}   standby: {standby}   hand: Axe weapon fire +300")
    assert ("play Axe" in table.legal()) == (rule is None)
    if rule is not None:
        assert table.refused("play Axe") == rule


@pytest.mark.rule("MB-28")
def test_equipment_is_not_taken_off_or_moved_but_by_a_card_that_says_so() -> None:
    table = position("""
        0  standby: Ox fire + Axe weapon fire +300, Ram fire   hand: Dip assist
        1  hand: Snap assist
    """, Dip=effect(be("attribute", 2, cards("standby", name="Ox"))),
        Snap=effect(do("move", what="target", zone="drop"), targets=[target("gear", of="other")]))
    assert table.refused("play Axe on Ram") == "MB-28" and table.refused("use Axe") == "MB-35"
    table.do("use Dip")
    assert table.held("Ox") == ["Axe"], "its attribute has changed since"
    table.do("pass", "use Snap")
    assert table.held("Ox") == [] and table.value("Ox", "atk") == 500 and table.zone(0, "drop") == ["Axe", "Dip"]


# --- items --------------------------------------------------------------------------------------------------


@pytest.mark.rule("MB-32")
def test_an_item_goes_beside_a_standby_monster_or_the_player_and_stays() -> None:
    table = position("""
        0  battle: Ox   standby: Ram + Axe weapon stone +300   hand: Boots item:monster, Ring item:player
        1  standby: Elk
    """, Boots=passive("spd", what="bearer", add=4), Ring=passive("pp", what="own", add=2))
    table.do("play Boots", "play Ring")
    assert table.held("Ram") == ["Axe", "Boots"] and table.value("Ram", "spd") == 7
    assert [table.name(c) for c in table.match.card(table.ids["Chief#1"]).attachments] == ["Ring"]
    assert table.value(0, "pp") == 32 and sorted(table.zone(0, "gear")) == ["Axe", "Boots", "Ring"]
    assert table.refused("play Boots") == "MB-28"


@pytest.mark.rule("MB-32")
def test_one_item_per_player_and_one_per_monster_none_on_the_battle_monster() -> None:
    table = position("""
        0  battle: Ox   standby: Ram   hand: 2 Boots item:monster, 2 Ring item:player
    """, Boots=passive("spd", what="bearer", add=4), Ring=passive("pp", what="own", add=2))
    table.do("play Boots", "play Ring")
    assert table.held("Ram") == ["Boots"]
    assert table.refused("play Boots#2") == "MB-32" and table.refused("play Ring#2") == "MB-32"


@pytest.mark.rule("MB-32")
@pytest.mark.parametrize("bearer", ["monster", "player"])
def test_putting_an_item_down_is_using_an_assist(bearer: str) -> None:
    table = position(f"""
        0  battle: Ox   standby: Ram   hand: Boots item:{bearer}, Axe weapon stone +100
        1  standby: Elk
    """, Boots=passive("damage_in", what=cards("battle"), add=-1), Ox=on("assist_used", lp(1), whose="own"),
        Elk=on("assist_used", lp(10), whose="other"))
    table.do("play Boots")
    assert (table.value(0, "lp"), table.value(1, "lp")) == (6001, 6010)
    table.do("play Axe")
    assert table.value(0, "lp") == 6001, "a weapon is no assist"


@pytest.mark.rule("MB-32")
def test_an_item_in_the_hand_is_put_down_and_not_used_for_an_effect() -> None:
    table = position("0  standby: Ram   hand: Boots item:monster", Boots=passive("spd", what="bearer", add=4))
    assert table.refused("use Boots") == "MB-35"
