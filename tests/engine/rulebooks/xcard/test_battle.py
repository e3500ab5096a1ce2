"""The battle: fists and what meets them, reckoning, strikes (XC-28 … XC-37, XC-43, XC-51, XC-52)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from events.kinds import Acted, AttackMet, CounterSet, DamageCalculated, DamageDealt, GameEnded, PhaseBegan
from tests.engine.rulebooks.xcard.effects import BELL, atk, be, effect, player
from tests.engine.rulebooks.xcard.position import Table, position


def fought(attack: str, defence: str = "", more: str = "", **abilities: dict[str, object]) -> Table:
    """A battle of warriors that are out, up to the first question."""
    return position(f"0  field: {attack}\n1  field: {defence}\n{more}\nphase battle", **abilities)


@pytest.mark.rule("XC-28")
def test_directions_match_by_name_nothing_is_mirrored() -> None:
    for way in "udlr":
        met = fought(f"Ox F:{way}", "Wall S:udlr").events(AttackMet)
        assert [(m.direction[0], m.outcome) for m in met] == [(way, "blocked")]
    assert fought("Ox F:r", "Wall S:l").story(AttackMet) == ["right: Ox open seat 1"]


@pytest.mark.rule("XC-29")
def test_a_fist_that_meets_a_shield_is_stopped_whatever_the_numbers() -> None:
    table = fought("Ox 9000 F:u", "Wall 100 S:u")
    assert table.story(AttackMet, DamageDealt) == ["up: Ox blocked Wall"] and table.hp == (2000, 2000)


@pytest.mark.rule("XC-30")
def test_a_fist_that_meets_nothing_gets_through_to_the_leader() -> None:
    table = fought("Ox 1400 F:u", "Wall S:dlr")
    assert table.story(AttackMet, DamageDealt) == ["up: Ox open seat 1", "Ox strikes seat 1 400"]


@pytest.mark.rule("XC-31")
def test_fist_against_fist_the_higher_atk_wins_and_strikes() -> None:
    table = fought("Ox 1400 F:u", "Claw 1300 F:u")
    assert table.story(AttackMet, DamageDealt) == ["up: Ox won Claw", "Ox strikes seat 1 400"]
    table = fought("Ox 1400 F:u", "Claw 1500 F:u")
    assert table.story(AttackMet, DamageDealt) == ["up: Ox lost Claw", "Claw strikes seat 0 500"]
    assert table.hp == (1500, 2000)


@pytest.mark.rule("XC-31")
def test_equal_atk_stops_both_and_nobody_is_struck() -> None:
    table = fought("Ox 1400 F:u", "Claw 1400 F:u")
    assert table.story(AttackMet, DamageDealt) == ["up: Ox even Claw"] and table.hp == (2000, 2000)


@pytest.mark.rule("XC-31", "XC-36")
def test_elements_count_between_the_two_cards_of_a_clash() -> None:
    table = fought("Ox holy 1000 F:u", "Claw demon 1500 F:u")
    assert table.story(AttackMet) == ["up: Ox won Claw"], "1300 against 1200"
    assert table.story(DamageCalculated)[:4] == [
        "Ox base 1000",
        "Ox element 1300",
        "Claw base 1500",
        "Claw element 1200",
    ]


@pytest.mark.rule("XC-32")
def test_one_shield_stops_one_of_two_fists_the_first_that_was_sent() -> None:
    table = fought("Ox link 1400 F:r, Ram 1200 F:r", "Wall S:r")
    assert table.story(AttackMet, DamageDealt) == [
        "right: Ox blocked Wall", "right: Ram open seat 1", "Ram strikes seat 1 200",
    ]
    table = fought("Ram 1200 F:r, Ox link 1400 F:r", "Wall S:r")
    assert table.story(DamageDealt) == ["Ox strikes seat 1 400"]


@pytest.mark.rule("XC-32")
def test_the_defender_says_which_shield_or_fist_answers_and_must_answer() -> None:
    table = fought("Ox 1400 F:u", "Wall link S:u, Claw 2000 F:u, Post S:d")
    assert table.waits == "1 answer_up" and table.legal() == ["choose Wall", "choose Claw"]
    assert table.refused("pass") == table.refused("choose Post") == "XC-32"
    assert table.asked is not None and table.asked.about == (table.find("Ox"),)
    assert table.do("choose Claw").story(AttackMet) == ["up: Ox lost Claw"]


@pytest.mark.rule("XC-32")
def test_fist_by_fist_an_answer_that_is_used_answers_no_more_in_that_direction() -> None:
    table = fought("Ox link 1400 F:u, Ram 1200 F:ud", "Wall link S:u, Claw 2000 F:ud")
    table.do("choose Wall")
    assert table.story(AttackMet) == ["up: Ox blocked Wall", "up: Ram lost Claw", "down: Ram lost Claw"]


@pytest.mark.rule("XC-32")
def test_a_card_with_fist_and_shield_in_one_direction_gives_one_answer_its_owner_says_which() -> None:
    for word, outcome in (("yes", "blocked"), ("no", "lost")):
        table = position(
            """
            0  field: Ox link 1400 F:u, Ram 1200 F:u
            1  field: Claw 2000 S:u   hand: Horn, Bell
            phase after_defence
            """, Horn=effect(be("fist_up", 1, "own")), Bell=BELL,
        ).do("use Horn", "pass", "pass")
        assert table.waits == "1 shield_up" and table.legal() == ["yes", "no"]
        table.do(word)
        assert table.story(AttackMet) == [f"up: Ox {outcome} Claw", "up: Ram open seat 1"]


@pytest.mark.rule("XC-32")
def test_a_second_fist_where_there_is_one_changes_nothing() -> None:
    table = position(
        "0  field: Ox 1400 F:u  hand: Horn, Bell\nphase after_defence", Horn=effect(be("fist_up", 1, "own")), Bell=BELL,
    ).do("use Horn", "pass")
    assert table.value("Ox", "fist_up") == 1
    assert table.do("pass").story(AttackMet) == ["up: Ox open seat 1"]


@pytest.mark.rule("XC-33")
def test_a_card_that_gets_through_in_two_directions_strikes_once() -> None:
    table = fought("Ox 1400 F:ur", "Claw 1000 F:r")
    assert table.story(AttackMet, DamageDealt) == ["up: Ox open seat 1", "right: Ox won Claw", "Ox strikes seat 1 400"]


@pytest.mark.rule("XC-33")
def test_a_defender_that_wins_two_clashes_strikes_back_once() -> None:
    table = fought("Ox 1400 F:ur", "Claw 1600 F:ur")
    assert table.story(DamageDealt) == ["Claw strikes seat 0 600"]


@pytest.mark.rule("XC-33", "XC-31")
def test_a_card_can_get_through_in_one_direction_and_be_struck_back_for_another() -> None:
    table = fought("Ox 1400 F:ur", "Claw 1600 F:r")
    assert table.story(AttackMet, DamageDealt) == [
        "up: Ox open seat 1", "right: Ox lost Claw", "Ox strikes seat 1 400", "Claw strikes seat 0 600",
    ]


@pytest.mark.rule("XC-33")
def test_two_cards_that_get_through_strike_twice() -> None:
    assert fought("Ox link 1400 F:u, Ram 1300 F:d").story(DamageDealt) == [
        "Ox strikes seat 1 400",
        "Ram strikes seat 1 300",
    ]


@pytest.mark.rule("XC-34")
def test_a_strike_takes_atk_minus_def_with_both_after_effects() -> None:
    table = position(
        """
        0  field: Ox 1400 F:u   hand: Horn, Bell
        1  leader: Moon human 1000/800/2000   hand: Helm
        phase after_defence
        """, Horn=effect(atk(300)), Helm=effect(player("own", "def", 250)), Bell=BELL,
    ).do("use Horn", "use Helm", "pass", "pass", "pass")
    assert table.story(DamageCalculated) == ["Ox base 1400", "Ox effect 1700", "Ox def 650"]
    assert table.events(DamageCalculated)[1].by == table.find("Horn") and table.hp == (2000, 1350)


@pytest.mark.rule("XC-35")
def test_a_strike_takes_at_least_100() -> None:
    for atk_ in (1050, 700):
        table = fought(f"Ox {atk_} F:u")
        assert table.story(DamageCalculated)[-1] == "Ox least 100" and table.hp == (2000, 1900)
    assert "Ox least 100" not in fought("Ox 1100 F:u").story(DamageCalculated)


@pytest.mark.rule("XC-36")
@pytest.mark.parametrize(
    ("mine", "theirs", "strike"),
    [("demon", "beast", 700), ("beast", "demon", 100), ("demon", "human", 400), ("human", "human", 400)],
)
def test_atk_is_300_more_against_a_beaten_element_and_300_less_against_one_that_beats(
    mine: str, theirs: str, strike: int
) -> None:
    table = fought(f"Ox {mine} 1400 F:u", more=f"1  leader: Moon {theirs} 1000/1000/2000")
    assert table.hp == (2000, 2000 - strike)


@pytest.mark.rule("XC-37")
def test_effects_add_before_the_subtraction_for_this_round() -> None:
    table = position(
        """
        0  field: Ox 900 F:u   hand: Horn, Bell
        phase after_defence
        """, Horn=effect(atk(300), player("other", "def", -200)), Bell=BELL,
    ).do("use Horn", "pass", "pass")
    assert table.story(DamageCalculated, DamageDealt) == [
        "Ox base 900",
        "Ox effect 1200",
        "Ox def 400",
        "Ox strikes seat 1 400",
    ]
    assert table.value(1, "def") == 800
    table.until("form_attack", "form_defence", "window")
    assert table.value(1, "def") == 1000, "the round is over"


@pytest.mark.rule("XC-43")
def test_a_leader_at_0_hp_is_defeated_and_its_owner_loses_at_once() -> None:
    table = fought("Ox 1400 F:u", more="1  hp: 400")
    assert table.result == (0, "leader_defeated") and table.hp == (2000, 0)
    assert fought("Ox 1399 F:u", more="1  hp: 400").result is None


@pytest.mark.rule("XC-43")
def test_strikes_come_in_the_order_of_sending_then_strikes_back_and_the_first_deadly_one_ends_the_game() -> None:
    attack, defence = "Ox link 1400 F:u, Ram 1300 F:dr", "Claw 1600 F:r"
    table = fought(attack, defence)
    assert table.story(DamageDealt) == ["Ox strikes seat 1 400", "Ram strikes seat 1 300", "Claw strikes seat 0 600"]
    table = fought(attack, defence, "0  hp: 100\n1  hp: 700")
    assert table.story(DamageDealt, GameEnded) == ["Ox strikes seat 1 400", "Ram strikes seat 1 300", "GameEnded"]
    assert table.result == (0, "leader_defeated"), "the strike back comes too late"
    table = fought(attack, defence, "0  hp: 100\n1  hp: 701")
    assert table.result == (1, "leader_defeated")


@pytest.mark.rule("XC-43")
def test_a_player_may_concede_at_any_question_of_the_own() -> None:
    table = position("0  field: Ox F:u\n1  hand: Wall\nphase form_defence")
    assert "concede" not in table.legal() and table.do("concede").result == (0, "conceded")


def test_each_strike_is_caused_by_the_meeting_that_lets_it_and_struck_equals_the_last_reckoning() -> None:
    table = fought("Ox link 1400 F:ur, Ram 1300 F:d", "Claw 1600 F:rd")
    causes = []
    for struck in table.events(DamageDealt):
        met = table.cause(struck)
        assert isinstance(met, AttackMet) and struck.source in (met.source, met.target)
        causes.append(f"{met.direction} {met.outcome}")
    assert causes == ["up open", "down lost"]
    log = table.events(DamageCalculated, DamageDealt)
    for before, after in pairwise(log):
        if isinstance(after, DamageDealt):
            assert (before.source, before.target, before.value) == (after.source, after.target, after.amount)
    hp = [e for e in table.events(CounterSet) if e.name == "hp"]
    assert [table.cause(e) for e in hp] == [table.cause(e) for e in table.events(DamageDealt)]


def test_the_table_keeps_what_met_until_the_next_phase() -> None:
    table = fought("Ox F:ud", "Wall link S:u, Post S:u")
    assert table.waits == "1 answer_up" and table.match.state.meetings == []
    table.do("choose Wall")
    assert table.match.state.meetings == [] and isinstance(table.events(PhaseBegan, Acted)[-1], PhaseBegan)


@pytest.mark.rule("XC-51")
def test_worked_example_one_card_holy_against_demon() -> None:
    table = position("""
        0  field: 新生小丹 holy 1400 F:u
        1  leader: 終極龐士 demon 1000/1100/2700
        phase battle
    """)
    assert table.story(DamageCalculated, DamageDealt) == [
        "新生小丹 base 1400", "新生小丹 element 1700", "新生小丹 def 600", "新生小丹 strikes seat 1 600",
    ]
    assert table.hp[1] == 2100


@pytest.mark.rule("XC-52")
def test_worked_example_two_linked_cards_through_on_the_right() -> None:
    table = position("""
        0  hand: 新生悟地 human 1400 link F:r, 強化菲雲 holy 1400 F:r
        1  leader: 新生邪鬼 beast 1000/1200/2200   hand: 極惡龍翼 demon 1000 S:l
    """).do("send 新生悟地", "send 強化菲雲", "send 極惡龍翼")
    assert table.story(AttackMet) == ["right: 新生悟地 open seat 1", "right: 強化菲雲 open seat 1"]
    assert table.story(DamageCalculated, DamageDealt) == [
        "新生悟地 base 1400", "新生悟地 element 1100", "新生悟地 def -100", "新生悟地 least 100",
        "新生悟地 strikes seat 1 100",
        "強化菲雲 base 1400", "強化菲雲 def 200", "強化菲雲 strikes seat 1 200",
    ]
    assert table.hp[1] == 1900
