"""The event kinds, one struct each: everything that a log may say.

Docstrings and the types of fields (see events/fields.py) say all that there is to say of a kind: from them follow the
tables of PROTOCOL.md (`python -m events.protocol` writes them), what a seat may see of it, what a viewer highlights.
Words (zones, counters, phases, move kinds …) must be declared by the game's `rulebook` line.
"""

from __future__ import annotations

from typing import Any, get_args

from msgspec import Raw, Struct

from events.actions import AnyAction, snake
from events.fields import (
    AttachmentName,
    CardId,
    Code,
    CounterName,
    DirectionName,
    DurationName,
    EntityId,
    Flag,
    Int,
    ItemId,
    MoveKind,
    NamedId,
    OnlySeat,
    Open,
    OpenInt,
    Option,
    OutcomeName,
    PhaseName,
    QuestionName,
    ReasonName,
    RecordId,
    RollName,
    RuleName,
    SeatId,
    Secret,
    StepName,
    Text,
    ZoneName,
    check_data,
)
from events.objects import DeckList as DeckList
from events.objects import Edition as Edition
from events.objects import Frame as Frame
from events.objects import Parent as Parent
from events.objects import Seat as Seat
from events.shared import CardSet as CardSet
from events.shared import Counter as Counter
from events.shared import Phase as Phase
from events.shared import RulebookLine as RulebookLine
from events.shared import Zone as Zone

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


class GameStarted(Event, frozen=True):
    """The first record, record 0: the header."""

    protocol: Text
    """version of this format, see *Versions*"""
    game: Text
    """`key` of the rulebook"""
    rulebook: Edition
    """the game's rulebook line"""
    card_sets: tuple[Edition, ...]
    """the card sets that were in use"""
    seats: tuple[Seat, Seat]
    """seats 0 and 1"""
    id: Secret[str] = ""
    """short name of the game; of a simulated one the first 16 digits of the digest of this line written without `id`"""
    options: dict[Text, Open[Int | str | bool]] = {}
    """options of the rules"""
    seed: Secret[Int | None] = None
    """seed of all random outcomes"""
    origin: Text = "played"
    """`played`, `simulated`, or `transcribed` (written down by a watcher: decisions and codes may be missing)"""
    at: Secret[str | None] = None
    """UTC time at which a live game began, ISO 8601 with `Z`"""
    date: Text | None = None
    """day that a simulation's plan gave it, ISO 8601"""
    match: Text | None = None
    """random name of a live game, the same in all its views"""
    tags: tuple[Text, ...] = ()
    """free labels"""
    view: SeatId | None = None
    """in a one-seat log, the seat from which it is told"""
    parent: Secret[Parent | None] = None
    """the game that this one branches off from: up to a record of it, both are the same"""


class CardsMade(Event, frozen=True):
    """The cards of a zone at the start, one for each code, in this order (the last one on top), with the numbers
    `first`, `first`+1 …; they are face up in a zone that all see.
    """

    seat: SeatId
    """whose"""
    zone: ZoneName
    """where"""
    first: NamedId
    """number of the first card; −1: they are all HIDDEN"""
    codes: tuple[Code | None, ...]
    """codes of the cards; null where not known"""


class CardMoved(Event, frozen=True):
    """A card now lies there. If it did not move within the table, its counters are printed ones again, it is ready, and
    references to it from before are void. If it did not move between two zones with `attachments`, it is
    attached to nothing any more, and nothing to it.
    """

    card: CardId
    """the card; −1: a HIDDEN one"""
    seat: SeatId
    """whose zone"""
    zone: ZoneName
    """which zone"""
    move_kind: MoveKind
    """what kind of move"""
    index: OpenInt = -1
    """its place among the cards there, from 0, counted without itself; −1: last"""
    face_up: Flag = True
    """face up"""
    came_from: tuple[SeatId, ZoneName] | None = None
    """with a HIDDEN card only: seat and zone that it came from"""


