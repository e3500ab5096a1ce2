"""One line of a log: bytes to a struct and back, causes, and the digests that say what a line or game is.

Nothing here knows files (open.py, pack.py) or what a record means for the table (that is the fold's).
"""

from __future__ import annotations

import difflib
import hashlib
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, get_args

import msgspec

from events import kinds
from events.actions import AnyAction
from events.errors import CardfoldError
from events.fields import MAX_DEPTH
from events.kinds import (
    NOTHING,
    Acted,
    Annotated,
    AnyLine,
    Asked,
    CardSet,
    Edition,
    Event,
    GameStarted,
    RulebookLine,
    Sealed,
    StackPushed,
)

MAX_LINE = 4 << 20
"""Longest line that is read, in bytes; the longest honest ones are card sets, some hundred kilobytes."""

TAGS = {kind.__struct_config__.tag: kind for kind in get_args(AnyLine)}
"""kind -> struct, in the order of kinds.py"""

ACTION_TAGS = {action.__struct_config__.tag: action for action in get_args(AnyAction)}

ENCODER = msgspec.json.Encoder()
SORTED = msgspec.json.Encoder(order="sorted")
DECODER = msgspec.json.Decoder(AnyLine)
_ROUND = bytes.maketrans(b"[{]}", b"(())")
_NO_BRACKET = bytes(set(range(256)) - set(b"[{]}"))
_LONG_NUMBER = re.compile(rb"(?<![\d.eE+-])-?\d{19,}(?![\d.eE])")
_KIND = re.compile(rb'\s*\{\s*"kind"\s*:\s*"(\w{1,40})"')
_WRONG_VALUE = re.compile(r"Invalid value '(.*)' - at `\$\.(kind|action\.do)`", re.DOTALL)
_AT = re.compile(r" - at `\$\.(.*)`$")
_NOT_IN_KEY = ("protocol", "id", "options", "seed", "origin", "at", "date", "match", "tags", "parent")
"""Fields of a header that do not say which game it is: claims, labels, and what its facts show anyway."""


class LogError(CardfoldError):
    """A log cannot be read or written: a sentence with the place, what is wrong, and what would be right.

    `file` is the name of the file or "", `game` the game's index in it (or its id), `record` the record's
    number in the game, `byte` where that record (in a pack: its frame) begins. None where not known.
    """

    def __init__(
        self,
        what: str,
        file: str = "",
        game: int | str | None = None,
        record: int | None = None,
        byte: int | None = None,
    ) -> None:
        super().__init__(what, file, game, record, byte)
        self.what, self.file, self.game, self.record, self.byte = what, file, game, record, byte

    def __str__(self) -> str:
        places = [self.file] if self.file else []
        named = (("game", self.game), ("record", self.record), ("byte", self.byte))
        places += [f"{word} {place}" for word, place in named if place is not None]
        return f"{', '.join(places)}: {self.what}" if places else self.what


def encode(line: Event | RulebookLine | CardSet) -> bytes:
    """The line's bytes, without a line feed at the end. Fields with their default value are left out."""
    data = ENCODER.encode(line)
    if b"\n" in data:
        raise LogError("`continuation` holds a line feed, which would break the line in two: give compact JSON.")
    return data


def decode(line: bytes) -> AnyLine:
    """The struct of one line (without its line feed). Raises LogError with what is wrong, without a place."""
    check_text(line)
    try:
        found = DECODER.decode(line)
    except msgspec.MsgspecError as error:
        check_names(line)
        raise LogError(_explain(line, error)) from None
    if ENCODER.encode(found) != line:  # else no name can stand in it twice
        check_names(line)
    return found


def check_text(line: bytes) -> None:
    """Raises LogError for a line that is too long, too deep, or not UTF-8, before anything is made of it."""
    if len(line) > MAX_LINE:
        raise LogError(f"the line has more than {MAX_LINE} bytes, which is the most that is read.")
    if too_deep(line):
        raise LogError(f"the line nests deeper than {MAX_DEPTH} levels.")
    try:
        if not line.isascii():
            line.decode()
    except UnicodeDecodeError as error:
        raise LogError(f"byte {error.start} of the line is not UTF-8.") from None


def check_names(line: bytes) -> None:
    """Raises LogError for a line in which an object has a name twice: readers would not agree on what it says."""
    try:
        _NAMES_ONCE.decode(line.decode())
    except _TwiceError as error:
        raise LogError(f"the name {str(error)[:60]!r} stands twice in one object of the line.") from None
    except (ValueError, RecursionError):
        return  # no JSON: that is said elsewhere


class _TwiceError(Exception):
    pass


def _once(pairs: list[tuple[str, Any]]) -> None:
    seen = set()
    for name, _ in pairs:
        if name in seen:
            raise _TwiceError(name)
        seen.add(name)


_NAMES_ONCE = json.JSONDecoder(object_pairs_hook=_once)


