"""The one fold: (state, event) -> state. A table of small functions, one for each kind.

Total over declared names, no rules, no input or output, never emits. It serves live games, replays and one-seat
logs alike. The state is changed in place: copy it first to keep the old one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.bounds import MAX_COUNTERS, MAX_IN_ZONE
from engine.state import Card, Declared, State, sees
from events import kinds as k
from events.errors import CardfoldError
from events.kinds import FIRST_CARD, FIRST_ITEM, HIDDEN, Event


class FoldError(CardfoldError):
    """A record that cannot follow the ones before it; the message says why, `record` is its number."""

    def __init__(self, record: int, why: str) -> None:
        super().__init__(f"Record {record}: {why}")
        self.record = record


def empty_state(declared: Declared) -> State:
    """The empty table of a game, before its first record."""
    names = [z.name for z in declared.book.zones]
    return State(
        game=declared.book.key,
        zones=[{name: [] for name in names}, {name: [] for name in names}],
        counters=[{}, {}],
        last_moves=["", ""],
    )


def fold(state: State, event: Event, declared: Declared) -> State:
    """Applies one record to the state, in place, and returns it; `FoldError` if it cannot follow.

    It may then have changed the state in part.
    """
    number = state.seq
    try:
        FOLDS[type(event)](state, event, declared, number)
    except NOT_THERE as problem:
        raise cannot_follow(number, event, problem) from problem
    if event.back:
        state.cause = number - event.back
    state.seq = number + 1
    return state


def apply(state: State, events: Sequence[Event], declared: Declared) -> State:
    """Applies records, each as `fold` does; with the cause looked for once, at the end, it takes a seventh less."""
    folds = FOLDS
    number = begun = state.seq
    try:
        for number, event in enumerate(events, begun):
            folds[type(event)](state, event, declared, number)
        number = begun + len(events)
    except NOT_THERE as problem:
        raise cannot_follow(number, event, problem) from problem
    finally:
        state.seq = number
        for place in range(number - begun - 1, -1, -1):
            if back := events[place].back:
                state.cause = begun + place - back
                break
    return state


def fold_all(events: Sequence[Event], declared: Declared) -> State:
    """The state after all of these records; `FoldError` at the first that cannot follow."""
    return apply(empty_state(declared), events, declared)


NOT_THERE = (KeyError, IndexError, ValueError, TypeError, OverflowError)
"""What folding a record raises when it refers to something that is not on the table."""


class _Undeclared(ValueError):
    pass


def cannot_follow(record: int, event: Event, problem: Exception) -> FoldError:
    """The FoldError for a record whose function raised one of NOT_THERE."""
    name = type(event).__struct_config__.tag
    if isinstance(problem, _Undeclared):
        return FoldError(record, f"{name} names {problem}, which the rulebook line does not declare")
    return FoldError(record, f"{name} speaks of something that is not there ({problem})")


def _zone(state: State, seat: int, name: str, declared: Declared) -> list[int]:
    if seat < 0:
        raise IndexError(f"seat {seat}")
    side = 0 if name in declared.shared else seat
    try:
        return state.zones[side][name] if state.owned is None else state.writable_zone(side, name)
    except KeyError:
        raise _Undeclared(f"the zone {name!r}") from None


def _no_seat(seat: int) -> IndexError:
    return IndexError(f"seat {seat}")


def game_started(state: State, e: k.GameStarted, declared: Declared, number: int) -> None:
    state.seed = e.seed
    state.view = e.view
    state.options = dict(e.options)


def cards_made(state: State, e: k.CardsMade, declared: Declared, number: int) -> None:
    held = _zone(state, e.seat, e.zone, declared)
    if len(held) + len(e.codes) > MAX_IN_ZONE:
        raise ValueError(f"more than {MAX_IN_ZONE} cards in one zone")
    if e.first == HIDDEN:
        held.extend([HIDDEN] * len(e.codes))
        return
    numbers = range(e.first, e.first + len(e.codes))
    _check_new(state, numbers)
    up = declared.zones[e.zone].visible_to == "all"
    cards, seat, zone = state.cards, e.seat, e.zone
    for card, code in zip(numbers, e.codes, strict=True):
        cards[card] = Card(code, seat, seat, zone, up)
    if state.owned is not None:
        state.owned.cards.update(numbers)
    held.extend(numbers)


def _check_new(state: State, cards: range) -> None:
    if cards and (cards.start < FIRST_CARD or cards.stop > FIRST_ITEM or not state.cards.keys().isdisjoint(cards)):
        wrong = next(c for c in cards if not FIRST_CARD <= c < FIRST_ITEM or c in state.cards)
        raise ValueError(f"a card {wrong}, where cards have new numbers from {FIRST_CARD} to {FIRST_ITEM - 1}")


def card_moved(state: State, e: k.CardMoved, declared: Declared, number: int) -> None:
    moved, seat, zone, face_up, kind, index = e.card, e.seat, e.zone, e.face_up, e.move_kind, e.index
    if kind not in declared.move_kinds:
        raise _Undeclared(f"the move kind {kind!r}")
    if moved == HIDDEN:
        _hidden_moved(state, e, declared)
        return
    place = declared.zones.get(zone)
    if place is None:
        raise _Undeclared(f"the zone {zone!r}")
    card = state.cards[moved]
    before, was = card.zone, declared.zones[card.zone]
    if state.owned is None and seat >= 0:
        old, to = state.zones[0 if was.shared else card.seat][before], state.zones[0 if place.shared else seat][zone]
    elif seat < 0:
        raise IndexError(f"seat {seat}")
    else:
        card = state.writable_card(moved)
        old = state.writable_zone(0 if was.shared else card.seat, before)
        to = state.writable_zone(0 if place.shared else seat, zone)
    if old and old[-1] == moved:
        old.pop()
    else:
        old.remove(moved)
    if not (was.table and place.table):
        if card.counters:
            card.counters = {}
        if card.exhausted:
            card.exhausted = False
        card.since = number
    if (card.attached_to is not None or card.attachments) and not (was.attachments and place.attachments):
        _detach(state, card, moved)
    if card.seat != seat:  # to compare takes less time than to set
        card.seat = seat
    if card.face_up != face_up:
        card.face_up = face_up
    card.zone = zone
    state.last_moves[card.owner] = kind
    if state.view is not None and not sees(place, seat, face_up, state.view):
        del state.cards[moved]
        moved = HIDDEN
    if index == -1:
        to.append(moved)
    else:
        to.insert(_place(index), moved)


def _hidden_moved(state: State, e: k.CardMoved, declared: Declared) -> None:
    to = _zone(state, e.seat, e.zone, declared)
    if e.came_from is None:
        raise ValueError("a hidden card that does not say where it was")
    _zone(state, e.came_from[0], e.came_from[1], declared).remove(HIDDEN)
    if e.index == -1:
        to.append(HIDDEN)
    else:
        to.insert(_place(e.index), HIDDEN)


def _place(index: int) -> int:
    """The index, within what any zone holds: beyond that the end, or the begin, is meant all the same."""
    return max(-MAX_IN_ZONE, min(index, MAX_IN_ZONE))


def _detach(state: State, card: Card, number: int) -> None:
    """Ends all attachments of the card, and its own attachment to another."""
    if card.attached_to is not None:
        _let_go(state.writable_card(card.attached_to), number)
        card.attached_to, card.attachment = None, ""
    for held in card.attachments:
        other = state.writable_card(held)
        other.attached_to, other.attachment = None, ""
    card.attachments = []


def _let_go(holder: Card, number: int) -> None:
    holder.attachments = [held for held in holder.attachments if held != number]


def card_exhausted(state: State, e: k.CardExhausted, declared: Declared, number: int) -> None:
    card = state.cards[e.card] if state.owned is None else state.writable_card(e.card)
    card.exhausted = e.exhausted


def card_flipped(state: State, e: k.CardFlipped, declared: Declared, number: int) -> None:
    state.writable_card(e.card).face_up = e.face_up


def card_attached(state: State, e: k.CardAttached, declared: Declared, number: int) -> None:
    if e.attachment not in declared.words["attachments"]:
        raise _Undeclared(f"the attachment {e.attachment!r}")
    card = state.writable_card(e.card)
    if card.attached_to is not None:
        _let_go(state.writable_card(card.attached_to), e.card)
    card.attached_to, card.attachment = e.to, e.attachment if e.to is not None else ""
    if e.to is not None:
        holder = state.writable_card(e.to)
        holder.attachments = [*holder.attachments, e.card]


def counter_set(state: State, e: k.CounterSet, declared: Declared, number: int) -> None:
    if e.name not in declared.counters:
        raise _Undeclared(f"the counter {e.name!r}")
    if e.entity == HIDDEN:
        return
    if e.entity < FIRST_CARD:
        if e.entity < 0:
            raise IndexError(f"entity {e.entity}")
        state.counters[e.entity][e.name] = e.value
    else:
        card = state.cards[e.entity] if state.owned is None else state.writable_card(e.entity)
        if len(card.counters) == MAX_COUNTERS and e.name not in card.counters:
            raise ValueError(f"more than {MAX_COUNTERS} counters on one card")
        card.counters = {**card.counters, e.name: e.value}


def shuffled(state: State, e: k.Shuffled, declared: Declared, number: int) -> None:
    state.rolls += 1
    held = _zone(state, e.seat, e.zone, declared)
    if state.view is not None:
        for card in held:
            state.cards.pop(card, None)
        held[:] = [HIDDEN] * len(held)
    elif sorted(held) == sorted(e.order):
        held[:] = e.order
    else:
        raise ValueError("the order does not list the cards of the zone")


def cards_revealed(state: State, e: k.CardsRevealed, declared: Declared, number: int) -> None:
    pass


def rolled(state: State, e: k.Rolled, declared: Declared, number: int) -> None:
    if e.roll not in declared.words["rolls"]:
        raise _Undeclared(f"the roll {e.roll!r}")
    state.rolls += 1


def turn_began(state: State, e: k.TurnBegan, declared: Declared, number: int) -> None:
    if e.seat not in (0, 1):
        raise _no_seat(e.seat)
    if e.turn != state.turn:
        state.resolved = 0
    state.turn, state.active = e.turn, e.seat


def phase_began(state: State, e: k.PhaseBegan, declared: Declared, number: int) -> None:
    phase, seat = e.phase, e.seat
    if phase not in declared.phases:
        raise _Undeclared(f"the phase {phase!r}")
    if seat is not None and seat not in (0, 1):
        raise _no_seat(seat)
    state.phase, state.phase_seat = phase, seat
    if state.meetings:
        state.meetings = []
    if state.damage_steps:
        state.damage_steps = []


def asked(state: State, e: k.Asked, declared: Declared, number: int) -> None:
    seat: int = e.seat
    if seat not in (0, 1):
        raise _no_seat(seat)
    state.asked = e


def acted(state: State, e: k.Acted, declared: Declared, number: int) -> None:
    seat: int = e.seat
    if seat not in (0, 1):
        raise _no_seat(seat)
    state.asked = None


def stack_pushed(state: State, e: k.StackPushed, declared: Declared, number: int) -> None:
    if len(state.stack) >= MAX_IN_ZONE:
        raise ValueError(f"more than {MAX_IN_ZONE} items on the stack")
    if e.frame.seat not in (0, 1):
        raise _no_seat(e.frame.seat)
    state.stack.append(e)
    if state.next_item <= e.item:
        state.next_item = e.item + 1


def stack_popped(state: State, e: k.StackPopped, declared: Declared, number: int) -> None:
    for i in range(len(state.stack) - 1, -1, -1):
        if state.stack[i].item == e.item:
            del state.stack[i]
            state.resolved += 1
            return
    raise ValueError(f"no item {e.item} on the stack")


def attack_set(state: State, e: k.AttackSet, declared: Declared, number: int) -> None:
    state.attack = (e.attacker, e.target)


def attack_met(state: State, e: k.AttackMet, declared: Declared, number: int) -> None:
    if e.direction not in declared.words["directions"]:
        raise _Undeclared(f"the direction {e.direction!r}")
    if e.outcome not in declared.words["outcomes"]:
        raise _Undeclared(f"the outcome {e.outcome!r}")
    state.meetings.append(e)


def damage_calculated(state: State, e: k.DamageCalculated, declared: Declared, number: int) -> None:
    if e.step not in declared.words["steps"]:
        raise _Undeclared(f"the step {e.step!r}")
    state.damage_steps.append(e)


def damage_dealt(state: State, e: k.DamageDealt, declared: Declared, number: int) -> None:
    pass


def rule_applied(state: State, e: k.RuleApplied, declared: Declared, number: int) -> None:
    if e.rule not in declared.words["rules"]:
        raise _Undeclared(f"the effect {e.rule!r}")


def modifier_began(state: State, e: k.ModifierBegan, declared: Declared, number: int) -> None:
    if e.duration not in declared.words["durations"]:
        raise _Undeclared(f"the duration {e.duration!r}")
    state.modifiers[e.id] = e
    if state.next_item <= e.id:
        state.next_item = e.id + 1


def modifier_ended(state: State, e: k.ModifierEnded, declared: Declared, number: int) -> None:
    del state.modifiers[e.id]


def card_identified(state: State, e: k.CardIdentified, declared: Declared, number: int) -> None:
    held = _zone(state, e.seat, e.zone, declared)
    _check_new(state, range(e.card, e.card + 1))
    place = e.index
    if place == -1:
        place = next((n for n in reversed(range(len(held))) if held[n] == HIDDEN), -1)
    if place < 0 or held[place] != HIDDEN:
        raise ValueError(f"place {e.index}, where no HIDDEN card lies")
    held[place] = e.card
    state.cards[e.card] = Card(e.code, e.seat, e.seat, e.zone, face_up=False)
    if state.owned is not None:
        state.owned.cards.add(e.card)


def identity_lost(state: State, e: k.IdentityLost, declared: Declared, number: int) -> None:
    card = state.writable_card(e.card)
    held = _zone(state, card.seat, card.zone, declared)
    held[held.index(e.card)] = HIDDEN
    _detach(state, card, e.card)
    del state.cards[e.card]


def annotated(state: State, e: k.Annotated, declared: Declared, number: int) -> None:
    pass


def game_ended(state: State, e: k.GameEnded, declared: Declared, number: int) -> None:
    if e.reason not in declared.words["reasons"]:
        raise _Undeclared(f"the reason {e.reason!r}")
    if e.winner is not None and e.winner not in (0, 1):
        raise _no_seat(e.winner)
    state.result = e
    state.asked = None


def sealed(state: State, e: k.Sealed, declared: Declared, number: int) -> None:
    pass


FOLDS: dict[type, Callable[[State, Any, Declared, int], None]] = {
    k.GameStarted: game_started,
    k.CardsMade: cards_made,
    k.CardMoved: card_moved,
    k.CardExhausted: card_exhausted,
    k.CardFlipped: card_flipped,
    k.CardAttached: card_attached,
    k.CounterSet: counter_set,
    k.Shuffled: shuffled,
    k.CardsRevealed: cards_revealed,
    k.Rolled: rolled,
    k.TurnBegan: turn_began,
    k.PhaseBegan: phase_began,
    k.Asked: asked,
    k.Acted: acted,
    k.StackPushed: stack_pushed,
    k.StackPopped: stack_popped,
    k.AttackSet: attack_set,
    k.AttackMet: attack_met,
    k.DamageCalculated: damage_calculated,
    k.DamageDealt: damage_dealt,
    k.RuleApplied: rule_applied,
    k.ModifierBegan: modifier_began,
    k.ModifierEnded: modifier_ended,
    k.CardIdentified: card_identified,
    k.IdentityLost: identity_lost,
    k.Annotated: annotated,
    k.GameEnded: game_ended,
    k.Sealed: sealed,
}
