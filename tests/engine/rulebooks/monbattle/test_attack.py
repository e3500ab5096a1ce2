"""Monster Battle: the attack phase, and each step of the reckoning."""

from __future__ import annotations

import pytest

from events.kinds import AttackSet, CounterSet, DamageCalculated, DamageDealt, PhaseBegan
from tests.engine.rulebooks.monbattle.abilities import add, be, cards, do, effect, lp, on, passive, target
from tests.engine.rulebooks.monbattle.position import Table, position


def fight(mine: str, theirs: str, **abilities: object) -> Table:
    """Seat 0's battle monster Ox attacks seat 1's Elk, which then does not attack."""
    table = position(f"""
        0  battle: Ox {mine}
        1  battle: Elk {theirs}
        phase attack
    """, **abilities)  # type: ignore[arg-type]
    assert table.waits in ("1 main", "over")
    return table


@pytest.mark.rule("MB-38")
def test_the_battle_monster_attacks_in_its_players_attack_phase_without_a_choice() -> None:
    table = position("""
        0  battle: Ox 700/200/3   standby: Ram 900/0/3
        1  battle: Elk 500/300/3
    """)
    assert table.refused("attack Ox") == "MB-38"
    table.do("pass")
    assert table.story(DamageDealt) == ["Ox strikes seat 1 400"] and table.value(1, "lp") == 5600
    assert table.story(AttackSet) == ["Ox aims at Elk", "aimed at nothing"]


@pytest.mark.rule("MB-39")
def test_a_monster_that_evolves_when_attacked_defends_with_its_values_as_the_attacked() -> None:
    table = position("""
        0  battle: Ox 500/0/3
        1  battle: Imp 5/100/3   hand: Ruby 5/100/3 from:Imp
        phase attack
    """, Imp=on("attacks", do("play", what=cards("hand", of="own")), whose="other"),
        Ruby=passive("def", what="self", add=300, when={"slot": "attacked", "fits": {"name": "Ruby", "of": "own"}}))
    assert table.story(AttackSet) == ["Ox aims at Imp", "Ox aims at nothing", "Ox aims at Ruby", "aimed at nothing"]
    assert table.reckoning() == ["atk 500", "def 100", "dealt 100"]


@pytest.mark.rule("MB-38")
def test_a_blank_player_does_not_attack() -> None:
    table = position("""
        0  standby: Ram 900/0/3
        1  battle: Elk
    """)
    table.do("pass")
    assert "attack 0" not in table.story(PhaseBegan) and not table.events(DamageDealt) and table.waits == "1 main"


@pytest.mark.rule("MB-38")
def test_an_effect_can_prevent_the_attack_or_end_it() -> None:
    held = position("""
        0  battle: Ox 700/200/3   hand: Stay assist
        1  battle: Elk
    """, Stay=effect(be("no_attack", 1, cards("battle", of="own"))))
    held.do("use Stay", "pass")
    assert not held.events(DamageDealt) and not held.events(AttackSet)
    ended = fight("700/200/3", "500/300/3", Elk=on("attacks", do("end_attack"), whose="other"))
    assert not ended.events(DamageDealt) and not ended.reckoning()


@pytest.mark.rule("MB-39")
def test_step_1_is_atk_minus_def() -> None:
    table = fight("700/0/3", "500/300/3")
    assert table.reckoning() == ["atk 700", "def 400", "dealt 400"]
    assert (table.value(0, "lp"), table.value(1, "lp")) == (6000, 5600), "damage to the opponent's LP"
    assert fight("700/0/3", "500/0/3").reckoning() == ["atk 700", "dealt 700"], "no step without a change"


@pytest.mark.rule("MB-39")
def test_weapons_and_all_other_changes_of_stats_count_in_it() -> None:
    table = position("""
        0  battle: Ox 700/0/3 + Axe weapon stone +300   field: Hill field   hand: Rage assist
        1  battle: Elk 500/300/3 + Mail item:monster
    """, Hill=passive("def", what=cards("battle"), add=50), Rage=effect(add("atk", 1000, cards("battle", of="own"))),
        Mail=passive("def", what="bearer", add=400))
    table.do("use Rage", "pass")
    assert table.reckoning() == ["atk 2000", "def 1250", "dealt 1250"]


@pytest.mark.rule("MB-40")
def test_step_2_is_what_changes_the_attackers_damage() -> None:
    table = fight("700/0/3 fire", "500/300/3 wood", Ox=passive("damage_out", add=100))
    assert table.reckoning() == ["atk 700", "def 400", "attacker 500", "attribute 1000", "dealt 1000"]


