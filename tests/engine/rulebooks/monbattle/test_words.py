"""Monster Battle's words: none is missing, each card has its text in four languages, a game can be followed."""

import re
import tomllib
from functools import cache

import msgspec
import pytest

from engine.cards.decks import deck_list, names_of, read_deck
from engine.cards.rules_text import rules_text, rules_texts
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks.monbattle.card import MOMENTS, MonBattleCard
from engine.rulebooks.monbattle.rules import MonBattle
from engine.words import LANGUAGES, missing, placeholders, words
from events import kinds as k
from events.kinds import Seat
from replays.view.narrate import narrate

GAME = MonBattle.load()
LEFT_OVER = re.compile(r"[{}]|a\(n\)|  |\btext\.|, ,|，，|、、|\(\)|（）")
SORTS = ("move_kind", "attachment", "roll", "counter", "damage_calculated", "rule", "answer", "pass")
NEVER = ("used_0", "used_1", "used_2", "redraws", "fielded")


@cache
def texts(language):
    return rules_texts([d.printed for d in GAME.cards.values()], language, GAME.rulebook)


@cache
def played(a, b, seed, player_kind):
    """The records of a game between two shipped decks."""
    names = names_of(d.printed for d in GAME.cards.values())
    decks = [deck_list(read_deck(GAME.folder / "decks" / f"{name}.toml", names)) for name in (a, b)]
    seats = (Seat("Mika", player_kind, decks[0]), Seat("Rui", player_kind, decks[1]))
    match = GAME.begin(GAME.header(seats, {}, seed, origin="simulated"))
    players = [PLAYER_KINDS[player_kind](seed), PLAYER_KINDS[player_kind](seed + 1)]
    while (asked := match.state.asked) is not None:
        match.act(players[asked.seat](Observation(match)))
    return match.log


GAMES = [
    played("workbench", "deep_orchard", 1, "random"), played("low_water", "downwind", 2, "random"),
    played("standing_stones", "high_ladder", 3, "random"), played("long_fence", "kiln_row", 4, "random"),
]


def told(events, language="en"):
    return narrate(events, GAME.rulebook, GAME.card_sets, language)


# --- words --------------------------------------------------------------------------------------------------


def test_no_word_is_missing_in_any_language():
    assert missing("monbattle", GAME.rulebook) == []


@pytest.mark.rule("MB-53")
def test_the_terms_are_said_as_the_rules_say_them():
    said = words("en", "monbattle")
    terms = {
        "turn.round": "Round", "phase.start": "Start phase", "phase.main": "Main phase",
        "phase.attack": "Attack phase", "phase.end": "End phase", "kind.player": "Player card", "counter.pp": "PP",
        "counter.lp": "LP", "counter.level": "Level", "zone.battle": "Battle stage", "zone.standby": "Standby",
        "zone.stock": "Stock", "zone.drop": "Drop", "zone.field": "Field", "term.area": "Area", "term.blank": "Blank",
        "term.cost_over": "Cost over", "reason.cost_over": "Cost over", "rule.evolve": "Evolve",
        "kind.support": "Support", "kind.weapon": "Weapon", "kind.assist": "Assist", "kind.item": "Item",
        "kind.field": "Field",
    }
    assert {key: said.own(key) for key in terms} == terms


@pytest.mark.parametrize("language", LANGUAGES)
def test_card_words_moments_and_terms_are_there(language):
    said = words(language, "monbattle")
    wanted = [f"kind.{kind}" for kind in ("player", "monster", "evolution", "support", "weapon", "assist", "item")]
    wanted += [f"term.{term}" for term in ("title", "cost_over", "blank", "standby", "stock", "drop", "area", "evolve")]
    wanted += [f"keyword.{name}" for name in ("no_attack", "claims_first")]
    assert [key for key in wanted if said.own(key) is None] == []
    moments = [(f"text.moment.{m}", f"text.moment.{m}_own") for m in MOMENTS]
    assert [keys for keys in moments if not any(said.own(key) for key in keys)] == []


def test_the_words_in_japanese_are_those_of_the_game():
    said = words("ja", "monbattle")
    assert [said.get(f"zone.{zone}") for zone in ("battle", "standby", "stock", "drop")] == [
        "バトルステージ", "スタンバイ", "ストック", "ドロップ",
    ]
    assert said.get("reason.cost_over") == "COSTオーバー"
    assert said.get("phase.main") == "メインフェイズ"


def test_a_sentence_has_the_same_places_in_every_language():
    tables = [tomllib.loads((GAME.folder / "words" / f"{name}.toml").read_text("utf-8"))["say"] for name in LANGUAGES]
    sentences = [(sort, key) for sort in tables[0] for key in (tables[0][sort] if sort in SORTS else ())]
    assert len(sentences) > 40
    for sort, key in sentences:
        if not key.endswith("_one"):
            assert len({frozenset(placeholders(table[sort][key])) for table in tables}) == 1, (sort, key)


