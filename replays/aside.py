"""Files that are there under their name only when they are whole: written aside, brought to the disk, renamed."""

from __future__ import annotations

import os
from collections.abc import Iterator
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
