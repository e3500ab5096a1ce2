"""From a file's text to its sections: a section is what stands from one start (a game's or shared line's) to the next.

Bytes and lines alone: what a line means is reader.py's.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from events.record import MAX_LINE

MAX_RECORDS = 250_000
"""Most records of one game that are read."""

MAX_GAME = 64 << 20
"""Most bytes of one game that are read."""

BLOCK = 256 << 10
"""How many bytes of a file are read at a time."""

BOM = b"\xef\xbb\xbf"
GAME_START = b'{"kind":"game_started"'
STARTS = (GAME_START, b'{"kind":"rulebook"', b'{"kind":"card_set"')
"""How the first line of a game, and a shared line, begins: exactly so, so that a plain search finds it."""


class Piece(NamedTuple):
    """A stretch of a log's text as it comes out of a file."""

    at: int
    """byte of the file at which it (in a pack: its frame) begins"""
    data: bytes
    first: bool = True
    """a frame begins with it"""
    fault: str = ""
    """the frame is damaged from the end of this piece on"""


class Section:
    """The text from one start to the next: whole lines, as they stand in the file."""

    def __init__(self, at: int, packed: bool, text: bytes = b"", fault: str = "") -> None:
        self.at, self.packed, self.fault = at, packed, fault
        self.chunks: list[bytes] = []
        self.size = 0
        self.add(text)

    @property
    def full(self) -> bool:
        """Whether it has more than what one game may have. Lines are counted only where there can be so many."""
        if self.size > MAX_GAME:
            return True
        return self.size > MAX_RECORDS and sum(chunk.count(b"\n") for chunk in self.chunks) > MAX_RECORDS

    def add(self, text: bytes) -> None:
        """Takes whole lines in, until it is full."""
        if text and not self.full:
            self.chunks.append(text)
            self.size += len(text)

    def text(self) -> bytes:
        """All its lines, each with its line feed."""
        if len(self.chunks) != 1:
            self.chunks = [b"".join(self.chunks)]
        return self.chunks[0]

    def lines(self) -> list[bytes]:
        """The lines without blank ones and without the carriage returns of CRLF."""
        return [line.removesuffix(b"\r") for line in self._raw() if line.strip()]

    def byte(self, number: int) -> int:
        """Where in the file line `number` of lines() begins; in a pack, where the frame does."""
        if self.packed:
            return self.at
        return self.at + _size(self._raw()[: self._place(number)])

    def split(self, number: int, cuts: list[int]) -> list[Section]:
        """The sections that line `number` of lines() makes of this one when it is cut at these bytes of it."""
        raw, place, at = self._raw(), self._place(number), self.byte(number)
        line = raw[place]
        parts = [line[start:stop] for start, stop in itertools.pairwise([0, *cuts, len(line)])]
        before = raw[:place]
        if parts[0] and parts[0] != BOM:
            before.append(parts[0].removesuffix(BOM))
        sections = [Section(self.at, self.packed, text_of(before))]
        for cut, part in zip(cuts, parts[1:], strict=True):
            sections.append(Section(at if self.packed else at + cut, self.packed, part + b"\n"))
        sections[-1].add(text_of(raw[place + 1 :]))
        sections[-1].fault = self.fault
        return sections

    def cut(self, starts: list[int]) -> list[Section]:
        """The sections that begin at these bytes of its text."""
        text = self.text()
        sections = [
            Section(self.at if self.packed else self.at + start, self.packed, text[start:stop])
            for start, stop in itertools.pairwise([*starts, len(text)])
        ]
        sections[-1].fault = self.fault
        return sections

    def _raw(self) -> list[bytes]:
        return self.text().removesuffix(b"\n").split(b"\n") if self.size else []

    def _place(self, number: int) -> int:
        """The index among all its lines of line `number` of lines()."""
        raw = self._raw()
        places = (place for place, line in enumerate(raw) if line.strip())
        return next(itertools.islice(places, number, None), len(raw))


class Splitter:
    """Splits text into lines, and these at every start. Holds one section and one unfinished line."""

    def __init__(self, packed: bool) -> None:
        self.packed = packed
        self.section: Section | None = None
        self.begun = False
        self.carry, self.carry_at = b"", 0

    def sections(self, pieces: Iterable[Piece]) -> Iterator[Section]:
        """The sections of all pieces."""
        end = 0
        for piece in pieces:
            yield from self._take(piece)
            end = piece.at + len(piece.data)
        if self.carry:
            yield from self._take(Piece(end, b"\n", first=False))
        if self.section:
            yield self.section

    def _take(self, piece: Piece) -> Iterator[Section]:
        data, end = piece.data, piece.at + len(piece.data)
        if not self.begun and data:
            self.begun, data = True, data.removeprefix(BOM)
            self.section = Section(piece.at if self.packed else end - len(data), self.packed)
        if self.packed and piece.first and not (self.carry or piece.fault) and looks_whole(data):
            if self.section:
                yield self.section
            self.section = Section(piece.at, True, data)
            return
        if piece.first and not self.carry and not _may_go_on(data):
            if self.section:
                yield self.section  # else a frame that holds no lines would spoil the game before it
            self.section = Section(piece.at, self.packed)
        if self.carry and piece.first and data.startswith(STARTS):
            data = b"\n" + data  # the frame before lacks its last line feed
        torn, text = bool(self.carry), self.carry + data
        begin = end - len(text)
        whole = len(text) if piece.fault else text.rfind(b"\n") + 1
        starts = starts_in(text, whole)
        if piece.fault and piece.first and not torn and starts[:1] != [0]:
            starts.insert(0, 0)  # a frame that is damaged at its start is not the game before it
        self._add(text[: starts[0] if starts else whole])
        for start, stop in itertools.pairwise([*starts, whole]):
            if self.section:
                yield self.section
            at = piece.at if self.packed else begin + start
            self.section = Section(self.carry_at if torn and not start else at, self.packed)
            self._add(text[start:stop])
        if whole or not torn:
            self.carry_at = piece.at if self.packed else begin + whole
        self.carry = text[whole:][: MAX_LINE + 1]
        if piece.fault and self.section:
            self.section.fault = piece.fault
            yield self.section
            self.section = None  # what follows, up to the next start, belonged to the damaged game

    def _add(self, text: bytes) -> None:
        if self.section:
            self.section.add(text)


def _may_go_on(frame: bytes) -> bool:
    """Whether lines of the game before may stand in this frame, which begins a line."""
    return frame[:BLOCK].lstrip().startswith(b'{"kind":"')


def looks_whole(text: bytes) -> bool:
    """Whether the text looks like one whole game; the reader sees whether it is."""
    return text.startswith(GAME_START) and text.endswith(b"}\n")


def starts_in(text: bytes, whole: int) -> list[int]:
    """Where in the whole lines of the text, which begins with a line, a game or shared line begins."""
    found = [0] if whole and text.startswith(STARTS) else []
    for start in STARTS:
        place = text.find(b"\n" + start, 0, whole)
        while place >= 0:
            found.append(place + 1)
            place = text.find(b"\n" + start, place + 1, whole)
    return sorted(found)


def text_of(lines: list[bytes]) -> bytes:
    """The lines as they stand in a file, each with its line feed."""
    return b"\n".join([*lines, b""])


def _size(lines: list[bytes]) -> int:
    """How many bytes the lines are in a file, line feeds counted."""
    return sum(map(len, lines)) + len(lines)
