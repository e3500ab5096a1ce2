"""What the fields of a record hold: the types from which views, highlighting, sentences and tests follow.

Each field of an event kind, of an action and of what is nested in them is declared with one of these types. What
changes the numbers of cards, or withholds something, is written once, as a function of what a value is (`changed`).
A field without such a type is withheld from every seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, structs

_T = TypeVar("_T")

MAX_DEPTH = 64
"""Deepest nesting of arrays and objects in a line."""


class Holds(Struct, frozen=True):
    """What a value stands for: card, seat, entity, item, record, option, only_seat, word, code, secret or open.

    `sort` is the sort of a declared word. `named_only`: the record names the entity, which nothing happens to.
    """

    what: str
    sort: str = ""
    named_only: bool = False


UNDECLARED = Holds("")
"""What a value is whose field does not say it."""
SECRET = Holds("secret")

Int: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""An integer as lines may hold it: of 64 bits, so that every reader and writer can."""

CardId: TypeAlias = Annotated[Int, Holds("card")]
SeatId: TypeAlias = Annotated[Int, Holds("seat")]
EntityId: TypeAlias = Annotated[Int, Holds("entity")]
"""A card, a seat, a stack item or a modifier."""
NamedId: TypeAlias = Annotated[Int, Holds("entity", named_only=True)]
"""An entity that the record names besides what it happens to."""
ItemId: TypeAlias = Annotated[Int, Holds("item")]
"""A stack item or a modifier."""
RecordId: TypeAlias = Annotated[Int, Holds("record")]
Option: TypeAlias = Annotated[Int, Holds("option")]
"""One of the options of a question, whose `option_type` says what it stands for (see OPTION_TYPES)."""
OnlySeat: TypeAlias = Annotated[Int, Holds("only_seat")]
"""The seat that alone sees the record."""
Code: TypeAlias = Annotated[str, Holds("code")]
"""A card's face, which a view shows only where it works out that the seat sees it."""

Open: TypeAlias = Annotated[_T, Holds("open")]
"""Both seats know it."""
Secret: TypeAlias = Annotated[_T, SECRET]
"""No view has it."""
OpenInt: TypeAlias = Open[Int]
Flag: TypeAlias = Open[bool]
Text: TypeAlias = Open[str]

ZoneName: TypeAlias = Annotated[str, Holds("word", "zone")]
CounterName: TypeAlias = Annotated[str, Holds("word", "counter")]
PhaseName: TypeAlias = Annotated[str, Holds("word", "phase")]
MoveKind: TypeAlias = Annotated[str, Holds("word", "move_kind")]
QuestionName: TypeAlias = Annotated[str, Holds("word", "question")]
AttachmentName: TypeAlias = Annotated[str, Holds("word", "attachment")]
DirectionName: TypeAlias = Annotated[str, Holds("word", "direction")]
OutcomeName: TypeAlias = Annotated[str, Holds("word", "outcome")]
StepName: TypeAlias = Annotated[str, Holds("word", "step")]
DurationName: TypeAlias = Annotated[str, Holds("word", "duration")]
RuleName: TypeAlias = Annotated[str, Holds("word", "rule")]
RollName: TypeAlias = Annotated[str, Holds("word", "roll")]
ReasonName: TypeAlias = Annotated[str, Holds("word", "reason")]

OPTION_TYPES = {
    "": "entity", "card": "card", "seat": "seat", "item": "item",
    "number": "open", "yes_no": "open", "way": "open", "zone": "open",
}  # fmt: skip
"""`option_type` of a question -> what its options hold."""


def check_data(value: Any, depth: int = MAX_DEPTH - 1) -> None:
    """Raises ValueError for JSON data in which something nests deeper, or is an integer beyond 64 bits."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(f"it holds a number beyond 64 bits; integers lie between {-(2**63)} and {2**63 - 1}")
    if isinstance(value, dict | list):
        if not depth:
            raise ValueError(f"it nests deeper than a line may, {MAX_DEPTH} levels")
        for part in value.values() if isinstance(value, dict) else value:
            check_data(part, depth - 1)


class Withheld(Exception):
    """Raised by what changes a value that is not to go further: its field falls back to what it is if absent."""


NOTHING_GIVEN: Mapping[str, Any] = {}
_Change: TypeAlias = Callable[[Holds, Any], Any]


def changed(record: Any, change: _Change, given: Mapping[str, Any] = NOTHING_GIVEN) -> Any:
    """The record, or action, with `change(what it holds, value)` in place of each value, nested ones included.

    Its cause is left out. `given` are fields that have another value already. Raises Withheld where a field that must
    be there is withheld.
    """
    kind: Any = type(record)
    new: dict[str, Any] = dict(given)
    for name, through, required in _fields(kind):
        if name in given:
            continue
        value = getattr(record, name)
        try:
            new[name] = through(value, change)
        except Withheld:
            if required:
                raise
    return kind(**new)


@cache
def declared(struct: Any) -> dict[str, frozenset[Holds]]:
    """What each field of a struct holds, nested values included."""
    hints = get_type_hints(struct, include_extras=True)
    return {name: _held(hints[name]) for name in struct.__struct_fields__ if name != "back"}


def _held(hint: Any) -> frozenset[Holds]:
    own = _own(hint)
    if own:
        return frozenset(own)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return frozenset().union(*declared(hint).values())
    parts = [part for part in get_args(hint) if part not in (..., type(None))]
    return frozenset().union(*map(_held, parts)) if parts else frozenset((UNDECLARED,))


_Through: TypeAlias = Callable[[Any, _Change], Any]


@cache
def _fields(struct: Any) -> tuple[tuple[str, _Through, bool], ...]:
    """Name, how a change goes through it, and whether it must be there, of each field but the cause."""
    hints = get_type_hints(struct, include_extras=True)
    return tuple((f.name, _through(hints[f.name]), f.required) for f in structs.fields(struct) if f.name != "back")


def _own(hint: Any) -> list[Holds]:
    return [held for held in getattr(hint, "__metadata__", ()) if isinstance(held, Holds)]


def _through(hint: Any) -> _Through:
    """How a change goes through a value of this type."""
    own = _own(hint)
    if SECRET in own:
        rest = own[0] if own[0] != SECRET else None
        inner = _leaf(rest) if rest else _through(hint.__origin__)
        return lambda value, change: (change(SECRET, value), inner(value, change))[1]
    if own:
        return _leaf(own[0])
    if isinstance(hint, type) and issubclass(hint, Struct):
        return changed
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _through_union([part for part in args if part is not type(None)])
    if origin is tuple and args[-1] is ...:
        each = _through(args[0])
        return lambda value, change: tuple(each(part, change) for part in value)
    if origin is tuple:
        every = [_through(part) for part in args]
        return lambda value, change: tuple(one(part, change) for one, part in zip(every, value, strict=True))
    if origin is dict:
        key, held = map(_through, args)
        return lambda value, change: {key(name, change): held(part, change) for name, part in value.items()}
    return _leaf(UNDECLARED)


def _leaf(holds: Holds) -> _Through:
    return lambda value, change: change(holds, value)


def _through_union(parts: list[Any]) -> _Through:
    """One of several structs, or one type or null."""
    if all(isinstance(part, type) and issubclass(part, Struct) for part in parts):
        inner: _Through = changed
    else:
        inner = _through(parts[0]) if len(parts) == 1 else _leaf(UNDECLARED)
    return lambda value, change: None if value is None else inner(value, change)
