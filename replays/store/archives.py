"""What there is to read in what someone gives: files, folders, gzip, zip, standard input; each a stream of its own.

Content decides, never a name. Archives are unpacked within bounds, and given up to where they are damaged. What the
streams hold is for `events` to read.
"""

from __future__ import annotations

import io
import os
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, NamedTuple

from events import page
from events.game import GameLog
from events.open import read_games
from events.pack import MAX_EXPANSION
from events.record import LogError
from events.sections import BLOCK, MAX_GAME
from replays.store import notes

IN_MEMORY = 8 << 20
"""Unpacked bytes that are held in memory; more go to a temporary file."""

MAX_MEMBERS = 100_000
"""Most files of one zip archive that are read."""

NO_FILES = (
    (stat.S_ISDIR, "is a folder: give a file in it, or take all of it in by `cardfold import`."),
    (stat.S_ISFIFO, "is a pipe: give -, and what comes through it as standard input."),
    (stat.S_ISSOCK, "is a socket, not a file."), (stat.S_ISCHR, "is a device, not a file."),
    (stat.S_ISBLK, "is a device, not a file."),
)  # fmt: skip
"""What a path may lead to that is no file, and what is said of it."""

GZIP = b"\x1f\x8b"
ZIP = (b"PK\x03\x04", b"PK\x05\x06")


class Source(NamedTuple):
    """One file's content: a stream that can be read anew, or none where `fault` is all there is to say."""

    name: str
    size: int
    """bytes of the given file that it stands for"""
    stream: IO[bytes] | None
    fault: str = ""
    """what is wrong with the file around it, and how far the stream reaches"""


def files_in(folder: Path, is_one: Callable[[Path], bool]) -> list[tuple[str, Path]]:
    """All files in a folder but hidden ones, sorted, with names to call them by.

    Of a folder (this one or one in it) that is one thing, as `is_one` says, there is the folder and nothing in it.
    """
    found = []
    for inside, folders, names in os.walk(folder):
        place = PurePosixPath(Path(inside).relative_to(folder))
        if is_one(Path(inside)):
            folders.clear()
            found.append((tidy(str(place) if place.name else folder.name), Path(inside)))
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [(tidy(str(place / name)), Path(inside, name)) for name in sorted(names) if not name.startswith(".")]
    return found


def tidy(text: str, most: int = 200) -> str:
    """A name out of a stranger's file or file system as it may stand in a line: valid text, not too long."""
    return text.encode("utf-8", "replace").decode()[:most]


