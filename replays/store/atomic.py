"""Files that are there under their name only when they are whole: written aside, brought to the disk, renamed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def written_aside(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the name `path` when the block ends well; else nothing changes there.

    Raises OSError where it cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_aside(path: Path, parts: Iterable[bytes]) -> None:
    """Writes a file of these parts; see `written_aside`."""
    with written_aside(path) as file:
        file.writelines(parts)


def sync_folder(folder: Path) -> None:
    """Makes a rename in this folder last through a power cut."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
