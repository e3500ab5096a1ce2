"""Many people at once: `python -m tests.dashboard.crowd` sends ten browsers over the dashboard for a minute.

They read pages and change what these show, play, upload and simulate, each by chance and all at the same time. Then it
is looked whether anybody saw an error, whether a browser asked anyone but the dashboard, and whether anything was lost:
each decision that was answered is in its log, each file that was sent and each simulation that was begun is in the
library.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from msgspec import Struct
from playwright.async_api import Browser, ConsoleMessage, Error, Locator, Page, Request, Response, async_playwright

from dashboard import words
from dashboard.background.jobs import OVER, Jobs
from dashboard.background.kinds import Simulation
from engine.rulebooks import registry
from events.game import GameLog, write_game
from events.kinds import Acted
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.stats.warehouse import update
from replays.store.library import Library, LibraryError
from tests.dashboard.conftest import FLAGS
from tests.dashboard.play.conftest import until
from tests.dashboard.play.test_browser import Dashboard
from tests.events import highcard

MENU = "[data-testid=stSidebarNav] a"
WIDGETS = {
    "a choice": "[data-testid=stMain] [data-testid=stSelectbox] input",
    "a part": "[data-testid=stMain] [data-testid=stButtonGroup] button",
    "a fold": "[data-testid=stMain] [data-testid=stExpander] summary",
    "a switch": "[data-testid=stMain] [data-testid=stCheckbox] label",
}
"""What a reader touches besides the menu; all of it changes what is shown and nothing else."""


class Tally(Struct):
    """What the crowd has done, and what was wrong."""

    actions: int = 0
    decisions: int = 0
    uploads: int = 0
    simulations: int = 0
    problems: list[str] = []

    def __str__(self) -> str:
        return (
            f"{self.actions} actions, {self.decisions} decisions in games, {self.uploads} uploads, "
            f"{self.simulations} simulations; {len(self.problems)} problems"
        )


class Person:
    """Someone with a browser of their own. `decided` counts the decisions that the server has taken, by game."""

    def __init__(self, number: int, page: Page, dashboard: Dashboard, tally: Tally) -> None:
        self.number = number
        self.page = page
        self.dashboard = dashboard
        self.tally = tally
        self.random = Random(number)
        self.decided: dict[str, int] = {}
        self.sent: list[str] = []
        self.simulated = 0
        page.on("pageerror", lambda error: self.wrong(f"a script failed: {error}"))
        page.on("request", self._asked)
        page.on("response", self._answered)
        page.on("console", self._console)

    def wrong(self, what: str) -> None:
        """Notes a problem."""
        self.tally.problems.append(f"person {self.number} at {self.page.url}: {what}")

    def _asked(self, request: Request) -> None:
        own = (self.dashboard.address, f"ws://127.0.0.1:{self.dashboard.port}", "data:", "blob:")
        if not request.url.startswith(own):
            self.wrong(f"asked {request.url}")

    def _answered(self, response: Response) -> None:
        if response.status >= 500:
            self.wrong(f"{response.url} was answered by {response.status}")
        if response.url.partition("?")[0].endswith("/live/act") and response.status == 200:
            game = self.page.url.partition("#")[2].partition("/")[0]
            self.decided[game] = self.decided.get(game, 0) + 1

    def _console(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.wrong(message.text)

    async def open(self, path: str = "") -> None:
        """Opens a page, as one does by its address."""
        await self.page.goto(f"{self.dashboard.address}/{path}", timeout=90_000)
        await self.page.locator("h1, .cf .app").first.wait_for(timeout=90_000)

    async def look(self) -> None:
        """Whether there is an error to be seen."""
        for what in ("stException", "stAlertContentError"):
            found = self.page.locator(f"[data-testid={what}]")
            if await found.count():
                self.wrong(f"an error is shown: {(await found.first.inner_text())[:200]}")

    async def read(self) -> None:
        """Goes to a page of the menu, or touches something on this one."""
        if "/replay" in self.page.url or self.random.random() < 0.35:
            if self.random.random() < 0.2:
                await self.open(address_of(self.random.choice(("replay", "cards", "rules", "library"))))
                return
            if not await self._click(self.page.locator(MENU)):
                await self.open("cards")
            return
        if await self._click(self.page.locator(WIDGETS[self.random.choice(list(WIDGETS))])):
            await self._click(self.page.get_by_role("option"))

    async def _click(self, places: Locator) -> bool:
        """Clicks one of these by chance; whether there is one."""
        count = await places.count()
        if count:
            await places.nth(self.random.randrange(count)).click(timeout=5_000)
        return count > 0

    async def play(self) -> None:
        """Begins a game, or takes the next decision by chance."""
        if "/live/" not in self.page.url:
            await self.open("play")
            key = self.random.choice(list(registry.GAMES))
            await self.page.locator(f".st-key-lesson_{key} button").click(timeout=60_000)
            await self.page.wait_for_url("**/live/**", timeout=60_000)
        told = await self.page.evaluate(TELL)
        if told == "over":
            await self.open("play")
        elif told:
            await self.page.evaluate(CHOOSE, self.random.random())

    async def upload(self) -> None:
        """Sends a file of one game that nobody has."""
        if len(self.sent) >= 3:
            return await self.read()
        name = f"crowd{self.number}n{len(self.sent)}"
        log = write_game((*highcard.SHARED, highcard.game(1000 * self.number + len(self.sent), id=name)))
        await self.open(address_of("library"))
        if not await self.page.locator("input[type=file]").first.is_visible():
            await self.page.locator("summary").filter(has_text="Add files").first.click(timeout=30_000)
        file = {"name": f"{name}.jsonl", "mimeType": "application/json", "buffer": log}
        await self.page.locator("input[type=file]").first.set_input_files(file, timeout=30_000)
        end = time.monotonic() + 60
        while not _is_there(self.dashboard.library, name):
            if time.monotonic() > end:
                return self.wrong(f"the file {name} that was sent has not come in for a minute")
            await self.page.wait_for_timeout(500)
        self.sent.append(name)
        return None

    async def simulate(self) -> None:
        """Begins a small simulation, once."""
        if self.simulated:
            return await self.read()
        await self.open("simulate")
        count = self.page.get_by_label("Games", exact=True)
        await count.fill("10", timeout=60_000)
        await count.press("Enter")
        await self.page.wait_for_timeout(1500)
        await self.page.get_by_role("button", name="Start", exact=True).click(timeout=60_000)
        await self.page.locator("[class*=st-key-job_]").first.wait_for(timeout=60_000)
        self.simulated += 1
        return None

    async def be_busy(self, does: Callable[[Person], Awaitable[None]], until_then: float) -> None:
        """Does one thing after the other until it is time."""
        while time.monotonic() < until_then:
            try:
                await does(self)
            except Error as problem:
                if not any(word in str(problem) for word in GONE):
                    self.wrong(str(problem)[:300])
            self.tally.actions += 1
            await self.look()
            await self.page.wait_for_timeout(self.random.randrange(50, 400))


def address_of(name: str) -> str:
    """The address of a page; the first one of the menu has none of its own."""
    return "" if name == words.menu()[0] else name


GONE = ("Timeout", "detached", "intercepts", "context was destroyed")
"""What the browser says where a click came too late: the page had been drawn anew."""

TELL = """() => {
  const play = document.querySelector(".cf")?.play;
  if (!play?.told || play.sent) return "";
  return play.told.over ? "over" : play.told.question ? "asked" : "";
}"""

CHOOSE = """(chance) => {
  const { play } = document.querySelector(".cf");
  const { question, lesson } = play.told;
  const taken = lesson && lesson.choice !== null ? lesson.choice : Math.floor(chance * question.choices.length);
  play.choose(question.choices[taken]);
}"""

ROLES = (
    Person.read, Person.play, Person.read, Person.upload, Person.play, Person.read, Person.simulate, Person.play,
    Person.read, Person.upload,
)  # fmt: skip
"""What each of the crowd is about."""


async def _crowd(dashboard: Dashboard, browser: Browser, seconds: float, tally: Tally) -> list[Person]:
    people = []
    for number, _ in enumerate(ROLES):
        context = await browser.new_context(reduced_motion="reduce", viewport={"width": 1440, "height": 900})
        people.append(Person(number, await context.new_page(), dashboard, tally))
    await asyncio.gather(*(person.open() for person in people))
    end = time.monotonic() + seconds
    await asyncio.gather(*(person.be_busy(does, end) for person, does in zip(people, ROLES, strict=True)))
    await people[0].page.wait_for_timeout(500)  # answers that are on their way are counted
    for person in people:
        await person.page.context.close()
    return people


async def _send(dashboard: Dashboard, seconds: float, tally: Tally) -> list[Person]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        try:
            return await _crowd(dashboard, browser, seconds, tally)
        finally:
            await browser.close()


def send_crowd(dashboard: Dashboard, seconds: float) -> Tally:
    """Sends the crowd, for so long, and looks whether all that it did is there."""
    tally = Tally()
    with ThreadPoolExecutor(1) as thread:  # a thread that drives browsers otherwise has a loop already
        people = thread.submit(lambda: asyncio.run(_send(dashboard, seconds, tally))).result()
    library = dashboard.library
    for person in people:
        for game, count in person.decided.items():
            kept = _log(library, game)
            there = sum(isinstance(event, Acted) and event.seat == 0 for event in kept.events)
            tally.decisions += count
            if there != count:
                tally.problems.append(f"{count} decisions were taken in {game}, {there} are in its log")
        tally.uploads += len(person.sent)
        tally.problems += [f"the game {name} has gone" for name in person.sent if not _is_there(library, name)]
        tally.simulations += person.simulated
    begun = [job for job in Jobs(library.path).listed() if isinstance(job.work, Simulation)]
    if len(begun) < tally.simulations:
        tally.problems.append(f"{tally.simulations} simulations were begun, {len(begun)} are listed")
    for job in begun:
        _until(tally, f"job {job.id}", lambda job=job: _ended(library, job.id))
    log = library.path / "dashboard.log"
    if log.exists() and (text := log.read_text("utf-8")).strip():
        tally.problems.append(f"dashboard.log says: {text[-1500:]}")
    return tally


def _until(tally: Tally, what: str, is_so: Callable[[], object]) -> None:
    try:
        until(is_so, 240)
    except AssertionError:
        tally.problems.append(f"{what} is not there")


def _log(library: Library, game: str) -> GameLog:
    live = [entry for entry in library.live_entries() if entry.match == game]
    return library.read(live[0]) if live else library.open(game)


def _is_there(library: Library, name: str) -> bool:
    try:
        return library.find(name).id == name
    except LibraryError:
        return False


def _ended(library: Library, name: str) -> bool:
    job = next(job for job in Jobs(library.path).listed() if job.id == name)
    return job.state in OVER and job.ended is not None


def small_library(path: Path) -> Library:
    """A library with some games of each rulebook, counted."""
    library = Library(path)
    for key in registry.GAMES:
        decks = registry.load(key).shipped_decks()
        simulate_into(library, Plan(game=key, decks=all_pairs(decks[:3]), count=20, seed=1), jobs=1)
    update(library.path)
    return library


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="tests.dashboard.crowd", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for how long they click, 60 if left out")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        dashboard = Dashboard(small_library(Path(place) / "library").path)
        try:
            tally = send_crowd(dashboard, chosen.seconds)
        finally:
            dashboard.stop()
    print(tally)
    for problem in tally.problems:
        print(f"  {problem}")
    sys.exit(1 if tally.problems else 0)


if __name__ == "__main__":
    main()
