"""Frames: the table after one record as plain JSON data, and the patches that lead from each to the next.

What a record touches follows from the fields of its kind; what applies patches needs no event kind. No words, no layout
(board.py), no pictures.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, TypeAlias

from engine.state import Card, State
from events import kinds as k
from events.actions import Choose
from events.fields import Holds, changed
from events.kinds import FIRST_CARD, FIRST_ITEM, Event

FrameData: TypeAlias = dict[str, Any]
"""turn, active, phase, phase_seat, asked, attack, meetings, damage_steps, stack, modifiers, result, cards, zones, seats
and `now`: what the last record touched. Numbers of cards and lasting effects are keys as text, as in JSON."""

Patch: TypeAlias = list[list[Any]]
"""Operations in order: [path, value] sets, [path] deletes, [path, at, cut, put] splices a list."""


def frame_of(state: State, event: Event, asked: k.Asked | None = None) -> FrameData:
    """The frame of `state`, which `event` has just led to; `asked` is the question that was open before it."""
    return {
        **_plain(state),
        "cards": {str(n): _card(c) for n, c in state.cards.items()},
        "modifiers": {str(n): _lasting(e) for n, e in state.modifiers.items()},
        "zones": [{name: list(cards) for name, cards in side.items()} for side in state.zones],
        "seats": [dict(counters) for counters in state.counters],
        "now": now(event, asked),
    }


def apply_patch(frame: FrameData, patch: Patch) -> None:
    """Applies a patch in place: what the viewer does in its own language."""
    for path, *rest in patch:
        *way, last = path
        place: Any = frame
        for key in way:
            place = place[key]
        if not rest:
            del place[last]
        elif len(rest) == 1:
            place[last] = copy.deepcopy(rest[0])
        else:
            at, cut, put = rest
            place[last][at : at + cut] = put


class Frames:
    """Follows a state record by record: `patch` says what has changed since it was last asked."""

    def __init__(self, state: State, event: Event) -> None:
        self.frame = frame_of(state, event)
        """the frame as of the last patch; not to be kept, as it goes on"""
        self._seen = {n: _signature(c) for n, c in state.cards.items()}
        self._asked = state.asked

    def patch(self, state: State, event: Event) -> Patch:
        """What leads from the last frame to that of `state`, which `event` has just led to."""
        patch: Patch = []
        frame = self.frame
        self._cards(state, patch)
        for side, zones in enumerate(state.zones):
            for name, cards in zones.items():
                old = frame["zones"][side][name]
                if old != cards:
                    patch.append([["zones", side, name], *_splice(old, cards)])
        for side, counters in enumerate(state.counters):
            _entries(["seats", side], frame["seats"][side], counters, patch)
        if state.modifiers or frame["modifiers"]:
            lasting = {str(n): _lasting(e) for n, e in state.modifiers.items()}
            _entries(["modifiers"], frame["modifiers"], lasting, patch)
        for name, value in {**_plain(state, self._asked), "now": now(event, self._asked)}.items():
            if value is not _SAME and frame[name] != value:
                patch.append([[name], value])
        self._asked = state.asked
        apply_patch(frame, patch)
        return patch

    def _cards(self, state: State, patch: Patch) -> None:
        seen, frame = self._seen, self.frame["cards"]
        for number, card in state.cards.items():
            signature = _signature(card)
            if seen.get(number) == signature:
                continue
            seen[number] = signature
            key, new = str(number), _card(card)
            if key in frame:
                _entries(["cards", key], frame[key], new, patch)
            else:
                patch.append([["cards", key], new])
        if len(seen) > len(state.cards):
            for number in [n for n in seen if n not in state.cards]:
                del seen[number]
                patch.append([["cards", str(number)]])


_SAME: Any = object()


def _plain(state: State, asked: Any = _SAME) -> FrameData:
    """The small parts. `asked` that was already put into words stays as it is."""
    return {
        "turn": state.turn,
        "active": state.active,
        "phase": state.phase,
        "phase_seat": state.phase_seat,
        "asked": _SAME if asked is state.asked else _asked(state.asked),
        "attack": None if state.attack == (None, None) else list(state.attack),
        "meetings": [[m.direction, m.source, m.target, m.outcome] for m in state.meetings],
        "damage_steps": [[r.source, r.target, r.step, r.value, r.by] for r in state.damage_steps],
        "stack": [
            {"item": q.item, "what": q.item_kind, "seat": q.frame.seat, "card": q.frame.card, "code": q.frame.code,
             "aims": aims(q.frame)}
            for q in state.stack
        ],
        "result": state.result and {"winner": state.result.winner, "reason": state.result.reason},
    }


def _asked(asked: k.Asked | None) -> FrameData | None:
    if asked is None:
        return None
    return {"seat": asked.seat, "what": asked.question, "of": asked.option_type, "options": list(asked.options),
            "about": list(asked.about)}  # fmt: skip


def _card(card: Card) -> FrameData:
    """Only what differs from a free card that stands face up with its printed values."""
    plain: FrameData = {"code": card.code, "seat": card.seat, "zone": card.zone}
    if not card.face_up:
        plain["face_up"] = False
    if card.exhausted:
        plain["exhausted"] = True
    if card.attached_to is not None:
        plain["to"], plain["attachment"] = card.attached_to, card.attachment
    if card.counters:
        plain["counters"] = dict(card.counters)
    return plain


def _signature(card: Card) -> tuple[Any, ...]:
    counters = tuple(card.counters.items()) if card.counters else ()
    return card.code, card.seat, card.zone, card.face_up, card.exhausted, card.attached_to, card.attachment, counters


def _lasting(effect: k.ModifierBegan) -> FrameData:
    plain = {"card": effect.card, "on": effect.on, "name": effect.name, "duration": effect.duration}
    return {**plain, "add": effect.add} if effect.set is None else {**plain, "be": effect.set}


def _entries(path: list[Any], old: FrameData, new: FrameData, patch: Patch) -> None:
    """The patch between two tables whose values are set as a whole."""
    if old == new:
        return
    patch.extend([[*path, name]] for name in old if name not in new)
    patch.extend([[*path, n], value] for n, value in new.items() if n not in old or old[n] != value)


def _splice(old: Sequence[int], new: Sequence[int]) -> tuple[int, int, list[int]]:
    """Where the two lists differ: from where, how many go, and what comes."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, len(old) - head - tail, list(new[head : len(new) - tail])


