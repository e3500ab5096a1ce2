"""Playing as people do: whole games by keyboard, two browsers, one screen, over reloads and a restart of the server."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.play.hosting import Host
from dashboard.play.routes import LIVE_PATH
from dashboard.play.tokens import Tokens
from engine.rulebooks import registry
from events.actions import Move
from events.game import GameLog
from replays.play import session
from replays.play.live_game import LiveGame
from replays.store.library import Library
from replays.view.verify import verify
from tests.dashboard.conftest import _wait
from tests.dashboard.play.conftest import Options, shipped, short, until

READY = """(version) => {
  const play = document.querySelector(".cf").play;
  return play?.told && !play.sent && play.told.version !== version && (play.told.question || play.told.over);
}"""


class Dashboard:
    """The dashboard as a process of its own, to be stopped and started."""

    def __init__(self, library: Path) -> None:
        self.library = Library(library)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "dashboard.serve", "--library", str(self.library.path)]
        self.process = subprocess.Popen([*command, "--port", str(self.port)], stderr=subprocess.PIPE, text=True)
        _wait(self.process, self.address)

    def stop(self) -> None:
        self.process.kill()  # what is decided is in the log, however it ends
        self.process.wait()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin(self, key: str, player_kinds: tuple[str, str], options: Options) -> str:
        """A game that was begun and left, the same each time: the dashboard takes it up when its link is opened."""
        rules, (decks, given) = registry.load(key), shipped(key)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("replays.play.session.secrets.randbits", Random(11).getrandbits)
            match, writer = session.start(self.library, rules, player_kinds, decks, {**given, **options}, ("Ann", "Bo"))
        live = LiveGame(match, writer)
        writer.close()
        return live.name

    def link(self, game: str, place: str) -> str:
        """The link of a place."""
        return f"{self.address}{LIVE_PATH}#{game}/{place}/{Tokens(self.library.path).token(game, place)}"

    def kept(self, game: str) -> GameLog:
        """The game out of the library, as soon as it is there."""
        until(lambda: not self.library.live(game).exists())
        return self.library.open(game)


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    """A dashboard on a library of its own."""
    found = Dashboard(tmp_path_factory.mktemp("play") / "library")
    yield found
    found.stop()


@pytest.fixture
def tab(browser: Browser, dashboard: Dashboard) -> Iterator[Page]:
    """A browser of one's own; it asks nobody but the dashboard, and no script fails in it."""
    yield from _tab(browser, dashboard)


@pytest.fixture
def second(browser: Browser, dashboard: Dashboard) -> Iterator[Page]:
    """The browser of somebody else."""
    yield from _tab(browser, dashboard)


def _tab(browser: Browser, dashboard: Dashboard) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    own = (dashboard.address, f"blob:{dashboard.address}", "data:")
    page.on("request", lambda asked: asked.url.startswith(own) or problems.append(asked.url))
    yield page
    context.close()
    assert problems == []


def version(page: Page) -> str:
    """Of the position that is shown."""
    return str(page.evaluate("document.querySelector('.cf').play.told?.version ?? ''"))


def ready(page: Page, than: str = "") -> bool:
    """Waits until one is asked at another position; whether the game goes on."""
    page.wait_for_function(READY, arg=than, timeout=20000)
    return not page.evaluate("document.querySelector('.cf').play.told.over")


def by_keyboard(page: Page, count: int) -> None:
    """One decision by keys alone: the next thing that may be chosen, each third time the way out."""
    now = version(page)
    choices = page.evaluate("document.querySelector('.cf').play.told.question.choices")
    if count % 3 == 2 and any(choice["passes"] for choice in choices):
        page.keyboard.press("p")
    else:
        for _ in range(1 + count % 2):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        if page.locator(".doing").count():
            page.keyboard.press("Enter")
    page.wait_for_function("(v) => document.querySelector('.cf').play.told?.version !== v", arg=now, timeout=20000)


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_whole_game_is_played_by_keyboard_over_a_reload_and_a_restart(
    dashboard: Dashboard, tab: Page, key: str
) -> None:
    game = dashboard.begin(key, ("human", "random"), short(key))
    tab.goto(dashboard.link(game, "0"))
    count = 0
    while ready(tab):
        by_keyboard(tab, count)
        count += 1
        if count == 3 and ready(tab):
            steps = "document.querySelector('.cf').viewer.data.steps"
            before = tab.evaluate(steps), tab.locator(".aq b").inner_text()
            tab.reload()
            ready(tab)
            assert (tab.evaluate(steps), tab.locator(".aq b").inner_text()) == before
        if count == 5 and key == "liveon":
            dashboard.stop()
            dashboard.start()
        assert count < 120
    kept = dashboard.kept(game)
    assert count > 6 and kept.sealed and verify(kept).verdict == "verified"
    assert tab.locator(".dock").is_visible()  # one can look back over the whole game at once
    replay = tab.get_by_role("link", name="Open the replay")
    assert replay.get_attribute("href") == f"/replay?game={kept.header.id}"
    if key == "liveon":
        replay.click()
        tab.locator(".badge.verified").wait_for(timeout=20000)


