"""Each atom of an effect in words: instructions, conditions, passive abilities, moments."""

from __future__ import annotations

import re
from itertools import permutations

import msgspec
import pytest
from msgspec import structs

from engine.cards.rules_text import rules_text
from engine.effects.abilities import AnyAbility
from engine.effects.kinds import EFFECT_KINDS
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from engine.words import LANGUAGES
from tests.engine.effects.texts import LEFT_OVER, effect, line

A_LINE = {"zone": ["a"], "of": "other"}
AIM = {"targets": [{"from": A_LINE}]}
IN_HAND = {"zone": ["hand"], "of": "own"}

INSTRUCTIONS: dict[str, list[tuple[dict, str]]] = {
    "draw": [
        (effect({"do": "draw"}), "Draw a card."),
        (effect({"do": "draw", "n": 2, "who": "other"}), "Your opponent draws 2 cards."),
        (
            effect({"do": "draw", "n": {"count": IN_HAND}, "who": "any"}),
            "Each player draws as many cards as the number of cards in your hand.",
        ),
    ],
    "burst": [
        (effect({"do": "burst", "who": "own"}), "Burst your deck for 1."),
        (
            effect({"do": "burst", "n": {"plus": -1, "times": 2, "count": A_LINE}}),
            "Burst your opponent's deck for 2 × the number of cards on your opponent's A line − 1.",
        ),
    ],
    "mill": [
        (effect({"do": "mill"}), "Discard the top card of your opponent's deck."),
        (effect({"do": "mill", "n": 3, "who": "any"}), "Discard the top 3 cards of each player's deck."),
    ],
    "damage": [
        (effect({"do": "damage", "what": A_LINE, "n": 500}), "Deal 500 damage to each card on your opponent's A line."),
        (
            effect({"do": "damage", "what": "attacker", "n": {"value": "pow", "of": "target"}}, **AIM),
            "Choose a card on your opponent's A line. Deal damage equal to the POW of that card to the attacking card.",
        ),
    ],
    "destroy": [
        (
            effect({"do": "destroy", "what": "target"}, targets=[{"from": {"of": "any"}, "n": 2, "up_to": True}]),
            "Destroy up to 2 cards on any field.",
        ),
    ],
    "move": [
        (
            effect({"do": "move", "what": "target", "zone": "hand"}, {"do": "destroy", "what": "target"}, **AIM),
            "Put a card on your opponent's A line into your opponent's hand. Destroy that card.",
        ),
        (
            effect({"do": "move", "what": IN_HAND, "zone": "deck", "at": "bottom"}),
            "Put each card from your hand on the bottom of your deck.",
        ),
        (
            effect({"do": "move", "what": {"zone": ["a", "b"], "of": "any"}, "zone": "hand"}),
            "Put each card on any field into its owner's hand.",
        ),
        (
            effect({"do": "move", "what": {"zone": ["hand", "discard"], "of": "own"}, "zone": "under"}),
            "Put each card from your hand or from your discard pile into your under a Live Change.",
        ),
    ],
    "play": [
        (
            effect(
                {"do": "choose", "from": {**IN_HAND, "name": "Clay Trooper"}},
                {"do": "play", "what": "chosen"},
            ),
            "Live a card named Clay Trooper from your hand.",
        ),
    ],
    "exhaust": [
        (effect({"do": "exhaust", "what": "self", "exhausted": False}), "Make this stand up."),
        (
            effect(
                {"do": "exhaust", "what": "target", "exhausted": True},
                targets=[{"from": {**A_LINE, "exhausted": False}}],
            ),
            "Make a standing card on your opponent's A line go down.",
        ),
    ],
    "add": [
        (
            effect({"do": "add", "what": "target", "name": "pow", "n": -500}, **AIM),
            "Give −500 POW to a card on your opponent's A line until end of turn.",
        ),
        (
            effect({"do": "add", "what": "self", "name": "pow", "n": {"times": 500, "count": A_LINE}}),
            "Give this +500 POW for each card on your opponent's A line until end of turn.",
        ),
    ],
    "set": [
        (
            effect(
                {"do": "add", "what": "self", "name": "pow", "n": 500},
                {"do": "set", "what": "self", "name": "rush"},
                {"do": "set", "what": "self", "name": "burst", "value": 3},
            ),
            "Give this +500 POW, Rush and Burst 3 until end of turn.",
        ),
        (
            effect({"do": "set", "what": A_LINE, "name": "stealth", "value": 0}),
            "Take Stealth from each card on your opponent's A line until end of turn.",
        ),
        (
            effect({"do": "set", "what": "attacked", "name": "pow", "value": 1000}),
            "Set the base POW of the attacked card to 1000 until end of turn.",
        ),
    ],
    "change": [
        (effect({"do": "change", "name": "damage", "n": 2}), "Raise your damage by 2."),
        (effect({"do": "change", "name": "damage", "n": -2, "who": "any"}), "Lower each player's damage by 2."),
        (
            effect({"do": "change", "name": "damage", "n": {"count": A_LINE}, "who": "other"}),
            "Raise your opponent's damage by the number of cards on your opponent's A line.",
        ),
    ],
    "choose": [
        (
            effect(
                {"do": "choose", "from": {"zone": ["hand"], "of": "other"}, "by": "other"},
                {"do": "draw"},
                {"do": "reveal", "what": "chosen"},
            ),
            "Your opponent chooses a card in their hand. Draw a card. Show that card.",
        ),
        (
            effect({"do": "choose", "from": IN_HAND, "n": 2}, {"do": "draw"}, {"do": "reveal", "what": "chosen"}),
            "Choose 2 cards in your hand. Draw a card. Show those cards.",
        ),
    ],
    "each": [
        (
            effect({"do": "each", "what": A_LINE, "then": [{"do": "destroy", "what": "each"}]}),
            "Destroy each card on your opponent's A line.",
        ),
        (
            effect({"do": "each", "what": A_LINE, "then": [{"do": "draw"}, {"do": "destroy", "what": "each"}]}),
            "For each card on your opponent's A line, draw a card and destroy that card.",
        ),
    ],
    "if": [
        (
            effect(
                {
                    "do": "if",
                    "when": {"count": {"of": "own", "is": {"colour": "red"}}, "at_least": 5},
                    "then": [{"do": "burst", "n": 3}],
                    "otherwise": [{"do": "draw"}],
                }
            ),
            "If there are at least 5 red cards on your field, burst your opponent's deck for 3. "
            "Otherwise, draw a card.",
        ),
    ],
    "may": [
        (
            effect(
                {
                    "do": "may",
                    "then": [{"do": "draw"}, {"do": "burst"}, {"do": "mill"}],
                    "otherwise": [
                        {"do": "draw", "n": 2},
                    ],
                }
            ),
            "You may draw a card, burst your opponent's deck for 1 and discard the top card of your opponent's deck. "
            "If you do not, draw 2 cards.",
        ),
    ],
    "cancel": [
        (
            effect({"do": "cancel"}, targets=[{"from": {"zone": ["stack"], "of": "other", "is": {"kind": "skill"}}}]),
            "Cancel a skill of your opponent on the pile.",
        ),
    ],
    "end_attack": [(effect({"do": "end_attack"}), "End the attack.")],
    "reveal": [(effect({"do": "reveal", "what": IN_HAND}), "Show each card in your hand.")],
    "shuffle": [(effect({"do": "shuffle", "who": "other"}), "Shuffle your opponent's deck.")],
    "special": [(effect({"do": "special", "name": "turn_the_tide"}), "Turn the tide.")],
}


