"""Monster Battle: what is printed, what a set lays down, what a deck may hold, and what the linter finds."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engine.cards.decks import DeckFile
from engine.cards.files import CardError, card_from, read_sets
from engine.problems import Problem
from engine.rulebooks.monbattle.card import MonBattleCard, MonBattleDefinition, SetRules
from engine.rulebooks.monbattle.deck import Limits
from engine.rulebooks.monbattle.deck import problems as deck_problems
from engine.rulebooks.monbattle.rules import MonBattle
from engine.rulebooks.rulebook import read_ruleset
from events.kinds import Asked
from events.record import decode, encode
from tests.engine.rulebooks.monbattle.abilities import add, be, cards, discard, effect, lp, on, passive, skill, target
from tests.engine.rulebooks.monbattle.cards import FOLDER, GAME, begin, random_deck
from tests.engine.rulebooks.monbattle.position import RULES, position

# --- what is printed ----------------------------------------------------------------------------------------


@pytest.mark.rule("MB-01")
def test_kinds_and_what_else_a_card_may_be_called() -> None:
    table = position("""
        0  player: Boss player 5000/20/2   standby: Ox, Ruby from:Ox
        0  hand: Axe weapon stone +1, Gain assist, Ring item:player, Hill field
    """)
    called = {card.name: set(card.kinds) for card in table.match.game.cards.values()}  # type: ignore[attr-defined]
    del called["Plain"], called["Chief"]
    assert called == {
        "Boss": {"player"}, "Ox": {"monster"}, "Ruby": {"monster", "evolution"}, "Axe": {"weapon", "support"},
        "Gain": {"assist", "support"}, "Ring": {"assist", "item", "support"}, "Hill": {"field", "support"},
    }


@pytest.mark.rule("MB-01")
def test_effects_select_by_them() -> None:
    table = position("""
        0  hand: Boom assist, Axe weapon stone +1, Hill field, Ox
    """, Boom=effect({"do": "move", "what": cards("hand", of="own", kind="support"), "zone": "drop"}))
    table.do("use Boom")
    assert table.zone(0, "hand") == ["Ox"] and sorted(table.zone(0, "drop")) == ["Axe", "Boom", "Hill"]


@pytest.mark.rule("MB-02")
def test_a_player_card_has_lp_pp_and_level_which_effects_may_change() -> None:
    table = position("""
        0  player: Boss player 5000/20/2   hand: Up assist, Ox
    """, Up=effect(add("pp", 3, "own"), be("level", 5, "own"), lp(-500)))
    assert [table.value(0, name) for name in ("lp", "pp", "level")] == [5000, 20, 2]
    table.do("use Up")
    assert [table.value(0, name) for name in ("lp", "pp", "level")] == [4500, 23, 5]
    table.do("pass", "pass").until("0 main")
    assert [table.value(0, name) for name in ("pp", "level")] == [20, 2]


@pytest.mark.rule("MB-03")
def test_a_monster_has_its_values_and_none_falls_below_0() -> None:
    table = position("""
        0  standby: Ox 500/200/3 c2 fire   hand: Woe assist, Ram
    """, Woe=effect(*(add(name, -900, cards("standby", name="Ox")) for name in ("atk", "def", "spd", "cost"))))
    assert [table.value("Ox", name) for name in ("cost", "atk", "def", "spd")] == [2, 500, 200, 3]
    table.do("use Woe")
    assert [table.value("Ox", name) for name in ("cost", "atk", "def", "spd")] == [0, 0, 0, 0]


@pytest.mark.rule("MB-04")
def test_a_weapon_adds_by_abilities_behind_the_printed_ones() -> None:
    card = MonBattleDefinition(card_from({
        "code": "X-1", "name": {"en": "Axe"}, "kind": "weapon", "attribute": "fire", "atk": 300, "spd": -1,
        "ability": [on("hits", lp(1), whose="own")],
    }, MonBattleCard, "Axe"))  # type: ignore[arg-type]
    assert [(a.name, a.what, a.add) for a in card.abilities[1:]] == [("atk", "bearer", 300), ("spd", "bearer", -1)]  # type: ignore[union-attr]


# --- what a set lays down -----------------------------------------------------------------------------------


@pytest.mark.rule("MB-05")
def test_attributes_and_their_advantages_are_data_of_the_set_and_travel_with_the_log() -> None:
    assert GAME.attribute_names == ["fire", "wood", "water", "stone"]
    assert GAME.beats == ({1}, {2}, {0}, set())
    line = decode(encode(GAME.card_sets[0]))
    read = MonBattle.from_sets([line])  # type: ignore[list-item, arg-type]
    assert isinstance(read, MonBattle)
    assert (read.attribute_names, read.beats) == (GAME.attribute_names, GAME.beats)
    assert read.rulebook == GAME.rulebook


@pytest.mark.rule("MB-05")
def test_the_rulebook_line_names_the_attributes_of_the_sets_at_hand() -> None:
    rules = SetRules({"moon": RULES.attributes["stone"]})
    table = position("0  battle: Ox stone", rules=rules)
    counter = next(c for c in table.match.game.rulebook.counters if c.name == "attribute")
    assert counter.words == ("moon", "stone"), "one that only a card names comes last"
    assert next(c for c in read_ruleset(MonBattle.folder).counters if c.name == "attribute").words == ()


@pytest.mark.rule("MB-05")
def test_names_of_attributes_come_along() -> None:
    rules = msgspec.convert({"attributes": {"moon": {"name": {"en": "Moon", "ja": "月"}}}}, SetRules)
    table = position("0  battle: Ox stone", rules=rules)
    assert table.match.game.rulebook.words["attribute.moon"] == {"en": "Moon", "ja": "月"}


def test_a_log_whose_set_rules_are_no_rules_is_refused_with_a_sentence() -> None:
    line = msgspec.structs.replace(GAME.card_sets[0], tables={"rules": {"deck_size": "many"}})
    with pytest.raises(CardError, match="the table rules of the set MBT"):
        MonBattle.from_sets([line])


def test_a_misspelt_field_of_the_rules_file_is_named(tmp_path: Path) -> None:
    for path in FOLDER.glob("*.toml"):
        (tmp_path / path.name).write_text(path.read_text("utf-8"), "utf-8")
    (tmp_path / "rules.toml").write_text("deck_sise = 40\n", "utf-8")
    with pytest.raises(CardError, match=r"rules\.toml: .*deck_sise"):
        read_sets([tmp_path], MonBattleCard, "monbattle", MonBattle.set_tables)


# --- decks --------------------------------------------------------------------------------------------------


def found(deck: DeckFile, game: MonBattle = GAME) -> list[tuple[str, str | None]]:
    return [(problem.rule, problem.card) for problem in game.problems(deck, {})]


def legal_deck() -> DeckFile:
    deck = random_deck(GAME, 1)
    return DeckFile(game="monbattle", leader=deck.leader, cards=deck.cards)


@pytest.mark.rule("MB-06")
def test_a_legal_deck_has_no_problem() -> None:
    assert not found(legal_deck())


@pytest.mark.rule("MB-06")
def test_the_number_of_cards_is_exact() -> None:
    deck = legal_deck()
    code = next(code for code, n in deck.cards.items() if n < 3)
    more = msgspec.structs.replace(deck, cards={**deck.cards, code: deck.cards[code] + 1})
    assert found(more) == [("MB-06", None)]
    assert "41 cards" in GAME.problems(more, {})[0].text


@pytest.mark.rule("MB-06")
def test_three_copies_of_a_name_are_the_most() -> None:
    deck = legal_deck()
    wrong = DeckFile(leader=deck.leader, cards={**dict.fromkeys(list(deck.cards)[:9], 4), "MBT-020": 4})
    assert {p.rule for p in GAME.problems(wrong, {})} == {"MB-06"}
    assert sum("at most 3" in p.text for p in GAME.problems(wrong, {})) >= 9


@pytest.mark.rule("MB-06")
def test_without_a_cost_1_monster_the_deck_is_refused() -> None:
    others = [code for code, card in GAME.cards.items() if card.kind != "player" and not card.starter][:20]
    deck = DeckFile(leader=legal_deck().leader, cards=dict.fromkeys(others, 2))
    assert found(deck) == [("MB-06", None)] and "COST 1" in GAME.problems(deck, {})[0].text


@pytest.mark.rule("MB-06")
def test_an_evolution_of_cost_1_is_no_monster_to_begin_with() -> None:
    game = position("0  hand: Ox, Ruby from:Ox c1", rules=SetRules(RULES.attributes, deck_size=2)).match.game
    assert isinstance(game, MonBattle)
    codes = {card.name: code for code, card in game.cards.items()}
    problem, = game.problems(DeckFile(leader=codes["Chief"], cards={codes["Ruby"]: 2}), {})
    assert problem.rule == "MB-06" and "COST 1" in problem.text
    assert not found(DeckFile(leader=codes["Chief"], cards={codes["Ruby"]: 1, codes["Ox"]: 1}), game)


@pytest.mark.rule("MB-06")
def test_copies_are_counted_by_name_whatever_the_code() -> None:
    raw = [{"code": code, "name": {"en": name}, **kind} for code, name, kind in (
        ("P-1", "Cub", MONSTER), ("P-2", "Cub", MONSTER), ("P-3", "Chief", PLAYER),
    )]
    cards_ = {r["code"]: MonBattleDefinition(card_from(r, MonBattleCard, "X")) for r in raw}  # type: ignore[arg-type]
    deck = DeckFile(leader="P-3", cards={"P-1": 2, "P-2": 2})
    problem, = deck_problems(deck, cards_, Limits(deck_size=4))
    assert problem.rule == "MB-06" and "4 copies of Cub (P-1, P-2)" in problem.text
    assert not deck_problems(msgspec.structs.replace(deck, cards={"P-1": 2, "P-2": 1}), cards_, Limits(deck_size=3))


@pytest.mark.rule("MB-06")
def test_size_and_copies_are_data_of_the_set() -> None:
    rules = SetRules(RULES.attributes, deck_size=4, copies=2)
    game = position("0  hand: Ox, Ram", rules=rules).match.game
    assert isinstance(game, MonBattle)
    codes = {card.name: code for code, card in game.cards.items()}
    good = DeckFile(leader=codes["Chief"], cards={codes["Ox"]: 2, codes["Ram"]: 2})
    assert not found(good, game)
    assert len(found(DeckFile(leader=codes["Chief"], cards={codes["Ox"]: 3, codes["Ram"]: 1}), game)) == 1


@pytest.mark.rule("MB-02", "MB-06")
def test_a_deck_names_its_player_card_which_is_not_among_its_cards() -> None:
    deck = legal_deck()
    assert found(msgspec.structs.replace(deck, leader=None)) == [("MB-02", None)]
    assert found(msgspec.structs.replace(deck, leader="MBT-005")) == [("MB-02", "MBT-005")]
    assert found(msgspec.structs.replace(deck, leader="MBT-999")) == [("MB-02", "MBT-999")]
    code = next(iter(deck.cards))
    cards_ = {**deck.cards, code: deck.cards[code] - 1, "MBT-001": 1}
    assert ("MB-06", "MBT-001") in found(msgspec.structs.replace(deck, cards=cards_))


def test_an_unknown_card_and_a_count_of_0_are_named() -> None:
    deck = legal_deck()
    assert ("MB-06", "MBT-099") in found(msgspec.structs.replace(deck, cards={**deck.cards, "MBT-099": 1}))
    assert ("MB-06", "MBT-016") in found(msgspec.structs.replace(deck, cards={**deck.cards, "MBT-016": 0}))


def test_a_trial_deck_is_legal_and_holds_what_it_is_for_and_what_that_needs() -> None:
    for code, card in GAME.cards.items():
        deck = GAME.trial_deck([code], Random(code).randrange)
        assert not found(DeckFile(leader=deck.leader, cards=deck.cards)), code
        assert deck.leader == code if card.kind == "player" else deck.cards[code] == 3
    names = {GAME.cards[code].name for code in GAME.trial_deck(["MBT-028"], Random(1).randrange).cards}
    assert GAME.cards["MBT-028"].name == "Fire Lord" and {"Fire Imp", "Imp"} <= names


# --- the linter ---------------------------------------------------------------------------------------------


def lint(changes: dict[str, Any], name: str = "X", rules: SetRules = RULES) -> list[Problem]:
    """What is found in this card among a few proper ones."""
    raw = [
        {"code": f"P-{i}", "name": {"en": f"Cub{i}"}, "kind": "monster", "cost": 1, "atk": 1, "attribute": "fire"}
        for i in range(6)
    ]
    raw.append({"code": "X-1", "name": {"en": name}, **changes})
    definitions = [MonBattleDefinition(card_from(r, MonBattleCard, "X")) for r in raw]  # type: ignore[arg-type]
    set_line = msgspec.structs.replace(GAME.card_sets[0], cards={}, tables={"rules": msgspec.to_builtins(rules)})
    return MonBattle([set_line], definitions).card_problems()


MONSTER = {"kind": "monster", "cost": 1, "atk": 500, "attribute": "fire"}
FETCH = {"do": "move", "what": "target", "zone": "hand"}
PLAYER = {"kind": "player", "lp": 5000, "pp": 20, "level": 2}


def wrong(changes: dict[str, Any]) -> set[tuple[str, str | None]]:
    return {(p.rule, p.field) for p in lint(changes) if p.card == "X-1"}


@pytest.mark.rule("MB-02")
def test_a_player_card_prints_lp_pp_and_level_of_1_or_more_and_nothing_else() -> None:
    for field in ("lp", "pp", "level"):
        assert wrong({**PLAYER, field: 0}) == {("MB-02", field)}
    for field in ("cost", "atk", "def", "spd"):
        assert wrong({**PLAYER, field: 5}) == {("MB-02", field)}


@pytest.mark.rule("MB-03")
def test_a_monster_prints_a_cost_of_1_or_more_values_of_0_or_more_and_nothing_else() -> None:
    assert wrong({**MONSTER, "cost": 0}) == {("MB-03", "cost")}
    for field in ("atk", "def", "spd"):
        assert wrong({**MONSTER, field: -1}) == {("MB-03", field)} and not wrong({**MONSTER, field: 0})
    for field, value in (("lp", 1), ("pp", 1), ("level", 1), ("item", "player")):
        assert wrong({**MONSTER, field: value}) == {("MB-03", field)}


@pytest.mark.rule("MB-04")
def test_a_weapon_adds_to_something_and_a_field_does_something() -> None:
    weapon = {"kind": "weapon", "attribute": "fire"}
    assert wrong(weapon) == {("MB-04", "atk")} and not wrong({**weapon, "spd": -1})
    assert wrong({"kind": "field"}) == {("MB-04", "ability")}
    assert wrong({**weapon, "atk": 1, "evolves": "Cub1"}) == {("MB-04", "evolves")}


@pytest.mark.rule("MB-04")
def test_an_item_goes_to_a_player_or_a_monster() -> None:
    for bearer in ("player", "monster"):
        assert not wrong({"kind": "assist", "item": bearer, "ability": [passive("pp", what="own", add=1)]})
    with pytest.raises(CardError, match="item"):
        lint({"kind": "assist", "item": "field", "ability": [passive("pp", what="own", add=1)]})


@pytest.mark.parametrize(("changes", "rule", "field"), [
    ({**MONSTER, "attribute": "flame"}, "MB-05", "attribute"),
    ({"kind": "monster", "cost": 1, "atk": 500}, "MB-05", "attribute"),
    ({**MONSTER, "evolves": "Cub9"}, "MB-25", "evolves"),
    ({**MONSTER, "evolves": "X"}, "MB-25", "evolves"),
    ({"kind": "weapon", "attribute": "sun", "atk": 3}, "MB-05", "attribute"),
    ({"kind": "assist"}, "MB-30", "ability"),
    ({"kind": "assist", "ability": [effect(lp(1)), passive("atk", what=cards("battle"), add=1)]}, "MB-30", "ability"),
    ({"kind": "assist", "item": "monster", "ability": [effect(lp(1))]}, "MB-32", "ability"),
    ({**PLAYER, "ability": [skill(lp(1), cost=[{"pay": "exhaust"}])]}, "MB-35", "ability[0].cost[0].pay"),
    ({**PLAYER, "ability": [skill(lp(1), cost=[{**discard(), "from": cards("standby")}])]}, "MB-35",
     "ability[0].cost[0].from.zone"),
    ({**PLAYER, "ability": [skill({"do": "change", "name": "pp", "n": 1})]}, "MB-02", "ability[0].then[0].name"),
    ({**PLAYER, "ability": [skill(add("lp", 1, "own"))]}, "MB-02", "ability[0].then[0].name"),
    ({**PLAYER, "ability": [passive("lp", what="own", add=1)]}, "MB-02", "ability[0].name"),
    ({**PLAYER, "ability": [passive("attribute", what=cards("battle", attribute="fire"), set=1)]}, "circular",
     "ability[0].what"),
    ({**PLAYER, "ability": [on("end_began", lp(1), whose="any")]}, "never-matters", "ability[0].whose"),
    ({**PLAYER, "ability": [on("set", lp(1))]}, "never-matters", "ability[0].whose"),
    ({**MONSTER, "ability": [passive("atk", what="bearer", add=1)]}, "slot", "ability[0].what"),
    ({**MONSTER, "ability": [skill({"do": "burst"})]}, "unknown-word", "ability[0].then[0].do"),
    ({**MONSTER, "ability": [skill(add("atk", 1, duration="round"))]}, "unknown-word", "ability[0].then[0].duration"),
    ({**MONSTER, "ability": [on("lived", lp(1))]}, "unknown-word", "ability[0].on"),
    ({"kind": "assist", "ability": [effect(FETCH, targets=[target("drop", of="own", kind="support")])]}, "cycle",
     "ability[0]"),
    ({"kind": "assist", "ability": [effect(FETCH, targets=[target("drop")])]}, "cycle", "ability[0]"),
])
def test_what_the_linter_finds(changes: dict[str, Any], rule: str, field: str) -> None:
    assert (rule, field) in wrong(changes)


@pytest.mark.parametrize("changes", [
    PLAYER, MONSTER, {**MONSTER, "cost": 3, "evolves": "Cub1"}, {"kind": "weapon", "attribute": "fire", "spd": 2},
    {"kind": "assist", "item": "player", "ability": [passive("pp", what="own", add=1)]},
    {"kind": "assist", "item": "monster", "ability": [passive("def", what="bearer", add=100)]},
    {"kind": "assist", "ability": [effect(add("level", 1, "own", duration="game"))]},
    {"kind": "field", "ability": [on("end_began", lp(1))]},
    {**MONSTER, "ability": [skill(lp(1), cost=[discard()])]},
    {"kind": "assist", "ability": [effect(FETCH, targets=[target("drop", of="own", kind="weapon")])]},
    {"kind": "assist", "ability": [effect(FETCH, targets=[target("drop", of="own")], cost=[discard()])]},
])
def test_what_the_linter_lets_pass(changes: dict[str, Any]) -> None:
    assert not lint(changes)


@pytest.mark.rule("MB-05")
def test_two_attributes_that_beat_each_other_are_refused() -> None:
    rules = msgspec.convert(
        {"attributes": {"fire": {"beats": ["wood"]}, "wood": {"beats": ["fire"]}}}, SetRules
    )
    assert [(p.rule, p.field) for p in lint(MONSTER, rules=rules)] == [("MB-05", "attributes.fire.beats")]
    itself = msgspec.convert({"attributes": {"fire": {"beats": ["fire"]}}}, SetRules)
    assert [(p.rule, p.field) for p in lint(MONSTER, rules=itself)] == [("MB-05", "attributes.fire.beats")]


@pytest.mark.rule("MB-05")
def test_an_attribute_does_not_beat_what_is_none() -> None:
    rules = msgspec.convert({"attributes": {"fire": {"beats": ["woot"]}, "wood": {}}}, SetRules)
    problem, = lint(MONSTER, rules=rules)
    assert problem.rule == "MB-05" and "did you mean 'wood'?" in problem.text


@pytest.mark.rule("MB-09")
def test_fewer_than_six_cost_1_monsters_are_advised_against() -> None:
    table = position("0  battle: Ox")
    assert ("MB-09", None) in [(p.rule, p.card) for p in table.match.game.card_problems()]


def test_the_small_set_is_sound() -> None:
    assert GAME.card_problems() == []


def test_every_question_that_the_game_asks_is_declared_and_has_a_rule() -> None:
    asks = set(GAME.rulebook.questions)
    assert set(MonBattle.question_rules) | {"main"} == asks
    match = begin(1)
    assert {e.question for e in match.log if isinstance(e, Asked)} <= asks
