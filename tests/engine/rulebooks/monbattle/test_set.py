"""What the shipped set of Monster Battle holds, its decks, and that the linter has nothing to say."""

import tomllib
from collections import Counter

import msgspec
import pytest

from engine.cards.decks import deck_digest, deck_list, names_of, read_deck
from engine.effects.abilities import Passive, Triggered
from engine.effects.instruction import Instruction
from engine.effects.kinds.add import AddValue
from engine.effects.kinds.change import ChangeSeatValue
from engine.effects.kinds.move import MoveCards
from engine.effects.kinds.set import SetValue
from engine.effects.language import Amount, Cost, Select, When
from engine.rulebooks.monbattle.card import MOMENTS, SUPPORTS, MonBattleCard
from engine.rulebooks.monbattle.checks import vocabulary
from engine.rulebooks.monbattle.deck import FEW_STARTERS
from engine.rulebooks.monbattle.rules import MonBattle
from engine.words import LANGUAGES
from replays.view.board import FAMILIES, Board

GAME = MonBattle.load()
CARDS = {code: d.printed for code, d in GAME.cards.items()}
ABILITIES = [a for card in CARDS.values() for a in card.ability]
RULESET = tomllib.loads((GAME.folder / "ruleset.toml").read_text("utf-8"))
FILES = sorted((GAME.folder / "decks").glob("*.toml"))
DECKS = {path.stem: read_deck(path, names_of(CARDS.values())) for path in FILES}
WORDS = vocabulary(GAME.attributes)


def of_kind(*kinds):
    return [d for d in GAME.cards.values() if d.kind in kinds]


def parts(of, kind):
    """All structs of a kind within another struct or sequence."""
    found = [of] if isinstance(of, kind) else []
    if isinstance(of, msgspec.Struct):
        of = [getattr(of, field) for field in of.__struct_fields__]
    if isinstance(of, (list, tuple)):
        found += [part for inner in of for part in parts(inner, kind)]
    return found


# --- the cards ----------------------------------------------------------------------------------------------


def test_the_set_is_large_enough():
    kinds = Counter(d.kind for d in GAME.cards.values())
    assert kinds["player"] >= 8
    assert kinds["monster"] >= 70
    assert kinds["weapon"] >= 12
    assert kinds["assist"] >= 20
    assert kinds["field"] >= 8
    assert Counter(d.item for d in of_kind("assist") if d.item) == {"player": 3, "monster": 3}


def test_players_differ_in_lp_pp_level_and_skill():
    players = [d.printed for d in of_kind("player")]
    assert len({p.lp for p in players}) >= 6
    assert len({p.pp for p in players}) >= 5
    assert {p.level for p in players} == {1, 2, 3, 4}
    assert len({str(p.ability) for p in players}) == len(players)
    assert sum(not p.ability for p in players) == 1


def test_monsters_run_from_cost_1_to_5_in_all_attributes():
    monsters = of_kind("monster")
    costs = Counter(d.stats["cost"] for d in monsters)
    assert set(costs) == {1, 2, 3, 4, 5}
    attributes = Counter(d.attribute for d in monsters)
    assert set(attributes) == set(GAME.attributes) and len(attributes) >= 5
    assert max(attributes.values()) - min(attributes.values()) <= 2
    assert all(any(d.starter and d.attribute == a for d in monsters) for a in attributes)
    means = [sum(d.stats["atk"] for d in monsters if d.stats["cost"] == n) / costs[n] for n in sorted(costs)]
    assert means == sorted(means)
    quiet = sum(not d.abilities for d in monsters)
    assert 0.3 < quiet / len(monsters) < 0.8


def test_evolutions_name_their_monsters_and_some_take_two_steps():
    by_name = {d.name: d for d in of_kind("monster")}
    evolved = [d for d in by_name.values() if d.evolves is not None]
    assert len(evolved) >= 15
    bases = [by_name[d.evolves] for d in evolved]
    assert sum(base.evolves is not None for base in bases) >= 5
    for upper, base in zip(evolved, bases, strict=True):
        assert upper.attribute == base.attribute
        assert upper.stats["atk"] > base.stats["atk"]


