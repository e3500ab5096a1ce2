"""What came of it in one line: clashes, blows at players, abilities, uses, endings; as a product of what may come."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec import structs

from engine.words import LANGUAGES, words
from events import kinds as k
from events.actions import Choose, Pass, Use
from events.kinds import Event
from replays.view.narrate import Line, narrate
from tests.replays.view.test_narrate import BEAR, BOOK, CARDS, MOUSE, OWL, opening, queued

DUEL = structs.replace(
    BOOK, move_kinds=(*BOOK.move_kinds, "destroyed", "cost"), rules=(*BOOK.rules, "regenerate"),
    questions=(*BOOK.questions, "regenerate"),
)
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


def caused(first: int, *records: tuple[Event, int]) -> list[Event]:
    """Records from number `first` on, each with the number of the one that brings it about."""
    return [structs.replace(event, back=first + n - cause) for n, (event, cause) in enumerate(records)]


def asks_to_save(card: int, answer: Choose | Pass) -> list[Event]:
    asked = k.Asked(
        seat=0, question="regenerate", option_type="card", options=(MOUSE,), about=(card,), optional=True,
        continuation=None,  # type: ignore[arg-type]
    )
    return [asked, k.Acted(seat=0, action=answer)]


@pytest.mark.parametrize("through", [False, True])
@pytest.mark.parametrize("paid", [False, True])
@pytest.mark.parametrize(("saved", "dead"), [
    ((BEAR,), ()), ((OWL,), ()), ((BEAR, OWL), ()), ((BEAR,), (OWL,)), ((OWL,), (BEAR,)),
])
def test_a_card_that_is_saved_is_told_with_what_was_paid_and_the_clash_with_it(
    saved: tuple[int, ...], dead: tuple[int, ...], paid: bool, through: bool
) -> None:
    first = 7 if through else 5
    cause = first - 1
    records: list[tuple[Event, int]] = [(HIT, cause), (BACK, cause)]
    for card in saved:
        records += [(event, cause) for event in asks_to_save(card, Choose(MOUSE)) if paid]
        records.append((k.RuleApplied(rule="regenerate", card=card), cause))
        if paid:
            cost = k.CardMoved(card=MOUSE, seat=1, zone="pit", move_kind="cost")
            records.append((cost, first + len(records) - 1))
    records += [(GONE[card], cause) for card in dead]
    before = [queued(), k.StackPopped(item=1000, outcome="resolved")] if through else []
    said = [text.removesuffix(" (through Owl)") for text, folds in loud(*before, *caused(first, *records)) if not folds]
    names = {BEAR: "Bear", OWL: "Owl"}
    told = [f"{names[card]} regenerates{', paying with DU-9' if paid else ''}" for card in saved]
    clash = CLASHES[dead] if dead else "Bear (5) and Owl (2) strike each other"
    assert said == ([*told, clash] if dead else [clash, *told])


def test_who_is_not_saved_is_destroyed_by_the_blow() -> None:
    told = loud(HIT, *asks_to_save(OWL, Pass()), GONE[OWL])
    assert told[1:] == [("Ann passes", False), ("Bear (5) destroys Owl", False)]


BEGAN = k.ModifierBegan(id=1000, card=OWL, on=BEAR, name="might", duration="round", add=2)
NOTED = k.CounterSet(entity=0, name="memory", value=1)
MIGHT = k.CounterSet(entity=BEAR, name="might", value=7)


@pytest.mark.parametrize("what", ["spell", "trigger"])
@pytest.mark.parametrize(("then", "said"), [
    ([], {"spell": "Owl has no effect", "trigger": "The ability of Owl has no effect"}),
    ([BEGAN], "Owl changes nothing"), ([NOTED], "Owl changes nothing"), ([BEGAN, NOTED], "Owl changes nothing"),
    ([BEGAN, MIGHT], "Bear: Might 5 → 7 (through Owl)"), ([NOTED, BEGAN, MIGHT], "Bear: Might 5 → 7 (through Owl)"),
])
def test_an_effect_is_told_by_what_it_changes_and_one_that_changes_nothing_says_so(
    then: list[Event], said: str | dict[str, str], what: str
) -> None:
    use = [k.Acted(seat=0, action=Use(OWL, 0))] if what == "spell" else []
    pushed = structs.replace(queued(what=what), back=len(use))
    first = [structs.replace(event, back=1 if n == 0 else 0) for n, event in enumerate(then)]
    told = [text for text, _ in loud(*use, pushed, k.StackPopped(item=1000, outcome="resolved"), *first, NOTED)]
    told = told[len(use):]
    assert told[-1] == (said if isinstance(said, str) else said[what])
    assert len(told) == (2 if told[-1].endswith("changes nothing") and what == "trigger" else 1)


def test_what_is_cancelled_is_so_through_what_cancels_it() -> None:
    told = loud(
        queued(1000, "spell", BEAR), queued(1001, "spell", OWL), k.StackPopped(item=1001, outcome="resolved"),
        k.StackPopped(item=1000, outcome="cancelled", back=1),
    )
    assert [text for text, _ in told][1:] == ["The effect of Bear is cancelled (through Owl)"]


@pytest.mark.parametrize("now", [5, 6, 9])
def test_a_bonus_that_is_worked_out_anew_is_told_as_one_change_or_none(now: int) -> None:
    own = structs.replace(BEGAN, card=BEAR)
    full = structs.replace(MIGHT, value=6)
    anew = [
        k.ModifierEnded(id=1000), structs.replace(MIGHT, value=5), structs.replace(own, id=1001, add=now - 5),
        structs.replace(MIGHT, value=now),
    ]
    told = [text for text, _ in loud(own, full, *anew)]
    assert told[1:] == ([f"Bear: Might 6 → {now} (its own ability)"] if now != 6 else [])


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


@pytest.mark.parametrize("taken", ["blow", "effect", "rule"])
def test_an_ending_is_by_what_took_the_last_of_the_life_and_not_by_an_earlier_blow(taken: str) -> None:
    blow = [k.DamageDealt(source=BEAR, target=1, amount=5), k.CounterSet(entity=1, name="health", value=1)]
    last = {
        "blow": [k.DamageDealt(source=OWL, target=1, amount=9), k.CounterSet(entity=1, name="health", value=-8)],
        "effect": [queued(), k.StackPopped(item=1000, outcome="resolved"),
                   k.CounterSet(entity=1, name="health", value=-8, back=1)],
        "rule": [k.RuleApplied(rule="cheer", card=MOUSE), k.CounterSet(entity=1, name="health", value=-8, back=1)],
    }[taken]
    full = k.CounterSet(entity=0, name="health", value=12)
    six = k.CounterSet(entity=1, name="health", value=6)
    told = lines(full, six, *blow, *last, k.GameEnded(winner=0, reason="felled"))
    by = {"blow": " by Owl", "effect": " by Owl", "rule": ""}[taken]
    assert told[-1].text == f"Ann wins: felled{by}. health left: 12 against −8"


def test_the_sentences_of_outcomes_are_there_in_every_language() -> None:
    keys = ["life", "lost", "paid", "own_ability", "won_left", "won_by_left", "idle", "idle_ability", "unchanged"]
    keys += [f"clash.{end}" for end in ("one", "both", "none", "met", "blow")]
    for language in LANGUAGES:
        assert all(words(language, "duel", DUEL).pattern(f"say.{key}") for key in keys), language
