"""Packs: many games in one `*.jsonl.zst`, every game a zstd frame of its own, every shared line and dictionary too.

Only the packing is known here: which bytes are a frame, where it begins, how to get at one game. What the
text means is reader.py's.
"""

from __future__ import annotations

import io
import mmap
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from events.dictionaries import FRAME, HEAD, MARK, MAX_SIZE, Dictionaries, Packing, frame_length
from events.dictionaries import zstd as zstd
from events.game import GameLog, check_named, game_lines, header_of
from events.kinds import CardSet, Edition, Event, RulebookLine
from events.lock import lock
from events.reader import Reader, Shared
from events.record import MAX_LINE, LogError, digest, encode
from events.sections import BLOCK, BOM, GAME_START, MAX_GAME, STARTS, Piece, text_of

LEVEL = 10
"""5 to 8 % smaller than at 7 for a seventh of a millisecond more a game, unpacked as fast. 12 gains 2 % more and takes
three times as long.
"""

MAX_EXPANSION = 256
"""How many times its own size a frame may unpack to (and MAX_GAME on top, once a file, for small ones)."""

MAX_WINDOW_LOG = 25
"""Largest window of a frame that is read: 2^25 bytes, 32 MiB."""

MAX_DAMAGED = 256
"""Damaged frames after which a pack is given up."""

HOLD = 8 << 20
"""A frame that unpacks to no more bytes comes as one piece; and how far back a lost place is searched."""

STEP = 32 << 10
"""How much is read at a time."""

_OURS = re.compile(re.escape(FRAME) + b"|" + re.escape(MARK))
_MAGIC = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
_COMPRESS: dict[int, int] = {
    zstd.CompressionParameter.compression_level: LEVEL,
    zstd.CompressionParameter.checksum_flag: 1,
}
_DECOMPRESS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: MAX_WINDOW_LOG}


class PackEntry(NamedTuple):
    """One frame of a pack."""

    offset: int
    length: int
    kind: str
    """game_started, rulebook, card_set, dictionary, or damaged: bytes that are no whole frame"""
    id: str
    """of a game, the id in its header; of a shared line, its digest"""
    shared: tuple[tuple[int, int], ...] = ()
    """of a game, offset and length of the frames of the shared lines and of the dictionary that it names"""


class _Head(msgspec.Struct):
    """What an index needs of a game's first line."""

    rulebook: Edition
    card_sets: tuple[Edition, ...]
    id: str = ""


# --- writing ------------------------------------------------------------------------------------------------


