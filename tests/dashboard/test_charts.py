"""Every chart and table of the pages of statistics: each point leads to its games, the files hold what is shown.

Charts are found by their calls in the code, so that one which no page here shows fails.
"""

from __future__ import annotations

import ast
import csv
import io
import sys
from collections.abc import Iterator
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Page, expect

from dashboard import address, downloads
from dashboard.stats import page, panel
from engine.rulebooks import registry
from replays.play.simulate import Plan, simulate_into
from replays.stats.behind import games_behind
from replays.stats.metrics import Filters, metric
from replays.stats.warehouse import Warehouse, open_warehouse, update
from replays.store.library import Library
from tests.dashboard.conftest import served
from tests.dashboard.test_pages import opened
from tests.dashboard.test_statistics_browser import chart as plot_of
from tests.dashboard.test_statistics_browser import opened as show

DASHBOARD = Path(panel.__file__).parents[1]

LIVE_ON = Filters(game="liveon")

PLACES: tuple[tuple[str, dict[str, str]], ...] = (
    ("meta", {}), ("meta", {"charts": "time", "measure": "hand"}), ("meta", {"charts": "time", "cut": "week"}),
    ("meta", {"charts": "time", "cut": "card_set"}), ("cards", {}), ("cards", {"view": "rates", "unit": "games"}),
    ("cards", {"view": "all"}), ("cards", {"card": "{card}", "partners": "yes"}), ("decks", {}),
    ("decks", {"list": "{deck}"}), ("compare", {"metric": "gih_wr", "a_seat": "first", "b_seat": "second"}),
    ("compare", {"metric": "first_player", "a_seat": "first", "b_seat": "second"}),
    ("statistics", {"metric": "matchups"}), ("statistics", {"metric": "left_out"}),
)  # fmt: skip
"""Pages and what is chosen there; together they show every chart and every kind of table."""

LEADS_NOWHERE = {"lab_report.py"}
"""The games of a lab lie in a library of its own, which no page lists."""

IN_WORDS = {("card_values", "value"), ("card_values", "number"), ("card_numbers", "iih"), ("decks", "deck"),
            ("left_out", "reason")}  # fmt: skip
"""Columns that are shown in the reader's words, where the files have a number or a key."""

MOST = 3
"""Points of a trace that are clicked."""


class Clicked(NamedTuple):
    """A click on a point: what the point carries, and what the click puts into the address."""

    carried: list[Any]
    put: dict[str, str]


class Chart(NamedTuple):
    """A chart that was drawn: by which call, on which page, with which rows in its files; and what clicks do."""

    site: tuple[str, int]
    page: str
    place: dict[str, str]
    name: str
    figure: go.Figure
    rows: pa.Table
    clicks: list[Clicked]


class Table(NamedTuple):
    """A table that was drawn, and the rows in its files."""

    name: str
    shown: pd.DataFrame
    rows: pa.Table


class Seen(NamedTuple):
    """What pages drew."""

    charts: list[Chart]
    tables: list[Table]


