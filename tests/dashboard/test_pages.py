"""The pages without a browser: what they show of a library, and what they say where there is nothing to show."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import data
from engine.rulebooks import registry
from engine.words import LANGUAGES
from events.game import write_game
from replays.stats.warehouse import update
from replays.store.library import Library
from tests.dashboard.conftest import HOSTILE
from tests.events import highcard

APP = str(Path(__file__).parents[2] / "dashboard" / "app.py")

GOLDEN = Path(__file__).parents[1] / "golden"

pytestmark = pytest.mark.xdist_group("dashboard")


def opened(page: str = "library", **query: str) -> AppTest:
    """A page of the app after its first run."""
    app = AppTest.from_file(APP, default_timeout=30)
    app.query_params.update(query)
    app.run()
    if page != "library":
        app.switch_page(f"views/{page}.py").run()
    assert not app.exception
    return app


def test_the_library_lists_all_games_with_who_won(home: Path) -> None:
    table = opened().dataframe[0].value
    assert len(table) == 15
    assert set(table["verdict"]) == {"simulated here", "verified", "altered", "cut"}
    assert (table["won_by"] == "not ended").sum() == 1
    assert HOSTILE in set(table["first"])


def test_the_library_is_filtered_by_words_deck_and_verdict(home: Path) -> None:
    app = opened()
    app.text_input(key="address_search").set_value("onerror").run()
    assert list(app.dataframe[0].value["id"]) == ["hostile"]
    app.text_input(key="address_search").set_value("").run()
    digest, deck = next(iter(data.filter_choices("deck", "", "en").items()))
    app.selectbox(key="address_deck").set_value(digest).run()
    shown = app.dataframe[0].value
    pairs = list(zip(shown["deck_first"], shown["deck_second"], strict=True))
    assert 0 < len(pairs) < 15 and all(deck in pair for pair in pairs)
    app.selectbox(key="address_deck").set_value("").run()
    app.selectbox(key="address_verdict").set_value("cut").run()
    assert list(app.dataframe[0].value["id"]) == ["cut"]


def test_games_of_each_verdict_can_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = [write_game((*highcard.SHARED, highcard.game(n, id=f"g{n}"))) for n in (3, 4)]
    library = Library(tmp_path / "library")
    library.import_paths([GOLDEN / "liveon.jsonl", *map(io.BytesIO, (foreign[0], foreign[1][:-300]))])
    monkeypatch.setenv("CARDFOLD_HOME", str(library.path))
    app = opened()
    for verdict, word, ids in (("unchecked", "cannot be checked", ["g3"]), ("cut", "cut", ["g4"])):
        app.selectbox(key="address_verdict").set_value(verdict).run()
        assert list(app.dataframe[0].value["id"]) == ids and set(app.dataframe[0].value["verdict"]) == {word}
    app.selectbox(key="address_verdict").set_value("verified").run()
    assert len(app.dataframe[0].value) == len(library.games()) - 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_shipped_decks_are_called_in_the_reader_s_language(home: Path, language: str) -> None:
    shipped = registry.load("liveon").shipped_decks()
    names = {deck.called(language) for deck in shipped}
    others = {deck.called(other) for deck in shipped for other in LANGUAGES} - names
    app = opened(language=language)
    table = app.dataframe[0].value
    assert not {*table["deck_first"], *table["deck_second"]} & others
    deck = next(name for name in table["deck_first"] if name in names)
    app.text_input(key="address_search").set_value(deck.lower()).run()
    found = app.dataframe[0].value
    assert 0 < len(found) < len(table)
    assert all(deck in pair for pair in zip(found["deck_first"], found["deck_second"], strict=True))
    for page in (app, opened("cards", language=language)):
        options = page.selectbox(key="address_deck").options
        assert names & set(options) and not others & set(options)


def test_an_empty_library_says_what_to_do_on_every_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path / "empty"))
    for page in ("library", "replay", "cards", "decks", "meta", "compare"):
        app = opened(page)
        assert "run `cardfold demo`" in app.info[0].value


def test_what_is_imported_is_listed_at_once_and_files_have_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path / "library"))
    app = opened()
    assert app.info[0].value.startswith("No games yet")
    log = write_game((*highcard.SHARED, highcard.game(1, id="a1")))
    app.file_uploader[0].set_value([("a.jsonl", log, ""), ("README.md", b"# Hello", "")])
    app.button[0].click().run()
    assert not app.exception and not app.info
    assert app.markdown[0].value == "1 new, 0 there already, 0 in part, 1 refused."
    report, games = (table.value for table in app.dataframe)
    assert set(report["File"]) == {"a.jsonl", "README.md"} and list(games["id"]) == ["a1"]


def test_games_without_statistics_say_how_to_count_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(tmp_path / "uncounted")
    library.import_paths([io.BytesIO(write_game((*highcard.SHARED, highcard.game(3))))])
    monkeypatch.setenv("CARDFOLD_HOME", str(library.path))
    for page in ("cards", "decks", "meta", "compare"):
        assert "No data yet: run" in opened(page).info[0].value


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


def test_a_folder_that_is_no_library_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "letters.txt").write_text("dear")
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path))
    for page in ("library", "replay", "cards", "decks", "meta", "compare"):
        assert "is no library" in opened(page).error[0].value


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
