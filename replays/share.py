"""Games out of the library into files for others. A game's lines come out byte for byte as they were kept.

What a file is like inside (lines, frames) is `events`' affair; which games there are, the library's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from events.log import Game, header_of
from events.pack import PackWriter
from events.record import LogError
from replays.library import Library


def export_games(library: Library, ids: Sequence[str], to: Path | BinaryIO) -> int:
    """Writes the games of these ids (or beginnings of ids), in this order, and says how many.

    The file's ending says plain (`.jsonl`) or packed (`.jsonl.zst`); an open stream gets plain lines. Raises
    LibraryError for an id that is unknown or not of one game only, before anything is written.
    """
    entries = [library.find(name) for name in ids]
    return write_games((library.read(entry) for entry in entries), to)


def write_games(games: Iterable[Game], to: Path | BinaryIO) -> int:
    """Writes games one after the other and says how many; a file is there under its name only when it is whole."""
    if not isinstance(to, Path):
        return _write_plain(games, to)
    count = 0
    if packed(to):
        with PackWriter(to) as pack:
            for game in games:
                pack.add_game(game)
                count += 1
        return count
    part = to.with_name(f".{to.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            count = _write_plain(games, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, to)
    except OSError as error:
        raise LogError(f"cannot be written: {error.strerror}.", to.name) from None
    finally:
        part.unlink(missing_ok=True)
    return count


def packed(to: Path) -> bool:
    """Whether a file of this name is to be a pack. Raises LogError for a name that says neither."""
    if to.name.endswith(".jsonl.zst"):
        return True
    if to.name.endswith(".jsonl"):
        return False
    raise LogError("the name must end with .jsonl (plain lines) or .jsonl.zst (packed).", to.name)


def _write_plain(games: Iterable[Game], to: BinaryIO) -> int:
    count = 0
    for count, lines in enumerate(_plain(games), 1):  # noqa: B007
        to.write(b"\n".join([*lines, b""]))
    return count


def _plain(games: Iterable[Game]) -> Iterator[list[bytes]]:
    """The lines of each game; the shared ones before the first game that names them."""
    written: set[bytes] = set()
    for game in games:
        header_of(game.events)
        new = [line for line in game.shared if line not in written]
        written.update(new)
        yield [*new, *game.lines]
