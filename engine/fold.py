"""The one fold: (state, event) -> state. A table of small functions, one for each kind.

Total over declared names, no rules, no input or output, never emits. It serves live games, replays and one-seat
logs alike. The state is changed in place; who needs the old one copies it first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine.state import Card, Declared, State, sees
from events import kinds as k
from events.kinds import FIRST_CARD, FIRST_ITEM, HIDDEN, Event

MOST_LYING = FIRST_ITEM - FIRST_CARD
"""Most cards of a zone, hidden ones counted, and most items on the pile: no log of a stranger makes one count long."""

MOST_COUNTERS = 100
"""Most counters that one card may have: they are copied with each change."""


class FoldError(Exception):
    """A record that cannot follow on the state before it; the message says why, `record` which one."""

    def __init__(self, record: int, why: str) -> None:
        super().__init__(f"Record {record}: {why}")
        self.record = record


def begin(declared: Declared) -> State:
    """The empty table of a game, before its first record."""
    names = [z.name for z in declared.book.zones]
    return State(
        game=declared.book.key,
        zones=[{name: [] for name in names}, {name: [] for name in names}],
        counters=[{}, {}],
    )


def fold(state: State, event: Event, declared: Declared) -> State:
    """Applies one record to the state, in place, and returns it; `FoldError` if it cannot follow."""
    seq = state.seq
    try:
        FOLDS[type(event)](state, event, declared, seq)
    except NOT_THERE as problem:
        raise cannot_follow(seq, event, problem) from problem
    if event.back:
        state.cause = seq - event.back
    state.seq = seq + 1
    return state


def fold_all(events: Iterable[Event], declared: Declared) -> State:
    """The state after all of these records; `FoldError` at the first that cannot follow."""
    state = begin(declared)
    folds, seq, cause = FOLDS, 0, 0
    try:
        for event in events:
            folds[type(event)](state, event, declared, seq)
            if event.back:
                cause = seq - event.back
            seq += 1
    except NOT_THERE as problem:
        raise cannot_follow(seq, event, problem) from problem
    state.seq, state.cause = seq, cause
    return state


NOT_THERE = (KeyError, IndexError, ValueError, TypeError, OverflowError)
"""What a record raises that speaks of what is not on the table."""


class _Undeclared(ValueError):
    pass


def cannot_follow(record: int, event: Event, problem: Exception) -> FoldError:
    """What it means that the function of this record's kind has raised one of NOT_THERE."""
    name = type(event).__struct_config__.tag
    if isinstance(problem, _Undeclared):
        return FoldError(record, f"{name} names {problem}, which the rulebook line does not declare")
    return FoldError(record, f"{name} speaks of something that is not there ({problem})")


def _declared(words: frozenset[str], word: str, what: str) -> None:
    if word not in words:
        raise _Undeclared(f"the {what} {word!r}")


def _zone(state: State, seat: int, name: str, declared: Declared) -> list[int]:
    if seat < 0:
        raise IndexError(f"seat {seat}")
    try:
        return state.zones[0 if name in declared.shared else seat][name]
    except KeyError:
        raise _Undeclared(f"the zone {name!r}") from None


def _seat(seat: int) -> None:
    if not 0 <= seat <= 1:
        raise IndexError(f"seat {seat}")


def game_started(state: State, e: k.GameStarted, declared: Declared, seq: int) -> None:
    state.seed = e.seed
    state.view = e.view
    state.options = dict(e.options)


def cards_made(state: State, e: k.CardsMade, declared: Declared, seq: int) -> None:
    pile = _zone(state, e.seat, e.zone, declared)
    if len(pile) + len(e.codes) > MOST_LYING:
        raise ValueError(f"more than {MOST_LYING} cards in one zone")
    if e.first == HIDDEN:
        pile.extend([HIDDEN] * len(e.codes))
        return
    numbers = range(e.first, e.first + len(e.codes))
    _check_new(state, numbers)
    up = declared.zones[e.zone].see == "all"
    cards, seat, zone = state.cards, e.seat, e.zone
    for card, code in zip(numbers, e.codes, strict=True):
        cards[card] = Card(code, seat, seat, zone, up)
    pile.extend(numbers)


