"""Files of other programs are called what they are; no log of ours is taken for one; nothing binary is ever shown."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from pathlib import Path

import pytest

from events.foreign import BEGINNINGS, what_is
from events.game import write_game
from events.open import read_games
from events.record import LogError
from tests.events.highcard import SHARED, game

GOLDEN = Path(__file__).parents[1] / "golden"
BOM = b"\xef\xbb\xbf"


def zipped() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("a.txt", "a")
    return made.getvalue()


TEXTS: list[tuple[str, bytes]] = [
    ("a Power.log of Hearthstone", b"D 10:13:25.9470320 GameState.DebugPrintPower() - CREATE_GAME\r\nD 10:13:25.9"),
    ("a replay of HSReplay in XML", b'<?xml version="1.0" ?>\n<!DOCTYPE hsreplay SYSTEM "x.dtd">\n'),
    ("a replay of HSReplay in XML", b'<HSReplay build="51831" version="1.7"><Game id="1">'),
    ("a Player.log of Magic: The Gathering Arena", b"Mono path[0] = 'C:/Wizards/MTGA/MTGA_Data/Managed'\r\n"),
    ("a Player.log of Magic: The Gathering Arena", b"[UnityCrossThreadLogger]11/29/2026 8:15:00 PM\n{"),
    ("a game of chess in PGN", b'[Event "Casual game"]\n[Site "?"]\n\n1. e4 e5 *'),
    ("a game of chess in PGN", b'[White "Ann"]\n[Black "Bo"]\n'),
    ("a battle of Pokémon Showdown", b"|j|\xe2\x98\x86Ann\n|j|\xe2\x98\x86Bo\n|t:|1700000000\n"),
    ("a battle of Pokémon Showdown", b"|t:|1700000000\n|gametype|singles\n|player|p1|Ann|1|\n"),
    ("a battle of Pokémon Showdown",
     b'{"id":"gen9ou-1","format":"[Gen 9] OU","players":["Ann","Bo"],"log":"|j|Ann\\n|j|Bo"}'),
    ("a battle of Pokémon Showdown",
     b'<!DOCTYPE html>\n<meta charset="utf-8" />\n<script type="text/plain" class="battle-log-data">|j|Ann'),
    ("a game of hanab.live", b'{"id":1234,"players":["Ann","Bo"],"deck":[{"suitIndex":4,"rank":1},{"suitIndex":0'),
    ("a deck of Cockatrice", b'<?xml version="1.0" encoding="UTF-8"?>\n<cockatrice_deck version="1">\n'),
    ("a deck of YGOPro", b"#created by Ann\n#main\n46986414\n"),
    ("a PDF document", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"),
]  # fmt: skip
BINARIES: list[tuple[str, bytes]] = [
    ("a replay of Cockatrice", b"\x08\xd2\x85\xd8\xcc\x04\x12\x5b\x08\x01\x10\x02\x18\x9a\x05\x22\x07casual "),
    ("a replay of YGOPro", b"yrp1\x62\x13\x00\x00\x01\x00\x00\x00\x5d\x00\x00\x80"),
    ("a replay of YGOPro", b"yrpX\x01\x00\x00\x00" + bytes(24)),
    ("data packed by gzip (unpack it first)", gzip.compress(b"a", mtime=0)),
    ("a zip archive (unpack it first)", zipped()),
    ("a 7-Zip archive", b"7z\xbc\xaf\x27\x1c\x00\x04"),
    ("data packed by xz", b"\xfd7zXZ\x00\x00\x04"),
    ("data packed by bzip2", b"BZh91AY&SY\x11\x22"),
    ("a picture (PNG)", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"),
    ("a picture (JPEG)", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00"),
]  # fmt: skip


def said(data: bytes) -> str:
    """What is said of a file that cannot be read."""
    with pytest.raises(LogError) as caught:
        list(read_games(data))
    return str(caught.value)


@pytest.mark.parametrize(("what", "data"), [
    *((what, front + text + text) for what, text in TEXTS for front in (b"", BOM, b"\r\n \n")), *BINARIES,
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_what_another_program_wrote_is_called_so(what: str, data: bytes) -> None:
    assert said(data) == f"this is {what}; Cardfold reads Cardfold logs."
    assert said(data + bytes(300_000)).startswith("this is"), "however long it is"


def test_each_beginning_that_is_known_is_tried_here() -> None:
    assert {what for what, _ in (*TEXTS, *BINARIES)} == set(BEGINNINGS)


@pytest.mark.parametrize("file", sorted(GOLDEN.rglob("*.jsonl*")), ids=lambda file: file.name)
def test_no_log_of_ours_is_taken_for_another_program_s(file: Path) -> None:
    with file.open("rb") as stream:
        assert what_is(stream.read(5000)) == ""
    assert next(read_games(file)).events


def test_a_log_may_speak_of_whatever_it_likes() -> None:
    for what, text in TEXTS:
        events = game(1, id="a1", tags=(text.decode(errors="replace"), '"suitIndex":', '"players":['))
        data = write_game((*SHARED, events))
        assert [len(one.events) for one in read_games(data)] == [len(events) + 1], what


def test_bytes_that_are_no_text_are_never_shown() -> None:
    chance = random.Random(11)
    for _ in range(2000):
        size = chance.choice((1, 3, 50, 400))
        data = bytes(chance.choice((chance.randrange(256), chance.randrange(32, 127))) for _ in range(size))
        with pytest.raises(LogError) as caught:
            list(read_games(data))
        assert str(caught.value).isprintable() and "\ufffd" not in str(caught.value), data
