"""The verdicts on games, the same at every door by which one meets a game; what does not count is left out.

How games are forged so that they could pass for others: `tests/replays/store/test_forgery.py`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from dashboard import data, viewer
from events.actions import Choose
from events.game import write_game
from events.kinds import Acted, Event, GameEnded, GameStarted
from events.open import read_games
from replays.store.library import Library
from replays.store.verdicts import TRUST
from replays.view.verify import LABELS, verify
from tests.play import begin
from tests.replays.cli.conftest import Run

Log = list[Event]


def without_seed(log: Log) -> Log:
    assert isinstance(log[0], GameStarted)
    return [structs.replace(log[0], seed=None), *log[1:]]


def other_winner(log: Log) -> Log:
    assert isinstance(log[-1], GameEnded)
    return [*log[:-1], structs.replace(log[-1], winner=None)]


def impossible(log: Log) -> Log:
    at = next(n for n, event in enumerate(log) if isinstance(event, Acted))
    return [*log[:at], structs.replace(log[at], action=Choose(99)), *log[at + 1 :]]


WAYS: dict[str, Callable[[Log], Log]] = {
    "verified": lambda log: log, "unchecked": without_seed, "cut": lambda log: log[:-9], "altered": other_winner,
    "illegal": impossible,
}
CODES = {"verified": (0, 0), "unchecked": (1, 0), "cut": (1, 1), "altered": (1, 1), "illegal": (1, 1)}
"""Verdict -> the exit codes of verify and import."""


def test_each_verdict_is_looked_at() -> None:
    assert set(WAYS) == set(CODES) == set(TRUST) == set(LABELS)


@pytest.mark.parametrize("verdict", WAYS)
def test_a_verdict_is_the_same_at_every_door(
    run: Run, game: tuple[Log, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verdict: str
) -> None:
    file, rules = tmp_path / "given.jsonl", begin(4).game
    file.write_bytes(write_game((rules.rulebook, rules.card_sets, WAYS[verdict](game[0]))))
    code, out, _ = run("verify", file)
    assert code == CODES[verdict][0] and f": {LABELS[verdict]}" in out
    code, out, _ = run("import", file)
    assert code == CODES[verdict][1] and f"checked: 1 {LABELS[verdict]}" in out
    (listed,) = json.loads(run("list", "--format", "json")[1])
    assert listed["verdict"] == verdict and verdict in run("list")[1]
    log = next(read_games(io.BytesIO(file.read_bytes())))
    assert json.loads(viewer.game_json(viewer.timeline_of(log), log, verify(log)))["log"]["verdict"] == verdict
    kept = Library(tmp_path / "library")
    monkeypatch.setattr(data, "library", lambda: kept)
    assert data.verdicts(kept.games()) == [verdict]
    assert run("build")[0] == 0
    for asked, counted in (((), verdict == "verified"), (("--unchecked",), verdict in ("verified", "unchecked"))):
        rows = json.loads(run("stats", "endings", *asked, "--format", "json")[1])
        assert sum(row["games"] for row in rows) == counted
        left = json.loads(run("stats", "left_out", *asked, "--format", "json")[1])
        assert sum(row["games"] for row in left) == 1 - counted
