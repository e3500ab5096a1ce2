"""From sections to games: what open.py reads of a plain file and pack.py unpacks becomes games here.

A damaged game says where it stops and never spoils the others. Nothing here knows rules or the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Union

import msgspec

from events import kinds, upcasts
from events.game import NOTHING_DECLARED, GameLog
from events.kinds import (
    NOTHING,
    AnyLine,
    Asked,
    CardSet,
    Edition,
    Event,
    GameStarted,
    RulebookLine,
    Sealed,
)
from events.record import (
    DECODER,
    ENCODER,
    MAX_DEPTH,
    MAX_LINE,
    TAGS,
    LogError,
    check_names,
    check_text,
    decode,
    digest,
    too_deep,
    too_large,
    unknown,
    wrong_back,
)
from events.sections import (
    GAME_START,
    MAX_GAME,
    MAX_RECORDS,
    STARTS,
    Piece,
    Section,
    Splitter,
    looks_whole,
    starts_in,
    text_of,
)

MAX_SHARED = 64 << 20
"""Most bytes of shared lines that are kept while a file is read."""

MAX_SHARED_LINES = 10_000

MAX_GAMES = 10_000_000
"""Most games of one file that are read."""

MAX_HELD = 100
"""Games without a readable header in front of the first that has one; after so many, a file is no log."""

MAX_LOST = 10_000
"""Games without a readable header in one file, after which it is given up."""

_START = re.compile(rb'\{"kind":"(?:game_started|rulebook|card_set)"')
_STARTERS = (GameStarted, RulebookLine, CardSet)
_RECORDS: Any = Union[tuple(set(TAGS.values()) - {*_STARTERS, Sealed})]  # noqa: UP007
_BETWEEN = msgspec.json.Decoder(_RECORDS)
"""Decodes records that may stand between the first and the last one of a game."""


class Shared:
    """The shared lines met so far, by digest. Bounded; each is decoded once."""

    def __init__(self) -> None:
        self._lines: dict[str, bytes] = {}
        self._decoded: dict[tuple[str, str], RulebookLine | CardSet] = {}
        self._size = 0

    def add(self, line: bytes) -> str:
        """Keeps a rulebook or card_set line (without line feed) and returns its digest."""
        key = digest(line)
        if key not in self._lines:
            self._size += len(line)
            if self._size > MAX_SHARED or len(self._lines) == MAX_SHARED_LINES:
                what = f"more than {MAX_SHARED} bytes or {MAX_SHARED_LINES} lines of rulebooks and card sets"
                raise LogError(f"{what} are not read from one file.")
            self._lines[key] = line
        return key

    def line(self, key: str) -> bytes | None:
        """The line of that digest, or None."""
        return self._lines.get(key)

    def get(self, key: str, protocol: str) -> RulebookLine | CardSet | None:
        """The struct of that digest's line as a game of that protocol means it, or None."""
        line = self._lines.get(key)
        if line is None:
            return None
        found = self._decoded.get((key, protocol))
        if found is None:
            decoded = decoder_of(protocol)(line)
            assert isinstance(decoded, RulebookLine | CardSet)
            found = self._decoded[key, protocol] = decoded
        return found