def test_an_example_stands_for_each_instruction() -> None:
    assert set(INSTRUCTIONS) == set(EFFECT_KINDS)


@pytest.mark.parametrize(("ability", "said"), [pair for pairs in INSTRUCTIONS.values() for pair in pairs])
def test_each_instruction_in_english(ability: dict, said: str) -> None:
    assert line(ability) == said


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_each_instruction_in_the_other_languages(language: str) -> None:
    said = [line(ability, language) for pairs in INSTRUCTIONS.values() for ability, _ in pairs]
    allowed = {"POW", "A", "Live", "Burst", "Clay", "Trooper"}
    assert [s for s in said if LEFT_OVER.search(s) or set(re.findall("[A-Za-z]+", s)) - allowed] == [said[-1]]
    assert len(set(said)) == len(said)


CONDITIONS = [
    ({"turn": "other"}, "On your opponent's turn, draw a card."),
    ({"phase": "live", "turn": "other"}, "In the live phase of your opponent's turn, draw a card."),
    ({"not": {"phase": "live"}}, "Outside the live phase, draw a card."),
    ({"not": {"turn": "own"}}, "On your opponent's turn, draw a card."),
    ({"count": IN_HAND}, "If there is a card in your hand, draw a card."),
    ({"count": IN_HAND, "at_most": 0}, "If there is no card in your hand, draw a card."),
    ({"count": IN_HAND, "at_most": 1}, "If there is at most 1 card in your hand, draw a card."),
    ({"count": IN_HAND, "at_least": 2, "at_most": 2}, "If there are exactly 2 cards in your hand, draw a card."),
    ({"count": IN_HAND, "at_least": 2, "at_most": 4}, "If there are 2 to 4 cards in your hand, draw a card."),
    ({"not": {"count": IN_HAND, "at_least": 3}}, "If there are at most 2 cards in your hand, draw a card."),
    ({"not": {"count": IN_HAND, "at_most": 3}}, "If there are at least 4 cards in your hand, draw a card."),
    ({"slot": "attacker"}, "If a card is attacking, draw a card."),
    ({"not": {"slot": "attacker"}}, "If no card is attacking, draw a card."),
    ({"slot": "self", "fits": {"exhausted": True}}, "If this is down, draw a card."),
    ({"not": {"slot": "self", "fits": {"exhausted": True}}}, "If this is standing, draw a card."),
    ({"slot": "self", "fits": {"zone": ["a"]}}, "If this is on your A line, draw a card."),
    (
        {"slot": "attacker", "fits": {"is": {"kind": "monster", "colour": "blue"}, "at_least": {"burst": 2}}},
        "If the attacking card is a blue monster with Burst 2 or more, draw a card.",
    ),
    (
        {"slot": "attacker", "fits": {"at_least": {"stealth": 1}, "at_most": {"rush": 0}}},
        "If the attacking card is a card with Stealth and without Rush, draw a card.",
    ),
    (
        {"turn": "own", "count": {"of": "own", "another": True}, "at_least": 2, "slot": "attacked"},
        "On your turn, if there are at least 2 other cards on your field and a card is being attacked, draw a card.",
    ),
    (
        {"not": {"turn": "own", "count": IN_HAND}},
        "If it is not so that on your turn, there is a card in your hand, draw a card.",
    ),
]