class CardExhausted(Event, frozen=True):
    """A card is now exhausted, or is ready again."""

    card: CardId
    """the card"""
    exhausted: Flag
    """true: exhausted (it lies sideways)"""


class CardFlipped(Event, frozen=True):
    """A card's face is now up, or down."""

    card: CardId
    """the card"""
    face_up: Flag
    """true: face up"""


class CardAttached(Event, frozen=True):
    """A card now lies under, or hangs on, another; or no longer does."""

    card: CardId
    """the card"""
    to: CardId | None
    """the other card; null: free again"""
    attachment: AttachmentName
    """in what way"""


class CounterSet(Event, frozen=True):
    """A counter has this value from now on. A counter of a card that was not set since it came to the table has the
    printed value; of a seat, 0.
    """

    entity: EntityId
    """card or seat"""
    name: CounterName
    """which counter"""
    value: OpenInt
    """its value"""


class Shuffled(Event, frozen=True):
    """The cards of a zone lie in this order from now on."""

    seat: SeatId
    """whose"""
    zone: ZoneName
    """which zone"""
    order: Secret[tuple[NamedId, ...]] = ()
    """the numbers of all its cards, the last one on top; in one-seat logs empty, and all cards there are HIDDEN now"""


class CardsRevealed(Event, frozen=True):
    """Cards were shown. They stay where they are."""

    cards: tuple[CardId, ...]
    """the cards"""
    seat: OnlySeat | None = None
    """to whom; null: to everybody"""


class Rolled(Event, frozen=True):
    """A random outcome (a die, a coin)."""

    roll: RollName
    """what it is for"""
    sides: OpenInt
    """how many outcomes there are"""
    outcome: OpenInt
    """which one, from 0"""


class TurnBegan(Event, frozen=True):
    """A turn (or round) began."""

    turn: OpenInt
    """its number, from 1"""
    seat: SeatId
    """whose turn"""


class PhaseBegan(Event, frozen=True):
    """A phase began. What `attack_met` and `damage_calculated` said before is over."""

    phase: PhaseName
    """which"""
    seat: SeatId | None = None
    """whose, where it is one player's"""


class Asked(Event, frozen=True):
    """The game waits for a seat. The next decision answers this question."""

    seat: OnlySeat
    """whose decision"""
    question: QuestionName
    """what kind of question"""
    option_type: Text = ""
    """how to read an option: `card`, `seat`, `item`, `number`, `yes_no` (1 or 0), `way` (an index), `zone` (an index
    into the rulebook's zones)"""
    options: tuple[Option, ...] = ()
    """the answers; empty for a free decision (then `play`, `move`, `attack`, `use` or `pass` answer)"""
    about: tuple[NamedId, ...] = ()
    """entities that the question is about"""
    optional: Flag = False
    """`pass` is an answer too"""
    continuation: Secret[Raw] = NOTHING
    """the engine's own continuation. Opaque: of no meaning to any other program, absent from one-seat logs and wherever
    nobody is to go on from the question, left out of every comparison of two logs. Compact JSON, no line feed"""


class Acted(Event, frozen=True):
    """A decision."""

    seat: SeatId
    """whose"""
    action: AnyAction
    """what was decided, see *Actions*"""
    ms: Secret[Int | None] = None
    """in live games, milliseconds since the game began"""


class StackPushed(Event, frozen=True):
    """An effect went on the stack, where it waits to be carried out."""

    item: ItemId
    """number of the stack item"""
    item_kind: Text
    """what it is: ability, skill, trigger, reaction …"""
    frame: Frame
    """the effect"""


class StackPopped(Event, frozen=True):
    """An item left the stack."""

    item: ItemId
    """the item"""
    outcome: Text
    """`resolved` (its effect follows), `fizzled` or `cancelled`"""


