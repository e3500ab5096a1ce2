"""The course of a round, drawing, the hand limit, and how games end (XC-16, XC-44 … XC-49)."""

from __future__ import annotations

import pytest

from events.kinds import CardMoved, PhaseBegan, RuleApplied, Shuffled, TurnBegan
from tests.engine.rulebooks.xcard.effects import BELL, NO_DRAW, TAKE, atk, do, effect, player
from tests.engine.rulebooks.xcard.position import Table, position


@pytest.mark.rule("XC-16")
def test_the_order_of_a_round() -> None:
    table = position(
        "0  hand: Ox F:u, Whip human 500, 7 Bell\n1  hand: Wall\nphase before",
        Bell=BELL, Whip=effect(atk(100)),
    ).do("pass", "send Ox", "send Whip", "pass", "pass", "pass", "choose warriors", "choose warriors", "pass")
    table.do("choose Bell", "choose Bell")
    assert table.story(PhaseBegan, TurnBegan)[:-1] == [
        "round 5 of 0", "before", "form_attack", "after_attack", "form_defence", "after_defence", "skills", "battle",
        "discard", "draw", "limit", "round 6 of 1",
    ]


@pytest.mark.rule("XC-44")
def test_used_cards_go_to_their_own_discard_piles_after_the_battle() -> None:
    table = position(
        "0  hand: Ox F:u, Whip skill, Bell\n1  hand: Wall S:u, Post\nphase before", Bell=BELL,
    ).do("use Bell", "send Ox", "send Whip")
    assert table.zone(0, "table") == ["Bell"], "a used item lies on the table until then"
    table.do("send Wall")
    assert [table.zone(0, zone) for zone in ("w_discard", "i_discard", "table", "field")] == [
        ["Whip", "Ox"], ["Bell"], [], [],
    ]
    assert table.zone(1, "w_discard") == ["Wall"] and table.zone(1, "hand") == ["Post"]


@pytest.mark.rule("XC-44")
def test_a_leader_on_sortie_returns_to_its_place_after_the_battle() -> None:
    table = position("0  hp: 900 leader: Sun F:u  hand: Ox").do("sortie", "send Ox")
    assert (table.zone(0, "leader"), table.zone(0, "w_discard")) == (["Sun"], ["Ox"])


def drawing(text: str = "", **abilities: dict[str, object]) -> Table:
    return position(f"{text}\nphase draw", **abilities)


@pytest.mark.rule("XC-45")
def test_each_player_may_draw_2_attacker_first_card_by_card_from_the_deck_of_choice() -> None:
    table = drawing("0  warriors: Ox, Ram  items: Horn item, Drum item\nactive 1")
    said = []
    for step in ("choose warriors", "pass", "choose items", "choose warriors"):
        said.append(f"{table.waits} {table.legal()}")
        table.do(step)
    options = "['choose warriors', 'choose items', 'pass']"
    assert said == [f"1 draw {options}"] * 2 + [f"0 draw {options}"] * 2
    assert table.zone(0, "hand") == ["Horn", "Ox"] and len(table.zone(1, "hand")) == 1, "fewer is allowed"


@pytest.mark.rule("XC-45")
def test_effects_can_give_more_which_may_be_declined_too() -> None:
    table = position("0  hand: Horn, Bell\nphase after_defence", Horn=effect(player("own", "draws", 2)), Bell=BELL)
    table.do("use Horn", "pass", "pass")
    for _ in range(4):
        assert table.waits == "0 draw"
        table.do("choose warriors")
    assert table.waits == "1 draw"
    table = position("0  hand: Horn, Bell\nphase after_defence", Horn=effect(player("own", "draws", 2)), Bell=BELL)
    assert table.do("use Horn", "pass", "pass", "choose warriors", "pass").waits == "1 draw"


@pytest.mark.rule("XC-45")
def test_forbidden_to_draw_is_stronger_than_any_more_and_holds_for_this_round() -> None:
    table = position(
        "0  hand: Seal, Bell\n1  hand: Horn, Gift\nphase after_defence",
        Seal=effect(NO_DRAW), Horn=effect(player("own", "draws", 2)), Gift=effect(do("draw", n=1)), Bell=BELL,
    ).do("use Seal", "use Horn", "pass", "pass", "pass", "use Gift", "pass", "pass")
    assert table.waits == "0 draw" and table.value(1, "draws") == 4
    table.do("pass")
    assert table.match.state.turn == 6 and (table.value(1, "draws"), table.value(1, "no_draw")) == (2, 0)


