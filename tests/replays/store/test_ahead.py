"""Verdicts that workers find ahead of an import: they change nothing but its time."""

from __future__ import annotations

import gzip
import os
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.rulebooks import registry
from events.game import write_game
from events.open import read_games
from events.pack import PackWriter
from replays import workers
from replays.store import ahead as module
from replays.store import importing
from replays.store.ahead import Ahead
from replays.store.entries import copy_digest
from replays.store.library import Library
from tests.events.highcard import SHARED
from tests.events.highcard import game as unknown_game
from tests.play import begin, play


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with real games, true, untrue and damaged ones, in packs, plain files and archives."""
    folder = tmp_path_factory.mktemp("given")
    matches = [begin(seed) for seed in range(8)]
    games = [play(match, seed) for seed, match in enumerate(matches)]
    rules = registry.load("liveon")
    shared = (rules.rulebook, rules.card_sets)
    with PackWriter(folder / "a.jsonl.zst") as pack:
        for events in games[:5]:
            pack.add(*shared, events)
        pack.add(*SHARED, unknown_game(2))
    plain = [write_game((*shared, events)) for events in games]
    (folder / "b.jsonl").write_bytes(plain[5] + plain[0])
    (folder / "c.jsonl").write_bytes(plain[6].replace(b'"move_kind":"drawn"', b'"move_kind":"moved"', 1))
    (folder / "d.jsonl.gz").write_bytes(gzip.compress(plain[7]))
    (folder / "e.jsonl").write_bytes(plain[6][:-700])
    (folder / "f.txt").write_bytes(b"Dear Sir or Madam")
    with zipfile.ZipFile(folder / "g.zip", "w") as archive:
        archive.writestr("one.jsonl", plain[6])
        archive.writestr("two.jsonl", plain[1])
    (folder / "h.jsonl.zst").write_bytes(cut_by_damage((folder / "a.jsonl.zst").read_bytes()))
    os.mkfifo(folder / "i")
    return folder


def cut_by_damage(pack: bytes) -> bytes:
    """The pack with a byte changed, up to which something of its game can be read; not every byte leaves something."""
    for at in range(len(pack) // 2, len(pack), 97):
        damaged = pack[:at] + bytes([pack[at] ^ 0x5A]) + pack[at + 1 :]
        if any(game.events and game.fault for game in read_games(damaged)):
            return damaged
    raise AssertionError("no such byte")


def taken_in(given: Path, to: Path, jobs: int) -> tuple[Any, ...]:
    """What an import says and leaves: report, catalogue, verdicts."""
    library = Library(to)
    report = library.import_paths([given], jobs=jobs)
    report.packs.sort()
    entries = [msgspec.structs.replace(entry, pack="") for entry in library.entries()]
    return report, entries, library.verdicts()


verify = importing.verify


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_GAMES", 2)
    monkeypatch.setattr(module, "BYTES", 1)


def test_an_import_with_workers_is_the_same_as_without(
    given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = taken_in(given, tmp_path / "alone", 1)
    checked: list[str] = []
    monkeypatch.setattr(importing, "verify", lambda game: checked.append(game.fault) or verify(game))
    assert taken_in(given, tmp_path / "with", 2) == alone
    verdicts = [(found.file, found.verdict) for found in alone[0].found if found.verdict not in ("", "verified")]
    assert verdicts == [
        ("a.jsonl.zst", "unchecked"), ("c.jsonl", "altered"), ("e.jsonl", "cut"), ("h.jsonl.zst", "cut"),
    ]  # fmt: skip
    assert alone[0].verdicts["verified"] == 8 and checked
    assert all(fault is not None for fault in checked)  # the sound ones were checked by workers


def test_the_catalogue_of_an_import_is_what_would_be_read_out_of_its_packs(given: Path, tmp_path: Path) -> None:
    for to, paths in (("sound", [given / "a.jsonl.zst", given / "b.jsonl"]), ("all", [given])):
        library = Library(tmp_path / to)
        library.import_paths(paths)
        lines = {file.name: file.read_bytes() for file in (library.path / "catalogue").iterdir()}
        library.rebuild()
        assert lines == {file.name: file.read_bytes() for file in (library.path / "catalogue").iterdir()} != {}


def test_what_no_worker_has_checked_the_import_checks(
    given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> Iterator[Any]:
        raise workers.WorkerKilled
        yield

    alone = taken_in(given, tmp_path / "alone", 1)
    monkeypatch.setattr(workers, "run_work", killed)
    assert taken_in(given, tmp_path / "with", 2) == alone


def test_workers_leave_alone_what_has_a_verdict(given: Path, tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    file = given / "b.jsonl"
    digests = [copy_digest(game) for game in read_games(file)]
    with closing(Ahead(library.path, [file, given / "d.jsonl.gz"], 2)) as fresh:
        assert [found.verdict for digest in digests if (found := fresh.verdict(digest))] == ["verified"] * 2
        assert fresh.verdict("no such digest") is None
    library.import_paths([file])
    module._verdicts.cache_clear()
    assert module._check(library.path, ((file, None),), lambda: None) == []


def test_a_single_piece_of_work_is_left_to_the_import(given: Path, tmp_path: Path) -> None:
    library, file = Library(tmp_path / "library"), given / "d.jsonl.gz"
    alone = Ahead(library.path, [file], 2)
    (game,) = read_games(gzip.decompress(file.read_bytes()))
    assert alone.verdict(copy_digest(game)) is None
