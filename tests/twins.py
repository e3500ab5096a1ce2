"""Twins of a game: what another seat cannot know is changed, and all that this seat sees stays the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from msgspec import Struct, structs

from engine.core.match import Match
from engine.effects import query
from engine.effects.abilities import AnyAbility
from engine.effects.language import Select
from engine.fold import empty_state
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks.rulebook import Rulebook
from engine.state import sees
from events.actions import AnyAction, Choose, Pass
from events.kinds import Acted, Asked, CardMoved, CardsMade, Event, GameStarted, PhaseBegan, Seat, TurnBegan


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
    twin = Match(game, empty_state(game.declared))
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


# --- hands that a card reads -----------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A game and its like, which differ in what the hand of `seat` holds: `held` is what the first one's does."""

    seat: int
    held: bool
    first: Match
    other: Match


def read_in_hands(ability: AnyAbility) -> tuple[list[Select], list[Select]]:
    """By which selections the ability tells its owner's hidden cards apart: to look for some; to pay with some."""
    costs = tuple(cost.from_ for cost in getattr(ability, "cost", ()) if cost.from_ is not None)
    found = [s for s in selections(ability) if "hand" in s.zone and s.of != "other" and _of_a_sort(s)]
    return [s for s in found if s not in costs], [s for s in found if s in costs]


def _of_a_sort(select: Select) -> bool:
    return bool(select.is_ or select.name or select.at_least or select.at_most)


def selections(part: Any) -> Iterator[Select]:
    """All selections in an ability, wherever they stand."""
    if isinstance(part, Select):
        yield part
    elif isinstance(part, Struct):
        for field in part.__struct_fields__:
            yield from selections(getattr(part, field))
    elif isinstance(part, tuple):
        for inner in part:
            yield from selections(inner)


def pairs(game: Rulebook, code: str, select: Select, paid: bool, most: int = 60) -> Iterator[Pair]:
    """Moments of random games in which a player plays or uses the card; or, where the selection is what one pays with,
    passes with the card on the table. Each as the game was, and as it would be were the hand another one, both until
    what came of it is over and the player has declined whatever was offered.
    """
    for seed in range(most):
        random = Random(seed)
        decks = [game.trial_deck([code, *random.sample(list(game.cards), 7)], random.randrange) for _ in (0, 1)]
        seats = (Seat("A", "random", decks[0]), Seat("B", "random", decks[1]))
        match = game.begin(game.header(seats, {}, seed, origin="simulated"))
        players = [PLAYER_KINDS["random"](seed), PLAYER_KINDS["random"](seed + 1)]
        while match.state.asked is not None:
            seat = match.state.asked.seat
            for action in match.legal():
                about = _about(match, action, code, paid)
                pair = None if about is None else _pair(match, seat, action, about, select)
                if pair is not None:
                    yield pair
            match.act(players[seat](Observation(match)))


def _about(match: Match, action: AnyAction, code: str, paid: bool) -> int | None:
    """The card of this code that the action is about."""
    if not paid:
        card = getattr(action, "card", None)
        return card if card is not None and match.state.cards[card].code == code else None
    if not isinstance(action, Pass) or match.state.asked is None or match.state.asked.options:
        return None
    own = [c for c, lies in match.state.cards.items() if lies.code == code and lies.seat == match.state.asked.seat]
    return next((c for c in own if match.on_table(c)), None)


def _pair(match: Match, seat: int, action: AnyAction, kept: int, select: Select) -> Pair | None:
    held = any(query.fits(match, c, select, seat, kept) for c in match.state.zones[seat]["hand"] if c != kept)
    swaps = _swaps(match, seat, kept, select)
    if swaps is None:
        return None
    first = match.fork()
    faces = {c: replace(match.card(c), code=match.printed[instead].code) for c, instead in swaps.items()}
    printed = {**match.printed, **{c: match.printed[instead] for c, instead in swaps.items()}}
    cards, turned = {**match.state.cards, **faces}, filter(match.on_table, faces)
    other = match.imagined(cards, printed, {}, match.state.asked, match.state.seed, turned)
    first.log, other.log = list(match.log), [_redealt(event, swaps, match) for event in match.log]
    other.offers = None
    if other.refuse(action) is not None:
        return None
    for one in (first, other):
        one.act(action)
        if not _declined(one, seat, set(swaps)):
            return None
    return Pair(seat, held, first, other)


def _swaps(match: Match, seat: int, kept: int, select: Select) -> dict[int, int] | None:
    """Unseen cards to change places, so that the hand holds such a card where it held none, or none where it did."""
    unseen = [c for c in never_seen(match.log, match, 1 - seat) if c != kept]
    fits = {c: query.fits(match, c, select, seat, kept) for c in unseen}
    hand = [c for c in match.state.zones[seat]["hand"] if c != kept]
    held = [c for c in hand if fits.get(c, query.fits(match, c, select, seat, kept))]
    leaving = held or [c for c in hand if c in fits][:1]
    back = match.game.back
    coming = [c for c in unseen if c not in hand and fits[c] != bool(held)]
    if not leaving or len(coming) < len(leaving) or not set(leaving) <= set(unseen):
        return None
    swaps = dict(zip(leaving, coming, strict=False))
    if any(back(match.printed[a]) != back(match.printed[b]) for a, b in swaps.items()):
        return None
    return {**swaps, **{b: a for a, b in swaps.items()}}


def _redealt(event: Event, swaps: dict[int, int], match: Match) -> Event:
    if not isinstance(event, CardsMade):
        return event
    cards = range(event.first, event.first + len(event.codes))
    return structs.replace(event, codes=tuple(match.state.cards[swaps.get(c, c)].code for c in cards))


def _declined(match: Match, seat: int, swapped: set[int]) -> bool:
    """Plays on until the other one decides freely: `seat` declines whatever it is asked, the other takes what comes
    first. False where `seat` must choose among cards that differ.
    """
    while (asked := match.state.asked) is not None:
        legal = match.legal()
        if asked.seat == seat:
            legal = [a for a in legal if getattr(a, "option", getattr(a, "card", None)) not in swapped]
        elif not asked.options and asked.question != "window":
            return True
        if not legal:
            return False
        match.act(Pass() if Pass() in legal else Choose(0) if asked.option_type == "yes_no" else legal[0])
    return True
