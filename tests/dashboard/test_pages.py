"""The pages without a browser: what they show of a library, and what they say where there is nothing to show."""

from __future__ import annotations

import io
import itertools
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from streamlit.testing.v1 import AppTest

from dashboard import data, words
from dashboard.background import jobs
from dashboard.background.kinds import Build
from dashboard.words import menu
from engine.rulebooks import registry
from engine.words import LANGUAGES
from events.game import write_game
from replays.stats.warehouse import Warehouse, open_warehouse, update
from replays.store.library import Library
from tests.dashboard.conftest import HOSTILE
from tests.events import highcard

APP = str(Path(__file__).parents[2] / "dashboard" / "app.py")

GOLDEN = Path(__file__).parents[1] / "golden"


def opened(page: str = "library", **query: str) -> AppTest:
    """A page of the app after its first run."""
    app = AppTest.from_file(APP, default_timeout=30)
    app.query_params.update(query)
    app.run()
    if page != "start":
        app.switch_page(f"views/{page}.py").run()
    assert not app.exception
    return app


def listed(app: AppTest) -> list[dict[str, Any]]:
    """The rows of the list of games on a page."""
    shown = [json.loads(part.proto.json) for part in app.get("bidi_component")]  # type: ignore[union-attr]
    return next((part["rows"] for part in shown if "rows" in part), [])


def literally(markdown: str) -> str:
    """What Markdown shows letter by letter."""
    return re.sub(r"\\(.)", r"\1", markdown.replace(":small[]", ""))


def ids(app: AppTest) -> list[str]:
    return [row["id"] for row in listed(app)]


def decks(app: AppTest) -> list[tuple[str, str]]:
    return [(row["sides"][0]["deck"], row["sides"][1]["deck"]) for row in listed(app)]


def test_the_library_lists_all_games_with_who_won(home: Path) -> None:
    app = opened()
    rows, entries = listed(app), {entry.id: entry for entry in Library(home).games()}
    assert len(rows) == 15
    assert {row["cells"]["verdict"] for row in rows} == {"simulated here", "verified", "altered", "cut"}
    assert {row["id"]: row["winner"] for row in rows} == {name: entry.winner for name, entry in entries.items()}
    assert [row["ending"] for row in rows if row["id"] == "cut"] == ["not ended"]
    assert HOSTILE in {row["sides"][0]["player"] for row in rows}
    assert all(side["marks"] for row in rows for side in row["sides"]), "the decks' colours"


def test_lives_are_those_of_the_facts_and_absent_where_none_were_gathered(home: Path) -> None:
    warehouse = open_warehouse(home)
    turns, _ = warehouse.ask("SELECT game_id, turn, life_0, life_1 FROM turns JOIN games USING (g) ORDER BY g, turn")
    for row in listed(opened()):
        facts = [one for one in turns.to_pylist() if one["game_id"] == row["id"]]
        assert row["life"] == {
            "first": [one["life_0"] for one in facts], "second": [one["life_1"] for one in facts]
        }  # fmt: skip


def test_lives_are_not_drawn_of_games_that_were_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(tmp_path / "uncounted")
    library.import_paths([io.BytesIO(write_game((*highcard.SHARED, highcard.game(3))))])
    monkeypatch.setenv("CARDFOLD_HOME", str(library.path))
    assert [row["life"] for row in listed(opened())] == [None]
    update(library.path)
    library.import_paths([io.BytesIO(write_game((*highcard.SHARED, highcard.game(4, id="later"))))])
    later, counted = listed(opened())
    assert later["life"] is None and counted["life"] == {"first": [2, 2, 2], "second": [3, 3, 3]}


def test_columns_that_are_the_same_in_all_games_are_left_out(home: Path) -> None:
    shown = opened().get("bidi_component")[0].proto  # type: ignore[union-attr]
    assert set(json.loads(shown.json)["columns"]) == {"players", "format", "turns", "decisions", "origin", "verdict"}
    shown = opened(search="hostile").get("bidi_component")[0].proto  # type: ignore[union-attr]
    assert json.loads(shown.json)["columns"] == []


def test_the_library_is_filtered_by_words_deck_and_verdict(home: Path) -> None:
    app = opened()
    app.text_input(key="address_search").set_value("onerror").run()
    assert ids(app) == ["hostile"]
    app.text_input(key="address_search").set_value("").run()
    digest, deck = next(iter(data.filter_choices("deck", "", "en").items()))
    app.selectbox(key="address_deck").set_value(digest).run()
    pairs = decks(app)
    assert 0 < len(pairs) < 15 and all(deck in pair for pair in pairs)
    app.selectbox(key="address_deck").set_value("").run()
    app.selectbox(key="address_verdict").set_value("cut").run()
    assert ids(app) == ["cut"]


