"""The commands play and simulate."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from engine.rulebooks import registry
from events.kinds import GameStarted
from replays.cli.play import measured
from replays.store.library import Library
from tests.replays.cli.conftest import Run


def test_from_simulation_to_statistics(run: Run, tmp_path: Path) -> None:
    assert run("simulate", "liveon", "-n", "6", "--players", "random", "--jobs", "1")[0] == 0
    code, out, _ = run("list", "--format", "json")
    entries = json.loads(out)
    assert code == 0 and len(entries) == 6
    identity = entries[0]["id"]
    assert run("verify", identity)[:2] == (
        0, f"{identity}: game 1 {identity}: verified. All facts follow from the decisions\n",
    )
    assert run("build", "--jobs", "1")[0] == 0
    code, out, _ = run("stats", "first_player", "--format", "json")
    assert code == 0 and sum(row["games"] for row in json.loads(out)) == 6
    code, out, _ = run("stats", "gih_wr", "--format", "csv")
    assert code == 0 and out.startswith("game,code,card,copies,games") and "EMB-" in out
    assert run("export", identity, "--to", tmp_path / "one.jsonl")[0] == 0
    code, out, _ = run("import", tmp_path / "one.jsonl")
    assert code == 0 and "0 new, 1 duplicate, 0 partial, 0 refused" in out


def test_the_same_plan_gives_the_same_file(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for file in files:
        assert run("simulate", "liveon", "-n", "3", "--players", "random", "--jobs", "1", "--out", file)[0] == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_game_is_played_broken_off_and_gone_on_with(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    typed = iter(["?", "nonsense", "r 1", "1", "t", "1", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    code, out, err = run("play", "liveon", "--players", "human,random", "--decks", "kiln_rush,high_bells")
    assert code == 2 and "--resume " in err and "is none of 1 to" in out and "A number chooses" in out
    assert "Live On begins: Player 1 against random" in out and "[POW " in out
    name = err.rpartition("--resume ")[2].strip()
    assert json.loads(run("list", "--format", "json")[1])[0]["state"] == "live"
    typed = iter(["1", "c"])
    code, out, err = run("play", "--resume", name)
    assert code == 0 and "wins: " in out
    entry = json.loads(run("list", "--format", "json")[1])[0]
    assert (entry["state"], entry["reason"]) == ("whole", "conceded")
    assert run("verify", entry["id"])[0] == 0
    header = Library(tmp_path / "library").open(entry["id"]).header
    assert isinstance(header, GameStarted) and header.match == name and header.at


def test_a_simulation_does_not_replace_a_file_unasked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("mine")
    words = ("simulate", "liveon", "-n", "1", "--players", "random", "--jobs", "1", "--out", tmp_path / "x.jsonl")
    code, _, err = run(*words)
    assert code == 2 and "--force" in err and (tmp_path / "x.jsonl").read_text() == "mine"
    assert run(*words, "--force")[0] == 0 and (tmp_path / "x.jsonl").stat().st_size > 1000


@pytest.mark.parametrize("n", [2, 3, 7])
def test_all_games_share_a_number_evenly_and_what_it_took_is_said(run: Run, n: int) -> None:
    code, _, err = run("simulate", "all", "-n", str(n), "--players", "random", "--jobs", "1")
    assert code == 0 and re.search(rf"\n{n} games in [\d.]+ s: [\d.,]+ a second, [\d,]+ bytes each\.", err), err
    rows = json.loads(run("list", "--format", "json")[1])
    counts = Counter(row["game"] for row in rows)
    assert sum(counts.values()) == n and max(counts.values()) - min(counts[key] for key in registry.GAMES) <= 1


@pytest.mark.parametrize("words", [("--out", "x.jsonl"), ("--decks", "Clay Army,High Bells")])
def test_all_games_go_into_the_library_with_their_own_decks(run: Run, words: tuple[str, str]) -> None:
    code, out, err = run("simulate", "all", *words)
    assert code == 2 and out == "" and "name the game" in err


@pytest.mark.parametrize(("seconds", "said"), [
    (0.04, "0.0 s"), (59.4, "59.4 s"), (59.6, "1 min 00 s"), (60, "1 min 00 s"), (119.6, "2 min 00 s"),
    (3599.7, "60 min 00 s"),
])  # fmt: skip
def test_a_minute_has_sixty_seconds(seconds: float, said: str) -> None:
    assert f" in {said}: " in measured(10, 10, 10, seconds)