class PackWriter:
    """Writes a pack under a temporary name beside it and renames it at the end: it is never half there.

    A context manager. Left by an exception, or unable to write all of it, it takes the temporary file away and leaves
    `path` as it was.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f".{path.name}.part")
        self._compressor = zstd.ZstdCompressor(options=_COMPRESS)
        self._packing: dict[str, Packing] = {}
        """by digest of the rulebook's line"""
        self._dictionaries = 0
        self._offset = 0
        self._places: dict[str, tuple[int, int]] = {}
        """digest of a shared line -> offset and length of its frame"""
        self._encoded: dict[int, tuple[object, str, bytes]] = {}

    def __enter__(self) -> PackWriter:
        try:
            self._file = open(os.open(self._part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), "wb")
        except OSError as error:
            raise LogError(f"cannot be made: {error.strerror}.", self._path.name) from None
        if not (lock(self._file.fileno()) and self._is_ours()):
            self._file.close()
            raise LogError("is being written by another process: one writer at a time.", self._path.name)
        self._file.truncate(0)  # what a killed writer left
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        done = False
        try:
            if kind is None:
                self._file.flush()
                os.fsync(self._file.fileno())
                os.replace(self._part, self._path)
                done = True
        finally:
            if not done:
                os.unlink(self._part)
            with suppress(OSError):  # on a full disk closing tries to write once more
                self._file.close()

    def add(self, rulebook: RulebookLine, card_sets: Sequence[CardSet], events: Sequence[Event]) -> PackEntry:
        """Adds a game, sealed where it has ended, and gives its place."""
        shared = [self._known(rulebook), *map(self._known, card_sets)]
        header = header_of(events)
        check_named(header, [key for key, _ in shared])
        return self._add(header.id, shared, text_of(game_lines(events)))

    def add_game(self, game: GameLog) -> PackEntry:
        """Adds a game that was read, its lines as they are, and gives its place."""
        return self._add(header_of(game.events).id, [(_digest(line), line) for line in game.shared], game.text)

    def _known(self, line: RulebookLine | CardSet) -> tuple[str, bytes]:
        """Digest and bytes of a shared line, worked out once for each object."""
        found = self._encoded.get(id(line))
        if found is None:
            data = encode(line)
            found = self._encoded[id(line)] = (line, digest(data), data)  # kept alive: the id stays its own
        return found[1:]

    def _add(self, name: str, shared: list[tuple[str, bytes]], text: bytes) -> PackEntry:
        for key, line in shared:
            if key not in self._places:
                frame = self._compressor.compress(line + b"\n", zstd.ZstdCompressor.FLUSH_FRAME)
                self._places[key] = self._write(frame)
        packing = self._packing.setdefault(shared[0][0] if shared else "", Packing(_COMPRESS))
        dictionary = packing.due(self._dictionaries)
        if dictionary:
            self._dictionaries += 1
            packing.place = (self._write(dictionary),)
        frame = packing.pack(text)
        places = *packing.place, *(self._places[key] for key, _ in shared)
        return PackEntry(*self._write(frame), "game_started", name, places)

    def _write(self, data: bytes) -> tuple[int, int]:
        self._file.write(data)
        offset, self._offset = self._offset, self._offset + len(data)
        return offset, len(data)

    def _is_ours(self) -> bool:
        """Whether the locked file still has its temporary name: another writer may just have finished it."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), os.stat(self._part))
        except FileNotFoundError:
            return False


@lru_cache(maxsize=16)
def _digest(line: bytes) -> str:
    """Digest of a shared line, which game after game brings."""
    return digest(line)


# --- reading ------------------------------------------------------------------------------------------------


def looks_packed(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a pack, perhaps with something in front of it."""
    if _MAGIC.match(head):
        return True
    return FRAME in head and not head.removeprefix(BOM).lstrip().startswith(b"{")


def read_pack(source: Path | IO[bytes], *, name: str = "", head: bytes = b"") -> Iterator[GameLog]:
    """The games of a pack one after the other, as read_games gives them. `head` was read from it already."""
    if isinstance(source, Path):
        with source.open("rb") as stream:
            yield from read_pack(stream, name=name or source.name)
        return
    yield from Reader(name).games(Unpacking(source, name, head).pieces(), packed=True)


def damage_in(path: Path) -> Iterator[str]:
    """What is damaged in a pack: the byte at which the frame begins, and what is wrong. Raises LogError, OSError."""
    with path.open("rb") as stream:
        for piece in Unpacking(stream, path.name).pieces():
            if piece.fault:
                yield f"{path.name}, byte {piece.at}: {piece.fault}"


