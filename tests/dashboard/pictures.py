"""The pictures of docs/PAGES.md: `python -m tests.dashboard.pictures --library FOLDER --to docs/pictures [NAME …]`.

To be looked at, one by one. Each page light in English, dark in Japanese (which needs a font that has it), and on a
phone. The library is copied first, so nothing is added to it; it has games by greedy and by random players, statistics,
and a balance lab of EMB-033:

    cardfold simulate all -n 1200 --library FOLDER
    cardfold simulate all -n 600 --players random,random --seed 7 --library FOLDER
    cardfold simulate liveon -n 3000 --players random,random --seed 8 --library FOLDER
    cardfold build --library FOLDER
    cardfold lab liveon --change EMB-033:pow=+500 -n 200 --library FOLDER

Replays are shown at steps where much is to be seen. Written with few colours, so that the files stay small.
"""

from __future__ import annotations

import argparse
import io
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from dashboard import viewer
from engine.cards.decks import deck_digest
from engine.state import State
from events import kinds as k
from events.game import GameLog
from replays.store.library import Library
from replays.store.notes import new_note, notes_name
from replays.view.timeline import Timeline
from tests.dashboard.bench_pages import SETTLED
from tests.dashboard.conftest import FLAGS
from tests.dashboard.play.conftest import shipped
from tests.dashboard.play.test_browser import Dashboard, by_keyboard, ready, version
from tests.dashboard.test_boards import many_fists, reckoned
from tests.dashboard.test_palette import tokens

PATIENCE = 180_000

LEARNT = 7
"""Steps of a guided first game that are shown to one before its picture."""

BOARD = (900, 844)
"""Height of a board: at a desk, on a phone."""


class Look(NamedTuple):
    """How a page is looked at: what its picture's name ends in, the window's width, the theme, the language, and the
    dots of a pixel.
    """

    suffix: str
    width: int
    scheme: str
    language: str
    scale: int


LOOKS = (Look("", 1440, "light", "en", 1), Look("_dark", 1440, "dark", "ja", 1), Look("_phone", 390, "light", "en", 2))


class Shown(NamedTuple):
    """A page's address, and how much of it explains it: pixels from above, at a desk and on a phone."""

    address: str
    desk: int = 900
    phone: int = 1000


DECK = deck_digest(shipped("liveon")[0][0])[:12]

QUESTION = """SELECT game, reason, count(*) AS games, round(avg(turns), 1) AS turns
FROM games GROUP BY ALL ORDER BY game, games DESC"""

PAGES = {
    "start": Shown("/", phone=1200),
    "library": Shown("/library", phone=1200),
    "cards": Shown("/cards?game=liveon", 980, 1300),
    "card": Shown("/cards?game=liveon&card=EMB-033", 1300, 1300),
    "decks": Shown("/decks?game=liveon", 1320, 1300),
    "deck": Shown(f"/decks?game=liveon&list={DECK}", 1300, 1300),
    "meta": Shown("/meta?game=monbattle", 1320, 1300),
    "meta_over_time": Shown("/meta?game=liveon&charts=time", 1600, 1300),
    "compare": Shown(
        "/compare?game=liveon&metric=gih_wr&a_player_kind=greedy&b_player_kind=random", 1240, 1300
    ),
    "statistics": Shown("/statistics?game=xcard&metric=matchups"),
    "sql": Shown(f"/sql?q={quote(QUESTION)}", 860),
    "simulate": Shown("/simulate", 640),
    "lab": Shown("/lab", 1500, 1900),
    "play": Shown("/play", 760),
    "rules": Shown("/rules?game=xcard"),
}  # fmt: skip
"""Name of its pictures -> page. Those that are none of Streamlit's, or need something done first, follow below."""


