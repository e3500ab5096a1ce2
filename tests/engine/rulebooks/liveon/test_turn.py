"""The course of a turn: start, move, live (LO-18 … LO-26)."""

import pytest

from events.kinds import CardExhausted, CardMoved, PhaseBegan, TurnBegan
from tests.engine.rulebooks.liveon.abilities import BELL, DOWN, ZAP, do, target, used
from tests.engine.rulebooks.liveon.position import position


@pytest.mark.rule("LO-18")
def test_turns_alternate_and_have_five_phases():
    table = position("0 B: Elf\n1 B: Imp\nphase start, turn 5").do("pass", "pass")
    phases, last = ["start", "move", "live", "attack", "end"], ["turn 7 of 0", "start", "move"]
    assert table.story(TurnBegan, PhaseBegan) == ["turn 5 of 0", *phases, "turn 6 of 1", *phases, *last]
    assert table.waits == "0 move"


@pytest.mark.rule("LO-19")
def test_at_the_start_all_own_cards_stand_up_and_only_those():
    table = position("""
        0 A: Ox (down)   B: Elf (down)
        1 A: Ram (down), Cow   B: Imp (down)
        phase end, active 0
    """)
    assert table.waits == "1 move"
    assert [table.down(name) for name in ("Ox", "Elf", "Ram", "Imp")] == [True, True, False, False]
    assert [table.name(e.card) for e in table.match.log if isinstance(e, CardExhausted) and not e.exhausted] == [
        "Ram",
        "Imp",
    ]


@pytest.mark.rule("LO-20")
def test_the_turn_player_draws_the_top_card():
    table = position("0 B: Elf   deck: Top, 4 Plain\n1 B: Imp\nphase start, turn 2")
    assert table.zone(0, "hand") == ["Top"]
    assert table.zone(1, "hand") == []


@pytest.mark.rule("LO-20")
def test_the_starting_player_does_not_draw_in_the_first_turn_of_the_game():
    table = position("0 B: Elf\n1 B: Imp\nphase start, turn 1")
    assert table.waits == "0 move"
    assert table.zone(0, "hand") == []
    table.do("pass")
    assert len(table.zone(1, "hand")) == 1


@pytest.mark.rule("LO-21")
def test_cards_move_one_at_a_time_in_any_order_or_not_at_all():
    table = position("0 A: Ox, Ram   B: Elf, Imp\nphase move")
    assert table.legal() == ["pass", "move Ox", "move Ram", "move Elf", "move Imp"]
    table.do("move Imp", "move Ox")
    assert (table.zone(0, "A"), table.zone(0, "B")) == (["Ram", "Imp"], ["Elf", "Ox"])
    table.do("pass")
    assert table.moves("moved") == ["Imp moved", "Ox moved"]


@pytest.mark.rule("LO-21")
def test_only_own_cards_on_a_line_move_and_only_in_the_move_phase():
    table = position("0 A: Ox, Ram   hand: Cat\n1 A: Wall\nphase move")
    assert table.refused("move Cat") == "LO-21"
    assert table.refused("move Wall") == ""
    table = position("0 A: Ox, Ram\nphase attack")
    assert table.refused("move Ox") == "LO-21"


@pytest.mark.rule("LO-22")
def test_nothing_moves_into_a_full_line():
    table = position("0 A: A1, A2, A3, A4, A5   B: B1, B2, B3, B4\nphase move")
    assert table.refused("move B1") == "LO-22"
    table.do("move A1")
    assert table.refused("move A2") == "LO-22"
    assert "move B1" in table.legal()  # A1 has left a place
    both_full = position("0 A: A1, A2, A3, A4, A5   B: B1, B2, B3, B4, Bell\nphase move", Bell=BELL)
    assert both_full.legal() == ["pass", "use Bell"]


@pytest.mark.rule("LO-23")
def test_a_card_moves_once_and_stays_down():
    table = position("0 A: Ox (down), Ram\nphase move").do("move Ox")
    assert table.down("Ox")
    assert table.refused("move Ox") == "LO-23"
    assert table.legal() == ["pass", "move Ram"]


@pytest.mark.rule("LO-23", "LO-28")
def test_a_card_that_has_left_and_come_back_is_another_one_and_may_move():
    there_and_back = [do("move", what="target", zone=zone) for zone in ("hand", "b")]
    lift = used(*there_and_back, cost=[DOWN], targets=[target("b", of="own", another=True)])
    table = position("0 A: Ox   B: Lift\nphase move", Lift=lift).do("move Ox", "pass")
    assert table.refused("move Ox") == "LO-23"
    table.do("use Lift")
    assert table.zone(0, "B") == ["Lift", "Ox"]
    assert table.do("move Ox").zone(0, "A") == ["Ox"]


@pytest.mark.rule("LO-24")
def test_up_to_two_cards_are_lived_from_the_hand_standing_and_face_up():
    table = position("0 B: Bell   hand: Hero fighter, Ox, Ram, Cat\nphase live", Bell=BELL)
    table.do("live Hero", "pass", "live Ox", "pass")
    assert table.zone(0, "B") == ["Bell", "Hero", "Ox"]
    assert all(not table.down(name) and table.match.card(table.find(name)).face_up for name in ("Hero", "Ox"))
    assert table.refused("live Ram") == "LO-24"
    assert table.legal() == ["pass", "use Bell"]


@pytest.mark.rule("LO-24")
def test_living_needs_room_on_b_the_own_hand_and_the_live_phase():
    table = position("0 B: B1, B2, B3, B4, Bell   hand: Ox\nphase live", Bell=BELL)
    assert table.refused("live Ox") == "LO-24"
    table = position("0 B: Bell   hand: Ox   discard: Cat\nphase live", Bell=BELL)
    assert table.refused("live Cat") == "LO-24"
    table = position("0 A: Idle   hand: Ox\nphase attack")
    assert table.refused("live Ox") == "LO-24"


@pytest.mark.rule("LO-24")
def test_lives_through_effects_do_not_count_towards_the_two():
    call = {"ability": "activated", "then": [{"do": "play", "what": {"zone": ["hand"], "of": "own", "name": "Cat"}}]}
    table = position("0 B: Call   hand: Ox, Ram, Cat\nphase live", Call=call)
    table.do("use Call", "live Ox", "live Ram")
    assert table.moves("lived") == ["Cat lived", "Ox lived", "Ram lived"]


@pytest.mark.rule("LO-25")
def test_a_card_just_lived_produces_for_the_next():
    table = position("0 hand: Elf red, Giant red ①, Imp black\n0 B: Cub blue\nphase live")
    assert table.refused("live Giant") == "LO-07"
    table.do("live Elf", "live Giant")
    assert table.zone(0, "B") == ["Cub", "Elf", "Giant"]


@pytest.mark.rule("LO-26")
@pytest.mark.parametrize("phase", ["move", "live"])
def test_skills_are_played_in_an_attack_phase_only(phase):
    table = position(f"0 A: Ox, Idle   B: Bell   hand: Bolt, Cat\nphase {phase}", Bolt=ZAP, Bell=BELL)
    assert table.refused("use Bolt") == "LO-26"
    assert table.refused("live Bolt") == ("LO-26" if phase == "live" else "LO-24")
    table.do(*["pass"] * (2 if phase == "move" else 1))
    assert "use Bolt" in table.legal()
    assert table.events(CardMoved) == []