@pytest.mark.rule("XC-46")
def test_the_discard_pile_becomes_the_warrior_deck_between_two_draws() -> None:
    table = drawing("0  warriors: Ox  w_discard: Ram, Cow, Hen  items: Horn item")
    table.do("choose warriors")
    assert not table.events(Shuffled), "not before a card is to be drawn"
    table.do("choose warriors")
    assert table.moves("reshuffled") == ["Hen reshuffled", "Cow reshuffled", "Ram reshuffled"]
    assert [(e.seat, e.zone) for e in table.events(Shuffled)] == [(0, "warriors")]
    assert table.story(RuleApplied) == ["reshuffle"]
    assert table.cause(table.events(Shuffled)[0]) == table.events(RuleApplied)[0]
    assert len(table.zone(0, "hand")) == 2 and len(table.zone(0, "warriors")) == 2 and not table.zone(0, "w_discard")
    assert not any(e.face_up for e in table.events(CardMoved) if e.move_kind == "reshuffled")


@pytest.mark.rule("XC-46")
def test_the_item_deck_is_never_made_anew_and_with_nothing_to_draw_there_is_no_draw() -> None:
    table = drawing("0  warriors: Ox  items: Horn item  i_discard: Drum item")
    table.do("choose items")
    assert table.legal() == ["choose warriors", "pass"]
    table.do("choose warriors")
    assert table.zone(0, "i_discard") == ["Drum"]
    empty = position("0  warriors: , items: , i_discard: Drum item\nphase draw")
    assert empty.waits == "1 draw", "seat 0 has nothing to draw and is not asked"


@pytest.mark.rule("XC-46", "XC-50")
def test_draws_by_effect_follow_the_same_rules() -> None:
    table = position(
        "0  hand: Gift, Bell  warriors: Ox  w_discard: Ram\nphase after_attack",
        Gift=effect(do("draw", n=2)), Bell=BELL,
    ).do("use Gift", "pass")
    assert table.waits == "0 draw"
    table.do("choose warriors", "choose warriors")
    assert sorted(table.zone(0, "hand")) == ["Bell", "Ox", "Ram"] and table.moves("reshuffled") == ["Ram reshuffled"]


@pytest.mark.rule("XC-47")
def test_a_hand_of_more_than_7_is_discarded_down_to_7_by_choice() -> None:
    names = ", ".join(f"W{i}" for i in range(7))
    table = drawing(f"0  hand: {names}, Horn item  warriors: Ox\n1  hand: 8 Ram")
    table.do("choose warriors", "pass", "pass")
    assert table.waits == "0 limit" and len(table.legal()) == 9 and table.refused("pass") == "XC-47"
    table.do("choose W3", "choose Horn")
    assert (len(table.zone(0, "hand")), table.zone(0, "w_discard"), table.zone(0, "i_discard")) == (7, ["W3"], ["Horn"])
    assert len(table.zone(1, "hand")) == 7, "of equal cards one is discarded without a question"
    assert table.match.state.turn == 6


@pytest.mark.rule("XC-47")
def test_everything_for_this_round_ends_before_the_roles_are_swapped() -> None:
    table = position(
        "0  hand: Horn\n1  hand: Ox\nphase before", Horn=effect(player("own", "def", 300)),
    ).do("use Horn")
    table.until("draw")
    assert table.value(0, "def") == 1300
    while table.match.state.turn == 5:
        table.do("pass")
    story = table.story()
    assert table.value(0, "def") == 1000
    assert story.index("ModifierEnded") < story.index("round 6 of 1")


@pytest.mark.rule("XC-48")
def test_the_attack_passes_to_the_other_player_also_after_a_successful_strike_back() -> None:
    table = position("0  field: Ox 1000 F:u\n1  field: Claw 1500 F:u\nphase battle")
    assert table.hp[0] == 1500
    while table.match.state.turn == 5:
        table.do("pass")
    assert table.match.state.active == 1


