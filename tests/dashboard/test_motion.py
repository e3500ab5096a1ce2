"""What moves in the viewer and when, keys and small windows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from replays.view.timeline import Timeline
from tests.dashboard.opening import id_of, show

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
