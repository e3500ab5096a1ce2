"""The command line in this process, on a library of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from events.game import write_game
from events.kinds import Event
from replays.cli import main
from tests.play import begin, play

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command on a library of its own; gives exit code, standard output, standard error."""
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path / "library"))

    def command(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["cardfold", *map(str, words)])
        with pytest.raises(SystemExit) as stopped:
            main.main()
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return int(stopped.value.code or 0), said.out, said.err

    return command


@pytest.fixture(scope="module")
def game() -> tuple[list[Event], bytes]:
    match = begin(4)
    events = play(match, 4)
    return events, write_game((match.game.rulebook, match.game.card_sets, events))


@pytest.fixture
def log(game: tuple[list[Event], bytes], tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game[1])
    return path


@pytest.fixture
def kept(run: Run, log: Path) -> str:
    """The id of a game in the library."""
    assert run("import", log)[0] == 0
    return json.loads(run("list", "--format", "json")[1])[0]["id"]
