"""How quick the viewer is in the browser: `python -m tests.dashboard.bench`. Prints figures; nothing is asserted.

For a log of more than 3,000 records, as a file of its own: opening after the page is up, and a step (script and
layout, to the frame that is drawn) by event, action and turn, forward and back, and by far jumps.
"""

from __future__ import annotations

import platform
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from dashboard import onefile, viewer
from tests.dashboard.conftest import FLAGS
from tests.dashboard.long_game import long_game

STEPPED = """(root, [unit, way, count]) => {
  const {viewer} = root, times = [];
  viewer.jump(way > 0 ? 0 : viewer.replay.last);
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    if (unit === "jump") viewer.jump((i * 977) % viewer.replay.steps);
    else viewer.step(unit, way);
    root.getBoundingClientRect();
    root.querySelector(".board").offsetHeight;
    times.push(performance.now() - begun);
  }
  return times;
}"""

OPENED = """(root) => {
  const {viewer} = root, text = document.getElementById("game").textContent;
  const begun = performance.now();
  const again = new viewer.constructor(root, JSON.parse(text), viewer.options);
  again.app.offsetHeight;
  root.viewer = again;
  return performance.now() - begun;
}"""


def main() -> None:
    """Prints the figures."""
    game = long_game()
    begun = time.perf_counter()
    text = viewer.game_json(viewer.timeline_of(game), game, onefile.verify(game))
    made = 1000 * (time.perf_counter() - begun)
    page_text = onefile.page(game)
    print(f"{platform.machine()}, Python {platform.python_version()}; a game of {len(game.events)} records")
    print(f"{'data made by Python':<34}{made:>10.0f} ms{len(text) / 1024:>10.0f} KiB")
    print(f"{'as one file':<34}{'':>13}{len(page_text) / 1024:>10.0f} KiB")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, "replay.html")
        file.write_text(page_text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(file.as_uri())
        root = page.locator(".cf")
        opened = [root.evaluate(OPENED) for _ in range(5)]
        print(f"{'opening, script and layout':<34}{statistics.median(opened):>10.1f} ms")
        for unit, way, count in (
            ("event", 1, 300), ("event", -1, 300), ("action", 1, 150), ("action", -1, 150), ("turn", 1, 30),
            ("turn", -1, 30), ("jump", 1, 150),
        ):  # fmt: skip
            times = sorted(root.evaluate(STEPPED, [unit, way, count]))
            name = {"jump": "a far jump"}.get(unit, f"{unit}, {'forward' if way > 0 else 'back'}")
            most = times[int(0.95 * len(times))]
            print(f"{name:<34}{statistics.median(times):>10.1f} ms, 19 of 20 under {most:.1f} ms")
        browser.close()


if __name__ == "__main__":
    main()
