"""The leader on sortie (XC-38 … XC-41)."""

from __future__ import annotations

import pytest

from engine.rulebooks.xcard.card import ELEMENTS
from events.kinds import AttackMet, CounterSet, DamageDealt, ModifierBegan, RuleApplied
from tests.engine.rulebooks.xcard.effects import BELL, TAKE, be, do, effect, field, target
from tests.engine.rulebooks.xcard.position import Table, position

LEADER = "leader: Sun demon 800/1000/2500 F:u S:l"


def out(hp: int, other: str = "1  hand: Wall S:u, Post S:d") -> Table:
    """Seat 0's leader has gone out alone; the defender forms up."""
    return position(f"0  hp: {hp} {LEADER} hand: Ox\n{other}").do("sortie", "pass")


@pytest.mark.rule("XC-38")
@pytest.mark.parametrize(("hp", "may"), [(1001, False), (1000, True), (600, True), (1, True)])
def test_a_leader_may_attack_while_its_hp_is_1000_or_less(hp: int, may: bool) -> None:
    table = position(f"0  hp: {hp} {LEADER} hand: Ox")
    assert ("sortie" in table.legal()) == may
    if not may:
        assert table.refused("sortie") == "XC-38"


@pytest.mark.rule("XC-38")
def test_a_leader_never_defends() -> None:
    table = position(f"0  field: Ox F:u\n1  hp: 900 {LEADER} hand: Wall\nphase form_defence")
    assert table.waits == "1 form_defence" and table.legal() == ["pass", "send Wall"]
    assert table.refused("sortie") == "XC-38"


@pytest.mark.rule("XC-38")
@pytest.mark.parametrize(
    ("hp", "bonus", "penalty"), [(1000, 400, 300), (501, 400, 300), (500, 600, 400), (401, 600, 400)]
)
def test_each_band_adds_atk_and_costs_hp_if_the_attack_fails(hp: int, bonus: int, penalty: int) -> None:
    table = out(hp)
    assert table.value("Sun", "atk") == 800 + bonus
    assert [(e.add, e.duration) for e in table.events(ModifierBegan)] == [(bonus, "while")]
    table.do("send Wall")
    assert table.story(AttackMet, DamageDealt) == ["up: Sun blocked Wall"]
    assert table.hp == (hp - penalty, 2000) and table.story(RuleApplied) == ["sortie Sun", "sortie_failed Sun"]
    last = [e for e in table.events(CounterSet) if e.name == "hp"][-1]
    assert table.cause(last) == table.events(RuleApplied)[-1]


@pytest.mark.rule("XC-38")
def test_at_400_hp_or_less_a_failed_sortie_is_death() -> None:
    assert out(400).do("send Wall").result == (1, "leader_defeated")
    assert out(401).do("send Wall").result is None


@pytest.mark.rule("XC-38", "XC-39")
def test_a_sortie_that_gets_through_strikes_and_costs_nothing() -> None:
    table = out(1000).do("send Post")
    assert table.story(DamageDealt) == ["Sun strikes seat 1 200"] and table.hp == (1000, 1800)
    assert table.story(RuleApplied) == ["sortie Sun"]
    assert (table.value("Sun", "atk"), table.value("Sun", "band")) == (800, 0)


@pytest.mark.rule("XC-38")
def test_the_band_is_fixed_when_the_leader_goes_out() -> None:
    table = position(
        f"0  hp: 600 {LEADER[:-4]} F:u  hand: Ox 1000 F:r\n1  hand: Claw 1100 F:r S:u",
    ).do("sortie", "send Ox", "send Claw")
    assert table.story(DamageDealt) == ["Claw strikes seat 0 100"]
    assert table.hp[0] == 600 - 100 - 300, "at 500 by then, but it went out at 600"


@pytest.mark.rule("XC-39")
def test_a_sortie_has_failed_if_it_got_through_in_no_direction() -> None:
    table = position(
        "0  hp: 1000 leader: Sun holy 800/1000/2500 F:ud  hand: Ox\n1  hand: Wall S:u"
    ).do("sortie", "pass", "send Wall")
    assert table.story(AttackMet) == ["up: Sun blocked Wall", "down: Sun open seat 1"] and table.hp[0] == 1000
    table = position("0  hp: 1000 leader: Sun holy 800/1000/2500 S:u  hand: Ox").do("sortie", "pass")
    assert table.hp[0] == 700, "without a fist it fails for sure"


@pytest.mark.rule("XC-39")
def test_a_lost_clash_costs_the_strike_back_and_the_penalty() -> None:
    table = out(1000, "1  hand: Claw 1500 F:u, Post").do("send Claw")
    assert table.story(AttackMet, DamageDealt) == ["up: Sun lost Claw", "Claw strikes seat 0 500"]
    assert table.hp[0] == 1000 - 500 - 300


@pytest.mark.rule("XC-43", "XC-39")
def test_penalties_come_last() -> None:
    """Both leaders near 0: the strikes of the attackers come before the strike back, the penalty after both."""
    text = """
        0  hp: 300 leader: Sun demon 800/1000/2500 F:u  hand: Ox 1400 F:d
        1  hp: 400 hand: Claw 2000 F:u
    """
    table = position(text).do("sortie", "send Ox", "send Claw")
    assert table.result == (0, "leader_defeated") and table.story(DamageDealt) == ["Ox strikes seat 1 400"]
    table = position(text.replace("1  hp: 400", "1  hp: 401")).do("sortie", "send Ox", "send Claw")
    assert table.result == (1, "leader_defeated")
    assert table.story(DamageDealt) == ["Ox strikes seat 1 400", "Claw strikes seat 0 1000"]
    assert "sortie_failed Sun" not in table.story(RuleApplied)


