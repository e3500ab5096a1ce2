"""How Monster Battle is told: who is first and why, evolutions, effects of which nothing comes."""

from __future__ import annotations

from typing import Any

import pytest

from engine.words import LANGUAGES
from events import kinds as k
from replays.view.narrate import Line, narrate
from tests.engine.rulebooks.monbattle.abilities import add, be, cards, choose, do, effect, on, passive
from tests.engine.rulebooks.monbattle.position import position
from tests.table import Table

NAMES = ["Player 0", "Player 1"]


def told(table: Table, language: str = "en") -> list[Line]:
    match = table.match
    return narrate(match.log, match.game.rulebook, match.game.card_sets, language)


def shown(table: Table, *kinds: type, language: str = "en") -> list[str]:
    """The lines of records of these kinds since the position was laid out."""
    lines = told(table, language)
    return [n.text for n in lines[table.start:] if isinstance(table.match.log[n.record], kinds) and not n.quiet]


CLAIM = on("set", be("claims_first", 1, "own", duration="order"))

WAYS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "first_by_spd": ("Ox 500/200/85", "Elk 500/200/40", {}),
    "first_by_equal_spd": ("Ox 500/200/50", "Elk 500/200/50", {}),
    "first_by_blank": ("Ox", "", {}),
    "first_by_effect": ("Ox 500/200/1", "Elk 500/200/9", {"Ox": CLAIM}),
    "first_by_turns": ("", "", {}),
}
"""Rule -> the two standbys with which it decides for the side that has the first of them, and abilities."""
SAID = {
    "first_by_spd": "{0} is first with SPD 85 against 40",
    "first_by_equal_spd": "{0} is first by rock-paper-scissors (SPD 50 on both sides)",
    "first_by_blank": "{0} is first because {1} is blank",
    "first_by_effect": "{0} is first by an effect",
    "first_by_turns": "{0} is first because both are blank and {1} was first last round",
}


@pytest.mark.rule("MB-18", "MB-19", "MB-20")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("rule", WAYS)
def test_a_round_is_headed_by_who_is_first_and_why(rule: str, seat: int, active: int) -> None:
    first, second, abilities = WAYS[rule]
    sides = (first, second) if seat == 0 else (second, first)
    table = position(f"0  standby: {sides[0]}\n1  standby: {sides[1]}\nphase start   active {active}", **abilities)
    (applied,) = [e for e in table.events(k.RuleApplied) if e.rule.startswith("first_by")]
    now = table.match.state.active
    assert applied.rule == rule and table.match.card(applied.card).seat == now
    wanted = SAID[rule].format(NAMES[now], NAMES[1 - now])
    assert shown(table, k.RuleApplied) == [], "the heading says it, and nothing says it again"
    assert shown(table, k.TurnBegan) == [f"Round 3: {wanted}"], "and says so once, whoever was first before"
    if rule in ("first_by_spd", "first_by_blank", "first_by_effect"):
        assert now == seat
    for language in LANGUAGES:
        heading = shown(table, k.TurnBegan, language=language)
        (why,) = (line.text for line in told(table, language) if table.match.log[line.record] is applied)
        assert len(heading) == 1 and heading[0].endswith(why) and NAMES[now] in why


def test_a_round_whose_first_player_is_not_known_yet_names_nobody() -> None:
    table = position("0  standby: Ox, Ram\n1  standby: Elk\nphase start")
    assert shown(table, k.TurnBegan) == ["Round 3"]


