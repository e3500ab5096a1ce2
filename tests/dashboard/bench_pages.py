"""How quick the pages are in the browser; see `bench`."""

from __future__ import annotations

import shutil
import statistics
import time
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

from dashboard import words
from tests.dashboard.conftest import FLAGS, served

SETTLED = """() => {
  const app = document.querySelector("[data-testid=stApp]"), main = document.querySelector("[data-testid=stMain]");
  const viewer = () => [...main.querySelectorAll("*")].some((one) => one.shadowRoot?.querySelector(".app"));
  const drawn = () => main.querySelector("h1") || viewer();
  return app?.dataset.testScriptState === "notRunning" && main && drawn()
    && !document.querySelector("[data-testid=stSkeleton], [data-stale=true]");
}"""
"""Whether the page is drawn and nothing on it is still to come."""

WATCHED = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  window.hasRun = false;
  new MutationObserver((_, watch) => {
    if (app.dataset.testScriptState === "notRunning") return;
    window.hasRun = true;
    watch.disconnect();
  }).observe(app, { attributes: true });
}"""
"""From now on `hasRun` says whether the page has begun to run anew: before that it is drawn as it was."""

TIMES = 3

VIEWS = {"meta": ("charts=time",)}
"""Page -> what its address says of views besides the first that draw other charts."""


def report(library: Path) -> None:
    """Prints, for each page of the dashboard of a library, the times until it is drawn, in ms.

    `first`: for the first time since the server was started. `address`: opened by its address, the browser's work of
    starting the application included. `menu`: reached by the menu. `filter`: another game chosen in the filter bar.
    Medians of three but for the first.
    """
    names = words.menu()
    print(f"{'page':<18}{'first':>8}{'address':>9}{'menu':>8}{'filter':>8}   ms until it is drawn")
    with served(library) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce", locale="en-GB")
        page.goto(f"{address}/{names[-1]}")  # the browser has the application's code
        page.wait_for_function(SETTLED, timeout=120_000)
        for name in names:
            for view in ("", *VIEWS.get(name, ())):
                shown = f"{name}?{view}" if view else name
                first = _opened(page, address, shown)
                by_address = statistics.median(_opened(page, address, shown) for _ in range(TIMES))
                by_menu = None if view else _by_menu(page, address, name)
                changed = _filtered(page)
                print(f"{shown:<18}{first:>8.0f}{by_address:>9.0f}{_said(by_menu)}{_said(changed)}", flush=True)
        browser.close()


def _said(time_taken: float | None) -> str:
    return f"{'–' if time_taken is None else f'{time_taken:.0f}':>8}"


def _settled(page: Page, begun: float) -> float:
    """Milliseconds since `begun` when the page is drawn."""
    page.wait_for_function(SETTLED, timeout=120_000)
    return 1000 * (time.perf_counter() - begun)


def _opened(page: Page, address: str, name: str) -> float:
    begun = time.perf_counter()
    page.goto(f"{address}/{'' if name == words.menu()[0] else name}")
    return _settled(page, begun)


def _by_menu(page: Page, address: str, name: str) -> float | None:
    """From another page to this one by a click in the menu; None for the viewer, which has the whole window."""
    if name == "replay":
        return None
    other = next(one for one in reversed(words.menu()) if one not in (name, "replay"))
    times = []
    for _ in range(TIMES):
        _opened(page, address, other)
        begun = time.perf_counter()
        page.get_by_role("link", name=words.page_words("en")[name], exact=True).first.click()
        page.wait_for_url(lambda url: url.split("?")[0].rstrip("/").endswith(name) or name == words.menu()[0])
        times.append(_settled(page, begun))
    return statistics.median(times)


def _filtered(page: Page) -> float | None:
    """From the click on another game to the page that shows it; None where there is no such choice."""
    times = []
    box = page.locator(".st-key-address_game [role=combobox], .st-key-address_game input")
    if not box.count():
        return None
    for turn in range(2 * TIMES):
        box.first.click()
        options = page.get_by_role("option")
        try:
            options.first.wait_for(timeout=5_000)
        except Error:
            return None
        page.evaluate(WATCHED)
        option = options.nth((turn + 1) % options.count())
        begun = time.perf_counter()
        option.click()
        try:
            page.wait_for_function("window.hasRun", timeout=3_000)
        except Error:  # it was chosen already
            continue
        times.append(_settled(page, begun))
    return statistics.median(times)
