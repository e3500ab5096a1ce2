"""The card linter finds each fault, and says where it is and what would be right."""

from pathlib import Path

import pytest

from engine.cards import linter
from engine.cards.files import read_set
from engine.rulebooks.liveon import checks as liveon
from engine.rulebooks.liveon.card import LiveOnCard
from tests.engine.cards.faulty import (
    A_LINE,
    AT,
    BURST,
    COLOUR,
    DRAW,
    HIDDEN_MONSTERS,
    activated,
    body,
    effect,
    findings,
    passive,
    skill,
    triggered,
)

FOLDER = Path(liveon.__file__).parent / "cards" / "emb"
CARDS = read_set(FOLDER, LiveOnCard)[1]


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
    files = linter.card_files(FOLDER)
    assert set(files) == set(CARDS)
    assert Path(files["EMB-001"]).name == "red.toml"