# --- XC-48: the attack taken over ---------------------------------------------------------------------------


@pytest.mark.rule("XC-48")
def test_taken_over_before_anybody_formed_up_the_new_attacker_forms_up_first() -> None:
    table = position("0  hand: Ox F:u, Bell\n1  hand: Flag, Ram F:u, Bell\nphase before", Flag=effect(TAKE), Bell=BELL)
    table.do("pass", "use Flag", "pass", "pass")
    assert table.waits == "1 window" and table.match.state.phase == "before", "the new attacker's word first"
    table.do("pass", "pass")
    assert table.waits == "1 form_attack"
    table.do("send Ram", "pass", "pass", "pass")
    assert table.story(PhaseBegan, TurnBegan)[:6] == [
        "round 5 of 0", "before", "round 5 of 1", "form_attack", "after_attack", "form_defence",
    ]


@pytest.mark.rule("XC-48")
def test_taken_over_in_mid_round_cards_that_are_out_stay_and_defend_and_each_side_forms_up_once() -> None:
    table = position(
        "0  hand: Ox 1400 F:u S:r, Bell, Elk\n1  hand: Flag, Ram 1200 F:ur, Bell\nphase before",
        Flag=effect(TAKE), Bell=BELL,
    ).do("pass", "pass", "send Ox", "pass", "use Flag", "pass", "pass")
    assert table.waits == "1 window" and table.match.state.phase == "after_attack"
    table.do("pass", "pass")
    assert table.waits == "1 form_attack" and table.zone(0, "field") == ["Ox"]
    table.do("send Ram")
    assert table.waits == "1 window" and table.match.state.phase == "after_defence", "both have formed up"
    table.do("pass", "pass")
    assert table.story(RuleApplied)[0].startswith("take_attack")
    story = table.story()
    assert "up: Ram lost Ox" in story and "right: Ram blocked Ox" in story and table.hp == (2000, 1600)
    table.until("draw")
    while table.match.state.turn == 5:
        table.do("pass")
    assert table.match.state.active == 0, "it passes to the player from whom it was taken"
    assert table.story(PhaseBegan).count("after_attack") == 1


@pytest.mark.rule("XC-48")
def test_taken_over_when_both_are_out_they_fight_in_their_new_roles() -> None:
    table = position(
        """
        0  field: Ox 1400 F:u   hand: Bell
        1  field: Wall 1100 F:r   hand: Flag
        phase after_defence
        """, Flag=effect(TAKE), Bell=BELL,
    ).do("pass", "use Flag", "pass", "pass")
    assert table.story(PhaseBegan)[:2] == ["after_defence", "battle"]
    assert "right: Wall open seat 0" in table.story() and table.hp == (1900, 2000)


@pytest.mark.rule("XC-48")
def test_a_leader_on_sortie_whose_side_becomes_the_defender_goes_back_without_penalty() -> None:
    table = position(
        "0  hp: 900 leader: Sun F:u  hand: Ox, Bell\n1  hand: Flag, Ram F:d", Flag=effect(TAKE), Bell=BELL,
    ).do("sortie", "pass", "pass", "use Flag", "pass")
    assert (table.zone(0, "leader"), table.zone(0, "field")) == (["Sun"], []) and table.value("Sun", "band") == 0
    table.do("pass", "send Ram").until("draw")
    assert table.hp[0] == 800, "Ram's strike alone"


@pytest.mark.rule("XC-48")
def test_a_skill_takes_the_attack_over_just_before_the_battle() -> None:
    table = position(
        "0  field: Ox 1400 F:u\n1  field: Ram 1000 F:d, Flag human 1200 F:l\nphase battle", Flag=effect(TAKE),
    )
    assert table.hp == (1700, 2000) and "left: Flag open seat 0" in table.story()
    while table.match.state.turn == 5:
        table.do("pass")
    assert table.match.state.active == 0


