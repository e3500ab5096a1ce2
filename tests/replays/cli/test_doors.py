"""Every command that reads a game reads it by the same reader: what one takes all take, what one refuses all refuse."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from events.open import read_games
from events.pack import PackWriter
from replays.store.notes import encode_notes, new_note
from tests.replays.cli.conftest import Run

READERS = {
    "verify": ("verify",), "show": ("show",), "log": ("log",), "notes": ("notes",),
    "decks export": ("decks", "export", "--seat", "0"), "import": ("import",),
}
DOORS = pytest.mark.parametrize("door", READERS)


def packed(data: bytes, folder: Path) -> bytes:
    with PackWriter(folder / "p.jsonl.zst") as pack:
        for game in read_games(data):
            pack.add_game(game)
    return (folder / "p.jsonl.zst").read_bytes()


def zipped(data: bytes, notes: bytes = b"") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deep/game", data)
        if notes:
            archive.writestr("deep/game.notes.json", notes)
    return made.getvalue()


def paged(data: bytes, notes: bytes = b"") -> bytes:
    held = {"text": data.decode(), **({"notes": json.loads(notes)} if notes else {})}
    text = json.dumps(held).replace("<", "\\u003c")
    return f'<!DOCTYPE html><script type="application/json" id="log">{text}</script>'.encode()


NOTES = encode_notes({"table7": (new_note(3, "well played"),)})


FORMS: dict[str, Callable[[bytes, Path], bytes]] = {
    "plain": lambda data, folder: data,
    "with a mark and carriage returns": lambda data, folder: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    "packed": packed,
    "gzip": lambda data, folder: gzip.compress(data),
    "a pack in gzip": lambda data, folder: gzip.compress(packed(data, folder)),
    "zip": lambda data, folder: zipped(data),
    "zip with notes": lambda data, folder: zipped(data, NOTES),
    "a page": lambda data, folder: paged(data),
    "a page with notes": lambda data, folder: paged(data, NOTES),
    "a page in gzip": lambda data, folder: gzip.compress(paged(data, NOTES)),
}


@DOORS
@pytest.mark.parametrize("form", FORMS)
def test_what_one_takes_all_take(run: Run, log: Path, tmp_path: Path, door: str, form: str) -> None:
    file = tmp_path / "given.jsonl"
    file.write_bytes(FORMS[form](log.read_bytes(), tmp_path))
    assert run(*READERS[door], file)[0] == 0


@pytest.mark.parametrize("door", ["verify", "show", "log", "import"])
@pytest.mark.parametrize("form", ["plain", "packed", "gzip"])
def test_standard_input_is_read_like_a_file(
    run: Run, log: Path, tmp_path: Path, door: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = FORMS[form](log.read_bytes(), tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run(*READERS[door], "-")[0] == 0


def wide(encoding: str) -> Callable[[bytes], bytes]:
    return lambda data: data.decode().encode(encoding)


WRONG: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda data: b"", "is empty"),
    "text": (lambda data: b"Dear Sir,\n", "no game begins here"),
    "UTF-16": (wide("utf-16"), "is text in UTF-16"),
    "UTF-16 without a mark": (wide("utf-16-le"), "is text in UTF-16"),
    "UTF-16, big end first": (wide("utf-16-be"), "is text in UTF-16"),
    "UTF-32": (wide("utf-32"), "is text in UTF-16 or UTF-32"),
    "gzip, cut": (lambda data: gzip.compress(data)[:40], "its gzip data are cut off"),
    "a zip of nothing": (lambda data: b"PK\x05\x06" + bytes(18), "holds no file"),
    "a picture": (lambda data: b"\x89PNG\r\n\x1a\n" + bytes(64), "this is a picture (PNG)"),
}


@DOORS
@pytest.mark.parametrize("what", WRONG)
def test_what_one_refuses_all_refuse_and_say_the_same(
    run: Run, log: Path, tmp_path: Path, door: str, what: str
) -> None:
    change, said = WRONG[what]
    file = tmp_path / "given.jsonl"
    file.write_bytes(change(log.read_bytes()))
    code, out, err = run(*READERS[door], file)
    assert said in out + err and code == (1 if door == "import" else 2)


@DOORS
def test_what_is_no_file_is_called_what_it_is(run: Run, tmp_path: Path, door: str) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    for name, said in (("pipe", "is a pipe"), ("missing", "no such file"), ("folder", "is a folder")):
        code, out, err = run(*READERS[door], tmp_path / f"{name}.jsonl")
        assert said in out + err and code == (1 if door == "import" else 2)


def test_a_frame_with_a_wrong_checksum_is_damage_at_every_door(run: Run, log: Path, tmp_path: Path) -> None:
    file = tmp_path / "given.jsonl.zst"
    data = packed(log.read_bytes(), tmp_path)
    file.write_bytes(data[:-2] + bytes([data[-2] ^ 0x55]) + data[-1:])
    code, out, _ = run("verify", file)
    assert code == 1 and ": verified." in out and "the file is damaged there" in out and "byte" in out
    code, out, _ = run("import", file)
    assert code == 1 and "1 partial" in out and "is damaged" in out and "checked: 1 verified" in out
    for door in ("show", "log"):
        code, _, err = run(door, file)
        assert code == 0 and "is damaged" in err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'"kind":"turn_began","turn":2', b'"kind":"turn_began","turn":7,"turn":2', "the name 'turn' stands twice"),
        (b'{"kind":"sealed","seal"', b'{"kind":"sealed","kind":"sealed","seal"', "the name 'kind' stands twice"),
        (b'"zones":[{"name":"deck"', b'"zones":[{"name":"deck","name":"deck"', "the name 'name' stands twice"),
    ],
)
def test_a_name_that_stands_twice_is_refused_at_every_door(
    run: Run, log: Path, tmp_path: Path, old: bytes, new: bytes, said: str
) -> None:
    data = log.read_bytes()
    assert data.count(old) >= 1
    log.write_bytes(data.replace(old, new, 1))
    code, out, err = run("verify", log)
    assert code in (1, 2) and said in out + err
    code, out, err = run("import", log)
    assert code == 1 and said in out + err