@pytest.mark.rule("MB-25")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("places", ["standby: Imp", "standby: 2 Imp", "battle: Imp   standby: Imp"])
def test_an_evolution_is_told_as_one_however_many_monsters_it_could_go_onto(places: str, language: str) -> None:
    table = position(f"0  {places}   hand: Ruby from:Imp")
    table.do("play Ruby")
    if table.waits == "0 evolve":
        asked = shown(table, k.Acted, language=language)
        assert len(asked) == 1 and (language != "en" or asked == ["Player 0 evolves a monster into Ruby"])
        table.do("choose Imp")
    one = position("0  standby: Imp   hand: Ruby from:Imp")
    one.do("play Ruby")
    said = shown(table, k.Acted, k.CardAttached, language=language)
    assert said == shown(one, k.Acted, k.CardAttached, language=language)
    assert len(said) == 1 and "Ruby" in said[0] and "Imp" in said[0]
    assert language != "en" or said == ["Player 0 evolves Imp into Ruby"]


@pytest.mark.rule("MB-25", "MB-26", "MB-32")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("bearers", [1, 2])
@pytest.mark.parametrize(("card", "said"), [
    ("Pan weapon stone +1", "Player 0 equips Imp with Pan"), ("Pan item:monster", "Player 0 puts Pan beside Imp"),
])
def test_what_is_put_on_a_monster_is_told_with_it_and_once_however_many_could_bear_it(
    card: str, said: str, bearers: int, language: str
) -> None:
    table = position(f"0  standby: {bearers} Imp stone   hand: {card}, Ruby from:Imp")
    table.do("play Pan")
    if bearers > 1:
        table.do("choose Imp")
    lines = shown(table, k.Acted, k.CardMoved, k.CardAttached, language=language)
    assert len(lines) == 1 and "Pan" in lines[0] and "Imp" in lines[0]
    assert language != "en" or lines == [said]
    if bearers == 1:
        table.do("play Ruby")
        after = shown(table, k.Acted, k.CardMoved, k.CardAttached, language=language)
        assert len(after) == 2, "what the monster bears goes along without a word"


DOE = cards("standby", of="other")
INSTRUCTIONS: dict[str, list[dict[str, Any]]] = {
    "add": [add("atk", 100, DOE)], "set": [be("atk", 100, DOE)], "move": [do("move", what=DOE, zone="hand")],
    "destroy": [do("destroy", what=DOE)], "reveal": [do("reveal", what=cards("hand", of="other"))],
    "each": [do("each", what=DOE, then=[add("atk", 1, "each")])],
    "if": [do("if", when={"count": DOE}, then=[do("draw")])],
    "choose": [choose("standby", of="other"), add("atk", 100, "chosen")],
    "play": [do("play", what=cards("hand", of="other", kind="monster"))],
    "mill": [do("mill", n={"count": DOE})],
}


@pytest.mark.parametrize("by", ["assist", "trigger"])
@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_an_effect_of_which_nothing_comes_is_not_said_to_take_effect(instruction: str, by: str) -> None:
    for there in (False, True):
        then = INSTRUCTIONS[instruction]
        ability = effect(*then) if by == "assist" else on("main_began", *then)
        text = "0  battle: Ox   hand: {}   standby: {}\n1  battle: Elk   {}\nphase draw"
        hand, standby = ("Cheer assist", "Ram") if by == "assist" else ("Plain", "Cheer")
        table = position(text.format(hand, standby, "standby: Doe   hand: Hind" if there else ""), Cheer=ability)
        if by == "assist":
            table.do("use Cheer")
        lines = [line for line in told(table)[table.start:] if isinstance(table.match.log[line.record], k.StackPopped)]
        assert len(lines) == 1
        idle = lines[0].text.endswith("Cheer has no effect") and not lines[0].quiet
        assert idle == (not there), (instruction, lines[0].text)


def test_a_value_that_is_set_is_told_with_its_base() -> None:
    table = position("""
        0  standby: Ox 500/200/85   hand: Boots item:monster, Fog field
    """, Boots=passive("spd", what="bearer", add=10), Fog=passive("spd", what=cards("standby"), set=30))
    table.do("play Boots", "play Fog")
    assert shown(table, k.CounterSet)[-2:] == [
        "Ox: SPD 85 → 95 (through Boots)", "Ox: base SPD set to 30, SPD 95 → 40 (through Fog)",
    ]
