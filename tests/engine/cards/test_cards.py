"""Card files, the card linter, and what the shipped set of Live On holds."""

import tomllib
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from engine.cards import linter
from engine.cards.files import CardError, card_from, read_set, read_sets
from engine.effects.abilities import Ability, Activated, Effect, Passive, Reaction, Regenerate, Triggered
from engine.effects.instruction import Instruction
from engine.effects.kinds import KINDS
from engine.effects.kinds.change import Change
from engine.effects.kinds.special import Special
from engine.effects.language import Amount, Cost, Select, When
from engine.rulebooks import registry
from engine.rulebooks.liveon import checks as liveon
from engine.rulebooks.liveon.card import COLOURS, KEYWORDS, MOMENTS, LiveOnCard, LiveOnDefinition
from engine.words import LANGUAGES

FOLDER = Path(liveon.__file__).parent / "cards" / "emb"
RULESET = tomllib.loads((FOLDER.parent.parent / "ruleset.toml").read_text("utf-8"))
CARDS = read_set(FOLDER, LiveOnCard)[1]
SHIPPED = {code: LiveOnDefinition(card) for code, card in CARDS.items()}
ABILITIES = [a for card in CARDS.values() for a in card.ability]
COLOUR = {"colour": "red"}


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


def test_every_word_of_the_effect_language_is_used():
    written = {type(i) for i in parts(ABILITIES, Instruction)}
    for_players = {Change}  # Live On's players have no numbers of their own
    assert written == set(KINDS.values()) - for_players - {Special}
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


# --- faults -------------------------------------------------------------------------------------------------


def body(*abilities, code="T-001", **fields):
    card = {
        "code": code, "name": {"en": f"Test {code}"}, "kind": "monster", "colour": "red", "power": {"red": 1},
        "pow": 1000, "rarity": "C", "race": {"en": "Beast"}, "ability": list(abilities), **fields,
    }
    return LiveOnDefinition(card_from(card, LiveOnCard, "test"))


def skill(*abilities, **fields):
    return body(*abilities, kind="skill", pow=0, race={}, **fields)


def findings(*definitions):
    return [(p.rule, p.field) for p in linter.lint({d.code: d for d in definitions}, liveon.VOCABULARY)]


def triggered(*then, on="lived", **fields):
    return {"ability": "triggered", "on": on, "then": list(then), **fields}


def activated(*then, **fields):
    return {"ability": "activated", "then": list(then), **fields}


def effect(*then, **fields):
    return {"ability": "effect", "then": list(then), **fields}


def passive(**fields):
    return {"ability": "passive", "name": "pow", "add": 500, **fields}


BURST = {"do": "burst"}
A_LINE = {"zone": ["a"]}
HIDDEN_MONSTERS = {"zone": ["hand"], "of": "other", "is": {"kind": "monster"}}
DRAW = {"do": "draw"}
AT = "ability[0]"


