"""What a seat sees lying open, it sees: checked record by record, in the log of that seat."""

from __future__ import annotations

from collections.abc import Sequence

from engine.fold import empty_state, fold
from engine.state import Declared, State, sees
from engine.view import View
from events.kinds import Event


def open_cards_have_their_numbers(log: Sequence[Event], declared: Declared) -> None:
    """After each record, in both seats' logs: what lies open is known there, in its place, by one number throughout."""
    for seat in (0, 1):
        seen, told = View(seat, declared), empty_state(declared)
        numbers: dict[int, int] = {}
        for number, event in enumerate(log):
            for record in seen.records(event):
                fold(told, record, declared)
            lying = _open(seen.state, declared, seat)
            for card, (side, zone, place) in lying.items():
                mine = told.zones[side][zone][place]
                where = f"seat {seat}, record {number}, card {card} in {zone}"
                assert mine in told.cards and told.cards[mine].code == seen.state.cards[card].code, where
                assert numbers.get(card, mine) == mine, where
                numbers[card] = mine
            numbers = {card: mine for card, mine in numbers.items() if card in lying}


def _open(state: State, declared: Declared, seat: int) -> dict[int, tuple[int, str, int]]:
    """The cards that the seat sees lying there, and where each lies."""
    return {
        card: (side, zone, place)
        for side in (0, 1)
        for zone, cards in state.zones[side].items()
        for place, card in enumerate(cards)
        if sees(declared.zones[zone], side, state.cards[card].face_up, seat)
    }
