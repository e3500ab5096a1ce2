"""Items, their windows and chain, and effects of skills (XC-23 … XC-27)."""

from __future__ import annotations

import pytest

from events.kinds import AttackMet, DamageCalculated, PhaseBegan, RuleApplied, StackPopped, StackPushed
from tests.engine.rulebooks.xcard.effects import BELL, BREAK, NO_DRAW, atk, be, do, effect, field, player, target
from tests.engine.rulebooks.xcard.position import Cards, position
from tests.engine.rulebooks.xcard.test_cards import linted

KILL = effect(do("destroy", what="target"), targets=[target("other")])


@pytest.mark.rule("XC-23", "XC-16")
def test_three_windows_before_the_attacker_forms_up_after_it_and_after_the_defender() -> None:
    table = position("0  hand: Ox, Bell\n1  hand: Wall, Bell\nphase before", Bell=BELL)
    asked = []
    while table.asked is not None and table.asked.question != "draw":
        asked.append(f"{table.match.state.phase}: {table.waits}")
        table.do("pass")
    assert asked == [
        "before: 0 window", "before: 1 window", "form_attack: 0 form_attack", "after_attack: 0 window",
        "after_attack: 1 window", "form_defence: 1 form_defence", "after_defence: 0 window", "after_defence: 1 window",
    ]


@pytest.mark.rule("XC-23")
def test_items_are_used_in_any_number_and_a_window_opens_again_with_the_attackers_word() -> None:
    table = position("0  hand: 3 Horn, Bell\n1  hand: Bell\nphase after_attack", Horn=effect(atk(300)), Bell=BELL)
    table.do("use Horn", "pass", "use Horn", "pass", "pass")
    assert table.waits == "0 window" and table.match.state.phase == "after_attack" and not table.match.state.stack
    table.do("use Horn")
    assert table.story(StackPushed) == ["item Horn", "item Horn#2", "item Horn#3"]


@pytest.mark.rule("XC-23")
def test_an_item_that_asks_for_a_target_needs_one() -> None:
    table = position("0  field: Ox  hand: Bow, Bell\nphase after_attack", Bow=KILL, Bell=BELL)
    assert table.legal() == ["pass", "use Bell"] and table.refused("use Bow") == "XC-23"
    table = position("0  hand: Bow, Bell\n1  field: Wall\nphase after_defence", Bow=KILL, Bell=BELL)
    assert "use Bow" in table.legal()
    assert table.do("use Bow", "pass").zone(1, "w_discard") == ["Wall"]


LIMITS: dict[str, tuple[dict[str, object], dict[str, object], dict[str, object]]] = {
    "ATK at most": ({"at_most": {"atk": 1000}}, atk(300), atk(-300)),
    "ATK at least": ({"at_least": {"atk": 1000}}, atk(-300), atk(300)),
    "element": ({"element": "human"}, be("element", 0, "own"), be("element", 2, "own")),
    "with a shield": ({"at_least": {"shield_up": 1}}, be("shield_up", 0, "own"), be("shield_down", 1, "own")),
    "without a fist": ({"at_most": {"fist_up": 0}}, be("fist_up", 1, "own"), be("fist_down", 1, "own")),
}
"""What is asked of a target, an answer by which it no longer fits, and one by which it still does."""


@pytest.mark.rule("XC-23")
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("fits", [True, False])
def test_what_an_item_asks_of_its_target_is_asked_again_when_it_is_settled(limit: str, fits: bool) -> None:
    asks, no_more, still = LIMITS[limit]
    horn = still if fits else no_more
    table = position(
        "0  hand: Bow, Bell\n1  field: Wall human 1000 S:u  hand: Horn\nphase after_defence",
        Bow=effect(do("destroy", what="target"), targets=[target("other", **asks)]), Bell=BELL, Horn=effect(horn),
    ).do("use Bow", "use Horn").until("0 draw")
    assert table.story(StackPopped) == ["Horn resolved", f"Bow {'resolved' if fits else 'fizzled'}"]
    assert table.moves("destroyed") == (["Wall destroyed"] if fits else [])


