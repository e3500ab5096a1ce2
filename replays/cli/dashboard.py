"""Runs the dashboard in a separate process, for viewing or exporting, so that no command has to import it."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from replays.cli.output import say

STARTING = 60.0
"""Seconds that the dashboard may take to come up."""


def start_server(path: Path, port: int, watched: Path | None = None, host: str = "") -> subprocess.Popen[bytes]:
    """The dashboard on this library, or on this one file, in a process of its own; `host`: see `serve`."""
    command = [sys.executable, "-m", "dashboard.serve", "--library", str(path), "--port", str(port)]
    command += ["--watch", str(watched)] if watched is not None else []
    return subprocess.Popen([*command, *(["--host", host] if host else [])])


def run_dashboard(path: Path, port: int, host: str = "") -> int:
    """Runs the dashboard until it is stopped; gives its exit code.

    `host`: this machine's address in one's own network, at which others can open games that are played.
    """
    server = start_server(path, port, host=host)
    try:
        return server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return 130


def wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    """Waits until the dashboard answers, or has stopped."""
    import urllib.error  # slow to import
    import urllib.request

    until = time.monotonic() + STARTING
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def watch_game(
    library: Path, game: str, file: Path | None, port: int, browser: bool
) -> int:
    """Opens the viewer on a game of the library, or on one of a file, and serves it until stopped; gives the exit code.

    `game` is its id, or with a `file` its number in it, from 1.
    """
    server = start_server(library, port, file)
    try:
        wait_for(server, port)
        page = "" if file is not None else "replay"
        address = f"http://127.0.0.1:{port}/{page}?{urlencode({'game': game})}"
        if server.poll() is None:
            say(f"The replay is open at {address}. Ctrl+C stops it.")
            if browser:
                webbrowser.open(address)
        return server.wait()
    except KeyboardInterrupt:
        return 130
    finally:
        server.terminate()
        server.wait()


def export_html(
    library: Path, game: str, to: Path, seat: int | None, language: str, wishes: Sequence[str]
) -> int:
    """Writes the game of this id as an HTML file, with further options of `dashboard.export`; gives the exit code."""
    command = [sys.executable, "-m", "dashboard.export", "--library", str(library), "--language", language, *wishes]
    command += ["--seat", str(seat)] if seat is not None else []
    return subprocess.run([*command, "--", game, str(to)], check=False).returncode