def test_games_of_each_verdict_can_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = [write_game((*highcard.SHARED, highcard.game(n, id=f"g{n}"))) for n in (3, 4)]
    library = Library(tmp_path / "library")
    library.import_paths([GOLDEN / "liveon.jsonl", *map(io.BytesIO, (foreign[0], foreign[1][:-300]))])
    monkeypatch.setenv("CARDFOLD_HOME", str(library.path))
    app = opened()
    for verdict, word, names in (("unchecked", "cannot be checked", ["g3"]), ("cut", "cut", ["g4"])):
        app.selectbox(key="address_verdict").set_value(verdict).run()
        assert ids(app) == names and {row["cells"]["verdict"] for row in listed(app)} == {word}
    app.selectbox(key="address_verdict").set_value("verified").run()
    assert len(listed(app)) == len(library.games()) - 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_shipped_decks_are_called_in_the_reader_s_language(home: Path, language: str) -> None:
    shipped = registry.load("liveon").shipped_decks()
    names = {deck.called(language) for deck in shipped}
    others = {deck.called(other) for deck in shipped for other in LANGUAGES} - names
    app = opened(language=language)
    every = [name for pair in decks(app) for name in pair]
    assert not set(every) & others
    deck = next(name for name in every if name in names)
    app.text_input(key="address_search").set_value(deck.lower()).run()
    assert 0 < len(decks(app)) < len(every) / 2
    assert all(deck in pair for pair in decks(app))
    for page in (app, opened("cards", language=language)):
        options = page.selectbox(key="address_deck").options
        assert names & set(options) and not others & set(options)


def test_an_empty_library_says_what_to_do_on_every_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path / "empty"))
    counted = ("library", "replay", "cards", "decks", "meta", "compare", "statistics", "sql")
    told = dict.fromkeys(counted, "run `cardfold demo`") | {"start": "Play one yourself", "jobs": "Nothing has run yet"}
    begins = {"play": "play_start", "simulate": "simulate_start", "lab": "lab_start"}
    for name in words.menu():
        app = opened(name)
        if name in told:
            assert told[name] in app.info[0].value, (name, app.info[0].value)
        elif name in begins:
            assert app.button(key=begins[name]).label and not app.error, name
        else:
            assert name == "rules" and app.get("html"), name  # they need no games


def missing(warehouse: Path) -> None:
    warehouse.unlink()


def of_other_definitions(warehouse: Path) -> None:
    with duckdb.connect(str(warehouse)) as connection:
        connection.execute("UPDATE definition SET version = 'm0'")


def of_other_statements(warehouse: Path) -> None:
    with duckdb.connect(str(warehouse)) as connection:
        connection.execute("UPDATE definition SET statements = 'others'")


def damaged(warehouse: Path) -> None:
    warehouse.write_bytes(b"of long ago")


UNUSABLE: dict[Callable[[Path], None], str] = {
    missing: "The games have not been counted yet.",
    of_other_definitions: "The statistics were counted by another version of Cardfold.",
    of_other_statements: "The statistics were counted by another version of Cardfold.",
    damaged: "cannot be opened",
}


@pytest.mark.parametrize(("page", "make"), [
    *itertools.product(["cards", "sql"], UNUSABLE),  # the two ways in which pages come by the statistics
    *itertools.product(["decks", "meta", "compare", "statistics"], [of_other_statements]),
])  # fmt: skip
def test_where_statistics_cannot_be_used_a_click_counts_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str, make: Callable[[Path], None]
) -> None:
    library = Library(tmp_path / "uncounted")
    library.import_paths([io.BytesIO(write_game((*highcard.SHARED, highcard.game(3))))])
    update(library.path)
    make(library.path / "warehouse.duckdb")
    monkeypatch.setenv("CARDFOLD_HOME", str(library.path))
    monkeypatch.setattr(jobs, "MOST_RUNNING", 0)
    app = opened(page)
    assert [UNUSABLE[make] in one.value for one in (*app.info, *app.warning)] == [True]
    app.button(key="count").click().run()
    (job,) = jobs.jobs_of(library.path).listed()
    assert job.work == Build()
    job.work.carry_out(library, lambda stage, done, total: None)
    assert "count" not in [button.key for button in opened(page).button]
    jobs.jobs_of(library.path).stop(job.id)


