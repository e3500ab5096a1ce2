"""Monster Battle: from the decks to the first round."""

from __future__ import annotations

import pytest

from engine.view import view
from events.kinds import (
    Asked,
    CardFlipped,
    CardIdentified,
    CardMoved,
    CardsRevealed,
    CounterSet,
    PhaseBegan,
    Rolled,
    Shuffled,
)
from tests.engine.rulebooks.monbattle.abilities import do, lp, on, passive
from tests.engine.rulebooks.monbattle.position import Table, new_game

MANY = "40 Cub"


@pytest.mark.rule("MB-07")
def test_both_players_shuffle_and_draw_five_while_player_cards_lie_face_down() -> None:
    table = new_game(MANY, MANY)
    assert [(e.seat, e.zone) for e in table.events(Shuffled)] == [(0, "deck"), (1, "deck")]
    for seat in (0, 1):
        hand = sum(m.seat == seat and m.zone == "hand" for m in table.events(CardMoved))
        assert (hand, table.match.state.count(seat, "deck")) == (5, 35)
        player, = table.match.state.zones[seat]["player"]
        assert not table.match.card(player).face_up
        assert "lp" not in table.match.state.counters[seat]


@pytest.mark.rule("MB-08")
def test_a_cost_1_monster_of_the_hand_is_the_first_battle_monster_face_down() -> None:
    table = new_game("20 Cub, 20 Kit", MANY, seed=2)
    assert table.waits == "0 first_monster"
    assert [step.split("#")[0] for step in sorted(table.legal())] == ["choose Cub", "choose Kit"], "equal ones once"
    assert table.refused("choose Chief") == "MB-08"
    table.do("choose Kit")
    battle, = table.match.state.zones[0]["battle"]
    assert (table.name(battle).split("#")[0], table.match.card(battle).face_up) == ("Kit", False)


@pytest.mark.rule("MB-08", "MB-24")
def test_an_evolution_monster_of_cost_1_is_no_first_battle_monster() -> None:
    table = new_game("3 Cub, 37 Sly from:Cub", MANY, seed=4)
    table.until("0 main", "1 main")
    battle, = table.match.state.zones[0]["battle"]
    assert table.match.definition(battle).name == "Cub"


@pytest.mark.rule("MB-09")
def test_a_hand_without_a_cost_1_monster_is_shown_and_drawn_anew_as_often_as_needed() -> None:
    table = new_game("1 Cub, 39 Two c2", MANY, seed=3)
    shown = table.events(CardsRevealed)
    assert len(shown) > 1 and {(e.seat, len(e.cards)) for e in shown} == {(1, 5)}
    for event in shown:
        assert {table.match.printed[card].name for card in event.cards} == {"Two"}
    assert len(table.moves("redrawn")) == 5 * len(shown)
    assert sum(e.seat == 0 for e in table.events(Shuffled)) == 1 + len(shown)
    assert table.value(0, "redraws") == len(shown) and table.value(1, "redraws") == 0
    assert "Cub" in table.zone(0, "battle") + table.zone(0, "hand")


def extra() -> Table:
    """Seat 0 has drawn anew; seat 1 is asked how many cards it draws."""
    table = new_game("3 Cub, 37 Two c2", MANY, seed=9)
    assert table.waits == "1 extra_draws"
    return table


@pytest.mark.rule("MB-10")
def test_the_opponent_may_draw_as_many_cards_as_hands_were_drawn_anew_asked_once_as_a_number() -> None:
    table = extra()
    redraws = table.value(0, "redraws")
    assert table.asked is not None
    assert (table.asked.option_type, table.asked.options) == ("number", tuple(range(redraws + 1)))
    assert table.refused(f"choose {redraws + 1}") == "MB-10"
    table.do(f"choose {redraws}")
    assert table.match.state.count(1, "deck") == 35 - redraws
    assert sum(e.question == "extra_draws" for e in table.events(Asked)) == 1


@pytest.mark.rule("MB-10")
def test_the_extra_cards_need_not_be_drawn_and_come_before_the_first_monsters() -> None:
    table = extra()
    assert not table.zone(0, "battle")
    table.do("choose 0")
    assert table.match.state.count(1, "deck") == 35
    assert table.zone(0, "battle")


