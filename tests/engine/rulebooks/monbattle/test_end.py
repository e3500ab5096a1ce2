"""Monster Battle: the end phase, and how games are won."""

from __future__ import annotations

import pytest

from events.kinds import CounterSet, DamageDealt
from tests.engine.rulebooks.monbattle.abilities import add, cards, choose, do, effect, lp, on, passive, skill, target
from tests.engine.rulebooks.monbattle.position import new_game, position


@pytest.mark.rule("MB-46")
def test_both_battle_monsters_go_onto_their_stock_with_their_cost() -> None:
    table = position("""
        0  battle: Ox c2   stock: Cow c3
        1  battle: Elk c4
        phase end
    """)
    assert table.zone(0, "stock") == ["Ox", "Cow"] and table.zone(1, "stock") == ["Elk"]
    assert (table.value(0, "stock_cost"), table.value(1, "stock_cost")) == (5, 4)
    assert table.moves("to_stock") == ["Ox to_stock", "Elk to_stock"]
    assert all(card.face_up for card in table.match.state.cards.values() if card.zone == "stock")


@pytest.mark.rule("MB-46", "MB-29")
def test_their_weapons_and_items_are_dropped_not_those_on_standby_and_not_the_players() -> None:
    table = position("""
        0  player: Chief + Ring item:player   battle: Ox + Axe weapon stone +300 + Boots item:monster
        0  standby: Ram + Bow weapon stone +100
        phase end
    """, Boots=passive("spd", what="bearer", add=4), Ring=passive("pp", what="own", add=2))
    assert table.moves("dropped") == ["Axe dropped", "Boots dropped"]
    assert sorted(table.zone(0, "drop")) == ["Axe", "Boots"]
    assert sorted(table.zone(0, "gear")) == ["Bow", "Ring"] and table.value(0, "pp") == 32
    assert table.value("Ram", "atk") == 600


@pytest.mark.rule("MB-29")
def test_a_weapon_stays_until_the_end_phase_of_the_round_in_which_its_bearer_was_sent() -> None:
    table = position("""
        0  standby: Ox + Axe weapon stone +300, Ram
        1  battle: Elk   standby: Doe, Hind
    """)
    table.do("pass", "pass")
    assert table.held("Ox") == ["Axe"], "a round in which its bearer stayed on standby"
    table.do("choose Ox", "choose Doe")
    assert table.held("Ox") == ["Axe"]
    table.do("pass")
    assert "Axe dropped" not in table.moves("dropped")
    table.do("pass")
    assert table.moves("dropped") == ["Axe dropped"]


@pytest.mark.rule("MB-29")
def test_a_weapon_is_dropped_even_if_its_bearer_was_kept_from_attacking() -> None:
    table = position("""
        0  battle: Ox + Axe weapon stone +300
        1  hand: Cow c9
        phase attack
    """, Ox=passive("no_attack", set=1))
    table.do("pass")
    assert not table.events(DamageDealt) and table.zone(0, "drop") == ["Axe"]


BACK = effect(do("move", what="target", zone="standby"), targets=[target("battle", of="other")])


