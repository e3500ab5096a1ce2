"""What an effect would tell about hidden cards: the linter refuses it, and what it lets pass tells nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import pytest

from engine.cards import linter
from engine.rulebooks.liveon import checks
from engine.rulebooks.liveon.card import LiveOnCard, LiveOnDefinition
from engine.view import view
from events.kinds import CardIdentified
from events.record import encode
from tests.engine.rulebooks.liveon.abilities import (
    cards,
    discard,
    do,
    on,
    passive,
    reaction,
    regenerate,
    skill,
    used,
)
from tests.engine.rulebooks.liveon.position import Table, position

GOLEMS = cards("hand", of="own", race="Golem")
ANY = cards("hand", of="own")
HELD = {"count": GOLEMS}
DRAW = do("draw")
UNDER = do("move", what="target", zone="deck", at="bottom")
CHOSEN = {"slot": "chosen", "fits": cards(race="Golem")}


def choose(among: dict[str, Any] = GOLEMS, **fields: Any) -> dict[str, Any]:
    return do("choose", **{"from": among, **fields})


def throw(what: Any = "chosen") -> dict[str, Any]:
    return do("move", what=what, zone="discard")


def may(*then: dict[str, Any]) -> dict[str, Any]:
    return do("may", then=list(then))


def if_(when: dict[str, Any], *then: dict[str, Any]) -> dict[str, Any]:
    return do("if", when=when, then=list(then))


REVEAL = do("reveal", what="chosen")
STEPS: dict[str, tuple[bool, list[dict[str, Any]]]] = {
    "a condition": (True, [if_(HELD, DRAW)]),
    "the opposite of a condition": (True, [if_({"not": HELD}, DRAW)]),
    "a condition on what is optional": (True, [may(if_(HELD, DRAW))]),
    "an amount": (True, [do("draw", n={"count": GOLEMS})]),
    "an amount of POW": (True, [do("add", what="self", name="pow", n={"count": GOLEMS, "times": 100})]),
    "a loop": (True, [do("each", what=GOLEMS, then=[DRAW])]),
    "all of them moved": (True, [throw(GOLEMS)]),
    "a choice that is a must": (True, [choose(), throw()]),
    "a choice that can be declined": (False, [choose(up_to=True), throw()]),
    "an optional choice": (False, [may(choose(), throw())]),
    "an optional choice that plays": (False, [may(choose(), do("play", what="chosen"))]),
    "an optional choice that reveals": (False, [may(choose(), REVEAL)]),
    "whether one was chosen": (True, [choose(up_to=True), if_({"slot": "chosen"}, DRAW)]),
    "whether one was chosen and revealed": (False, [choose(up_to=True), REVEAL, if_({"slot": "chosen"}, DRAW)]),
    "whether one was chosen and thrown away": (False, [choose(up_to=True), throw(), if_({"slot": "chosen"}, DRAW)]),
    "which one was chosen": (True, [choose(ANY), if_(CHOSEN, DRAW)]),
    "which one was chosen and revealed": (False, [choose(ANY), REVEAL, if_(CHOSEN, DRAW)]),
    "which one goes under the deck": (True, [
        choose(ANY), do("move", what="chosen", zone="deck", at="bottom"), if_(CHOSEN, DRAW),
    ]),
    "the POW of the chosen one": (True, [
        choose(ANY), do("add", what="self", name="pow", n={"value": "pow", "of": "chosen"}),
    ]),
    "the POW of the chosen one, revealed": (False, [
        choose(ANY), REVEAL, do("add", what="self", name="pow", n={"value": "pow", "of": "chosen"}),
    ]),
    "which ones there are, each by itself": (True, [
        do("each", what=ANY, then=[if_({"slot": "each", "fits": cards(race="Golem")}, DRAW)]),
    ]),
    "how many cards there are": (False, [do("add", what="self", name="pow", n={"count": ANY, "times": 100})]),
    "any one that must be thrown away": (False, [choose(ANY), throw()]),
}
OTHERS: dict[str, tuple[bool, dict[str, Any]]] = {
    "a trigger's condition": (True, on("attacks", DRAW, when=HELD)),
    "the opposite of a trigger's condition": (True, on("attacks", DRAW, when={"not": HELD})),
    "a trigger's condition on what is optional": (True, on("attacks", may(DRAW), when=HELD)),
    "a trigger's target": (True, on("attacks", UNDER, targets=[{"from": GOLEMS}])),
    "a passive ability's condition": (True, passive("pow", add=100, when=HELD)),
    "a passive ability's amount": (True, passive("pow", add={"count": GOLEMS, "times": 100})),
    "a regeneration's condition": (True, regenerate(when=HELD)),
    "a regeneration's cost": (False, regenerate(discard("hand", race="Golem"))),
    "a reaction's target": (True, reaction(UNDER, targets=[{"from": GOLEMS}])),
    "a reaction's instruction": (True, reaction(if_(HELD, DRAW))),
    "an ability's condition": (True, used(DRAW, when=HELD)),
    "an ability's target": (True, used(UNDER, targets=[{"from": GOLEMS}])),
    "an ability's cost": (False, used(DRAW, cost=[discard("hand", race="Golem")])),
    "a skill's condition": (True, skill(DRAW, when=HELD)),
    "a skill's cost": (False, skill(DRAW, cost=[discard("hand", race="Golem")])),
    "a condition of how many": (False, on("attacks", DRAW, when={"count": ANY, "at_least": 2})),
}
FORMS = {
    **{f"{name}, when it attacks": (tells, on("attacks", *steps)) for name, (tells, steps) in STEPS.items()},
    **{f"{name}, when used": (tells, used(*steps)) for name, (tells, steps) in STEPS.items()},
    **OTHERS,
}
OPENLY = {
    "all of them revealed": [do("reveal", what=GOLEMS)],
    "the whole hand revealed, then a condition": [do("reveal", what=ANY), if_(HELD, DRAW)],
    "the whole hand revealed, then a choice": [do("reveal", what=ANY), choose(), throw()],
}
"""What says on the card that it shows the hand: it may tell."""


class Seen(NamedTuple):
    """What seat 1 sees of a turn, and the other cards of seat 0's hand that it gets to know; whether Teller is used."""

    records: list[bytes]
    known: set[str]
    used: bool


