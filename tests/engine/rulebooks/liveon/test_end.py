"""The end phase and the hand (LO-44, LO-45)."""

import pytest

from events.kinds import (
    Asked,
    CounterSet,
    ModifierBegan,
    ModifierEnded,
    PhaseBegan,
    StackPopped,
    StackPushed,
    TurnBegan,
)
from tests.engine.rulebooks.liveon.abilities import BELL, ZAP, cards, do, on, passive, skill, target, used
from tests.engine.rulebooks.liveon.position import Table, position

GROW = skill(do("add", what="target", name="pow", n=1000), targets=[target("a")])


def end_phase(table: Table, *kinds: type) -> list[str]:
    """What the first end phase told, of these kinds."""
    story = table.story(PhaseBegan, TurnBegan, *kinds)
    begin = story.index("end") + 1
    return story[begin:next(i for i in range(begin, len(story)) if story[i].startswith("turn "))]


@pytest.mark.rule("LO-44")
def test_all_damage_goes_for_both_players():
    table = position("""
        0 A: Ox 3000 (damage 1000)
        1 A: Wall 3000 (damage 2000)   B: Imp (damage 500)
        phase end
    """)
    assert end_phase(table, CounterSet) == ["Ox damage 0", "Wall damage 0", "Imp damage 0"]
    assert [table.value(name, "damage") for name in ("Ox", "Wall", "Imp")] == [0, 0, 0]


@pytest.mark.rule("LO-44")
def test_first_the_damage_goes_and_then_the_bonus_so_that_nothing_dies_of_it():
    table = position("0 A: Ox 2000 (damage 1500)   hand: Grow, Bolt\n1 A: Cow", Grow=GROW, Bolt=ZAP)
    table.do("use Grow", "choose Ox", "pass", "use Bolt", "choose Ox", "pass")  # 2500 damage on POW 3000
    assert end_phase(table, CounterSet, ModifierEnded) == ["Ox damage 0", "ModifierEnded", "Ox pow 2000"]
    assert table.zone(0, "A") == ["Ox"]


@pytest.mark.rule("LO-44", "LO-37")
def test_a_bonus_whose_end_leaves_no_pow_destroys_and_nobody_may_answer():
    table = position("""
        0 A: Ox 1000   B: Call, Widow, Gong   hand: Grow, Curse
        1 B: Bell
    """, Grow=GROW, Bell=BELL, Gong=BELL, Curse=passive("pow", what=cards("a", of="own"), add=-1000),
        Call=used(do("move", what=cards("hand", of="own", name="Curse"), zone="b")),
        Widow=on("destroyed", do("draw"), whose="own"))
    table.do("use Grow").settle().do("use Call").settle()
    assert table.pow("Ox") == 1000
    table.do("pass").settle()
    assert end_phase(table, CounterSet, StackPushed, StackPopped, Asked) == [
        "Ox pow 0",
        "trigger Widow",
        "Widow resolved",
    ]
    assert table.moves("destroyed") == ["Ox destroyed"]


@pytest.mark.rule("LO-44")
def test_what_comes_to_be_until_end_of_turn_in_the_end_phase_ends_in_it():
    table = position("""
        0 A: Ox 1000   B: Call, Widow   hand: Grow, Curse
        1 A: Cow
    """, Grow=GROW, Curse=passive("pow", what=cards("a", of="own"), add=-1000),
        Call=used(do("move", what=cards("hand", of="own", name="Curse"), zone="b")),
        Widow=on("destroyed", do("add", what="self", name="pow", n=700), whose="own"))
    table.do("use Grow", "choose Ox", "pass", "use Call", "pass")
    assert end_phase(table, ModifierBegan, CounterSet) == [
        "Ox pow 0", "Widow pow +700", "Widow pow 1700", "Widow pow 1000",
    ]
    assert table.match.state.turn == 4


@pytest.mark.rule("LO-44")
def test_the_opponents_turn_begins():
    table = position("0 A: Ox\n1 A: Cow\nphase end, turn 7")
    assert table.story(TurnBegan) == ["turn 8 of 1"]
    assert table.waits == "1 move"


@pytest.mark.rule("LO-45")
def test_there_is_no_limit_on_the_hand():
    table = position("0 A: Ox   hand: 15\n1 A: Cow\nphase end")
    assert len(table.zone(0, "hand")) == 15
    assert table.moves("discarded", "overflow") == []
    assert [e.question for e in table.events(Asked)] == ["move"]
