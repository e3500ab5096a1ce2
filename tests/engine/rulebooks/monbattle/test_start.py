"""Monster Battle: the start phase, who is first, and the course of a round."""

from __future__ import annotations

from typing import Any

import pytest

from events.kinds import PhaseBegan, Rolled, TurnBegan
from tests.engine.rulebooks.monbattle.abilities import add, be, cards, choose, do, effect, on, passive, target
from tests.engine.rulebooks.monbattle.position import position


@pytest.mark.rule("MB-13")
def test_each_player_sets_a_monster_from_standby_last_rounds_first_player_first() -> None:
    table = position("""
        0  standby: Ox, Ram
        1  standby: Elk, Doe
        phase start   active 1
    """)
    assert table.waits == "1 battle_monster"
    assert table.legal() == ["choose Elk", "choose Doe"]
    assert table.refused("choose Ox") == "MB-13" and table.refused("pass") == "MB-13", "it must"
    table.do("choose Doe")
    assert table.waits == "0 battle_monster"
    table.do("choose Ram")
    assert table.moves("set") == ["Doe set", "Ram set"]
    assert table.story(TurnBegan)[0] == "round 3 of 1"


@pytest.mark.rule("MB-13")
def test_the_only_monster_on_standby_must_be_set_and_is_not_asked_for() -> None:
    table = position("""
        0  standby: Ox
        1  standby: Elk
        phase start
    """)
    assert table.moves("set") == ["Ox set", "Elk set"] and table.waits.endswith("main")


@pytest.mark.rule("MB-14")
def test_no_monster_goes_from_the_hand_to_the_stage_after_set_up() -> None:
    table = position("""
        0  hand: Ox
        1  standby: Elk
        phase start
    """)
    table.until("0 main").do("play Ox")
    assert (table.zone(0, "standby"), table.zone(0, "battle")) == (["Ox"], [])
    assert table.refused("play Ox") == "MB-28", "nor from standby by a move of the player's"


@pytest.mark.rule("MB-15")
def test_without_a_monster_on_standby_one_is_blank() -> None:
    table = position("""
        0  hand: Ox
        1  standby: Elk 900/200/3
        phase start
    """)
    table.until("0 main")
    assert table.zone(0, "battle") == [] and table.zone(1, "battle") == ["Elk"]
    assert table.value(0, "lp") == 5100, "the blank player is second and has been attacked"


@pytest.mark.rule("MB-16")
def test_what_would_affect_a_missing_battle_monster_does_nothing() -> None:
    table = position("""
        0  battle: Ox   hand: Cheer assist, Both assist, Aim assist, Doe
        1  hand: Elk
    """, Cheer=effect(add("atk", 100, cards("battle", of="other"))),
        Both=effect(add("atk", 100, cards("battle", of="other")), do("draw")),
        Aim=effect(add("atk", 100, "target"), do("draw"), targets=[target("battle", of="other")]))
    assert table.refused("use Cheer") == "MB-16", "it can do nothing and speaks of a battle monster alone"
    assert table.refused("use Aim") == "MB-16", "there is nobody to name"
    table.do("use Both")
    assert len(table.moves("drawn")) == 1
    assert not table.zone(1, "battle")


