"""Cards: kinds, colours, power sources, what they require, ★ (LO-01 … LO-12)."""

import pytest

from engine.cards.files import CardError, card_from
from engine.rulebooks.liveon.card import LiveOnCard, LiveOnDefinition
from engine.rulebooks.liveon.checks import problems
from engine.rulebooks.liveon.lines import production
from events.kinds import DamageDealt, RuleApplied, StackPushed
from tests.engine.rulebooks.liveon.abilities import (
    BELL,
    ZAP,
    cards,
    do,
    on,
    reaction,
    regenerate,
    skill,
    target,
    used,
)
from tests.engine.rulebooks.liveon.position import position

CARD = {
    "code": "T-001", "name": {"en": "Ox"}, "kind": "monster", "race": {"en": "Beast"}, "colour": "red",
    "power": {"red": 2, "any": 2}, "pow": 3000, "rarity": "C", "flavour": {"en": "It waits."},
}


def made(**changes):
    return LiveOnDefinition(card_from({**CARD, **changes}, LiveOnCard, "test"))


@pytest.mark.rule("LO-01")
def test_fighters_and_monsters_are_lived_onto_the_b_line_and_skills_are_not():
    table = position("0 hand: Hero fighter, Ox, Bolt skill\nphase live", Bolt=ZAP)
    assert table.legal() == ["pass", "live Hero", "live Ox"]
    table.do("live Hero")
    assert table.zone(0, "B") == ["Hero"]
    assert table.refused("live Bolt") == "LO-26"
    with pytest.raises(CardError, match="kind"):
        made(kind="item")


@pytest.mark.rule("LO-02")
def test_what_stands_on_a_card():
    card = made(ability=[used(do("draw"))])
    assert (card.code, card.name, card.kind, card.stats["pow"]) == ("T-001", "Ox", "monster", 3000)
    assert card.words == {"kind": "monster", "colour": "red", "race": "Beast"}
    assert len(card.abilities) == 1
    for field in ("code", "name", "kind", "colour", "power", "rarity"):
        with pytest.raises(CardError, match=field):
            card_from({key: value for key, value in CARD.items() if key != field}, LiveOnCard, "test")
    without_race, with_pow = made(race={}), made(kind="skill", race={}, ability=[skill(do("draw"))])
    assert [(p.rule, p.field) for p in problems({"T-001": without_race})] == [("LO-02", "race")]
    assert [(p.rule, p.field) for p in problems({"T-001": with_pow})] == [("LO-02", "pow")]


@pytest.mark.rule("LO-03")
def test_rarity_is_one_of_six_and_changes_nothing():
    common, million = (
        position(f"0 A: Ox 3000 {rarity}, Idle\n1 A: Ram 2000").do("attack Ox Ram") for rarity in ("C", "MR")
    )
    assert common.story(DamageDealt) == ["Ox strikes Ram 3000", "Ram strikes Ox 2000"]
    assert common.events() == million.events()
    for rarity in ("C", "U", "R", "VR", "SR", "MR"):
        made(rarity=rarity)
    with pytest.raises(CardError, match="rarity"):
        made(rarity="XR")


@pytest.mark.rule("LO-04")
def test_the_colour_is_that_of_the_frame_whatever_the_power_source():
    flood = skill(do("destroy", what=cards("a", colour="blue")))
    table = position("0 A: Ox red, Whale frame:blue red, Idle\n 0 hand: Flood", Flood=flood)
    table.do("use Flood")
    assert table.moves("destroyed") == ["Whale destroyed"]
    for colour in ("red", "white", "blue", "black"):
        made(colour=colour)
    with pytest.raises(CardError, match="colour"):
        made(colour="green")


@pytest.mark.rule("LO-05")
def test_a_power_source_is_coloured_symbols_and_a_colourless_number():
    giant = made(power={"red": 2, "any": 2})
    assert giant.symbols == (2, 0, 0, 0)
    assert giant.needs == 4
    with pytest.raises(CardError, match="power"):
        made(power={"green": 1})
    assert [p.rule for p in problems({"T-001": made(power={})})] == ["LO-05"]


@pytest.mark.rule("LO-06")
def test_the_b_line_produces_its_coloured_symbols_and_the_a_line_nothing():
    table = position("""
        0 A: Ox red red   B: Elf red white ②, Imp black (down)   hand: Need red red, Spare
        phase live
    """)
    assert production(table.match, 0)[:4] == (1, 1, 0, 1)
    assert table.refused("live Need") == "LO-07"  # a second red stands on A, the colourless ② produces nothing


@pytest.mark.rule("LO-07")
@pytest.mark.parametrize(("b_line", "enough"), [
    ("Elf red red, Imp blue blue", True),
    ("Elf red red red red", True),
    ("Elf red red, Imp blue", False),
    ("Elf red, Imp blue blue blue", False),
])
def test_a_requirement_is_met_colour_by_colour_and_in_all(b_line, enough):
    table = position(f"0 B: {b_line}   hand: Giant red red ②, Spare\nphase live")
    assert ("live Giant" in table.legal()) == enough
    if not enough:
        assert table.refused("live Giant") == "LO-07"


