"""The pages of statistics in a browser: a click on a chart leads to its games and on to the play; downloads."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Locator, Page, expect

from engine.rulebooks import registry
from replays.stats.metrics import Filters, metric
from replays.stats.warehouse import open_warehouse


def ready(page: Page) -> None:
    """Waits until the page is drawn."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_attached(timeout=60_000)
    expect(page.locator("[data-testid=stSkeleton]")).to_have_count(0, timeout=60_000)


def opened(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("[data-testid=stMain] h1").first).to_be_visible(timeout=60_000)
    ready(page)


def asked(page: Page, name: str) -> str:
    """A parameter of the address, once it is there."""
    page.wait_for_function("name => new URLSearchParams(location.search).get(name)", arg=name)
    return parse_qs(urlsplit(page.url).query)[name][0]


def chart(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-panel_{name} .js-plotly-plot")


def click_point(page: Page, name: str, trace: int = 0, point: int = 0) -> None:
    """A click on a point of a chart, where a mouse would be."""
    plot = chart(page, name)
    expect(plot).to_be_visible(timeout=60_000)
    plot.scroll_into_view_if_needed()
    at = plot.evaluate(
        """(plot, [trace, point]) => {
          const layout = plot._fullLayout, drawn = plot._fullData[trace], box = plot.getBoundingClientRect();
          const x = layout[drawn.xaxis.replace("x", "xaxis")], y = layout[drawn.yaxis.replace("y", "yaxis")];
          const place = (axis, value) => axis._offset + axis.c2p(axis.d2c(value));
          return [box.x + place(x, drawn.x[point]), box.y + place(y, drawn.y[point])];
        }""",
        [trace, point],
    )
    page.mouse.move(*at)
    page.mouse.click(*at)


def click_row(page: Page, place: Page | Locator) -> None:
    """A click on the first row of the table there, which is drawn on a canvas."""
    table = place.locator("[data-testid=stDataFrame] canvas").first
    expect(table).to_be_visible(timeout=30_000)
    ready(page)
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 60, box["y"] + 52)


def test_a_point_of_the_ranking_leads_to_the_card_and_its_numbers_to_the_play(page: Page, server: str) -> None:
    opened(page, f"{server}/cards?game=liveon")
    click_point(page, "draw_effect_chart")
    expect(page.get_by_role("button", name="All cards")).to_be_visible(timeout=30_000)
    ready(page)
    code = asked(page, "card")
    assert code
    expect(page.get_by_text(code, exact=True)).to_be_visible()
    page.goto(page.url)  # a link to it
    expect(page.get_by_role("button", name="All cards")).to_be_visible(timeout=30_000)
    ready(page)
    click_point(page, "played_by_turn")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Games by the turn of the first play")).to_be_visible(timeout=30_000)
    assert "played_by_turn" in asked(page, "behind")
    click_row(page, dialog)
    expect(page.locator(".cf .app")).to_be_visible(timeout=60_000)
    name = registry.load("liveon").cards[code].name
    expect(page.locator(".cf .log [aria-current=step]")).to_contain_text(name)  # the play


def test_a_cell_of_the_matrix_leads_to_its_games_and_its_deck_to_a_page(page: Page, server: str) -> None:
    opened(page, f"{server}/decks?game=liveon")
    plot = chart(page, "matchups")
    expect(plot).to_be_visible(timeout=60_000)
    point = plot.evaluate("plot => plot._fullData[0].customdata.findIndex(([a, b]) => a !== b)")
    click_point(page, "matchups", 0, point)
    button = page.get_by_role("button", name="Open the")
    expect(button).to_be_visible(timeout=30_000)
    assert len(asked(page, "pair").split()) == 2
    button.click()
    expect(page.get_by_role("dialog").get_by_text("Matchup", exact=True)).to_be_visible(timeout=30_000)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    ready(page)
    page.wait_for_function("!new URLSearchParams(location.search).has('behind')")
    click_point(page, "matchups", 1, 0)
    expect(page.get_by_role("button", name="All decks")).to_be_visible(timeout=30_000)
    assert asked(page, "list")
    ready(page)
    click_point(page, "deck_cards")
    expect(page.get_by_role("button", name="All cards")).to_be_visible(timeout=30_000)
    assert asked(page, "card") and page.url.startswith(f"{server}/cards")


