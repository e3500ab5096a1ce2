"""What the shipped set of Live On holds, and what Live On says of printed fields."""

import tomllib
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from engine.cards import linter
from engine.cards.files import read_set
from engine.effects.abilities import Ability, Activated, Effect, Passive, Reaction, Regenerate, Triggered
from engine.effects.language import Amount, Cost, Select, When
from engine.rulebooks.liveon import checks as liveon
from engine.rulebooks.liveon.card import COLOURS, KEYWORDS, MOMENTS, LiveOnCard, LiveOnDefinition
from engine.words import LANGUAGES
from tests.engine.cards.faulty import (
    body,
)

FOLDER = Path(liveon.__file__).parent / "cards" / "emb"
RULESET = tomllib.loads((FOLDER.parent.parent / "ruleset.toml").read_text("utf-8"))
CARDS = read_set(FOLDER, LiveOnCard)[1]
SHIPPED = {code: LiveOnDefinition(card) for code, card in CARDS.items()}
ABILITIES = [a for card in CARDS.values() for a in card.ability]


def parts(of, kind):
    """All structs of a kind within another struct or sequence."""
    found = [of] if isinstance(of, kind) else []
    if isinstance(of, msgspec.Struct):
        of = [getattr(of, field) for field in of.__struct_fields__]
    if isinstance(of, (list, tuple)):
        found += [part for inner in of for part in parts(inner, kind)]
    return found


def with_ability(kind):
    return [c for c in CARDS.values() if any(isinstance(a, kind) for a in c.ability)]


# --- the shipped set ----------------------------------------------------------------------------------------


def test_the_set_is_large_enough_and_even():
    assert len(CARDS) >= 72
    colours = Counter(c.colour for c in CARDS.values())
    assert set(colours) == set(COLOURS)
    assert max(colours.values()) - min(colours.values()) <= 1
    assert {c.rarity for c in CARDS.values()} == {"C", "U", "R", "VR", "SR", "MR"}
    fighters = Counter(c.colour for c in CARDS.values() if c.kind == "fighter")
    assert all(fighters[colour] >= 3 for colour in COLOURS)
    assert {c.kind for c in CARDS.values()} == {"fighter", "monster", "skill"}


def test_every_card_is_named_in_four_languages_and_no_name_stands_twice():
    assert all(set(c.name) == set(LANGUAGES) and all(c.name.values()) for c in CARDS.values())
    assert all(set(c.race) in (set(), set(LANGUAGES)) for c in CARDS.values())
    for language in LANGUAGES:
        names = Counter(c.name[language] for c in CARDS.values())
        assert [name for name, n in names.items() if n > 1] == []
    assert sum(bool(c.flavour.get("en")) for c in CARDS.values()) > len(CARDS) / 2
    races = {frozenset(c.race.items()) for c in CARDS.values() if c.race}
    assert len(races) == len({dict(race)["en"] for race in races})


def test_every_keyword_stands_on_three_cards():
    for keyword in KEYWORDS:
        assert sum(keyword in c.keywords for c in CARDS.values()) >= 3, keyword
    assert sum(c.star for c in CARDS.values()) >= 3
    assert len(with_ability(Reaction)) >= 3
    assert sum(bool(a.cost) for a in ABILITIES if isinstance(a, Regenerate)) >= 3
    assert sum(not a.cost for a in ABILITIES if isinstance(a, Regenerate)) >= 3
    assert len({c.live_change for c in CARDS.values()} - {None}) >= 4


def test_thirty_cards_do_more_than_keywords():
    assert len(with_ability((Activated, Triggered, Passive, Effect))) >= 30


def test_every_sort_of_ability_cost_amount_and_condition_is_used():
    assert {type(a) for a in ABILITIES} == set(Ability.__subclasses__())
    assert {a.on for a in ABILITIES if isinstance(a, Triggered)} == set(MOMENTS)
    assert {c.pay for c in parts(ABILITIES, Cost)} == {"exhaust", "discard", "mill"}
    paid_from = {c.from_.zone for c in parts(ABILITIES, Cost) if c.from_}
    assert ("hand",) in paid_from and paid_from & {(), ("a", "b")}
    amounts = parts(ABILITIES, Amount)
    assert any(a.count for a in amounts) and any(a.value for a in amounts)
    for kind in (When, Select):
        for field in kind.__struct_fields__:
            assert any(getattr(part, field) not in (None, (), {}, False) for part in parts(ABILITIES, kind)), field


def test_values_run_evenly_from_small_to_large():
    bodies = [d for d in SHIPPED.values() if d.kind != "skill"]
    assert {d.stats["pow"] % 500 for d in bodies} == {0}
    assert min(d.stats["pow"] for d in bodies) == 1000 and max(d.stats["pow"] for d in bodies) == 7000
    assert {d.needs for d in SHIPPED.values()} <= {1, 2, 3, 4, 5, 6}
    assert 0.25 <= sum(d.needs == 1 for d in SHIPPED.values()) / len(SHIPPED) <= 0.4


def test_the_linter_has_nothing_to_say_about_the_shipped_set():
    assert linter.lint(SHIPPED, liveon.VOCABULARY) == []
    assert liveon.problems(SHIPPED) == []


def test_the_vocabulary_is_that_of_the_rulebook():
    words = liveon.VOCABULARY
    assert words.zones == {zone["name"]: zone["visible_to"] for zone in RULESET["zones"]}
    assert words.table == {zone["name"] for zone in RULESET["zones"] if zone.get("table")}
    assert words.durations == set(RULESET["durations"]) - {"while"}
    assert words.phases == {phase["name"] for phase in RULESET["phases"]} - {"set_up"}
    counters = {counter["name"] for counter in RULESET["counters"]}
    assert words.stats == {name for name in counters if not name.startswith("used_")}
    assert words.activated == len(counters - words.stats)


# --- printed fields -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "rule", "field"),
    [
        ({"pow": 0}, "LO-37", "pow"),
        ({"pow": -500}, "LO-37", "pow"),
        ({"race": {}}, "LO-02", "race"),
        ({"kind": "fighter"}, "LO-02", "race"),
        ({"power": {}}, "LO-05", "power"),
        ({"power": {"red": 2, "any": -1}}, "LO-05", "power"),
        ({"keywords": {"burst": 1}}, "LO-36", "keywords.burst"),
        ({"keywords": {"rush": 2}}, "LO-50", "keywords.rush"),
        ({"live_change": "Nobody"}, "LO-52", "live_change"),
        ({"kind": "fighter", "race": {}, "live_change": "Hero"}, "LO-52", "live_change"),
        ({"kind": "skill", "race": {}}, "LO-02", "pow"),
        ({"kind": "skill", "race": {}, "pow": 0, "star": True}, "LO-02", "star"),
        (
            {"live_change": "Hero", "ability": [{"ability": "reaction", "then": [{"do": "play", "what": "self"}]}]},
            "LO-52", "ability[0].then[0]",
        ),
    ],
)
def test_printed_fields_that_make_no_card(fields, rule, field):
    hero = body(code="T-002", kind="fighter", race={}, name={"en": "Hero"})
    wrong = body(**fields)
    assert [(p.rule, p.field) for p in liveon.problems({"T-001": wrong, "T-002": hero})] == [(rule, field)]


def test_a_live_change_onto_a_misspelt_fighter_names_the_right_one():
    wrong = body(live_change="Tessa Quarykin")
    (problem,) = liveon.problems({**SHIPPED, "T-001": wrong})
    assert problem.text == "there is no fighter 'Tessa Quarykin'; did you mean 'Tessa Quarrykin'?"
