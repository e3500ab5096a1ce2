"""What came of it in one line: clashes, blows at players, abilities, uses, endings; as a product of what may come."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec import structs

from engine.words import LANGUAGES, words
from events import kinds as k
from events.actions import Choose, Use
from events.kinds import Event
from replays.view.narrate import Line, narrate
from tests.replays.view.test_narrate import BEAR, BOOK, CARDS, MOUSE, OWL, opening, queued

DUEL = structs.replace(BOOK, move_kinds=(*BOOK.move_kinds, "destroyed", "cost"))
HIT = k.DamageDealt(source=BEAR, target=OWL, amount=5)
BACK = k.DamageDealt(source=OWL, target=BEAR, amount=2)
GONE = {card: k.CardMoved(card=card, seat=0, zone="pit", move_kind="destroyed") for card in (BEAR, OWL)}
CLASHES = {
    (): "Bear (5) and Owl (2) both stand", (OWL,): "Bear (5) crushes Owl (2)", (BEAR,): "Owl (2) crushes Bear (5)",
    (BEAR, OWL): "Bear (5) and Owl (2) destroy each other", (OWL, BEAR): "Bear (5) and Owl (2) destroy each other",
}  # fmt: skip


def lines(*events: Event) -> list[Line]:
    return narrate([*opening(), *events], DUEL, [CARDS])[5:]


def loud(*events: Event) -> list[tuple[str, bool]]:
    """What is told, and whether it folds."""
    return [(line.text, line.folds) for line in lines(*events) if not line.quiet]


@pytest.mark.parametrize(("dead", "between"), list(product(CLASHES, (False, True))))
def test_a_clash_is_one_line_with_the_numbers_of_both_and_its_blows_fold(dead: tuple[int, ...], between: bool) -> None:
    counted = [k.CounterSet(entity=OWL, name="might", value=0)] if between else []
    told = loud(HIT, *counted, BACK, *(GONE[card] for card in dead))
    blows = [("Bear deals 5 damage to Owl" + (", 0 in all" if between else ""), True)]
    blows += [("Owl deals 2 damage to Bear", True)] if dead else []
    assert told == [*blows, (CLASHES[dead], False)]


def test_a_blow_that_destroys_is_one_line_and_one_that_does_not_is_itself() -> None:
    assert loud(HIT, GONE[OWL]) == [("Bear deals 5 damage to Owl", True), ("Bear (5) destroys Owl", False)]
    assert loud(HIT) == [("Bear deals 5 damage to Owl", False)]
    assert loud(HIT, GONE[BEAR]) == [("Bear deals 5 damage to Owl", False), ("Bear is destroyed", False)]


def test_a_blow_at_a_player_has_the_life_before_and_after() -> None:
    blow = k.DamageDealt(source=BEAR, target=1, amount=5)
    full = k.CounterSet(entity=1, name="health", value=20)
    told = loud(full, blow, structs.replace(full, value=15))
    assert told[1:] == [("Bear deals 5 damage to Bo: health 20 → 15", False)]
    assert loud(full, structs.replace(full, value=15))[1:] == [("Bo: health 20 → 15", False)]


@pytest.mark.parametrize(("asked", "paid"), list(product((False, True), (0, 1, 2))))
def test_what_is_used_is_told_with_its_target_and_what_was_paid(asked: bool, paid: int) -> None:
    use = k.Acted(seat=0, action=Use(OWL, 0))
    choice = [
        k.Asked(seat=0, question="which", option_type="card", options=(MOUSE,), continuation=None),  # type: ignore[arg-type]
        k.Acted(seat=0, action=Choose(MOUSE)),
    ]
    costs = [k.CardMoved(card=card, seat=0, zone="pit", move_kind="cost") for card in (BEAR, OWL)[:paid]]
    pushed = queued(what="ability", target=(MOUSE,))
    between = choice if asked else []
    caused = [*costs, pushed]
    caused[0] = structs.replace(caused[0], back=len(between) + 1)
    told = loud(use, *between, *caused)
    ending = ["", ", paying with Bear", ", paying with Bear; Owl"][paid]
    assert told == [(f"Ann uses Owl on DU-9{ending}", False)]


def test_an_ending_says_by_what_and_with_what_is_left() -> None:
    life = [k.CounterSet(entity=seat, name="health", value=value) for seat, value in ((0, 12), (1, 3))]
    blow = [k.DamageDealt(source=BEAR, target=1, amount=5), k.CounterSet(entity=1, name="health", value=-2)]
    end = k.GameEnded(winner=0, reason="felled")
    assert lines(*life, *blow, end)[-1].text == "Ann wins: felled by Bear. health left: 12 against −2"
    assert lines(*life, *blow, k.PhaseBegan(phase="rest", seat=0), end)[-1].text.startswith("Ann wins: felled. ")
    assert lines(*life, end)[-1].text == "Ann wins: felled. health left: 12 against 3"


def test_the_sentences_of_outcomes_are_there_in_every_language() -> None:
    keys = ["life", "lost", "paid", "own_ability", "won_left", "won_by_left"]
    keys += [f"clash.{end}" for end in ("one", "both", "none", "blow")]
    for language in LANGUAGES:
        assert all(words(language, "duel", DUEL).pattern(f"say.{key}") for key in keys), language