def test_two_browsers_play_by_their_links_and_one_concedes(dashboard: Dashboard, tab: Page, second: Page) -> None:
    """By mouse: what is lit on the board, or a button. Each sees its own cards, and what the other one does."""
    game = dashboard.begin("liveon", ("human", "human"), {})
    pages = [tab, second]
    for place, page in enumerate(pages):
        page.goto(dashboard.link(game, str(place)))
    decided = set()
    for count in range(8):
        seat = until(lambda: [n for n, page in enumerate(pages) if _asked(page)])[0]
        page, now = pages[seat], version(pages[seat])
        spots = page.locator(".can, .answers button")
        spots.nth(count % spots.count()).click()
        if page.locator(".doing").count():
            page.locator(".doing button").first.click()
        page.wait_for_function("(v) => document.querySelector('.cf').play.told.version !== v", arg=now, timeout=20000)
        decided.add(seat)
    assert decided == {0, 1}
    views = [page.evaluate("document.querySelector('.cf').viewer.data.game.view") for page in pages]
    assert views == [0, 1]
    seat = until(lambda: [n for n, page in enumerate(pages) if _asked(page)])[0]
    waits = pages[1 - seat]
    waits.get_by_role("button", name="Concede").click()
    waits.get_by_role("dialog").get_by_role("button", name="Concede").click()
    expect(waits.locator(".aq")).to_contain_text("You have conceded")
    expect(waits.get_by_role("button", name="Concede")).to_be_disabled()
    expect(pages[seat].locator(".aq .given")).to_contain_text("concedes: the game ends at the next question")
    for count in range(60):
        if not ready(pages[seat]):
            break
        by_keyboard(pages[seat], count)
    for page in pages:
        page.wait_for_function("() => document.querySelector('.cf').play.told.over", timeout=20000)
        assert ("Bo wins" if seat else "Ann wins") in page.locator(".aq").inner_text()
    assert dashboard.kept(game).sealed


def _asked(page: Page) -> bool:
    return bool(page.evaluate("Boolean(document.querySelector('.cf')?.play?.told?.question)"))


def test_at_one_screen_the_curtain_falls_and_shows_nothing_until_it_is_lifted(dashboard: Dashboard, tab: Page) -> None:
    game = dashboard.begin("monbattle", ("human", "human"), {})
    tab.goto(dashboard.link(game, "screen"))
    players = []
    for count in range(6):
        tab.locator(".cover, .ask[data-for]").first.wait_for()
        if tab.locator(".cover").count():
            assert tab.locator(".board, .card, .log").count() == 0
            players.append(tab.locator("h1").inner_text())
            tab.keyboard.press("Enter")
        ready(tab)
        by_keyboard(tab, count)
    assert set(players) == {"Ann is to decide", "Bo is to decide"}


def test_a_card_that_is_pale_says_why_and_one_can_look_back(dashboard: Dashboard, tab: Page) -> None:
    game = dashboard.begin("liveon", ("human", "human"), {"first": 0})
    for place in "01":  # both choose their first fighters
        tab.goto("about:blank")
        tab.goto(dashboard.link(game, place))
        ready(tab)
        by_keyboard(tab, 0)
    tab.goto("about:blank")
    tab.goto(dashboard.link(game, "0"))
    while not tab.locator(".cannot").count():
        ready(tab)
        by_keyboard(tab, 2)
    tab.locator(".cannot").first.hover()
    assert "cannot be played now" in tab.locator(".hint").inner_text() and "LO-" in tab.locator(".hint").inner_text()
    tab.keyboard.press("l")
    assert tab.locator(".dock").is_visible() and not tab.locator(".can").count()
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("l")
    assert not tab.locator(".dock").is_visible()


def before_a_move(dashboard: Dashboard) -> tuple[str, int, int]:
    """A game of two persons, at a question at which a card can be moved and that be taken back: its name, the seat that
    is asked, and what that seat calls the card."""
    rules, (decks, options) = registry.load("liveon"), shipped("liveon")
    match, writer = session.start(dashboard.library, rules, ("human", "human"), decks, options)
    live = LiveGame(match, writer)
    random = Random(4)
    with writer:
        while (seat := live.asked) is not None:
            for move in live.match.legal():
                if isinstance(move, Move):
                    live.act(move)
                    if live.may_take_back(seat):
                        live.take_back(seat)
                        return live.name, seat, live.seats[seat].view.number(move.card)
                    break
            else:
                live.act(random.choice(live.match.legal()))
    raise AssertionError("no card could be moved")


