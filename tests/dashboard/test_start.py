"""The page Start: three ways in, what is worth watching, the newest games; and what an empty library says."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from engine.rulebooks import registry
from engine.words import LANGUAGES
from replays.play.simulate import Plan, simulate_into
from replays.stats.courses import notable_games, place_of
from replays.stats.warehouse import open_warehouse, update
from replays.store.library import Library
from tests.dashboard.test_pages import opened

PATIENCE = 30_000


def lists(app: AppTest) -> dict[str, dict[str, Any]]:
    """What the lists of games on the page are given: `pictures` and `list`."""
    found = [json.loads(one.proto.json) for one in app.get("bidi_component")]  # type: ignore[union-attr]
    return {data["form"]: data for data in found if "form" in data}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_newest_games_and_those_worth_watching(home: Path, language: str) -> None:
    app = opened("start", language=language)
    shown = lists(app)
    newest = [entry.id for entry in Library(home).games()[::-1]][:5]
    assert [row["id"] for row in shown["list"]["rows"]] == newest
    pictures = shown["pictures"]["rows"]
    assert len({row["id"] for row in pictures}) == len(pictures) >= 3
    assert all(row["title"] and row["said"] and row["life"] for row in pictures)
    columns = set(shown["list"]["columns"]) - {"players"}
    assert columns and all(any(row["cells"][name] for row in shown["list"]["rows"]) for name in columns), "empty column"


def test_what_is_worth_watching_is_what_the_facts_say(home: Path) -> None:
    entries = {place_of(entry): entry for entry in Library(home).games()}
    warehouse = open_warehouse(home)
    rows, _ = warehouse.ask(
        "SELECT game_id, turn, life_0, life_1, winner, games.turns FROM turns JOIN games USING (g) "
        "WHERE left_out IS NULL ORDER BY g, turn"
    )
    lives: dict[str, list[dict[str, Any]]] = {}
    for row in rows.to_pylist():
        lives.setdefault(row["game_id"], []).append(row)
    found = notable_games(warehouse)
    assert {one.what for one in found} == {"closest", "biggest_turn", "longest"}, "no pair has met twenty times"
    left = {game: turns[-1][f"life_{turns[0]['winner']}"] for game, turns in lives.items()}
    parts = {
        game: left[game] / max(turn[f"life_{turns[0]['winner']}"] for turn in turns)
        for game, turns in lives.items() if left[game] > 0
    }  # fmt: skip
    lost = {
        game: max(a[f"life_{seat}"] - b[f"life_{seat}"] for seat in (0, 1) for a, b in pairwise(turns))
        for game, turns in lives.items()
    }  # fmt: skip
    first = {what: next(one for one in found if one.what == what) for what in ("closest", "biggest_turn", "longest")}
    closest = entries[first["closest"].place].id
    assert parts[closest] == min(parts.values()) and first["closest"].amount == left[closest]
    assert lost[entries[first["biggest_turn"].place].id] == max(lost.values()) == first["biggest_turn"].amount
    assert first["longest"].amount == max(turns[0]["turns"] for turns in lives.values())


def test_an_upset_is_won_by_the_side_that_wins_least(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    decks = registry.load("monbattle").shipped_decks()[:3]
    pairs = [(decks[0], decks[1]), (decks[1], decks[2])]
    simulate_into(library, Plan(game="monbattle", decks=tuple(pairs), count=50, seed=5), jobs=1)
    update(library.path)
    games = {entry.id: entry for entry in library.games()}
    won: dict[tuple[str, str], list[int]] = {}
    for entry in games.values():
        for seat in (0, 1):
            won.setdefault((entry.deck_keys[seat], entry.deck_keys[1 - seat]), []).append(entry.winner == seat)
    least = min(sum(wins) / len(wins) for wins in won.values() if sum(wins))
    upset = next(one for one in notable_games(open_warehouse(library.path)) if one.what == "upset")
    entry = next(entry for entry in games.values() if place_of(entry) == upset.place)
    assert entry.winner is not None
    wins = won[entry.deck_keys[entry.winner], entry.deck_keys[1 - entry.winner]]
    assert (upset.amount, upset.games) == (least, len(wins)) and sum(wins) / len(wins) == least


def test_an_empty_library_says_what_to_do(page: Page, empty: str) -> None:
    page.goto(empty)
    expect(page.get_by_text("No games yet. Play one yourself")).to_be_visible(timeout=PATIENCE)
    main = page.get_by_test_id("stMain")
    expect(main.get_by_role("link", name="Add files of games")).to_be_visible(timeout=PATIENCE)
    for label, heading in (
        ("Add files of games", "Library"), ("Let computer players play", "Simulate"), ("Which cards win", "Cards")
    ):  # fmt: skip
        page.goto(empty)
        main.get_by_role("link", name=label).click()
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize(("door", "leads"), [
    ("Watch a game", "**/replay?game=*"), ("Play one", "**/play"), ("Which cards win", "**/cards?game=liveon"),
])  # fmt: skip
def test_each_door_leads_somewhere(page: Page, server: str, door: str, leads: str) -> None:
    page.goto(server)
    expect(page.locator("a.open").first).to_be_visible(timeout=PATIENCE)
    page.locator("[class*=st-key-door_]", has_text=door).click(position={"x": 200, "y": 50})
    page.wait_for_url(leads, timeout=PATIENCE)


def test_a_picture_leads_to_its_replay(page: Page, server: str) -> None:
    page.goto(server)
    picture = page.locator(".pictures li").first
    expect(picture).to_be_visible(timeout=PATIENCE)
    picture.click()
    page.wait_for_url("**/replay?game=*", timeout=PATIENCE)
    expect(page.locator(".cf .app")).to_be_visible(timeout=PATIENCE)