def size_of(path: Path) -> int:
    """A file's size in bytes; 0 where that cannot be told."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def games_from(name: str, given: Path | BinaryIO) -> Iterator[GameLog]:
    """The games of a file or stream, out of gzip and zip too: what every command reads. Notes among them are left out.

    Raises LogError for what is no log, or cannot be read, when all the rest has been given.
    """
    problems: list[LogError] = []
    source = None
    for source in sources(name, given):
        if source.fault:
            problems.append(LogError(source.fault, source.name))
        try:
            if source.stream is not None and not notes.looks_like_notes(source.stream):
                yield from read_games(source.stream, name=source.name)
        except LogError as error:
            problems.append(error)
        except OSError as error:
            problems.append(LogError(f"cannot be read: {error.strerror}.", source.name))
    if source is None:
        raise LogError("holds no file.", name)
    if problems:
        raise problems[0]


def sources(name: str, given: Path | BinaryIO) -> Iterator[Source]:
    """What is in a file or stream. Each Source is to be read before the next one is asked for."""
    if not isinstance(given, Path):
        yield from _copied(name, given)
        return
    size = size_of(given)
    try:
        mode = given.stat().st_mode
        if not stat.S_ISREG(mode):
            yield Source(name, 0, None, next((what for is_one, what in NO_FILES if is_one(mode)), "is no file."))
            return
        with given.open("rb") as file:
            yield from _unwrapped(name, file, size)
    except FileNotFoundError:
        yield Source(name, 0, None, "there is no such file.")
    except OSError as error:
        yield Source(name, size, None, f"cannot be read: {error.strerror}.")


def _copied(name: str, stream: BinaryIO) -> Iterator[Source]:
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as copy:
        while True:
            try:
                block = stream.read(BLOCK)
            except OSError as error:  # of the stream, not of the copy
                yield Source(name, 0, None, f"cannot be read: {error.strerror}.")
                return
            if not block:
                break
            copy.write(block)
        size = copy.tell()
        copy.seek(0)
        yield from _unwrapped(name, copy, size)


def _unwrapped(name: str, file: IO[bytes], size: int, fault: str = "") -> Iterator[Source]:
    head = file.read(256)
    file.seek(0)
    if head.startswith(GZIP):
        yield from _gunzipped(name, file, size)
    elif head.startswith(ZIP):
        yield from _unzipped(name, file, size)
    else:
        yield from _held(name, file, size, fault)


def _held(name: str, file: IO[bytes], size: int, fault: str) -> Iterator[Source]:
    """The file itself; of a page, the log that it holds, and the notes on it."""
    is_page = page.PAGE_START.match(file.read(256))
    file.seek(0)
    if not is_page:
        yield Source(name, size, file, fault)
        return
    try:
        held = page.held_in(file.read(page.MAX_PAGE + 1), name)
    except LogError as error:
        yield Source(name, size, None, error.what)
        return
    yield Source(name, size, io.BytesIO(held.text.encode()), fault)
    if bytes(held.notes):
        yield Source(f"the notes in {name}", 0, io.BytesIO(held.notes))


def _most(size: int) -> int:
    return MAX_GAME + MAX_EXPANSION * size


def _gunzipped(name: str, file: IO[bytes], size: int) -> Iterator[Source]:
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as text:
        fault = _gunzip(file, text, _most(size))
        if text.tell() > _most(size):
            yield Source(name, size, None, f"unpacks to more than {MAX_EXPANSION} times its size: refused.")
            return
        text.seek(0)
        yield from _held(name, text, size, fault)


def _gunzip(file: IO[bytes], to: IO[bytes], most: int) -> str:
    """Unpacks gzip data, to a little over `most` bytes; says what is wrong with them, if anything is."""
    machine = zlib.decompressobj(31)
    data = b""
    while to.tell() <= most:
        data = data or file.read(BLOCK)
        if machine.eof:
            if not data.startswith(GZIP):
                return ""  # what follows the last member is no part of it
            machine = zlib.decompressobj(31)
        try:
            out = machine.decompress(data, BLOCK)
        except zlib.error:
            return f"its gzip data are damaged after {to.tell()} unpacked bytes."
        to.write(out)
        if not data and not out:
            return f"its gzip data are cut off after {to.tell()} unpacked bytes."
        data = machine.unused_data or machine.unconsumed_tail
    return ""


def _unzipped(name: str, file: IO[bytes], size: int) -> Iterator[Source]:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        yield Source(name, size, None, f"is a zip archive that cannot be opened: {error}.")
        return
    with archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        left = _most(size)
        for member in members[:MAX_MEMBERS]:
            with tempfile.SpooledTemporaryFile(IN_MEMORY) as text:
                fault = _extract(archive, member, text, left)
                left -= text.tell()
                inside, share = f"{name}/{tidy(member.filename)}", member.compress_size
                if left <= 0:
                    yield Source(inside, share, None, f"unpacks to more than {MAX_EXPANSION} times its size: refused.")
                    return
                text.seek(0)
                head = text.read(4)
                text.seek(0)
                if head.startswith(ZIP):
                    yield Source(inside, share, None, "is a zip archive inside another: unpack the outer one first.")
                else:
                    yield from _unwrapped(inside, text, share, fault)
        if len(members) > MAX_MEMBERS:
            yield Source(name, 0, None, f"holds more than {MAX_MEMBERS} files; the rest is not read.")


def _extract(archive: zipfile.ZipFile, member: zipfile.ZipInfo, to: IO[bytes], most: int) -> str:
    """Unpacks one file of an archive as far as it goes; says what is wrong, if anything is."""
    if member.flag_bits & 1:
        return "is locked by a password."
    try:
        with archive.open(member) as data:
            while to.tell() < most and (block := data.read(min(BLOCK, most - to.tell()))):
                to.write(block)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
        return f"cannot be unpacked after {to.tell()} bytes: {error}."
    return ""
