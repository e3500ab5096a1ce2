"""Attacks: declaring, defending, damage, bursts (LO-27 … LO-38)."""

import pytest

from events.kinds import AttackSet, CardExhausted, DamageDealt, PhaseBegan, RuleApplied, StackPopped, StackPushed
from tests.engine.rulebooks.liveon.abilities import (
    DOWN,
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


@pytest.mark.rule("LO-27")
def test_only_standing_cards_on_the_own_a_line_attack_and_go_down_by_it():
    table = position("0 A: Ox, Ram (down), Idle   B: Elf   hand: Cat\n1 A: Wall 4000")
    assert table.legal() == ["pass"] + [f"attack {name} {at}" for name in ("Ox", "Idle") for at in ("deck", "Wall")]
    assert table.refused("attack Ram deck") == "LO-27"
    assert table.refused("attack Elf deck") == "LO-27"
    assert table.refused("attack Cat deck") == "LO-27"
    table.do("attack Ox Wall")
    assert table.story(CardExhausted, AttackSet)[:2] == ["Ox down", "Ox aims at Wall"]


@pytest.mark.rule("LO-27")
def test_attacks_belong_to_the_attack_phase():
    table = position("0 A: Ox   B: Elf\nphase move")
    assert table.refused("attack Ox deck") == "LO-27"


@pytest.mark.rule("LO-28")
def test_targets_are_the_deck_and_the_cards_on_the_opponents_a_line_standing_or_down():
    table = position("0 A: Ox, Idle\n1 A: Wall, Ram (down)   B: Elf   hand: Cat")
    assert [step for step in table.legal() if "Ox" in step] == ["attack Ox deck", "attack Ox Wall", "attack Ox Ram"]
    assert table.refused("attack Ox Elf") == "LO-28"
    assert table.refused("attack Ox Cat") == "LO-28"
    assert table.refused("attack Ox Idle") == "LO-28"


BOUNCE = skill(
    do("move", what="target", zone="hand"), do("move", what="target", zone="a"), targets=[target("a")]
)
"""Takes a card off the field and puts it back: then it is another card."""


@pytest.mark.rule("LO-28", "LO-32")
def test_an_attacked_card_that_has_left_and_come_back_is_another_card():
    table = position("0 A: Ox, Idle\n1 A: Wall 500   hand: Bounce", Bounce=BOUNCE)
    table.do("attack Ox Wall", "use Bounce", "choose Wall")
    assert table.moves("returned", "put") == ["Wall returned", "Wall put"]
    assert table.story(DamageDealt) == []
    assert table.zone(1, "A") == ["Wall"]


@pytest.mark.rule("LO-28", "LO-32")
def test_an_attacker_that_has_left_and_come_back_attacks_no_longer():
    table = position("0 A: Ox, Idle\n1 A: Wall 500   hand: Bounce", Bounce=BOUNCE)
    table.do("attack Ox deck", "pass", "use Bounce", "choose Ox")
    assert table.moves("returned", "put", "burst") == ["Ox returned", "Ox put"]
    assert "attack Ox deck" in table.legal()  # it stands again


@pytest.mark.rule("LO-29")
def test_an_attacked_card_must_defend_and_goes_down_if_it_stands():
    table = position("0 A: Ox 2000, Ram 2000, Idle\n1 A: Wall 4000, Fence 4000 (down)")
    table.do("attack Ox Wall", "attack Ram Fence")
    assert table.story(CardExhausted) == ["Ox down", "Wall down", "Ram down"]
    assert table.story(DamageDealt) == [
        "Ox strikes Wall 2000", "Wall strikes Ox 4000", "Ram strikes Fence 2000", "Fence strikes Ram 4000",
    ]


@pytest.mark.rule("LO-29", "LO-42")
def test_the_defence_is_declared_before_anybody_has_a_word():
    table = position("0 A: Ox, Idle   hand: Bolt\n1 A: Wall 4000", Bolt=ZAP)
    table.do("attack Ox Wall")
    assert table.waits == "0 window"
    assert table.down("Wall")


@pytest.mark.rule("LO-30")
def test_a_standing_card_on_the_a_line_may_defend_the_deck():
    table = position("0 A: Ox 3000, Idle\n1 A: Wall 4000, Ram (down), Imp   B: Elf")
    table.do("attack Ox deck")
    assert table.waits == "1 defend"
    assert table.legal() == ["choose Wall", "choose Imp", "pass"]
    assert table.refused("choose Ram") == table.refused("choose Elf") == "LO-30"
    table.do("choose Wall")
    assert table.down("Wall")
    assert table.story(AttackSet)[1] == "Ox aims at Wall"
    assert table.story(DamageDealt) == ["Ox strikes Wall 3000", "Wall strikes Ox 4000"]
    assert table.moves("burst") == []


@pytest.mark.rule("LO-31")
def test_a_deck_that_nobody_defends_is_burst():
    table = position("0 A: Ox, Idle\n1 A: Wall   deck: Top, Next, 3 Plain")
    table.do("attack Ox deck", "pass")
    assert table.moves("burst") == ["Top burst"]
    assert table.zone(1, "discard") == ["Top"]
    assert not table.down("Wall")


@pytest.mark.rule("LO-32")
@pytest.mark.parametrize("zone", ["discard", "hand", "b"])
def test_the_deck_is_burst_when_its_defender_is_lost(zone):
    gale = skill(do("move", what="target", zone=zone), targets=[target("a")])
    table = position("0 A: Ox, Idle   hand: Gale\n1 A: Wall   deck: Top, 3 Plain", Gale=gale)
    table.do("attack Ox deck", "choose Wall", "use Gale", "choose Wall")
    assert table.moves("burst") == ["Top burst"]
    assert table.story(DamageDealt) == ["Ox strikes seat 1 1"]


@pytest.mark.rule("LO-32")
@pytest.mark.parametrize("zone", ["discard", "hand", "b"])
def test_the_attack_ends_without_effect_when_the_attacked_card_is_lost(zone):
    gale = skill(do("move", what="target", zone=zone), targets=[target("a", of="other")])
    table = position("0 A: Ox, Idle   hand: Gale\n1 A: Wall   deck: Top, 3 Plain", Gale=gale)
    table.do("attack Ox Wall", "use Gale")
    assert table.events(DamageDealt) == []
    assert table.moves("burst") == []


@pytest.mark.rule("LO-32")
def test_a_card_that_is_lost_as_the_attack_is_declared_does_not_defend():
    gloom = passive(
        "pow", add=-1000, what=cards("a", of="other"), when={"count": cards("a", name="Gloom", exhausted=True)}
    )
    table = position("0 A: Gloom, Idle\n1 A: Imp 1000, Guard 4000 defender   deck: Top, 3 Plain", Gloom=gloom)
    table.do("attack Gloom Imp")
    assert table.waits == "0 attack"
    assert table.story(CardExhausted) == ["Gloom down"]
    assert table.story(AttackSet) == ["Gloom aims at Imp", "Gloom aims at nothing", "aimed at nothing"]
    assert (table.moves("destroyed", "burst"), table.events(DamageDealt)) == (["Imp destroyed"], [])


@pytest.mark.rule("LO-37")
def test_a_passive_ability_can_be_about_the_attack_under_way():
    rage = passive("pow", add=1000, when={"slot": "attacker", "fits": cards(name="Rage")})
    table = position("0 A: Rage 1000, Idle\n1 A: Wall 1500", Rage=rage).do("attack Rage Wall")
    assert table.story(DamageDealt) == ["Rage strikes Wall 2000", "Wall strikes Rage 1500"]
    assert table.zone(0, "A") == ["Idle"]  # the attack over, 1500 damage is more than its POW


@pytest.mark.rule("LO-32", "LO-56")
def test_the_attack_ends_without_effect_when_the_defender_that_stepped_in_is_lost():
    table = position("0 A: Ox, Idle   hand: Kill\n1 A: Wall, Guard defender   deck: Top, 3 Plain", Kill=KILL)
    table.do("attack Ox Wall", "choose Guard", "use Kill", "choose Guard")
    assert table.events(DamageDealt) == []
    assert table.zone(1, "A") == ["Wall"]


@pytest.mark.rule("LO-32")
@pytest.mark.parametrize("zone", ["discard", "hand", "b"])
@pytest.mark.parametrize("at", ["Wall", "deck"])
def test_nothing_comes_of_an_attack_when_the_attacker_is_lost(zone, at):
    gale = skill(do("move", what="target", zone=zone), targets=[target("a", of="other")])
    table = position("0 A: Ox, Idle\n1 A: Wall (down)   hand: Gale   deck: Top, 3 Plain", Gale=gale)
    table.do(f"attack Ox {at}", "use Gale", "choose Ox")
    assert table.events(DamageDealt) == []
    assert table.moves("burst") == []


@pytest.mark.rule("LO-33")
def test_before_damage_both_players_may_use_skills_and_abilities():
    table = position("0 A: Ox 3000, Idle   hand: Bolt\n1 A: Wall 4000   B: Healer", Bolt=ZAP, Healer=used(
        do("add", what="target", name="pow", n=1000), targets=[target("a", of="own")]))
    table.do("attack Ox Wall")
    assert table.waits == "0 window"
    table.do("use Bolt", "choose Wall")
    assert table.waits == "1 window"
    table.do("use Healer")
    assert table.story(StackPushed, StackPopped, DamageDealt) == [
        "skill Bolt", "ability Healer", "Healer resolved", "Bolt resolved", "Bolt strikes Wall 1000",
        "Ox strikes Wall 3000", "Wall strikes Ox 5000",
    ]
    assert table.zone(1, "A") == ["Wall"]  # 4000 damage, POW 5000


@pytest.mark.rule("LO-34")
@pytest.mark.parametrize(("ox", "wall", "destroyed"), [
    (3000, 3000, ["Ox destroyed", "Wall destroyed"]),
    (3000, 2999, ["Wall destroyed"]),
    (2999, 3000, ["Ox destroyed"]),
])
def test_attacker_and_defender_deal_their_pow_at_once_and_are_destroyed_by_as_much(ox, wall, destroyed):
    table = position(f"0 A: Ox {ox}, Idle\n1 A: Wall {wall}").do("attack Ox Wall")
    assert table.story(DamageDealt) == [f"Ox strikes Wall {ox}", f"Wall strikes Ox {wall}"]
    assert table.moves("destroyed") == destroyed


@pytest.mark.rule("LO-34")
def test_damage_is_the_current_pow():
    table = position("""
        0 A: Ox 3000, Drum, Idle
        1 A: Wall 3500
    """, Drum=passive("pow", what=cards("a", of="own", another=True), add=1000))
    table.do("attack Ox Wall")
    assert table.story(DamageDealt)[0] == "Ox strikes Wall 4000"
    assert table.moves("destroyed") == ["Wall destroyed"]


@pytest.mark.rule("LO-35")
def test_damage_adds_up_over_the_turn_and_lowers_no_pow():
    table = position("0 A: Ox 2000, Ram 1000, Idle\n1 A: Wall 3000")
    table.do("attack Ox Wall")
    assert (table.pow("Wall"), table.value("Wall", "damage")) == (3000, 2000)
    table.do("attack Ram Wall")
    assert table.story(DamageDealt)[2:] == ["Ram strikes Wall 1000", "Wall strikes Ram 3000"]
    assert "Wall destroyed" in table.moves("destroyed")


@pytest.mark.rule("LO-36")
@pytest.mark.parametrize(("printed", "deck", "burst"), [
    ("", 5, 1), ("burst 2", 5, 2), ("burst 3", 5, 3), ("burst 3", 2, 2),
])
def test_an_attack_on_the_deck_bursts_one_card_or_n_at_the_same_time(printed, deck, burst):
    table = position(f"0 A: Ox {printed}, Idle\n1 deck: {deck}").do("attack Ox deck")
    assert table.story(DamageDealt) == [f"Ox strikes seat 1 {burst}"]
    assert len(table.moves("burst")) == burst
    assert len(table.zone(1, "discard")) == burst


@pytest.mark.rule("LO-37")
@pytest.mark.parametrize(("down_by", "destroyed"), [(1999, []), (2000, ["Wall destroyed"]), (2500, ["Wall destroyed"])])
def test_a_pow_of_zero_or_below_destroys(down_by, destroyed):
    wither = skill(do("add", what="target", name="pow", n=-down_by), targets=[target("a", of="other")])
    table = position("0 A: Idle   hand: Wither\n1 A: Wall 2000", Wither=wither).do("use Wither")
    assert table.moves("destroyed") == destroyed


@pytest.mark.rule("LO-37")
def test_damage_from_skills_destroys_like_that_of_battle_and_at_once():
    table = position("0 A: Idle   hand: Bolt\n1 A: Wall 2000 (damage 1000)   B: Elf", Bolt=ZAP)
    table.do("use Bolt", "choose Wall")
    assert table.moves("destroyed", "spent") == ["Wall destroyed", "Bolt spent"]
    assert table.zone(1, "discard") == ["Wall"]


@pytest.mark.rule("LO-37")
def test_a_card_without_pow_is_destroyed_after_the_very_instruction():
    twice = skill(
        do("add", what="target", name="pow", n=-1000), do("add", what="target", name="pow", n=1000),
        targets=[target("a", of="other")],
    )
    table = position("0 A: Idle   hand: Twice\n1 A: Wall 1000", Twice=twice).do("use Twice")
    assert table.moves("destroyed") == ["Wall destroyed"]


@pytest.mark.rule("LO-37")
def test_a_continuous_bonus_that_goes_away_in_mid_turn_can_destroy():
    table = position("""
        0 A: Idle   hand: Kill
        1 A: Wall 1000 (damage 1500)   B: Drum
    """, Drum=passive("pow", what=cards("a", of="own"), add=1000), Kill=KILL)
    assert table.pow("Wall") == 2000
    table.do("use Kill", "choose Drum")
    assert table.moves("destroyed") == ["Drum destroyed", "Wall destroyed"]


@pytest.mark.rule("LO-37")
def test_cards_that_leave_together_hear_each_other_leave():
    mourn = on("destroyed", do("draw"), whose="own", fits=cards(another=True))
    quake = skill(do("damage", what=cards("a", of="other"), n=3000))
    table = position("0 A: Ox, Idle   hand: Quake\n1 A: Widow 3000, Son 3000", Widow=mourn, Son=mourn, Quake=quake)
    table.do("use Quake", "choose Widow")
    assert table.moves("destroyed") == ["Widow destroyed", "Son destroyed"]
    assert table.story(StackPushed)[1:] == ["trigger Widow", "trigger Son"]
    assert len(table.zone(1, "hand")) == 2


@pytest.mark.rule("LO-37", "LO-53")
def test_a_destroyed_card_goes_to_its_owners_discard_pile():
    table = position("0 A: Ox 3000, Idle\n1 A: Wall 1000").do("attack Ox Wall")
    assert (table.zone(0, "discard"), table.zone(1, "discard")) == ([], ["Wall"])


@pytest.mark.rule("LO-38")
def test_attacks_are_one_after_another_and_none_is_a_must():
    table = position("0 A: Ox, Ram, Idle\n1 deck: 5").do("attack Ram deck")
    assert table.legal() == ["pass", "attack Ox deck", "attack Idle deck"]
    table.do("attack Ox deck")
    assert table.legal() == ["pass", "attack Idle deck"]
    table.do("pass")
    assert len(table.moves("burst")) == 2
    assert table.story(PhaseBegan)[0] == "end"


# --- the attack under way, as effects see it ------------------------------------------------------------------


@pytest.mark.rule("LO-54", "LO-55")
def test_a_reaction_can_speak_of_the_attacker():
    table = position("0 A: Ox 1000, Idle\n1 deck: Mine, 3 Plain", Mine=reaction(do("damage", what="attacker", n=1000)))
    table.do("attack Ox deck")
    assert table.moves("destroyed", "burst") == ["Ox destroyed", "Mine burst"]
    assert table.match.state.attack == (None, None)


@pytest.mark.rule("LO-32")
def test_an_attacker_that_has_gone_is_aimed_with_no_longer():
    fetch = skill(do("move", what="attacker", zone="hand"))
    table = position("0 A: Ox, Idle\n1 A: Wall (down)   hand: Kill, Fetch, 2 Plain", Kill=KILL, Fetch=fetch)
    table.do("attack Ox deck", "use Fetch", "use Kill", "choose Ox")
    assert table.zone(0, "discard") == ["Ox"]  # the Fetch below finds no attacker any more
    assert table.zone(0, "hand") == []
    assert table.story(AttackSet) == ["Ox aims at seat 1", "aimed at nothing"]


@pytest.mark.rule("LO-27", "LO-42")
def test_an_effect_ends_the_attack_before_damage():
    calm = used(do("end_attack"), cost=[DOWN], when={"slot": "attacker"})
    table = position("0 A: Ox, Idle\n1 A: Wall   B: Calm", Calm=calm)
    table.do("attack Ox Wall", "use Calm")
    assert table.story(RuleApplied) == ["end_attack Ox"]
    assert table.events(DamageDealt) == []
    assert table.waits == "0 attack"


def test_what_an_effect_does_after_it_has_ended_the_attack_is_still_its_own_doing():
    calm = skill(do("end_attack"), do("damage", what=cards("a", of="other"), n=1000))
    table = position("0 A: Ox 1000, Idle 1000\n1 A: Wall   hand: Calm", Calm=calm)
    table.do("attack Ox deck", "pass", "use Calm")
    log, cause, causes = table.match.log, 0, []
    for number, event in enumerate(log):
        cause = number - event.back if event.back else cause
        causes.append(log[cause])
    moved = [e for e in log if getattr(e, "move_kind", "") == "destroyed"]
    gone = {table.find("Ox"), table.find("Idle")}
    told = [(type(e), type(causes[n])) for n, e in enumerate(log) if n >= table.start]
    assert told.count((DamageDealt, StackPopped)) == 2
    assert {e.card for e, why in zip(log, causes, strict=True) if isinstance(why, StackPopped) and e in moved} == gone
