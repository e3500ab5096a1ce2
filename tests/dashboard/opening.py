"""Opening a replay in the browser, and where it is: for the tests of the viewer."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from replays.view.timeline import Timeline

AS_OPENED = """(root, [game, step]) => {
  const viewer = root.viewer;
  if (!viewer || viewer.data.address !== game || viewer.data.full || !root.isConnected) return false;
  viewer.stop();
  if (viewer.spoilerFree) viewer.toggleSpoilerFree();
  if (viewer.flipped) viewer.flip();
  viewer.tabs[0].click();
  viewer.selected = null;
  viewer.go(step ?? viewer.replay.turns[0].step, "jump");
  return true;
}"""


def show(page: Page, server: str, game: str, step: int | None = None) -> None:
    """The replay as it is when opened at this step; opens it, unless it is open already."""
    viewer = page.locator(".cf").first  # other pages have components of this class too
    if viewer.count() and viewer.evaluate(AS_OPENED, [game, step]):
        page.mouse.move(5, 890)
        return
    open_anew(page, server, game, step)


def open_anew(page: Page, server: str, game: str, step: int | None = None) -> None:
    """Opens the replay and waits until it is drawn."""
    page.goto(f"{server}/replay?game={game}" + ("" if step is None else f"&step={step}"))
    expect(page.locator(".cf .card").first).to_be_visible(timeout=20_000)


def id_of(timeline: Timeline) -> str:
    return timeline.events[0].id  # type: ignore[attr-defined]


def at(page: Page) -> int:
    """The step that the viewer says it is at."""
    return int(page.locator(".stp.event b").inner_text().split()[0].replace(",", ""))
