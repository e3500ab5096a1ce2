"""The viewer and the pages as axe-core sees them: nothing serious that keeps somebody from using them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard import export
from events.open import read_games
from replays.store.notes import new_note
from replays.view.timeline import Timeline
from tests.dashboard.opening import id_of, show

axe = pytest.importorskip("axe_playwright_python", reason="No axe-core: install the package axe-playwright-python.")

SCRIPT = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
GOLDEN = Path(__file__).parents[1] / "golden"

pytestmark = pytest.mark.xdist_group("dashboard")


def serious(page: Page, where: str = "document") -> list[tuple[str, str, str]]:
    """What is wrong and critical or serious, in the page or in what a script gives: rule, place, what is there."""
    page.evaluate(f"window.axe || (() => {{ {SCRIPT} }})()")
    found: dict[str, Any] = page.evaluate(f"axe.run({where}, {{resultTypes: ['violations']}})")
    assert len(found["passes"]) > 10, "it has looked at something"
    return [
        (one["id"], str(node["target"]), node["html"][:200])
        for one in found["violations"]
        if one["impact"] in ("critical", "serious")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("key", ["liveon", "xcard", "monbattle"])
def test_a_replay_can_be_used_by_all(browser: Browser, tmp_path: Path, key: str) -> None:
    game = list(read_games(GOLDEN / f"{key}.jsonl"))[1]
    step = len(game.events) // 2
    file = tmp_path / "replay.html"
    file.write_text(export.replay_page(game, notes=[new_note(step, "So late?", mark="mistake")]), encoding="utf-8")
    for scheme, width, height in (("light", 1440, 900), ("dark", 1440, 900), ("light", 390, 844)):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(f"{file.as_uri()}#step={step}")
        expect(page.locator(".cf .app")).to_be_visible()
        assert serious(page) == [], (scheme, width)
        if scheme == "light" and width == 1440:
            page.keyboard.press("?")
            assert serious(page) == [], "keys"
            page.keyboard.press("Escape")
            page.locator(".cf [data-tab=notes]").click()
            page.locator(".cf .mnb button").first.click()
            assert serious(page) == [], "notes and menu"
        context.close()


def test_the_viewer_in_its_page_can_be_used_by_all(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline), timeline.turns[2].step)
    page.locator(".cf [data-tab=notes]").click()
    host = "[...document.querySelectorAll('*')].find((e) => e.shadowRoot?.querySelector('.cf'))"
    assert serious(page, f"{host}.shadowRoot.querySelector('.cf')") == []
    page.locator(".cf [data-tab=log]").click()


@pytest.mark.parametrize("name", ["library", "cards"])
@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("light", 390)])
def test_the_pages_can_be_used_by_all(browser: Browser, server: str, name: str, scheme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server}/{name}")
    expect(page.locator(".js-plotly-plot" if name == "cards" else ".cf tbody tr").first).to_be_visible(timeout=20_000)
    if name == "library":
        page.get_by_text("Add files").click()
        expect(page.get_by_test_id("stFileUploader")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(name.capitalize())
    assert serious(page) == [], f"{name}, Streamlit's own markup included"
    context.close()