@pytest.mark.parametrize(
    ("ability", "rule", "field"),
    [
        (triggered(BURST, on="livd"), "unknown-word", f"{AT}.on"),
        (triggered({"do": "add", "what": "self", "name": "power", "n": 500}), "unknown-word", f"{AT}.then[0].name"),
        (
            triggered({"do": "set", "what": "self", "name": "rush", "duration": "game"}),
            "unknown-word", f"{AT}.then[0].duration",
        ),
        (triggered({"do": "move", "what": "self", "zone": "grave"}), "unknown-word", f"{AT}.then[0].zone"),
        (triggered({"do": "move", "what": "self", "zone": "stack"}), "unknown-word", f"{AT}.then[0].zone"),
        (triggered({"do": "special", "name": "flood"}), "unknown-word", f"{AT}.then[0].name"),
        (triggered({"do": "change", "name": "life", "n": 1}), "unknown-word", f"{AT}.then[0].name"),
        (triggered(BURST, when={"phase": "combat"}), "unknown-word", f"{AT}.when.phase"),
        (triggered(BURST, when={"count": {"zone": ["field"]}}), "unknown-word", f"{AT}.when.count.zone"),
        (triggered(BURST, when={"count": {"is": {"color": "red"}}}), "unknown-word", f"{AT}.when.count.is"),
        (triggered(BURST, when={"count": {"is": {"race": "Best"}}}), "unknown-word", f"{AT}.when.count.is.race"),
        (triggered(BURST, when={"count": {"name": "Nobody"}}), "unknown-word", f"{AT}.when.count.name"),
        (triggered(BURST, when={"count": {"at_least": {"power": 1}}}), "unknown-word", f"{AT}.when.count.at_least"),
        (triggered(BURST, when={"not": {"not": {"phase": "x"}}}), "unknown-word", f"{AT}.when.not.not.phase"),
        (triggered(BURST, when={}), "never-matters", f"{AT}.when"),
        (triggered(BURST, when={"at_least": 2}), "never-matters", f"{AT}.when"),
        (triggered(BURST, when={"fits": {"exhausted": True}}), "never-matters", f"{AT}.when.fits"),
        (triggered(BURST, on="turn_began", fits={"is": COLOUR}), "never-matters", f"{AT}.fits"),
        (triggered({"do": "destroy", "what": "target"}), "slot", f"{AT}.then[0].what"),
        (triggered({"do": "destroy", "what": "own"}), "slot", f"{AT}.then[0].what"),
        (triggered({"do": "destroy", "what": "it"}, on="turn_began"), "slot", f"{AT}.then[0].what"),
        (
            triggered(
                {"do": "may", "then": [{"do": "choose", "from": A_LINE}]}, {"do": "destroy", "what": "chosen"}
            ),
            "slot", f"{AT}.then[1].what",
        ),
        (
            triggered(
                {"do": "each", "what": A_LINE, "then": [{"do": "destroy", "what": "each"}]},
                {"do": "destroy", "what": "each"},
            ),
            "slot", f"{AT}.then[1].what",
        ),
        (triggered(BURST, targets=[{"from": A_LINE}]), "unused", f"{AT}.targets[0]"),
        (
            triggered({"do": "destroy", "what": "it"}, targets=[{"from": A_LINE, "slot": "it"}]),
            "slot", f"{AT}.targets[0].slot",
        ),
        (triggered({"do": "cancel", "what": "it"}), "slot", f"{AT}.then[0].what"),
        (
            triggered({"do": "destroy", "what": "target"}, targets=[{"from": {"zone": ["stack"]}}]),
            "slot", f"{AT}.then[0].what",
        ),
        (triggered({"do": "destroy", "what": {"zone": ["stack"]}}), "zone", f"{AT}.then[0].what.zone"),
        (
            triggered({"do": "destroy", "what": {"zone": ["discard"]}}),
            "never-matters", f"{AT}.then[0].what.zone",
        ),
        (triggered({"do": "draw", "n": 0}), "no-effect", f"{AT}.then[0].n"),
        (triggered({"do": "damage", "what": "self", "n": -500}), "no-effect", f"{AT}.then[0].n"),
        (triggered(), "no-effect", f"{AT}.then"),
        (triggered({"do": "may", "then": []}), "no-effect", f"{AT}.then[0].then"),
        (triggered({"do": "draw", "n": {"times": 2}}), "amount", f"{AT}.then[0].n"),
        (triggered({"do": "draw", "n": {"times": 0, "count": A_LINE}}), "never-matters", f"{AT}.then[0].n.times"),
        (triggered({"do": "draw", "n": {"value": "speed"}}), "unknown-word", f"{AT}.then[0].n.value"),
        (
            {"ability": "activated", "cost": [{"pay": "discard", "from": {"zone": ["deck"]}}], "then": [DRAW]},
            "unseen", f"{AT}.cost[0].from",
        ),
        (
            {"ability": "activated", "when": {"count": HIDDEN_MONSTERS}, "then": [DRAW]},
            "unseen", f"{AT}.when.count",
        ),
        (triggered({"do": "draw", "n": {"count": HIDDEN_MONSTERS}}), "unseen", f"{AT}.then[0].n.count"),
        (
            triggered({"do": "choose", "from": {"zone": ["deck"], "of": "own"}}),
            "unseen", f"{AT}.then[0].from",
        ),
        (
            triggered({"do": "choose", "from": {"zone": ["hand"], "of": "other"}}),
            "unseen", f"{AT}.then[0].from",
        ),
        (triggered({"do": "choose", "from": A_LINE, "n": 0}), "no-effect", f"{AT}.then[0].n"),
        (passive(name="damage"), "unknown-word", f"{AT}.name"),
        (passive(what={"at_least": {"pow": 2000}}), "circular", f"{AT}.what"),
        (passive(add={"count": {"at_most": {"pow": 2000}}}), "circular", f"{AT}.add.count"),
        (passive(add={"value": "pow"}), "circular", f"{AT}.add.value"),
        (passive(when={"not": {"count": {"at_least": {"rush": 1}}}}), "circular", f"{AT}.when.not.count"),
        (passive(what="it"), "slot", f"{AT}.what"),
        (passive(what={"zone": ["hand"]}), "never-matters", f"{AT}.what.zone"),
        (passive(add=0), "no-effect", AT),
        (passive(set=1), "never-matters", f"{AT}.add"),
        (activated(BURST, cost=[{"pay": "discard"}]), "cost", f"{AT}.cost[0]"),
        (
            activated(BURST, cost=[{"pay": "discard", "from": {"of": "other"}}]),
            "cost", f"{AT}.cost[0].from.of",
        ),
        (activated(BURST, cost=[{"pay": "exhaust", "from": A_LINE}]), "never-matters", f"{AT}.cost[0].from"),
        (activated(BURST, cost=[{"pay": "exhaust", "n": 2}]), "never-matters", f"{AT}.cost[0].n"),
        (activated(BURST, cost=[{"pay": "mill", "n": 0}]), "no-effect", f"{AT}.cost[0].n"),
        ({"ability": "regenerate", "cost": [{"pay": "exhaust"}, {"pay": "mill"}]}, "cost", f"{AT}.cost"),
        (
            {"ability": "regenerate", "cost": [{"pay": "discard", "from": {"zone": ["hand"]}, "n": 2}]},
            "cost", f"{AT}.cost[0].n",
        ),
        (effect(BURST), "never-matters", AT),
    ],
)
def test_the_linter_finds_the_fault_and_its_place(ability, rule, field):
    assert findings(body(ability)) == [(rule, field)]


