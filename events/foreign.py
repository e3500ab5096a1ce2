"""Files that people take for logs and that are something else: recognised by how they begin, so that one can say what.

The beginnings are those that the programs themselves write, as far as they are known from their documents and sources.
"""

from __future__ import annotations

import re

ENOUGH = 4 << 10
"""Bytes of a file's beginning that are looked at."""

_UNPACKED = " (unpack it first)"

BEGINNINGS: dict[str, re.Pattern[bytes]] = {
    what: re.compile(pattern, re.DOTALL | re.IGNORECASE)
    for what, pattern in {
        "a Power.log of Hearthstone": rb"[DWIE] \d\d:\d\d:\d\d\.\d+ \w+\.\w+\(\) - ",
        "a replay of HSReplay in XML": rb"(?:<\?xml[^>]*>\s*)?(?:<!--.{0,500}?-->\s*)?<(?:!doctype )?hsreplay\b",
        "a Player.log of Magic: The Gathering Arena":
            rb"(?:\[UnityCrossThreadLogger\]|DETAILED LOGS: "
            rb"|(?:Mono path\[0\]|Initialize engine|\[Subsystems\]).*MTGA)",
        "a game of chess in PGN": rb'\[(?:Event|Site|Date|Round|White|Black) "',
        "a battle of Pokémon Showdown":
            rb'(?:\|(?:j|t:|gametype|player|init|title|teamsize|gen|tier|inactive)\|'
            rb'|\{\s*"[^{}]*"(?:formatid|log)"\s*:\s*"(?:gen\d|\|)|<!doctype html>.*class="battle-log-data")',
        "a game of hanab.live": rb'\{(?=.*"players"\s*:\s*\[).*"suitIndex"\s*:',
        "a replay of Cockatrice":
            rb"\x08[\x80-\xff]{0,9}[\x00-\x7f]\x12[\x80-\xff]{0,4}[\x00-\x7f][\x08\x10\x18\x22]",
        "a deck of Cockatrice": rb"(?:<\?xml[^>]*>\s*)?<cockatrice_",
        "a replay of YGOPro": rb"yrp[12x]",
        "a deck of YGOPro": rb"#(?:created by|main\b)",
        "data packed by gzip" + _UNPACKED: rb"\x1f\x8b",
        "a zip archive" + _UNPACKED: rb"PK(?:\x03\x04|\x05\x06)",
        "a 7-Zip archive": rb"7z\xbc\xaf\x27\x1c",
        "data packed by xz": rb"\xfd7zXZ\x00",
        "data packed by bzip2": rb"BZh[1-9]1AY&SY",
        "a picture (PNG)": rb"\x89PNG\r\n\x1a\n",
        "a picture (JPEG)": rb"\xff\xd8\xff",
        "a PDF document": rb"%PDF-",
    }.items()
}
"""What a file is, with its article -> how it begins."""


def what_is(head: bytes) -> str:
    """What a file is that begins with these bytes; nothing where it is none of those known here."""
    text = head[:ENOUGH].removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    if text.startswith(b'{"kind"'):
        return ""
    return next((what for what, beginning in BEGINNINGS.items() if beginning.match(text)), "")