@pytest.mark.rule("XC-23")
def test_of_two_targets_the_one_that_still_fits_is_meant() -> None:
    bow = effect(do("destroy", what="target"), targets=[{**target("other", at_most={"atk": 1000}), "n": 2}])
    table = position(
        "0  hand: Bow, Bell\n1  field: Wall link 1000, Post 1000  hand: Horn\nphase after_defence", Bow=bow, Bell=BELL,
        Horn=effect(do("add", what="target", name="atk", n=100), targets=[target("own")]),
    ).do("use Bow", "choose Wall", "use Horn", "choose Wall", "pass")
    assert table.story(StackPopped) == ["Horn resolved", "Bow resolved"]
    assert table.moves("destroyed") == ["Post destroyed"]


@pytest.mark.rule("XC-23")
def test_an_item_whose_condition_does_not_hold_cannot_be_used_nor_one_on_the_table() -> None:
    horn = effect(atk(300), when={"count": field("own"), "at_least": 1})
    table = position("0  hand: Horn, Bell  table: Drum\nphase before", Horn=horn, Bell=BELL, Drum=BELL)
    assert table.refused("use Horn") == table.refused("use Drum") == "XC-23"


def test_an_item_that_costs_a_card_is_used_only_where_it_can_be_paid() -> None:
    horn = effect(atk(300), cost=[{"pay": "discard", "from": {"zone": ["hand"]}}])
    table = position("0  field: Ox F:u  hand: Horn, Elk, Ram\nphase after_attack", Horn=horn).do("use Horn")
    assert table.waits == "0 cost" and table.legal() == ["choose Elk", "choose Ram"]
    assert table.do("choose Ram").moves("cost") == ["Ram cost"] and table.zone(0, "hand") == ["Elk"]
    table = position("0  field: Ox F:u  hand: Horn, Bell  table: Elk\nphase after_attack", Horn=horn, Bell=BELL)
    assert table.do("use Bell").waits == "0 draw", "no card to pay with"


@pytest.mark.rule("XC-24")
def test_the_attacker_speaks_first_then_they_alternate_until_both_decline_in_a_row() -> None:
    table = position("0  hand: 2 Bell\n1  hand: 2 Bell\nphase after_defence\nactive 1", Bell=BELL)
    said = []
    for step in ("pass", "use Bell", "use Bell", "pass", "pass"):
        said.append(table.waits[0])
        table.do(step)
    assert said == ["1", "0", "1", "0", "1"]
    assert table.waits == "1 window", "the pile was settled; the window is open again, the attacker's word first"
    table.do("pass", "pass")
    assert table.waits == "1 draw"
    assert position("0  hand: Ox, Bell", Bell=BELL).refused("use Bell") == "XC-23"
    assert position("0  hand: Ox, Bell\nphase before", Bell=BELL).refused("send Ox") == "XC-24"


@pytest.mark.rule("XC-25")
def test_the_chain_waits_until_both_decline_and_is_settled_from_the_last_to_the_first() -> None:
    table = position(
        "0  field: Ox 1000  hand: Horn, Bell\n1  hand: Drum, Bell\nphase after_attack",
        Horn=effect(atk(500)), Drum=effect(do("destroy", what=field("other", at_most={"atk": 1000}))), Bell=BELL,
    ).do("use Horn")
    assert table.waits == "1 window", "the other is asked whether to go on with one"
    table.do("use Drum", "pass")
    assert table.value("Ox", "atk") == 1000 and len(table.match.state.stack) == 2
    table.do("pass")
    assert table.story(StackPopped) == ["Drum resolved", "Horn resolved"] and table.zone(0, "w_discard") == ["Ox"]


SET_VALUES = {
    "atk": (500, 900), "element": (0, 1), "fist_up": (0, 1), "fist_down": (0, 1), "shield_left": (0, 1),
    "shield_right": (0, 1),
}