@pytest.mark.rule("MB-29")
@pytest.mark.parametrize("evolves", [False, True])
@pytest.mark.parametrize("attack", ["made", "ended", "prevented"])
@pytest.mark.parametrize("gear", ["Axe weapon stone +300", "Boots item:monster", "both"])
def test_gear_of_a_monster_that_attacked_is_dropped_though_it_stands_on_standby_again(
    gear: str, attack: str, evolves: bool
) -> None:
    worn = "Axe weapon stone +300 + Boots item:monster" if gear == "both" else gear
    abilities = {"Boots": passive("spd", what="bearer", add=4)} if "Boots" in worn else {}
    if attack == "ended":
        abilities["Elk"] = on("attacks", do("end_attack"), whose="other")
    if attack == "prevented":
        abilities["Ox"] = passive("no_attack", set=1)
    if evolves:
        abilities["Lead"] = on("main_began", do("play", what=cards("hand", of="own", kind="evolution")), whose="other")
    table = position(f"""
        0  battle: Ox 500/200/9 + {worn}   standby: Ram + Bow weapon stone +1, Lead   hand: Ruby from:Ox
        0  player: Chief + Ring item:player
        1  battle: Elk   standby: Doe   hand: Back assist
    """, Back=BACK, Ring=passive("pp", what="own", add=2), **({"Lead": []} | abilities))
    table.do("pass").until("1 main")
    bearer = "Ruby" if evolves else "Ox"
    table.do("use Back")
    assert table.held(bearer) == sorted(["Ox"] * evolves + [w.split()[0] for w in worn.split(" + ")])
    table.do("pass")
    stays = attack == "prevented"
    assert (table.held(bearer) == ["Ox"] * evolves) != stays
    assert sorted(table.moves("dropped")) == ([] if stays else [f"{w.split()[0]} dropped" for w in worn.split(" + ")])
    assert table.held("Ram") == ["Bow"] and "Ring" in table.zone(0, "gear"), "theirs has not attacked"


@pytest.mark.rule("MB-29")
def test_gear_put_on_after_the_round_of_the_attack_stays() -> None:
    table = position("""
        0  battle: Ox   standby: Ram   hand: Axe weapon stone +300
        1  battle: Elk   standby: Doe, Hind   hand: Back assist
    """, Back=BACK)
    table.do("pass", "use Back", "pass", "choose Ram", "choose Doe").until("0 main")
    table.do("play Axe").until("0 main", "0 battle_monster")
    assert table.held("Ox") == ["Axe"] and "Axe dropped" not in table.moves("dropped")


@pytest.mark.rule("MB-47")
def test_an_evolved_monster_goes_with_all_cards_of_its_stack_each_with_its_cost() -> None:
    table = position("""
        0  battle: King c4 from:Ruby over Ruby c2 from:Imp over Imp c1
        phase end
    """)
    assert sorted(table.zone(0, "stock")) == ["Imp", "King", "Ruby"] and table.value(0, "stock_cost") == 7
    assert table.match.card(table.ids["King#1"]).attachments == []


@pytest.mark.rule("MB-47", "MB-51")
def test_cost_over_through_evolution_in_the_end_phase() -> None:
    for points, result in ((5, (1, "cost_over")), (6, None)):
        table = position(f"""
            0  player: Chief 6000/{points}/3   battle: Ruby c2 from:Imp over Imp c1   stock: Cow c3   standby: Ram c0
            1  standby: Doe, Hind
            phase end
        """)
        assert table.result == result
        assert (table.match.state.phase == "end") == (result is not None), "it is over at once"


@pytest.mark.rule("MB-46", "MB-51")
def test_both_battle_monsters_go_at_once_so_both_stocks_can_be_over() -> None:
    table = position("""
        0  player: Chief 6000/2/3   battle: Ruby c2 from:Imp over Imp c1
        1  player: Boss player 6000/2/3   battle: Jade c2 from:Imp over Imp
        phase end
    """)
    assert table.result == (None, "both")


@pytest.mark.rule("MB-48")
def test_end_phase_effects_come_after_that_the_first_players_first() -> None:
    for active in (0, 1):
        table = position(f"""
            0  standby: Ox
            1  standby: Elk
            phase end   active {active}
        """, Ox=on("end_began", lp(1), lp(1)), Elk=on("end_began", lp(10)))
        told = [e.entity for e in table.events(CounterSet) if e.name == "lp"]
        assert told == ([0, 0, 1] if active == 0 else [1, 0, 0])


