"""The Library in a browser: rows lead to replays, and the way back leads to where one was."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Page, expect

from replays.store.library import Library
from tests.dashboard.conftest import HOSTILE, served
from tests.replays.store.test_filters import told

PATIENCE = 30_000


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The dashboard of a library with 120 games, which are three pages of the list."""
    library = Library(tmp_path_factory.mktemp("many") / "library")
    logs = [told(n + 1, f"g{n:03}", players=(f"Ann {n}", "Bo"), tags=(HOSTILE,)) for n in range(120)]
    library.import_paths([io.BytesIO(log) for log in logs])
    with served(library.path) as address:
        yield address


def asked(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_a_row_leads_to_its_replay_and_the_way_back_to_the_row(page: Page, many: str) -> None:
    page.goto(f"{many}/library?search=g&order=oldest")
    expect(page.locator(".cf tbody tr")).to_have_count(50, timeout=PATIENCE)
    page.get_by_role("button", name="Next page").first.click()
    expect(page.get_by_text("51 to 100 of 120").first).to_be_visible(timeout=PATIENCE)
    assert asked(page) == {"search": "g", "order": "oldest", "page": "2"}
    page.locator(".cf tbody tr").nth(40).click()
    page.wait_for_url("**/replay?game=g090", timeout=PATIENCE)
    expect(page.locator(".cf .app")).to_be_visible(timeout=PATIENCE)
    for way in ("back", "menu", "reload"):
        if way == "menu":
            page.locator("tr.opened a").click()
            expect(page.locator(".cf .app")).to_be_visible(timeout=PATIENCE)
            page.get_by_test_id("stExpandSidebarButton").click()
            page.get_by_role("link", name="Library", exact=True).click()
        elif way == "back":
            page.go_back()
        else:
            page.reload()
        opened = page.locator("tr[aria-current=true]")
        expect(opened).to_be_in_viewport(timeout=PATIENCE)
        assert opened.locator("a").get_attribute("href") == "replay?game=g090", way
        page.wait_for_function("new URLSearchParams(location.search).get('opened') === 'g090'")
        assert asked(page) == {"search": "g", "order": "oldest", "page": "2", "opened": "g090"}, way
        expect(page.get_by_role("textbox", name="Search")).to_have_value("g")


def test_a_choice_leads_to_the_first_page_and_a_page_that_is_not_there_is_said(page: Page, many: str) -> None:
    page.goto(f"{many}/library?page=9")
    expect(page.get_by_text("“9” is not among the choices")).to_be_visible(timeout=PATIENCE)
    page.goto(f"{many}/library?page=3")
    expect(page.locator(".cf tbody tr")).to_have_count(20, timeout=PATIENCE)
    box = page.get_by_role("textbox", name="Search")
    box.fill("g11")
    box.press("Enter")
    expect(page.locator(".cf tbody tr")).to_have_count(10, timeout=PATIENCE)
    assert asked(page) == {"search": "g11"}


def test_rows_are_reached_by_keyboard_and_read_as_sentences(page: Page, many: str) -> None:
    page.goto(f"{many}/library?order=oldest")
    links = page.locator("a.open")
    expect(links).to_have_count(50, timeout=PATIENCE)
    assert "against" in (links.first.get_attribute("aria-label") or "")
    links.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay?game=g002", timeout=PATIENCE)


def test_what_is_listed_is_taken_along_as_tables_and_as_games(page: Page, many: str, tmp_path: Path) -> None:
    page.goto(f"{many}/library?search=g11&order=oldest")
    expect(page.locator(".cf tbody tr")).to_have_count(10, timeout=PATIENCE)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=PATIENCE)
    page.get_by_test_id("stPopoverButton").last.click()
    files = {}
    for name in ("As CSV", "As Parquet", "The games themselves (10)"):
        with page.expect_download() as coming:
            page.get_by_role("button", name=name).click()
        files[name] = tmp_path / coming.value.suggested_filename
        coming.value.save_as(files[name])
    ids = [f"g{n}" for n in range(110, 120)]
    with files["As CSV"].open(newline="") as file:
        assert [row["id"] for row in csv.DictReader(file)] == ids
    assert pq.read_table(files["As Parquet"]).column("id").to_pylist() == ids
    other = Library(tmp_path / "other")
    other.import_paths([files["The games themselves (10)"]])
    assert sorted(entry.id for entry in other.games()) == ids


def test_names_of_strangers_stay_text(page: Page, server: str) -> None:
    page.goto(f"{server}/library")
    expect(page.get_by_text(HOSTILE).first).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("window.caught") is None


OVER = """(rows) => rows.flatMap((row) => {
  const parts = row.querySelectorAll(".pick input, .seat, .marks, .side b, .side small, .won, td:not(.who, .pick)");
  const boxes = [...parts].map((one) => [one.className.baseVal ?? one.className, one.getBoundingClientRect()])
    .filter(([, box]) => box.width);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([, b]) => over(a, b)).map(([two]) => [one, two]));
})"""
"""Parts of a row that lie over each other."""


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_the_list_keeps_within_the_window_and_nothing_lies_over_another(page: Page, server: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{server}/library")
    expect(page.locator(".cf tbody tr")).to_have_count(15, timeout=PATIENCE)
    for cell in page.locator(".cf tbody tr").first.locator("td:visible").all():
        box = cell.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
    assert page.locator(".cf tbody tr").evaluate_all(OVER) == []
