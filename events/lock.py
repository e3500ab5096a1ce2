"""One writer at a time: the lock that every writer of a file holds."""

from __future__ import annotations


def lock(file: int) -> bool:
    """Whether this open file is now ours to write. Goes with its closing, or with the process."""
    import fcntl  # not on Windows, where logs can be read all the same

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