# --- what a record touches ----------------------------------------------------------------------------------


def aims(frame: k.Frame) -> list[int]:
    """What an effect is aimed at: its slots but for those that every trigger has."""
    return [entity for name, held in frame.slots.items() if name not in ("it", "self") for entity in held]


def now(event: Event, asked: k.Asked | None) -> FrameData:
    """The record as the board shows it: the cards it touches, the kind of move, the blow struck.

    `asked` is the question that was open before it.
    """
    cards = touched(event)
    if isinstance(event, k.Acted) and isinstance(event.action, Choose) and asked and asked.option_type == "card":
        cards = [event.action.option] if event.action.option >= FIRST_CARD else []
    plain: FrameData = {"cards": cards}
    if isinstance(event, k.CardMoved):
        plain["move_kind"] = event.move_kind
    elif isinstance(event, k.DamageDealt):
        plain["hit"] = [event.source, event.target, event.amount]
    elif isinstance(event, k.CounterSet):
        plain["counter"] = [event.entity, event.name]
    return plain


def touched(event: Event) -> list[int]:
    """The cards that the record is about, in the order of its fields."""
    cards: dict[int, None] = {}

    def see(holds: Holds, value: Any) -> Any:
        if holds.what in ("card", "entity") and not holds.named_only and FIRST_CARD <= value < FIRST_ITEM:
            cards[value] = None
        return value

    changed(event, see)
    return list(cards)
