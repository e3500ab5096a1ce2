"""The pages of statistics without a browser: what they show is what the metrics say, and each number has its games."""

from __future__ import annotations

import itertools
import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import words
from dashboard.charts import marks, matrix, ranking
from dashboard.stats.one_card import NUMBERS
from engine.rulebooks import registry
from engine.words import LANGUAGES
from events.kinds import CardMoved, TurnBegan
from replays.stats import warehouse as warehouses
from replays.stats.behind import games_behind, record_of
from replays.stats.compare import compare
from replays.stats.metrics import METRICS, Filters, metric
from replays.stats.warehouse import Warehouse, build_warehouse, open_warehouse
from replays.store.library import Library
from tests.dashboard.conftest import HOSTILE
from tests.dashboard.test_pages import opened
from tests.dashboard.test_palette import contrast

LIVE_ON = Filters(game="liveon")


@pytest.fixture
def warehouse(home: Path) -> Warehouse:
    return open_warehouse(home)


def rows(warehouse: Warehouse, name: str, filters: Filters = LIVE_ON) -> list[dict[str, object]]:
    found: list[dict[str, object]] = metric(warehouse, name, filters).to_pylist()
    return found


def charts_of(app: AppTest) -> list[str]:
    """The questions of a page's charts."""
    return [text.value for text in app.markdown if text.value.startswith("**") and "?" in text.value]


def card_of(warehouse: Warehouse) -> str:
    """A card that is well played."""
    found = max(rows(warehouse, "gih_wr"), key=lambda row: row["games"])  # type: ignore[arg-type, return-value]
    return str(found["code"])


@pytest.mark.parametrize("value", [-3.0, -1.0, 0.0, 0.4, 1.0, 7.0])
def test_an_interval_is_seen_whole_in_its_column_also_where_it_leaves_the_scale(value: float) -> None:
    image = unquote(marks.interval(value, value - 1, value + 1, True, (-1.0, 1.0), 0.0))
    width = float(re.search(r'width="(\d+)"', image)[1])  # type: ignore[index]
    assert width == marks.BAR - 16, "a cell has a margin of 8 pixels at either side"
    dot, radius = (float(re.search(rf'{name}="([\d.]+)"', image)[1]) for name in ("cx", " r"))  # type: ignore[index]
    ends = [float(end) for end in re.search(r"M([\d.]+) 11H([\d.]+)", image).groups()]  # type: ignore[union-attr]
    assert radius < dot < width - radius and 3 <= min(ends) <= max(ends) <= width - 3


# --- cards --------------------------------------------------------------------------------------------------


def test_a_card_s_page_has_all_its_numbers_with_interval_and_games(warehouse: Warehouse) -> None:
    code = card_of(warehouse)
    app = opened("cards", game="liveon", card=code)
    table = app.dataframe[0].value.set_index("number")
    said = words.page_words("en")
    own = next(row for row in rows(warehouse, "gih_wr") if row["code"] == code)
    line = table.loc[said["m_gih_wr"]]
    assert line["value"] == f"{100 * own['rate']:.1f} %" and line["games"] == own["games"]  # type: ignore[operator]
    assert line["between"] == f"{100 * own['low']:.1f} % … {100 * own['high']:.1f} %"  # type: ignore[operator]
    known = {
        number.word for number in NUMBERS
        for row in rows(warehouse, number.metric) if row["code"] == code and row[number.column] is not None
    }
    assert set(table.index) == {said[word] for word in known} and len(known) > 12
    assert app.header[0].value == registry.load("liveon").cards[code].name
    assert len(charts_of(app)) == 5


@pytest.mark.parametrize("code", ["EMB-999", HOSTILE, "a" * 3000])
def test_a_card_that_nobody_played_is_a_sentence_with_a_way_back(home: Path, code: str) -> None:
    app = opened("cards", card=code)
    assert "No counted game has this card" in app.info[0].value
    app.button[0].click().run()
    assert "card" not in app.query_params and len(app.dataframe[0].value) > 40