def _without_strings(line: bytes) -> bytes:
    """The line without its strings: what stands before the first quotation mark, between the second and third …"""
    return b"".join(line.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')[::2])


def too_large(line: bytes) -> bool:
    """Whether an integer in this line has more than 64 bits. For lines with parts whose types are not known."""
    return any(
        len(number) > 20 or not -(2**63) <= int(number) < 2**63
        for number in _LONG_NUMBER.findall(_without_strings(line))
    )


def too_deep(line: bytes) -> bool:
    """Whether arrays and objects nest deeper than MAX_DEPTH in this line."""
    if line.count(b"[") + line.count(b"{") <= MAX_DEPTH:
        return False
    brackets = _without_strings(line).translate(_ROUND, _NO_BRACKET)
    for _ in range(MAX_DEPTH):  # takes the innermost level off each time
        brackets = brackets.replace(b"()", b"")
    return brackets.count(b"(") > (MAX_DEPTH if b"()" not in brackets else 0)


def _explain(line: bytes, error: msgspec.MsgspecError) -> str:
    """What msgspec found, as a sentence that names the kind and the field."""
    text = str(error)
    if not isinstance(error, msgspec.ValidationError):
        if "truncated" in text:
            return f"the line is cut off: it stops after {len(line)} bytes, inside a record."
        return f"the line is no JSON object: {text}."
    wrong = _WRONG_VALUE.match(text)
    if wrong:
        word, field = wrong[1][:60], wrong[2]
        known = list(TAGS if field == "kind" else ACTION_TAGS)
        near = difflib.get_close_matches(word, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}."
        return f"there is no {'kind' if field == 'kind' else 'action'} {word!r}: {hint}"
    where = _AT.search(text)
    field = f", field `{where[1][:60]}`" if where else ""
    kind = _KIND.match(line)
    of = f"in {kind[1].decode()}{field}" if kind else "in this record"
    return f"{of}: {_AT.sub('', text)[:200]}. PROTOCOL.md lists the fields of each kind."


def causes(events: Sequence[Event]) -> list[int]:
    """The number of each record's cause; record 0 is its own. Raises LogError for one outside the game."""
    found: list[int] = []
    cause = 0
    for number, event in enumerate(events):
        if event.back:
            cause = number - event.back
            if not 0 <= cause < number:
                raise LogError(wrong_back(event.back, number), record=number)
        found.append(cause)
    return found


def wrong_back(back: int, number: int) -> str:
    """The sentence for a `back` that points outside the game."""
    return f"`back` is {back}, but a cause must be one of the {number} records before this one."


def digest(data: bytes | memoryview) -> str:
    """BLAKE2b over the data: 16 bytes, as 32 hexadecimal digits."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def edition(line: RulebookLine | CardSet) -> Edition:
    """Name, version and digest by which a game names this line."""
    return Edition(key=line.key, version=line.version, digest=digest(encode(line)))


def seal(lines: Iterable[bytes]) -> str:
    """The digest over a game's lines (without its `sealed` line), joined by line feeds."""
    return digest(b"\n".join(lines))


def game_id(header: GameStarted) -> str:
    """A short id, 16 hexadecimal digits, that a simulated game has by its header alone."""
    return digest(encode(msgspec.structs.replace(header, id="")))[:16]


def game_key(events: Sequence[Event]) -> str:
    """Which game this is, by its content: the same for an anonymous copy, another one for any other fact.

    The digest over the header (without names, times, labels, options and seed; of rulebook and card sets without their
    digests) and all records but annotations and the seal, these without `ms` and `continuation`.
    """
    header = events[0]
    if not isinstance(header, GameStarted):
        raise LogError("a game begins with game_started.", record=0)
    return digest(SORTED.encode_lines([_plain_header(header), *_facts(events)])[:-1])


def _facts(events: Sequence[Event]) -> Iterator[Event]:
    """The records that say what happened, without times and continuations."""
    for event in unannotated(events)[1:]:
        if type(event) is Asked:
            yield msgspec.structs.replace(event, continuation=NOTHING)
        elif type(event) is Acted and event.ms is not None:
            yield msgspec.structs.replace(event, ms=None)
        elif type(event) is not Sealed:
            yield event


def unannotated(events: Sequence[Event]) -> Sequence[Event]:
    """The records as they would be had nobody annotated them: causes count only what is left, and so does `since`."""
    if Annotated not in set(map(type, events)):
        return events
    kept = [number for number, event in enumerate(events) if not isinstance(event, Annotated)]
    places = list(itertools.accumulate((not isinstance(event, Annotated) for event in events), initial=0))
    why = causes(events)
    told, cause = [], 0
    for place, number in enumerate(kept):
        event, to = events[number], places[why[number]]
        event = msgspec.structs.replace(event, back=0 if to == cause else place - to)
        cause = to
        if isinstance(event, StackPushed) and 0 < event.frame.since < len(places):
            frame = msgspec.structs.replace(event.frame, since=places[event.frame.since])
            event = msgspec.structs.replace(event, frame=frame)
        told.append(event)
    return told


def _plain_header(header: GameStarted) -> dict[str, Any]:
    """The header as a dict without what may differ between two copies of one game."""
    plain = msgspec.to_builtins(header)
    for name in _NOT_IN_KEY:
        plain.pop(name, None)
    for edition in (plain["rulebook"], *plain["card_sets"]):
        del edition["digest"]
    for seat in plain["seats"]:
        del seat["player"]
        seat.pop("player_kind", None)
        deck = seat.pop("deck", {})
        deck.pop("name", None)
        if deck:
            seat["deck"] = deck
    return plain


def unknown(protocol: str) -> str:
    """The sentence for a game whose protocol is not known here: it is a later one, or none at all."""
    here = tuple(map(int, kinds.PROTOCOL.split(".")))
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", protocol) and tuple(map(int, protocol.split("."))) > here:
        return (
            f"made by a newer version of Cardfold (protocol {protocol}; this one reads up to {kinds.PROTOCOL}). "
            "Update Cardfold to read it."
        )
    return f"`protocol` is {protocol[:40]}, which is no version of the log format; this one is {kinds.PROTOCOL}."


def written_id(line: bytes) -> str:
    """The id that a simulated game has by its first line as it is written, whatever the protocol (see `game_id`)."""
    header = msgspec.json.decode(line, type=dict[str, Any])
    header.pop("id", None)
    return digest(ENCODER.encode(header))[:16]
