"""Greedy in Monster Battle: it does not send itself into cost over, and fills standby while its PP reach."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from engine.cards.decks import deck_list, names_of, read_deck
from engine.core.match import Match
from engine.players import PLAYER_KINDS, Observation, greedy
from engine.rulebooks.monbattle import stage
from engine.rulebooks.monbattle.evaluation import stack_cost
from engine.rulebooks.monbattle.rules import MonBattle
from events.actions import Pass, Play
from events.kinds import Seat
from tests.engine.rulebooks.monbattle.position import position

GAME = MonBattle.load()


def room(m: Match, seat: int) -> int:
    """PP that neither the stock nor the stack on the stage takes."""
    fighter = stage.fighter(m, seat)
    sent = m.value(seat, "stock_cost") + (stack_cost(m, fighter) if fighter is not None else 0)
    return m.value(seat, "pp") - sent


@pytest.mark.parametrize("place", ["battle", "standby"])
@pytest.mark.parametrize("under", ["Imp c1", "Imp c2 from:Egg over Egg c1"])
@pytest.mark.parametrize("over", [0, 1])
def test_greedy_evolves_no_monster_whose_whole_stack_is_more_than_the_pp_bear(
    place: str, under: str, over: int
) -> None:
    stock = 10 - 1 - (3 if "over" in under else 1) + over
    table = position(f"""
        0  player: Chief 6000/10/3   {place}: {under}   stock: Cow c{stock}   hand: Ruby 1200/300/5 c1 from:Imp
        1  battle: Elk   standby: Doe
    """)
    decided = greedy.decide(Observation(table.match), Random(1))
    assert (decided == Play(table.ids["Ruby#1"])) == (not over)


@pytest.mark.parametrize(("kept", "text"), [
    (False, "0  player: Chief 6000/10/3   stock: Cow c7   hand: Ox c2"),
    (True, "0  player: Chief 6000/10/3   stock: Cow c9   hand: Ox c2"),
])
def test_greedy_puts_a_monster_on_an_empty_standby_unless_it_could_not_be_set(kept: bool, text: str) -> None:
    table = position(text + "\n1  standby: Elk 500/200/3")
    decided = greedy.decide(Observation(table.match), Random(1))
    assert isinstance(decided, Play) == (not kept)


@cache
def counted() -> Counter[str]:
    """Rounds of games between all shipped decks, and main phases that greedy ends with nobody on standby."""
    names = names_of(d.printed for d in GAME.cards.values())
    decks = [deck_list(read_deck(path, names)) for path in sorted((GAME.folder / "decks").glob("*.toml"))]
    found: Counter[str] = Counter()
    for number, mine in enumerate(decks):
        for theirs in (decks[number - by] for by in (1, 2, 3, 4)):
            seats = Seat("A", "greedy", mine), Seat("B", "greedy", theirs)
            play_counted(GAME.begin(GAME.header(seats, {}, number, origin="simulated")), number, found)
    return found


def play_counted(match: Match, seed: int, found: Counter[str]) -> None:
    players = [PLAYER_KINDS["greedy"](2 * seed), PLAYER_KINDS["greedy"](2 * seed + 1)]
    while (asked := match.state.asked) is not None:
        action = players[asked.seat](Observation(match))
        if asked.question == "main" and isinstance(action, Pass):
            found["phases"] += 1
            found["left empty though one could be sent"] += leaves_empty(match, asked.seat)
        match.act(action)
    found["rounds"] += match.state.turn
    found["cost over"] += match.state.result is not None and match.state.result.reason == "cost_over"
    found["games"] += 1


def leaves_empty(m: Match, seat: int) -> bool:
    """Whether standby is empty and a monster of the hand could be put there and sent."""
    if m.state.count(seat, "standby"):
        return False
    playable = [a.card for a in m.legal() if isinstance(a, Play)]
    costs = [m.printed[c].stats["cost"] for c in playable if m.printed[c].kind == "monster"]
    return bool(costs) and min(costs) <= room(m, seat)


def test_greedy_seldom_leaves_standby_empty_while_a_monster_could_be_sent() -> None:
    found = counted()
    assert found["games"] == 36 and found["phases"] > 250
    assert found["left empty though one could be sent"] < 0.12 * found["phases"], found


def test_greedy_games_are_seldom_lost_by_cost_over() -> None:
    assert counted()["cost over"] < 0.25 * counted()["games"]