def test_a_skill_does_one_thing_and_nothing_that_needs_the_table():
    assert findings(skill()) == [("no-effect", "ability")]
    assert findings(skill(effect(BURST), effect(BURST))) == [("never-matters", "ability[1]")]
    assert findings(skill(effect(BURST), passive())) == [("never-matters", "ability[1]")]


def test_an_activated_ability_stands_where_its_use_can_be_counted():
    three = [triggered(BURST)] * 3
    assert findings(body(*three, activated(BURST, cost=[{"pay": "exhaust"}]))) == [("place", "ability[3]")]


def test_the_finding_names_file_card_and_field_and_what_would_be_right():
    wrong = body(triggered(BURST, on="destroid"))
    (problem,) = linter.lint({wrong.code: wrong}, liveon.VOCABULARY, {"T-001": "mine/red.toml"})
    assert str(problem) == (
        "mine/red.toml, T-001, ability[0].on: there is no moment 'destroid'; did you mean 'destroyed'? (unknown-word)"
    )


def test_problems_of_printed_fields_are_located_too():
    found = linter.located(liveon.problems({"T-001": body(pow=0)}), {"T-001": "mine/red.toml"})
    assert [p.file for p in found] == ["mine/red.toml"]


def test_files_of_says_where_each_card_stands():
    files = linter.files_of(FOLDER)
    assert set(files) == set(CARDS)
    assert Path(files["EMB-001"]).name == "red.toml"