@pytest.mark.rule("LO-08")
def test_production_is_not_spent():
    table = position("""
        0 A: Idle   B: Elf red red   hand: Ox red red, Ram red red, Bolt red red skill
        1 A: Wall 4000
        phase live
    """, Bolt=ZAP)
    table.do("live Ox", "live Ram", "use Bolt", "choose Wall")
    assert table.value("Wall", "damage") == 1000


@pytest.mark.rule("LO-09")
def test_one_symbol_in_all_needs_no_production():
    table = position("0 hand: Imp black, Golem ①, Bolt red skill\nphase live", Bolt=ZAP)
    table.do("live Imp", "live Golem")
    assert table.zone(0, "B") == ["Imp", "Golem"]


@pytest.mark.rule("LO-09", "LO-39")
def test_a_skill_of_one_symbol_does_need_it():
    table = position("0 A: Ox, Idle   hand: Bolt red skill", Bolt=ZAP)
    assert table.refused("use Bolt") == "LO-39"


@pytest.mark.rule("LO-10")
def test_an_ability_overrides_the_rules():
    portal = used(do("choose", **{"from": cards("hand", of="own", kind="monster")}), do("play", what="chosen"))
    table = position("0 A: Portal, Idle   hand: Ox\nphase attack", Portal=portal)
    assert table.refused("live Ox") == "LO-24"  # not in the attack phase …
    table.do("use Portal")
    assert table.zone(0, "B") == ["Ox"]  # … unless a card says so


@pytest.mark.rule("LO-11")
@pytest.mark.parametrize("phase", ["move", "live", "attack"])
def test_abilities_are_used_in_the_three_phases_by_both_players(phase):
    table = position(f"0 A: Idle   B: Mine\n1 B: Yours\nphase {phase}", Mine=BELL, Yours=BELL)
    table.do("use Mine")
    assert table.waits == "1 window"
    table.do("use Yours")
    assert table.story(StackPushed) == ["ability Mine", "ability Yours"]


@pytest.mark.rule("LO-11")
def test_no_ability_is_used_in_the_start_and_end_phases():
    table = position("""
        0 B: Mine, Chime
        1 B: Yours
        phase end
    """, Mine=BELL, Yours=BELL, Chime=on("turn_began", do("draw", n=0), whose="other"))
    assert table.waits == "1 move"
    assert "trigger Chime" in table.story()  # something went on the pile in the start phase
    assert "0 window" not in table.story()


@pytest.mark.rule("LO-11")
def test_unless_the_ability_says_otherwise():
    table = position("0 A: Ox, Mine\nphase move", Mine=used(do("draw"), when={"phase": "attack"}))
    assert table.refused("use Mine") == "LO-10"
    table.do("pass")
    assert "use Mine" in table.legal()


@pytest.mark.rule("LO-12")
def test_a_second_star_of_the_name_cannot_be_lived():
    table = position("0 A: ★King   hand: King, ★Queen\n1 B: King\nphase live")
    assert table.refused("live King") == "LO-12"
    assert "live Queen" in table.legal()


@pytest.mark.rule("LO-12")
def test_a_reaction_cannot_live_a_second_star():
    table = position("""
        0 A: Ox, Idle
        1 B: ★King   deck: King, 3 Plain
    """, King=reaction(do("play", what="self")))
    table.do("attack Ox deck")
    assert table.zone(1, "B") == ["King"]
    assert table.zone(1, "discard") == ["King#2"]


@pytest.mark.rule("LO-12")
def test_two_stars_by_an_effect_leave_the_one_that_is_chosen():
    table = position("""
        0 A: Call, Idle, Widow   B: ★King (damage 500)   discard: King
        phase move
    """, Call=used(do("move", what="target", zone="b"), targets=[target("discard", of="own")]),
        King=regenerate(), Widow=on("destroyed", do("draw"), whose="any"))
    table.do("use Call")
    assert table.waits == "0 star"
    table.do("choose King#2")
    assert table.zone(0, "B") == ["King#2"]
    assert table.moves("star", "destroyed", "drawn") == ["King star"]  # no destruction: nothing saves, nothing hears it
    assert table.story(RuleApplied) == ["star King#2"]


@pytest.mark.rule("LO-12", "LO-10")
def test_an_effect_lives_a_second_star_and_the_choice_is_made():
    table = position("""
        0 A: Call, Idle   B: ★King   hand: King, Cat
        phase move
    """, Call=used(do("play", what="target"), targets=[target("hand", of="own")]))
    table.do("use Call", "choose King#2", "choose King")
    assert table.moves("lived", "star") == ["King#2 lived", "King#2 star"]