@pytest.mark.rule("MB-05")
def test_the_attributes_beat_each_other_in_a_ring_and_one_stands_outside():
    beats = {name: attribute.beats for name, attribute in GAME.attributes.items()}
    ring = [name for name, beaten in beats.items() if beaten]
    walked = ["ember"]
    while (ahead := beats[walked[-1]]) and ahead[0] not in walked:
        walked += ahead
    assert sorted(walked) == sorted(ring) and len(ring) == 5
    assert beats["brass"] == () and not any("brass" in beaten for beaten in beats.values())


def test_every_card_is_named_in_four_languages_and_no_name_stands_twice():
    assert all(set(c.name) == set(LANGUAGES) and all(c.name.values()) for c in CARDS.values())
    assert all(set(a.name) == set(LANGUAGES) for a in GAME.attributes.values())
    for language in LANGUAGES:
        names = Counter(c.name[language] for c in CARDS.values())
        assert [name for name, n in names.items() if n > 1] == []
    assert sum(bool(c.flavour.get("en")) for c in CARDS.values()) > len(CARDS) * 0.6


def test_every_weapon_finds_bearers_and_each_attribute_has_two():
    assert Counter(d.attribute for d in of_kind("weapon")) == dict.fromkeys(GAME.attributes, 2)


# --- the effect language ------------------------------------------------------------------------------------


def test_every_instruction_and_kind_of_ability_of_the_game_is_used():
    written = {i.__struct_config__.tag for i in parts(ABILITIES, Instruction)}
    assert written == WORDS.instructions
    assert {a.__struct_config__.tag for a in ABILITIES} == set().union(*WORDS.kinds.values())
    for kind in ("player", "monster", *SUPPORTS):
        there = {a.__struct_config__.tag for d in of_kind(kind) for a in d.printed.ability}
        missing = WORDS.kinds[kind] - there
        assert missing <= ({"effect"} if kind == "weapon" else set()), kind


def test_every_moment_value_and_duration_is_used():
    assert {a.on for a in parts(ABILITIES, Triggered)} == set(MOMENTS)
    gifts = parts(ABILITIES, (AddValue, SetValue))
    values = {g.name for g in (*gifts, *parts(ABILITIES, Passive))}
    printed = {name for d in of_kind("weapon") for name, n in (("cost", d.printed.cost),) if n}
    assert values | printed == (WORDS.values | WORDS.seat_values) - {"attribute", "lp"}
    assert {c.name for c in parts(ABILITIES, ChangeSeatValue)} == {"lp"}
    assert {g.duration for g in gifts} == WORDS.durations
    assert {c.pay for c in parts(ABILITIES, Cost)} == {"discard", "mill"}
    assert {m.zone for m in parts(ABILITIES, MoveCards)} >= {"deck", "hand", "drop"}
    amounts = parts(ABILITIES, Amount)
    assert any(a.count for a in amounts) and any(a.value for a in amounts)
    for kind in (When, Select):
        for field in set(kind.__struct_fields__) - {"exhausted"}:  # no card is exhausted in this game
            assert any(getattr(part, field) not in (None, (), {}, False) for part in parts(ABILITIES, kind)), field


def test_the_linter_has_nothing_to_say():
    assert GAME.card_problems() == []


def test_the_vocabulary_is_that_of_the_rulebook():
    table = {zone["name"] for zone in RULESET["zones"] if zone.get("table")}
    counters = {c["name"] for c in RULESET["counters"] if c.get("of") != "seat"}
    seats = {c["name"] for c in RULESET["counters"] if c.get("of") == "seat"}
    assert WORDS.table == table
    assert WORDS.values <= counters and WORDS.seat_values <= seats
    assert WORDS.durations == set(RULESET["durations"]) - {"while"}
    assert WORDS.activated == sum(name.startswith("used_") for name in counters)
    assert WORDS.phases == {phase["name"] for phase in RULESET["phases"]} - {"set_up"}


# --- the decks ----------------------------------------------------------------------------------------------


