"""The command demo: what it plays, and that a second time it goes on with what is there."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from engine.rulebooks import registry
from replays.cli import demo
from replays.stats.warehouse import open_warehouse
from replays.store.library import Library


class Served:
    """A dashboard that opens at once and is stopped when all games are there."""

    def __init__(self, path: Path, port: int) -> None:
        self.begun_with = len(Library(path).games())
        servers.append(self)

    def poll(self) -> None:
        return None

    def wait(self) -> None:
        pass

    terminate = wait


servers: list[Served] = []


def test_a_demo_opens_after_the_first_games_and_a_second_one_plays_none_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers.clear()
    for name, value in (("start_server", Served), ("wait_for", lambda server, port: None)):
        monkeypatch.setattr(demo, name, value)
    for name, number in (("FIRST", 6), ("BATCH", 9), ("SEARCHER", "search:1")):
        monkeypatch.setattr(demo, name, number)
    for _ in range(2):
        demo.play_and_serve(tmp_path / "library", 15, 0, False, 1, lambda done, of: None)
    first, second = servers
    assert (first.begun_with, second.begun_with) == (6, 15)
    library = Library(tmp_path / "library")
    played = Counter((entry.game, entry.player_kinds[0]) for entry in library.games())
    assert played == {(game, kind): n for game in registry.GAMES for kind, n in (("greedy", 4), ("search:1", 1))}
    counted, _ = open_warehouse(library.path).ask("SELECT count(*) AS n FROM games")
    assert counted.column("n").to_pylist() == [15]
