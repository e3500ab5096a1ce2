"""Every key and control of the viewer; notes, files for others, what is known of a log; motion, and use by keyboard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Download, Locator, Page, expect

from dashboard import viewer
from engine.state import Declared
from engine.view import view
from events.game import GameLog
from events.kinds import CardsMade, DamageDealt
from events.open import read_games
from replays.store.library import Library
from replays.view.timeline import Timeline
from replays.view.verify import verify
from tests.dashboard.conftest import HOSTILE
from tests.dashboard.opening import at, id_of, open_anew, show

pytestmark = pytest.mark.xdist_group("dashboard")


def button(page: Page, name: str) -> Locator:
    """A button of the viewer, by what it is called."""
    return page.locator(".cf").get_by_role("button", name=name, exact=True)


# --- going somewhere ----------------------------------------------------------------------------------------


def test_buttons_step_as_keys_do(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    start, first_key = timeline.turns[0].step, min(timeline.stop_at(key.step) for key in timeline.key_events)
    stops = [action.stop for action in timeline.actions]
    one = min(stop for stop in stops if stop > start)
    nil = max(stop for stop in stops if stop < one)
    for name, step in (
        ("Next turn", timeline.turns[1].step), ("Previous turn", start), ("Next action", one),
        ("Previous action", nil), ("To the start", 0), ("Next key event", first_key),
        ("Previous key event", first_key), ("To the end", timeline.steps - 1),
    ):  # fmt: skip
        button(page, name).click()
        assert at(page) == step, name
    button(page, "Previous event").click()
    before_last = at(page)
    button(page, "Next event").click()
    assert before_last < at(page) == timeline.steps - 1


def test_a_turn_is_gone_to_by_its_number(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    for typed, turn in (("3", 2), ("1", 0), ("999", len(timeline.turns) - 1)):
        page.keyboard.press("g")
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        assert at(page) == timeline.turns[turn].step
    page.locator(".cf .stp.turn .mid").click()
    page.keyboard.type("2 s")
    page.keyboard.press("Escape")
    assert at(page) == timeline.turns[-1].step
    expect(page.locator(".cf .tg[role=switch]")).to_have_attribute("aria-checked", "false")


def test_speed_is_changed_by_key_and_choice_and_remembered(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    speed = page.locator(".cf .spd")
    assert speed.locator("option").count() >= 5
    speed.select_option("1")
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("-")
    expect(speed).to_have_value("2")
    open_anew(page, server, id_of(timeline))
    expect(page.locator(".cf .spd")).to_have_value("2")
    for pressed, value in ((9 * "+", "8"), (9 * "-", "0.5")):
        for key in pressed:
            page.keyboard.press(key)
        expect(page.locator(".cf .spd")).to_have_value(value)


PLAYED = """(root, speed) => {
  const viewer = root.viewer, real = window.setTimeout, waits = [];
  let next = null;
  window.setTimeout = (does, wait) => {
    if (!String(does).includes("this.go(next")) return real(does, wait);
    next = does;
    waits.push([viewer.n, wait]);
    return 0;
  };
  try {
    viewer.jump(0);
    viewer.setSpeed(speed);
    viewer.togglePlay();
    while (viewer.playing && waits.length < 5000) { const does = next; next = null; does(); }
  } finally {
    window.setTimeout = real;
  }
  return {waits, n: viewer.n, playing: viewer.playing};
}"""


@pytest.mark.parametrize("speed", [0.5, 1, 2, 4, 8])
def test_play_reaches_the_end_and_waits_longer_where_a_turn_ends(
    page: Page, server: str, timeline: Timeline, speed: float
) -> None:
    show(page, server, id_of(timeline))
    played = page.locator(".cf").evaluate(PLAYED, speed)
    assert played["n"] == timeline.steps - 1 and not played["playing"]
    assert [n for n, _ in played["waits"]] == [0, *(m.stop for m in timeline.moments if m.stop > 0)][:-1]
    long = {n for n, wait in played["waits"] if wait == pytest.approx(3 * 700 / speed)}
    short = {n: wait * speed / 700 for n, wait in played["waits"] if n not in long}
    turns = [turn.step for turn in timeline.turns]
    assert long == {max(m.stop for m in timeline.moments if m.stop < turn) for turn in turns}
    assert all(0.5 <= weight <= 2.5 for weight in short.values()), "by what there is to read and to see"
    text = {m.stop: len(timeline.lines[m.line].text) for m in timeline.moments}
    plain = sorted(set(short) - {timeline.stop_at(key.step) for key in timeline.key_events}, key=lambda n: text[n])
    assert [short[n] for n in plain] == sorted(short[n] for n in plain)


def test_play_goes_on_from_where_one_goes_meanwhile(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline), timeline.turns[4].step)
    page.locator(".cf").evaluate("root => { root.viewer.setSpeed(8); root.viewer.togglePlay(); }")
    page.locator(".cf .ib.first").click()
    went = """(root) => new Promise((done) => {
      const {viewer} = root;
      const look = () => (viewer.n > 0 ? done([viewer.n, viewer.playing]) : requestAnimationFrame(look));
      look();
    })"""
    step, playing = page.locator(".cf").evaluate(went)
    page.locator(".cf").evaluate("root => root.viewer.stop()")
    assert playing and 0 < step < timeline.turns[4].step


def test_the_log_shows_the_line_at_hand_when_its_tab_is_opened_and_stays_where_one_is_folded(
    page: Page, server: str, timeline: Timeline
) -> None:
    show(page, server, id_of(timeline), timeline.turns[1].step)
    page.locator(".cf [data-tab=notes]").click()
    page.locator(".cf").evaluate("(root, step) => root.viewer.jump(step)", timeline.turns[5].step + 8)
    page.locator(".cf [data-tab=log]").click()
    expect(page.locator(".cf .log .now")).to_be_in_viewport()
    seen = page.locator(".cf").evaluate("""(root) => {
      const {viewer} = root, {log, replay} = viewer;
      const told = (a) => replay.shown.filter((n) => n >= a.first && n <= a.last);
      const action = replay.actions.findIndex((a) => a.first > viewer.n && a.seat !== null && told(a).length > 3);
      viewer.jump(told(replay.actions[action])[0]);
      log.toggleAction(action);
      const before = log.element.scrollTop;
      viewer.step("event", 1);
      return [before, log.element.scrollTop];
    }""")
    assert seen[0] > 0 and seen[1] == seen[0]


def test_each_step_is_read_out_but_not_while_playing(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    live = page.locator(".cf [aria-live=polite]")
    page.keyboard.press("ArrowRight")
    said = live.text_content()
    assert said == page.locator(".cf .le.now .tx").evaluate("row => row.firstChild.textContent")
    expect(page.locator(".cf .board")).to_have_attribute("aria-describedby", "cf-live")
    page.locator(".cf").evaluate("root => { root.viewer.playing = true; root.viewer.go(root.viewer.n + 9, 'event'); }")
    assert live.text_content() == said
    page.locator(".cf").evaluate("root => root.viewer.stop()")
    track = page.locator(".cf .tl")
    expect(track).to_have_attribute("aria-valuenow", str(at(page)))
    expect(track).to_have_attribute("aria-valuetext", f"Turn 1, Event {at(page)}")


# --- what lies over the board -------------------------------------------------------------------------------


def test_keys_are_explained_and_off_while_that_is_open(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    before = at(page)
    page.keyboard.press("?")
    dialog = page.locator(".cf").get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    assert dialog.locator("dt").count() >= 12
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert at(page) == before


def test_a_pile_opens_and_gives_the_focus_back(page: Page, server: str, timeline: Timeline) -> None:
    step = timeline.turns[-1].step
    show(page, server, id_of(timeline), step)
    discarded = len(timeline.state(step).zones[0]["discard"])
    pile = page.locator(".cf .seat0 .pile").first
    pile.focus()
    page.keyboard.press("Enter")
    sheet = page.locator(".cf .sheet")
    expect(sheet.locator(".card")).to_have_count(discarded)
    page.keyboard.press("Escape")
    expect(pile).to_be_focused()
    page.locator(".cf .seat0 .dk").click()
    expect(sheet.locator(".card")).to_have_count(len(timeline.state(step).zones[0]["deck"]))
    sheet.get_by_role("button", name="Close").click()


def test_a_card_of_a_pile_that_was_closed_is_not_pointed_at_any_more(
    page: Page, server: str, timeline: Timeline
) -> None:
    show(page, server, id_of(timeline), timeline.turns[-1].step)
    page.locator(".cf .pile b").filter(has_not_text="0").first.click()
    page.locator(".cf .over .card").first.hover()
    page.keyboard.press("Escape")
    assert page.locator(".cf").evaluate("root => root.viewer.hovered") is None


def test_the_keys_of_an_open_menu_are_its_own(page: Page, server: str, timeline: Timeline) -> None:
    step = timeline.turns[3].step
    show(page, server, id_of(timeline), step)
    button(page, "Share").click()
    items = page.locator(".cf .mnu:visible [role=menuitem]")
    for key, focused in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", -1), ("Home", 0)):
        page.keyboard.press(key)
        expect(items.nth(focused)).to_be_focused()
    page.keyboard.press("Escape")
    expect(items).to_have_count(0)
    assert at(page) == step


def test_light_and_dark_are_switched_and_remembered(page: Page, server: str, timeline: Timeline) -> None:
    open_anew(page, server, id_of(timeline))
    root = page.locator(".cf")
    dark = "dark" in (root.get_attribute("class") or "")
    button(page, "Light or dark").click()
    assert ("dark" in (root.get_attribute("class") or "")) is not dark
    page.reload()
    expect(page.locator(".cf .card").first).to_be_visible(timeout=20_000)
    assert ("dark" in (root.get_attribute("class") or "")) is not dark
    page.evaluate("localStorage.removeItem('cardfold.theme')")


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


# --- files and links ----------------------------------------------------------------------------------------


def download(page: Page, name: str) -> tuple[str, bytes]:
    """What an entry of the share menu gives: a file's name and bytes."""
    button(page, "Share").click()
    with page.expect_download() as given:
        page.locator(".cf").get_by_role("menuitem", name=name, exact=True).click()
    return given.value.suggested_filename, Path(given.value.path()).read_bytes()


