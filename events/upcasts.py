"""Old versions of the log to the present one: one function a version, one record (as a dict) to one record.

Nothing here reads lines or knows today's structs: an upcast knows only the two versions that it joins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events import kinds

UPCASTS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""version -> what makes a record of it one of the next version; shared lines too. No version is old yet."""


def upcast(record: dict[str, Any], version: int) -> dict[str, Any]:
    """The record of that protocol version as one of PROTOCOL. Raises KeyError where an upcast is missing."""
    for step in range(version, kinds.PROTOCOL):
        record = UPCASTS[step](record)
    return record