def _means(side: str, then: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Each way in which an effect can mean the battle monster of a side, each time with the same instruction."""
    stage, chosen = cards("battle", of=side), {**then, "what": "chosen"}
    named = {**then, "what": "target"}
    return {
        "selected": effect({**then, "what": stage}), "target": effect(named, targets=[target("battle", of=side)]),
        "up to one": effect(named, targets=[target("battle", of=side, up_to=True)]),
        "chosen": effect(choose("battle", of=side), chosen),
        "chosen, up to one": effect({**choose("battle", of=side), "up_to": True}, chosen),
        "each": effect(do("each", what=stage, then=[{**then, "what": "each"}])),
        "perhaps": effect(do("may", then=[{**then, "what": stage}])),
        "if": effect(do("if", when={"count": cards("hand")}, then=[{**then, "what": stage}])),
    }


@pytest.mark.rule("MB-16")
@pytest.mark.parametrize("side", ["own", "other", "any"])
@pytest.mark.parametrize("then", [add("atk", 100), be("no_attack", 1), do("move", zone="hand"), do("destroy")])
def test_a_refusal_while_blank_names_the_rule_of_the_blank(side: str, then: dict[str, Any]) -> None:
    stands = {"own": ("Ox", ""), "other": ("", "Elk"), "any": ("Ox", "Elk")}[side]
    for way, said in _means(side, then).items():
        for how, abilities in (("assist", {"Cheer": said}), ("skill", {"Chief": {**said, "ability": "activated"}})):
            text = "0  battle: {}   standby: Ram   hand: Doe{}\n1  battle: {}"
            step = "use Chief" if how == "skill" else "use Cheer"
            hand = "" if how == "skill" else ", Cheer assist"
            blank = position(text.format("", hand, "") + "   standby: Hind", **abilities)
            assert blank.refused(step) == "MB-16", (way, how)
            assert step in position(text.format(stands[0], hand, stands[1]), **abilities).legal(), (way, how)


@pytest.mark.rule("MB-16")
def test_a_battle_monster_that_does_not_fit_is_no_blank() -> None:
    table = position("""
        0  battle: Ox   hand: Aim assist, Doe
        1  battle: Elk c3
    """, Aim=effect(add("atk", 100, "target"), targets=[target("battle", of="other", at_most={"cost": 2})]))
    assert table.refused("use Aim") == "MB-30"


@pytest.mark.rule("MB-16")
def test_an_effect_that_speaks_of_no_battle_monster_is_legal_even_if_it_finds_nobody() -> None:
    table = position("""
        0  battle: Ox   hand: Cheer assist, All assist
        1  battle: Elk
    """, Cheer=effect(add("atk", 100, cards("standby"))), All=effect(add("atk", 100, cards("battle", of="own"))))
    table.do("use Cheer", "use All")
    assert table.value("Ox", "atk") == 600


@pytest.mark.rule("MB-17")
def test_more_cost_than_pp_loses_at_once_and_as_much_does_not() -> None:
    over = position("""
        0  player: Chief 6000/10/3   standby: Ox c4   stock: Cow c7
        1  standby: Elk
        phase start
    """)
    assert over.result == (1, "cost_over")
    even = position("""
        0  player: Chief 6000/11/3   standby: Ox c4   stock: Cow c7
        1  standby: Elk
        phase start
    """)
    assert even.result is None and even.zone(0, "battle") == ["Ox"]


@pytest.mark.rule("MB-21", "MB-17")
def test_where_both_stocks_are_over_in_one_start_phase_the_player_who_set_first_loses() -> None:
    for active in (0, 1):
        table = position(f"""
            0  player: Chief 6000/10/3   standby: Ox c4   stock: Cow c7
            1  player: Boss player 6000/3/3   standby: Elk c4
            phase start   active {active}
        """)
        assert table.result == (1 - active, "cost_over")
        assert len(table.moves("set")) == 1, "the second one has not set any more"


@pytest.mark.rule("MB-18")
def test_the_higher_spd_is_first() -> None:
    for speeds, first in (("4", "3"), 0), (("3", "4"), 1):
        table = position(f"""
            0  standby: Ox 500/200/{speeds[0]}
            1  standby: Elk 500/200/{speeds[1]}
            phase start
        """)
        assert table.waits == f"{first} main" and not table.events(Rolled)


@pytest.mark.rule("MB-18")
def test_equal_spd_is_decided_by_the_recorded_random_source() -> None:
    firsts = set()
    for seed in range(8):
        table = position(f"""
            0  standby: Ox
            1  standby: Elk
            phase start   seed {seed}
        """)
        roll, = table.events(Rolled)
        assert table.waits == f"{roll.outcome} main"
        firsts.add(roll.outcome)
    assert firsts == {0, 1}


@pytest.mark.rule("MB-18")
def test_changed_spd_counts_and_only_at_that_moment() -> None:
    table = position("""
        0  standby: Ox 500/200/3
        1  standby: Elk 500/200/4   hand: Slow assist
        phase start
    """, Ox=on("set", add("spd", 2)), Slow=effect(add("spd", -4, cards("battle", of="own"))))
    assert table.waits == "0 main" and table.value("Ox", "spd") == 5
    table.do("pass", "use Slow")
    assert table.waits == "1 main", "the order stays"


CLAIM = be("claims_first", 1, "own", duration="order")


@pytest.mark.rule("MB-19")
def test_an_effect_of_the_start_phase_decides_who_is_first() -> None:
    table = position("""
        0  standby: Ox 500/200/9
        1  standby: Elk 500/200/1
        phase start
    """, Elk=on("set", CLAIM))
    assert table.waits == "1 main" and table.value(1, "claims_first") == 0, "used up"


@pytest.mark.rule("MB-19")
def test_two_claims_cancel_each_other() -> None:
    for speeds, first in ((9, 1), 0), ((1, 9), 1):
        table = position(f"""
            0  standby: Ox 500/200/{speeds[0]}
            1  standby: Elk 500/200/{speeds[1]}
            phase start
        """, Elk=on("set", CLAIM), Ox=on("set", CLAIM))
        assert table.waits == f"{first} main", "SPD decides"
        assert (table.value(0, "claims_first"), table.value(1, "claims_first")) == (0, 0), "both used up"


@pytest.mark.rule("MB-19")
def test_a_claim_of_an_earlier_round_holds_until_the_next_order_and_no_longer() -> None:
    table = position("""
        0  battle: Ox 500/200/9   standby: Ram 500/200/9, Bull 500/200/9
        1  battle: Elk 500/200/1   hand: Hurry assist   standby: Doe 500/200/1, Hind 500/200/1
    """, Hurry=effect(CLAIM))
    table.do("pass", "use Hurry", "pass", "choose Ram", "choose Doe")
    assert table.waits == "1 main"
    table.do("pass", "pass")
    assert table.waits == "0 main" and table.story(TurnBegan)[-1] == "round 5 of 0"


@pytest.mark.rule("MB-19")
def test_a_claim_that_works_by_itself_counts_even_for_a_blank_player() -> None:
    table = position("""
        0  standby: Ox
        1  player: Boss player 5000/20/2   hand: Elk
        phase start
    """, Boss=passive("claims_first", set=1, what="own"))
    assert table.waits == "1 main"


@pytest.mark.rule("MB-20")
def test_a_blank_player_is_second() -> None:
    for seat in (0, 1):
        table = position(f"""
            {seat}  standby: Ox 500/200/1
            phase start   active {1 - seat}
        """)
        assert table.waits == f"{seat} main"


@pytest.mark.rule("MB-20")
def test_if_both_are_blank_last_rounds_second_is_first() -> None:
    for active in (0, 1):
        table = position(f"""
            0  hand: Ox
            1  hand: Elk
            phase start   active {active}
        """)
        assert table.waits == f"{1 - active} main"


@pytest.mark.rule("MB-20")
def test_if_both_are_blank_in_the_first_round_chance_decides() -> None:
    firsts = set()
    for seed in range(8):
        table = position(f"""
            0  hand: Ox
            phase order   turn 0   seed {seed}
        """)
        firsts.add(table.waits)
        assert len(table.events(Rolled)) == 1
    assert firsts == {"0 main", "1 main"}


@pytest.mark.rule("MB-21")
def test_the_order_of_a_round() -> None:
    table = position("""
        0  standby: Ox 500/200/1, Ram
        1  standby: Elk 500/200/2, Doe
        phase start
    """)
    table.do("choose Ox", "choose Elk", "pass", "pass")
    phases = ["start", "main 1", "attack 1", "main 0", "attack 0", "end", "start"]
    assert table.story(PhaseBegan)[:7] == phases