@pytest.fixture(scope="module")
def two_decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A counted library of games on two days; of one deck as many as a pair of cards needs for an interval."""
    library = Library(tmp_path_factory.mktemp("two_decks") / "library")
    one, other = registry.load("liveon").shipped_decks()[:2]
    for pair, count, day in (((one, one), 490, "2026-03-02"), ((one, other), 20, "2026-03-12")):
        plan = Plan(game="liveon", decks=[pair], count=count, player_kinds=("random", "random"), date=day)
        simulate_into(library, plan, jobs=1)
    update(library.path)
    return library.path


@pytest.fixture(scope="module")
def warehouse(two_decks: Path) -> Warehouse:
    return open_warehouse(two_decks)


@pytest.fixture(scope="module")
def places(warehouse: Warehouse) -> list[tuple[str, dict[str, str]]]:
    """PLACES with a card and a deck of the library."""
    card, deck = (
        max(metric(warehouse, name, LIVE_ON).to_pylist(), key=lambda row: row["games"])[key]
        for name, key in (("gih_wr", "code"), ("deck_win_rate", "deck"))
    )
    return [(page, {key: value.format(card=card, deck=deck[:12]) for key, value in query.items()})
            for page, query in PLACES]  # fmt: skip


@pytest.fixture(scope="module")
def seen(two_decks: Path, places: list[tuple[str, dict[str, str]]]) -> Seen:
    """All that the pages at PLACES draw."""
    found = Seen([], [])
    files: list[pa.Table] = []
    draw, tabulate, offer = panel.chart, panel.row_table, panel.files
    view, place = places[0]

    def drawn(question: str, figure: go.Figure, rows: pa.Table, name: str, *more: Any, **options: Any) -> None:
        code = sys._getframe(1)
        clicked = options.get("clicked") or next((one for one in more if callable(one)), None)
        assert clicked is not None, name
        clicks = [_click(clicked, carried, options.get("whole", False)) for carried in carried_by(figure)]
        site = Path(code.f_code.co_filename).name, code.f_lineno
        found.charts.append(Chart(site, view, dict(place), name, figure, rows, clicks))
        draw(question, figure, rows, name, *more, **options)

    def tabulated(frame: pd.DataFrame, name: str, *more: Any, **options: Any) -> None:
        tabulate(frame, name, *more, **options)
        found.tables.append(Table(name, frame, files[-1]))

    def offered(rows: pa.Table, name: str, picture: bool = False) -> None:
        files.append(rows)
        offer(rows, name, picture)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDFOLD_HOME", str(two_decks))
        for name, stand_in in (("chart", drawn), ("row_table", tabulated), ("files", offered)):
            patch.setattr(panel, name, stand_in)
        for view, place in places:
            app = opened(view, game="liveon", **place)
            assert not app.warning and not app.error, (view, place)
    return found


def carried_by(figure: go.Figure) -> Iterator[list[Any]]:
    """What points of a figure carry, from each trace some, the first and the last among them."""
    for trace in figure.data:
        every = [] if trace.customdata is None else list(trace.customdata)
        for at in sorted({*np.linspace(0, len(every) - 1, MOST).astype(int)}) if every else []:
            yield list(every[at])


def _click(clicked: panel.Clicked, carried: list[Any], whole: bool) -> Clicked:
    put: dict[str, str] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(address, "put", lambda name, value, *forgotten: put.update({name: value}))
        patch.setattr(page, "go_to", lambda view, filters, **query: put.update(query))
        clicked(carried if whole else carried[0])
    return Clicked(carried, put)


def test_every_chart_in_the_code_is_drawn_here(seen: Seen) -> None:
    calls = [
        (file.name, call) for file in DASHBOARD.rglob("*.py") if file.name not in LEADS_NOWHERE
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "panel.chart"
    ]  # fmt: skip
    drawn = {chart.site for chart in seen.charts}
    missed = [
        f"{name}:{call.lineno}" for name, call in calls
        if not any((name, line) in drawn for line in range(call.lineno, (call.end_lineno or call.lineno) + 1))
    ]
    assert len(calls) > 12 and not missed


def test_each_point_leads_to_the_games_that_it_is_made_of(seen: Seen, warehouse: Warehouse) -> None:
    for chart in seen.charts:
        for click in chart.clicks:
            if "behind" in click.put:
                assert set(click.carried[3:]) <= _counted_behind(chart, click.put, warehouse), (chart.name, click)
            elif "card" in click.put:  # on its page each number leads to its games
                rows = [row for row in chart.rows.to_pylist() if row["code"] == click.put["card"] == click.carried[0]]
                assert [row["games"] for row in rows] == click.carried[3:], (chart.name, click)
            else:
                pair = [deck[:12] for deck in click.carried if deck]
                assert "\n".join(pair) == click.put["pair" if len(pair) == 2 else "list"], (chart.name, click)


def _counted_behind(chart: Chart, put: dict[str, str], warehouse: Warehouse) -> set[int]:
    """How many the games that a click leads to are, as metrics count them: with draws or without, or each once."""
    row = dict(parse_qsl(put["behind"]))
    name = row.pop("metric")
    narrowed: dict[str, Any] = {end: date.fromisoformat(put[end]) for end in ("since", "until") if end in put}
    narrowed |= {"card_set": put["card_set"]} if "card_set" in put else {}
    seats = [chart.place[side] for side in ("a_seat", "b_seat") if side in chart.place] or [None]
    sides = [games_behind(warehouse, name, row, Filters(game="liveon", seat=seat, **narrowed)) for seat in seats]
    few = min(sides, key=len).to_pylist()
    lost_or_won = [game for game in few if game["result"] != 0.5]
    return {len(few), len(lost_or_won), len({game["game_id"] for game in few})}


def test_the_files_of_a_chart_hold_what_it_draws(seen: Seen) -> None:
    for chart in seen.charts:
        rows = chart.rows.to_pandas()
        numbers = rows.select_dtypes("number").to_numpy(float)
        for click in chart.clicks:
            if len(click.carried) == 4:
                ends = np.array(click.carried[1:3], float)
                here = [all(np.isclose((line, 100 * line), end, equal_nan=True).any() for end in ends)
                        and (line == click.carried[3]).any() for line in numbers]  # fmt: skip
                assert any(here), (chart.name, click)
            elif chart.name == "matchups":
                deck, against = click.carried
                assert ((rows["deck"] == deck) & (rows["against"].eq(against) | (against == ""))).any()


def test_the_files_of_a_table_hold_its_rows_in_their_order(seen: Seen) -> None:
    for table in seen.tables:
        rows = table.rows.to_pandas()
        assert len(rows) == len(table.shown)
        same = [name for name in table.shown if name in rows and (table.name, name) not in IN_WORDS]
        assert same, table.name
        for name in same:
            shown, own = table.shown[name], rows[name]
            if pd.api.types.is_numeric_dtype(own):
                ways = np.multiply.outer((1, 100), own.to_numpy(float))
                rounded = 0.5 if name == "rating" else 1e-9
                assert any(np.allclose(shown.to_numpy(float), one, atol=rounded, equal_nan=True) for one in ways), name
            else:
                texts = [column.astype(object).fillna("").tolist() for column in (shown, own)]
                assert texts[0] == texts[1], (table.name, name)


def test_files_are_read_back_as_the_rows_that_were_taken_along(seen: Seen) -> None:
    for rows in [one.rows for one in (*seen.charts, *seen.tables)]:
        parquet = pq.read_table(io.BytesIO(downloads.as_parquet(rows)))
        assert parquet.equals(rows) and parquet.schema.metadata == rows.schema.metadata
        head, *lines = csv.reader(io.StringIO(downloads.as_csv(rows).decode(), newline=""))
        assert head[: len(rows.column_names)] == rows.column_names and len(lines) == rows.num_rows
        for name, column in zip(rows.column_names, zip(*lines, strict=True), strict=False):
            for told, value in zip(column, rows[name].to_pylist(), strict=True):
                assert told == ("" if value is None else str(value)) or float(told) == value, (name, told, value)


# --- in a browser -------------------------------------------------------------------------------------------

POINTED_AT = """async (plot, [most, reach]) => {
  plot.scrollIntoView({ block: "center" });
  const layout = plot._fullLayout, box = plot.getBoundingClientRect(), wrong = [];
  const place = (drawn, point) => ["x", "y"].map((way) => {
    const axis = layout[drawn[way + "axis"].replace(way, way + "axis")];
    return box[way] + axis._offset + axis.c2p(axis.d2c(drawn[way][point]));
  });
  for (const drawn of plot._fullData.filter((one) => one.visible && one.customdata)) {
    for (let point = 0; point < drawn.x.length; point += Math.ceil(drawn.x.length / most)) {
      const [clientX, clientY] = place(drawn, point), wanted = JSON.stringify(drawn.customdata[point][0]);
      const taken = () => {
        const hit = plot._hoverdata?.[0];
        if (!hit) return false;
        const [x, y] = place(hit.fullData, hit.pointNumber);  // one that lies on the other may be taken for it
        return JSON.stringify(hit.customdata[0]) === wanted || Math.hypot(x - clientX, y - clientY) < reach;
      };
      for (let tries = 0; tries < 20 && (!tries || !taken()); tries++) {
        const move = new MouseEvent("mousemove", { clientX, clientY, bubbles: true });
        document.elementFromPoint(clientX, clientY).dispatchEvent(move);
        await new Promise((done) => setTimeout(done, 60));
      }
      if (!taken()) wrong.push([drawn.name, point, drawn.customdata[point], plot._hoverdata?.[0].customdata]);
    }
  }
  return wrong;
}"""
"""Points of a chart on which the mouse stands and that it would not click, but another."""

MARKED = """(plot) => plot._fullData.filter((one) => one.type === "scatter" && one.mode.includes("markers"))
  .map((one) => [...one.x].map((_, point) => ["x", "y"].map((way) =>
    plot._fullLayout[one[way + "axis"].replace(way, way + "axis")].d2c(one[way][point]))))
  .map((points) => points.filter((at) => at.every(Number.isFinite))).filter((points) => points.length)"""
"""What the points of a chart stand at, by its traces."""


@pytest.fixture(scope="module")
def dashboard_of_two(two_decks: Path) -> Iterator[str]:
    with served(two_decks) as address:
        yield address


def test_the_mouse_takes_the_point_on_which_it_stands_and_pictures_have_all_points(
    page: Page, dashboard_of_two: str, seen: Seen
) -> None:
    once = {chart.name: chart for chart in reversed(seen.charts)}
    for (view, query), charts in groupby(reversed(once.values()), lambda chart: (chart.page, chart.place)):
        names = [chart.name for chart in charts]
        show(page, f"{dashboard_of_two}/{view}?{urlencode({'game': 'liveon', **query})}")
        for name in names:
            expect(plot_of(page, name)).to_be_visible(timeout=60_000)
            assert plot_of(page, name).evaluate(POINTED_AT, [MOST, 8]) == [], name
        for name in names:  # afterwards, since what Plotly says of a picture lies over charts for a while
            with page.expect_download() as taken:
                plot_of(page, name).locator(".modebar-btn").first.evaluate("button => button.click()")
            assert taken.value.suggested_filename == f"{name}.svg"
            _same_points(ElementTree.parse(taken.value.path()), plot_of(page, name).evaluate(MARKED))


def _same_points(picture: ElementTree.ElementTree, marked: list[list[list[float]]]) -> None:
    """The points of a picture stand where the chart has them, on whatever scale."""
    traces = [one for one in picture.iter() if one.get("class", "").startswith("trace scatter")]
    drawn = [[_placed(one) for one in trace.iter() if "point" in one.get("class", "").split()] for trace in traces]
    for points, own in zip([points for points in drawn if points], marked, strict=True):
        assert len(points) == len(own)
        for shown, values in zip(np.transpose(points), np.transpose(own), strict=True):
            if len(set(values)) > 1:
                line = np.polyfit(values, shown, 1)
                assert np.abs(np.polyval(line, values) - shown).max() < 0.1


def _placed(point: ElementTree.Element) -> tuple[float, ...]:
    return tuple(map(float, point.get("transform", "")[len("translate(") : -1].split(",")))
