"""Twins of a game: what another seat cannot know is changed, and all that this seat sees stays the same."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec import structs

from engine.core.match import Match
from engine.fold import begin as empty_table
from engine.state import sees
from events.actions import AnyAction, Choose, Pass
from events.kinds import Acted, Asked, CardMoved, Event, GameStarted, PhaseBegan, TurnBegan


def never_seen(log: list[Event], match: Match, seat: int) -> list[int]:
    """Cards of the other seat that `seat` never saw."""
    known = {c for c, card in match.state.cards.items() if card.owner == seat}
    for event in log:
        if isinstance(event, CardMoved):
            zone = match.game.declared.zones[event.zone]
            if sees(zone, event.seat, event.face_up, seat):
                known.add(event.card)
        for field in ("cards", "options"):
            if getattr(event, "seat", seat) in (None, seat):
                known.update(getattr(event, field, ()))
    zones = match.game.declared.zones
    known.update(c for c, card in match.state.cards.items() if zones[card.zone].visible_to not in ("none", "owner"))
    return [c for c in match.state.cards if c not in known]


def twin_of(first: Match, seat: int, seed: int) -> Match | None:
    """The same game with the other seat's unseen cards in each other's places, by the same decisions.

    Only cards whose backs look the same change places. None if a recorded decision is impossible then.
    """
    game = first.game
    twin = Match(game, empty_table(game.declared))
    header = first.log[0]
    assert isinstance(header, GameStarted)
    twin.emit(structs.replace(header))
    game.set_up(twin, header)
    backs: dict[str, list[int]] = {}
    for card in never_seen(first.log, first, seat):
        backs.setdefault(game.back(first.printed[card]), []).append(card)
    for cards in backs.values():
        codes = [first.printed[card].code for card in cards]
        Random(seed).shuffle(codes)
        for card, code in zip(cards, codes, strict=True):
            twin.state.writable_card(card).code = code
            twin.printed[card] = game.cards[code]
    twin.run()
    for moment, decision in decisions(first):
        if not _catch_up(twin, moment, decision, seat):
            return None
    while twin.state.asked is not None and twin.state.asked.seat != seat and twin.refuse(Pass()) is None:
        twin.act(Pass())
    stuck = twin.state.asked is not None and twin.state.asked.seat != seat
    # An effect of the twin can bring out a card that stayed hidden in the first game: that is no leak.
    came_out = set(never_seen(first.log, first, seat)) - set(never_seen(twin.log, twin, seat))
    return None if stuck or came_out else twin


Moment = tuple[int, str, str]
"""Turn, phase, and what is asked then."""


def decisions(match: Match) -> Iterator[tuple[Moment, Acted]]:
    """Every decision and when it was taken."""
    turn, phase, what = 0, "", ""
    for event in match.log:
        if isinstance(event, TurnBegan):
            turn = event.turn
        elif isinstance(event, PhaseBegan):
            phase = event.phase
        elif isinstance(event, Asked):
            what = event.question
        elif isinstance(event, Acted):
            yield (turn, phase, what), event


def _catch_up(twin: Match, moment: Moment, decision: Acted, seat: int) -> bool:
    """Takes the decision in the twin; the other seat passes what only the twin asks, skips what is not asked."""
    while twin.state.asked is not None:
        asked = twin.state.asked
        now = (twin.state.turn, twin.state.phase, asked.question)
        fits = now == moment and asked.seat == decision.seat and _fits(asked, decision.action)
        if fits and twin.refuse(decision.action) is None:
            twin.act(decision.action)
            return True
        if decision.seat != seat and isinstance(decision.action, Pass):
            return True
        if asked.seat == seat or twin.refuse(Pass()) is not None:
            return False
        twin.act(Pass())
    return False


def _fits(asked: Asked, action: AnyAction) -> bool:
    return bool(asked.options) == isinstance(action, Choose) or isinstance(action, Pass)
