"""The effect language: what a card's abilities may say, as data. `do` names the instruction, `ability` the kind.

Atoms, not sentences: an effect is a list of instructions over slots (named lists of chosen cards). This module only
describes and flattens; `engine.core.interpreter` carries out. The golden rule of all games: what a card says wins.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from events.actions import snake

Side: TypeAlias = Literal["own", "other", "any"]
Few: TypeAlias = Annotated[int, Meta(le=99)]
"""How many cards are named or paid: each is looked for, so no card of a stranger may ask for a million."""


class _Table(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class Select(_Table, frozen=True):
    """A selection of cards. What is left out does not restrict."""

    zone: tuple[str, ...] = ()
    """zones to look in; left out: the places on the table where cards fight and work"""
    of: Side = "any"
    is_: dict[str, str] = field(default={}, name="is")
    """printed words, e.g. {kind = "monster", colour = "red"}"""
    name: str | None = None
    """the card's English name"""
    at_least: dict[str, int] = {}
    """current values, e.g. {pow = 3000} or {rush = 1}"""
    at_most: dict[str, int] = {}
    exhausted: bool | None = None
    another: bool = False
    """not the card itself whose ability this is"""


Who: TypeAlias = str | Select
"""Cards: a slot by name (self, it, attacker, attacked, or one filled by a target or `choose`), or a selection.

`bearer` is the card that this one is tied to (what an equipped card hangs on).
`own` and `other` mean the players themselves, for values of theirs.
"""


class Amount(_Table, frozen=True):
    """times × (number of cards selected, or a value of the first card of a slot) + plus."""

    times: int = 1
    plus: int = 0
    count: Select | None = None
    value: str | None = None
    of: str = "self"


Number: TypeAlias = int | Amount


class When(_Table, frozen=True):
    """A condition; everything stated must hold."""

    count: Select | None = None
    at_least: int | None = None
    """of `count`; 1 where neither this nor `at_most` stands"""
    at_most: int | None = None
    turn: Side | None = None
    phase: str | None = None
    slot: str | None = None
    """this slot holds a card (that `fits`, where given)"""
    fits: Select | None = None
    not_: When | None = field(default=None, name="not")


class Cost(_Table, frozen=True):
    """What is paid: this card goes down, cards are discarded, or cards from the top of the own deck."""

    pay: Literal["exhaust", "discard", "mill"]
    from_: Select | None = field(default=None, name="from")
    n: Few = 1


class Target(_Table, frozen=True):
    """Cards named when the ability is announced, before costs are paid: exactly n, or up to n, different ones."""

    from_: Select = field(name="from")
    slot: str = "target"
    n: Few = 1
    up_to: bool = False


# --- instructions -------------------------------------------------------------------------------------------