@pytest.mark.rule("MB-48")
def test_of_ones_own_one_chooses_the_order_and_each_is_carried_out_before_the_next() -> None:
    table = position("""
        0  standby: Ox, Ram   deck: Ace, Bee
        1  standby: Elk
        phase end
    """, Ox=on("end_began", lp(1)), Ram=on("end_began", do("draw"), lp(10)))
    assert table.waits == "0 order"
    table.do("choose Ram")
    assert [e.value for e in table.events(CounterSet) if e.name == "lp"] == [6010, 6011]


@pytest.mark.rule("MB-48")
def test_cards_that_were_in_the_area_when_the_phase_began_count_even_if_they_have_left_it() -> None:
    table = position("""
        0  battle: Ox + Axe weapon stone +100   standby: Ram
        phase end
    """, Ox=on("end_began", lp(1)), Axe=on("end_began", lp(10)))
    assert table.waits == "0 order"
    table.do("choose Ox")
    assert table.value(0, "lp") == 6011 and table.zone(0, "stock") == ["Ox"]


@pytest.mark.rule("MB-48")
def test_an_ability_that_needs_its_monster_on_the_stage_does_nothing() -> None:
    table = position("""
        0  battle: Ox   standby: Ram
        phase end
    """, Ox=on("end_began", add("atk", 100), do("move", what="self", zone="hand")))
    assert table.zone(0, "stock") == ["Ox"] and "Ox" not in table.zone(0, "hand") and not table.match.state.modifiers


@pytest.mark.rule("MB-48")
def test_everything_until_the_end_of_the_round_ends_last() -> None:
    table = position("""
        0  standby: Ox, Ram   hand: Rage assist
        1  standby: Elk, Doe
    """, Rage=effect(add("atk", 300, cards("standby"))), Ox=on("end_began", lp(1), when={"count": cards(
        "standby", of="own", at_least={"atk": 800})}))
    table.do("use Rage", "pass", "pass")
    assert table.value(0, "lp") == 6001, "still there in the end phase"
    assert table.value("Ox", "atk") == 500 and table.value("Elk", "atk") == 500 and table.waits == "0 battle_monster"


# --- winning ------------------------------------------------------------------------------------------------


@pytest.mark.rule("MB-49")
def test_lp_at_0_or_below_loses() -> None:
    for points, result in ((400, (0, "lp")), (399, (0, "lp")), (401, None)):
        table = position(f"""
            0  battle: Ox 700/0/3
            1  player: Chief (lp {points})   battle: Elk 5/300/3
            phase attack
        """)
        assert table.result == result


@pytest.mark.rule("MB-49")
def test_both_players_losing_at_once_is_a_draw() -> None:
    table = position("""
        0  player: Chief (lp 300)   hand: Boom assist
        1  player: Boss player 6000/30/3 (lp 300)
    """, Boom=effect(lp(-300, "any")))
    table.do("use Boom")
    assert table.result == (None, "both")


@pytest.mark.rule("MB-49", "MB-51")
def test_lp_of_one_and_cost_over_of_the_other_at_the_same_moment_are_a_draw() -> None:
    match = position("0  stock: Cow c7").match
    match.set_counter(0, "pp", 6)
    match.set_counter(1, "lp", 0)
    match.game.check(match, {0, 1})
    result = match.state.result
    assert result is not None and (result.winner, result.reason) == (None, "both")


@pytest.mark.rule("MB-49")
def test_a_player_may_concede_at_any_question_of_the_own() -> None:
    table = position("0  standby: Ox fire, Ram fire   hand: Axe weapon fire +300")
    table.do("play Axe")
    assert "concede" not in table.legal()
    table.do("concede")
    assert table.result == (1, "conceded")


@pytest.mark.rule("MB-50")
def test_the_draw_that_cannot_be_made_loses_whatever_the_lp() -> None:
    table = position("""
        0  battle: Ox 0/900/3   hand: Dig assist   deck: Ace
        1  player: Boss player 9000/30/3 (lp 1)   standby: Elk
        phase draw
    """, Dig=effect(do("draw")))
    table.do("use Dig", "pass").until("0 main")
    assert table.result == (1, "no_draw")


