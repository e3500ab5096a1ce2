"""The keywords (LO-50 … LO-61)."""

import pytest

from engine.rulebooks.liveon.card import KEYWORDS
from engine.words import LANGUAGES, words
from events.kinds import (
    Asked,
    AttackSet,
    CardExhausted,
    DamageDealt,
    RuleApplied,
)
from tests.engine.rulebooks.liveon.abilities import (
    cards,
    do,
    passive,
    reaction,
    regenerate,
    skill,
    target,
)
from tests.engine.rulebooks.liveon.position import position


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
def test_a_card_that_has_rushed_no_longer_produces():
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
def test_a_defender_need_not_step_in_and_one_does_per_attack():
    table = position("0 A: Ox 3000, Idle\n1 A: Wall 1000, Guard 4000 defender, Pike 4000 defender")
    table.do("attack Ox Wall", "pass")
    assert table.moves("destroyed") == ["Wall destroyed"]
    table.do("attack Idle Guard", "choose Pike")
    assert [e.question for e in table.events(Asked)].count("step_in") == 2
    assert table.story(DamageDealt)[2] == "Idle strikes Pike 1000"


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
def test_a_card_that_regenerates_deals_damage_back():
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
def test_first_strike_counts_only_in_its_role_and_two_of_them_are_simultaneous():
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
