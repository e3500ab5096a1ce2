"""What a seat was shown of cards that lie where it does not see them, as the log tells it."""

from __future__ import annotations

from typing import Any

from engine.state import Declared, sees
from events.kinds import Asked, CardFlipped, CardMoved, CardsRevealed, Shuffled


class Shown:
    """The cards that `seat` was shown, or could choose among, and that have not gone out of its sight since."""

    def __init__(self, seat: int, declared: Declared) -> None:
        self.seat = seat
        self.zones = declared.zones
        self.read = 0
        self.cards: set[int] = set()
        """not to be changed"""
        self.layout: Any = None
        """what `engine.players.deal` knew of the unseen cards when the seat was last asked"""
        self.moved: set[int] = set()
        """those of them that have moved since, and what was turned over"""

    def follow(self, log: list[Any]) -> Shown:
        """What is shown at the end of the log, of which no record read before has been taken away."""
        seat, cards = self.seat, self.cards
        for event in log[self.read :]:
            kind = type(event)
            if kind is CardMoved:
                if self.layout is not None and event.card in self.layout.hidden:
                    self.moved.add(event.card)
                if event.card in cards and not sees(self.zones[event.zone], event.seat, event.face_up, seat):
                    cards.discard(event.card)
            elif kind is CardFlipped:
                self.moved.add(event.card)
            elif kind is CardsRevealed:
                if event.seat is None or event.seat == seat:
                    cards.update(event.cards)
            elif kind is Asked:
                if event.seat == seat and event.option_type == "card":
                    cards.update(event.options)
            elif kind is Shuffled:
                cards.difference_update(event.order)
        self.read = len(log)
        return self
