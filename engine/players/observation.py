"""What a player is given when its seat is asked: everything that the seat may know, and nothing else.

Card numbers are those of the match. A card that the seat does not see is `HIDDEN` where it lies, and one face down on
the table has no code.
"""

from __future__ import annotations

from functools import cached_property
from random import Random

from msgspec import structs

from engine.core.match import Match
from engine.core.rules import Rules
from engine.players.deal import Dealer
from engine.state import State, copy
from events.actions import AnyAction
from events.kinds import HIDDEN, NOTHING, Asked, DeckList, Frame, GameStarted


class Observation:
    """A question as the asked seat sees it. Raises ValueError for a match that asks nothing."""

    def __init__(self, match: Match) -> None:
        if match.state.asked is None:
            raise ValueError("nothing is asked")
        self._match = match
        self.seat = match.state.asked.seat
        self._kept: Dealer | None = None

    @property
    def legal(self) -> tuple[AnyAction, ...]:
        """The answers that the rules allow, conceding apart; there is at least one."""
        return tuple(self._match.legal())

    @property
    def question(self) -> Asked:
        """What is asked, without the engine's continuation."""
        asked = self._match.state.asked
        assert asked is not None
        return structs.replace(asked, continuation=NOTHING)

    @property
    def game(self) -> Rules:
        """The rulebook, with all cards that are known to it (`game.cards`, by code)."""
        return self._match.game

    @property
    def deck_lists(self) -> tuple[DeckList | None, DeckList | None]:
        """The decks by seat: the own one, and under the option `open_lists` the other seat's. None: not known."""
        header = self._match.log[0] if self._match.log else None
        if not isinstance(header, GameStarted):
            return None, None
        open_lists = header.options.get("open_lists")
        first, second = (seat.deck if open_lists or n == self.seat else None for n, seat in enumerate(header.seats))
        return first, second

    @cached_property
    def state(self) -> State:
        """The table as the seat knows it; it is the player's own to change."""
        return seen(self._match, self.seat, self._dealer.hidden)

    def imagine(self, random: Random) -> Match:
        """The match as it could be for all that the seat knows, to try things on (`fork`, `act`, `legal`).

        What the seat does not see is dealt anew, and random outcomes are not those of the match. Its log is empty.
        """
        return self._dealer.deal(random)

    @property
    def _dealer(self) -> Dealer:
        if self._kept is None:
            self._kept = Dealer(self._match, self.seat)
        return self._kept


def seen(match: Match, seat: int, hidden: frozenset[int]) -> State:
    """The state without what a seat cannot know."""
    state = copy(match.state)
    state.view, state.seed = seat, None
    if state.asked is not None:
        state.asked = structs.replace(state.asked, continuation=NOTHING)
    for number in hidden:
        card = match.state.cards[number]
        if match.on_table(number):
            state.writable_card(number).code = None
        else:
            side = 0 if card.zone in match.declared.shared else card.seat
            held = state.writable_zone(side, card.zone)
            held[held.index(number)] = HIDDEN
            del state.cards[number]
    gone = hidden - state.cards.keys()
    state.stack = [structs.replace(item, frame=_without(item.frame, gone)) for item in state.stack]
    return state


def _without(frame: Frame, gone: frozenset[int]) -> Frame:
    slots = {name: tuple(HIDDEN if n in gone else n for n in held) for name, held in frame.slots.items()}
    return structs.replace(frame, slots=slots)
