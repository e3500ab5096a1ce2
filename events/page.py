"""The log inside a replay that was exported as one HTML file: the page holds it as JSON, in an element of its own.

Notes that were exported with it stand there too.
"""

from __future__ import annotations

import re

import msgspec

from events.record import LogError
from events.sections import MAX_GAME

PAGE_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*<!doctype html>", re.IGNORECASE)
"""How a page begins."""

MAX_PAGE = 4 * MAX_GAME
"""Most bytes of a page that are read: it holds its game twice, as a log and as what the viewer shows."""

_HOLDER = b'<script type="application/json" id="log">'
_END = b"</script>"


class Held(msgspec.Struct):
    """What a page holds."""

    text: str
    """the log, byte for byte as it was put in"""
    notes: msgspec.Raw = msgspec.Raw()
    """what a file of notes on its game holds; nothing where there are none"""


def held_in(page: bytes, name: str) -> Held:
    """What a page holds; `name` is what errors call the file. Raises LogError for a page that holds no log."""
    if len(page) > MAX_PAGE:
        raise LogError(f"is a page of more than {MAX_PAGE} bytes, which is the most that is read of one.", name)
    start = page.find(_HOLDER) + len(_HOLDER)
    end = page.find(_END, start)
    if start < len(_HOLDER) or end < 0:
        raise LogError("this is a page that holds no log; Cardfold reads Cardfold logs.", name)
    try:
        held = msgspec.json.decode(page[start:end], type=Held)
        held.text.encode()
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise LogError(f"this is a replay in one file, but the log in it is damaged: {error}.", name) from None
    return held