def seen(ability: dict[str, Any], held: bool, uses: bool, accepts: bool) -> Seen:
    """A turn in which seat 0 has a Teller with this ability attack a wall, and uses it if it can (and `uses` it).

    Clay, a Golem, lies in the hand, or (not `held`) in the deck, where Twig is else. Seat 0 takes whatever it is
    offered, or declines it.
    """
    hand, deck = ("Clay", "Twig") if held else ("Twig", "Clay")
    kind = ability["ability"]
    a_line = "Idle" if kind in ("effect", "reaction") else "Teller, Idle"
    in_hand, on_top = "Teller, " if kind == "effect" else "", "Teller, " if kind == "reaction" else ""
    table = position(f"""
        0 discard: Clay 3000 race:Golem, Twig   A: {a_line}
        0 hand: {in_hand}{hand}, Moth, 2 Plain   deck: {on_top}5 Plain, {deck}, 3 Plain
        1 A: Wall 9000   hand: Flood   deck: 9
    """, Teller=ability, Flood=skill(do("burst")))
    table.do("attack Idle Wall" if kind in ("effect", "reaction") else "attack Teller Wall")
    if kind == "reaction":
        table.do("use Flood")
    has_used = False
    while table.waits not in ("1 move", "over"):
        steps = table.legal()
        has_used = has_used or (uses and "use Teller" in steps)
        table.do("use Teller" if uses and "use Teller" in steps else decision(table, steps, accepts))
    records = view(table.match.log, 1, table.match.game.declared)
    teller = table.match.card(table.find("Teller")).code
    known = {e.code for e in records if isinstance(e, CardIdentified) and (e.zone, e.seat) == ("hand", 0)}
    return Seen([encode(e) for e in records], known - {teller}, has_used)


def decision(table: Table, steps: list[str], accepts: bool) -> str:
    """What seat 0 decides (seat 1 always passes): the first step of those that it would rather take."""
    wanted = ["yes", "choose Clay"] if accepts else ["pass", "no", "choose Moth"]
    likely = [step for word in wanted for step in steps if step.startswith(word)]
    return likely[0] if likely else "pass" if "pass" in steps else steps[0]


def tells(ability: dict[str, Any]) -> bool:
    """Whether what seat 1 sees hangs on the hand, though no card of it has been shown of seat 0's free will."""
    for uses, accepts in ((False, False), (True, False), (True, True)):
        with_, without = (seen(ability, held, uses, accepts) for held in (True, False))
        free = accepts or with_.used != without.used  # seat 0 could have declined
        if with_.records != without.records and not (free and with_.known != without.known):
            return True
    return False


def refused(ability: dict[str, Any]) -> bool:
    """Whether the linter says that the ability of a card tells what is hidden."""
    any_card = {"colour": "red", "power": {"red": 1}, "rarity": "C"}
    monster = {**any_card, "kind": "monster", "pow": 1000, "race": {"en": "Golem"}}
    teller = {**any_card, "kind": "skill"} if ability["ability"] == "effect" else monster
    made = [
        LiveOnDefinition(msgspec.convert({**card, "code": code, "name": {"en": code}}, LiveOnCard))
        for code, card in (("TELLER", {**teller, "ability": [ability]}), ("CLAY", monster))
    ]
    found = linter.lint({d.code: d for d in made}, checks.VOCABULARY)
    assert {p.rule for p in found} <= {"unseen"}, found
    return bool(found)


@pytest.mark.parametrize("name", FORMS)
def test_an_effect_is_refused_if_and_only_if_it_tells_of_hidden_cards(name: str) -> None:
    wrong, ability = FORMS[name]
    assert (refused(ability), tells(ability)) == (wrong, wrong)


@pytest.mark.parametrize("name", OPENLY)
def test_a_card_that_shows_what_it_reads_may_tell(name: str) -> None:
    ability = on("attacks", *OPENLY[name])
    assert not refused(ability)
    assert tells(ability)