@pytest.mark.rule("XC-25")
@pytest.mark.parametrize("name", SET_VALUES)
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("between", ["nothing", "other items", "a settlement"])
def test_of_two_items_that_set_the_same_value_the_one_used_later_holds(name: str, swapped: bool, between: str) -> None:
    earlier, later = SET_VALUES[name][::-1] if swapped else SET_VALUES[name]
    table = position(
        "0  field: Ox 1000 F:u S:l  hand: Horn, 2 Bell\n1  hand: Drum, 2 Bell\nphase after_attack",
        Horn=effect(be(name, earlier, "any")), Drum=effect(be(name, later, "any")), Bell=BELL,
    ).do("use Horn")
    if between == "other items":
        table.do("use Bell", "use Bell")
    elif between == "a settlement":
        table.do("pass", "pass", "pass")
    table.do("use Drum", "pass", "pass")
    assert table.value("Ox", name) == later
    assert table.story(RuleApplied) == ([] if between == "a settlement" else ["overruled Horn"])


@pytest.mark.rule("XC-25")
def test_what_is_added_is_added_whoever_was_later_and_an_effect_does_not_overrule_itself() -> None:
    sets = [do("set", what="target", name="atk", value=value) for value in (900, 800)]
    table = position(
        "0  field: Ox 1000, Ram 1000  hand: Horn, Bell\n1  hand: Drum, Bell\nphase after_attack",
        Horn=effect(be("atk", 500, "own"), atk(100)), Drum=effect(*sets, targets=[target("other")]), Bell=BELL,
    ).do("use Horn", "use Drum", "choose Ox", "pass", "pass")
    assert (table.value("Ox", "atk"), table.value("Ram", "atk")) == (900, 600)


@pytest.mark.rule("XC-25", "XC-45")
@pytest.mark.parametrize(("active", "chain", "forbidden"), [(0, ("Seal", "Key"), 0), (1, ("Key", "Seal"), 1)])
def test_of_two_items_that_say_whether_one_may_draw_the_one_used_later_holds(
    active: int, chain: tuple[str, ...], forbidden: int
) -> None:
    table = position(
        f"0  hand: Seal\n1  hand: Key\nphase after_defence\nactive {active}",
        Seal=effect(NO_DRAW), Key=effect(do("set", what="own", name="no_draw", value=0)),
    ).do(*(f"use {name}" for name in chain))
    assert table.value(1, "no_draw") == forbidden and table.story(RuleApplied) == [f"overruled {chain[0]}"]


@pytest.mark.rule("XC-26", "XC-27")
@pytest.mark.parametrize("active", [0, 1])
def test_of_the_effects_of_skills_the_attackers_come_first(active: int) -> None:
    table = position(
        f"0  field: Ox, Whip skill human 500\n1  field: Ram, Lash skill human 600\nphase battle\nactive {active}",
        Whip=effect(atk(100)), Lash=effect(atk(100)),
    )
    skills = ["Whip resolved", "Lash resolved"]
    assert table.story(StackPopped) == (skills if active == 0 else skills[::-1])


@pytest.mark.rule("XC-27")
def test_skills_are_settled_after_the_last_window_just_before_the_battle() -> None:
    table = position(
        "0  hand: Ox 1400 F:u, Whip human 600, Bell\n1  hand: Bell", Whip=effect(atk(300, kind="character")), Bell=BELL,
    ).do("send Ox", "send Whip")
    assert table.match.state.phase == "after_attack" and table.value("Ox", "atk") == 1400
    table.until("draw")
    story = table.story(PhaseBegan, StackPushed)
    after = story[story.index("after_defence") + 1:]
    assert after == ["skills", "skill Whip", "battle", "discard", "draw"]
    assert table.story(DamageCalculated) == ["Ox base 1400", "Ox effect 1700", "Ox def 700"], (
        "numbers after all effects"
    )


@pytest.mark.rule("XC-27")
def test_an_effect_touches_the_warriors_on_the_field_when_it_is_settled_a_leader_on_sortie_too() -> None:
    table = position(
        "0  hp: 900 leader: Sun demon 900/1100/2500 F:u  hand: Horn, Drum, Ox 1000 F:u\nphase before",
        Horn=effect(atk(300)), Drum=effect(atk(200)),
    ).do("use Horn", "pass", "pass", "sortie", "send Ox")
    assert (table.value("Sun", "atk"), table.value("Ox", "atk")) == (1300, 1000), "sent later"
    table.do("use Drum")
    assert table.story(DamageCalculated)[:4] == ["Sun base 900", "Sun sortie 1300", "Sun effect 1500", "Sun def 500"]


