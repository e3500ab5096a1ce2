"""What the card language can say (XC-50): each sentence as data, for a named card or an element too."""

from __future__ import annotations

import pytest

from engine.rulebooks.xcard.card import ELEMENTS
from events.kinds import AttackMet, DamageCalculated
from tests.engine.rulebooks.xcard.effects import (
    BELL,
    BREAK,
    NO_DRAW,
    TAKE,
    atk,
    be,
    do,
    effect,
    field,
    player,
    target,
)
from tests.engine.rulebooks.xcard.position import Table, position

OUT = """
    0  leader: Sun  field: Ox human 1400 link F:u, Ram beast 1000 S:l F:d, Whip skill holy 600 F:r   hand: Card, Bell
    1  leader: Moon  field: Wall demon 1000 link S:ud, Post beast 900 S:r   hand: Bell
    phase after_defence
"""


def used(*then: dict[str, object], **fields: object) -> Table:
    """Seat 0, which attacks, has used the item Card that does this."""
    return position(OUT, Card=effect(*then, **fields), Bell=BELL).do("use Card", "pass", "pass")


def atks(table: Table) -> list[int]:
    return [table.value(name, "atk") for name in ("Ox", "Ram", "Whip", "Wall", "Post")]


@pytest.mark.rule("XC-50")
def test_take_away_a_directions_shields_from_all_opposing_warriors() -> None:
    table = used(be("shield_up", 0, "other"))
    assert (table.value("Wall", "shield_up"), table.value("Wall", "shield_down")) == (0, 1)
    table.until("draw")
    assert table.story(AttackMet) == ["up: Ox open seat 1", "down: Ram blocked Wall", "right: Whip blocked Post"]


@pytest.mark.rule("XC-50")
def test_give_all_own_warriors_a_fist_in_a_direction() -> None:
    table = used(be("fist_left", 1, "own"))
    assert [table.value(name, "fist_left") for name in ("Ox", "Ram", "Whip", "Wall")] == [1, 1, 1, 0]
    assert [s for s in table.until("draw").story(AttackMet) if s.startswith("left")] == [
        f"left: {name} open seat 1" for name in ("Ox", "Ram", "Whip")
    ]


@pytest.mark.rule("XC-50", "XC-37")
def test_add_to_atk_and_to_leader_def() -> None:
    table = used(atk(300), player("own", "def", 200))
    assert atks(table) == [1700, 1300, 900, 1000, 900] and table.value(0, "def") == 1200


@pytest.mark.rule("XC-50")
def test_draw_more_and_forbid_the_opponents_draw() -> None:
    table = used(player("own", "draws", 1), NO_DRAW)
    table.until("draw")
    for _ in range(3):
        assert table.waits == "0 draw"
        table.do("choose items")
    assert table.match.state.turn == 6


@pytest.mark.rule("XC-50", "XC-48")
def test_take_over_the_attack() -> None:
    table = position(OUT + "active 1", Card=effect(TAKE), Bell=BELL).do("pass", "use Card", "pass", "pass")
    assert table.match.state.active == 0


@pytest.mark.rule("XC-50", "XC-42")
def test_break_a_formation() -> None:
    table = used(BREAK)
    assert (table.zone(1, "field"), table.zone(0, "field")) == (["Wall"], ["Ox", "Ram", "Whip"])


@pytest.mark.rule("XC-50")
def test_add_to_atk_only_in_a_formation() -> None:
    rule = atk(400, at_least={"formation": 1})
    assert atks(used(rule)) == [1800, 1400, 1000, 1000, 900]
    text = "0  field: Ox 1400, Whip skill 600  hand: Card, Bell\nphase after_attack"
    alone = position(text, Card=effect(rule), Bell=BELL)
    alone.do("use Card", "pass")
    assert (alone.value("Ox", "atk"), alone.value("Whip", "atk")) == (1400, 600)
    linked = effect(atk(400), when={"count": field("own", mark="link"), "at_least": 1})
    assert "use Card" in position(OUT, Card=linked, Bell=BELL).legal()
    cooperating = effect(atk(400), when={"count": field("own", mark="cooperate"), "at_least": 1})
    assert "use Card" not in position(OUT, Card=cooperating, Bell=BELL).legal()


@pytest.mark.rule("XC-50")
def test_anything_only_for_a_named_card_an_element_or_a_kind() -> None:
    assert atks(used(atk(300, name="Ram"))) == [1400, 1300, 600, 1000, 900]
    assert atks(used(atk(300, "any", element="beast"))) == [1400, 1300, 600, 1000, 1200]
    assert atks(used(atk(300, kind="skill"))) == [1400, 1000, 900, 1000, 900]
    assert used(be("fist_left", 1, "own", element="holy")).value("Whip", "fist_left") == 1
    guarded = effect(player("own", "def", 500), when={"count": {"zone": ["leader"], "of": "own", "name": "Sun"}})
    assert "use Card" in position(OUT, Card=guarded, Bell=BELL).legal()
    assert "use Card" not in position(OUT.replace("Sun", "Star"), Card=effect(
        player("own", "def", 500), when={"count": {"zone": ["leader"], "of": "own", "name": "Ox"}}), Bell=BELL).legal()


@pytest.mark.rule("XC-50", "XC-36")
def test_an_element_that_has_become_another_is_the_one_that_counts() -> None:
    demon = be("element", ELEMENTS.index("demon"), "own", name="Ox")
    table = used(demon, atk(200, element="demon"), atk(70, element="human"))
    assert atks(table) == [1600, 1000, 600, 1000, 900]
    text = "0  field: Ox human 1400 F:u  hand: Card, Bell\n1  leader: Moon beast 1000/1000/2000\nphase after_defence"
    table = position(text, Card=effect(be("element", ELEMENTS.index("demon"), "own")), Bell=BELL)
    assert table.do("use Card", "pass", "pass").story(DamageCalculated) == [
        "Ox base 1400",
        "Ox element 1700",
        "Ox def 700",
    ]


def test_values_that_become_something_count_before_what_is_added() -> None:
    table = used(atk(100), be("atk", 500, "own", name="Ox"), atk(50))
    assert table.value("Ox", "atk") == 650
    table = position("0  field: Ox 1400 F:u  hand: Card, Bell\nphase after_defence", Bell=BELL,
                     Card=effect(atk(100), be("atk", 500, "own"), atk(50)))
    assert table.do("use Card", "pass", "pass").story(DamageCalculated)[:4] == [
        "Ox base 1400", "Ox effect 500", "Ox effect 600", "Ox effect 650",
    ]


def test_a_target_that_has_left_is_meant_no_more() -> None:
    bow = effect(do("destroy", what="target"), targets=[target("other", name="Wall")])
    mend = effect(do("add", what="target", name="atk", n=500), targets=[target("own", name="Wall")])
    table = position(
        "0  field: Ox F:u  hand: Bow, Bell\n1  field: Wall  hand: Mend, Bell\nphase after_defence\nactive 1",
        Bow=bow, Mend=mend, Bell=BELL,
    ).do("use Mend", "use Bow", "pass", "pass")
    assert "Mend fizzled" in table.story() and table.zone(1, "table") == ["Mend"]