@pytest.mark.rule("MB-41")
def test_step_3_doubles_at_an_advantage_and_halves_at_a_disadvantage_rounding_down() -> None:
    assert fight("700/0/3 fire", "5/350/3 wood").reckoning()[-2:] == ["attribute 700", "dealt 700"]
    assert fight("701/0/3 fire", "5/350/3 water").reckoning()[-2:] == ["attribute 175", "dealt 175"]
    assert fight("700/0/3 fire", "5/350/3 stone").reckoning() == ["atk 700", "def 350", "dealt 350"]
    assert fight("700/0/3 fire", "5/350/3 fire").reckoning() == ["atk 700", "def 350", "dealt 350"]


@pytest.mark.rule("MB-41")
def test_the_attribute_as_it_then_is_counts() -> None:
    table = position("""
        0  battle: Ox 700/0/3 fire   hand: Leaf assist
        1  battle: Elk 5/300/3 stone
    """, Leaf=effect(be("attribute", 1, "target"), targets=[target("battle", of="other")]))
    table.do("use Leaf", "pass")
    assert table.reckoning() == ["atk 700", "def 400", "attribute 800", "dealt 800"]


@pytest.mark.rule("MB-42")
def test_step_4_is_what_changes_the_defenders_damage() -> None:
    table = fight("700/0/3 fire", "500/300/3 wood", Elk=passive("damage_in", add=-100))
    assert table.reckoning() == ["atk 700", "def 400", "attribute 800", "defender 700", "dealt 700"]


@pytest.mark.rule("MB-43")
def test_step_5_twice_the_spd_attacks_twice_and_one_less_does_not() -> None:
    twice = fight("700/0/6", "5/300/3")
    assert twice.reckoning() == ["atk 700", "def 400", "dealt 400", "again 400", "atk 700", "def 400", "dealt 400"]
    assert twice.value(1, "lp") == 5200 and len(twice.events(DamageDealt)) == 2
    once = fight("700/0/5", "5/300/3")
    assert once.reckoning() == ["atk 700", "def 400", "dealt 400"]


@pytest.mark.rule("MB-43")
def test_zero_spd_against_zero_is_not_double_and_anything_against_zero_is() -> None:
    assert len(fight("700/0/0", "5/300/0").events(DamageDealt)) == 1
    assert len(fight("700/0/1", "5/300/0").events(DamageDealt)) == 2


@pytest.mark.rule("MB-43")
def test_the_second_players_attack_can_be_double_too_and_changed_spd_counts() -> None:
    table = position("""
        0  battle: Ox 5/300/3
        1  battle: Elk 700/300/2   hand: Hurry assist
    """, Hurry=effect(add("spd", 4, cards("battle", of="own"))))
    table.do("pass", "use Hurry", "pass")
    assert table.story(DamageDealt) == ["Elk strikes seat 0 400"] * 2


@pytest.mark.rule("MB-43")
def test_spd_is_compared_after_the_first_damage_and_what_that_set_off() -> None:
    slowed = fight("700/0/6", "5/300/3", Elk=on("hits", add("spd", 1), whose="other"))
    assert len(slowed.events(DamageDealt)) == 1
    hastened = fight("700/0/3", "5/300/3", Ox=on("hits", add("spd", 3)))
    assert len(hastened.events(DamageDealt)) == 2
    assert hastened.value("Ox", "spd") == 9, "and both attacks have been heard"


@pytest.mark.rule("MB-43")
def test_the_second_damage_is_reckoned_anew_and_dealt_after_the_first() -> None:
    table = fight("700/0/6", "5/300/3", Ox=on("hits", add("atk", -200)))
    assert table.reckoning() == ["atk 700", "def 400", "dealt 400", "again 400", "atk 500", "def 200", "dealt 200"]
    assert [e.value for e in table.events(CounterSet) if e.name == "lp"] == [5600, 5400]


@pytest.mark.rule("MB-43")
def test_a_second_damage_of_0_leaves_the_first() -> None:
    table = fight("700/0/6", "5/300/3", Ox=on("hits", add("atk", -600)))
    assert table.reckoning()[-3:] == ["atk 100", "def -200", "dealt 0"] and table.value(1, "lp") == 5600


@pytest.mark.rule("MB-43")
def test_the_first_damage_can_end_the_game_before_the_second() -> None:
    table = position("""
        0  battle: Ox 700/0/6
        1  player: Chief (lp 400)   battle: Elk 5/300/3
        phase attack
    """)
    assert table.result == (0, "lp") and len(table.events(DamageDealt)) == 1


