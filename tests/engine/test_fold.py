"""Records of strangers: what speaks of nothing that is there is refused with its number, by the fold and by views."""

from __future__ import annotations

import pytest
from msgspec import structs

from engine.fold import FoldError, fold_all
from engine.state import Declared
from engine.view import view
from events import kinds as k
from events.actions import Choose, Use
from tests.play import begin

WRONG: list[k.Event] = [
    k.TurnBegan(turn=1, seat=2),
    k.PhaseBegan(phase="move", seat=-1),
    k.Asked(seat=7, question="move"),
    k.Acted(seat=2, action=Choose(1)),
    k.StackPushed(item=1000, item_kind="skill", frame=k.Frame(seat=3, card=2)),
    k.GameEnded(winner=2, reason="burst"),
    k.CardMoved(card=900, seat=0, zone="hand", move_kind="drawn"),
    k.CardMoved(card=2, seat=0, zone="nowhere", move_kind="drawn"),
    k.CardFlipped(card=900, face_up=True),
]
ABOUT_CARDS: list[k.Event] = [
    k.CardsRevealed(cards=(900,)), k.Asked(seat=0, question="choose", option_type="card", options=(900,)),
]
"""The fold keeps no faces; a view that is to make them known misses them."""


@pytest.mark.parametrize("wrong", WRONG, ids=lambda e: type(e).__name__)
def test_what_cannot_follow_is_refused_with_its_number(wrong: k.Event) -> None:
    match = begin(1)
    log = [*match.log, wrong]
    for read in (lambda: fold_all(log, match.game.declared), lambda: view(log, 1, match.game.declared)):
        with pytest.raises(FoldError) as caught:
            read()
        assert caught.value.record == len(match.log)


@pytest.mark.parametrize("wrong", ABOUT_CARDS, ids=lambda e: type(e).__name__)
def test_a_view_refuses_faces_of_cards_that_are_not_there(wrong: k.Event) -> None:
    match = begin(1)
    with pytest.raises(FoldError, match=f"Record {len(match.log)}"):
        view([*match.log, wrong], 0, match.game.declared)


def test_a_view_renames_a_card_that_is_not_there_as_hidden() -> None:
    match = begin(1)
    seen = view([*match.log, k.Acted(seat=1, action=Use(900))], 0, match.game.declared)
    assert seen[-1].action == Use(k.HIDDEN)  # type: ignore[attr-defined]


HOSTILE: list[tuple[k.Event, str]] = [
    (k.CardsMade(seat=-1, zone="deck", first=500, codes=("x",)), "seat -1"),
    (k.CardsMade(seat=0, zone="deck", first=500, codes=("x",) * 999), "more than 998 cards in one zone"),
    (k.CardsMade(seat=0, zone="deck", first=k.HIDDEN, codes=(None,) * 999), "more than 998 cards in one zone"),
    (k.CardsMade(seat=0, zone="deck", first=2, codes=("x",)), "where cards have new numbers"),
    (k.CardsMade(seat=0, zone="deck", first=-5, codes=("x",)), "where cards have new numbers"),
    (k.CardsMade(seat=0, zone="deck", first=999, codes=("x", "y")), "a card 1000, where cards have new numbers"),
    (k.CardMoved(card=2, seat=0, zone="hand", move_kind="drawn", index=2**62 * 2 - 1), ""),
    (k.CounterSet(entity=-2, name="pow", value=1), "entity -2"),
    (k.CardIdentified(card=2, code="x", seat=0, zone="deck"), "where cards have new numbers"),
    (k.CardIdentified(card=1000, code="x", seat=0, zone="deck"), "where cards have new numbers"),
    (k.IdentityLost(card=900), "is not there"),
    (k.IdentityLost(card=k.HIDDEN), "is not there"),
]


@pytest.mark.parametrize(("wrong", "why"), HOSTILE)
def test_numbers_that_make_no_sense_are_refused(wrong: k.Event, why: str) -> None:
    match = begin(1)
    try:
        fold_all([*match.log, wrong], match.game.declared)
    except FoldError as error:
        assert why and why in str(error)
    else:
        assert not why  # an index beyond the end is the end


def test_a_counter_of_a_card_that_the_seat_does_not_know_is_nobody_s() -> None:
    match = begin(1)
    before = fold_all(match.log, match.game.declared)
    after = fold_all([*match.log, k.CounterSet(entity=k.HIDDEN, name="pow", value=7)], match.game.declared)
    assert after.counters == before.counters and after.cards == before.cards


def test_the_stack_is_bounded() -> None:
    match = begin(1)
    items = [k.StackPushed(item=1000 + n, item_kind="skill", frame=k.Frame(seat=0, card=2)) for n in range(999)]
    fold_all([*match.log, *items[:-1]], match.game.declared)
    with pytest.raises(FoldError, match="more than 998 items on the stack"):
        fold_all([*match.log, *items], match.game.declared)


def test_the_counters_of_a_card_are_bounded() -> None:
    match = begin(1)
    book = match.game.rulebook
    many = structs.replace(book, counters=(*book.counters, *(k.Counter(f"c{n}") for n in range(101))))
    card = next(iter(match.state.cards))
    events = [*match.log, *(k.CounterSet(entity=card, name=f"c{n}", value=n) for n in range(101))]
    fold_all([*events[:-1], *events[-2:-1]], Declared(many))
    with pytest.raises(FoldError, match="more than 100 counters on one card"):
        fold_all(events, Declared(many))


@pytest.mark.parametrize("first", [-7, 0, 1, 1000, 5000])
def test_a_pile_of_no_cards_may_begin_anywhere(first: int) -> None:
    match = begin(1)
    empty = k.CardsMade(seat=0, zone="deck", first=first, codes=())
    before = fold_all(match.log, match.game.declared)
    assert fold_all([*match.log, empty], match.game.declared).zones == before.zones