@pytest.mark.rule("XC-48")
def test_taken_over_twice_the_first_attacker_attacks_again_and_the_round_goes_on() -> None:
    table = position(
        "0  hand: Ox F:u, Flag, Bell\n1  hand: Flag, Ram S:d, Bell", Flag=effect(TAKE), Bell=BELL,
    ).do("send Ox", "pass", "use Flag", "pass", "pass", "pass", "use Flag", "pass", "pass")
    assert table.match.state.active == 0 and table.waits == "0 window"
    table.do("pass", "pass")
    assert table.waits == "1 form_defence"
    table.do("send Ram", "pass", "pass")
    assert table.hp == (2000, 1900)
    while table.match.state.turn == 5:
        table.do("pass")
    assert table.match.state.active == 1, "always the other one than this round's last attacker"


@pytest.mark.rule("XC-48", "XC-25")
@pytest.mark.parametrize(("uses", "attacks"), [(1, 1), (2, 0), (3, 1), (4, 0)])
def test_of_several_in_a_row_that_take_the_attack_over_the_one_used_last_holds(uses: int, attacks: int) -> None:
    table = position(
        "0  hand: 2 Flag, Ox, Bell\n1  hand: 2 Flag, Ram, Bell\nphase before", Flag=effect(TAKE), Bell=BELL,
    ).do("pass", *["use Flag"] * uses, "pass", "pass")
    assert table.match.state.active == attacks and not table.match.state.stack
    assert table.story(RuleApplied).count("take_attack Flag") <= 1


@pytest.mark.rule("XC-48", "XC-25")
def test_what_took_the_attack_over_before_a_settlement_overrules_nothing_after_it() -> None:
    table = position(
        "0  hand: Flag, Ox, 2 Bell\n1  hand: Flag, Ram, 2 Bell\nphase before", Flag=effect(TAKE), Bell=BELL,
    ).do("use Flag", "pass", "pass")
    assert table.match.state.active == 0, "it had the attack already"
    table.do("pass", "use Flag", "pass", "pass")
    assert table.match.state.active == 1


@pytest.mark.rule("XC-48")
def test_taking_over_what_one_has_changes_nothing() -> None:
    table = position("0  hand: Flag, Bell\nphase before", Flag=effect(TAKE), Bell=BELL).do("use Flag", "pass")
    assert not table.events(RuleApplied) and len(table.events(TurnBegan)) == 1


# --- XC-49 --------------------------------------------------------------------------------------------------


def pass_on(table: Table, rounds: int) -> Table:
    """Everybody passes for so many rounds."""
    until = table.match.state.turn + rounds
    while table.asked is not None and table.match.state.turn < until:
        table.do("pass")
    return table


@pytest.mark.rule("XC-49")
def test_a_game_that_reaches_max_rounds_is_a_draw() -> None:
    table = position("phase draw\nturn 6\nmax_rounds 7")
    assert pass_on(table, 5).result == (None, "round_limit") and table.match.state.turn == 7


@pytest.mark.rule("XC-49")
def test_200_rounds_unless_the_options_say_otherwise() -> None:
    table = position("0  field: Ox F:u\nphase battle\nturn 199")
    pass_on(table, 1)
    assert table.match.state.turn == 200 and table.result is None
    assert pass_on(table, 1).result == (None, "round_limit")


@pytest.mark.rule("XC-49")
def test_20_rounds_without_a_strike_are_a_draw() -> None:
    table = position("0  field: Ox F:u\nphase battle\nturn 3")
    assert table.value(1, "struck_in") == 3
    pass_on(table, 20)
    assert table.match.state.turn == 23 and table.result is None, "rounds 4 to 22 are 19"
    assert pass_on(table, 1).result == (None, "no_progress") and table.match.state.turn == 23


@pytest.mark.rule("XC-49")
def test_more_than_200_settlements_in_a_round_are_a_draw_also_across_a_takeover() -> None:
    def left(n: int) -> Table:
        table = position(
            f"0  hand: Flag, {n} Bell\n1  hand: Flag, Bell\nphase before", Bell=BELL, Flag=effect(TAKE),
        )
        table.do("pass", "use Flag", "pass", "pass", "pass")
        for _ in range(n):
            table.match.act(table.match.legal()[-1])
        table.do("pass")
        return table if table.asked is None else table.do("pass")

    assert left(199).result is None
    assert left(200).result == (None, "loop")
