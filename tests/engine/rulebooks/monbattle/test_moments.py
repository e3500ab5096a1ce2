"""Moments that triggered abilities hear: each of them, on every way by which it can come (MB-36)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from engine.core import triggers
from engine.core.match import Match
from engine.fold import empty_state, fold
from engine.rulebooks.monbattle.card import MOMENTS
from engine.rulebooks.monbattle.checks import BOTH, MOMENTS_OF_PLAYERS
from engine.rulebooks.monbattle.rules import MonBattle
from engine.state import State
from events.kinds import AttackSet, CardAttached, CardFlipped, CardMoved, DamageDealt, Event, PhaseBegan, StackPushed
from tests.engine.rulebooks.monbattle.abilities import cards, choose, do, effect, on, target
from tests.engine.rulebooks.monbattle.position import BELL, position
from tests.play import begin as new_match
from tests.play import play


class Way(NamedTuple):
    """One way by which something happens to Ox, of seat 0. Ear is that seat's player card, Far the other one's."""

    own: str
    steps: str = ""
    other: str = ""
    more: str = ""
    abilities: dict[str, Any] = {}


PUT = effect(do("move", what="target", zone="standby"), targets=[target("drop", "stock", of="own")])
CALL = effect(choose("hand", of="own"), do("play", what="chosen"))
KILL = effect(do("destroy", what="target"), targets=[target("standby")])
WAYS: dict[str, dict[str, Way]] = {
    "played": {
        "a monster from the hand": Way("hand: Ox", "play Ox"),
        "a weapon": Way("standby: Ram fire   hand: Ox weapon fire +100", "play Ox"),
        "an item on a monster": Way("standby: Ram   hand: Ox item:monster", "play Ox"),
        "an item beside the player": Way("hand: Ox item:player", "play Ox"),
        "a field": Way("hand: Ox field", "play Ox"),
        "a field in place of another": Way("hand: Ox field", "play Ox", other="field: Bog field"),
        "by an effect from the hand": Way(
            "hand: Ox, Cat c9, Call assist", "use Call, choose Ox", abilities={"Call": CALL}
        ),
        "by an effect, a field": Way(
            "hand: Ox field, Cat c9, Call assist", "use Call, choose Ox", abilities={"Call": CALL}
        ),
        "by an effect from the drop": Way(
            "drop: Ox, Cat   hand: Put assist", "use Put, choose Ox", abilities={"Put": PUT}
        ),
        "by an effect from the stock": Way(
            "stock: Ox, Cat   hand: Put assist", "use Put, choose Ox", abilities={"Put": PUT}
        ),
        "by the opponent's effect": Way(
            "drop: Ox", "use Put, choose Ox", other="hand: Put assist   drop: Cat", more="active 1",
            abilities={"Put": effect(do("move", what="target", zone="standby"), targets=[target("drop")])},
        ),
    },
    "evolved": {
        "on standby": Way("standby: Imp   hand: Ox from:Imp", "play Ox"),
        "on the battle stage": Way("battle: Imp   hand: Ox from:Imp", "play Ox"),
        "where there are several": Way("standby: 2 Imp   hand: Ox from:Imp", "play Ox, choose Imp"),
        "by an effect": Way(
            "standby: Imp   hand: Ox from:Imp, Cat c9, Call assist", "use Call, choose Ox", abilities={"Call": CALL}
        ),
    },
    "set": {
        "the only one": Way("standby: Ox", more="phase start"),
        "chosen": Way("standby: Ox, Ram", "choose Ox", more="phase start"),
        "after the other player's": Way("standby: Ox", more="phase start, active 1"),
    },
    "attacks": {
        "a monster": Way("battle: Ox", "pass", "battle: Wall 0/900/3"),
        "a blank player": Way("battle: Ox", "pass"),
        "as the second": Way("battle: Ox", "pass", more="active 1, seat 0"),
    },
    "hits": {
        "through a monster": Way("battle: Ox 500/200/3", "pass", "battle: Wall 0/100/3"),
        "a blank player": Way("battle: Ox", "pass"),
        "as the second": Way("battle: Ox", "pass", more="active 1, seat 0"),
    },
    "destroyed": {
        "by an own effect": Way(
            "standby: Ox, Ram   hand: Kill assist", "use Kill, choose Ox", abilities={"Kill": KILL}
        ),
        "by the opponent's": Way(
            "standby: Ox, Ram", "use Kill, choose Ox", "hand: Kill assist", "active 1", {"Kill": KILL}
        ),
        "on the battle stage": Way(
            "battle: Ox   hand: Kill assist", "use Kill",
            abilities={"Kill": effect(do("destroy", what=cards("battle", of="own")))},
        ),
        "an evolved one": Way(
            "standby: Ox from:Imp over Imp, Ram   hand: Kill assist", "use Kill, choose Ox", abilities={"Kill": KILL}
        ),
        "a field": Way(
            "field: Ox field   hand: Kill assist", "use Kill",
            abilities={"Kill": effect(do("destroy", what=cards("field")))},
        ),
        "a weapon": Way(
            "standby: Ram fire + Ox weapon fire +100   hand: Kill assist", "use Kill",
            abilities={"Kill": effect(do("destroy", what=cards("gear")))},
        ),
    },
    "assist_used": {
        "an assist": Way("hand: Ox assist", "use Ox", abilities={"Ox": effect(do("draw", n=0))}),
        "an item on a monster": Way("standby: Ram   hand: Ox item:monster", "play Ox"),
        "an item beside the player": Way("hand: Ox item:player", "play Ox"),
    },
    "main_began": {
        "the first player's": Way("battle: Ox", more="phase draw"),
        "the second player's": Way("battle: Ox", more="phase draw, active 1, seat 0"),
        "a blank player's": Way("standby: Ox", more="phase draw"),
    },
    "end_began": {
        "with both on the stage": Way("battle: Ox", other="battle: Wall", more="phase end"),
        "with one blank": Way("standby: Ox", other="battle: Wall", more="phase end"),
    },
}
HEARERS = {"self": ["Ox"], "own": ["Ear"], "other": ["Far"], "any": ["Ear", "Far"]}
"""Whose moments an ability is about -> which of the cards that have it hear it."""

AREA = ("player", "battle", "standby", "gear", "field", "under")


def hearers(moment: str, whose: str) -> list[str]:
    """Which of Ox, Ear and Far hear it."""
    if moment in BOTH:
        return ["Ear", "Far"]  # each its own player's
    return ["Ear"] if whose == "self" and moment in MOMENTS_OF_PLAYERS else HEARERS[whose]


def test_each_moment_has_its_ways() -> None:
    assert list(WAYS) == list(MOMENTS)


CASES = [
    (moment, way, whose)
    for moment, ways in WAYS.items()
    for way in ways
    for whose in (("self",) if moment in BOTH else HEARERS)
    if (way, whose) != ("an assist", "self")  # an assist is not in the area while it is used (MB-36)
]


@pytest.mark.rule("MB-36")
@pytest.mark.parametrize(("moment", "way", "whose"), CASES)
def test_a_moment_is_heard_on_every_way_by_which_it_comes(moment: str, way: str, whose: str) -> None:
    found, wanted = WAYS[moment][way], hearers(moment, whose)
    abilities: dict[str, list[dict[str, Any]]] = {"Ear": [BELL], "Far": [BELL]}
    for name, made in found.abilities.items():
        abilities[name] = [made]
    for name in ("Ox",) if wanted == ["Ox"] else ("Ear", "Far"):
        abilities[name] = [*abilities.get(name, []), on(moment, do("draw", n=0), whose=whose)]
    table = position(
        f"0 player: Ear player 6000/30/3   {found.own}\n1 player: Far player 6000/30/3   {found.other}\n{found.more}",
        **abilities,
    )
    table.do(*filter(None, found.steps.split(", ")))
    heard = [told.removeprefix("trigger ") for told in table.story(StackPushed) if told.startswith("trigger")]
    assert sorted(heard) == wanted


def test_every_record_that_is_a_moment_is_heard_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Counter[tuple[str, int]]()

    def trigger(game: MonBattle, m: Match, moment: str, card: int | None, seat: int) -> None:
        heard[moment, seat if card is None else card] += 1
        triggers.trigger(m, moment, card, seat)

    monkeypatch.setattr(MonBattle, "trigger", trigger)
    for seed in range(15):
        heard.clear()
        match = new_match(seed, "monbattle")
        play(match, seed)
        told, state = Counter[tuple[str, int]](), empty_state(match.game.declared)
        for event in match.log:
            told.update(moments(event, state))
            fold(state, event, match.game.declared)
        result = match.state.result
        if result is not None and result.winner is not None and result.reason == "no_draw":
            told["main_began", 1 - result.winner] -= 1  # the phase ends before anything hears of it
        assert heard == told, f"game {seed}"


def moments(event: Event, state: State) -> Iterator[tuple[str, int]]:
    """The moments that a record is, each with its card or player; `state`: the table before it."""
    if isinstance(event, CardMoved):
        if event.move_kind in ("evolved", "set", "destroyed") and state.cards[event.card].zone != "under":
            yield event.move_kind, event.card
        elif event.move_kind in ("played", "equipped", "put") and state.cards[event.card].zone not in AREA:
            yield "played", event.card
        elif event.move_kind == "announced":
            yield "assist_used", event.card
    elif isinstance(event, CardFlipped) and state.cards[event.card].zone == "battle":
        yield "set", event.card
    elif isinstance(event, CardAttached) and event.attachment == "item" and not state.cards[event.card].attached_to:
        yield "assist_used", event.card
    elif isinstance(event, AttackSet) and event.attacker is not None and state.attack[0] is None:
        yield "attacks", event.attacker
    elif isinstance(event, DamageDealt):
        yield "hits", event.source
    elif isinstance(event, PhaseBegan) and event.phase == "main" and event.seat is not None:
        yield "main_began", event.seat
    elif isinstance(event, PhaseBegan) and event.phase == "end":
        yield from (("end_began", 0), ("end_began", 1))
