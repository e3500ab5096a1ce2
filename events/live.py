"""The log of a game that is being played: records are appended as they happen, and it is taken up where it stopped."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from events import kinds
from events.game import GameLog, header_of, shared_lines
from events.kinds import Annotated, Asked, CardSet, Event, GameEnded, GameStarted, RulebookLine, Sealed
from events.lock import lock
from events.open import read_games
from events.record import LogError, decode, encode
from events.sections import text_of


class LogEnd(NamedTuple):
    """An end that a live log had: its size in bytes, the digest up to there, whether the game was over."""

    size: int
    hash: Any
    ended: bool


class LogWriter:
    """Appends the records of one live game to its file as they happen.

    Holds the file locked: a second writer is refused. Whatever was appended survives a kill of the process;
    with `sync` it survives a power cut too. A context manager, closed at the end.
    """

    _file: int
    _begun: bool
    _ended: bool

    def __init__(
        self, path: Path, rulebook: RulebookLine, card_sets: Sequence[CardSet], *, sync: bool = False
    ) -> None:
        """Begins a new log. Raises LogError where it cannot be made, or is there already: `resume` it."""
        self._open(path, os.O_CREAT, sync)
        if os.fstat(self._file).st_size:
            self._release()
            raise LogError("there is a log already: resume it, or choose another name.", path.name)
        self._shared = (rulebook, card_sets)

    @classmethod
    def resume(cls, path: Path, *, sync: bool = False) -> tuple[LogWriter, GameLog]:
        """Takes up the last game of a log where it stopped, at the last question asked.

        What stands after that (a torn line, the records of a decision that did not reach the next question)
        is put aside in `<name>.torn` and cut off; the game's fault says so. Raises LogError, and leaves the
        file as it is, where the game is finished, or damaged elsewhere than at its end.
        """
        writer = cls.__new__(cls)
        writer._open(path, 0, sync)
        try:
            return writer, writer._recover()
        except BaseException:
            writer._release()
            raise

    def append(self, events: Sequence[Event]) -> None:
        """Writes these records in one go: call it once a decision, with everything up to the next question.

        Raises LogError where they cannot follow, or cannot be written (then the file is as it was before).
        """
        if not events:
            return
        lines = [encode(event) for event in events]
        before: list[bytes] = []
        if not self._begun:
            header = header_of(events)
            if header.protocol != kinds.PROTOCOL:
                what = f"a log is written with protocol {kinds.PROTOCOL}, not {header.protocol}."
                raise LogError(what, self._path.name, record=0)
            before = shared_lines(header, *self._shared)
        over = self._ended
        for event in events if self._begun else events[1:]:
            if isinstance(event, GameStarted | Sealed):
                tag = event.__struct_config__.tag
                raise LogError(f"{tag} is not appended: a live log holds one game, and close() seals it.")
            if over and not isinstance(event, Annotated):
                raise LogError("the game has ended: only notes may follow.", self._path.name)
            over = over or isinstance(event, GameEnded)
        self._write([*before, *lines])
        self._digest(lines)
        self._ended = over

    def end(self) -> LogEnd:
        """Where the log ends now, to go back there: right after what was appended last."""
        return LogEnd(os.fstat(self._file).st_size, self._hash.copy(), self._ended)

    def go_back(self, place: LogEnd) -> None:
        """Cuts off what was appended since. Raises LogError where that cannot be."""
        try:
            os.ftruncate(self._file, place.size)
            if self._sync:
                os.fsync(self._file)
        except OSError as error:
            raise LogError(f"cannot be cut: {error.strerror}.", self._path.name) from None
        self._hash, self._ended = place.hash.copy(), place.ended

    def close(self) -> None:
        """Seals the log where the game has ended, and lets go of the file. May be called again."""
        if self._file < 0:
            return
        try:
            if self._ended:
                self._write([encode(Sealed(seal=self._hash.hexdigest()))])
        finally:
            self._release()

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _open(self, path: Path, flags: int, sync: bool) -> None:
        self._path, self._sync = path, sync
        self._hash = hashlib.blake2b(digest_size=16)
        self._begun = self._ended = False
        try:
            self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | flags, 0o666)
        except OSError as error:
            raise LogError(f"cannot be opened for writing: {error.strerror}.", path.name) from None
        if not lock(self._file):
            self._release()
            raise LogError("is being written by another process: one writer at a time.", path.name)

    def _release(self) -> None:
        os.close(self._file)
        self._file = -1

    def _digest(self, lines: list[bytes]) -> None:
        """Adds lines that are in the file to the seal."""
        self._hash.update((b"\n" if self._begun else b"") + b"\n".join(lines))
        self._begun = True

    def _write(self, lines: list[bytes]) -> None:
        """Writes whole lines or none."""
        size = os.fstat(self._file).st_size
        data = memoryview(text_of(lines))
        try:
            while data:
                data = data[os.write(self._file, data) :]
            if self._sync:
                os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, size)
            what = f"cannot be written: {error.strerror}. Nothing of this decision was kept."
            raise LogError(what, self._path.name) from None

    def _recover(self) -> GameLog:
        name = self._path.name
        data = self._path.read_bytes()
        game = list(read_games(data, name=name))[-1]
        header = game.header
        places = _places(data, game.offset)
        whole = len(game.events)
        if game.fault and not (game.fault.record == whole and _only_torn(data, places[whole:])):
            raise game.fault
        if game.sealed:
            raise LogError("the game is finished and sealed: nothing can follow.", name, game.index)
        keep = len(game.events) if header.origin == "transcribed" else _last_stop(game.events)
        end = places[keep] if keep < len(places) else len(data)
        game.fault = self._put_aside(data, end, game, keep)
        game.cut(keep)
        if not data[:end].endswith(b"\n"):
            self._write([b""])
        self._digest(game.lines)
        self._ended = game.ended
        return game

    def _put_aside(self, data: bytes, end: int, game: GameLog, keep: int) -> LogError | None:
        """Moves what stands from `end` on into the file for torn tails; says so, where that is anything."""
        tail = data[end:]
        if not tail.strip():
            return None
        torn = self._path.with_name(self._path.name + ".torn")
        try:
            with torn.open("ab") as aside:
                aside.write(tail.removesuffix(b"\n") + b"\n")
                aside.flush()
                os.fsync(aside.fileno())
            os.ftruncate(self._file, end)
        except OSError as error:
            raise LogError(f"the torn tail cannot be put aside: {error.strerror}.", torn.name) from None
        what = (
            f"the log was cut off inside a decision. Its last {len(tail)} bytes ({len(game.events) - keep} "
            f"whole records) are put aside in {torn.name}; the game goes on from here."
        )
        return LogError(what, self._path.name, game.index, keep, end)


def _places(data: bytes, offset: int) -> list[int]:
    """Where the lines that are not blank begin, from `offset` on."""
    places = []
    for line in data[offset:].split(b"\n"):
        if line.strip():
            places.append(offset)
        offset += len(line) + 1
    return places


def _only_torn(data: bytes, places: list[int]) -> bool:
    """Whether none of the lines at these places can be read: a torn tail, and not damage in the middle."""
    for place in places:
        try:
            decode(data[place:].split(b"\n", 1)[0])
        except LogError:
            continue
        return False
    return True


def _last_stop(events: list[Event]) -> int:
    """How many records there are up to the last one at which the game waits or ends, and its notes."""
    stop = max((n for n, event in enumerate(events) if isinstance(event, Asked | GameEnded)), default=0) + 1
    while stop < len(events) and isinstance(events[stop], Annotated):
        stop += 1
    return stop
