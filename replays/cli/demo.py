"""The main job: games by computer players, kept, counted and shown while more are being played."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Callable
from pathlib import Path

from engine.rulebooks import registry
from replays.play.simulate import Plan, all_pairs, shipped_decks, simulate_into
from replays.stats.warehouse import update
from replays.store.library import Library

FIRST = 200
"""Games after which the dashboard is opened."""

BATCH = 400
"""Games that are then played before they are added and counted."""

STARTING = 60.0
"""Seconds that the dashboard may take to come up."""


def demo(
    path: Path, count: int, port: int, browser: bool, jobs: int | None, progress: Callable[[int, int], None],
    say: Callable[[str], object],
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
    name = f"demo {begin}-{end}"
    per_game = -(-(end - begin) // len(registry.GAMES))
    at = begin
    for key in registry.GAMES:
        wanted = min(per_game, end - at)
        if wanted < 1:
            break
        if not any(e.game == key for e in library.games(origin="simulated", tag=f"{name} {key}")):
            game = registry.load(key)
            plan = Plan(
                game=key,
                decks=all_pairs(shipped_decks(game)),
                count=wanted,
                player_kinds=("greedy", "greedy"),
                seed=begin,
                tags=(f"{name} {key}",),
            )
            simulate_into(library, plan, jobs=jobs, progress=_from(at, of, progress))
        at += wanted
        progress(at, of)
    return end


def _from(at: int, of: int, progress: Callable[[int, int], None]) -> Callable[[int, int], None]:
    return lambda played, _: progress(at + played, of)


def _build(library: Library, jobs: int | None) -> None:
    update(library.path, jobs or os.cpu_count() or 1)


def start_server(path: Path, port: int, watched: Path | None = None) -> subprocess.Popen[bytes]:
    """The dashboard on this library, or on this one file, in a process of its own."""
    command = [sys.executable, "-m", "dashboard.serve", "--library", str(path), "--port", str(port)]
    return subprocess.Popen([*command, *(["--watch", str(watched)] if watched is not None else [])])


def serve(path: Path, port: int) -> int:
    """Runs the dashboard until it is stopped; gives its exit code."""
    server = start_server(path, port)
    try:
        return server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return 130


def wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    """Waits until the dashboard answers, or has stopped."""
    until = time.monotonic() + STARTING
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