@pytest.mark.rule("XC-27")
def test_a_skill_that_has_been_discarded_has_no_effect() -> None:
    table = position(
        """
        0  field: Ox 1400 link F:u, Ram 1000 F:u, Whip human 600
        1  hand: Axe
        phase after_attack
        """, Axe=effect(BREAK), Whip=effect(atk(300)),
    ).do("use Axe")
    assert table.moves("broken") == ["Ram broken", "Whip broken"]
    assert table.story(StackPushed) == ["item Axe"] and table.story(DamageCalculated)[0] == "Ox base 1400"
    table = position(
        "0  field: Ox 1400, Whip human 600\n1  field: Ram link, Cow, Lash human 600\nphase battle",
        Whip=effect(BREAK), Lash=effect(atk(300)),
    )
    assert table.waits == "1 keep"
    assert table.do("choose Ram").story(StackPushed) == ["skill Whip"], "also where another skill did it"


@pytest.mark.rule("XC-27")
def test_a_skill_may_ask_for_a_target_and_may_have_a_condition() -> None:
    table = position(
        """
        0  field: Ox 1400 F:u, Whip human 600
        1  field: Wall link S:u, Post S:d
        phase battle
        """, Whip=effect(do("destroy", what="target"), targets=[target("other")]),
    )
    assert table.waits == "0 target"
    assert table.do("choose Wall").story(AttackMet) == ["up: Ox open seat 1"]
    lone = effect(atk(300), when={"count": field("other"), "at_least": 1})
    assert position("0  field: Ox 1400, Whip human 600\nphase battle", Whip=lone).story(StackPushed) == []


@pytest.mark.rule("XC-27")
def test_a_skill_whose_cost_cannot_be_paid_has_no_effect() -> None:
    whip = effect(atk(300), cost=[{"pay": "discard", "from": {"zone": ["hand"]}, "n": 2}])
    text = "0  field: Ox 1400, Whip human 600  hand: {}\n1  field: Ram\nphase battle"
    unpaid = position(text.format("Elk"), Whip=whip)
    assert unpaid.story(StackPushed) == [] and unpaid.waits == "0 draw", "nor is anything asked for it"
    paid = position(text.format("Elk, Cow"), Whip=whip)
    assert paid.story(StackPushed) == ["skill Whip"] and paid.moves("cost") == ["Elk cost", "Cow cost"]
    assert position(text.format("Elk, Cow, Hen"), Whip=whip).waits == "0 cost"


@pytest.mark.rule("XC-27")
def test_the_linter_refuses_effects_that_could_never_matter() -> None:
    for name in ("more_characters", "more_skills"):
        more = effect(player("own", name, 1))
        assert linted("Whip skill human 500", Whip=more) == [("XC-27", "Whip", "ability[0].then[0]")]
        assert linted("Horn item", Horn=more) == []
        nested = effect({"do": "may", "then": more["then"]})
        assert [rule for rule, _, _ in linted("Whip skill human 500", Whip=nested)] == ["XC-27"]


def test_the_linter_knows_the_words_of_the_game() -> None:
    cards = Cards({
        "Horn": effect(do("burst", n=1)), "Drum": effect(do("add", what="own", name="hp", n=5)),
        "Bow": effect(do("special", name="fly")), "Ox": effect(atk(300)),
        "Ash": effect(do("move", what=field(), zone="hand")),
        "Fine": effect(atk(300, element="holy", at_least={"formation": 1}), player("own", "def", 300)),
    })
    for entry in ("Horn", "Drum", "Bow", "Ox character human", "Ash", "Fine", "Dud item"):
        cards.name(entry.split())
    game = cards.game()
    found = {(game.cards[str(p.card)].name, p.rule) for p in game.card_problems()}
    assert found == {
        ("Horn", "unknown-word"), ("Drum", "unknown-word"), ("Bow", "unknown-word"), ("Ox", "never-matters"),
        ("Ash", "unknown-word"), ("Dud", "no-effect"),
    }