@pytest.mark.parametrize(("when", "said"), CONDITIONS)
def test_conditions(when: dict, said: str) -> None:
    assert line(effect({"do": "draw"}, when=when)) == said
    for language in LANGUAGES:
        assert not LEFT_OVER.search(line(effect({"do": "draw"}, when=when), language))


PASSIVES = [
    ({"name": "stealth", "set": 1}, "This has Stealth."),
    ({"name": "stealth", "set": 0}, "This does not have Stealth."),
    (
        {"name": "burst", "set": 3, "what": {"of": "own", "is": {"kind": "fighter"}}},
        "Each fighter on your field has Burst 3.",
    ),
    ({"name": "pow", "set": 2000}, "The base POW of this is 2000."),
    ({"name": "pow", "add": -500, "what": A_LINE}, "Each card on your opponent's A line has −500 POW."),
]


@pytest.mark.parametrize(("passive", "said"), PASSIVES)
def test_passive_abilities(passive: dict, said: str) -> None:
    assert line({"ability": "passive", **passive}) == said


MOMENT_LINES = [
    ("lived", "self", "When this is lived, draw a card."),
    ("lived", "other", "When a card on your opponent's field is lived, draw a card."),
    ("attacks", "any", "When a card on any field attacks, draw a card."),
    ("skill_played", "other", "When your opponent plays a skill, draw a card."),
    ("turn_began", "self", "At the start of your turn, draw a card."),
    ("turn_began", "any", "At the start of each turn, draw a card."),
]


@pytest.mark.parametrize(("on", "whose", "said"), MOMENT_LINES)
def test_moments(on: str, whose: str, said: str) -> None:
    assert line({"ability": "triggered", "on": on, "whose": whose, "then": [{"do": "draw"}]}) == said


# --- nothing is left out ------------------------------------------------------------------------------------


def told(game: Rulebook, *then: dict) -> str:
    """The rules text of an effect, on some card of the game that can have one."""
    printed = next(d.printed for d in game.cards.values() if d.effect is not None)
    with_effect = structs.replace(printed, ability=(msgspec.convert(effect(*then), AnyAbility),))
    return rules_text(with_effect, "en", book=game.rulebook)[-1]


def changes(game: Rulebook) -> list[dict]:
    """An instruction for each value of the game that cards can be given: more of it, this much, and none."""
    cards = {"of": "own"}
    names = sorted(game.vocabulary.values)
    add = [{"do": "add", "what": cards, "name": name, "n": n} for name in names for n in (2, -1)]
    be = [{"do": "set", "what": cards, "name": name, "value": value} for name in names for value in (0, 1, 3)]
    return [*add, *be, {"do": "draw"}, {"do": "destroy", "what": cards}]


@pytest.mark.parametrize("key", registry.GAMES)
def test_no_instruction_is_lost_beside_another_one(key: str) -> None:
    game = registry.load(key)
    alone = {told(game, step) for step in changes(game)}
    assert [pair for pair in permutations(changes(game), 2) if told(game, *pair) in alone] == []
