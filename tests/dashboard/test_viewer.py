"""The viewer in a real browser: keys, address, what it shows, and what strangers' names cannot do."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from dashboard import viewer
from engine.fold import empty_state, fold
from events.game import write_game
from events.kinds import HIDDEN, CardIdentified, CardMoved, CardsMade, ModifierBegan
from events.open import read_games
from replays.view.patches import frame_of
from replays.view.timeline import Timeline
from replays.view.verify import verify
from tests.dashboard.conftest import HOSTILE
from tests.dashboard.opening import at, id_of, open_anew, show
from tests.golden.make import FOLDER


def test_keys_step_by_action_event_turn_and_key_event(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    start = timeline.turns[0].step
    one, two = [action.stop for action in timeline.actions if action.stop > start][:2]
    assert at(page) == start
    for key, step in (
        ("ArrowRight", one), ("ArrowRight", two), ("ArrowLeft", one), ("ArrowDown", timeline.turns[1].step),
        ("ArrowUp", start), ("n", first_key(timeline)),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert at(page) == step, key
    page.keyboard.press("Shift+ArrowRight")
    assert at(page) == min(moment.stop for moment in timeline.moments if moment.stop > first_key(timeline))
    page.keyboard.press("Shift+ArrowLeft")
    assert at(page) == first_key(timeline)
    page.keyboard.press("End")
    assert at(page) == timeline.steps - 1
    expect(page.locator(".cf .phz .res")).to_be_visible()
    page.keyboard.press("Home")
    assert at(page) == 0


def first_key(timeline: Timeline) -> int:
    """The stop of the first key event."""
    return min(timeline.stop_at(key.step) for key in timeline.key_events)


def test_twenty_quick_key_presses_arrive(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    stops = [action.stop for action in timeline.actions if action.stop > timeline.turns[0].step]
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    assert at(page) == stops[19]


STEPPED = """(root, unit) => {
  const {viewer} = root, {replay} = viewer, shown = [];
  viewer.jump(0);
  for (let n = -1; n !== viewer.n;) {
    n = viewer.n;
    viewer.step(unit, 1);
    const [row, ...more] = root.querySelectorAll(".log .now");
    const stopped = n !== viewer.n && replay.stopsOf(unit).includes(viewer.n);
    if (stopped) shown.push([viewer.n, Number(row.dataset.n), more.length, row.offsetParent !== null]);
  }
  return shown;
}"""


def test_every_action_ends_with_its_own_line_at_hand(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    shown = page.locator(".cf").evaluate(STEPPED, "action")
    actions = [action for action in timeline.actions if action.stop > 0]
    assert shown == [[action.stop, action.head, 0, True] for action in actions]
    lines = page.locator(".cf").evaluate(STEPPED, "event")
    assert lines == [[moment.stop, moment.line, 0, True] for moment in timeline.moments if moment.stop > 0]


def test_the_address_follows_and_survives_reload_and_back(page: Page, server: str, timeline: Timeline) -> None:
    open_anew(page, server, id_of(timeline), 150)
    assert at(page) == 150
    length = page.evaluate("history.length")
    page.keyboard.press("ArrowDown")
    step = at(page)
    page.wait_for_url(f"**/replay?game={id_of(timeline)}&step={step}")
    assert page.evaluate("history.length") == length, "a step makes no entry in the browser's history"
    page.reload()
    expect(page.locator(".cf .card").first).to_be_visible(timeout=20_000)
    assert at(page) == step
    page.goto(f"{server}/cards")
    expect(page.get_by_role("heading", name="Cards")).to_be_visible(timeout=20_000)
    page.go_back()
    expect(page.locator(".cf .card").first).to_be_visible(timeout=20_000)
    assert at(page) == step


@pytest.mark.parametrize("seat", ["", "&seat=0", "&seat=1"])
def test_an_address_beyond_the_last_step_opens_that_one_and_says_so(
    page: Page, server: str, timeline: Timeline, seat: str
) -> None:
    page.goto(f"{server}/replay?game={id_of(timeline)}{seat}&step=99999")
    expect(page.locator(".cf .toast")).to_contain_text("There is no step 99999: the steps go from 0 to", timeout=20_000)
    assert page.locator(".cf").evaluate("({viewer}) => viewer.n === viewer.replay.last")


def test_the_viewer_shows_at_every_step_what_the_fold_gives(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    state, step = empty_state(timeline.declared), 0
    frames = "Array.from({length: to - from}, (_, i) => root.viewer.replay.frame(from + i))"
    while step < timeline.steps:
        until = min(step + 100, timeline.steps)
        shown = page.locator(".cf").evaluate(f"(root, [from, to]) => JSON.stringify({frames})", [step, until])
        for frame in json.loads(shown):
            asked = state.asked
            fold(state, timeline.events[step], timeline.declared)
            assert frame == _plain(frame_of(state, timeline.events[step], asked)), step
            step += 1


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_the_board_shows_the_table_of_the_step(page: Page, server: str, timeline: Timeline) -> None:
    step = timeline.turns[-1].step
    show(page, server, id_of(timeline), step)
    state = timeline.state(step)
    for seat in (0, 1):
        side = page.locator(f".cf .seat{seat}")
        expect(side.locator(".life b")).to_have_text(str(len(state.zones[seat]["deck"])))
        expect(side.locator(".lines .card")).to_have_count(len(state.zones[seat]["a"]) + len(state.zones[seat]["b"]))
        expect(side.locator(".hand .card")).to_have_count(len(state.zones[seat]["hand"]))
        down = [c for zone in ("a", "b") for c in state.zones[seat][zone] if state.cards[c].exhausted]
        expect(side.locator(".lines .card.is-down")).to_have_count(len(down))


def test_log_and_board_lead_to_each_other(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline), timeline.turns[2].step)
    line = page.locator(".cf .le.head:visible:not(.now)").first
    number = int(line.get_attribute("data-n") or -1)
    line.locator(".tx").click()
    assert at(page) == number
    expect(page.locator(".cf [aria-current=step].le")).to_have_attribute("data-n", str(number))


def test_the_timeline_can_be_clicked_and_dragged(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    box = page.locator(".cf .tl").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30)
    page.mouse.down()
    middle = at(page)
    assert abs(middle - timeline.steps / 2) < timeline.steps / 50
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 30, steps=4)
    page.mouse.up()
    assert at(page) == timeline.steps - 1


MARKS = """(root) => [...root.querySelectorAll(".mk")].map((mark) => {
  const own = getComputedStyle(mark), {fill, stroke, opacity} = getComputedStyle(mark.querySelector(".sh"));
  const beyond = mark.getBoundingClientRect().left > root.querySelector(".ph").getBoundingClientRect().right;
  return {beyond, filled: fill === own.color, hollow: fill === "none", drawn: stroke === own.color,
    faded: own.opacity !== "1" || opacity !== "1"};
})"""


def test_marks_of_the_future_are_hollow_not_faded_and_not_there_without_spoilers(
    page: Page, server: str, timeline: Timeline
) -> None:
    steps = sorted(key.step for key in timeline.key_events)
    show(page, server, id_of(timeline), steps[len(steps) // 2])
    root = page.locator(".cf")
    marks = root.evaluate(MARKS)
    assert {mark["beyond"] for mark in marks} == {True, False}
    assert all(mark["drawn"] and not mark["faded"] for mark in marks)
    assert all(mark["hollow"] for mark in marks if mark["beyond"])
    assert any(mark["filled"] for mark in marks) and all(mark["filled"] != mark["hollow"] for mark in marks)
    page.keyboard.press("End")
    assert all(mark["filled"] for mark in root.evaluate(MARKS))
    show(page, server, id_of(timeline), steps[len(steps) // 2])
    page.keyboard.press("s")
    free = root.evaluate(MARKS)
    assert free and not any(mark["beyond"] or mark["hollow"] for mark in free)


def test_play_goes_on_by_itself_and_a_step_stops_it(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    page.locator(".cf .spd").select_option("8")
    start = at(page)
    page.keyboard.press("Space")
    expect(page.locator(".cf .stp.turn b")).to_have_text(f"2 of {len(timeline.turns)}", timeout=20_000)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert at(page) > start


def test_spoiler_free_tells_neither_length_nor_what_comes(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline), timeline.turns[1].step)
    page.keyboard.press("s")
    expect(page.locator(".cf .stp.event b")).to_have_text(f"{timeline.turns[1].step} of ?")
    numbers = page.locator(".cf .le:visible").evaluate_all("rows => rows.map((row) => Number(row.dataset.n))")
    assert max([*numbers, 0]) <= timeline.turns[1].step
    expect(page.locator(".cf .lt:visible")).to_have_count(2)
    expect(page.locator(".cf .tb")).to_have_count(2)


def test_a_flipped_board_has_the_other_seat_below(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline))
    expect(page.locator(".cf .side.bottom")).to_have_class("side bottom seat0")
    page.keyboard.press("f")
    expect(page.locator(".cf .side.bottom")).to_have_class("side bottom seat1")


def _a_lasting_effect_on_the_table(timeline: Timeline) -> tuple[int, ModifierBegan]:
    for step in range(timeline.turns[0].step, timeline.steps, 5):
        state = timeline.state(step)
        for effect in state.modifiers.values():
            if effect.on > 1 and state.cards[effect.on].zone in ("a", "b"):
                return step, effect
    raise AssertionError("no lasting effect in this game: take another one")


def test_a_card_is_told_in_full_with_where_its_values_come_from(page: Page, server: str, timeline: Timeline) -> None:
    step, effect = _a_lasting_effect_on_the_table(timeline)
    show(page, server, id_of(timeline), step)
    page.locator(f'.cf .lines [data-card="{effect.on}"]').first.hover()
    inspector = page.locator(".cf .insp")
    expect(inspector.locator("tr.sum")).to_be_visible()
    source = timeline.viewer_data()["cards"][timeline.state(step).cards[effect.card].code]["name"]
    expect(inspector.locator("table")).to_contain_text(source)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_a_card_in_full_has_its_flavour_below_its_text(
    page: Page, server: str, timeline: Timeline, language: str
) -> None:
    faces = timeline.viewer_data(language)["cards"]
    step, number, face = next(
        (step, number, faces[card.code])
        for step in range(timeline.turns[2].step, timeline.steps)
        for number, card in timeline.state(step).cards.items()
        if card.zone in ("a", "b") and card.code and faces[card.code]["text"] and faces[card.code]["flavour"]
    )
    page.goto(f"{server}/replay?game={id_of(timeline)}&step={step}&language={language}")
    page.locator(f'.cf .lines [data-card="{number}"]').first.hover()
    expect(page.locator(".cf .insp p")).to_have_text([*face["text"], face["flavour"]])


def test_a_seat_gets_no_card_that_it_cannot_know(page: Page, server: str, timeline: Timeline) -> None:
    step = next(t.step for t in timeline.turns[4:] if timeline.state(t.step).zones[1]["hand"])
    open_anew(page, server, id_of(timeline), step)
    page.locator(".cf .seg button", has_text="random 1").click()
    expect(page.locator(".cf .seg [aria-pressed=true]")).to_have_text("random 1")
    assert f"step={step}&seat=0" in page.url
    state = timeline.state(step)
    expect(page.locator(".cf .side.top .hand .bk")).to_have_count(len(state.zones[1]["hand"]))
    expect(page.locator(".cf .side.bottom .hand .card")).to_have_count(len(state.zones[0]["hand"]))
    held = page.locator(".cf").evaluate("root => JSON.stringify(root.viewer.data)")
    data = json.loads(held)
    seen = Timeline(timeline.events, timeline.rulebook, timeline.card_sets, 0).events
    told = {e.code for e in seen if isinstance(e, CardIdentified)} | {
        code for e in seen if isinstance(e, CardsMade) for code in e.codes if code
    }
    assert set(data["cards"]) == told
    assert all(card == HIDDEN for frame in data["frames"] for card in frame["zones"][1]["deck"])
    page.keyboard.press("0")
    expect(page.locator(".cf .seg [aria-pressed=true]")).to_have_text("All open")
    assert at(page) == step


def test_the_whole_viewer_speaks_another_language(page: Page, server: str, timeline: Timeline) -> None:
    open_anew(page, server, id_of(timeline), timeline.turns[1].step)
    page.locator(".cf .lng").select_option("ja")
    expect(page.locator(".cf .app")).to_have_attribute("lang", "ja")
    expect(page.locator(".cf .stp.action small")).to_have_text("行動")
    expect(page.locator(".cf .gm b")).to_have_text("ライブオン")
    page.locator(".cf .lng").select_option("en")
    expect(page.locator(".cf .stp.action small")).to_have_text("Action")


def test_names_of_strangers_stay_text(page: Page, server: str) -> None:
    show(page, server, "hostile", 60)
    expect(page.locator(".cf .side.top .pname")).to_have_text(HOSTILE)
    for key in ("ArrowRight", "ArrowDown", "End"):
        page.keyboard.press(key)
    assert page.evaluate("window.caught") is None
    assert page.locator(".cf img").count() == 0


def test_signs_in_a_name_are_nothing_but_signs(page: Page, server: str, timeline: Timeline) -> None:
    show(page, server, id_of(timeline), timeline.turns[1].step)
    named = """(root, name) => {
      const {viewer} = root, {players} = viewer.data.game, names = players.map((player) => player.name);
      for (const player of players) player.name = name;
      viewer.jump(viewer.replay.last);
      names.forEach((old, seat) => { players[seat].name = old; });
      return root.querySelector(".res b").textContent;
    }"""
    assert page.locator(".cf").evaluate(named, "$$ $& {player}") == "$$ $& {player} wins"


def test_a_cut_game_plays_up_to_the_cut_and_says_why(page: Page, server: str) -> None:
    show(page, server, "cut")
    expect(page.locator(".cf .fault")).to_be_visible()
    expect(page.locator(".cf .fault b")).to_have_text("The log stops after record 199; the game did not end.")
    expect(page.locator(".cf .badge")).to_have_text("Cut at 200")
    page.keyboard.press("s")
    expect(page.locator(".cf .fault")).to_be_hidden()
    expect(page.locator(".cf .badge")).to_have_text("Cut")
    page.keyboard.press("s")
    page.keyboard.press("End")
    assert at(page) == 199
    page.locator(".cf .lng").select_option("ja")
    expect(page.locator(".cf .fault b")).to_contain_text("ログは記録199で終わって", timeout=20_000)
    page.locator(".cf .badge").click()
    expect(page.locator(".cf .abt")).to_contain_text("ログは記録199で終わって")
    page.keyboard.press("Escape")
    page.locator(".cf .lng").select_option("en")
    expect(page.locator(".cf .app")).to_have_attribute("lang", "en", timeout=20_000)


def test_a_damaged_log_says_so_in_the_language_before_the_technical_sentence() -> None:
    data = (FOLDER / "liveon.jsonl").read_bytes().splitlines(keepends=True)
    first = next(n for n, line in enumerate(data) if b'"game_started"' in line)
    [game] = read_games(b"".join(data[: first + 40]) + b'{"kind":"card_moved","ca')
    assert game.fault is not None
    for language, said in (("en", "followed up to record 39"), ("ja", "記録39まで"), ("zh-Hant", "跟到第39條")):
        shown = json.loads(viewer.game_json(viewer.timeline_of(game), game, verify(game), language))
        assert said in shown["fault"]["text"] and shown["fault"]["detail"] == str(game.fault)
        assert shown["log"]["text"] == viewer.viewer_words()[language]["found_damaged"]


def test_an_altered_log_that_can_be_followed_to_its_end_is_not_called_cut() -> None:
    game = next(iter(read_games(FOLDER / "liveon.jsonl")))
    events = list(game.events)
    del events[next(n for n, event in enumerate(events) if isinstance(event, CardMoved) and n > 150)]
    lines = write_game((game.rulebook, game.card_sets, game.events)).splitlines(keepends=True)
    short = write_game((game.rulebook, game.card_sets, events)).splitlines(keepends=True)
    [altered] = read_games(b"".join([*short[:-1], lines[-1]]))  # sealed as it was before
    verdict = verify(altered)
    assert altered.fault is not None and verdict.verdict == "altered"
    shown = json.loads(viewer.game_json(viewer.timeline_of(altered), altered, verdict))
    assert shown["fault"] == {"text": shown["log"]["text"], "detail": str(altered.fault)}
    seen = json.loads(viewer.game_json(viewer.timeline_of(altered, 0), altered, verdict))
    assert seen["fault"] == {"text": viewer.viewer_words()["en"]["altered_means"], "detail": ""}


def test_no_page_asks_anyone_but_this_machine(page: Page, server: str, timeline: Timeline) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_anew(page, server, id_of(timeline))
    page.goto(f"{server}/cards")
    expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=20_000)
    foreign = [url for url in asked if not url.startswith((server, "data:", "blob:"))]
    assert asked and foreign == []