@pytest.mark.parametrize("page", ["cards", "card", "decks", "meta", "statistics"])
def test_what_a_library_of_sums_cannot_tell_is_a_sentence_and_all_else_is_shown(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.setenv("CARDFOLD_HOME", str(shutil.copytree(home, tmp_path / "library")))
    monkeypatch.setattr(warehouses, "MOST_GAMES", 0)
    build_warehouse(tmp_path / "library")
    card = {"card": card_of(open_warehouse(tmp_path / "library"))} if page == "card" else {}
    view = "cards" if page == "card" else page
    app = opened(view, game="liveon", **card)
    assert not app.error and (app.dataframe or app.get("plotly_chart"))
    app = opened(view, game="liveon", player=HOSTILE, **card)
    assert "statistics keep sums only" in app.error[0].value and not app.info


# --- decks --------------------------------------------------------------------------------------------------


def test_decks_are_listed_as_the_metrics_have_them(warehouse: Warehouse) -> None:
    app = opened("decks", game="liveon")
    table = app.dataframe[0].value
    own = {row["deck_name"]: row for row in rows(warehouse, "deck_win_rate")}
    assert set(table["deck"]) == set(own)
    for _, line in table.iterrows():
        assert line["win_rate"] == pytest.approx(100 * own[line["deck"]]["rate"])  # type: ignore[operator]
        assert line["games"] == own[line["deck"]]["games"]
    assert table["share"].sum() == pytest.approx(100)
    assert charts_of(app) == ["**Who beats whom? Rows against columns**"]


def test_a_deck_s_page_has_its_list_and_whom_it_met(warehouse: Warehouse) -> None:
    row = max(rows(warehouse, "deck_win_rate"), key=lambda row: row["games"])  # type: ignore[arg-type, return-value]
    app = opened("decks", game="liveon", list=str(row["deck"])[:12])
    assert app.header[0].value == row["deck_name"]
    assert app.dataframe[0].value["copies"].sum() == 41
    assert app.metric[0].value == f"{100 * row['rate']:.1f} %"  # type: ignore[operator]
    assert "**Whom does it beat, and who beats it?**" in charts_of(app)
    assert "No counted game has this deck" in opened("decks", list="nothing").info[0].value


def test_a_cell_of_the_matrix_is_in_the_address(warehouse: Warehouse) -> None:
    cell = next(row for row in rows(warehouse, "matchups") if row["deck"] != row["against"])
    app = opened("decks", game="liveon", pair=f"{str(cell['deck'])[:12]} {str(cell['against'])[:12]}")
    assert f"{100 * cell['rate']:.1f} %" == app.metric[0].value  # type: ignore[operator]
    assert any(f"Open the {cell['games']:,} games" == button.label for button in app.button)


# --- meta, compare ------------------------------------------------------------------------------------------


def test_each_chart_of_the_meta_page_is_titled_with_its_question(warehouse: Warehouse) -> None:
    app = opened("meta", game="liveon")
    asked = charts_of(app)
    first = rows(warehouse, "first_player")[0]
    assert asked[0].startswith(f"**Is it better to go first? {100 * first['rate']:.1f} %")  # type: ignore[operator]
    assert asked[1:] == ["**How do games end?**", "**How long do games last?**"]
    app.segmented_control(key="address_charts").set_value("time").run()
    assert charts_of(app) == [
        "**From when on do winners lead?**", "**How do the decks that are played most fare over time?**",
    ]  # fmt: skip
    assert charts_of(opened("meta", game="liveon", charts="time")) == charts_of(app)


def test_two_sides_are_compared_as_the_metric_is(warehouse: Warehouse) -> None:
    assert opened("compare", game="liveon").info[0].value.startswith("Both sides are the same games")
    app = opened("compare", game="liveon", metric="gp_wr", a_seat="first", b_seat="second")
    table = app.dataframe[0].value
    sides = (Filters(game="liveon", seat=seat) for seat in ("first", "second"))
    expected = compare(warehouse, "gp_wr", *sides).to_pylist()
    assert list(table["about"]) == [row["card"] for row in expected]
    for shown, row in zip(table["difference"], expected, strict=True):
        assert row["difference"] is None or shown == pytest.approx(100 * row["difference"])
    assert list(table["stands"]) == ["✓" if row["apart_of_all"] else "" for row in expected]
    assert not opened("compare", metric="nothing").exception


# --- games behind -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "asked"), [
    ("cards", {"metric": "gih_wr"}), ("cards", {"metric": "played_by_turn"}), ("meta", {"metric": "first_player"}),
    ("meta", {"metric": "endings", "reason": "burst"}), ("meta", {"metric": "course", "turn": "9"}),
])  # fmt: skip
def test_the_games_behind_a_number_are_those_that_it_is_made_of(
    warehouse: Warehouse, page: str, asked: dict[str, str]
) -> None:
    row = {name: value for name, value in asked.items() if name != "metric"}
    if page == "cards":
        row["code"] = card_of(warehouse)
    if asked["metric"] == "played_by_turn":
        row["first_turn"] = str(next(
            one["first_turn"] for one in rows(warehouse, "played_by_turn") if one["code"] == row["code"]))
    found = games_behind(warehouse, asked["metric"], row, LIVE_ON)
    behind = "&".join(f"{name}={value}" for name, value in ({"metric": asked["metric"]} | row).items())
    app = opened(page, game="liveon", behind=behind)
    assert len(app.dataframe[-1].value) == found.num_rows > 0
    assert any(f"{found.num_rows} games" in text.value for text in app.markdown)


