"""What `verify` refuses before and beside the records: options, decks and cards that no game can be played with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import structs

from engine.rulebooks import registry
from events.kinds import CardSet, DeckList, GameStarted
from events.record import LogError, decode, edition, game_id
from replays.play.terminal import Names
from replays.view.verify import Verdict, verify
from tests.play import as_log, begin, play

MATCH = begin(2)
EVENTS = play(MATCH, 2)
HEADER = EVENTS[0]
assert isinstance(HEADER, GameStarted)
FIGHTER = next(code for code, d in MATCH.game.cards.items() if d.kind == "fighter")
MONSTERS = [code for code, d in MATCH.game.cards.items() if d.kind == "monster"]


def with_header(header: GameStarted, card_sets: tuple[CardSet, ...] = MATCH.game.card_sets) -> Verdict:
    log = as_log(MATCH, [structs.replace(header, id=game_id(header)), *EVENTS[1:]])
    log.card_sets = card_sets
    return verify(log)


@pytest.mark.rule("LO-13", "LO-14")
@pytest.mark.parametrize(("cards", "rule"), [
    ({}, "LO-13"), ({FIGHTER: 10**9}, "LO-13"), ({FIGHTER: 5, **dict.fromkeys(MONSTERS[:36], 1)}, "LO-14"),
    (dict.fromkeys(MONSTERS[:41], 1), "LO-14"), ({FIGHTER: -1}, "LO-14"), ({"NO-001": 41}, "LO-14"),
])
def test_a_game_with_an_illegal_deck_is_illegal(cards: dict[str, int], rule: str) -> None:
    for seat in (0, 1):
        seats = list(HEADER.seats)
        seats[seat] = structs.replace(seats[seat], deck=DeckList("bad", cards))
        found = with_header(structs.replace(HEADER, seats=tuple(seats)))
        assert (found.verdict, found.rule, found.record) == ("illegal", rule, 0)


@pytest.mark.parametrize(("option", "value"), [
    ("max_turns", "x"), ("max_turns", 0), ("max_turns", True), ("first", "x"), ("first", 2), ("first", True),
    ("format", "long"), ("open_lists", 1), ("max_turn", 50),
])
def test_a_game_with_an_option_that_means_nothing_is_illegal(option: str, value: Any) -> None:
    found = with_header(structs.replace(HEADER, options={option: value}))
    assert (found.verdict, found.rule, found.record) == ("illegal", "options", 0)
    assert option in found.text


@pytest.mark.parametrize("key", registry.GAMES)
def test_every_option_of_a_game_may_be_all_that_it_says(key: str) -> None:
    game = registry.load(key)
    for name, values in game.options.items():
        assert all(not game.option_problems({name: value}) for value in values)
    assert "there is no option 'nope'" in str(game.option_problems({"nope": 1})[0])


def test_the_id_of_a_simulated_game_must_be_its_headers() -> None:
    found = verify(as_log(MATCH, [structs.replace(HEADER, id="0123456789abcdef"), *EVENTS[1:]]))
    assert (found.verdict, found.record) == ("altered", 0)
    assert found.differences == (("id", "0123456789abcdef", HEADER.id),)


NOTHING_SUCH = {"ability": "triggered", "on": "lived", "then": [{"do": "special", "name": "nothing such"}]}
NOWHERE = {"ability": "activated", "cost": [{"pay": "discard"}], "then": [{"do": "draw"}]}
NO_VALUE = {"ability": "passive", "name": "nothing", "add": 1}
MILLION = {"ability": "activated", "targets": [{"from": {}, "n": 10**6}], "then": [{"do": "draw"}]}


@pytest.mark.parametrize("ability", [NOTHING_SUCH, NOWHERE, NO_VALUE, MILLION])
def test_cards_of_strangers_that_ask_what_no_rule_can_do_are_a_verdict(ability: dict[str, Any]) -> None:
    def give(card: dict[str, Any]) -> None:
        if card["kind"] != "skill":
            card["ability"] = [ability]

    sets = changed(give)
    found = with_header(structs.replace(HEADER, card_sets=tuple(edition(s) for s in sets)), sets)
    assert found.verdict == "illegal"


@pytest.mark.parametrize("card", [None, 5, "Ox", ["Ox"]])
def test_a_card_that_is_no_table_is_a_fault_of_its_line(card: Any) -> None:
    line = {"kind": "card_set", "key": "S", "version": "1", "game": "liveon", "cards": {"S-001": card}}
    with pytest.raises(LogError, match="card_set"):
        decode(msgspec.json.encode(line))


@pytest.mark.parametrize("name", [None, 5, "Ox", {"en": ["Ox"]}, {}])
def test_a_card_with_a_name_that_is_none_goes_by_its_code(name: Any) -> None:
    names = Names(MATCH.game.rulebook, [CardSet("S", "1", "liveon", {"S-001": {"name": name}})])
    assert names.code("S-001") == ("['Ox']" if isinstance(name, dict) and name else "S-001")


def changed(change: Callable[[dict[str, Any]], object]) -> tuple[CardSet, ...]:
    sets = msgspec.json.decode(msgspec.json.encode(MATCH.game.card_sets), type=tuple[CardSet, ...])
    for card_set in sets:
        for card in card_set.cards.values():
            change(card)
    return sets