def test_there_are_decks_enough_and_they_differ():
    assert len(DECKS) >= 6
    assert len({deck_digest(deck_list(deck)) for deck in DECKS.values()}) == len(DECKS)
    assert len({deck.leader for deck in DECKS.values()}) == len(DECKS)
    for a in DECKS.values():
        shared = max(sum((Counter(a.cards) & Counter(b.cards)).values()) for b in DECKS.values() if b is not a)
        assert shared <= 20


@pytest.mark.rule("MB-02", "MB-06")
@pytest.mark.parametrize("name", DECKS)
def test_a_shipped_deck_is_legal(name):
    deck = DECKS[name]
    assert deck.game == "monbattle"
    assert GAME.problems(deck, {}) == []
    assert sum(n for code, n in deck.cards.items() if GAME.cards[code].starter) >= FEW_STARTERS


def of_deck(name):
    """The cards of a deck, its player card last."""
    return [GAME.cards[code] for code in (*DECKS[name].cards, DECKS[name].leader)]


def reach(deck):
    """The player's level, and how far the deck's cards can raise it."""
    level = deck[-1].printed.level
    raised = sum(a.add for d in deck for a in d.printed.ability if isinstance(a, Passive) and a.name == "level")
    return level, level + raised


@pytest.mark.parametrize("name", DECKS)
def test_what_a_shipped_deck_holds_can_be_played_from_it(name):
    deck = of_deck(name)
    names, attributes = {d.name for d in deck}, {d.attribute for d in deck if d.kind == "monster"}
    for card in deck:
        if card.kind == "weapon":
            assert card.attribute in attributes, card.name
        elif card.evolves is not None:
            assert card.evolves in names, card.name
        elif card.kind == "monster":
            assert card.stats["cost"] <= reach(deck)[1], card.name


def finds(select, deck):
    """Whether the deck has a card that the selection could mean."""
    for d in deck:
        words = {"kind": d.kinds, "attribute": (d.attribute,)}
        if all(wanted in words[word] for word, wanted in select.is_.items()) and select.name in (None, d.name):
            cost = d.stats.get("cost", 0)
            if select.at_least.get("cost", 0) <= cost <= select.at_most.get("cost", cost):
                return True
    return False


@pytest.mark.parametrize("name", DECKS)
def test_what_a_card_of_a_shipped_deck_speaks_of_is_in_the_deck(name):
    deck = of_deck(name)
    level, raised = reach(deck)
    for card in deck:
        for ability in card.printed.ability:
            attacked = [when.fits for when in parts(ability, When) if when.slot == "attacked"]
            for select in parts(ability, Select):
                assert select.of == "other" or select in attacked or finds(select, deck), card.name
            if isinstance(ability, Passive) and ability.name == "level":
                played = [d.stats["cost"] for d in deck if d.kind == "monster" and d.evolves is None]
                assert any(level < cost <= raised for cost in played), f"{card.name} raises the level for nothing"
            if isinstance(ability, Triggered) and ability.whose == "own":
                wanted = {"assist_used": "assist", "evolved": "evolution"}.get(ability.on, "monster")
                assert any(wanted in d.kinds for d in deck), card.name


def test_most_cards_are_in_some_deck():
    played = {code for deck in DECKS.values() for code in deck.cards} | {deck.leader for deck in DECKS.values()}
    assert len(played) / len(CARDS) > 0.85


# --- the board ----------------------------------------------------------------------------------------------


def test_the_board_names_what_the_rulebook_declares():
    board = msgspec.convert(tomllib.loads((GAME.folder / "board.toml").read_text("utf-8")), Board)
    zones = {zone["name"] for zone in RULESET["zones"]}
    assert {place.zone for place in (*board.lines, *board.piles)} | {board.hand, board.stack} <= zones
    counters = {counter["name"] for counter in RULESET["counters"]}
    assert set(board.card.values) | set(board.card.badges) <= counters
    assert set(board.card.frames) == set(GAME.attributes) and set(board.card.frames.values()) <= set(FAMILIES)
    assert {board.card.frame, board.card.letter, board.card.corner, *board.card.type, *board.card.more} <= set(
        MonBattleCard.__struct_encode_fields__
    )
    assert set(board.spot) | set(board.marks) - {"hit", "ended"} <= set(RULESET["move_kinds"])