@pytest.mark.rule("MB-51")
def test_an_effect_can_bring_cost_over_in_the_main_phase() -> None:
    table = position("""
        0  hand: Load assist
        1  player: Boss player 6000/10/3   battle: Elk c4   stock: Cow c6
    """, Load=effect(add("cost", 1, "target"), targets=[target("battle", of="other")]))
    table.do("use Load")
    assert table.result == (0, "cost_over")


@pytest.mark.rule("MB-51")
def test_pp_that_fall_and_cost_that_leaves_the_stock_count_at_once() -> None:
    table = position("""
        0  player: Chief 6000/10/3   battle: Ox c4   stock: Cow c6   hand: Cut assist, Sell assist
    """, Cut=effect(add("pp", -6, "own")),
        Sell=effect(choose("stock", of="own"), do("move", what="chosen", zone="drop")))
    table.do("use Sell")
    assert table.value(0, "stock_cost") == 0
    table.do("use Cut")
    assert table.result is None, "4 of 4"
    table = position("""
        0  player: Chief 6000/10/3   battle: Ox c4   stock: Cow c6   hand: Cut assist
    """, Cut=effect(add("pp", -1, "own")))
    table.do("use Cut")
    assert table.result == (1, "cost_over")


@pytest.mark.rule("MB-52")
def test_the_round_limit_is_a_draw() -> None:
    for played, most in ((3, "max_rounds 3"), (200, "")):
        text = """
            0  standby: Ox, Ram
            1  standby: Elk, Doe
            phase end   turn {}   {}
        """
        assert position(text.format(played, most)).result == (None, "round_limit")
        last = position(text.format(played - 1, most))
        assert last.result is None and last.match.state.turn == played, "the last round is played"
    game = new_game("40 Cub", "40 Cub", options={"max_rounds": 1})
    game.until()
    assert game.result == (None, "round_limit") and game.match.state.turn == 1


@pytest.mark.rule("MB-52")
def test_more_than_200_settlements_in_one_round_are_a_draw() -> None:
    table = position("""
        0  hand: Cub
        1  hand: Cow c9
    """, Cub=on("played", do("move", what="self", zone="hand"), do("play", what="self")))
    table.do("play Cub")
    assert table.result == (None, "loop") and table.match.state.resolved == 200


@pytest.mark.rule("MB-52")
def test_settlements_are_counted_from_the_start_phase_on_and_anew_in_each_round() -> None:
    table = position("""
        0  standby: Ox 500/200/9
        1  standby: Elk 500/200/1, Doe 500/200/1
        phase start   active 1
    """, Ox=on("set", lp(1)))
    table.do("choose Elk")
    assert table.waits == "0 main" and table.match.state.resolved == 1, "whoever turns out to be first"
    table.do("pass", "pass")
    assert table.match.state.turn == 4 and table.match.state.resolved == 0


@pytest.mark.rule("MB-53")
def test_the_words_of_the_game_are_those_of_its_rulebook_line() -> None:
    table = position("0  battle: Ox")
    book = table.match.game.rulebook
    declared = {z.name for z in book.zones} | {c.name for c in book.counters} | {p.name for p in book.phases}
    declared |= {book.turn, *book.rules, *book.reasons, *book.steps, *book.attachments}
    assert {"round", "player", "pp", "lp", "level", "battle", "standby", "stock", "drop", "field"} <= declared
    assert {"blank", "cost_over", "evolve", "weapon", "item"} <= declared
    kinds = {word for card in table.match.game.cards.values() for word in card.kinds}  # type: ignore[attr-defined]
    assert kinds == {"player", "monster"}


def test_a_skill_can_take_lp_and_lose_the_game() -> None:
    table = position("0  player: Boss player 500/20/2   hand: Ox", Boss=skill(lp(-500)))
    table.do("use Boss")
    assert table.result == (1, "lp")