def crowded_attack(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    """An attack on a full table."""
    return isinstance(event, k.AttackSet) and event.attacker is not None and (
        state is None or sum(len(side[zone]) for side in state.zones for zone in ("a", "b")) > 12
    )


REPLAYS: dict[str, tuple[str, Callable[..., object]]] = {
    "replay": ("liveon", crowded_attack), "xcard": ("xcard", many_fists), "monbattle": ("monbattle", reckoned)
}  # fmt: skip
"""Name of its pictures -> rulebook, and the step."""


class Camera:
    """A browser on the dashboard of a copy of the library, a window for each look, and the folder for the pictures."""

    def __init__(self, browser: Browser, dashboard: Dashboard, to: Path) -> None:
        self.dashboard, self.to = dashboard, to
        self.windows = {look: _window(browser, look) for look in LOOKS}

    def window(self, look: Look, desk: int, phone: int) -> Page:
        """The window of a look, as high as is said."""
        page = self.windows[look]
        page.set_viewport_size({"width": look.width, "height": phone if look.width < 700 else desk})
        return page

    def open(self, page: Page, address: str, look: Look) -> None:
        """Opens a page of the dashboard and waits until it is drawn."""
        page.goto(f"{self.dashboard.address}{address}{'&' if '?' in address else '?'}language={look.language}")
        page.wait_for_function(SETTLED, timeout=PATIENCE)

    def keep(self, page: Page, name: str) -> None:
        """One picture, once nothing moves, in few colours: those that it has most of, and all that mean something."""
        page.mouse.move(0, 0)
        taken = page.screenshot()
        for _ in range(20):
            page.wait_for_timeout(700)
            before, taken = taken, page.screenshot()
            if before == taken:
                break
        whole = Image.open(io.BytesIO(taken)).convert("RGB")
        most = whole.quantize(200, dither=Image.Dither.NONE).getpalette() or []
        meant = [colour for theme in ("light", "dark") for colour in tokens(theme).values() if len(colour) == 7]
        colours = Image.new("P", (1, 1))
        colours.putpalette([*most[:600], *(part for colour in meant[:56] for part in bytes.fromhex(colour[1:]))])
        whole.quantize(palette=colours, dither=Image.Dither.NONE).save(self.to / f"{name}.png", optimize=True)
        print(name, flush=True)


def _window(browser: Browser, look: Look) -> Page:
    page = browser.new_context(
        viewport={"width": look.width, "height": 900}, device_scale_factor=look.scale, reduced_motion="reduce",
        color_scheme="dark" if look.scheme == "dark" else "light", locale=look.language,
    ).new_page()  # fmt: skip
    page.set_default_timeout(PATIENCE)
    return page


def main() -> None:
    """Takes the pictures that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.dashboard.pictures", description="The pictures of the docs.")
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("names", nargs="*", default=[*PAGES, *REPLAYS, *DONE], metavar="NAME")
    asked = parser.parse_args()
    asked.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        dashboard = Dashboard(Path(shutil.copytree(asked.library, Path(place) / "library")))
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        camera = Camera(browser, dashboard, asked.to)
        try:
            for name in asked.names:
                take(camera, name)
        finally:
            browser.close()
            dashboard.stop()


def take(camera: Camera, name: str) -> None:
    """All pictures of one page."""
    if name in DONE:
        DONE[name](camera, name)
    elif name in REPLAYS:
        watched(camera, name, *REPLAYS[name])
    else:
        address, desk, phone = PAGES[name]
        for look in LOOKS:
            page = camera.window(look, desk, phone)
            camera.open(page, address, look)
            camera.keep(page, name + look.suffix)


# --- pages on which something is done first -----------------------------------------------------------------


def watched(camera: Camera, name: str, key: str, fits: Callable[..., object]) -> None:
    """A replay at a step that fits, with two notes; of the first one also the menu Share and the list of notes."""
    game, step = found_in(camera.dashboard.library, key, fits)
    notes = [new_note(step - 30, "A calm beginning.", "Mika", mark="good"),
             new_note(step, "Too early: next turn it could have been two.", "coach_k", mark="doubtful")]  # fmt: skip
    camera.dashboard.library.add_notes({notes_name(game): notes})
    for look in LOOKS:
        page = camera.window(look, *BOARD)
        camera.open(page, f"/replay?game={game.header.id}&step={step}", look)
        expect(page.locator(".cf .nf").first).to_be_attached(timeout=PATIENCE)
        camera.keep(page, name + look.suffix)
        if name == "replay" and not look.suffix:
            page.locator(".cf").get_by_role("button", name="Share", exact=True).click()
            camera.keep(page, "share")
            page.keyboard.press("Escape")
            page.locator(".cf [data-tab=notes]").click()
            camera.keep(page, "notes")


def found_in(library: Library, key: str, fits: Callable[..., object]) -> tuple[GameLog, int]:
    """The first step that fits, of the library's games by greedy players."""
    for entry in library.games(origin="simulated"):
        if entry.game != key or entry.player_kinds != ("greedy", "greedy") or len(set(entry.deck_keys)) < 2:
            continue
        game = library.read(entry)
        timeline = viewer.timeline_of(game)
        for step, event in enumerate(timeline.events[: timeline.steps]):
            if step > 60 and fits(timeline, None, event) and fits(timeline, timeline.state(step), event):
                return game, step
    raise SystemExit(f"No game of {key} in the library has a step for its picture.")


def played(camera: Camera, name: str) -> None:
    """A game against the computer, after some decisions, with a card held."""
    link = camera.dashboard.link(camera.dashboard.begin("liveon", ("human", "greedy"), {"first": 0}), "0")
    address, _, secret = link.partition("#")
    for look in LOOKS:
        page = camera.window(look, *BOARD)
        page.goto(f"{address}?language={look.language}#{secret}")
        count = 0
        while ready(page) and (page.locator(".can").count() < 2 or (count < 9 and not look.suffix)):
            by_keyboard(page, count)
            count += 1
        page.locator(".can").first.click()
        camera.keep(page, name + look.suffix)


def taught(camera: Camera, name: str) -> None:
    """A guided first game, after some steps."""
    for look in LOOKS:
        page = camera.window(look, *BOARD)
        camera.open(page, "/play", look)
        page.locator(".st-key-lesson_liveon button").click()
        expect(page.locator(".cf .guide")).to_be_visible(timeout=PATIENCE)
        for _ in range(LEARNT):
            now = version(page)
            page.locator(".cf .guide button").click()
            ready(page, now)
        camera.keep(page, name + look.suffix)


def worked(camera: Camera, name: str) -> None:
    """Work in the background: some that is over, and some that goes on."""
    page = camera.window(LOOKS[0], *BOARD)
    for count, each, comes in ((6, 1, "6 new games are in the library"), (8_900, 100, " of 8,900")):
        camera.open(page, "/simulate", LOOKS[0])
        page.get_by_label("Games", exact=True).fill(str(count))
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"each in about {each} of the games")).to_be_visible(timeout=PATIENCE)
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.get_by_text(comes).first).to_be_visible(timeout=PATIENCE)
    for look in LOOKS:
        page = camera.window(look, 600, 800)
        camera.open(page, "/jobs", look)
        camera.keep(page, name + look.suffix)


DONE: dict[str, Callable[[Camera, str], None]] = {"table": played, "first_steps": taught, "jobs": worked}


if __name__ == "__main__":
    main()