@pytest.mark.parametrize(("log", "why"), [
    (write_game((*highcard.SHARED, highcard.game(3))), "1 that cannot be checked here"),
    (write_game((*highcard.SHARED, highcard.game(3)[:-2])), "1 not finished"),
    (write_game((*highcard.SHARED, highcard.game(3, view=0))), "1 as one seat saw it"),
])  # fmt: skip
def test_where_no_game_counts_the_cards_say_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: bytes, why: str
) -> None:
    library = Library(tmp_path / "left_out")
    library.import_paths([io.BytesIO(log)])
    update(library.path)
    monkeypatch.setenv("CARDFOLD_HOME", str(library.path))
    for page in ("cards", "decks", "meta"):
        assert opened(page).info[0].value == f"Games are there, but none of them counts: {why}."


def no_library(folder: Path) -> str:
    (folder / "letters.txt").write_text("dear")
    return "is no library"


def of_a_later_version(folder: Path) -> str:
    about = Library(folder).path / "library.toml"
    about.write_text(re.sub(r"layout = \d+", "layout = 999", about.read_text()))
    return "newer"


def damaged_description(folder: Path) -> str:
    (Library(folder).path / "library.toml").write_text("layout = [")
    return "it should hold the line"


@pytest.mark.parametrize("page", [name for name in menu() if name != "rules"])
@pytest.mark.parametrize("make", [no_library, of_a_later_version, damaged_description])
def test_a_library_that_cannot_be_opened_is_a_sentence_on_every_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str, make: Callable[[Path], str]
) -> None:
    why = make(tmp_path)
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path))
    assert [why in one.value for one in opened(page).error] == [True]


def test_cards_are_listed_with_interval_and_games(home: Path) -> None:
    app = opened("cards")
    table = app.dataframe[0].value
    assert list(table) == ["", "card", "cost", "kind", "interval", "effect", "games"]
    effects = table["effect"].dropna()
    assert len(effects) > 20 and effects.iloc[0] > 0 > effects.min(), "it opens on the draw effect, the best on top"
    assert set(table["kind"]) == {"Fighter", "Monster", "Skill"}
    assert len(table) > 40
    assert table["games"].max() <= 26
    assert "13** games" in "".join(text.value for text in app.markdown)


def test_cards_can_be_counted_by_games_and_by_deck(home: Path) -> None:
    app = opened("cards", view="all")
    by_copies = app.dataframe[0].value
    assert set(by_copies["iih"]) == {"–"}, "the deck is the life of this game"
    app.segmented_control[1].set_value("games").run()
    by_games = app.dataframe[0].value
    assert not by_games["gih_wr"].equals(by_copies["gih_wr"])
    deck = app.selectbox[1]
    deck.set_value(deck.options[1] if deck.options[1] in deck.options else deck.options[0])
    app.selectbox[2].set_value("first").run()
    assert not app.exception
    assert len(app.dataframe[0].value) <= len(by_copies)


def test_a_replay_of_an_unknown_game_is_a_sentence_with_a_way_back(home: Path) -> None:
    app = AppTest.from_file(APP, default_timeout=30)
    app.run()
    app.query_params["game"] = "nowhere"
    app.switch_page("views/replay.py")
    app.query_params["game"] = "nowhere"
    app.run()
    assert not app.exception
    assert "There is no game 'nowhere'" in app.error[0].value


def test_a_game_that_is_not_installed_can_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(tmp_path / "foreign")
    library.import_paths([io.BytesIO(write_game((*highcard.SHARED, highcard.game(3))))])
    monkeypatch.setenv("CARDFOLD_HOME", str(library.path))
    app = opened("replay")
    assert not app.error and not app.info


@pytest.mark.parametrize("page", [name for name in menu() if name != "sql"])
def test_a_page_shown_again_parses_no_file_and_asks_the_warehouse_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    app = opened(page)
    done: list[str] = []
    parse, query = tomllib.loads, Warehouse.query

    def parsing(text: str, **options: Any) -> dict[str, Any]:
        done.append(text[:60])
        return parse(text, **options)

    def asking(self: Warehouse, name: str, **parameters: Any) -> pa.Table:
        done.append(name)
        return query(self, name, **parameters)

    monkeypatch.setattr(tomllib, "loads", parsing)
    monkeypatch.setattr(Warehouse, "query", asking)
    app.run()
    assert done == []


def test_of_more_games_than_a_page_can_list_the_newest_are_listed_and_it_is_said(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_all = len(ids(opened()))
    for most in (2, in_all):
        data._listing.clear()
        monkeypatch.setattr(data, "MOST_LISTED", most)
        app = opened()
        assert len(ids(app)) == most
        said = [caption.value for caption in app.caption if "`cardfold list` finds the older ones" in caption.value]
        assert len(said) == (most < in_all)
    data._listing.clear()
