"""Opening a log file: whether it is plain, packed or inside a page, its content tells."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from events import page
from events.foreign import what_is
from events.game import GameLog
from events.pack import looks_packed, read_pack
from events.reader import Reader
from events.record import LogError
from events.sections import BLOCK, Piece

WIDE = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{", b"\0\0\xfe\xff", b"\0\0\0{")
"""How a log begins in UTF-16 or UTF-32, with or without a byte order mark."""


def read_games(source: Path | bytes | IO[bytes], *, name: str = "") -> Iterator[GameLog]:
    """The games of a plain log, a pack, or a replay as one HTML file, one after the other; the content decides.

    `name` is what errors call the file (a path has its own). A broken game comes with its `fault`; LogError
    is raised only where not one game can be opened, and at the bounds of the whole file.
    """
    if isinstance(source, Path):
        try:
            with source.open("rb") as file:
                yield from read_games(file, name=name or source.name)
        except OSError as error:
            raise LogError(f"cannot be read: {error.strerror}.", name or source.name) from None
        return
    stream: IO[bytes] = io.BytesIO(source) if isinstance(source, bytes) else source
    head = stream.read(BLOCK)
    if not head:
        raise LogError("is empty: a log has at least one `game_started` line.", name)
    if head.startswith(WIDE):
        raise LogError("is text in UTF-16 or UTF-32: save it as UTF-8, and it can be read.", name)
    if what := what_is(head):
        raise LogError(f"this is {what}; Cardfold reads Cardfold logs.", name)
    if page.PAGE_START.match(head):
        head, stream = page.held_in(head + stream.read(page.MAX_PAGE), name).text.encode(), io.BytesIO()
    if looks_packed(head):
        yield from read_pack(stream, name=name, head=head)
    else:
        yield from Reader(name).games(_plain(head, stream), packed=False)


def _plain(head: bytes, stream: IO[bytes]) -> Iterator[Piece]:
    """The blocks of a plain file."""
    at = 0
    while head:
        yield Piece(at, head, first=False)
        at += len(head)
        head = stream.read(BLOCK)
