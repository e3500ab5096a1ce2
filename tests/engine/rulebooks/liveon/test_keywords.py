"""The keywords (LO-50 … LO-61)."""

import pytest

from engine.cards.files import LANGUAGES
from engine.rulebooks.liveon.card import KEYWORDS
from engine.words import words
from events.kinds import (
    Asked,
    AttackSet,
    CardAttached,
    CardExhausted,
    DamageDealt,
    ModifierBegan,
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
    used,
)
from tests.engine.rulebooks.liveon.position import new_game, position


@pytest.mark.rule("LO-50", "LO-36")
@pytest.mark.parametrize("kind", ["fighter", ""])
def test_burst_stands_on_fighters_and_monsters_alike(kind):
    table = position(f"0 A: Hero {kind} burst 3, Idle\n1 deck: 5").do("attack Hero deck")
    assert len(table.moves("burst")) == 3


KEYWORD_NUMBERS = [(name, printed, given) for name in KEYWORDS for printed in range(6 if name == "burst" else 2)
                   for given in range(6 if name == "burst" else 2)]


@pytest.mark.rule("LO-50")
@pytest.mark.parametrize("way", ["for the turn", "passive", "both"])
@pytest.mark.parametrize(("name", "printed", "given"), KEYWORD_NUMBERS)
def test_of_a_keyword_that_is_given_to_a_card_that_has_it_the_greater_number_stays(name, printed, given, way):
    """Given 0, it is taken away."""
    push = skill(do("set", what=cards("a", of="own", name="Ox"), name=name, value=given))
    drum = passive(name, set=given, what=cards("a", of="own", name="Ox"))
    has = f"{name} {printed}" if name == "burst" and printed else name if printed else ""
    table = position(f"0 A: Ox {has}, Idle   hand: Push{'' if way == 'for the turn' else '   B: Drum'}\n1 deck: 9",
                     Push=push, **({} if way == "for the turn" else {"Drum": drum}))
    if way != "passive":
        table.do("use Push")
    assert table.value("Ox", name) == (max(printed, given) if given else 0)


@pytest.mark.rule("LO-50", "LO-44")
def test_what_is_given_later_counts_after_what_was_taken_away_and_all_of_it_ends():
    steps = [do("set", what="target", name="burst", value=n) for n in (0, 3, 2)]
    table = position("0 A: Ox burst 4, Idle   hand: Push\n1 A: Wall   deck: 9",
                     Push=skill(*steps, targets=[target("a", of="own", name="Ox")]))
    table.do("use Push")
    assert table.value("Ox", "burst") == 3
    table.do("pass").until("1 attack")
    assert table.value("Ox", "burst") == 4


@pytest.mark.rule("LO-50", "LO-36")
def test_burst_can_be_given_until_end_of_turn_and_the_attack_bursts_as_many():
    table = position("0 A: Ox, Bull burst 4, Idle   hand: Push\n1 deck: 9",
                     Push=skill(do("set", what=cards("a", of="own"), name="burst", value=3)))
    table.do("use Push", "attack Ox deck", "attack Bull deck")
    assert table.story(DamageDealt) == ["Ox strikes seat 1 3", "Bull strikes seat 1 4"]


# --- Rush -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("LO-51")
def test_rush_moves_to_the_a_line_at_once_and_may_attack():
    table = position("0 B: B1, B2, B3, B4   hand: Hare red red rush, Cat, Need red red red red red red\nphase live")
    table.do("live Hare")
    assert table.waits == "0 rush"
    table.do("yes")
    assert table.zone(0, "A") == ["Hare"]
    assert table.story(RuleApplied) == ["rush Hare"]
    table.do("live Cat")  # its place on B is free
    assert table.zone(0, "B")[-1] == "Cat"
    assert table.waits == "0 attack"
    assert "attack Hare deck" in table.legal()


@pytest.mark.rule("LO-51")
def test_it_then_produces_no_more():
    text = "0 B: Elf   hand: Hare rush, Ox red red, Cat\nphase live"
    assert "live Ox" in position(text).do("live Hare", "no").legal()
    moved = position(text).do("live Hare", "yes")
    assert moved.refused("live Ox") == "LO-07"