def _check_new(state: State, cards: range) -> None:
    if cards and (cards.start < FIRST_CARD or cards.stop > FIRST_ITEM or not state.cards.keys().isdisjoint(cards)):
        wrong = next(c for c in cards if not FIRST_CARD <= c < FIRST_ITEM or c in state.cards)
        raise ValueError(f"a card {wrong}, where cards have new numbers from {FIRST_CARD} to {FIRST_ITEM - 1}")


def card_moved(state: State, e: k.CardMoved, declared: Declared, seq: int) -> None:
    number, seat, zone = e.card, e.seat, e.zone
    if e.how not in declared.hows:
        raise _Undeclared(f"the how {e.how!r}")
    to = _zone(state, seat, zone, declared)
    if number == HIDDEN:
        if e.was is None:
            raise ValueError("a hidden card that does not say where it was")
        _zone(state, e.was[0], e.was[1], declared).remove(HIDDEN)
        _put(to, HIDDEN, e.index)
        return
    card = state.cards[number]
    before = card.zone
    old = _zone(state, card.seat, before, declared)
    if old and old[-1] == number:
        old.pop()
    else:
        old.remove(number)
    if before not in declared.table or zone not in declared.table:
        if card.counters:
            card.counters = {}
        if card.down:
            card.down = False
        card.since = seq
    if (card.to is not None or card.holds) and not (before in declared.ties and zone in declared.ties):
        _untie(state, number)
    card.seat, card.zone, card.up = seat, zone, e.up
    if state.view is not None and not sees(declared.zones[zone], seat, e.up, state.view):
        del state.cards[number]
        number = HIDDEN
    _put(to, number, e.index)


def _put(cards: list[int], card: int, index: int) -> None:
    if index == -1:
        cards.append(card)
    else:
        cards.insert(index, card)


def _untie(state: State, number: int) -> None:
    card = state.cards[number]
    if card.to is not None:
        _let_go(state.cards[card.to], number)
        card.to, card.tie = None, ""
    for held in card.holds:
        state.cards[held].to, state.cards[held].tie = None, ""
    card.holds = []


def _let_go(holder: Card, number: int) -> None:
    holder.holds = [held for held in holder.holds if held != number]


def card_turned(state: State, e: k.CardTurned, declared: Declared, seq: int) -> None:
    state.cards[e.card].down = e.down


def card_flipped(state: State, e: k.CardFlipped, declared: Declared, seq: int) -> None:
    state.cards[e.card].up = e.up


def card_tied(state: State, e: k.CardTied, declared: Declared, seq: int) -> None:
    _declared(declared.words["ties"], e.tie, "tie")
    card = state.cards[e.card]
    if card.to is not None:
        _let_go(state.cards[card.to], e.card)
    card.to, card.tie = e.to, e.tie if e.to is not None else ""
    if e.to is not None:
        holder = state.cards[e.to]
        holder.holds = [*holder.holds, e.card]


def counter_set(state: State, e: k.CounterSet, declared: Declared, seq: int) -> None:
    if e.name not in declared.counters:
        raise _Undeclared(f"the counter {e.name!r}")
    if e.entity == HIDDEN:
        return
    if e.entity < FIRST_CARD:
        if e.entity < 0:
            raise IndexError(f"entity {e.entity}")
        state.counters[e.entity][e.name] = e.value
    else:
        card = state.cards[e.entity]
        if len(card.counters) == MOST_COUNTERS and e.name not in card.counters:
            raise ValueError(f"more than {MOST_COUNTERS} counters on one card")
        card.counters = {**card.counters, e.name: e.value}


def shuffled(state: State, e: k.Shuffled, declared: Declared, seq: int) -> None:
    state.rolls += 1
    pile = _zone(state, e.seat, e.zone, declared)
    if state.view is not None:
        for card in pile:
            state.cards.pop(card, None)
        pile[:] = [HIDDEN] * len(pile)
    elif sorted(pile) == sorted(e.order):
        pile[:] = e.order
    else:
        raise ValueError("the order does not list the cards of the pile")


def shown(state: State, e: k.Shown, declared: Declared, seq: int) -> None:
    pass


def rolled(state: State, e: k.Rolled, declared: Declared, seq: int) -> None:
    _declared(declared.words["rolls"], e.roll, "roll")
    state.rolls += 1


def turn_began(state: State, e: k.TurnBegan, declared: Declared, seq: int) -> None:
    _seat(e.seat)
    if e.turn != state.turn:
        state.settled = 0
    state.turn, state.active = e.turn, e.seat