# --- cycles -------------------------------------------------------------------------------------------------

STAND = {"do": "exhaust", "exhausted": False}
DOWN = [{"pay": "exhaust"}]
FROM_DISCARD = {"zone": ["discard"], "of": "own"}


def back(zone, **select):
    return [
        {"do": "choose", "from": {**FROM_DISCARD, **select}},
        {"do": "move", "what": "chosen", "zone": zone},
    ]


def test_a_cost_that_its_own_effect_undoes():
    cycle = [("cycle", AT)]
    targets = [{"from": {"zone": ["a"], "of": "own"}}]
    other = [{"from": {"zone": ["a"], "of": "own", "another": True}}]
    assert findings(body(activated({**STAND, "what": "self"}, cost=DOWN))) == cycle
    assert findings(body(activated({**STAND, "what": {"of": "own"}}, cost=DOWN))) == cycle
    assert findings(body(activated({**STAND, "what": "target"}, cost=DOWN, targets=targets))) == cycle
    assert findings(body(activated({**STAND, "what": "target"}, cost=DOWN, targets=other))) == []
    assert findings(body(activated({**STAND, "what": {"is": {"colour": "blue"}}}, cost=DOWN))) == []


def test_a_cost_that_comes_back_from_the_discard_pile():
    hand = [{"pay": "discard", "from": {"zone": ["hand"], "of": "own"}}]
    mill = [{"pay": "mill"}]
    assert findings(body(activated(*back("hand"), cost=hand))) == [("cycle", AT)]
    assert findings(body(activated(*back("deck"), cost=mill))) == [("cycle", AT)]
    assert findings(body(activated(*back("hand"), cost=hand, once=True))) == []
    assert findings(body(activated(*back("hand"), cost=mill))) == []
    assert findings(body(activated(BURST, cost=hand))) == []


def test_a_card_that_brings_back_one_like_itself_when_lived():
    assert findings(body(triggered(*back("b")))) == [("cycle", AT)]
    assert findings(body(triggered(*back("b", at_most={"pow": 500})))) == []
    assert findings(body(triggered(*back("hand")))) == []


def test_a_card_that_leaves_and_comes_again_when_lived():
    again = [{"do": "move", "what": "self", "zone": "hand"}, {"do": "play", "what": "self"}]
    assert findings(body(triggered(*again))) == [("cycle", AT)]


def test_playing_on_from_the_hand_ends_with_the_hand():
    play = [{"do": "choose", "from": {"zone": ["hand"], "of": "own"}}, {"do": "play", "what": "chosen"}]
    assert findings(body(triggered(*play))) == []
    taking = [*play, {"do": "move", "what": {"zone": ["b"], "of": "own"}, "zone": "hand"}]
    assert findings(body(triggered(*taking))) == [("cycle", AT)]


def test_a_cycle_through_two_cards_is_reported_once():
    phoenix = body(triggered({"do": "move", "what": "self", "zone": "b"}, on="destroyed"))
    reaper = body(
        triggered({"do": "destroy", "what": {"of": "own", "is": COLOUR}}, whose="any"), code="T-002",
    )
    (problem,) = linter.lint({d.code: d for d in (phoenix, reaper)}, liveon.VOCABULARY)
    assert (problem.rule, problem.card) == ("cycle", "T-001")
    assert "Test T-001, Test T-002" in problem.text
    assert findings(phoenix) == []
    assert findings(reaper) == []


# --- what Live On says of printed fields --------------------------------------------------------------------


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


# --- card files ---------------------------------------------------------------------------------------------

SET = 'key = "T"\nversion = "1"\ngame = "liveon"\nname = { en = "Test" }\n'
CARD = """[[card]]
code = "T-001"
name = { en = "Ox" }
kind = "monster"
colour = "red"
power = { red = 1 }
pow = 1000
rarity = "C"
"""


