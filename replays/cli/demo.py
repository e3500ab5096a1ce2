"""The command demo, the main job: games by computer players, kept, counted and shown while more are being played."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from engine.rulebooks import registry
from replays.cli.dashboard import start_server, wait_for
from replays.cli.options import JobsOption, LibraryOption
from replays.cli.output import progress_bar, say
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.store.library import Library, default_path

FIRST = 200
"""Games after which the dashboard is opened."""

BATCH = 400
"""Games that are then played before they are added and counted."""

SEARCHED = 1
"""Games of each game in such a batch that SEARCHER plays, which takes 20 to 170 times as long as greedy. None of the
first games is one.
"""

SEARCHER = "search:8"


def demo_command(
    n: Annotated[int, typer.Option("-n", min=1, help="Games in all.")] = 3000,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    port: Annotated[int, typer.Option(help="Port of the dashboard.")] = 8501,
    jobs: JobsOption = None,
    library: LibraryOption = None,
) -> None:
    """Plays games by computer players, keeps them, and shows them in the dashboard."""
    with progress_bar("Playing") as progress:
        play_and_serve(library or default_path(), n, port, not no_browser, jobs, progress)


def play_and_serve(
    path: Path, count: int, port: int, browser: bool, jobs: int | None, progress: Callable[[int, int], None]
) -> None:
    """Plays `count` games in all (those already there are not played again) and serves the dashboard until stopped."""
    library = Library(path)
    say(f"The library is {library.path}.")
    done = _play(library, 0, min(FIRST, count), count, jobs, progress)
    _build(library, jobs)
    server = start_server(library.path, port)
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(server, port)
        say(f"The dashboard is open at {address}. Ctrl+C stops it.")
        if browser:
            webbrowser.open(address)
        while done < count and server.poll() is None:
            done = _play(library, done, min(done + BATCH, count), count, jobs, progress)
            _build(library, jobs)
        if server.poll() is None:
            say(f"All {count} games are played and counted; the dashboard stays open. Ctrl+C stops it.")
        server.wait()
    finally:
        server.terminate()
        server.wait()


def _play(
    library: Library, begin: int, end: int, of: int, jobs: int | None, progress: Callable[[int, int], None]
) -> int:
    """Games `begin` to `end` of the demonstration, the games in turn; a batch that is there is not played again."""
    per_game = -(-(end - begin) // len(registry.GAMES))
    played = {(entry.game, tag) for entry in library.games(origin="simulated") for tag in entry.tags}
    at = begin
    for key in registry.GAMES:
        wanted = min(per_game, end - at)
        searched = min(SEARCHED if begin else 0, wanted)
        for player, count in (("greedy", wanted - searched), (SEARCHER, searched)):
            tag = f"demo {begin}-{end} {key} {player}"
            if count and (key, tag) not in played:
                decks = all_pairs(registry.load(key).shipped_decks())
                plan = Plan(game=key, decks=decks, count=count, player_kinds=(player, player), seed=begin, tags=(tag,))
                simulate_into(library, plan, jobs=jobs, progress=_from(at, of, progress))
            at += count
            progress(at, of)
    return end


def _from(at: int, of: int, progress: Callable[[int, int], None]) -> Callable[[int, int], None]:
    return lambda played, _: progress(at + played, of)


def _build(library: Library, jobs: int | None) -> None:
    from replays.stats.warehouse import update  # slow to import

    update(library.path, jobs or os.cpu_count() or 1)
