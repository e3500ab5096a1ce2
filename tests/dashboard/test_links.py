"""A page with everything chosen that can be: its address, opened by somebody else, shows the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from statistics import mode
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import data
from dashboard.words import VIEWS_FOLDER
from engine.rulebooks import registry
from replays.play.simulate import Plan, simulate_into
from replays.stats.warehouse import update
from replays.store.groups import listed
from replays.store.library import Library
from tests.dashboard.test_pages import opened
from tests.dashboard.test_strangers_text import drawn

FILTERS = {
    "search": "random", "seat": "second", "since": date(2026, 3, 1), "until": date(2026, 3, 31), "tags": "cup",
    "player_kind": "random", "format": "standard", "least_turns": 3, "most_turns": 200,
    "playlist": "best", "unchecked": True, "words": "card",
}  # fmt: skip
"""What is chosen, besides a deck, an ending and a player; of a page's own choices one or another."""

LEFT = {"families", "b_seat", "b_playlist"}
"""What is left as it is: with families decks are other ones (`test_every_statistic`), two sides have to differ."""

PAGES = {
    "library": {"order", "verdict"}, "cards": {"view", "unit"}, "decks": {"most"}, "meta": {"charts", "measure", "cut"},
    "compare": {"metric", "a_deck", "b_deck"}, "statistics": {"metric"}, "rules": {"words"},
}  # fmt: skip
"""Pages of which something is kept in the address -> choices that other pages have not."""

UNTOLD = (".id", ".deferred_file_id", ".styler.uuid", ".styler.styles")
"""Fields with what only tells apart one drawing of a page from the next."""


@pytest.fixture(scope="module")
def varied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A counted library in which each filter has something to choose."""
    library = Library(tmp_path_factory.mktemp("varied") / "library")
    decks = registry.load("liveon").shipped_decks()
    pairs = tuple((one, other) for one, other in pairwise(decks) if one.format == other.format)
    for day, kind, tag, count in (("2026-03-02", "random", "cup", 42), ("2026-04-02", "greedy", "tea", 7)):
        plan = Plan(game="liveon", decks=pairs, count=count, player_kinds=("random", kind), tags=(tag,), date=day)
        simulate_into(library, plan, jobs=1)
    keys = [entry.key for entry in library.games()]
    library.change_groups(lambda groups: listed(groups, "best", keys))
    update(library.path)
    return library.path


def widgets(app: AppTest) -> Iterator[Any]:
    """The widgets of a page whose values are kept in the address."""
    for kind in ("selectbox", "segmented_control", "toggle", "text_input", "date_input", "number_input"):
        yield from (one for one in app.get(kind) if str(one.key).startswith("address_"))  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def fitting(varied: Path) -> dict[str, Any]:
    """FILTERS with a deck, and an ending and a player of its games."""
    games = [entry for entry in Library(varied).games() if FILTERS["tags"] in entry.tags]
    deck = mode(key for entry in games for key in entry.deck_keys if entry.format == FILTERS["format"])
    own = [entry for entry in games if deck in entry.deck_keys]
    reason, player = mode(entry.reason for entry in own), mode(name for entry in own for name in entry.players)
    return {**FILTERS, "deck": data.short(deck), "reasons": reason, "player": player}


def choose_all(app: AppTest, fitting: dict[str, Any]) -> set[str]:
    """Chooses something in each widget, also in those that come of it; gives their names."""
    chosen: set[str] = set()
    while new := [one for one in widgets(app) if one.key.removeprefix("address_") not in chosen | LEFT | {"game"}]:
        for widget in new:
            name = widget.key.removeprefix("address_")
            chosen.add(name)
            given = fitting.get(name.removeprefix("a_").removeprefix("b_"))
            widget.set_value(widget.options[-1 if widget.type == "button_group" else 1] if given is None else given)
        app.run()
        assert not app.exception
    return chosen


def view(app: AppTest) -> list[tuple[str, str]]:
    """What a page shows: all texts that it sends, those in charts and lists of games too, and its tables."""
    texts = [(field, text) for field, text in drawn(app) if not field.endswith(UNTOLD) and '{"query"' not in text]
    return texts + [("table", table.value.to_json()) for table in app.dataframe]


@pytest.mark.parametrize("page", PAGES)
def test_a_link_opens_to_the_same_view(
    varied: Path, fitting: dict[str, Any], monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.setenv("CARDFOLD_HOME", str(varied))
    app = opened(page, game="liveon")
    plain, chosen = view(app), choose_all(app, fitting)
    assert [one.value for one in (*app.warning, *app.error, *app.info)] == []
    link = {name: str(one if isinstance(one, str) else one[0]) for name, one in app.query_params.items()}
    assert link.keys() == chosen | {"game"} and chosen >= PAGES[page]
    assert chosen >= {"deck", "seat", "reasons", "tags", "until"} or page in ("library", "decks", "compare", "rules")
    assert view(opened(page, **link)) == view(app) != plain


def test_every_page_that_keeps_choices_is_opened_by_its_link_here() -> None:
    keeps = re.compile(r"address\.(choose|text|day|whole_number|yes)\(|filter_bar\.show\(|page\.open_page\(")
    keeping = {file.stem for file in VIEWS_FOLDER.glob("*.py") if keeps.search(file.read_text("utf-8"))}
    assert keeping == PAGES.keys() | {"lab"}, "a lab's link: test_lab_page"