@pytest.mark.rule("XC-43", "XC-48")
@pytest.mark.parametrize("hp", [(300, 300), (401, 300), (300, 401), (1000, 900)])
def test_of_two_failed_sorties_in_one_round_the_present_attackers_penalty_comes_first(hp: tuple[int, int]) -> None:
    """Seat 0's leader is taken off, then seat 1 takes the attack over, and its leader is blocked."""
    table = position(
        f"""
        0  hp: {hp[0]} {LEADER} hand: Wall S:u
        1  hp: {hp[1]} leader: Moon demon 800/1000/2500 F:u  hand: Bow, Flag, Ram
        """, Flag=effect(TAKE), Bow=effect(do("destroy", what=field("other", name="Sun"))),
    ).do("sortie", "send Wall", "use Bow", "pass", "use Flag", "sortie", "pass")
    failed = [e for e in table.story(RuleApplied) if e.startswith("sortie_failed")]
    if hp[1] <= 400:
        assert table.result == (0, "leader_defeated") and failed == ["sortie_failed Moon"]
    elif hp[0] <= 400:
        assert table.result == (1, "leader_defeated") and failed == ["sortie_failed Moon", "sortie_failed Sun"]
    else:
        assert table.hp == (hp[0] - 300, hp[1] - 300) and failed == ["sortie_failed Moon", "sortie_failed Sun"]


@pytest.mark.rule("XC-40")
def test_a_leader_goes_out_together_with_2_characters_and_1_skill() -> None:
    table = position(f"0  hp: 900 {LEADER} hand: Ox link F:u, Ram F:u, Whip skill F:u")
    table.do("send Ox", "sortie", "send Whip", "send Ram")
    assert table.story(AttackMet) == [f"up: {name} open seat 1" for name in ("Ox", "Sun", "Whip", "Ram")]


@pytest.mark.rule("XC-41")
@pytest.mark.parametrize("instruction", ["destroy", "move"])
def test_a_leader_on_sortie_that_is_taken_off_goes_home_and_its_attack_has_failed(instruction: str) -> None:
    zone = {"zone": "w_discard"} if instruction == "move" else {}
    bow = effect(do(instruction, what="target", **zone), targets=[target("other")])
    table = position(
        f"0  hp: 900 {LEADER} hand: Ox 1000 F:d\n1  hand: 2 Bow, Bell", Bow=bow, Bell=BELL,
    ).do("sortie", "send Ox", "use Bow", "choose Sun", "pass")
    assert (table.zone(0, "leader"), table.zone(0, "field")) == (["Sun"], ["Ox"])
    assert table.value("Sun", "atk") == 800
    table.do("use Bow", "pass")
    assert table.zone(0, "w_discard") == ["Ox"], "a warrior goes to its owner's discard pile at once"
    table.until("draw")
    assert table.hp[0] == 600 and table.story(RuleApplied)[-1] == "sortie_failed Sun"


@pytest.mark.rule("XC-41")
def test_a_leader_at_its_place_cannot_be_taken_off() -> None:
    bow = effect(do("destroy", what={"zone": ["leader", "field"], "of": "other"}))
    table = position("0  hand: Bow, Bell\n1  leader: Moon  field: Wall\nphase after_defence", Bow=bow, Bell=BELL)
    table.do("use Bow", "pass")
    assert (table.zone(1, "leader"), table.zone(1, "w_discard")) == (["Moon"], ["Wall"])


def test_what_lasts_for_the_round_on_a_leader_stays_with_it_at_home() -> None:
    table = position(
        f"0  hp: 900 {LEADER} hand: Ox\n1  hand: Horn, Bow, Bell",
        Horn=effect(be("element", 2, "other")), Bell=BELL,
        Bow=effect(do("destroy", what="target"), targets=[{"from": field("other"), "slot": "target"}]),
    ).do("sortie", "pass", "use Horn", "pass", "use Bow", "pass")
    assert table.zone(0, "leader") == ["Sun"] and table.value("Sun", "element") == 2
    table.until("form_attack", "form_defence")
    while table.match.state.turn == 5:
        table.do("pass")
    assert table.value("Sun", "element") == ELEMENTS.index("demon")


@pytest.mark.rule("XC-41", "XC-48")
def test_a_sortie_that_was_ended_by_an_effect_has_failed_also_if_the_attack_is_taken_over_later() -> None:
    bow = effect(do("destroy", what="target"), targets=[target("other", name="Sun")])
    table = position(
        f"0  hp: 900 {LEADER} hand: Ox, Bell\n1  hand: Bow, Flag, Bell", Bow=bow, Flag=effect(TAKE), Bell=BELL,
    ).do("sortie", "pass", "pass", "use Bow", "pass", "pass", "pass", "use Flag", "pass", "pass")
    assert table.match.state.active == 1
    table.until("draw")
    assert table.hp[0] == 600