def test_games_behind_a_difference_are_those_of_either_side(warehouse: Warehouse) -> None:
    code = card_of(warehouse)
    app = opened("compare", game="liveon", metric="gp_wr", a_seat="first", b_seat="second",
                 behind=f"metric=gp_wr&code={code}")  # fmt: skip
    for side, seat in (("A", "first"), ("B", "second")):
        app.segmented_control(key="behind_side").set_value(side).run()
        found = games_behind(warehouse, "gp_wr", {"code": code}, Filters(game="liveon", seat=seat))  # type: ignore[arg-type]
        assert len(app.dataframe[-1].value) == found.num_rows


@pytest.mark.parametrize("behind", ["metric=nothing", "metric=gih_wr&code=nothing", HOSTILE, "metric=gih_wr&joy=1"])
def test_an_address_that_asks_for_games_behind_nothing_breaks_nothing(home: Path, behind: str) -> None:
    app = opened("cards", game="liveon", behind=behind)
    assert len(app.dataframe) >= 1


def test_a_game_behind_a_number_opens_at_the_play(warehouse: Warehouse, home: Path) -> None:
    code, library = card_of(warehouse), Library(home)
    for name, happens in (("played_wr", CardMoved), ("gd_wr", CardMoved), ("oh_wr", TurnBegan)):
        for row in games_behind(warehouse, name, {"code": code}, LIVE_ON).to_pylist():
            log = library.open(row["game_id"])
            number = record_of(log, row["seat"], code, METRICS[name].copies)
            assert isinstance(log.events[number], happens) and number > 0, (name, row["game_id"])


# --- charts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_numbers_of_the_matrix_can_be_read_on_every_colour(theme: str) -> None:
    for percent in range(101):
        colour = matrix.cell_colour(percent / 100, theme)
        assert contrast(colour, matrix.ink_on(colour)) >= 4.58
    assert contrast(matrix.SUNKEN[theme], matrix.MUTED[theme]) >= 4.5


def test_names_of_strangers_stay_text_in_charts(warehouse: Warehouse) -> None:
    frame = metric(warehouse, "gp_wr", LIVE_ON).to_pandas().head(3)
    frame = frame.assign(label=[HOSTILE, "Ann<br>Bo", "%{x} & co"], value=1.0, key=frame["code"], sure=True)
    figure = ranking.ranked(frame, "x", words.page_words("en"))
    texts = [*figure.layout.yaxis.ticktext, *figure.data[0].text]
    assert not any("<img" in text or "Ann<br>" in text for text in texts)
    assert texts[-1] == "%{x} &amp; co" and "%{x}" not in figure.data[0].hovertemplate


@pytest.mark.parametrize(("name", "lines"), [
    ("Red Rush", 1), ("Candle Court of the North", 3), ("x" * 90, 3), ("水" * 30, 3), ("", 0),
])  # fmt: skip
def test_names_over_columns_are_no_wider_than_these(name: str, lines: int) -> None:
    found = [line for line in marks.wrapped(name, 11, 3).split("<br>") if line]
    assert len(found) == lines and all(len(line) <= 11 for line in found)


def test_what_pages_of_statistics_say_of_a_metric_is_there_in_every_language() -> None:
    named = {number.word for number in NUMBERS} | {f"m_{name}" for name in _compared()}
    for language, (word, suffix) in itertools.product(LANGUAGES, itertools.product(named, ("", "_means"))):
        assert words.own_words(words.PAGES.parent / "page_words" / "numbers.toml")[language][word + suffix]


def _compared() -> tuple[str, ...]:
    text = (words.VIEWS_FOLDER / "compare.py").read_text("utf-8")
    return tuple(name for name in METRICS if f'"{name}"' in text)
