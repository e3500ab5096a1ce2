"""Moments that triggered abilities hear: each of them, on every way by which it can come (LO-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from engine.core import triggers
from engine.core.match import Match
from engine.fold import empty_state, fold
from engine.rulebooks.liveon.card import MOMENTS
from engine.rulebooks.liveon.rules import LiveOn
from engine.state import State
from events.actions import Attack
from events.kinds import Acted, CardMoved, Event, StackPushed, TurnBegan
from tests.engine.rulebooks.liveon.abilities import KILL, ZAP, cards, do, on, passive, reaction, skill, target, used
from tests.engine.rulebooks.liveon.position import position
from tests.play import begin as new_match
from tests.play import play


class Way(NamedTuple):
    """One way by which something happens to Ox. Ear is a card on its side, Far one on the other side."""

    text: str
    steps: str
    abilities: dict[str, Any] = {}


def moves(line: str, of: str = "own") -> dict[str, Any]:
    return {"Push": skill(do("move", what="target", zone=line), targets=[target("a", "b", of=of)])}


PORTAL = used(do("choose", **{"from": cards("hand", of="own")}), do("play", what="chosen"))
WAYS: dict[str, dict[str, Way]] = {
    "lived": {
        "from the hand": Way("0 B: Ear   hand: Ox, Cat\n1 B: Far\nphase live", "live Ox"),
        "onto its fighter": Way(
            "0 B: Ear, Hero fighter   hand: Ox change:Hero, Cat\n1 B: Far\nphase live", "live Ox on Hero"
        ),
        "with Rush": Way("0 B: Ear   hand: Ox rush, Cat\n1 B: Far\nphase live", "live Ox, yes"),
        "by an effect": Way("0 A: Portal, Idle   B: Ear   hand: Ox\n1 B: Far", "use Portal", {"Portal": PORTAL}),
        "by its reaction": Way(
            "0 B: Ear   deck: Ox, 3 Plain\n1 A: Bull, Idle   B: Far\nactive 1", "attack Bull deck",
            {"Ox": reaction(do("play", what="self"))},
        ),
    },
    "moved": {
        "in the move phase, to A": Way("0 B: Ear, Ox\n1 B: Far\nphase move", "move Ox"),
        "in the move phase, to B": Way("0 A: Ox   B: Ear\n1 B: Far\nphase move", "move Ox"),
        "by Rush": Way("0 B: Ear   hand: Ox rush, Cat\n1 B: Far\nphase live", "live Ox, yes"),
        "by Rush after its reaction": Way(
            "0 B: Ear   deck: Ox rush, 3 Plain\n1 A: Bull, Idle   B: Far\nactive 1", "attack Bull deck, yes",
            {"Ox": reaction(do("play", what="self"))},
        ),
        "by an own effect, to A": Way(
            "0 A: Idle   B: Ear, Ox   hand: Push\n1 B: Far", "use Push, choose Ox", moves("a")
        ),
        "by an own effect, to B": Way(
            "0 A: Idle, Ox   B: Ear   hand: Push\n1 B: Far", "use Push, choose Ox", moves("b")
        ),
        "by the opponent's effect": Way(
            "0 A: Ox   B: Ear\n1 A: Idle   B: Far   hand: Push\nactive 1", "use Push, choose Ox", moves("b", "other")
        ),
    },
    "attacks": {
        "a deck": Way("0 A: Ox, Idle   B: Ear\n1 B: Far", "attack Ox deck"),
        "a card": Way("0 A: Ox, Idle   B: Ear\n1 A: Wall 5000   B: Far", "attack Ox Wall"),
    },
    "defends": {
        "attacked itself": Way("0 A: Ox 5000   B: Ear\n1 A: Bull, Idle   B: Far\nactive 1", "attack Bull Ox"),
        "attacked, down": Way("0 A: Ox 5000 (down)   B: Ear\n1 A: Bull, Idle   B: Far\nactive 1", "attack Bull Ox"),
        "the deck": Way("0 A: Ox 5000   B: Ear\n1 A: Bull, Idle   B: Far\nactive 1", "attack Bull deck, choose Ox"),
        "in place of another": Way(
            "0 A: Cow, Ox 5000 defender   B: Ear\n1 A: Bull, Idle   B: Far\nactive 1", "attack Bull Cow, choose Ox"
        ),
    },
    "bursts": {
        "a deck that nobody defends": Way("0 A: Ox, Idle   B: Ear\n1 B: Far", "attack Ox deck"),
        "a deck whose defender is lost": Way(
            "0 A: Ox, Idle   B: Ear   hand: Kill\n1 A: Wall   B: Far",
            "attack Ox deck, choose Wall, use Kill, choose Wall", {"Kill": KILL},
        ),
        "a card with a reaction": Way(
            "0 A: Ox, Idle   B: Ear\n1 B: Far   deck: Mine, 3 Plain", "attack Ox deck",
            {"Mine": reaction(do("draw", n=0))},
        ),
    },
    "destroyed": {
        "as attacker": Way("0 A: Ox, Idle   B: Ear\n1 A: Wall 5000   B: Far", "attack Ox Wall"),
        "as defender": Way("0 A: Ox   B: Ear\n1 A: Bull 5000, Idle   B: Far\nactive 1", "attack Bull Ox"),
        "by First Strike": Way(
            "0 A: Ox   B: Ear\n1 A: Bull first_strike_attack, Idle   B: Far\nactive 1", "attack Bull Ox"
        ),
        "by damage of an effect": Way(
            "0 A: Ox, Idle   B: Ear   hand: Bolt\n1 B: Far", "use Bolt, choose Ox",
            {"Bolt": ZAP},
        ),
        "by an effect": Way(
            "0 A: Ox 5000, Idle   B: Ear   hand: Kill\n1 B: Far", "use Kill, choose Ox",
            {"Kill": KILL},
        ),
        "by a POW of 0": Way(
            "0 A: Ox, Idle   B: Ear   hand: Curse\n1 B: Far", "use Curse, choose Ox",
            {"Curse": skill(do("add", what="target", name="pow", n=-1000), targets=[target("a")])},
        ),
        "by a bonus that goes": Way(
            "0 A: Ox (damage 1500), Idle   B: Ear, Drum   hand: Back\n1 B: Far", "use Back",
            {"Back": skill(do("move", what=cards("b", of="own", name="Drum"), zone="hand")),
             "Drum": passive("pow", what=cards("a", of="own", name="Ox"), add=1000)},
        ),
        "on a fighter": Way(
            "0 A: Ox change:Hero over Hero fighter, Idle   B: Ear   hand: Kill\n1 B: Far", "use Kill, choose Ox",
            {"Kill": KILL},
        ),
    },
    "skill_played": {
        "in the own turn": Way("0 A: Idle   B: Ear   hand: Ox\n1 B: Far", "use Ox", {"Ox": skill(do("draw", n=0))}),
        "in the opponent's turn": Way(
            "0 B: Ear   hand: Ox\n1 A: Bull, Idle   B: Far\nactive 1", "attack Bull deck, use Ox",
            {"Ox": skill(do("draw", n=0))},
        ),
        "in answer to another": Way(
            "0 B: Ear   hand: Ox\n1 A: Idle   B: Bell, Far\nactive 1", "use Bell, use Ox",
            {"Ox": skill(do("draw", n=0)), "Bell": used(do("draw", n=0))},
        ),
    },
    "turn_began": {
        "after the opponent's": Way("0 B: Ear, Ox\n1 B: Far\nphase end, active 1", ""),
    },
}
HEARERS = {"self": ["Ox"], "own": ["Ear"], "other": ["Far"], "any": ["Ear", "Far"]}
"""Whose moments an ability is about -> which of the cards that have it hear it."""
OF_PLAYERS = {"turn_began": ["Ear"], "skill_played": []}
"""Moments of no card on the field: which of Ear and Far hears them as its own."""


def test_each_moment_has_its_ways() -> None:
    assert list(WAYS) == list(MOMENTS)


@pytest.mark.rule("LO-10", "LO-21", "LO-51")
@pytest.mark.parametrize("whose", HEARERS)
@pytest.mark.parametrize(("moment", "way"), [(moment, way) for moment, ways in WAYS.items() for way in ways])
def test_a_moment_is_heard_on_every_way_by_which_it_comes(moment: str, way: str, whose: str) -> None:
    found = WAYS[moment][way]
    of_a_card = whose == "self" and moment not in OF_PLAYERS
    abilities = {name: [made] for name, made in found.abilities.items()}
    for name in ("Ox",) if of_a_card else ("Ear", "Far"):
        abilities[name] = [*abilities.get(name, []), on(moment, do("draw", n=0), whose=whose)]
    table = position(found.text, **abilities)
    table.do(*filter(None, found.steps.split(", "))).settle()
    heard = [told.removeprefix("trigger ") for told in table.story(StackPushed) if told.startswith("trigger")]
    assert sorted(heard) == (OF_PLAYERS.get(moment, ["Ox"]) if whose == "self" else HEARERS[whose])


@pytest.mark.rule("LO-51", "LO-21")
def test_what_only_comes_to_a_line_or_stays_on_it_has_not_moved() -> None:
    call = used(do("move", what=cards("hand", of="own"), zone="a"))
    stay = used(do("move", what=cards("a", of="own", name="Ox"), zone="a"))
    ear = on("moved", do("draw", n=0), whose="any")
    table = position("0 A: Idle, Ox   B: Ear, Call, Stay, Elf   hand: Cat", Call=call, Stay=stay, Ear=ear)
    table.do("use Call", "use Stay")
    assert table.zone(0, "A") == ["Idle", "Ox", "Cat"]
    assert [told for told in table.story(StackPushed) if "Ear" in told] == []


def test_every_record_that_is_a_moment_is_heard_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Counter[tuple[str, int]]()

    def trigger(game: LiveOn, m: Match, moment: str, card: int | None, seat: int) -> None:
        heard[moment, seat if card is None else card] += 1
        triggers.trigger(m, moment, card, seat)

    monkeypatch.setattr(LiveOn, "trigger", trigger)
    for seed in range(15):
        heard.clear()
        match = new_match(seed)
        play(match, seed)
        told, state = Counter[tuple[str, int]](), empty_state(match.game.declared)
        for event in match.log:
            told.update(moments(event, state))
            fold(state, event, match.game.declared)
        assert {key: n for key, n in heard.items() if key[0] not in BY_NO_RECORD} == told, f"game {seed}"


BY_NO_RECORD = ("defends", "bursts")
"""Moments that no record is by itself."""


def moments(event: Event, state: State) -> Iterator[tuple[str, int]]:
    """The moments that a record is, each with its card or player; `state`: the table before it."""
    if isinstance(event, CardMoved):
        before = state.cards[event.card].zone
        if event.move_kind == "lived":
            yield "lived", event.card
        elif before in ("a", "b") and event.zone in ("a", "b"):
            yield "moved", event.card
        elif event.move_kind == "destroyed" and before != "under":
            yield "destroyed", event.card
        elif event.move_kind == "announced":
            yield "skill_played", event.card
    elif isinstance(event, TurnBegan):
        yield "turn_began", event.seat
    elif isinstance(event, Acted) and isinstance(event.action, Attack):
        yield "attacks", event.action.card