def error(folder, cards, about=SET):
    (folder / "set.toml").write_text(about, "utf-8")
    (folder / "cards.toml").write_text(cards, "utf-8")
    with pytest.raises(CardError) as caught:
        read_set(folder, LiveOnCard)
    return str(caught.value)


def test_a_misspelt_effect_field_is_named_with_file_card_and_field(tmp_path):
    ability = '[[card.ability]]\nability = "triggered"\non = "lived"\nthen = [{ do = "draw", number = 2 }]\n'
    assert error(tmp_path, CARD + ability) == (
        f"{tmp_path / 'cards.toml'}: card T-001: ability[0].then[0] has no field `number`; "
        "check its spelling against the schema (`cardfold cards schema`)"
    )


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (CARD.replace('"red"', '"green"'), "card T-001: colour: invalid enum value 'green'"),
        (CARD.replace("pow = 1000", 'pow = "1000"'), "card T-001: pow: expected `int`, got `str`"),
        (CARD.replace('rarity = "C"\n', ""), "card T-001: the card itself: object missing required field `rarity`"),
        (CARD.replace('en = "Ox"', 'ja = "Ox"'), "card T-001: `name` needs at least the language en"),
        (CARD.replace('en = "Ox"', 'en = "Ox", fr = "Bœuf"'), "`name` has the language 'fr'"),
        (CARD + CARD, "the code T-001 stands twice"),
        (CARD + '[[card.ability]]\nability = "haste"\n', "card T-001: ability[0].ability: invalid value 'haste'"),
        ("[[cards]]\n", "a card file holds [[card]] tables and nothing else"),
        ("card = 3\n", "a card file holds [[card]] tables and nothing else"),
        ("[[card]\n", "cannot be read as TOML"),
        ("card = " + "[" * 20_000, "cannot be read as TOML"),
        ("card = " + "9" * 10_000, "cannot be read as TOML"),
        ("", "a card file holds [[card]] tables and nothing else"),
    ],
)
def test_a_card_file_that_cannot_be_used_is_a_sentence(tmp_path, cards, words):
    text = error(tmp_path, cards)
    assert text.startswith(str(tmp_path / "cards.toml"))
    assert words in text


def test_a_set_without_its_own_file_or_without_cards_is_a_sentence(tmp_path):
    with pytest.raises(CardError, match=r"set\.toml: there is no such file"):
        read_set(tmp_path, LiveOnCard)
    (tmp_path / "set.toml").write_text(SET, "utf-8")
    with pytest.raises(CardError, match="no cards"):
        read_set(tmp_path, LiveOnCard)
    assert "has no field `vesion`" in error(tmp_path, CARD, SET + 'vesion = "2"\n')


def test_a_set_that_is_named_twice_is_read_once_and_two_sets_have_two_keys(tmp_path, monkeypatch):
    for name, about in (("one", SET), ("two", SET), ("three", SET.replace('"T"', '"U"'))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "set.toml").write_text(about, "utf-8")
        (tmp_path / name / "cards.toml").write_text(CARD, "utf-8")
    monkeypatch.chdir(tmp_path)
    sets, cards = read_sets([tmp_path / "one", Path("one"), Path("two", "..", "one")], LiveOnCard, "liveon")
    assert [s.key for s in sets] == ["T"] and list(cards) == ["T-001"]
    with pytest.raises(CardError, match=r"two.set\.toml: there is a set 'T' already; give this one its own key"):
        read_sets([Path("one"), Path("two")], LiveOnCard, "liveon")
    with pytest.raises(CardError, match=r"three: the code T-001 is another set's"):
        read_sets([Path("one"), Path("three")], LiveOnCard, "liveon")


@pytest.mark.parametrize("key", registry.GAMES)
def test_the_folder_of_a_shipped_set_may_be_named_as_well(key):
    shipped = registry.load(key)
    folders = tuple(path.parent for path in (shipped.folder / "cards").glob("*/set.toml"))
    assert registry.load(key, folders).card_sets == shipped.card_sets
