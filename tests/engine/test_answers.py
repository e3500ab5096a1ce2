"""No question without a legal answer, also with cards that nobody has designed: abilities dealt anew among the cards
of a kind, with other numbers of targets and costs. X-Card has more of it, for its ban lists, beside its rules.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import Any

import msgspec
import pytest

from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from events.kinds import CardSet, Seat
from tests.play import answerable, play


def dealt_anew(card_set: CardSet, random: Random) -> CardSet:
    """The set with each ability on some card of the same kind that had one of its sort, changed in its numbers."""
    cards: dict[str, dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(card_set.cards))
    there: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for card in cards.values():
        for ability in card.get("ability", ()):
            there[card["kind"], ability["ability"]].append(ability)
    for card in cards.values():
        for at, ability in enumerate(card.get("ability", ())):
            card["ability"][at] = changed(random.choice(there[card["kind"], ability["ability"]]), random)
    return msgspec.structs.replace(card_set, cards=cards)


def changed(ability: dict[str, Any], random: Random) -> dict[str, Any]:
    """The ability with other numbers of targets and costs, sometimes with one more cost."""
    new: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(ability))
    for target in new.get("targets", ()):
        target |= {"n": random.choice((1, 1, 2, 3)), "up_to": random.random() < 0.3}
    for cost in new.get("cost", ()):
        if cost["pay"] == "discard" and ability["ability"] != "regenerate":
            cost["n"] = random.choice((1, 1, 2, 3))
    if ability["ability"] in ("activated", "effect") and random.random() < 0.3:
        more = {"pay": "discard", "from": {"zone": ["hand"]}, "n": random.choice((1, 2))}
        new["cost"] = [*new.get("cost", ()), more]
    return new


def trial_seat(game: Rulebook, name: str, random: Random) -> Seat:
    return Seat(name, "random", game.trial_deck(random.sample(list(game.cards), 9), random.randrange))


@pytest.mark.parametrize("key", registry.GAMES)
@pytest.mark.parametrize("seed", range(30))
def test_every_question_has_a_legal_answer_whatever_the_abilities(key: str, seed: int) -> None:
    random = Random(seed)
    game = registry.game_type(key).from_sets(dealt_anew(s, random) for s in registry.load(key).card_sets)
    seats = trial_seat(game, "A", random), trial_seat(game, "B", random)
    match = game.begin(game.header(seats, {}, seed))
    play(match, seed, watch=answerable)
    assert match.state.result is not None
