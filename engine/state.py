"""The table at one moment: everything that the rules need to go on, as plain data. Knows no rulebook.

A state is the result of folding a log (`engine.fold`); nothing else changes it, and only `copy` makes a second one.
Copies share cards and zones until one of them writes, so a card held across a change may be out of date.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

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
from events.shared import EVERY_RULEBOOK


@dataclass(slots=True)
class Card:
    """One card in play: where it is, how it lies, and what differs from what is printed on it.

    `attachments` and `counters` are replaced and never changed in place: copies of the card share them.
    """

    code: str | None
    owner: int
    seat: int
    zone: str
    face_up: bool = True
    exhausted: bool = False
    since: int = 0
    """record of its last move, moves within the table not counted: a card that has moved since is another one"""
    attached_to: int | None = None
    attachment: str = ""
    attachments: list[int] = field(default_factory=list)
    """cards that are attached to this one"""
    counters: dict[str, int] = field(default_factory=dict)


def copy_card(card: Card) -> Card:
    """Another card that is the same."""
    return Card(
        card.code, card.owner, card.seat, card.zone, card.face_up, card.exhausted, card.since, card.attached_to,
        card.attachment, card.attachments, card.counters,
    )  # fmt: skip


@dataclass(slots=True)
class Owned:
    """What a state that has copies may change in place: what it has copied for itself."""

    cards: set[int] = field(default_factory=set)
    zones: set[tuple[int, str]] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class State:
    """The table, the stack, what lasts, what is asked. `zones[seat][name]` lists card ids, an ordered zone's top last.

    Of the cards and zones it changes in place only what it owns (`owned`; None: all); copies share the others.
    """

    game: str = ""
    seq: int = 0
    """records folded so far: the number of the next one"""
    cause: int = 0
    """cause of the last record"""
    view: int | None = None
    seed: int | None = None
    rolls: int = 0
    """random outcomes so far (shuffles and rolls)"""
    options: dict[str, int | str | bool] = field(default_factory=dict)
    cards: dict[int, Card] = field(default_factory=dict)
    zones: list[dict[str, list[int]]] = field(default_factory=list)
    counters: list[dict[str, int]] = field(default_factory=list)
    """of the two seats"""
    turn: int = 0
    active: int = 0
    """the seat whose turn it is"""
    phase: str = ""
    phase_seat: int | None = None
    resolved: int = 0
    """stack items resolved in this turn"""
    next_item: int = FIRST_ITEM
    stack: list[StackPushed] = field(default_factory=list)
    modifiers: dict[int, ModifierBegan] = field(default_factory=dict)
    attack: tuple[int | None, int | None] = (None, None)
    meetings: list[AttackMet] = field(default_factory=list)
    damage_steps: list[DamageCalculated] = field(default_factory=list)
    asked: Asked | None = None
    result: GameEnded | None = None
    last_moves: list[str] = field(default_factory=list)
    """for each seat, the kind of move by which a card of its owner moved last"""
    owned: Owned | None = None

    def __eq__(self, other: object) -> bool:
        """Whether both are the same table, whatever they own."""
        return isinstance(other, State) and all(
            getattr(self, field.name) == getattr(other, field.name) for field in fields(self) if field.name != "owned"
        )

    def writable_card(self, number: int) -> Card:
        """The card, to be changed in place. Raises KeyError for one that is not there."""
        card, owned = self.cards[number], self.owned
        if owned is not None and number not in owned.cards:
            card = self.cards[number] = copy_card(card)
            owned.cards.add(number)
        return card

    def writable_zone(self, seat: int, name: str) -> list[int]:
        """The cards of a zone, to be changed in place. Raises KeyError or IndexError where there is no such zone."""
        zones, owned = self.zones[seat], self.owned
        cards = zones[name]
        if owned is not None and (seat, name) not in owned.zones:
            cards = zones[name] = cards.copy()
            owned.zones.add((seat, name))
        return cards

    def share(self) -> None:
        """From here on others hold the cards and zones as they are: each is copied before it is changed."""
        if self.owned is None or self.owned.cards or self.owned.zones:
            self.owned = Owned()

    def count(self, seat: int, zone: str) -> int:
        """How many cards lie in a zone, known or not."""
        return len(self.zones[seat][zone])


def _words(book: RulebookLine, kind: str) -> frozenset[str]:
    return frozenset((*getattr(book, kind), *EVERY_RULEBOOK.get(kind, ())))


class Declared:
    """A rulebook line, indexed by name: what the fold and the view look up."""

    def __init__(self, book: RulebookLine) -> None:
        self.book = book
        self.zones: dict[str, Zone] = {z.name: z for z in book.zones}
        self.zone_names = tuple(self.zones)
        self.shared = frozenset(z.name for z in book.zones if z.shared)
        self.table = frozenset(z.name for z in book.zones if z.table)
        self.hidden = frozenset(z.name for z in book.zones if z.visible_to in ("none", "owner"))
        self.covered = tuple((z.name, z.visible_to) for z in book.zones if z.visible_to != "all")
        """zones of which somebody does not see everything, and who sees what"""
        self.attachments = frozenset(z.name for z in book.zones if z.attachments)
        self.counters = {c.name: c for c in book.counters}
        self.life_zones = tuple(z.name for z in book.zones if z.life)
        self.life_counters = tuple(c.name for c in book.counters if c.life and c.of == "seat")
        self.phases = {p.name: p for p in book.phases}
        self.move_kinds = _words(book, "move_kinds")
        self.words = {
            kind: _words(book, kind)
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

    def within(self, counter: str, value: int) -> int:
        """The value, kept within what is declared for the counter."""
        declared = self.counters[counter]
        if declared.minimum is not None:
            value = max(value, declared.minimum)
        return value if declared.maximum is None else min(value, declared.maximum)


def sees(zone: Zone, seat: int, up: bool, viewer: int) -> bool:
    """Whether `viewer` knows a card that lies in `zone` of `seat`, face up or not."""
    if zone.visible_to == "all":
        return True
    if zone.visible_to == "none":
        return False
    return seat == viewer or (zone.visible_to == "up" and up)


def life(state: State, seat: int, declared: Declared) -> int | None:
    """A seat's remaining life: its life counter where the game has one, else the number of cards in its life zones.

    None in a game that declares neither, and before the counter is set.
    """
    if declared.life_counters:
        counters = state.counters[seat]
        return next((counters[name] for name in declared.life_counters if name in counters), None)
    return sum(state.count(seat, zone) for zone in declared.life_zones) if declared.life_zones else None


def copy(state: State) -> State:
    """An independent copy; cards and zones are shared until one of the two writes to them."""
    zones, counters = state.zones, state.counters
    other = State(
        state.game, state.seq, state.cause, state.view, state.seed, state.rolls, state.options, state.cards.copy(),
        [zones[0].copy(), zones[1].copy()], [counters[0].copy(), counters[1].copy()], state.turn, state.active,
        state.phase, state.phase_seat, state.resolved, state.next_item, state.stack.copy(), state.modifiers.copy(),
        state.attack, state.meetings.copy(), state.damage_steps.copy(), state.asked, state.result,
        state.last_moves.copy(), Owned(),
    )  # fmt: skip
    state.share()
    return other
