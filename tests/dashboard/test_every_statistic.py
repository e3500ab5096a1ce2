"""Each metric is on a page: that of all statistics shows whichever is chosen, its rows and the games behind them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from dashboard import words
from engine.rulebooks import registry
from engine.words import LANGUAGES
from replays.cli import people
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.stats.columns import is_share
from replays.stats.metrics import METRICS, VERSION, Filters, metric
from replays.stats.warehouse import open_warehouse, update
from replays.store.groups import GROUPS_FILE, Family, joined, listed
from replays.store.library import Library
from tests.dashboard.test_pages import opened


@pytest.mark.parametrize("name", METRICS)
def test_each_metric_is_on_the_page_with_its_rows(home: Path, name: str) -> None:
    rows = metric(open_warehouse(home), name, Filters(game="liveon"))
    app = opened("statistics", metric=name)
    assert app.selectbox(key="address_metric").value == name
    said = words.page_words("en")
    assert said[f"m_{name}_means"] in [caption.value for caption in app.caption]
    if not rows.num_rows:
        assert len(app.info) == 1 and ("No counted game" in app.info[0].value) == (name == "left_out")
        return
    shown = app.dataframe[0].value
    assert len(shown) == min(rows.num_rows, 2000) and f"Definitions: version {VERSION}" in app.caption[-1].value
    for column in people.columns(rows.column_names):
        if column.name in shown and column.low is not None and isinstance(rows[column.name][0].as_py(), float):
            scale = 100 if is_share(column.name) else 1
            row = rows.slice(0, 1).to_pylist()[0]
            low, high = (row[rows.column_names[at]] for at in (column.low, column.high or 0))
            assert shown[column.name][0] == pytest.approx(scale * row[column.name])
            half = shown[f"{column.name} ±"][0]
            assert math.isnan(half) if low is None else half == pytest.approx(scale * (high - low) / 2)


@pytest.fixture(scope="module")
def other_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A counted library of the other rulebooks, with redraws, and without a pile that is life."""
    library = Library(tmp_path_factory.mktemp("others") / "library")
    for key in ("xcard", "monbattle"):
        decks = registry.load(key).shipped_decks()[:2]
        plan = Plan(game=key, decks=all_pairs(decks), count=12, player_kinds=("random", "random"), date="2026-03-04")
        simulate_into(library, plan, jobs=1)
    update(library.path)
    return library.path


@pytest.mark.parametrize("key", ["xcard", "monbattle"])
def test_the_page_shows_each_metric_of_the_other_games(
    other_games: Path, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDFOLD_HOME", str(other_games))
    app = opened("statistics", game=key)
    for name in METRICS:
        app.selectbox(key="address_metric").set_value(name).run()
        assert not app.exception and not app.error, name
        assert len(app.dataframe) == (metric(open_warehouse(other_games), name, Filters(game=key)).num_rows > 0), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_metric_and_column_has_its_word(home: Path, language: str) -> None:
    said = words.page_words(language)
    warehouse = open_warehouse(home)
    for name in METRICS:
        assert said[f"m_{name}"] and said[f"m_{name}_means"]
        columns = people.columns(metric(warehouse, name).column_names)
        assert all(said[f"c_{column.name}"] for column in columns if column.name not in ("game", "against"))


def test_a_link_shows_the_games_behind_a_row_and_what_is_no_metric_is_said(home: Path) -> None:
    row = metric(open_warehouse(home), "first_player", Filters(game="liveon")).to_pylist()[0]
    app = opened("statistics", metric="first_player", behind="metric=first_player&game=liveon")
    assert f"{row['games'] + row['draws']} games" in " ".join(text.value for text in app.markdown)
    assert "nosuch" in opened("statistics", metric="nosuch").warning[0].value


def test_a_playlist_and_families_are_filters_as_soon_as_there_are_any(home: Path) -> None:
    library = Library(home)
    entries = library.games()
    every = metric(open_warehouse(home), "deck_win_rate", Filters(game="liveon"))
    assert "playlist" not in [box.label.lower() for box in opened("statistics").selectbox]
    decks = tuple(every["deck"].to_pylist())
    try:
        library.change_groups(lambda old: listed(old, "best", [entry.key for entry in entries[:5]]))
        library.change_groups(lambda old: joined(old, Family("all of them", "liveon", decks)))
        app = opened("statistics", metric="deck_win_rate", families="yes")
        assert list(app.dataframe[0].value["deck_name"]) == ["all of them"]
        app = opened("statistics", metric="endings", playlist="best")
        chosen = metric(open_warehouse(home), "endings", Filters(game="liveon", playlist="best"))
        assert sum(app.dataframe[0].value["games"]) == sum(chosen["games"].to_pylist()) <= 5
        library.change_groups(lambda old: listed(old, "best", [entry.key for entry in entries]))
        assert sum(opened("statistics", metric="endings", playlist="best").dataframe[0].value["games"]) > 5
    finally:
        (home / GROUPS_FILE).unlink()
