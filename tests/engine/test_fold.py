"""Records of strangers: what speaks of nothing that is there is refused with its number, by the fold and by views."""

from __future__ import annotations

import pytest

from engine.fold import FoldError, fold_all
from engine.view import view
from events import kinds as k
from events.actions import Choose, Use
from tests.play import begin

WRONG: list[k.Event] = [
    k.TurnBegan(turn=1, seat=2),
    k.PhaseBegan(phase="move", seat=-1),
    k.Asked(seat=7, what="move"),
    k.Acted(seat=2, action=Choose(1)),
    k.Queued(item=1000, what="skill", frame=k.Frame(seat=3, card=2)),
    k.GameEnded(winner=2, reason="burst"),
    k.CardMoved(card=900, seat=0, zone="hand", how="drawn"),
    k.CardMoved(card=2, seat=0, zone="nowhere", how="drawn"),
    k.CardFlipped(card=900, up=True),
]
ABOUT_CARDS: list[k.Event] = [
    k.Shown(cards=(900,)), k.Asked(seat=0, what="choose", of="card", options=(900,)),
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