@pytest.mark.rule("MB-44", "MB-39")
def test_0_or_below_at_step_1_ends_the_reckoning() -> None:
    for defence in (700, 900):
        table = fight("700/0/6 fire", f"5/{defence}/3 wood", Ox=passive("damage_out", add=500))
        assert table.reckoning() == ["atk 700", f"def {700 - defence}", "dealt 0"]
        assert not table.events(DamageDealt) and table.value(1, "lp") == 6000, (
            "no later step revives it, no second attack"
        )


@pytest.mark.rule("MB-44", "MB-39")
def test_an_atk_of_0_against_a_def_of_0_ends_it_too() -> None:
    assert fight("0/0/6", "5/0/3", Ox=passive("damage_out", add=500)).reckoning() == ["atk 0", "dealt 0"]


@pytest.mark.rule("MB-44", "MB-40")
def test_0_or_below_at_step_2_ends_the_reckoning() -> None:
    for change in (-400, -500):
        table = fight("700/0/6 fire", "5/300/3 wood", Ox=passive("damage_out", add=change),
                      Elk=passive("damage_in", add=900))
        assert table.reckoning() == ["atk 700", "def 400", f"attacker {400 + change}", "dealt 0"]


@pytest.mark.rule("MB-44", "MB-41")
def test_0_at_step_3_ends_the_reckoning() -> None:
    table = fight("301/0/6 fire", "5/300/3 water", Elk=passive("damage_in", add=900))
    assert table.reckoning() == ["atk 301", "def 1", "attribute 0", "dealt 0"] and not table.events(DamageDealt)


@pytest.mark.rule("MB-44", "MB-42")
def test_0_or_below_at_step_4_ends_the_reckoning() -> None:
    for change in (-800, -900):
        table = fight("700/0/6 fire", "5/300/3 wood", Elk=passive("damage_in", add=change))
        assert table.reckoning() == ["atk 700", "def 400", "attribute 800", f"defender {800 + change}", "dealt 0"]
        assert not table.events(DamageDealt)


@pytest.mark.rule("MB-45")
def test_against_a_blank_player_the_damage_is_the_current_atk_and_nothing_else() -> None:
    table = position("""
        0  battle: Ox 700/0/9 fire + Axe weapon stone +300   hand: Gain assist
    """, Ox=passive("damage_out", add=500), Gain=effect(lp(1)))
    table.do("pass")
    assert table.reckoning() == ["blank 1000", "dealt 1000"]
    assert table.story(DamageDealt, AttackSet) == ["Ox aims at seat 1", "Ox strikes seat 1 1000", "aimed at nothing"]


@pytest.mark.rule("MB-45")
def test_a_monster_that_leaves_during_the_attack_leaves_a_blank_player() -> None:
    table = fight("700/0/9", "5/600/3", Elk=on("attacks", do("move", what="self", zone="hand"), whose="other"))
    assert table.reckoning() == ["blank 700", "dealt 700"] and table.zone(1, "hand")[0] == "Elk"


@pytest.mark.rule("MB-43", "MB-45")
def test_there_is_no_second_attack_on_a_player_who_has_become_blank() -> None:
    table = fight("700/0/9", "5/300/3", Elk=on("hits", do("move", what="self", zone="hand"), whose="other"))
    assert len(table.events(DamageDealt)) == 1


def test_an_attacker_that_leaves_deals_nothing() -> None:
    table = fight("700/0/9", "5/300/3", Ox=on("attacks", do("move", what="self", zone="hand")))
    assert not table.reckoning() and table.value(1, "lp") == 6000


def test_the_card_that_an_effect_knows_as_attacker_or_attacked_is_the_one_in_the_attack() -> None:
    table = fight("700/0/3", "5/300/3", Ox=on("attacks", add("def", -100, "attacked"), add("atk", 50, "attacker")))
    assert table.reckoning() == ["atk 750", "def 550", "dealt 550"]


def test_each_step_names_the_card_that_changed_the_damage() -> None:
    table = fight("700/0/3 fire", "5/300/3 wood", Ox=passive("damage_out", add=9), Elk=passive("damage_in", add=-1))
    ox, elk = table.ids["Ox#1"], table.ids["Elk#1"]
    steps = [(e.step, e.by) for e in table.events(DamageCalculated)]
    assert steps == [
        ("atk", None), ("def", elk), ("attacker", ox), ("attribute", elk), ("defender", elk), ("dealt", None),
    ]