class Unpacking:
    """The text of a pack, frame by frame. After a damaged frame, the next one is searched for."""

    def __init__(
        self, stream: IO[bytes], name: str, head: bytes = b"", at: int = 0, dictionaries: Dictionaries | None = None
    ) -> None:
        self.stream, self.name = stream, name
        self.dictionaries = dictionaries or Dictionaries()
        self.held = head
        """packed bytes from the present frame's begin on; only the latest, when they become too many"""
        self.at = at
        """byte of the file at which `held` begins"""
        self.spare = MAX_GAME
        """bytes that frames may still unpack to, all together, beyond MAX_EXPANSION times their size"""
        self.damaged = 0
        self.lost = False

    def pieces(self) -> Iterator[Piece]:
        """All pieces of text."""
        while len(self.held) >= 4 or self._more() or self.held:
            while len(self.held) < HEAD and self._more():
                pass
            if self.held.startswith(MARK):
                yield from self._dictionary()
            elif _MAGIC.match(self.held):
                yield from self._frame()
            else:
                yield Piece(self.at, b"", fault=f"the bytes from {self.at} on are no zstd frame.")
                self._search(0)

    def _frame(self) -> Iterator[Piece]:
        at, first, fault, out = self.at, True, "", b""
        feed = self.held
        try:
            machine = self.dictionaries.machine(feed, _DECOMPRESS)
        except KeyError as number:
            yield Piece(at, b"", fault=f"the frame at byte {at} needs dictionary {number}, which is not before it.")
            self._pass(self._frame_size())
            return
        fed, made = len(feed), 0
        while not machine.eof:
            try:
                text = machine.decompress(feed, HOLD)
            except zstd.ZstdError as error:
                fault = f"the frame at byte {at} is damaged: {str(error).rpartition(': ')[2]}."
                out = self._salvage() if first and self.at == at else b""
                break
            out, made = out + text, made + len(text)
            if made > self.spare and made > MAX_EXPANSION * (self._frame_size() or fed) + self.spare:
                fault = f"the frame at byte {at} unpacks to more than {MAX_EXPANSION} times its size: refused."
                out = b""
                break
            if len(out) >= HOLD:
                yield Piece(at, out, first)
                first, out = False, b""
            feed = self._more() if machine.needs_input and not machine.eof else b""
            fed += len(feed)
            if machine.needs_input and not machine.eof and not feed:
                fault = f"the file ends inside the frame that begins at byte {at}: it was cut off."
                break
        size = (self._frame_size() or fed) if fault else fed - len(machine.unused_data)
        self.spare -= min(max(0, made - MAX_EXPANSION * size), self.spare)
        if not fault:
            self.at += len(self.held) - len(machine.unused_data)
            self.held, self.lost = machine.unused_data, False
            yield Piece(at, out, first)
            return
        if not self.lost or not first or out.startswith(b'{"kind":"'):  # else it only looked like a frame
            yield Piece(at, out, first, fault)
        self._search(4)

    def _dictionary(self) -> Iterator[Piece]:
        """Takes the dictionary that begins here; no text comes of it."""
        at, size = self.at, frame_length(self.held)
        while len(self.held) < size <= MAX_SIZE and self._more():
            pass
        fault = f"the frame of the dictionary at byte {at} is damaged."
        if len(self.held) >= size <= MAX_SIZE:
            fault = self.dictionaries.add(self.held[:size], at)
        if not fault:
            self._pass(size)
            return
        yield Piece(at, b"", fault=fault)
        self._search(4)

    def _pass(self, size: int) -> None:
        """Goes on behind so many bytes; 0: to where the next frame may begin."""
        if not size:
            self._search(4)
            return
        self.at, self.held, self.lost = self.at + size, self.held[size:], False

    def _frame_size(self) -> int:
        """The size of the present frame, packed; 0 where it is not all at hand."""
        try:
            return zstd.get_frame_size(self.held)
        except zstd.ZstdError:
            return 0

    def _salvage(self) -> bytes:
        """What comes out of a damaged frame before the damage. A failing call gives nothing: small steps."""
        machine = self.dictionaries.machine(self.held, _DECOMPRESS)
        step = 1 + len(self.held) // 65536
        out = b""
        try:
            for start in range(0, len(self.held), step):
                out += machine.decompress(self.held[start : start + step], HOLD - len(out))
        except (zstd.ZstdError, EOFError):
            pass
        return out

    def _search(self, start: int) -> None:
        """Goes on to where the next frame may begin."""
        self.lost = True
        self.damaged += 1
        if self.damaged > MAX_DAMAGED:
            raise LogError(f"more than {MAX_DAMAGED} damaged stretches: the file is given up.", self.name)
        found = _find_frame(self.held, start)
        while found < 0:
            kept = self.held[-3:]
            self.at += len(self.held) - len(kept)
            self.held = kept
            if not self._more():
                self.held = b""
                return
            found = _find_frame(self.held, 0)
        self.at += found
        self.held = self.held[found:]

    def _more(self) -> bytes:
        data = self.stream.read(STEP)
        if len(self.held) > HOLD:
            self.at += len(self.held)
            self.held = b""
        self.held += data
        return data


# --- one game out of a pack ---------------------------------------------------------------------------------


def pack_index(path: Path) -> Iterator[PackEntry]:
    """The frames of a pack in order, one by one. Of games only the first line is unpacked and looked at.

    Raises LogError for a file that is no pack, or not one frame a game and shared line.
    """
    with path.open("rb") as file:
        if not looks_packed(file.read(BLOCK)):
            raise LogError("is no pack: it has no zstd frame.", path.name)
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield from _entries(data, path.name)


