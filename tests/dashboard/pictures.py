"""Pictures for the docs: `python -m tests.dashboard.pictures FOLDER [LIBRARY]`. To be looked at, one by one.

Golden games at steps where much is to be seen, in the page as `cardfold watch` opens it: light, dark in Japanese (which
needs a font that has it), and on a phone; of Live On also the share menu, the notes and a game that is played. With a
library that has games by greedy and random players, counted: Start, the Library and the pages of statistics. Written
with few colours, so that they stay small.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from engine.state import State
from events import kinds as k
from events.open import read_games
from replays.store.notes import add_notes, beside, new_note, notes_name
from replays.view.timeline import Timeline
from tests.dashboard.conftest import FLAGS
from tests.dashboard.play.test_browser import Dashboard, by_keyboard, ready
from tests.dashboard.test_boards import many_fists, moment, reckoned
from tests.dashboard.test_palette import tokens
from tests.dashboard.test_statistics_browser import opened
from tests.golden.make import FOLDER


def crowded_attack(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    """An attack on a full table."""
    return isinstance(event, k.AttackSet) and event.attacker is not None and (
        state is None or sum(len(side[zone]) for side in state.zones for zone in ("a", "b")) > 12
    )


GAMES: dict[str, tuple[str, Callable[..., object]]] = {
    "liveon": ("replay", crowded_attack), "xcard": ("xcard", many_fists), "monbattle": ("monbattle", reckoned)
}  # fmt: skip
"""Rulebook -> name of its pictures, and the step."""


def main() -> None:
    """Writes the pictures into the folder that is named."""
    folder = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for key, (name, fits) in GAMES.items():
            _watched(browser, Path(place), folder, key, name, fits)
        _played(browser, Path(place) / "library", folder)
        if len(sys.argv) > 2:
            _pages(browser, Path(sys.argv[2]), folder)
        browser.close()


PAGES = {
    "start": ("/?", "light", "en", 1440, 900),
    "start_dark": ("/?", "dark", "ja", 1280, 900),
    "start_phone": ("/?", "light", "en", 390, 1200),
    "library": ("/library?game=xcard", "light", "en", 1440, 900),
    "library_dark": ("/library?", "dark", "ja", 1280, 900),
    "library_phone": ("/library?", "light", "en", 390, 1200),
    "cards": ("/cards?game=liveon", "light", "en", 1440, 980),
    "card": ("/cards?game=liveon&card=EMB-033", "dark", "ja", 1440, 1300),
    "decks": ("/decks?game=liveon&player_kind=random", "dark", "en", 1440, 1320),
    "meta": ("/meta?game=monbattle", "light", "en", 1440, 1320),
    "compare": (
        "/compare?game=liveon&metric=gih_wr&a_player_kind=greedy&b_player_kind=random", "light", "en", 1440, 1240,
    ),
    "cards_phone": ("/cards?game=liveon", "light", "en", 390, 1300),
}
"""Name of a picture of a page -> its address, theme, language and size."""


def _pages(browser: Browser, library: Path, folder: Path) -> None:
    dashboard = Dashboard(library)
    try:
        for name, (address, scheme, language, width, height) in PAGES.items():
            context = browser.new_context(
                viewport={"width": width, "height": height}, reduced_motion="reduce",
                color_scheme="dark" if scheme == "dark" else "light",
            )  # fmt: skip
            page = context.new_page()
            opened(page, f"{dashboard.address}{address}&language={language}")
            page.wait_for_timeout(2000)
            _keep(page, folder / f"{name}.png")
            context.close()
    finally:
        dashboard.stop()


def _played(browser: Browser, library: Path, folder: Path) -> None:
    """A game against the computer, after some decisions, light and in a window of the usual size."""
    dashboard = Dashboard(library)
    try:
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        page.goto(dashboard.link(dashboard.begin("liveon", ("human", "greedy"), {"first": 0}), "0"))
        for count in range(60):
            if not ready(page) or (page.locator(".can").count() > 2 and count > 8):
                break
            by_keyboard(page, count)
        page.locator(".can").first.click()
        _keep(page, folder / "play.png")
        page.close()
    finally:
        dashboard.stop()


def _watched(
    browser: Browser, place: Path, folder: Path, key: str, name: str, fits: Callable[..., object]
) -> None:
    at = moment(key, fits)
    file = Path(shutil.copy(FOLDER / f"{key}.jsonl", place))
    games = list(read_games(file))
    number = next(n for n, game in enumerate(games, 1) if game.header.id == at.game.header.id)
    notes = [new_note(at.step - 30, "A calm beginning.", "Mika", mark="good"),
             new_note(at.step, "Too early: next turn it could have been two.", "coach_k", mark="doubtful")]  # fmt: skip
    add_notes(beside(file), {notes_name(games[number - 1]): notes})
    command = [sys.executable, "-m", "replays.cli.main", "watch", str(file), "--game", str(number), "--no-browser"]
    process = subprocess.Popen([*command, "--library", str(place / "none")], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        found = re.search(r"(http://127\.0\.0\.1:\d+)/", process.stderr.readline())
        assert found is not None
        address = f"{found[1]}/?game={number}&step={at.step}"
        for scheme, language, file_name in (("light", "en", f"{name}.png"), ("dark", "ja", f"{name}_dark.png")):
            page = _opened(browser, f"{address}&language={language}", 1440, 900, scheme)
            _keep(page, folder / file_name)
            if key == "liveon" and scheme == "light":
                page.locator(".cf").get_by_role("button", name="Share", exact=True).click()
                _keep(page, folder / "share.png")
                page.keyboard.press("Escape")
                page.locator(".cf [data-tab=notes]").click()
                _keep(page, folder / "notes.png")
            page.context.close()
        page = _opened(browser, address, 390, 844, "light", scale=2)
        _keep(page, folder / f"{key}_phone.png")
        page.context.close()
    finally:
        process.terminate()
        process.wait(30)


def _opened(browser: Browser, address: str, width: int, height: int, scheme: str, scale: int = 1) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, reduced_motion="reduce",
        color_scheme="dark" if scheme == "dark" else "light",
    )  # fmt: skip
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".cf .app")).to_be_visible(timeout=30_000)
    expect(page.locator(".cf .nf").first).to_be_attached()
    page.wait_for_timeout(600)
    return page


def _keep(page: Page, file: Path) -> None:
    """One picture, in few colours: those that it has most of, and all that mean something."""
    whole = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    most = whole.quantize(200, dither=Image.Dither.NONE).getpalette() or []
    meant = [colour for theme in ("light", "dark") for colour in tokens(theme).values() if len(colour) == 7]
    colours = Image.new("P", (1, 1))
    colours.putpalette([*most[:600], *(part for colour in meant[:56] for part in bytes.fromhex(colour[1:]))])
    whole.quantize(palette=colours, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main()
