"""Every key and control of the viewer; notes, files for others, what is known of a log; motion, and use by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from dashboard import viewer
from events.kinds import DamageDealt
from events.open import read_games
from replays.store.library import Library
from replays.view.timeline import Timeline
from replays.view.verify import verify
from tests.dashboard.opening import at, id_of, open_anew, show


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
    expect(page.locator(".cf .over")).to_contain_text("simulated by a plan of seed 1:")
    page.keyboard.press("Escape")
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
    said = viewer.viewer_words()["en"]
    expect(page.locator(".cf .abt p")).to_have_text([said["found_follows"], said["verified_covers"]])
    page.keyboard.press("Escape")


def test_a_log_that_stops_says_so_once(page: Page, server: str) -> None:
    open_anew(page, server, "cut")
    page.locator(".cf .badge").click()
    stops = viewer.viewer_words()["en"]["found_not_ended"].replace("{record}", "199")
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
    page.goto(f"{server}/library")
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
