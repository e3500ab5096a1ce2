"""Filters: each finds what it names, by every name that it has, and what names nothing is a sentence."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from engine.cards.decks import deck_digest, deck_list
from engine.rulebooks import registry
from engine.words import LANGUAGES
from events.game import write_game
from events.kinds import CardSet, DeckList, Seat
from events.record import edition
from replays.store.filters import NAMED, FilterError, GameFilters
from replays.store.groups import Family, joined, listed
from replays.store.library import Library
from tests.events.highcard import CARDS, RULEBOOK, game

OTHER_CARDS = CardSet(key="HC", version="2", game="highcard", cards={"HC-001": {"rank": 8}, "HC-002": {"rank": 9}})
SEVENS = DeckList(name="Sevens", cards={"HC-001": 2, "HC-002": 1})
NAMELESS = DeckList(name="", cards={"HC-001": 1, "HC-002": 2})


def told(turns: int, name: str, cards: CardSet = CARDS, decks: tuple[DeckList, DeckList] = (SEVENS, SEVENS),
         players: tuple[str, str] = ("Ann", "Bo 桜"), **changes: Any) -> bytes:  # fmt: skip
    seats = tuple(map(Seat, players, ("human", "random"), decks))
    return write_game((RULEBOOK, (cards,), game(turns, id=name, seats=seats, card_sets=(edition(cards),), **changes)))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    kept = Library(tmp_path_factory.mktemp("filters") / "library")
    logs = (
        told(1, "a1", date="2026-01-05", tags=("cup", "final")), told(2, "b2", OTHER_CARDS, tags=("cup",)),
        told(3, "c3", decks=(SEVENS, NAMELESS), options={"format": "short"}), told(4, "d4", players=("ann", "Cy")),
        told(5, "e5")[:-99],
    )  # fmt: skip
    report = kept.import_paths([io.BytesIO(log) for log in logs])
    assert (report.new, report.partial) == (4, 1)
    both = Family("Both", "highcard", (deck_digest(SEVENS), deck_digest(NAMELESS)))
    keys = [entry.key for entry in kept.games() if entry.id in ("a1", "c3")]
    kept.change_groups(lambda groups: listed(joined(groups, both), "best", [*keys, "of a game that is not here"]))
    return kept


ASKED: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["a1", "b2", "c3", "d4", "e5"]),
    ({"game": "highcard"}, ["a1", "b2", "c3", "d4", "e5"]),
    ({"card_set": "HC"}, ["a1", "b2", "c3", "d4", "e5"]),
    ({"card_set": "HC 2"}, ["b2"]),
    ({"card_set": "hc 2"}, ["b2"]),
    ({"format": "short"}, ["c3"]),
    ({"since": date(2026, 1, 5), "until": date(2026, 1, 5)}, ["a1"]),
    ({"until": date(2026, 1, 4)}, []),
    ({"tags": ("cup",)}, ["a1", "b2"]),
    ({"tags": ("cup", "final")}, ["a1"]),
    ({"player": "Ann"}, ["a1", "b2", "c3", "e5"]),
    ({"player": "ANN"}, ["a1", "b2", "c3", "d4", "e5"]),
    ({"player": "Bo 桜"}, ["a1", "b2", "c3", "e5"]),
    ({"player": "Cy", "tags": ("cup",)}, []),
    ({"player_kind": "random"}, ["a1", "b2", "c3", "d4", "e5"]),
    ({"deck": "Sevens"}, ["a1", "b2", "c3", "d4", "e5"]),
    ({"deck": deck_digest(NAMELESS)}, ["c3"]),
    ({"deck": deck_digest(NAMELESS)[:8]}, ["c3"]),
    ({"deck": "Both", "format": "short"}, ["c3"]),
    ({"deck": "both"}, ["a1", "b2", "c3", "d4", "e5"]),
    ({"playlist": "best"}, ["a1", "c3"]),
    ({"playlist": "BEST", "tags": ("cup",)}, ["a1"]),
    ({"least_turns": 2, "most_turns": 3}, ["b2", "c3"]),
    ({"reasons": ("points",)}, ["a1", "b2", "c3", "d4"]),
]


@pytest.mark.parametrize(("wanted", "found"), ASKED)
def test_games_can_be_asked_for_by_what_they_were(library: Library, wanted: dict[str, Any], found: list[str]) -> None:
    assert [entry.id for entry in library.games(GameFilters(**wanted))] == found


def test_games_can_be_asked_for_by_state_and_origin(library: Library) -> None:
    assert [entry.id for entry in library.games(state="cut")] == ["e5"]
    assert library.games(origin="simulated") == [] and len(library.games(origin="played", state="whole")) == 4


@pytest.mark.parametrize("wrong", ["nosuch", "", "Sevens2", "HC 3", "\x1b[31mred", "a" * 5000])
@pytest.mark.parametrize("name", NAMED)
def test_what_names_nothing_is_a_sentence_that_says_what_there_is(library: Library, name: str, wrong: str) -> None:
    there = {
        "game": "there is 'highcard'", "card_set": "there are 'HC 1', 'HC 2'", "format": "there is 'short'",
        "tags": "there are 'cup', 'final'", "player": "there are 'Ann', 'Bo 桜', 'Cy', 'ann'",
        "player_kind": "there are 'human', 'random'", "reasons": "there is 'points'", "playlist": "there is 'best'",
        "deck": f"there are '{deck_digest(NAMELESS)[:8]}', 'Both', 'Sevens'",
    }  # fmt: skip
    several = name in ("tags", "reasons")
    with pytest.raises(FilterError) as caught:
        library.games(GameFilters(**{name: (wrong,) if several else wrong}))
    assert str(caught.value) == f"There is no {NAMED[name]} {wrong[:80]!r}; {there[name]}."
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", NAMED)
def test_in_a_library_without_games_every_name_names_nothing(tmp_path: Path, name: str) -> None:
    wrong: Any = ("x",) if name in ("tags", "reasons") else "x"
    with pytest.raises(FilterError, match=f"There is no {NAMED[name]} 'x'; no game has any."):
        Library(tmp_path).games(GameFilters(**{name: wrong}))


def test_of_many_names_those_are_said_that_are_near(tmp_path: Path) -> None:
    library = Library(tmp_path)
    tags = tuple(f"round {number:02}" for number in range(19))
    library.import_paths([io.BytesIO(told(1, "a", tags=(*tags, "zz grand final")))])
    with pytest.raises(FilterError, match=r"there are 'zz grand final', .* and 8 more\."):
        library.games(GameFilters(tags=("grand finale",)))


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_shipped_deck_is_found_by_its_name_in_each_language_and_its_digest(tmp_path: Path, key: str) -> None:
    library = Library(tmp_path)
    for number, deck in enumerate(registry.load(key).shipped_decks()[:3], 1):
        played = structs.replace(deck_list(deck), cards={"HC-001": 1, "HC-002": number})
        events = game(1, id=f"{key}{number}", seats=(Seat("Ann", deck=played), Seat("Bo", deck=played)), game=key)
        library.import_paths([io.BytesIO(write_game((RULEBOOK, (CARDS,), events)))])
        entry = library.games()[-1]
        names = {deck.called(language) for language in LANGUAGES}
        for name in {*names, *map(str.upper, names), deck_digest(played)}:
            assert library.games(GameFilters(deck=name)) == [entry], name
