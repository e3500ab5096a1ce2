"""The worked examples of the rules, with exactly their numbers (LO-62 … LO-64)."""

import pytest

from engine.rulebooks.liveon.lines import production
from events.kinds import DamageDealt
from tests.engine.rulebooks.liveon.abilities import ZAP
from tests.engine.rulebooks.liveon.position import position


@pytest.mark.rule("LO-62", "LO-35")
def test_pow_3000_takes_1000_and_later_2000_and_is_destroyed():
    table = position("0 A: Ox 1000, Ram 2000, Idle\n1 A: Wall 3000")
    table.do("attack Ox Wall")
    assert table.value("Wall", "damage") == 1000
    assert table.zone(1, "A") == ["Wall"]
    table.do("attack Ram Wall")
    assert table.moves("destroyed") == ["Ox destroyed", "Ram destroyed", "Wall destroyed"]


@pytest.mark.rule("LO-62")
def test_pow_3000_with_2000_damage_still_deals_3000_and_is_destroyed_by_1000_more():
    table = position("0 A: Ox 1000, Idle\n1 A: Wall 3000 (damage 2000)").do("attack Ox Wall")
    assert table.story(DamageDealt) == ["Ox strikes Wall 1000", "Wall strikes Ox 3000"]
    assert "Wall destroyed" in table.moves("destroyed")
    attacking = position("0 A: Ox 3000 (damage 2000), Idle   hand: Bolt\n1 A: Wall 4000", Bolt=ZAP)
    attacking.do("attack Ox Wall", "pass")
    assert attacking.story(DamageDealt)[0] == "Ox strikes Wall 3000"
    skill = position("0 A: Ox 3000 (damage 2000), Idle   hand: Bolt", Bolt=ZAP).do("use Bolt", "choose Ox")
    assert skill.moves("destroyed") == ["Ox destroyed"]


@pytest.mark.rule("LO-63")
def test_first_strike_of_1000_attacks_1000_and_only_the_defender_is_destroyed():
    table = position("0 A: Ox 1000 first_strike_attack, Idle\n1 A: Wall 1000").do("attack Ox Wall")
    assert table.story(DamageDealt) == ["Ox strikes Wall 1000"]
    assert table.moves("destroyed") == ["Wall destroyed"]
    assert table.value("Ox", "damage") == 0


@pytest.mark.rule("LO-64")
@pytest.mark.parametrize("others", ["white blue", "black black", "red red"])
def test_red_red_2_is_lived_with_two_red_and_any_two_more_and_then_produces_two_red(others):
    table = position(f"0 B: Elf red red, Imp {others}   hand: Giant red red ②, Spare\nphase live")
    before = production(table.match, 0)[0]
    table.do("live Giant")
    made = production(table.match, 0)
    assert made[0] == before + 2
    assert made[4] == 6