def test_the_share_menu_gives_log_one_seat_nameless_and_html(
    page: Page, server: str, timeline: Timeline, library_path: Path
) -> None:
    name = id_of(timeline)
    open_anew(page, server, name)
    entry = Library(library_path).find(name)
    log = Library(library_path).read(entry)
    file, data = download(page, "Download the log")
    assert file == f"{name}.jsonl"
    assert data == b"\n".join([*log.shared, *log.lines, b""])
    file, data = download(page, "Download what random 2 saw")
    assert file == f"{name}-seat-1.jsonl" and next(read_games(data)).header.view == 1
    file, data = download(page, "Download without names")
    [nameless] = read_games(data)
    assert [seat.player for seat in nameless.header.seats] == ["Player 1", "Player 2"]
    assert verify(nameless).verdict == "verified"
    file, data = download(page, "Download as one HTML file")
    assert file == f"{name}.html" and data.startswith(b"<!DOCTYPE html>") and b"Content-Security-Policy" in data


def test_another_language_saves_no_file_again_and_tells_no_more(page: Page, server: str, timeline: Timeline) -> None:
    open_anew(page, server, id_of(timeline), timeline.turns[3].step)
    page.keyboard.press("s")
    page.keyboard.press("f")
    download(page, "Download the log")
    saved: list[Download] = []

    def keep(file: Download) -> None:
        saved.append(file)

    page.on("download", keep)
    choice = page.locator(".cf select.lng")
    choice.select_option("ja")
    expect(page.locator(".cf .app")).to_have_attribute("lang", "ja")
    expect(page.locator(".cf .tg[role=switch]")).to_have_attribute("aria-checked", "true")
    expect(page.locator(".cf .side.bottom")).to_have_class("side bottom seat1")
    page.locator(".cf").evaluate("root => root.viewer.askSeat(0)")
    expect(page.locator(".cf .seg button").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".cf .app.free")).to_have_count(1)
    expect(page.locator(".cf .side.bottom")).to_have_class("side bottom seat0")
    page.locator(".cf").evaluate("root => root.viewer.askSeat(null)")
    expect(page.locator(".cf .seg button").first).to_have_attribute("aria-pressed", "true")
    choice.select_option("en")
    expect(page.locator(".cf .app")).to_have_attribute("lang", "en")
    page.remove_listener("download", keep)
    assert saved == []
    page.goto("about:blank")  # the address of this one names a language


