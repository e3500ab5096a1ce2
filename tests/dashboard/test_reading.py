"""The viewer and the pages as axe-core sees them: nothing serious that keeps somebody from using them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard import data, export, words
from engine.rulebooks import registry
from events.open import read_games
from replays.store.notes import new_note
from replays.view.timeline import Timeline
from tests.dashboard.opening import id_of, show
from tests.dashboard.test_statistics_browser import opened, ready

axe = pytest.importorskip("axe_playwright_python", reason="No axe-core: install the package axe-playwright-python.")

SCRIPT = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
GOLDEN = Path(__file__).parents[1] / "golden"


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


def test_every_page_can_be_used_by_all(browser: Browser, server: str, home: Path) -> None:
    """Light and dark, the pages with most on them on a phone too; Streamlit's own markup included."""
    names = data.named_decks("liveon", "en")
    code = next(iter(registry.load("liveon").cards))
    places = [*(f"{name}?" for name in words.menu() if name not in ("start", "replay")), "?", f"cards?card={code}",
              f"decks?list={data.short(next(iter(names)))}"]  # fmt: skip
    page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    found = []
    for place in places:
        page.set_viewport_size({"width": 1440, "height": 900})
        page.emulate_media(color_scheme="light")
        opened(page, f"{server}/{place}")
        for fold in page.get_by_test_id("stMain").locator("[data-testid=stExpander] summary").all():
            fold.click()
        ready(page)
        for scheme, width in (("light", 1440), ("dark", 1440), ("light", 390)):
            if width < 1440 and place not in ("library?", "cards?", "decks?"):
                continue
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.set_viewport_size({"width": width, "height": 900})
            ready(page)
            found += [(place, scheme, width, *what) for what in serious(page)]
    page.close()
    assert found == []