class Instruction(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do", tag=snake):
    """Base of all instructions."""


class Draw(Instruction, frozen=True):
    """Draws cards from the top of the deck, as far as there are any."""

    n: Number = 1
    who: Side = "own"


class Burst(Instruction, frozen=True):
    """Turns up cards from the top of the deck and discards them, as an attack on the deck does."""

    n: Number = 1
    who: Side = "other"


class Mill(Instruction, frozen=True):
    """Puts cards from the top of the deck into the discard pile; no burst."""

    n: Number = 1
    who: Side = "other"


class Damage(Instruction, frozen=True):
    """Deals damage to each of the cards."""

    what: Who
    n: Number


class Destroy(Instruction, frozen=True):
    """Destroys the cards."""

    what: Who


class Move(Instruction, frozen=True):
    """Puts the cards into a zone of their owner."""

    what: Who
    zone: str
    at: Literal["top", "bottom"] = "top"


class Play(Instruction, frozen=True):
    """Brings the card into play as a player would, if everything that the rules ask of that holds."""

    what: Who


class Exhaust(Instruction, frozen=True):
    """Turns the cards down, or stands them up."""

    what: Who
    exhausted: bool


class AddValue(Instruction, frozen=True, tag="add"):
    """Adds to a value of the cards until `until`."""

    what: Who
    name: str
    n: Number
    duration: str = "turn"


class SetValue(Instruction, frozen=True, tag="set"):
    """Makes a value of the cards (a keyword too) be this until `until`."""

    what: Who
    name: str
    value: int = 1
    duration: str = "turn"


class Change(Instruction, frozen=True):
    """Changes a number of the players for good, by n (which may be negative), within what is declared for it."""

    name: str
    n: Number
    who: Side = "own"


class ChooseCards(Instruction, frozen=True, tag="choose"):
    """`by` chooses n (or up to n) of the cards into a slot; as many as there are, if fewer."""

    from_: Select = field(name="from")
    slot: str = "chosen"
    n: Few = 1
    up_to: bool = False
    by: Literal["own", "other"] = "own"


class Each(Instruction, frozen=True):
    """Does `then` for each of the cards, one after another, with the card in `slot`."""

    what: Who
    then: tuple[AnyInstruction, ...]
    slot: str = "each"


class If(Instruction, frozen=True):
    """Does `then` where the condition holds, else `otherwise`."""

    when: When
    then: tuple[AnyInstruction, ...]
    otherwise: tuple[AnyInstruction, ...] = ()


class May(Instruction, frozen=True):
    """The owner says whether `then` is done."""

    then: tuple[AnyInstruction, ...]
    otherwise: tuple[AnyInstruction, ...] = ()


class Cancel(Instruction, frozen=True):
    """Takes the stack item in the slot off the pile; it does nothing."""

    what: str = "target"


class EndAttack(Instruction, frozen=True):
    """The attack under way ends without effect."""


class Reveal(Instruction, frozen=True):
    """Shows the cards to everybody."""

    what: Who


class Shuffle(Instruction, frozen=True):
    """Shuffles the deck."""

    who: Side = "own"


class Special(Instruction, frozen=True):
    """A function of the game, by name, for what the language cannot say; it may not ask."""

    name: str


# Made by flattening, never written in a card file.


class Jump(Instruction, frozen=True):
    """Goes on at instruction `to`."""

    to: int


class Unless(Instruction, frozen=True):
    """Goes on at `to` if the condition does not hold."""

    when: When
    to: int


class Ask(Instruction, frozen=True):
    """Goes on at `to` if the owner says no."""

    to: int


class Next(Instruction, frozen=True):
    """Takes the next card of the loop into `slot`, or goes on at `to` when none is left."""

    what: Who
    slot: str
    rest: str
    to: int


AnyInstruction: TypeAlias = (
    Draw
    | Burst
    | Mill
    | Damage
    | Destroy
    | Move
    | Play
    | Exhaust
    | AddValue
    | SetValue
    | Change
    | ChooseCards
    | Each
    | If
    | May
    | Cancel
    | EndAttack
    | Reveal
    | Shuffle
    | Special
)

# --- abilities ----------------------------------------------------------------------------------------------


class Ability(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="ability", tag=snake):
    """Base of all abilities."""


class Activated(Ability, frozen=True):
    """Used by the owner, when abilities can be used. Once a turn unless the cost takes a card away."""

    then: tuple[AnyInstruction, ...]
    cost: tuple[Cost, ...] = ()
    targets: tuple[Target, ...] = ()
    when: When | None = None
    once: bool = False
    """once a turn even though its cost takes a card away"""


class Effect(Ability, frozen=True):
    """What a card does that is used from the hand (a skill, an item)."""

    then: tuple[AnyInstruction, ...]
    cost: tuple[Cost, ...] = ()
    targets: tuple[Target, ...] = ()
    when: When | None = None


class Triggered(Ability, frozen=True):
    """Set off by a moment of the game, of this card or (`whose`) of others; the card concerned is in slot `it`."""

    on: str
    then: tuple[AnyInstruction, ...]
    whose: Literal["self", "own", "other", "any"] = "self"
    fits: Select | None = None
    targets: tuple[Target, ...] = ()
    when: When | None = None


class Passive(Ability, frozen=True):
    """Holds as long as the card is on the table and the condition holds: adds to, or sets, a value of cards."""

    name: str
    what: Who = "self"
    add: Number = 0
    set: int | None = None
    when: When | None = None


class Reaction(Ability, frozen=True):
    """Carried out when the card is burst from its owner's deck, before it is discarded."""

    then: tuple[AnyInstruction, ...]
    targets: tuple[Target, ...] = ()


class Regenerate(Ability, frozen=True):
    """When the card would be destroyed and this is paid (or holds), it is not, and its damage goes to 0."""

    cost: tuple[Cost, ...] = ()
    when: When | None = None


AnyAbility: TypeAlias = Activated | Effect | Triggered | Passive | Reaction | Regenerate


def flatten(then: tuple[AnyInstruction, ...]) -> tuple[Instruction, ...]:
    """The instructions as one flat list: conditions and loops become jumps, so that a place in it is one integer."""
    code: list[Instruction] = []
    _flatten(then, code)
    return tuple(code)


def _flatten(then: tuple[AnyInstruction, ...], code: list[Instruction]) -> None:
    for step in then:
        if isinstance(step, (If, May)):
            at = len(code)
            code.append(step)
            _flatten(step.then, code)
            end = len(code)
            if step.otherwise:
                code.append(step)
                _flatten(step.otherwise, code)
                code[end] = Jump(len(code))
                end += 1
            code[at] = Unless(step.when, end) if isinstance(step, If) else Ask(end)
        elif isinstance(step, Each):
            at = len(code)
            code.append(step)
            _flatten(step.then, code)
            code.append(Jump(at))
            code[at] = Next(step.what, step.slot, f"#{at}", len(code))
        else:
            code.append(step)
