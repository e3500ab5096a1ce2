"""A small library for the pages, the dashboard served on it, and a browser."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Error, Page, sync_playwright

from engine.rulebooks import registry
from events.game import write_game
from events.kinds import DamageDealt, Seat
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.stats.warehouse import update
from replays.store.library import Library
from replays.view.timeline import Timeline
from tests import play

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
HOSTILE = "<img src=x onerror=window.caught=1>"


@pytest.fixture(scope="session")
def library_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of twelve random games, one by players with hostile names, one cut and one altered; counted."""
    library = Library(tmp_path_factory.mktemp("dashboard") / "library")
    decks = [deck for deck in registry.load("liveon").shipped_decks() if deck.format == "standard"]
    simulate_into(library, Plan(game="liveon", decks=all_pairs(decks)[:12], count=12, seed=1), jobs=1)
    library.import_paths([io.BytesIO(made) for made in (_hostile_game(), _cut_game(), _altered_game())])
    update(library.path)
    return library.path


def _hostile_game() -> bytes:
    match = play.begin(77)
    header = match.log[0]
    seats = tuple(Seat(HOSTILE, "human", seat.deck) for seat in header.seats)  # type: ignore[attr-defined]
    rules = match.game
    begun = rules.begin(rules.header(seats, {}, 77, id="hostile", origin="played"))  # type: ignore[arg-type]
    return write_game((rules.rulebook, rules.card_sets, play.play(begun, 77)))


def _cut_game() -> bytes:
    match = play.begin(78)
    events = play.play(match, 78)
    events[0] = msgspec.structs.replace(events[0], id="cut", origin="played")  # type: ignore[call-arg]
    return write_game((match.game.rulebook, match.game.card_sets, events[:200])) + b'{"kind":"card_moved","ca'


def _altered_game() -> bytes:
    """A blow is stronger than the rules have it; sealed anew, so that only deciding again finds it."""
    match = play.begin(79)
    events = play.play(match, 79)
    events[0] = msgspec.structs.replace(events[0], id="altered", origin="played")  # type: ignore[call-arg]
    at = next(n for n, event in enumerate(events) if isinstance(event, DamageDealt))
    events[at] = msgspec.structs.replace(events[at], amount=events[at].amount + 1000)  # type: ignore[attr-defined, call-arg]
    return write_game((match.game.rulebook, match.game.card_sets, events))


@pytest.fixture(scope="session")
def timeline(library_path: Path) -> Timeline:
    """The game that most tests look at."""
    library = Library(library_path)
    entry = next(e for e in library.games(state="whole", origin="simulated") if e.records > 350)
    game = library.read(entry)
    return Timeline(game.events, game.rulebook, game.card_sets)


@pytest.fixture
def home(library_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The library as the one that the pages read."""
    monkeypatch.setenv("CARDFOLD_HOME", str(library_path))
    return library_path


@pytest.fixture(scope="session")
def server(library_path: Path) -> Iterator[str]:
    """The dashboard's address."""
    with served(library_path) as address:
        yield address


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[str]:
    """The address of a dashboard whose library has no games yet."""
    with served(tmp_path / "empty") as address:
        yield address


@contextlib.contextmanager
def served(library: Path) -> Iterator[str]:
    """The dashboard of a library in a process of its own: its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "dashboard.serve", "--library", str(library), "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    address = process.stderr.readline().split()[-1]
    assert address == f"http://127.0.0.1:{port}"
    try:
        _wait(process, address)
        yield address
    finally:
        process.terminate()
        process.wait()


def _wait(process: subprocess.Popen[str], address: str) -> None:
    for _ in range(300):
        assert process.poll() is None, "the dashboard has stopped by itself"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError("the dashboard has not come up in half a minute")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium: the system's, else Playwright's own. Without one the tests fail in CI and are skipped elsewhere."""
    with sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        except Error as problem:
            why = "No browser: install Chromium, or run `playwright install chromium`."
            if os.environ.get("CI"):
                raise AssertionError(why) from problem
            pytest.skip(why)
        yield found
        found.close()


@pytest.fixture(scope="session")
def window(browser: Browser) -> Iterator[Page]:
    """One page that goes from test to test, as a person's does."""
    page = browser.new_page(reduced_motion="reduce")
    yield page
    page.close()


@pytest.fixture
def page(window: Page) -> Iterator[Page]:
    """The page, in a window of the usual size; no script may fail in it."""
    window.set_viewport_size({"width": 1440, "height": 900})
    problems: list[str] = []

    def note(error: Error) -> None:
        problems.append(str(error))

    window.on("pageerror", note)
    yield window
    window.remove_listener("pageerror", note)
    assert problems == []


MAIN = sys.modules["__main__"]


@pytest.fixture(autouse=True)
def _main_module() -> Iterator[None]:
    """AppTest leaves the page as the main module; processes that later tests spawn would run it."""
    yield
    sys.modules["__main__"] = MAIN
