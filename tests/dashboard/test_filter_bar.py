"""The filter bar: the same on each page, in the address, and as it was on other pages."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from dashboard import data, filter_bar
from engine.words import LANGUAGES
from replays.stats.metrics import Filters
from tests.dashboard.test_pages import ids, opened

VALUES = {
    "search": "a", "game": "liveon", "deck": "deck", "seat": "first", "player_kind": "random", "since": "2026-01-02",
    "until": "2026-02-03", "verdict": "cut", "player": "random", "format": "standard", "card_set": "card set",
    "tags": "tag", "reasons": "reason", "least_turns": "3", "most_turns": "40", "unchecked": "yes",
}  # fmt: skip
TAKEN = {
    "library": set(VALUES) - {"seat", "unchecked"},
    "cards": set(VALUES) - {"search", "verdict"},
}


def address(app: AppTest) -> dict[str, str]:
    return {name: str(one if isinstance(one, str) else one[0]) for name, one in app.query_params.items()}


def filters_of(app: AppTest) -> dict[str, str]:
    """What the widgets of the bar show."""
    kept: dict[str, str] = app.session_state["address_kept"]
    return {name: value for name, value in kept.items() if value}


@pytest.mark.parametrize("page", TAKEN)
@pytest.mark.parametrize("name", VALUES)
def test_each_filter_is_taken_from_the_address_and_what_cannot_be_is_said(home: Path, page: str, name: str) -> None:
    good = VALUES[name]
    if name in ("deck", "card_set", "reasons", "player"):
        good = next(iter(data.filter_choices(name, "", "en")))
    for value in (good, "<script>", "![](http://x.test/a.png)"):
        app = opened("library", **({name: value} if page == "library" else {}))
        if page != "library":
            app.query_params[name] = value
            app.switch_page(f"views/{page}.py")
            app.query_params[name] = value
            app.run()
        assert not app.exception and not app.error
        wrong = (value != good and name in TAKEN[page] - {"search"}) or name == "tags"  # no game has any
        assert len(app.warning) == wrong, [w.value for w in app.warning]
        if wrong:
            assert value.replace("![](", r"\!\[\]\(")[:6] in app.warning[0].value
            assert "![](" not in app.warning[0].value, "nothing is loaded from where an address says"
        elif name in TAKEN[page]:
            assert filters_of(app)[name] == value


def test_what_is_chosen_is_in_the_address_and_survives_other_pages(home: Path) -> None:
    app = opened("library", game="liveon")  # there is no other game to choose
    deck = next(iter(data.filter_choices("deck", "", "en")))
    app.selectbox(key="address_deck").set_value(deck).run()
    app.text_input(key="address_search").set_value("random").run()
    assert address(app) == {"game": "liveon", "deck": deck, "search": "random"}
    found = ids(app)
    assert 0 < len(found) < 15
    app.query_params.clear()  # as the menu does
    app.switch_page("views/cards.py").run()
    assert app.selectbox(key="address_deck").value == deck
    app.selectbox(key="address_deck").set_value("").run()
    app.query_params.clear()
    app.switch_page("views/library.py").run()
    assert app.text_input(key="address_search").value == "random" and app.selectbox(key="address_deck").value == ""
    again = opened("library", game="liveon", deck=deck, search="random")
    assert ids(again) == found


def test_another_game_takes_back_what_belongs_to_a_game(home: Path) -> None:
    deck = next(iter(data.filter_choices("deck", "", "en")))
    app = opened("library", game="liveon", deck=deck)
    app.selectbox(key="address_game").set_value("").run()
    assert address(app) == {} and app.selectbox(key="address_deck").value == ""


def test_the_browser_s_back_button_takes_a_filter_back(home: Path) -> None:
    app = opened("library", search="onerror")
    assert ids(app) == ["hostile"]
    app.query_params.clear()
    app.run()
    assert len(ids(app)) == 15 and app.text_input(key="address_search").value == ""


def test_filters_as_an_address_has_them_come_back_as_they_were(home: Path) -> None:
    deck = data.deck_of(next(iter(data.filter_choices("deck", "", "en"))))
    wanted = Filters(game="liveon", deck=deck, seat="second", least_turns=3, unchecked=True)
    assert filter_bar.in_address(wanted, "left_") == {
        "left_game": "liveon", "left_deck": data.short(deck), "left_seat": "second", "left_least_turns": "3",
        "left_unchecked": "yes",
    }  # fmt: skip
    app = AppTest.from_string(
        "from dashboard import address, filter_bar\n"
        "address.arrive('any')\n"
        "import streamlit as st\n"
        "st.session_state['found'] = filter_bar.show(*filter_bar.FILTERS, side='left_').filters\n"
    )
    app.query_params.update(filter_bar.in_address(wanted, "left_"))
    app.run(timeout=30)
    assert not app.exception and app.session_state["found"] == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_choices_are_in_the_reader_s_language(home: Path, language: str) -> None:
    said = {name: set(data.filter_choices(name, "", language).values()) for name in ("game", "player_kind", "reasons")}
    english = {name: set(data.filter_choices(name, "", "en").values()) for name in said}
    for name, names in said.items():
        assert names and all(names), name
        assert language == "en" or name == "game" or not names & english[name]


def test_an_address_is_completed_and_reloads_to_the_same_view(page: Page, server: str) -> None:
    page.goto(f"{server}/library?search=onerror")
    expect(page.get_by_text("1 of 15 games")).to_be_visible(timeout=30_000)
    page.get_by_role("link", name="Cards").click()
    expect(page.get_by_role("heading", name="Cards")).to_be_visible(timeout=30_000)
    page.wait_for_function("location.search === '?game=liveon'")
    page.get_by_role("link", name="Library").click()
    expect(page.get_by_text("1 of 15 games")).to_be_visible(timeout=30_000)
    page.wait_for_function("new URLSearchParams(location.search).get('search') === 'onerror'")
    assert parse_qs(urlsplit(page.url).query)["game"] == ["liveon"]
    page.reload()
    expect(page.get_by_text("1 of 15 games")).to_be_visible(timeout=30_000)
    box = page.get_by_role("textbox", name="Search")
    box.fill("random")
    box.press("Enter")
    page.wait_for_function("new URLSearchParams(location.search).get('search') === 'random'")
    page.go_back()
    expect(page.get_by_text("1 of 15 games")).to_be_visible(timeout=30_000)
    page.go_back()
    expect(page.get_by_role("heading", name="Cards")).to_be_visible(timeout=30_000)
