"""The commands build and stats: what they say of the games, and what there is to ask for."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from events.game import write_game
from events.kinds import Event
from replays import cluster, workers
from replays.stats import warehouse
from replays.stats.metrics import METRICS, VERSION
from tests.play import begin, play
from tests.replays.cli.conftest import Run
from tests.replays.cli.test_verdicts import WAYS


def test_build_says_how_many_games_came_in_how_many_count_and_why_others_do_not(
    run: Run, game: tuple[list[Event], bytes], tmp_path: Path
) -> None:
    assert "0 games came in, 0 of them count." in run("build", "--jobs", "1")[2]
    rules = begin(4).game
    for verdict, log in (("verified", game[0]), ("cut", play(begin(5), 5)), ("altered", game[0])):
        file = tmp_path / f"{verdict}.jsonl"
        file.write_bytes(write_game((rules.rulebook, rules.card_sets, WAYS[verdict](log))))
        run("import", file)
    code, _, err = run("build", "--jobs", "1")
    assert code == 0 and "The statistics of 3 packs are built." in err
    assert "3 games came in, 1 of them counts; 2 are left out: 1 " in err
    assert "1 not finished" in err and "1 altered" in err


def test_commands_do_their_work_on_the_ray_that_they_are_given(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a cluster does with the work, tests/replays/test_cluster.py shows; here it is done in this process."""
    worked: list[tuple[str, str]] = []

    def runner(address: str) -> workers.Runner:
        def here(work: Any, items: Iterable[Any], *options: Any, **more: Any) -> Any:
            worked.append((address, getattr(work, "__qualname__", type(work).__name__)))
            return workers.run_work(work, list(items), 1)

        return here

    monkeypatch.setattr(cluster, "runner", runner)
    monkeypatch.setattr(warehouse, "MOST_GAMES", 0)
    for words in (("simulate", "monbattle", "-n", "2", "--ray", "head:1"), ("build", "--ray", "head:2"),
                  ("ladder", "monbattle", "--players", "random,greedy", "-n", "2", "--ray", "head:3")):  # fmt: skip
        code, _, err = run(*words)
        assert code == 0, err
    assert [address for address, _ in worked] == ["head:1", "head:2", "head:2", "head:3"]
    assert [work for address, work in worked if address == "head:2"] == ["Gathering.gather", "Summing.add_up"]


def test_every_metric_is_listed_with_what_it_shows(run: Run) -> None:
    for words in (("stats",), ("stats", "--list")):
        listed = json.loads(run(*words, "--format", "json")[1])
        assert [(row["metric"], row["of"]) for row in listed] == [(m.name, m.of) for m in METRICS.values()]
        assert all(row["shows"] for row in listed)


def test_tables_and_the_games_behind_a_row_say_their_version(run: Run, kept: str) -> None:
    assert run("build", "--jobs", "1")[0] == 0
    for words in (
        ("stats", "first_player"), ("stats", "first_player", "--games", "game=liveon"),
        ("sql", "SELECT count(*) AS n FROM games"), ("compare", "seat=first", "seat=second", "--metric", "gp_wr"),
    ):  # fmt: skip
        code, _, err = run(*words)
        assert code == 0 and f"Definition version {VERSION}." in err
        assert all(row["definition"] == VERSION for row in json.loads(run(*words, "--format", "json")[1]))