class AttackSet(Event, frozen=True):
    """The attack under way. Both null: there is none any more."""

    attacker: CardId | None = None
    """the attacker"""
    target: EntityId | None = None
    """a card, or a seat"""


class AttackMet(Event, frozen=True):
    """What the attack met in one direction."""

    direction: DirectionName
    """which"""
    source: CardId
    """the attacker"""
    target: EntityId
    """the card that it met; the seat, where nothing met it"""
    outcome: OutcomeName
    """how it went"""


class DamageCalculated(Event, frozen=True):
    """One step in the calculation of damage."""

    source: CardId
    """card that is to deal it"""
    target: NamedId
    """card or seat that it is aimed at"""
    step: StepName
    """what the step is"""
    value: OpenInt
    """the running value after it"""
    by: EntityId | None = None
    """card that changed it"""


class DamageDealt(Event, frozen=True):
    """Damage was dealt. What it did to the target follows in records of its own."""

    source: NamedId
    """card that dealt it"""
    target: EntityId
    """card or seat"""
    amount: OpenInt
    """how much"""


class RuleApplied(Event, frozen=True):
    """A rule or effect took hold that no action and no stack item explains."""

    rule: RuleName
    """which"""
    card: CardId | None = None
    """of or on which card"""


class ModifierBegan(Event, frozen=True):
    """A modifier: an effect that lasts. It only says why: the value that comes of it is told by a `counter_set`."""

    id: ItemId
    """its number"""
    card: NamedId
    """card that it comes from"""
    on: EntityId
    """card or seat that it is on"""
    name: CounterName
    """counter that it changes"""
    duration: DurationName
    """when it ends"""
    add: OpenInt = 0
    """what it adds"""
    set: OpenInt | None = None
    """or: the value that it gives"""
    ability: OpenInt = 0
    """number of the card's ability"""


class ModifierEnded(Event, frozen=True):
    """A modifier is over."""

    id: ItemId
    """its number"""


class CardIdentified(Event, frozen=True):
    """One-seat logs only: a HIDDEN card of that zone has become known."""

    card: CardId
    """number that it has from now on"""
    code: Code
    """its code"""
    seat: SeatId
    """where it lies: whose zone"""
    zone: ZoneName
    """and which"""
    index: OpenInt = -1
    """its place among the cards there, from 0, where a HIDDEN one must lie; −1: the last HIDDEN one"""


class IdentityLost(Event, frozen=True):
    """One-seat logs only: the card cannot be told from the hidden ones around it any more. It is HIDDEN in its place
    from now on, and its number is no card's.
    """

    card: CardId
    """the card"""


class Annotated(Event, frozen=True):
    """A remark of a player or of a program that looks at games. Whoever folds or checks a log passes over it."""

    text: Secret[str]
    """the remark, plain text; empty where `data` says it all"""
    by: Secret[str] = ""
    """who makes it: a kind of player, or the name of a program"""
    seat: Secret[SeatId | None] = None
    """whose remark, where it is a player's"""
    about: Secret[RecordId | None] = None
    """number of the record that it is about; null: the one before it"""
    data: Secret[dict[str, Any]] = {}
    """anything for programs (how often each choice was looked at, the chance to win …)"""

    def __post_init__(self) -> None:
        """Raises ValueError for data that no line may hold."""
        check_data(self.data)


class GameEnded(Event, frozen=True):
    """The result. Only `annotated` and `sealed` may follow."""

    winner: SeatId | None
    """the winning seat; null: a draw"""
    reason: ReasonName
    """why; `error` where the program failed: such a game counts for nothing"""


class Sealed(Event, frozen=True):
    """The last line of a finished game."""

    seal: Secret[str]
    """digest of all lines of the game before this one, see *Digests*"""


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
    | IdentityLost
    | Annotated
    | GameEnded
    | Sealed
)
AnyLine = AnyEvent | RulebookLine | CardSet

EVENT_KINDS = frozenset(get_args(AnyEvent))
"""All kinds of records."""
