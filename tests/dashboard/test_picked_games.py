"""Games picked in the Library and versions of a deck: what is made of them, by mouse and by keyboard, on every page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard import data
from replays.store.groups import NO_GROUPS, write_groups
from replays.store.library import Library
from replays.store.notes import current_notes
from tests.dashboard.test_pages import opened as shown
from tests.dashboard.test_statistics_browser import opened, ready

PATIENCE = 30_000
NAME = "**best** [of](http://x.test) <b>2026</b>"


@pytest.fixture
def library(library_path: Path) -> Iterator[Library]:
    """The library that the server shows, as it was before."""
    kept = Library(library_path)
    yield kept
    write_groups(kept.path, NO_GROUPS)
    gone = [line.key for line in kept.removed()]
    if gone:
        kept.restore(gone)


def pick(page: Page, *rows: int) -> None:
    expect(page.locator(".cf tbody tr")).to_have_count(15, timeout=PATIENCE)
    for row in rows:
        page.locator("td.pick input").nth(row).check()
    expect(page.get_by_text(f"{len(rows)} picked")).to_be_visible(timeout=PATIENCE)
    ready(page)


def popped(page: Page, name: str) -> Locator:
    """What is behind a button, opened."""
    page.get_by_test_id("stPopoverButton").filter(has_text=name).click()
    return page.get_by_test_id("stPopoverBody")


def typed(place: Locator, label: str, text: str) -> None:
    """A new name, typed into a choice."""
    box = place.get_by_role("combobox", name=label)
    box.click()
    box.press_sequentially(text)
    box.press("Enter")


def keys_of_rows(page: Page, *rows: int) -> list[str | None]:
    return [page.locator("td.pick input").nth(row).get_attribute("data-key") for row in rows]


def test_picked_games_become_a_playlist_that_every_page_offers(
    page: Page, server: str, library: Library, home: Path
) -> None:
    opened(page, f"{server}/library?order=oldest")
    pick(page, 0, 2)
    keys = keys_of_rows(page, 0, 2)
    body = popped(page, "Playlist")
    typed(body, "Playlist", NAME)
    body.get_by_role("button", name="Put 2 games on it").click()
    expect(page.get_by_text(f"The playlist {NAME} has 2 games.")).to_be_visible(timeout=PATIENCE)
    (made,) = library.groups().playlists
    assert made.name == NAME and list(made.games) == keys
    for place in ("library", "cards", "compare"):
        for side in ("a_", "b_") if place == "compare" else ("",):
            assert NAME in shown(place).selectbox(key=f"address_{side}playlist").options, (place, side)
    opened(page, f"{server}/library?playlist={NAME}")
    expect(page.locator(".cf tbody tr")).to_have_count(2, timeout=PATIENCE)
    page.locator("th.pick input").check()
    expect(page.get_by_text("2 picked")).to_be_visible(timeout=PATIENCE)
    ready(page)
    body = popped(page, "Playlist")
    box = body.get_by_role("combobox", name="Playlist")
    box.click()
    page.get_by_role("option", name=NAME, exact=True).click()
    body.get_by_role("button", name="Forget the playlist").click()
    expect(page.get_by_text("is forgotten; its games stay in the library")).to_be_visible(timeout=PATIENCE)
    assert library.groups() == NO_GROUPS and len(library.games()) == 15


def test_games_are_picked_by_the_keyboard_over_pages_and_choices_of_the_list(
    page: Page, server: str, library: Library
) -> None:
    opened(page, f"{server}/library?order=oldest")
    links = page.locator("a.open")
    expect(links).to_have_count(15, timeout=PATIENCE)
    links.first.focus()
    for key in (" ", "ArrowDown", "ArrowDown", " "):
        page.keyboard.press(key)
    expect(page.get_by_text("2 picked")).to_be_visible(timeout=PATIENCE)
    assert [page.locator("td.pick input").nth(row).is_checked() for row in range(4)] == [True, False, True, False]
    assert page.locator("th.pick input").evaluate("box => box.indeterminate")
    assert "/library" in page.url, "a tick opens nothing"
    keys = keys_of_rows(page, 0, 2)
    page.get_by_role("textbox", name="Search").fill("onerror")
    page.get_by_role("textbox", name="Search").press("Enter")
    expect(page.locator(".cf tbody tr")).to_have_count(1, timeout=PATIENCE)
    ready(page)
    page.locator("a.open").focus()
    page.keyboard.press(" ")
    expect(page.get_by_text("3 picked")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Pick none").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tick games to")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("td.pick input")).not_to_be_checked()
    page.locator("a.open").focus()
    page.keyboard.press(" ")  # what was ticked before can be ticked again
    expect(page.get_by_text("1 picked")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Pick all 1").click()
    expect(page.get_by_text("1 picked")).to_be_visible(timeout=PATIENCE)
    assert keys_of_rows(page, 0)[0] not in keys


def test_picked_games_are_shared_noted_removed_and_taken_back(
    page: Page, server: str, library: Library, tmp_path: Path
) -> None:
    opened(page, f"{server}/library?order=oldest")
    pick(page, 1, 3)
    keys = keys_of_rows(page, 1, 3)
    body = popped(page, "Share")
    with page.expect_download() as coming:
        body.get_by_role("button", name="The games themselves (2)").click()
    coming.value.save_as(tmp_path / "games.jsonl")
    other = Library(tmp_path / "other")
    other.import_paths([tmp_path / "games.jsonl"])
    assert [entry.key for entry in other.games()] == keys
    page.keyboard.press("Escape")
    body = popped(page, "Note")
    text = body.get_by_role("textbox", name="Note on these games")
    text.fill(NAME)
    text.press("Control+Enter")
    body.get_by_role("button", name="Note it on 2 games").click()
    expect(page.get_by_text("Noted on 2 games.")).to_be_visible(timeout=PATIENCE)
    for key in keys:
        ((_, held),) = library.notes(library.find(str(key))).items()
        assert [(note.text, note.record) for note in current_notes(held)] == [(NAME, 0)]
    page.keyboard.press("Escape")
    popped(page, "Remove").get_by_role("button", name="Remove 2 games").click()
    expect(page.locator(".cf tbody tr")).to_have_count(13, timeout=PATIENCE)
    assert {entry.key for entry in library.games()}.isdisjoint(keys)
    page.get_by_role("button", name="Take them back").click()
    expect(page.locator(".cf tbody tr")).to_have_count(15, timeout=PATIENCE)
    assert library.removed() == [] and {entry.key for entry in library.games()}.issuperset(keys)


def test_versions_of_a_deck_become_a_family_that_filters_offer_and_statistics_count(
    page: Page, server: str, library: Library, home: Path
) -> None:
    names = data.named_decks("liveon", "en")
    deck, other = sorted(names, key=names.__getitem__)[:2]
    opened(page, f"{server}/decks?game=liveon&list={data.short(deck)}")
    body = popped(page, "Versions")
    typed(body, "Name of the family", "Two of one")
    box = body.get_by_role("combobox", name="Decks that are versions")
    box.click()
    page.get_by_role("option", name=f"{names[other]} · {other[:8]}").click()
    page.keyboard.press("Escape")
    if not body.is_visible():
        popped(page, "Versions")
    body.get_by_role("button", name="Make them one family").click()
    expect(page.get_by_text("The family Two of one has 2 versions.")).to_be_visible(timeout=PATIENCE)
    (family,) = library.groups().families
    assert (family.name, family.game, set(family.decks)) == ("Two of one", "liveon", {deck, other})
    opened(page, f"{server}/decks?game=liveon&families=yes&list={data.short(deck)}")
    expect(page.get_by_role("heading", name="Two of one")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name=f"{names[other]} · {other[:8]}").click()  # a version counts for itself again
    expect(page.get_by_role("heading", name=names[other])).to_be_visible(timeout=PATIENCE)
    ready(page)
    for place in ("library", "cards", "statistics"):
        found = shown(place, deck="family:Two of one", game="liveon").selectbox(key="address_deck")
        assert found.value == "family:Two of one" and "Two of one (family of 2)" in found.options
        assert found.options.count(names[deck]) == 1, "a deck keeps its own name"
    body = popped(page, "Versions")
    body.get_by_role("button", name="Forget the family").click()
    expect(page.get_by_text("is forgotten: its decks count")).to_be_visible(timeout=PATIENCE)
    assert library.groups() == NO_GROUPS