def decoder_of(protocol: str) -> Callable[[bytes], AnyLine]:
    """What decodes a line of that protocol version; raises LogError."""
    if protocol == kinds.PROTOCOL:
        return decode

    def decode_old(line: bytes) -> AnyLine:
        check_text(line)
        check_names(line)
        try:
            return decode(msgspec.json.encode(upcasts.upcast(msgspec.json.decode(line, type=dict), protocol)))
        except (msgspec.MsgspecError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise LogError(f"the line is no record of protocol {protocol}: {error}.") from None

    return decode_old


class _Version(msgspec.Struct):
    """What the header of every version has."""

    protocol: int | str


def _protocol(line: bytes) -> str:
    """The version of a game's lines, by its first one; raises LogError for one that is not known here."""
    try:
        protocol = str(msgspec.json.decode(line, type=_Version).protocol)
    except (msgspec.MsgspecError, RecursionError):
        return kinds.PROTOCOL  # whoever decodes it says better what is wrong
    if protocol not in upcasts.VERSIONS:
        raise LogError(unknown(protocol))
    return protocol


def _sound(section: Section) -> list[Event] | None:
    """The records of a game of this version in which all is right, the seal apart; None where anything is not.

    The quick way: the text is decoded in one go. Whatever it does not take is looked at line by line.
    """
    text = section.text()
    if section.fault or section.full or section.size > MAX_LINE or not looks_whole(text):
        return None
    try:
        if not text.isascii():
            text.decode()
        events = _placed(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    first = events[0]
    if not isinstance(first, GameStarted) or first.protocol != kinds.PROTOCOL:
        return None
    if len(events) > 1 and isinstance(events[-1], _STARTERS):
        return None
    if ENCODER.encode_lines(events) != text:  # else each line is one record, with no name twice
        return None
    return events if _fit(events) else None


def _placed(text: bytes) -> list[Any]:
    """The records of a text. Raises msgspec's error where one of them may stand only in the first or the last line."""
    second, last = text.index(b"\n") + 1, text.rfind(b"\n", 0, -1) + 1
    events = _BETWEEN.decode_lines(text[second:last])
    events.insert(0, DECODER.decode(text[:second]))
    if last:
        events.append(DECODER.decode(text[last:]))
    return events


def _fit(events: list[Event]) -> bool:
    """Whether `back` of each record points to one before it, and no continuation is deeper than a line may be; of other
    records the types set the depth.
    """
    for number, event in enumerate(events):
        if not 0 <= event.back <= number:
            return False
        if type(event) is Asked and event.continuation is not NOTHING:
            rest = event.continuation
            if len(rest) >= 2 * MAX_DEPTH and too_deep(b"[" + bytes(rest) + b"]"):
                return False
    return True


def _records(section: Section, lines: list[bytes]) -> tuple[list[Event], LogError | None]:
    """The records of the lines of one game, up to the first that is wrong, and what is wrong with it."""
    try:
        events, wrong = _decoded(lines[:MAX_RECORDS], decoder_of(_protocol(lines[0])))
        if events and not isinstance(events[0], GameStarted):
            raise LogError("a game begins with game_started.")
    except LogError as error:
        error.record = 0
        return [], error
    number, what = _misplaced(events)
    if what:
        return events[:number], LogError(what, record=number)
    if wrong is None and section.full:
        what = f"the game has more than {MAX_RECORDS} records or {MAX_GAME} bytes; the rest is not read."
        wrong = LogError(what, record=len(events))
    return events, wrong


def _decoded(lines: list[bytes], decoder: Callable[[bytes], AnyLine]) -> tuple[list[Event], LogError | None]:
    """Decodes line by line, up to the first that cannot be."""
    events: list[Any] = []  # which of them are records, _misplaced() looks
    for number, line in enumerate(lines):
        try:
            events.append(decoder(line))
        except LogError as error:
            error.record = number
            return events, error
    return events, None


def _misplaced(events: list[Event]) -> tuple[int, str]:
    """The first record that cannot stand where it stands, and why; or an empty sentence."""
    for number, event in enumerate(events):
        if number and isinstance(event, _STARTERS):
            tag = str(type(event).__struct_config__.tag)
            return number, f'a line that begins something new must begin with exactly {{"kind":"{tag}", no space in it.'
        if not 0 <= event.back <= number:
            return number, wrong_back(event.back, number)
    return len(events), ""


def _glued(line: bytes) -> list[int]:
    """Where in an unreadable line another game or shared line begins: files joined without a line feed."""
    return [start.start() for start in _START.finditer(line, 1)]


class Reader:
    """Makes games of the pieces of one file. `shared` may hold shared lines that stand elsewhere."""

    def __init__(self, name: str, shared: Shared | None = None, count: int = 0) -> None:
        self.name = name
        self.shared = shared or Shared()
        self.count, self.lost = count, 0

    def games(self, pieces: Iterable[Piece], *, packed: bool) -> Iterator[GameLog]:
        """The games of these pieces; see read_games."""
        held: list[GameLog] = []
        opened = self.count > 0  # there were games before these
        for section in Splitter(packed).sections(pieces):
            waiting = [section]
            while waiting:
                game, rest = self._take(waiting.pop())
                waiting += reversed(rest)
                if game is None:
                    continue
                opened = opened or bool(game.events)
                held.append(game)
                if opened:
                    yield from held
                    held.clear()
                elif len(held) > MAX_HELD:
                    break
            if len(held) > MAX_HELD:
                break
        if held:
            raise held[0].fault or self._error("no game in it can be read.")
        if not opened:
            raise self._error("holds no game: a log has a `game_started` line and what happened after it.")

    def _take(self, section: Section) -> tuple[GameLog | None, list[Section]]:
        """The game of the section, if it is one, and the sections that turned out to be in it besides."""
        events = _sound(section)
        if events is not None:
            return self._game(section, events, section.text(), kinds.PROTOCOL, []), []
        starts = starts_in(section.text(), section.size)
        if len(starts) > 1:
            return None, section.cut(starts)
        lines = section.lines()
        if not lines:
            return (self._lost(section, section.fault) if section.fault else None), []
        if lines[0].startswith(GAME_START):
            return self._damaged(section, lines)
        if lines[0].startswith(STARTS):
            return self._shared_line(section, lines)
        for number, line in enumerate(lines):
            cuts = _glued(line)
            if cuts:
                return None, section.split(number, cuts)
        return self._lost(section, section.fault or _not_a_start(lines[0])), []

    def _shared_line(self, section: Section, lines: list[bytes]) -> tuple[GameLog | None, list[Section]]:
        try:
            _check_json(lines[0])
        except LogError as error:
            cuts = _glued(lines[0])
            if cuts:
                return None, section.split(0, cuts)
            return self._lost(section, f"a shared line cannot be read: {error.what}"), []
        try:
            self.shared.add(lines[0])
        except LogError as error:
            raise self._error(error.what) from None
        if len(lines) > 1:
            return None, section.split(1, [0])[1:]
        return (self._lost(section, section.fault) if section.fault else None), []

    def _damaged(self, section: Section, lines: list[bytes]) -> tuple[GameLog | None, list[Section]]:
        """A game that is not as it should be, or only written in another way: line by line, as far as it goes."""
        events, wrong = _records(section, lines)
        number = wrong.record or 0 if wrong else len(events)
        kinds_met = list(map(type, events))
        if Sealed in kinds_met and kinds_met.index(Sealed) + 1 < len(lines):
            return None, section.split(kinds_met.index(Sealed) + 1, [0])
        faults: list[tuple[int, str]] = []
        if wrong:
            cuts = _glued(lines[number]) if number < len(lines) else []
            if cuts:
                return None, section.split(number, cuts)
            if not events:
                return self._lost(section, wrong.what), []
            faults.append((number, wrong.what))
        if section.fault:
            faults.append((len(events), section.fault))
        return self._game(section, events, text_of(lines[: len(events)]), _protocol(lines[0]), faults), []

    def _game(
        self, section: Section, events: list[Event], text: bytes, protocol: str, faults: list[tuple[int, str]]
    ) -> GameLog:
        """The game of these records, with what is wrong with it; more may turn out to be."""
        game = GameLog(events=events, text=text, index=self._next(), offset=section.at)
        _check_seal(game, faults)
        self._find_shared(game, protocol, faults)
        if faults:
            what = " ".join(sentence for _, sentence in faults)
            game.fault = LogError(what, self.name, game.index, faults[0][0], section.byte(faults[0][0]))
        return game

    def _find_shared(self, game: GameLog, protocol: str, faults: list[tuple[int, str]]) -> None:
        """Gives the game its rulebook and card sets, by the digests that its header names."""
        header = game.header
        sets: list[CardSet] = []
        lines: list[bytes] = []
        for place, named in enumerate((header.rulebook, *header.card_sets)):
            line, found, why = self.shared.line(named.digest), None, ""
            try:
                found = self.shared.get(named.digest, protocol)
            except LogError as error:
                why = error.what
            if line is not None and isinstance(found, CardSet if place else RulebookLine):
                lines.append(line)
                if isinstance(found, CardSet):
                    sets.append(found)
                else:
                    game.rulebook = found
            else:
                faults.append((0, _absent("card set" if place else "rulebook", named, why)))
        game.card_sets, game.shared = tuple(sets), tuple(lines)
        if game.rulebook is NOTHING_DECLARED:
            game.sealed = False
            game.cut(1)

    def _lost(self, section: Section, what: str) -> GameLog:
        """A game of which not even the first line can be read."""
        self.lost += 1
        if self.lost > MAX_LOST:
            raise self._error(f"more than {MAX_LOST} games of it cannot be read: the file is given up.")
        index = self._next()
        return GameLog(fault=LogError(what, self.name, index, 0, section.at), index=index, offset=section.at)

    def _next(self) -> int:
        self.count += 1
        if self.count > MAX_GAMES:
            raise self._error(f"more than {MAX_GAMES} games in one file are not read: split it.")
        return self.count - 1

    def _error(self, what: str) -> LogError:
        return LogError(what, self.name)


def _check_seal(game: GameLog, faults: list[tuple[int, str]]) -> None:
    """A `sealed` line with the wrong seal stays where it is, so that nobody takes the game for a whole one."""
    last = game.events[-1]
    if not isinstance(last, Sealed):
        return
    game.sealed = game.untouched = last.seal == digest(memoryview(game.text)[: game.text.rfind(b"\n", 0, -1)])
    game.altered = not game.sealed
    if game.altered:
        what = "the seal does not match: some line of this game was changed after its end. Get the file anew."
        faults.append((len(game.events) - 1, what))


def _check_json(line: bytes) -> None:
    """Raises LogError for a shared line that is no JSON object, whatever version it is of."""
    check_text(line)
    try:
        found = msgspec.json.decode(line, type=dict)
    except msgspec.MsgspecError as error:
        raise LogError(f"{error}.") from None
    if ENCODER.encode(found) != line:
        check_names(line)
    if too_large(line):
        raise LogError(f"it holds a number beyond 64 bits; integers lie between {-(2**63)} and {2**63 - 1}.")


def _absent(word: str, named: Edition, why: str) -> str:
    what = f"the line of its {word} {named.key!r} {named.version!r} (digest {named.digest})"
    if why:
        return f"{what} cannot be read: {why}"
    return f"{what} does not stand before it, or was changed: put it in front, as it was."


def _not_a_start(line: bytes) -> str:
    return f"no game begins here, but {_shown(line)}: a log's games begin with {GAME_START.decode()}…"


def _shown(line: bytes) -> str:
    """How a line of a stranger begins, as it may be shown; what is no text is never shown."""
    try:
        text = line.decode()[:40]
    except UnicodeDecodeError:
        return "bytes that are no text"
    return repr(text) if text.replace("\t", " ").isprintable() else "bytes that are no text"
