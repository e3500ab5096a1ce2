"""The event kinds, one struct each: everything that a log may say. PROTOCOL.md describes them, field by field.

Entities are small integers: seats 0 and 1, then cards from 2 on, then stack items and lasting effects from 1000.
Words (zones, counters, phases, hows …) must be declared by the game's `rulebook` line.
"""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

from events.actions import AnyAction, Int, snake

PROTOCOL = "0.1"
"""Version of the log format that is written. Versions 0 and 0.1 make no promise yet."""

HIDDEN = -1
"""Stands for a card that the seat of a one-seat log does not know; many cards may be HIDDEN at once."""

FIRST_CARD = 2
FIRST_ITEM = 1000
NOTHING = Raw(b"null")


class Event(
    Struct, frozen=True, gc=False, tag_field="kind", tag=snake, omit_defaults=True, kw_only=True,
    forbid_unknown_fields=True,
):
    """One record of a game. Past tense; values are absolute, never differences.

    `back` is how many records before this one its cause stands; 0 (not written) means: the same cause as the
    record before. A record without a cause of its own points to record 0, `game_started`.
    """

    back: Int = 0


# --- lines that several games of one file share -------------------------------------------------------------


class Zone(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A place for cards. `see`: all, owner, none, or up (by whoever sees its face; the owner always does)."""

    name: str
    visible_to: str
    table: bool = False
    """counters survive a move between two such zones; such zones together are the table"""
    attachments: bool = False
    """ties (stacked on, equipped to) survive a move between two such zones"""
    capacity: Int = 0
    """most cards that the rules let lie here; 0 is no limit. The fold does not enforce it."""
    ordered: bool = False
    """cards lie on each other: the last one is the top"""
    life: bool = False
    """the number of cards here is what the game is about (a deck that must not run out)"""
    shared: bool = False
    """one for both seats (kept as seat 0's)"""


class Counter(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A number (or, with `words`, an index into them) on a card or a seat."""

    name: str
    of: str = "card"
    life: bool = False
    minimum: Int | None = None
    maximum: Int | None = None
    words: tuple[str, ...] = ()
    quiet: bool = False
    """bookkeeping of the rules, which a viewer need not show"""


class Phase(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A phase of the turn; a `quiet` one is a step that a viewer skips."""

    name: str
    quiet: bool = False


class RulebookLine(
    Struct, frozen=True, tag_field="kind", tag="rulebook", omit_defaults=True, forbid_unknown_fields=True
):
    """Everything that a log of this game may name: the line that comes before its first game."""

    key: str
    version: str
    zones: tuple[Zone, ...]
    counters: tuple[Counter, ...]
    phases: tuple[Phase, ...]
    turn: str = "turn"
    move_kinds: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    durations: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    rolls: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    words: dict[str, dict[str, str]] = {}
    """key of a declared word (`zone.deck`, `how.drawn`) -> language -> how people say it"""
    roles: dict[str, str] = {}
    """how -> what statistics count such a move as: drawn (a plain draw), played (a card takes effect from the hand),
    turned_up (off the pile face up by the rules) or destroyed; other hows are told apart by their zones"""


class CardSet(
    Struct, frozen=True, tag_field="kind", tag="card_set", omit_defaults=True, forbid_unknown_fields=True
):
    """The full definitions of a set's cards, as the set's files give them."""

    key: str
    version: str
    game: str
    cards: dict[str, dict[str, Any]]
    tables: dict[str, Any] = {}
    """what the set lays down besides its cards (a ban list …), in tables of the game's own"""


class Edition(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A rulebook or card set, by name, version and digest of its line."""

    key: str
    version: str
    digest: str


class DeckList(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What a player brought: code -> copies, and a leader or player card where the game has one."""

    name: str = ""
    cards: dict[str, Int] = {}
    leader: str | None = None


class Seat(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Who sat there: the player's name, what decided (human, random, greedy …), and the deck."""

    player: str
    player_kind: str = "human"
    deck: DeckList = DeckList()


# --- the records of a game ----------------------------------------------------------------------------------


class Frame(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """An effect on its way: whose, of which card and ability, and how far it has come."""

    seat: Int
    card: Int
    ability: Int = 0
    at: Int = 0
    """index of the next instruction of the ability's flattened effect"""
    since: Int = 0
    """record at which the effect was announced: cards that have moved on or off the table after it are gone"""
    item: Int = 0
    """the stack item that carries it, or 0"""
    code: str = ""
    """code of the card, which may have left by the time the effect is carried out"""
    slots: dict[str, tuple[Int, ...]] = {}
    """chosen entities, by name"""


class GameStarted(Event, frozen=True):
    """The first line of a game."""

    protocol: str
    game: str
    rulebook: Edition
    card_sets: tuple[Edition, ...]
    seats: tuple[Seat, Seat]
    id: str = ""
    options: dict[str, Int | str | bool] = {}
    seed: Int | None = None
    origin: str = "played"
    """played, simulated or transcribed"""
    at: str | None = None
    """UTC time of a live game, ISO 8601"""
    date: str | None = None
    """day given by a simulation's plan"""
    match: str | None = None
    """random name of a live game, the same in all its views"""
    tags: tuple[str, ...] = ()
    view: Int | None = None
    """seat from which a one-seat log is told"""


class CardsMade(Event, frozen=True):
    """A starting pile: cards with ids from `first` on, in this order; a code is null where it is not known."""

    seat: Int
    zone: str
    first: Int
    codes: tuple[str | None, ...]


class CardMoved(Event, frozen=True):
    """A card is now in `zone` of `seat` at `index` (-1: last), face up or not; `how` says what kind of move."""

    card: Int
    seat: Int
    zone: str
    move_kind: str
    index: Int = -1
    face_up: bool = True
    came_from: tuple[Int, str] | None = None
    """one-seat logs, hidden cards only: seat and zone that it came from"""


class CardExhausted(Event, frozen=True):
    """A card now lies sideways (down) or stands."""

    card: Int
    exhausted: bool


class CardFlipped(Event, frozen=True):
    """A card's face is now up or down."""

    card: Int
    face_up: bool


class CardAttached(Event, frozen=True):
    """A card now lies under, or hangs on, the card `to` (null: is free again); `tie` says how."""

    card: Int
    to: Int | None
    attachment: str


class CounterSet(Event, frozen=True):
    """A counter of a card or seat has this value from now on. A card's absent counter has the printed value."""

    entity: Int
    name: str
    value: Int


class Shuffled(Event, frozen=True):
    """A pile is now in this order (last is the top); ids of its cards."""

    seat: Int
    zone: str
    order: tuple[Int, ...] = ()


class CardsRevealed(Event, frozen=True):
    """Cards were shown to `seat` (null: to everybody)."""

    cards: tuple[Int, ...]
    seat: Int | None = None


class Rolled(Event, frozen=True):
    """A random outcome out of `sides`, counted from 0."""

    roll: str
    sides: Int
    outcome: Int


class TurnBegan(Event, frozen=True):
    """Turn (or round) number `turn` is `seat`'s; the same number again where the turn passes over midway."""

    turn: Int
    seat: Int


class PhaseBegan(Event, frozen=True):
    """A phase began; `seat` where it is one player's."""

    phase: str
    seat: Int | None = None


class Asked(Event, frozen=True):
    """The game waits for `seat`. `options` are the answers of a question; none means a free decision.

    `of` tells how to read an option (card, seat, item, number, yes_no, way, zone). `rest` is the engine's own
    continuation: opaque bytes to everyone else, left out of views and of every comparison.
    """

    seat: Int
    question: str
    option_type: str = ""
    options: tuple[Int, ...] = ()
    about: tuple[Int, ...] = ()
    optional: bool = False
    """a pass is an answer too"""
    continuation: Raw = NOTHING


class Acted(Event, frozen=True):
    """The decision of `seat`. `ms`: in live games, milliseconds since the start."""

    seat: Int
    action: AnyAction
    ms: Int | None = None


class StackPushed(Event, frozen=True):
    """An effect went on the pile as `item`; `what` is ability, skill, trigger, reaction …"""

    item: Int
    item_kind: str
    frame: Frame


class StackPopped(Event, frozen=True):
    """A stack item left the pile: settled, fizzled or cancelled."""

    item: Int
    outcome: str


class AttackSet(Event, frozen=True):
    """The attack under way: who attacks what (a card, or a seat); both null: no longer any."""

    attacker: Int | None = None
    target: Int | None = None


class AttackMet(Event, frozen=True):
    """In `direction` the attack of `source` met `target` (a card, or the seat where nothing met it)."""

    direction: str
    source: Int
    target: Int
    outcome: str


class DamageCalculated(Event, frozen=True):
    """One step of a reckoning: the running value after it, and what changed it."""

    source: Int
    target: Int
    step: str
    value: Int
    by: Int | None = None


class DamageDealt(Event, frozen=True):
    """`source` dealt `amount` to `target` (a card or a seat)."""

    source: Int
    target: Int
    amount: Int


class RuleApplied(Event, frozen=True):
    """A rule or effect that no action and no stack item explains took hold of `card`."""

    rule: str
    card: Int | None = None


class ModifierBegan(Event, frozen=True):
    """From now on, until `until`, `name` of `on` is changed: `add` to it, or `be` that value. `card` is why."""

    id: Int
    card: Int
    on: Int
    name: str
    duration: str
    add: Int = 0
    set: Int | None = None
    ability: Int = 0


class ModifierEnded(Event, frozen=True):
    """The lasting effect `id` is over."""

    id: Int


class CardIdentified(Event, frozen=True):
    """One-seat logs only: a card that lay hidden in `zone` of `seat` has become known under the number `card`.

    `index` is its place there; -1: it is taken for the last hidden one.
    """

    card: Int
    code: str
    seat: Int
    zone: str
    index: Int = -1


class Annotated(Event, frozen=True):
    """A remark inside the log; the fold and every check pass over it."""

    text: str
    seat: Int | None = None


class GameEnded(Event, frozen=True):
    """The result: the winning seat, or null for a draw, and the reason."""

    winner: Int | None
    reason: str


class Sealed(Event, frozen=True):
    """Last line of a finished game: digest over all its lines before this one."""

    seal: str


AnyEvent = (
    GameStarted
    | CardsMade
    | CardMoved
    | CardExhausted
    | CardFlipped
    | CardAttached
    | CounterSet
    | Shuffled
    | CardsRevealed
    | Rolled
    | TurnBegan
    | PhaseBegan
    | Asked
    | Acted
    | StackPushed
    | StackPopped
    | AttackSet
    | AttackMet
    | DamageCalculated
    | DamageDealt
    | RuleApplied
    | ModifierBegan
    | ModifierEnded
    | CardIdentified
    | Annotated
    | GameEnded
    | Sealed
)
AnyLine = AnyEvent | RulebookLine | CardSet
