"""The table at one moment: everything that the rules need to go on, as plain data. Knows no rulebook.

A state is what folding a log gives (`engine.fold`); nothing else changes it. `copy` is the only way to a second one.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy as shallow

import msgspec
from msgspec import Struct

from events.kinds import (
    FIRST_ITEM,
    Asked,
    AttackMet,
    DamageCalculated,
    GameEnded,
    ModifierBegan,
    RulebookLine,
    StackPushed,
    Zone,
)


class Card(Struct):
    """One card in play: where it is, how it lies, and what differs from what is printed on it.

    `holds` and `counters` are replaced and never changed in place: copies of the card share them.
    """

    code: str | None
    owner: int
    seat: int
    zone: str
    face_up: bool = True
    exhausted: bool = False
    since: int = 0
    """record of its last move (within the table apart): what has moved since is another card to whoever meant it"""
    attached_to: int | None = None
    attachment: str = ""
    attachments: list[int] = []
    """cards tied to this one"""
    counters: dict[str, int] = {}


class State(Struct):
    """The table, the pile, what lasts, what is asked. `zones[seat][name]` lists card ids, a pile's top last."""

    game: str = ""
    seq: int = 0
    """records folded so far: the number of the next one"""
    cause: int = 0
    """cause of the last record"""
    view: int | None = None
    seed: int | None = None
    rolls: int = 0
    """random outcomes so far (shuffles and rolls)"""
    options: dict[str, int | str | bool] = {}
    cards: dict[int, Card] = {}
    zones: list[dict[str, list[int]]] = []
    counters: list[dict[str, int]] = []
    """of the two seats"""
    turn: int = 0
    active: int = 0
    """whose turn it is"""
    phase: str = ""
    phase_seat: int | None = None
    resolved: int = 0
    """stack items settled in this turn"""
    next_item: int = FIRST_ITEM
    stack: list[StackPushed] = []
    modifiers: dict[int, ModifierBegan] = {}
    attack: tuple[int | None, int | None] = (None, None)
    meetings: list[AttackMet] = []
    damage_steps: list[DamageCalculated] = []
    asked: Asked | None = None
    result: GameEnded | None = None

    def count(self, seat: int, zone: str) -> int:
        """How many cards lie in a zone, known or not."""
        return len(self.zones[seat][zone])


class Declared:
    """A rulebook line, indexed by name: what the fold and the view look up."""

    __slots__ = ("attachments", "book", "counters", "move_kinds", "phases", "shared", "table", "words", "zones")

    def __init__(self, book: RulebookLine) -> None:
        self.book = book
        self.zones: dict[str, Zone] = {z.name: z for z in book.zones}
        self.shared = frozenset(z.name for z in book.zones if z.shared)
        self.table = frozenset(z.name for z in book.zones if z.table)
        self.attachments = frozenset(z.name for z in book.zones if z.attachments)
        self.counters = {c.name: c for c in book.counters}
        self.phases = {p.name: p for p in book.phases}
        self.move_kinds = frozenset(book.move_kinds)
        self.words = {
            kind: frozenset(getattr(book, kind))
            for kind in (
                "questions",
                "attachments",
                "directions",
                "outcomes",
                "steps",
                "durations",
                "rules",
                "rolls",
                "reasons",
            )
        }


def sees(zone: Zone, seat: int, up: bool, viewer: int) -> bool:
    """Whether `viewer` knows a card that lies in `zone` of `seat`, face up or not."""
    if zone.visible_to == "all":
        return True
    if zone.visible_to == "none":
        return False
    return seat == viewer or (zone.visible_to == "up" and up)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(State).decode


def to_json(state: State) -> bytes:
    """The whole state as JSON: enough to go on with the game in another process."""
    return _encode(state)


def from_json(data: bytes) -> State:
    """The state that `to_json` wrote."""
    return _decode(data)


_copy_card: Callable[[Card], Card] = Card.__copy__  # type: ignore[attr-defined]  # a third of what copy.copy takes


def copy(state: State) -> State:
    """A second, independent state. Records and what is never changed in place are shared."""
    other = shallow(state)
    other.cards = dict(zip(state.cards, map(_copy_card, state.cards.values()), strict=True))
    other.zones = [{name: held.copy() for name, held in side.items()} for side in state.zones]
    other.counters = [side.copy() for side in state.counters]
    other.options = state.options.copy()
    other.stack, other.meetings, other.damage_steps = (
        state.stack.copy(),
        state.meetings.copy(),
        state.damage_steps.copy(),
    )
    other.modifiers = state.modifiers.copy()
    return other