def phase_began(state: State, e: k.PhaseBegan, declared: Declared, seq: int) -> None:
    if e.phase not in declared.phases:
        raise _Undeclared(f"the phase {e.phase!r}")
    if e.seat is not None:
        _seat(e.seat)
    state.phase, state.phase_seat = e.phase, e.seat
    if state.met:
        state.met = []
    if state.reckoned:
        state.reckoned = []


def asked(state: State, e: k.Asked, declared: Declared, seq: int) -> None:
    _seat(e.seat)
    state.asked = e


def acted(state: State, e: k.Acted, declared: Declared, seq: int) -> None:
    _seat(e.seat)
    state.asked = None


def queued(state: State, e: k.Queued, declared: Declared, seq: int) -> None:
    if len(state.pile) >= MOST_LYING:
        raise ValueError(f"more than {MOST_LYING} items on the pile")
    _seat(e.frame.seat)
    state.pile.append(e)
    state.next_item = max(state.next_item, e.item + 1)


def unqueued(state: State, e: k.Unqueued, declared: Declared, seq: int) -> None:
    for i in range(len(state.pile) - 1, -1, -1):
        if state.pile[i].item == e.item:
            del state.pile[i]
            state.settled += 1
            return
    raise ValueError(f"no item {e.item} on the pile")


def aimed(state: State, e: k.Aimed, declared: Declared, seq: int) -> None:
    state.aimed = (e.card, e.target)


def met(state: State, e: k.Met, declared: Declared, seq: int) -> None:
    _declared(declared.words["directions"], e.direction, "direction")
    _declared(declared.words["outcomes"], e.outcome, "outcome")
    state.met.append(e)


def reckoned(state: State, e: k.Reckoned, declared: Declared, seq: int) -> None:
    _declared(declared.words["steps"], e.step, "step")
    state.reckoned.append(e)


def struck(state: State, e: k.Struck, declared: Declared, seq: int) -> None:
    pass


def resolved(state: State, e: k.Resolved, declared: Declared, seq: int) -> None:
    _declared(declared.words["effects"], e.effect, "effect")


def lasting_began(state: State, e: k.LastingBegan, declared: Declared, seq: int) -> None:
    _declared(declared.words["untils"], e.until, "until")
    state.lasting[e.id] = e
    state.next_item = max(state.next_item, e.id + 1)


def lasting_ended(state: State, e: k.LastingEnded, declared: Declared, seq: int) -> None:
    del state.lasting[e.id]


def known(state: State, e: k.Known, declared: Declared, seq: int) -> None:
    pile = _zone(state, e.seat, e.zone, declared)
    _check_new(state, range(e.card, e.card + 1))
    pile[len(pile) - 1 - pile[::-1].index(HIDDEN)] = e.card
    state.cards[e.card] = Card(e.code, e.seat, e.seat, e.zone, up=False)


def noted(state: State, e: k.Noted, declared: Declared, seq: int) -> None:
    pass


def game_ended(state: State, e: k.GameEnded, declared: Declared, seq: int) -> None:
    _declared(declared.words["reasons"], e.reason, "reason")
    if e.winner is not None:
        _seat(e.winner)
    state.result = e
    state.asked = None


def sealed(state: State, e: k.Sealed, declared: Declared, seq: int) -> None:
    pass


FOLDS: dict[type, Callable[[State, Any, Declared, int], None]] = {
    k.GameStarted: game_started, k.CardsMade: cards_made, k.CardMoved: card_moved, k.CardTurned: card_turned,
    k.CardFlipped: card_flipped, k.CardTied: card_tied, k.CounterSet: counter_set, k.Shuffled: shuffled,
    k.Shown: shown, k.Rolled: rolled, k.TurnBegan: turn_began, k.PhaseBegan: phase_began, k.Asked: asked,
    k.Acted: acted, k.Queued: queued, k.Unqueued: unqueued, k.Aimed: aimed, k.Met: met, k.Reckoned: reckoned,
    k.Struck: struck, k.Resolved: resolved, k.LastingBegan: lasting_began, k.LastingEnded: lasting_ended,
    k.Known: known, k.Noted: noted, k.GameEnded: game_ended, k.Sealed: sealed,
}