def _entries(data: mmap.mmap, name: str) -> Iterator[PackEntry]:
    shared: dict[str, tuple[int, int]] = {}
    dictionaries = Dictionaries()
    at = freed = 0
    while at < len(data):
        if at - freed > HOLD and hasattr(mmap, "MADV_DONTNEED"):  # else the whole file is in memory at the end
            until = at - at % mmap.PAGESIZE
            data.madvise(mmap.MADV_DONTNEED, freed, until - freed)
            freed = until
        length = _length(data, at)
        if length and data[at : at + 4] not in (FRAME, MARK):
            at += length  # a skippable frame
            continue
        entry = _entry(at, data[at : at + length], shared, dictionaries, name) if length else None
        if entry is None:
            following = _find_frame(data, at + 1)
            length = (following if following >= 0 else len(data)) - at
            entry = PackEntry(at, length, "damaged", "")
        elif entry.kind in ("rulebook", "card_set"):
            shared.setdefault(entry.id, (at, length))
        yield entry
        at += length


def _find_frame(data: bytes | mmap.mmap, start: int) -> int:
    """Where the next frame of a game, shared line or dictionary may begin; -1: nowhere."""
    found = _OURS.search(data, start)
    return found.start() if found else -1


def _length(data: mmap.mmap, at: int) -> int:
    """The length of the frame that begins here, or 0 where no whole one does."""
    for size in (BLOCK, len(data) - at):
        try:
            return zstd.get_frame_size(data[at : at + size])
        except zstd.ZstdError:
            continue
    return 0


def _entry(
    at: int, frame: bytes, shared: dict[str, tuple[int, int]], dictionaries: Dictionaries, name: str
) -> PackEntry | None:
    """What the frame holds, or None where that cannot be told."""
    if frame.startswith(MARK):
        return None if dictionaries.add(frame, at) else PackEntry(at, len(frame), "dictionary", "")
    try:
        line, alone = _first_line(frame, dictionaries)
        if line.startswith(GAME_START):
            head = msgspec.json.decode(line, type=_Head)
            editions = [head.rulebook, *head.card_sets]
            places = *dictionaries.place(frame), *(shared[one.digest] for one in editions if one.digest in shared)
            return PackEntry(at, len(frame), "game_started", head.id, places)
    except KeyError:
        return PackEntry(at, len(frame), "damaged", "")  # its dictionary is not there
    except (zstd.ZstdError, msgspec.MsgspecError, RecursionError):
        return None
    if not line.startswith(STARTS):
        return None
    if not alone:
        what = "the frame holds more than a shared line: read the file as a whole, and write a pack of it."
        raise LogError(what, name, byte=at)
    return PackEntry(at, len(frame), "rulebook" if line.startswith(STARTS[1]) else "card_set", digest(line))


def _first_line(frame: bytes, dictionaries: Dictionaries) -> tuple[bytes, bool]:
    """The first line of a frame's text, and whether it is the only one."""
    machine = dictionaries.machine(frame, _DECOMPRESS)
    text = machine.decompress(frame, BLOCK)
    while b"\n" not in text and not machine.eof and len(text) <= MAX_LINE:
        text += machine.decompress(b"", BLOCK)
    line, _, rest = text.partition(b"\n")
    return line, machine.eof and not rest


class Needed(NamedTuple):
    """What stands before a game in a pack and is needed to read it."""

    shared: Shared
    dictionaries: Dictionaries


def shared_at(path: Path, places: Iterable[tuple[int, int]]) -> Needed:
    """The shared lines and dictionaries in the frames at these offsets and lengths."""
    needed = Needed(Shared(), Dictionaries())
    for offset, length in places:
        frame = _bytes_at(path, offset, length)
        if frame.startswith(MARK):
            needed.dictionaries.add(frame, offset)
        else:
            needed.shared.add(_first_line(frame, needed.dictionaries)[0])
    return needed


def game_at(path: Path, offset: int, length: int, needed: Needed) -> GameLog:
    """The game whose frame stands there; `needed`: what `shared_at` gives for it."""
    frame = io.BytesIO(_bytes_at(path, offset, length))
    pieces = Unpacking(frame, path.name, at=offset, dictionaries=needed.dictionaries).pieces()
    games = list(Reader(path.name, needed.shared).games(pieces, packed=True))
    if len(games) > 1:
        what = "more than one game stands in this frame: read the file as a whole."
        raise LogError(what, path.name, byte=offset)
    return games[0]


def slice_game(path: Path, entry: PackEntry) -> bytes:
    """A pack of this one game: the frames of the dictionary and shared lines that it names, and its own."""
    return b"".join(_bytes_at(path, *place) for place in (*entry.shared, entry[:2]))


def _bytes_at(path: Path, offset: int, length: int) -> bytes:
    with path.open("rb") as file:
        file.seek(offset)
        return file.read(length)