def test_a_step_is_taken_back_by_a_key(dashboard: Dashboard, tab: Page) -> None:
    game, seat, card = before_a_move(dashboard)
    tab.goto(dashboard.link(game, str(seat)))
    ready(tab)
    steps = "document.querySelector('.cf').viewer.data.steps"
    before, first = tab.evaluate(steps), version(tab)
    assert tab.get_by_role("button", name="Take back").is_disabled()
    tab.locator(f'.board .can[data-card="{card}"]').focus()
    tab.keyboard.press("Enter")
    tab.keyboard.press("Enter")
    ready(tab, first)
    moved = version(tab)
    assert tab.evaluate(steps) > before and tab.get_by_role("button", name="Take back").is_enabled()
    tab.keyboard.press("u")
    assert ready(tab, moved) and tab.evaluate(steps) == before
    assert tab.get_by_role("button", name="Take back").is_disabled()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_playing_can_be_done_by_all(browser: Browser, dashboard: Dashboard, scheme: Any, width: int) -> None:
    """As axe-core sees it: the question, the actions of a card, the help, the curtain."""
    serious = pytest.importorskip("tests.dashboard.test_reading").serious
    viewport: Any = {"width": width, "height": 900}
    context = browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    for key in list(registry.GAMES)[: 3 if scheme == "light" else 1]:
        game = dashboard.begin(key, ("human", "random"), {"first": 0} if key == "liveon" else {})
        page.goto("about:blank")
        page.goto(dashboard.link(game, "0"))
        for count in range(3):
            ready(page)
            by_keyboard(page, count)
        ready(page)
        assert serious(page) == [], key
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        assert serious(page) == [], f"{key}: actions"
    page.keyboard.press("Escape")
    ready(page)
    page.keyboard.press("?")
    assert serious(page) == [], "help"
    page.goto("about:blank")
    page.goto(dashboard.link(dashboard.begin("xcard", ("human", "human"), {}), "screen"))
    page.locator(".cover").wait_for()
    assert serious(page) == [], "curtain"
    context.close()


def test_a_link_that_leads_nowhere_says_so(dashboard: Dashboard, tab: Page) -> None:
    game = dashboard.begin("liveon", ("human", "random"), {})
    for link in (dashboard.link(game, "0")[:-1], f"{dashboard.address}{LIVE_PATH}", dashboard.link("0" * 16, "0")):
        tab.goto("about:blank")
        tab.goto(link)
        tab.wait_for_selector(".cover .sheet")
        assert tab.locator(".sheet").inner_text().endswith(".")


def test_a_game_is_begun_on_the_page_and_goes_on_in_another_language(dashboard: Dashboard, tab: Page) -> None:
    tab.goto(f"{dashboard.address}/play")
    tab.get_by_role("textbox", name="Your name").fill("Ada <b>")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Start the game").click()
    tab.wait_for_url(f"**{LIVE_PATH}**", timeout=20000)
    ready(tab)
    assert tab.locator(".pn", has_text="Ada <b>").count() == 1
    tab.locator("select.lng").select_option("ja")
    tab.wait_for_function("() => document.documentElement.lang === 'ja'")
    assert tab.get_by_role("button", name="投了する").count() == 1
    tab.reload()
    ready(tab)
    assert tab.get_by_role("button", name="投了する").count() == 1
    tab.goto(f"{dashboard.address}/play")
    tab.get_by_role("link", name="To the table").first.wait_for()


def test_a_lesson_is_shown_or_done_by_oneself(dashboard: Dashboard, tab: Page) -> None:
    """What the lesson takes is marked; another choice is refused in a sentence; and it can be shown to one."""
    host = Host(dashboard.library)
    game = host.teach("liveon", "Ann")
    host.game(game).live.writer.close()
    tab.goto(dashboard.link(game, "0"))
    for number in range(4):
        assert ready(tab)
        now = version(tab)
        expect(tab.locator(".guide")).to_contain_text(f"Step {number + 1} of 13")
        expect(tab.locator(".wish").first).to_be_visible()
        if number == 1:
            tab.locator(".can:not(.wish)").first.click()
            if tab.locator(".doing").count():
                tab.locator(".doing button").first.click()
            expect(tab.locator(".cf")).to_contain_text("the lesson goes another way")
            assert ready(tab) and version(tab) == now
        if number % 2:
            tab.locator(".guide button").click()
        else:
            tab.locator(".wish").first.click()
            if tab.locator(".doing").count():
                tab.locator(".doing button").first.click()
        tab.wait_for_function("(v) => document.querySelector('.cf').play.told?.version !== v", arg=now, timeout=20000)
