"""The listing lets through what filters of the catalogue do, for every filter; search, order and what varies."""

from __future__ import annotations

import io
from datetime import date
from itertools import product
from pathlib import Path

import pytest
from msgspec import structs

from replays.store.entries import count_once, once
from replays.store.filters import FilterError, GameFilters, fitting
from replays.store.library import Library
from replays.store.listing import ORDERS, Listing
from replays.store.verdicts import standing
from tests.replays.store.test_filters import NAMELESS, OTHER_CARDS, SEVENS, told

LOGS = (
    told(1, "a1", date="2026-01-05", tags=("cup", "final")), told(2, "b2", OTHER_CARDS, tags=("cup",)),
    told(3, "c3", decks=(SEVENS, NAMELESS), options={"format": "short"}), told(4, "d4", players=("ann", "Cy")),
    told(5, "e5", date="2026-02-05")[:-99], told(2, "f6", date="2026-03-01", decks=(NAMELESS, NAMELESS)),
)  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    kept = Library(tmp_path_factory.mktemp("listing") / "library")
    kept.import_paths([io.BytesIO(log) for log in LOGS])
    return kept


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The same games in packs of their own."""
    kept = Library(tmp_path_factory.mktemp("several") / "library")
    for log in LOGS:
        kept.import_paths([io.BytesIO(log)])
    assert len(kept.packs()) == len(LOGS)
    return kept


@pytest.fixture(scope="module")
def listing(library: Library) -> Listing:
    return Listing(library.games(), library.verdicts())


CHOICES: dict[str, tuple[object, ...]] = {
    "game": (None, "highcard"), "card_set": (None, "HC", "HC 2"), "format": (None, "short"),
    "since": (None, date(2026, 1, 6)), "until": (None, date(2026, 2, 5)), "tags": ((), ("cup",), ("cup", "final")),
    "player": (None, "Ann", "ann", "Cy"), "player_kind": (None, "random"), "deck": (None, "Sevens"),
    "least_turns": (None, 3), "most_turns": (None, 4), "reasons": ((), ("concede",)),
}  # fmt: skip


def test_a_listing_lets_through_what_the_catalogue_does_for_every_two_filters(
    library: Library, listing: Listing
) -> None:
    games = library.games()[::-1]
    there = {reason for game in games if (reason := game.reason)}
    asked = 0
    for (one, values), (other, others) in product(CHOICES.items(), repeat=2):
        for first, second in product(values, others):
            filters = GameFilters(**{other: second, one: first})  # type: ignore[arg-type]
            if not set(filters.reasons) <= there:
                filters = GameFilters(reasons=tuple(there))
            found = [listing.entries[at].id for at in listing.where(filters)]
            assert found == [game.id for game in fitting(games, filters)]
            asked += 0 < len(found) < len(games)
    assert asked > 100


def test_the_newest_are_the_last_of_all_for_every_filter(library: Library, several: Library) -> None:
    asked = 0
    for kept in (library, several):
        for (name, values), most in product(CHOICES.items(), (1, 2, 3, 6, 7)):
            for value in values:
                filters = GameFilters(**{name: ("points",) if value == ("concede",) else value})  # type: ignore[arg-type]
                games = kept.games(filters)
                assert kept.newest(most, filters) == (games[-most:], len(games) > most)
                asked += 0 < len(games) <= most
    assert asked > 50
    with pytest.raises(FilterError, match="There is no player 'Zoe'; there are"):
        several.newest(1, GameFilters(player="Zoe"))


def test_no_more_packs_are_read_than_it_takes(several: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    entries_of = Library.entries_of
    monkeypatch.setattr(Library, "entries_of", lambda *given: (read.append(given[1]), entries_of(*given))[1])
    newest = several.packs()[::-1]
    for most in (1, 2, 4):
        read.clear()
        assert len(several.newest(most)[0]) == most
        assert read == newest[: most + 1], "one more tells that there are others"


def test_games_are_counted_once(library: Library) -> None:
    first, second, *_ = library.games()
    view = structs.replace(first, digest="c1", view=0, key="seen")
    kinds = (
        first, structs.replace(first, pack="packs/other"), second, view, structs.replace(view, pack="packs/other"),
        structs.replace(view, digest="c2", view=1, key="other"), structs.replace(second, digest="d", seen=("seen",)),
    )
    for chosen in product((False, True), repeat=len(kinds)):
        entries = [entry for entry, here in zip(kinds, chosen, strict=True) if here]
        assert count_once(lambda entries=entries: entries) == len(once(entries))  # type: ignore[misc]


def test_what_no_game_has_is_a_sentence(listing: Listing) -> None:
    with pytest.raises(FilterError, match="There is no player 'Zoe'; there are"):
        listing.where(GameFilters(player="Zoe"))


@pytest.mark.parametrize(("words", "found"), [
    ("cup", ["a1", "b2"]), ("FINAL ann", ["a1"]), ("桜 sevens", ["a1", "b2", "c3", "e5"]), ("d4", ["d4"]),
    ("nothing", []), ("", ["a1", "b2", "c3", "d4", "e5", "f6"]),
])  # fmt: skip
def test_a_search_finds_names_tags_and_ids(listing: Listing, words: str, found: list[str]) -> None:
    assert sorted(listing.entries[at].id for at in listing.where(GameFilters(), words)) == found


def test_verdicts_are_those_of_the_catalogue(library: Library, listing: Listing) -> None:
    verdicts = library.verdicts()
    assert listing.verdicts == [standing(entry, verdicts) for entry in listing.entries]
    for verdict in set(listing.verdicts):
        found = listing.where(GameFilters(), verdict=verdict)
        assert len(found) == listing.verdicts.count(verdict) > 0


def test_the_orders(listing: Listing) -> None:
    every = listing.where(GameFilters())
    ids = {order: [listing.entries[at].id for at in listing.ordered(every, order)] for order in ORDERS}
    assert ids["newest"] == ids["oldest"][::-1] == [entry.id for entry in listing.entries]
    turns = {order: [listing.entries[at].turns for at in listing.ordered(every, order)] for order in ORDERS}
    assert turns["longest"] == sorted(turns["longest"], reverse=True)
    assert turns["shortest"] == sorted(turns["shortest"])
    assert ids["shortest"].index("f6") < ids["shortest"].index("b2"), "of equal ones the newer first"


def test_what_varies(listing: Listing) -> None:
    assert listing.varying(listing.where(GameFilters())) >= {"players", "date", "turns", "format", "verdict"}
    assert "game" not in listing.varying(listing.where(GameFilters()))
    assert listing.varying(listing.where(GameFilters(), "a1")) == set()
    assert listing.varying(listing.where(GameFilters(), "nothing")) == set()


def test_an_empty_library(tmp_path: Path) -> None:
    empty = Listing([], {})
    assert len(empty) == 0 and not empty.dated and list(empty.where(GameFilters(), "a")) == []
    assert empty.named("deck") == {}
