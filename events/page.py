"""The log inside a replay that was exported as one HTML file: the page holds it as JSON, in an element of its own."""

from __future__ import annotations

import re

import msgspec

from events.record import LogError
from events.sections import MAX_GAME

START = re.compile(rb"(?:\xef\xbb\xbf)?\s*<!doctype html>", re.IGNORECASE)
"""How a page begins."""

MAX_PAGE = 4 * MAX_GAME
"""Most bytes of a page that are read: it holds its game twice, as a log and as what the viewer shows."""

_HOLDER = b'<script type="application/json" id="log">'
_END = b"</script>"


class _Held(msgspec.Struct):
    text: str


def log_in(page: bytes, name: str) -> bytes:
    """The log that a page holds, byte for byte as it was put in; `name` is what errors call the file.

    Raises LogError for a page that holds none.
    """
    if len(page) > MAX_PAGE:
        raise LogError(f"is a page of more than {MAX_PAGE} bytes, which is the most that is read of one.", name)
    start = page.find(_HOLDER) + len(_HOLDER)
    end = page.find(_END, start)
    if start < len(_HOLDER) or end < 0:
        raise LogError("this is a page that holds no log; Cardfold reads Cardfold logs.", name)
    try:
        return msgspec.json.decode(page[start:end], type=_Held).text.encode()
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise LogError(f"this is a replay in one file, but the log in it is damaged: {error}.", name) from None
