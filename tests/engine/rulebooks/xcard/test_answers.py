"""No question without a legal answer: random cards with random ban lists, played at random, by decks of any kind.

Nothing here is checked by the linter or the rules of decks first: what strangers' logs hold is not either.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.cards.files import SetFile, card_from, set_line
from engine.core.match import UnanswerableError
from engine.core.tasks import Run
from engine.rulebooks.xcard.card import DIRECTIONS, ELEMENTS, XCardCard, XCardDefinition
from engine.rulebooks.xcard.rules import XCard
from events.kinds import DeckList, Frame, Seat
from tests.engine.rulebooks.xcard.effects import BREAK, NO_DRAW, TAKE, Table, atk, be, do, effect, field, player
from tests.engine.rulebooks.xcard.position import position
from tests.play import answerable, play

CHARACTERS, SKILLS, ITEMS = 14, 8, 8
STEPS: tuple[Table, ...] = (
    TAKE, BREAK, NO_DRAW, atk(300), be("shield_up", 0, "other"), be("fist_left", 1, "own"), be("element", 2, "any"),
    player("own", "draws", 1), player("own", "more_characters", 1), player("own", "more_skills", 2), do("draw", n=1),
    do("add", what="target", name="atk", n=-300), do("cancel", what="target"), do("destroy", what="target"),
    do("move", what="target", zone="w_discard"),
    do("may", then=[do("choose", **{"from": field(), "slot": "target"}), do("destroy", what="target")]),
)


def ability(random: Random) -> Table:
    """An effect with targets, costs and a condition as it comes."""
    step = random.choice(STEPS)
    more: dict[str, Any] = {}
    if step.get("what") == "target":
        limit = {"at_most": {"atk": 1200}} if random.random() < 0.4 else {}
        among = {"zone": ["stack"], "of": "other"} if step["do"] == "cancel" else field(_side(random), **limit)
        more["targets"] = [{"from": among, "n": random.choice((1, 1, 2)), "up_to": random.random() < 0.3}]
    if random.random() < 0.3:
        zones = [random.choice(("hand", "field", "w_discard")) for _ in range(random.choice((1, 1, 2)))]
        more["cost"] = [{"pay": "discard", "from": {"zone": [z]}, "n": random.choice((1, 1, 2))} for z in zones]
    if random.random() < 0.2:
        more["when"] = {"count": field(_side(random)), "at_least": 1}
    return effect(step, **more)


def _side(random: Random) -> str:
    return random.choice(("own", "other", "any"))


def card(random: Random, number: int) -> XCardCard:
    kind = "character" if number < CHARACTERS else "skill" if number < CHARACTERS + SKILLS else "item"
    raw: dict[str, Any] = {"code": f"T-{number:03}", "name": {"en": f"N{number}"}, "kind": kind}
    if kind != "item":
        ways = random.sample(DIRECTIONS, random.randrange(5))
        fists = random.randrange(len(ways) + 1)
        raw |= {"element": random.choice(ELEMENTS), "atk": random.randrange(400, 1800, 100)}
        raw |= {"fists": ways[:fists], "shields": ways[fists:]}
        if mark := random.choice((None, "cooperate", "link")):
            raw["mark"] = mark
    if kind == "character":
        raw |= {"def": 1000, "hp": 2000}
    elif kind == "item" or random.random() < 0.7:
        raw["ability"] = [ability(random)]
    if kind == "skill" and random.random() < 0.4:
        raw["own"] = f"N{random.randrange(CHARACTERS)}"
    made = card_from(raw, XCardCard, raw["code"])
    assert isinstance(made, XCardCard)
    return made


def any_game(random: Random) -> XCard:
    cards = [card(random, number) for number in range(CHARACTERS + SKILLS + ITEMS)]
    names = [c.name["en"] for c in cards]
    words = ("banned", "limited", "semi_limited", "leader_only")
    ban = {word: random.sample(names, random.randrange(6)) for word in words}
    line = set_line(SetFile("T", "1", "xcard", {"en": "Test cards"}), cards, {"ban": ban})
    return XCard([line], [XCardDefinition(c) for c in cards])


@pytest.mark.rule("XC-11", "XC-19", "XC-23")
@pytest.mark.parametrize("seed", range(240))
def test_every_question_has_a_legal_answer_whatever_the_cards(seed: int) -> None:
    random = Random(seed)
    game = any_game(random)
    decks = [DeckList("any", {code: random.randrange(1, 4) for code in game.cards}) for _ in (0, 1)]
    seats = (Seat("A", "random", decks[0]), Seat("B", "random", decks[1]))
    match = game.begin(game.header(seats, {"max_rounds": 12}, seed))
    play(match, seed, watch=answerable)
    assert match.state.result is not None


def test_a_question_without_an_answer_is_not_asked_but_told_as_a_fault() -> None:
    match = position("0  hand: Ox").match
    task = Run(Frame(0, 2, 0))
    with pytest.raises(UnanswerableError, match="'keep'"):
        match.ask(0, "keep", task, option_type="card", options=())
    with pytest.raises(UnanswerableError, match="'may'"):
        match.ask(0, "may", task, option_type="yes_no", optional=True)
    with pytest.raises(UnanswerableError, match="'window'"):
        match.ask_freely(0, "window", task, iter(()))