def test_a_table_and_a_chart_can_be_taken_along(page: Page, server: str, library_path: Path) -> None:
    opened(page, f"{server}/meta?game=liveon")
    rows = metric(open_warehouse(library_path), "endings", Filters(game="liveon"))
    panel = page.locator(".st-key-panel_endings")
    panel.get_by_test_id("stPopoverButton").click()
    with page.expect_download() as taken:
        page.get_by_role("button", name="As CSV").click()
    assert taken.value.suggested_filename == "endings.csv"
    found = list(csv.DictReader(io.StringIO(Path(taken.value.path()).read_text("utf-8"))))
    assert [row["reason"] for row in found] == rows.column("reason").to_pylist()
    with page.expect_download() as taken:
        page.get_by_role("button", name="As Parquet").click()
    assert pq.read_table(taken.value.path()).column("games").to_pylist() == rows.column("games").to_pylist()
    page.keyboard.press("Escape")
    panel.locator(".js-plotly-plot").hover()
    with page.expect_download() as taken:
        panel.locator("[data-title='Download the chart as a picture']").click()
    assert taken.value.suggested_filename == "endings.svg"
    assert "<svg" in Path(taken.value.path()).read_text("utf-8")[:200]


@pytest.mark.parametrize(("language", "said"), [
    ("ja", "グラフを画像としてダウンロード"), ("zh-Hant", "將圖表下載為圖片"),
])  # fmt: skip
def test_what_charts_say_themselves_is_in_the_reader_s_language(
    page: Page, server: str, language: str, said: str
) -> None:
    opened(page, f"{server}/meta?game=liveon&language={language}")
    plot = chart(page, "endings")
    expect(plot).to_be_visible(timeout=60_000)
    assert plot.locator(".modebar-btn").first.get_attribute("data-title") == said


CHARTS = {
    "meta?game=liveon": ("first_in_matchup", "lengths", "endings"),
    "meta?game=liveon&charts=time": ("course", "trend"),
    "compare?game=liveon&metric=gih_wr&a_seat=first&b_seat=second": ("differences",),
    "cards?game=liveon&view=rates": ("rates_chart",),
    "cards?game=liveon&card={card}": ("draw_curve", "win_by_turn", "gih_in_deck", "gih_against"),
    "decks?game=liveon&list={deck}": ("deck_matchups",),
}
"""Page -> charts of it, besides those that are clicked above."""


@pytest.mark.parametrize("place", CHARTS)
def test_a_click_on_a_chart_leads_to_what_is_behind_it(
    page: Page, server: str, library_path: Path, place: str
) -> None:
    warehouse = open_warehouse(library_path)
    card = metric(warehouse, "played_by_turn", Filters(game="liveon")).column("code")[0].as_py()
    deck = metric(warehouse, "deck_win_rate", Filters(game="liveon")).column("deck")[0].as_py()
    address = f"{server}/{place.format(card=card, deck=deck[:12])}"
    opened(page, address)
    for name in CHARTS[place]:
        if name != CHARTS[place][0]:
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
            ready(page)
        expect(chart(page, name)).to_be_visible(timeout=60_000)
        trace = chart(page, name).evaluate("plot => plot._fullData.findIndex((one) => one.visible && one.customdata)")
        click_point(page, name, trace)
        if name == "rates_chart":
            expect(page.get_by_role("button", name="All cards")).to_be_visible(timeout=30_000)
        else:
            expect(page.get_by_role("dialog")).to_be_visible(timeout=30_000)
            assert asked(page, "behind").startswith("metric=")