@pytest.mark.rule("LO-51")
def test_rush_needs_room_on_a():
    table = position("0 A: A1, A2, A3, A4, A5   hand: Hare rush, Cat\nphase live").do("live Hare")
    assert table.zone(0, "B") == ["Hare"]
    assert "rush" not in [e.question for e in table.events(Asked)]


@pytest.mark.rule("LO-51", "LO-55")
def test_a_reaction_that_lives_rushes_too():
    table = position("0 A: Ox, Idle\n1 deck: Hare rush, 3 Plain", Hare=reaction(do("play", what="self")))
    table.do("attack Ox deck")
    assert table.waits == "1 rush"
    table.do("yes")
    assert table.zone(1, "A") == ["Hare"]


@pytest.mark.rule("LO-51")
def test_rush_given_by_another_card_counts():
    drum = passive("rush", set=1, what=cards("b", of="own", kind="monster", another=True))
    table = position("0 B: Drum   hand: Ox, Cat\nphase live", Drum=drum).do("live Ox")
    assert table.waits == "0 rush"


# --- Live Change ----------------------------------------------------------------------------------------------

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
def test_it_takes_over_posture_damage_and_bonuses():
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
def test_it_is_a_fighter_and_a_monster_at_once_on_the_field_and_a_monster_elsewhere(zone, kind):
    kinds, text = KINDS_IN[zone]
    counted = cards(zone.lower(), of="own", kind=kind, name="Champ")
    rage = passive("pow", add={"times": 100, "count": counted})
    table = position(f"0 {text}\n1 B: Elf", Idle=rage)
    assert table.pow("Idle") == 1000 + 100 * (kind in kinds)


@pytest.mark.rule("LO-52", "LO-14")
def test_it_is_no_fighter_to_start_with():
    start = new_game("Champ change:Hero, 3 Hero fighter, 37 Plain", "3 Hero, 38 Plain")
    assert start.match.state.turn == 1
    assert start.zone(0, "B") == ["Hero"]


@pytest.mark.rule("LO-52", "LO-12")
def test_a_star_looks_at_the_upper_name_only():
    table = position("0 B: Champ 4000 change:Hero over ★Hero fighter   hand: Hero, Cat\nphase live")
    assert "live Hero#2" in table.legal()


@pytest.mark.rule("LO-52", "LO-51")
def test_it_counts_as_lived():
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
def test_to_the_bottom_of_the_deck_too():
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


# --- Defender -------------------------------------------------------------------------------------------------


@pytest.mark.rule("LO-56")
def test_a_defender_steps_in_for_another_card_and_only_it_goes_down():
    table = position("""
        0 A: Ox 3000, Idle
        1 A: Wall 1000, Guard 4000 defender, Pike defender (down), Cow   B: Rook defender
    """)
    table.do("attack Ox Wall")
    assert table.waits == "1 step_in"
    assert table.legal() == ["choose Guard", "pass"]
    assert table.refused("choose Pike") == "LO-56"
    table.do("choose Guard")
    assert table.story(CardExhausted, AttackSet)[:4] == ["Ox down", "Ox aims at Wall", "Ox aims at Guard", "Guard down"]
    assert not table.down("Wall")
    assert table.story(DamageDealt) == ["Ox strikes Guard 3000", "Guard strikes Ox 4000"]


@pytest.mark.rule("LO-56")
def test_it_need_not_and_one_steps_in_per_attack():
    table = position("0 A: Ox 3000, Idle\n1 A: Wall 1000, Guard 4000 defender, Pike 4000 defender")
    table.do("attack Ox Wall", "pass")
    assert table.moves("destroyed") == ["Wall destroyed"]
    table.do("attack Idle Guard", "choose Pike")
    assert [e.question for e in table.events(Asked)].count("step_in") == 2
    assert table.story(DamageDealt)[2] == "Idle strikes Pike 1000"


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
def test_it_does_not_help_against_no_pow():
    wither = skill(do("add", what="target", name="pow", n=-2000), targets=[target("a", of="other")])
    table = position("0 A: Idle   hand: Wither\n1 A: Troll 2000", Troll=regenerate(), Wither=wither).do("use Wither")
    assert table.moves("destroyed") == ["Troll destroyed"]