def test_a_link_to_the_step_is_copied(page: Page, server: str, timeline: Timeline) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    step = timeline.turns[5].step
    show(page, server, id_of(timeline), step)
    button(page, "Share").click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator(".cf .toast")).to_have_text("Link to this step copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{server}/replay?game={id_of(timeline)}&step={step}"
    expect(button(page, "Share")).to_be_focused()


# --- what is known of the log -------------------------------------------------------------------------------


def test_a_verified_game_says_so(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    expect(page.locator(".cf .badge")).to_have_text("Verified")
    expect(page.locator(".cf .fault")).to_have_count(0)
    page.locator(".cf .badge").click()
    said = viewer.words()["en"]
    expect(page.locator(".cf .abt p")).to_have_text([said["found_follows"], said["verified_covers"]])
    page.keyboard.press("Escape")


def test_a_log_that_stops_says_so_once(page: Page, server: str) -> None:
    open_anew(page, server, "cut")
    page.locator(".cf .badge").click()
    stops = viewer.words()["en"]["found_not_ended"].replace("{record}", "199")
    expect(page.locator(".cf .abt p")).to_have_text([stops])
    page.keyboard.press("Escape")


def test_an_altered_game_shows_the_first_record_that_differs_field_by_field(
    page: Page, server: str, library_path: Path
) -> None:
    events = Library(library_path).open("altered").events
    record = next(n for n, event in enumerate(events) if isinstance(event, DamageDealt))
    struck = events[record]
    assert isinstance(struck, DamageDealt)
    open_anew(page, server, "altered")
    badge = page.locator(".cf .badge")
    expect(badge).to_have_text(f"Altered at {record}")
    badge.click()
    expect(page.locator(".cf .dif tbody tr")).to_have_text([f"amount{struck.amount}{struck.amount - 1000}"])
    where = f"In record {record} (damage_dealt) the field amount is {struck.amount}; "
    expect(page.locator(".cf .abt")).to_contain_text(f"{where}what follows is {struck.amount - 1000}.")
    button(page, f"Go to step {record}").click()
    assert at(page) == record
    page.keyboard.press("1")
    expect(page.locator(".cf .badge")).to_have_text("Altered")
    page.locator(".cf .badge").click()
    expect(page.locator(".cf .dif")).to_have_count(0)
    page.keyboard.press("Escape")


# --- languages ----------------------------------------------------------------------------------------------


def test_the_pages_speak_the_language_that_is_chosen(page: Page, server: str) -> None:
    page.goto(server)
    expect(page.get_by_role("heading", name="Library")).to_be_visible(timeout=20_000)
    page.get_by_role("combobox", name="Language").click()
    page.get_by_role("option", name="日本語").click()
    expect(page.get_by_role("heading", name="ライブラリ")).to_be_visible(timeout=20_000)
    page.get_by_role("link", name="カード").click()
    expect(page.get_by_role("heading", name="カード", exact=True)).to_be_visible(timeout=20_000)
    page.get_by_role("link", name="リプレイ").click()
    expect(page.locator(".cf .app")).to_have_attribute("lang", "ja", timeout=20_000)
    page.locator(".cf .lng").select_option("zh-Hant")
    expect(page.locator(".cf .app")).to_have_attribute("lang", "zh-Hant", timeout=20_000)


def test_days_are_written_as_the_language_does(page: Page, server: str, timeline: Timeline) -> None:
    open_anew(page, server, id_of(timeline))
    written = """(root, language) => {
      const {viewer} = root, was = viewer.data.language;
      viewer.data.language = language;
      const days = ["2026-11-29T23:59:00Z", "2026-11-29", "soon <b>"].map((at) => {
        viewer.data.game.at = at;
        return viewer.subtitle().split(" · ").at(-1);
      });
      viewer.data.language = was;
      return days;
    }"""
    for language, said in (("en", "Nov 29, 2026"), ("ja", "2026/11/29"), ("zh-Hans", "2026年11月29日")):
        assert page.locator(".cf").evaluate(written, language) == [said, said, "soon <b>"]


# --- motion -------------------------------------------------------------------------------------------------


MOVED = """(root, steps) => {
  const shadow = root.getRootNode(), seen = [];
  for (let i = 0; i < steps; i++) {
    root.viewer.lastShown = -1e9;
    root.viewer.step(i % 2 ? "event" : "action", 1);
    seen.push(shadow.getAnimations().map((a) => {
      const {delay, duration, easing, iterations} = a.effect.getTiming(), {target} = a.effect;
      const what = target.matches(".leaving") ? "leave" : target.matches(".arrow") ? "arrow"
        : target.matches(".card") ? "move" : "number";
      return {what, begin: delay, end: delay + duration, easing, iterations,
        names: [...new Set(a.effect.getKeyframes().flatMap((frame) => Object.keys(frame)))]};
    }));
  }
  return seen;
}"""
QUIET = {"transform", "opacity", "transformOrigin", "zIndex", "offset", "computedOffset", "easing", "composite"}
ORDER = ["leave", "move", "number", "arrow"]


@pytest.fixture
def moving(page: Page, server: str, timeline: Timeline) -> Iterator[Locator]:
    """The viewer where the system does not ask for less motion, at the beginning of a turn."""
    show(page, server, id_of(timeline), timeline.turns[2].step)
    root = page.locator(".cf")
    page.emulate_media(reduced_motion="no-preference")
    yield root
    page.emulate_media(reduced_motion="reduce")
    root.evaluate("root => root.getRootNode().getAnimations().forEach((a) => a.finish())")


def test_of_a_step_two_things_move_at_once_at_most_in_their_order_within_180_ms(moving: Locator) -> None:
    seen = moving.evaluate(MOVED, 80)
    assert {thing["what"] for things in seen for thing in things} == set(ORDER)
    assert max(len(things) for things in seen) > 2, "something waits until others have moved"
    for things in seen:
        assert all(thing["end"] <= 180.001 and thing["iterations"] == 1 and thing["easing"] == "ease-out"
                   and set(thing["names"]) <= QUIET for thing in things)  # fmt: skip
        for one in things:
            at_once = [o for o in things if o["begin"] < one["end"] - 0.01 and one["begin"] < o["end"] - 0.01]
            assert len(at_once) <= 2, at_once
            later = [other for other in things if ORDER.index(other["what"]) > ORDER.index(one["what"])]
            assert all(other["begin"] >= one["end"] - 0.01 for other in later)


@pytest.mark.parametrize(
    "go",
    [
        "view.jump(view.n + 30)", "view.step('turn', 1)", "view.step('key', 1)", "view.go(view.n + 1, 'drag')",
        "view.lastShown = performance.now(); view.step('event', 1)",
        "view.playing = true; view.speed = 4; view.go(view.replay.next(view.n, 'event'), 'event'); view.stop()",
    ],
)  # fmt: skip
def test_jumps_drags_and_quick_steps_are_cuts(moving: Locator, go: str) -> None:
    moved = f"""(root) => {{
      const view = root.viewer, speed = view.speed;
      view.lastShown = -1e9;
      {go};
      view.speed = speed;
      return root.getRootNode().getAnimations().length + root.querySelectorAll(".lit, .leaving").length;
    }}"""
    assert [moving.evaluate(moved) for _ in range(5)] == 5 * [0]


def test_a_card_that_has_left_is_not_there_twice(moving: Locator) -> None:
    left = """(root) => {
      for (let i = 0; i < 200; i++) {
        root.viewer.lastShown = -1e9;
        root.viewer.step("event", 1);
        const copy = root.querySelector(".leaving");
        if (copy) return [copy.querySelectorAll("[data-card]").length, copy.inert, copy.getAttribute("aria-hidden")];
      }
    }"""
    assert moving.evaluate(left) == [0, True, "true"]
    expect(moving.locator(".leaving")).to_have_count(0)


def test_the_arrow_is_drawn_to_where_cards_will_lie_also_when_the_size_changes_meanwhile(moving: Locator) -> None:
    arrows = """(root) => {
      const {viewer} = root, {board} = viewer, seen = [];
      for (let i = 0; i < 200; i++) {
        viewer.lastShown = -1e9;
        viewer.step("action", 1);
        if (!board.path.length || !viewer.context.aim) continue; // effects have arrows too
        const node = board.place(viewer.context.aim[0]), before = JSON.stringify(board.path);
        board.motion.running.push(node.animate({transform: ["translate(90px, 40px)", "none"]}, 180));
        board.fit();
        seen.push(JSON.stringify(board.path) === before && board.motion.running.at(-1).currentTime < 180);
      }
      return seen;
    }"""
    seen = moving.evaluate(arrows)
    assert seen and all(seen)


RINGED = """(root) => new Promise((done) => {
  const {viewer} = root, rings = () => root.querySelectorAll(".lit").length;
  let most = 0, begun = 0, seen = null;
  const look = () => {
    if (root.getRootNode().getAnimations().length) return done("something moves");
    if (rings()) return requestAnimationFrame(look);
    done({most, kinds: seen, lasted: performance.now() - begun});
  };
  for (let i = 0; i < 80 && most < 3; i++) {
    viewer.lastShown = -1e9;
    viewer.step("action", 1);
    most = rings();
  }
  seen = [...root.querySelectorAll(".lit")].map((node) => {
    if (node.matches(".arrow")) return ["arrow", getComputedStyle(node.querySelector("path")).stroke];
    return [node.matches(".card") ? "card" : "number", getComputedStyle(node).outlineColor];
  });
  begun = performance.now();
  look();
})"""


def test_where_the_system_asks_for_less_nothing_moves_and_what_changed_has_a_ring_for_400_ms(
    page: Page, server: str, timeline: Timeline
) -> None:
    show(page, server, id_of(timeline), timeline.turns[2].step)
    root = page.locator(".cf")
    assert not any(root.evaluate(MOVED, 10))
    ringed = root.evaluate(RINGED)
    assert ringed["most"] >= 3 and {"card", "number"} <= {kind for kind, _ in ringed["kinds"]}
    amber = root.evaluate("root => getComputedStyle(root.querySelector('.phh')).fill")
    assert {colour for _, colour in ringed["kinds"]} == {amber}
    assert ringed["lasted"] >= 380, "not shorter; how much longer is up to how busy the machine is"
    page.keyboard.press("ArrowDown")
    expect(root.locator(".lit")).to_have_count(0)


# --- keyboard, small windows --------------------------------------------------------------------------------


def test_everything_can_be_reached_by_the_tab_key(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline), timeline.turns[3].step)
    focused = "root => { const e = root.getRootNode().activeElement; return e && root.contains(e) ? e : null; }"
    name = "e => e && (e.getAttribute('aria-label') || e.textContent || e.className.baseVal).trim()"
    page.locator(".cf .badge").focus()
    reached = []
    for _ in range(120):
        page.keyboard.press("Tab")
        element = page.locator(".cf").evaluate_handle(focused)
        reached.append(element.evaluate(name))
        if reached[-1] is None:
            break
        assert element.evaluate("e => getComputedStyle(e).outlineStyle !== 'none'"), reached[-1]
    for wanted in (
        "All open", "Spoiler-free", "Flip", "Share", "Language", "Light or dark", "Keys", "Log", "Notes", "Timeline",
        "To the start", "Previous turn", "Next action", "Play", "Next event", "To the end", "Next key event", "Speed",
        "Add note",
    ):  # fmt: skip
        assert wanted in reached, (wanted, reached)
    state = timeline.state(timeline.turns[3].step)
    cards = [label for label in reached if label and "POW" in label]
    assert len(cards) >= len(state.zones[0]["a"]) + len(state.zones[1]["b"])


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (720, 450), (640, 400), (390, 844)])
def test_nothing_is_cut_off_in_small_windows_and_at_twice_the_size(
    page: Page, server: str, timeline: Timeline, width: int, height: int
) -> None:
    show(page, server, id_of(timeline), timeline.turns[-2].step)
    page.set_viewport_size({"width": width, "height": height})
    try:
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        outside = page.locator(".cf").evaluate(
            """(root, [width, height]) => [...root.querySelectorAll(".bar button, .dock button, .dock select")]
              .map((e) => [e, e.getBoundingClientRect()]).filter(([, box]) => box.width)
              .filter(([, box]) => box.left < -1 || box.right > width + 1 || box.top < -1 || box.bottom > height + 1)
              .map(([e, box]) => [e.className, box.left, box.right, box.bottom])""",
            [width, height],
        )
        assert outside == []
        assert page.locator(".cf .app").evaluate("app => app.scrollWidth <= app.clientWidth + 1")
        board = "e => e.scrollHeight <= e.clientHeight + 1 || getComputedStyle(e).overflowY !== 'hidden'"
        assert page.locator(".cf .board").evaluate(board), "what does not fit can be scrolled to"
    finally:
        page.set_viewport_size({"width": 1440, "height": 900})
