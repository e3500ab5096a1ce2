"""Cards and what is printed on them (XC-01 … XC-07)."""

from __future__ import annotations

import pytest

from engine.cards.files import card_from
from engine.rulebooks.xcard.battle import element_edge
from engine.rulebooks.xcard.card import ELEMENTS, XCardCard, XCardDefinition
from engine.rulebooks.xcard.checks import problems
from events.kinds import DamageCalculated, DamageDealt
from tests.engine.rulebooks.xcard.effects import BELL, atk, be, do, effect, field, player
from tests.engine.rulebooks.xcard.position import Cards, position


def linted(text: str, **abilities: object) -> list[tuple[str, str | None, str]]:
    """Rule, card and field of what is wrong with the printed cards of a text like "Ox human 1400 F:u, Horn item"."""
    cards = Cards(abilities)  # type: ignore[arg-type]
    for entry in text.split(","):
        cards.name(entry.split())
    definitions = [XCardDefinition(card_from(raw, XCardCard, name)) for name, raw in cards.raw.items()]  # type: ignore[arg-type]
    return [(p.rule, cards_name(definitions, p.card), p.field) for p in problems({d.code: d for d in definitions})]


def cards_name(definitions: list[XCardDefinition], code: str | None) -> str | None:
    return next((d.name for d in definitions if d.code == code), None)


@pytest.mark.rule("XC-01")
def test_characters_and_skills_are_warriors_and_are_sent_items_are_not() -> None:
    table = position("0  hand: Ox, Whip skill F:u, Horn", Horn=effect(atk(300)))
    assert table.do("send Ox").legal() == ["pass", "send Whip"]
    assert table.refused("send Horn") == "XC-01"
    assert not table.match.printed[table.find("Horn")].warrior  # type: ignore[attr-defined]


@pytest.mark.rule("XC-02")
def test_a_character_has_atk_def_hp_an_element_and_in_each_direction_a_fist_a_shield_or_nothing() -> None:
    table = position("0  field: Ox beast 1400/1100/2600 F:ul S:d")
    assert [table.value("Ox", name) for name in ("atk", "element")] == [1400, ELEMENTS.index("beast")]
    assert [table.value("Ox", f"fist_{way}") for way in ("up", "down", "left", "right")] == [1, 0, 1, 0]
    assert [table.value("Ox", f"shield_{way}") for way in ("up", "down", "left", "right")] == [0, 1, 0, 0]
    assert linted("Ox 1400/0/2600 F:u S:u, Ram 0") == [
        ("XC-02", "Ox", "fists"), ("XC-02", "Ox", "def"), ("XC-02", "Ram", "atk"),
    ]


@pytest.mark.rule("XC-03")
def test_a_skill_has_atk_an_element_directions_and_an_effect_but_no_def_and_hp() -> None:
    table = position("0  field: Ox, Whip beast 600 F:l S:u\nphase battle", Whip=effect(player("own", "def", 200)))
    assert [table.value("Whip", name) for name in ("atk", "fist_left", "shield_up", "fist_up")] == [600, 1, 1, 0]
    assert table.value(0, "def") == 1200
    assert linted("Whip skill 600/100/0") == [("XC-03", "Whip", "def")]
    assert linted("Ox own:Ox") == [("XC-03", "Ox", "own")]


@pytest.mark.rule("XC-04")
def test_an_item_has_only_its_effect() -> None:
    horn = effect(atk(300))
    assert linted("Horn item", Horn=horn) == []
    assert linted("Horn item human 500 S:u link", Horn=horn) == [
        ("XC-04", "Horn", field) for field in ("element", "atk", "shields", "mark")
    ]
    found = linted("Horn item", Horn=effect(atk(300), cost=[{"pay": "mill"}]))
    assert found == [("XC-04", "Horn", "ability[0].cost[0]")]
    table = position("0  field: Ox 1000 F:u  hand: Horn, Bell\nphase after_attack", Horn=horn, Bell=BELL)
    assert table.do("use Horn", "pass").value("Ox", "atk") == 1300


@pytest.mark.rule("XC-05")
def test_holy_beats_demon_demon_beats_beast_beast_beats_human_human_beats_holy() -> None:
    wins = {(a, b) for i, a in enumerate(ELEMENTS) for j, b in enumerate(ELEMENTS) if element_edge(i, j) > 0}
    loses = {(a, b) for i, a in enumerate(ELEMENTS) for j, b in enumerate(ELEMENTS) if element_edge(i, j) < 0}
    assert wins == {("holy", "demon"), ("demon", "beast"), ("beast", "human"), ("human", "holy")}
    assert loses == {(b, a) for a, b in wins}


def test_an_element_can_only_become_one_that_there_is() -> None:
    for wrong in (be("element", 4, "own"), be("element", -1, "own"), do("add", what=field("own"), name="element", n=1)):
        assert linted("Horn item", Horn=effect(wrong)) == [("XC-05", "Horn", "ability[0].then[0]")]
    assert linted("Horn item", Horn=effect(be("element", 3, "own"))) == []


@pytest.mark.rule("XC-06")
@pytest.mark.parametrize(("mark", "may"), [("cooperate", True), ("link", True), ("", False)])
def test_a_warrior_may_carry_a_mark_which_brings_a_second_character(mark: str, may: bool) -> None:
    table = position(f"0  hand: Ox human {mark}, Ram human")
    assert ("send Ram" in table.do("send Ox").legal()) == may
    assert table.match.printed[table.find("Ox")].words["mark"] == mark


@pytest.mark.rule("XC-07")
def test_def_and_hp_of_a_warrior_do_not_count() -> None:
    table = position("""
        0  leader: Sun holy 1200/1100/2500   field: Ox holy 1400/9000/9000 F:u
        1  leader: Moon holy 1200/1000/2500  field: Wall holy 500/5000/1 F:u
        phase battle
    """)
    assert table.story(DamageCalculated, DamageDealt) == [
        "Ox base 1400", "Wall base 500", "Ox base 1400", "Ox def 400", "Ox strikes seat 1 400",
    ]
    assert table.hp == (2500, 2100)