@pytest.mark.rule("LO-57")
def test_it_helps_against_destroy_effects():
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


# --- First Strike ---------------------------------------------------------------------------------------------


@pytest.mark.rule("LO-58")
@pytest.mark.parametrize(("wall", "struck", "destroyed"), [
    (2000, ["Ox strikes Wall 2000"], ["Wall destroyed"]),
    (3000, ["Ox strikes Wall 2000", "Wall strikes Ox 3000"], ["Ox destroyed"]),
])
def test_first_strike_as_attacker(wall, struck, destroyed):
    table = position(f"0 A: Ox 2000 first_strike_attack, Idle\n1 A: Wall {wall}").do("attack Ox Wall")
    assert table.story(DamageDealt) == struck
    assert table.moves("destroyed") == destroyed


@pytest.mark.rule("LO-58", "LO-57")
def test_one_that_regenerates_does_deal_back():
    table = position("0 A: Ox 2000 first_strike_attack, Idle\n1 A: Troll 2000", Troll=regenerate())
    table.do("attack Ox Troll")
    assert table.story(DamageDealt, RuleApplied) == [
        "Ox strikes Troll 2000",
        "regenerate Troll",
        "Troll strikes Ox 2000",
    ]
    assert table.moves("destroyed") == ["Ox destroyed"]


@pytest.mark.rule("LO-59")
def test_first_strike_as_defender():
    table = position("0 A: Ox 2000, Idle\n1 A: Wall 2000 first_strike_defence").do("attack Ox Wall")
    assert table.story(DamageDealt) == ["Wall strikes Ox 2000"]
    assert table.moves("destroyed") == ["Ox destroyed"]


@pytest.mark.rule("LO-59", "LO-58")
def test_each_has_it_only_in_its_part_and_both_together_are_simultaneous():
    for ox, wall in (("defence", "attack"), ("attack", "defence")):
        text = f"0 A: Ox 2000 first_strike_{ox}, Idle\n1 A: Wall 2000 first_strike_{wall}"
        table = position(text).do("attack Ox Wall")
        assert table.story(DamageDealt) == ["Ox strikes Wall 2000", "Wall strikes Ox 2000"]
        assert table.moves("destroyed") == ["Ox destroyed", "Wall destroyed"]


# --- Stealth --------------------------------------------------------------------------------------------------


@pytest.mark.rule("LO-60")
def test_nobody_can_choose_to_defend_against_stealth():
    table = position("0 A: Ox 2000 stealth, Cat 2000 stealth, Idle\n1 A: Wall 3000, Guard defender")
    table.do("attack Ox deck")
    assert len(table.moves("burst")) == 1
    table.do("attack Cat Wall")
    assert [e.question for e in table.events(Asked)] == ["attack", "attack"]
    assert table.down("Wall")  # the compulsory defence holds
    assert not table.down("Guard")
    assert table.story(DamageDealt)[1:] == ["Cat strikes Wall 2000", "Wall strikes Cat 3000"]


# --- Words ----------------------------------------------------------------------------------------------------

TERMS = {
    "live": "Live", "live_on": "Live On！", "live_over": "Live Over", "draw": "抽卡", "field": "场地", "a_line": "A线",
    "b_line": "B线", "standing": "重置状态", "down": "横置状态", "reset": "重置", "power_source": "动力源",
    "production": "发生动力源", "requirement": "必要动力源", "attack_declaration": "攻击宣言",
    "defence_declaration": "防御宣言", "burst": "爆卡", "chain": "效果累加", "reaction": "触发", "live_change": "变身",
    "destroyed": "击破",
}


@pytest.mark.rule("LO-61")
def test_the_games_own_words_are_there_in_every_language():
    for language in LANGUAGES:
        said = words(language, "liveon")
        assert [term for term in TERMS if said.own(f"term.{term}") is None] == [], language
    said = words("zh-Hans", "liveon")
    assert {term: said.own(f"term.{term}") for term in TERMS} == TERMS
