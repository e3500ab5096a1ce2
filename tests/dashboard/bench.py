"""How quick the dashboard is in the browser: `python -m tests.dashboard.bench`. Prints figures; nothing is asserted.

With `--library FOLDER`, each page on that library: until it is drawn, and until a change of a filter is. Without, the
viewer: for the longest golden game of each rulebook and a log of more than 3,000 records, as files of their own:
opening after the page is up, and a step by event, action and turn, forward and back, and by far jumps. A step is what
the page's own thread computes for it up to the painting of the next frame: script, style and layout, motion included.
It is processor time, so other work on the machine matters less; compare figures of one run all the same.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import CDPSession, Locator, sync_playwright

from dashboard import export, viewer
from engine.rulebooks import registry
from events.game import GameLog
from events.open import read_games
from tests.dashboard import bench_pages
from tests.dashboard.conftest import FLAGS
from tests.dashboard.long_game import long_game
from tests.golden.make import FOLDER

BEGUN = "({viewer}, way) => viewer.jump(way > 0 ? viewer.replay.turns[0].step : viewer.replay.last)"

STEPPED = """({viewer}, [unit, way, i]) => new Promise((done) => setTimeout(() => {
  viewer.lastShown = -1e9; // so that it moves
  if (unit === "jump") viewer.jump((i * 977) % viewer.replay.steps);
  else viewer.step(unit, way);
  requestAnimationFrame(() => setTimeout(done));
}))"""

OPENED = """(root) => {
  const {viewer} = root, text = document.getElementById("game").textContent;
  const begun = performance.now();
  const again = new viewer.constructor(root, JSON.parse(text), viewer.options);
  again.app.offsetHeight;
  root.viewer = again;
  return performance.now() - begun;
}"""

WAYS = (("event", 1, 120), ("event", -1, 120), ("action", 1, 60), ("action", -1, 60), ("turn", 1, 12), ("turn", -1, 12),
        ("jump", 1, 60))  # fmt: skip
SUMS = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="tests.dashboard.bench", description=__doc__)
    parser.add_argument("--library", type=Path, help="measure the pages on this library")
    library = parser.parse_args().library
    print(f"{platform.machine()}, Python {platform.python_version()}")
    if library is not None:
        bench_pages.report(library)
    else:
        viewer_report()


def viewer_report() -> None:
    """Prints how quick the viewer is."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, game in _games():
            begun = time.perf_counter()
            text = viewer.game_json(viewer.timeline_of(game), game, export.verify(game))
            made = 1000 * (time.perf_counter() - begun)
            file = Path(folder, "replay.html")
            file.write_text(export.replay_page(game), encoding="utf-8")
            size = file.stat().st_size / 1024
            print(f"\n{name}, {len(game.events)} records: data made by Python in {made:.0f} ms")
            print(f"  {'data, one file':<18}{len(text) / 1024:>7.0f} KiB, {size:.0f} KiB")
            page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="no-preference")
            page.goto(file.as_uri())
            root = page.locator(".cf")
            opened = [root.evaluate(OPENED) for _ in range(5)]
            print(f"  {'opening':<18}{statistics.median(opened):>7.1f} ms")
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            for unit, way, count in WAYS:
                _report(unit, way, _stepped(root, session, unit, way, count))
            page.close()
        browser.close()


def _stepped(root: Locator, session: CDPSession, unit: str, way: int, count: int) -> list[list[float]]:
    """Of each step what the page's thread computed for it, in ms: script, style and layout."""
    root.evaluate(BEGUN, way)
    steps = []
    for i in range(count):
        before = _sums(session)
        root.evaluate(STEPPED, [unit, way, i])
        steps.append([1000 * (b - a) for a, b in zip(before, _sums(session), strict=True)])
    return steps


def _report(unit: str, way: int, steps: list[list[float]]) -> None:
    called = {"jump": "a far jump"}.get(unit, f"{unit}, {'forward' if way > 0 else 'back'}")
    times = sorted(map(sum, steps))
    most = times[int(0.95 * len(times))]
    print(f"  {called:<18}{statistics.median(times):>7.1f} ms, 19 of 20 under {most:.1f} ms", end="; ")
    parts = (statistics.mean(part) for part in zip(*steps, strict=True))
    print("script {:.1f}, style {:.1f}, layout {:.1f}".format(*parts))


def _games() -> Iterator[tuple[str, GameLog]]:
    for key in sorted(registry.GAMES):
        yield key, max(read_games(FOLDER / f"{key}.jsonl"), key=lambda game: len(game.events))
    yield "a long game", long_game()


def _sums(session: CDPSession) -> list[float]:
    found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return [found[name] for name in SUMS]


if __name__ == "__main__":
    main()
