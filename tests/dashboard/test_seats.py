"""Notes and seats in the viewer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Page, expect

from engine.state import Declared
from engine.view import view
from events.game import GameLog
from events.kinds import CardsMade
from replays.store.library import Library
from replays.view.timeline import Timeline
from tests.dashboard.conftest import HOSTILE
from tests.dashboard.opening import at, id_of, open_anew, show
from tests.dashboard.test_controls import (
    button,
)

# --- notes --------------------------------------------------------------------------------------------------


def note(page: Page, text: str, mark: str = "", by: str = "") -> None:
    """Writes a note on the step that is shown."""
    button(page, "Add note").click()
    page.locator(".cf .ntf input").fill(by)
    if mark:
        button(page, mark).click()
    page.locator(".cf .ntf textarea").fill(text)
    button(page, "Keep note").click()


def test_a_note_is_kept_beside_the_game_and_shown_from_its_step_on(
    page: Page, server: str, timeline: Timeline, library_path: Path
) -> None:
    turn = timeline.turns[3].step
    open_anew(page, server, id_of(timeline), turn)
    note(page, f"Why now? {HOSTILE}", "Doubtful", "coach_k")
    shown = page.locator(".cf .nt")
    expect(shown.locator("p")).to_have_text(f"Why now? {HOSTILE}")
    expect(page.locator(".cf .nf")).to_have_count(1)
    library = Library(library_path)
    [kept] = next(iter(library.notes(library.find(id_of(timeline))).values()))
    assert (kept.record, kept.mark, kept.by, kept.view) == (turn, "doubtful", "coach_k", None)
    page.keyboard.press("Escape")
    page.locator(".cf .tl").click(position={"x": 200, "y": 30})
    page.locator(".cf [data-tab=log]").click()
    show(page, server, id_of(timeline), turn - 1)
    expect(page.locator(".cf .nf")).to_have_count(0)
    expect(page.locator(".cf .ntl")).to_have_count(0)
    expect(page.locator(".cf [data-tab=notes]")).to_have_text("Notes")
    show(page, server, id_of(timeline), turn)
    expect(page.locator(".cf .ntl")).to_contain_text("?!Why now?")
    expect(page.locator(".cf [data-tab=notes]")).to_have_text("Notes1")
    assert page.evaluate("window.caught") is None

    page.locator(".cf [data-tab=notes]").click()
    shown.get_by_role("button", name="Change").click()
    button(page, "Blunder").click()
    page.locator(".cf .ntf textarea").fill("Much too early.")
    button(page, "Keep note").click()
    expect(shown.locator("p")).to_have_text("Much too early.")
    page.reload()
    expect(page.locator(".cf .nf")).to_have_count(1, timeout=20_000)
    page.locator(".cf [data-tab=notes]").click()
    shown.get_by_role("button", name="Take back").click()
    expect(shown).to_have_count(0)
    [gone] = next(iter(library.notes(library.find(id_of(timeline))).values()))
    assert (gone.text, gone.mark) == ("", "")


def test_keys_are_off_while_a_note_is_typed(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    before = at(page)
    button(page, "Add note").click()
    page.keyboard.type("nps12 f?")
    page.keyboard.press("ArrowRight")
    assert at(page) == before
    expect(page.locator(".cf .side.bottom")).to_have_class("side bottom seat0")
    page.locator(".cf .ntf textarea").fill("")
    page.locator(".cf [data-tab=log]").click()


def test_a_note_that_is_written_as_a_seat_is_of_that_seat(
    page: Page, server: str, timeline: Timeline, library_path: Path
) -> None:
    open_anew(page, server, id_of(timeline), timeline.turns[3].step)
    note(page, "Only all may read this.")
    expect(page.locator(".cf .nt p")).to_have_text("Only all may read this.")
    page.keyboard.press("Escape")
    page.locator(".cf .seg button", has_text="random 1").click()
    expect(page.locator(".cf .seg [aria-pressed=true]")).to_have_text("random 1")
    page.wait_for_function("window.cardfoldNews?.view === 0")
    expect(page.locator(".cf .nf")).to_have_count(0)
    assert "Only all" not in page.evaluate("JSON.stringify(window.cardfoldNews)")
    seat_step = page.locator(".cf").evaluate("root => root.viewer.n")
    note(page, "I hold two of them.")
    page.locator(".cf [data-tab=notes]").click()
    expect(page.locator(".cf .nt p")).to_have_text("I hold two of them.")
    library = Library(library_path)
    held = next(iter(library.notes(library.find(id_of(timeline))).values()))
    assert {(n.view, n.record) for n in held if n.text.startswith("I hold")} == {(0, seat_step)}
    page.locator(".cf .seg button", has_text="All open").click()
    page.wait_for_function("window.cardfoldNews && window.cardfoldNews.view !== 0")
    expect(page.locator(".cf .nf")).to_have_count(1)
    for left in (1, 0):
        page.locator(".cf [data-tab=notes]").click()
        expect(page.locator(".cf .nt p")).to_have_count(left + 1)
        page.locator(".cf .nt").first.get_by_role("button", name="Take back").click()
        expect(page.locator(".cf .nt")).to_have_count(left)


# --- seats --------------------------------------------------------------------------------------------------


def strings(value: Any) -> list[str]:
    """All texts in JSON data."""
    if isinstance(value, dict):
        return [text for part in value.values() for text in strings(part)] + list(value)
    if isinstance(value, list):
        return [text for part in value for text in strings(part)]
    return [value] if isinstance(value, str) else []


def _hidden_from(seat: int, game: GameLog) -> set[str]:
    """Codes of cards in the game that this seat never learns of."""
    seen = view(game.events, seat, Declared(game.rulebook))
    known = {text for event in seen for text in strings(msgspec.to_builtins(event))}
    return {code for e in game.events if isinstance(e, CardsMade) for code in e.codes if code} - known


def test_the_browser_holds_nothing_that_the_seat_did_not_know(page: Page, server: str, library_path: Path) -> None:
    library = Library(library_path)
    games = (library.read(entry) for entry in library.games(state="whole", origin="simulated"))
    game, seat, hidden = next((g, s, found) for g in games for s in (0, 1) if (found := _hidden_from(s, g)))
    course = Timeline(game.events, game.rulebook, game.card_sets)
    open_anew(page, server, game.header.id, course.turns[2].step)
    page.keyboard.press(str(seat + 1))
    expect(page.locator(".cf .seg [aria-pressed=true]")).to_have_text(game.header.seats[seat].player)
    data = json.loads(page.locator(".cf").evaluate("root => JSON.stringify(root.viewer.data)"))
    page.wait_for_function("seat => window.cardfoldNews?.view === seat", arg=seat)
    everything = strings(data) + strings(page.evaluate("window.cardfoldNews"))
    assert not hidden & set(everything)
    whole = course.viewer_data()
    names = {whole["cards"][code]["name"] for code in hidden} - {card["name"] for card in data["cards"].values()}
    shown = page.locator(".cf").evaluate("root => root.innerText")
    assert names and not any(name in shown or name in " ".join(everything) for name in names)
    assert str(game.header.seed) not in json.dumps(data)
    page.keyboard.press("0")
    expect(page.locator(".cf .seg [aria-pressed=true]")).to_have_text("All open")


LEFT_OVER = """(root) => new Promise((done) => {
  const held = (words) => {
    const seen = new Set(), found = [];
    const look = (value, path) => {
      if (typeof value === "string") { if (words.some((word) => value.includes(word))) found.push(path); return; }
      if (value === null || typeof value !== "object" || seen.has(value) || path.length > 300) return;
      if (value instanceof Node || value instanceof Window || value instanceof StyleSheet) return;
      seen.add(value);
      if (value instanceof Map || value instanceof Set) return [...value].forEach((v, i) => look(v, `${path}#${i}`));
      for (const key of Object.getOwnPropertyNames(value)) {
        const of = Object.getOwnPropertyDescriptor(value, key);
        if ("value" in of) look(of.value, `${path}.${key}`);
      }
    };
    for (const key of Object.getOwnPropertyNames(window)) {
      const of = Object.getOwnPropertyDescriptor(window, key);
      if ("value" in of) look(of.value, key);
    }
    look(root.viewer, "viewer");
    look(Object.fromEntries(Object.entries(localStorage)), "localStorage");
    look(Object.fromEntries(Object.entries(sessionStorage)), "sessionStorage");
    look(history.state, "history");
    look(root.innerHTML, "html");
    return found;
  };
  const words = ["All may read this."];
  const before = held(words);
  const now = new MutationObserver(() => {
    if (root.viewer.data.game.view !== 0) return;
    now.disconnect();
    done({before, after: held(words), heard: window.cardfoldNews?.view ?? null});
  });
  now.observe(root, {childList: true});
  root.viewer.askSeat(0);
})"""


def test_nothing_of_all_open_is_left_in_the_page_the_moment_a_seat_is_shown(
    page: Page, server: str, timeline: Timeline
) -> None:
    open_anew(page, server, id_of(timeline), timeline.turns[3].step)
    note(page, "All may read this.")
    expect(page.locator(".cf .nt p")).to_have_text("All may read this.")
    page.keyboard.press("Escape")
    found = page.locator(".cf").evaluate(LEFT_OVER)
    assert any(path.startswith("cardfoldNews") for path in found["before"]) and "html" in found["before"]
    assert found["after"] == [] and found["heard"] is None
    page.wait_for_function("window.cardfoldNews?.view === 0")
    page.keyboard.press("0")
    expect(page.locator(".cf .seg [aria-pressed=true]")).to_have_text("All open")
    page.locator(".cf [data-tab=notes]").click()
    page.locator(".cf .nt").first.get_by_role("button", name="Take back").click()
    expect(page.locator(".cf .nt")).to_have_count(0)