@pytest.mark.rule("MB-05")
def test_the_attributes_are_said_as_the_card_set_says_them():
    assert GAME.rulebook.words["attribute.tide"] == {"en": "Tide", "ja": "潮", "zh-Hans": "潮", "zh-Hant": "潮"}
    assert "潮属性のモンスター" in texts("ja")["WLD-070"][1]
    assert "tide monster" in texts("en")["WLD-070"][1]


# --- card texts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_its_text(language):
    for code, definition in GAME.cards.items():
        printed, lines = definition.printed, texts(language)[code]
        assert len(lines) == len(printed.ability) + (printed.evolves is not None) + (printed.item is not None)
        for line in lines:
            assert line.strip() and not LEFT_OVER.search(line), (code, line)


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_no_english_is_left_in_the_other_languages(language):
    for code, lines in texts(language).items():
        assert set(re.findall("[A-Za-z]+", " ".join(lines))) <= {"ATK", "DEF", "SPD", "COST", "LP", "PP"}, (code, lines)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("WLD-020", ["Evolves from Cinder Pup"]),
        ("WLD-104", ["Discard a card from your hand: a monster on your opponent's battle stage does not attack until "
                     "end of round."]),
        ("WLD-108", ["You will go first in the next round. Draw a card."]),
        ("WLD-115", ["Item for a player", "Your PP is 2 higher."]),
        ("WLD-119", ["Item for a monster", "Attacks on the bearer of this deal 120 less damage."]),
        ("WLD-121", ["Each ember monster in either area has +80 ATK."]),
        ("WLD-005", ["After the draw that begins your main phase, if there are at most 3 cards in your hand, draw a "
                     "card."]),
        ("WLD-077", ["When this is set on the battle stage, raise your PP by 1 for the rest of the game."]),
        ("WLD-127", ["The base SPD of each monster in either area is 30."]),
    ],
)
def test_what_a_card_says(code, lines):
    assert texts("en")[code] == lines


@pytest.mark.parametrize("n", [-40, 40])
@pytest.mark.parametrize("name", ["damage_in", "damage_out"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_change_of_damage_is_told_as_what_attacks_do(language, name, n):
    passive = {"ability": "passive", "name": name, "what": "bearer", "add": n}
    added = {"do": "add", "what": {"zone": ["battle"], "of": "other"}, "name": name, "n": n}
    raw = {"code": "T-1", "name": {"en": "Pan"}, "kind": "assist", "item": "monster", "ability": [passive]}
    item = msgspec.convert(raw, MonBattleCard)
    assist = msgspec.convert({**raw, "item": None, "ability": [{"ability": "effect", "then": [added]}]}, MonBattleCard)
    for line in (rules_text(item, language)[1], rules_text(assist, language)[0]):
        assert "40" in line and not re.search(r"[+−]", line) and not LEFT_OVER.search(line), line


# --- the log ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_game_is_told_to_its_end_without_holes(number, language):
    lines = told(GAMES[number], language)
    assert len(lines) == len(GAMES[number])
    for line in lines:
        if not line.quiet:
            assert line.text and not re.search(r"[{}]|say\.|\?", line.text), line


def test_every_sentence_of_the_log_is_one_that_its_placeholders_fill():
    seen = {line.template for game in GAMES for line in told(game) if not line.quiet}
    wanted = {
        "say.turn_began.round_because",
        "say.attack_set",
        "say.damage_dealt_player",
        "say.move_kind.set",
        "say.move_kind.played",
        "say.move_kind.to_stock",
        "say.play_weapon",
        "say.play_over_under",
        "say.counter.stock_cost",
        "say.damage_calculated.atk",
        "say.damage_calculated.def",
        "say.damage_calculated.attribute",
        "say.damage_calculated.blank",
        "say.use",
    }
    assert wanted - seen == set()


def test_a_reckoning_is_told_step_by_step():
    for events in GAMES:
        lines = told(events)
        for number, event in enumerate(events):
            if isinstance(event, k.DamageCalculated) and event.step != "dealt":
                assert not lines[number].quiet
                assert event.step == "again" or str(event.value) in lines[number].text
            if isinstance(event, k.DamageCalculated) and event.step == "dealt":
                assert lines[number].quiet == bool(event.value)


def test_the_stock_is_told_with_cost_and_pp():
    lines = [line for line in told(GAMES[0]) if line.template.startswith("say.counter.stock_cost") and not line.quiet]
    assert len(lines) > 4
    told_so = r"(Mika|Rui): COST in stock \d+ of PP \d+(, one COST from defeat)?"
    assert all(re.fullmatch(told_so, line.text) for line in lines)


def test_declared_counters_that_are_bookkeeping_are_never_told():
    said = [words("en", "monbattle").get(f"counter.{name}") for name in NEVER]
    assert not any(text in line.text for game in GAMES for line in told(game) if not line.quiet for text in said)