@pytest.mark.rule("MB-10")
def test_both_players_may_draw_if_both_have_redrawn() -> None:
    table = new_game("3 Cub, 37 Two c2", "3 Cub, 37 Two", seed=6)
    assert table.value(0, "redraws") and table.value(1, "redraws")
    assert table.waits == "0 extra_draws"
    table.do("choose 0")
    assert table.waits == "1 extra_draws"


@pytest.mark.rule("MB-11")
def test_further_cost_1_monsters_may_go_face_down_on_standby() -> None:
    table = new_game(MANY, MANY)
    assert table.waits == "0 extra_monster"
    table.do("choose Cub", "choose Cub", "pass")
    standby = table.match.state.zones[0]["standby"]
    assert [table.match.card(card).face_up for card in standby] == [False, False]
    assert table.waits == "1 extra_monster"


@pytest.mark.rule("MB-11")
def test_others_than_cost_1_monsters_do_not_go_there() -> None:
    table = new_game("20 Cub, 20 Two c2", MANY, seed=5)
    assert table.waits == "0 extra_monster" and "choose Two" not in table.legal()
    assert "Two" in [name.split("#")[0] for name in table.zone(0, "hand")]


@pytest.mark.rule("MB-11")
def test_at_most_five_lie_on_standby_at_set_up() -> None:
    table = new_game("3 Cub, 37 Two c2", MANY, seed=9)
    table.do(f"choose {table.value(0, 'redraws')}")
    while table.waits != "1 extra_monster":
        table.do("pass")
    assert len(table.zone(1, "hand")) > 5
    table.do(*["choose Cub"] * 5)
    assert len(table.zone(1, "standby")) == 5 and table.waits != "1 extra_monster"


@pytest.mark.rule("MB-12")
def test_all_cards_are_turned_up_and_the_battle_starts() -> None:
    table = new_game(MANY, MANY)
    table.do("choose Cub", "pass", "pass")
    assert len(table.events(CardFlipped)) == 2 + 2 + 1, "player cards, battle monsters, one on standby"
    assert [table.value(seat, name) for seat in (0, 1) for name in ("lp", "pp", "level")] == [6000, 30, 3] * 2
    assert table.story(PhaseBegan)[1].startswith("main"), "round 1 has its monsters"
    assert table.match.state.turn == 1 and len(table.events(Rolled)) == 1, "equal SPD"


@pytest.mark.rule("MB-12")
def test_no_ability_works_while_its_card_lies_face_down() -> None:
    table = new_game(MANY, MANY, Cub=[passive("atk", add=100), on("set", lp(10))])
    assert not [e for e in table.events(CounterSet) if e.name == "atk"]
    table.do("pass", "pass")
    battle = table.match.state.zones[0]["battle"][0]
    assert table.match.value(battle, "atk") == 600
    assert table.value(0, "lp") == 6010, "what is set off when it is turned up"


@pytest.mark.rule("MB-12")
def test_the_opponent_learns_a_face_down_monster_when_it_is_turned_up() -> None:
    table = new_game("20 Cub, 20 Kit", MANY, seed=2)
    table.do("choose Kit", "pass")
    declared = table.match.game.declared
    assert not [e for e in view(table.match.log, 1, declared) if isinstance(e, CardIdentified) and e.seat == 0]
    table.do("pass")
    known = [e for e in view(table.match.log, 1, declared) if isinstance(e, CardIdentified) and e.seat == 0]
    assert [(e.zone, e.code) for e in known[:2]] == [("player", known[0].code), ("battle", "T-002")]


@pytest.mark.rule("MB-09")
def test_a_shown_hand_is_known_to_the_opponent_alone_and_forgotten_in_the_deck() -> None:
    table = new_game("1 Cub, 39 Two c2", MANY, seed=3)
    declared = table.match.game.declared
    seen = view(table.match.log, 1, declared)
    assert sum(isinstance(e, CardsRevealed) for e in seen) == table.value(0, "redraws")
    own = view(table.match.log, 0, declared)
    assert not [e for e in own if isinstance(e, CardsRevealed)]


@pytest.mark.rule("MB-06")
def test_a_game_does_not_begin_with_a_deck_that_has_no_cost_1_monster() -> None:
    with pytest.raises(ValueError, match="MB-06"):
        new_game("40 Two c2", MANY)


def test_a_card_drawn_in_the_first_round_is_drawn_by_the_first_player_too() -> None:
    table = new_game(MANY, MANY, Cub=on("main_began", do("draw", n=0)))
    table.do("pass", "pass")
    assert len(table.moves("drawn")) == 1
