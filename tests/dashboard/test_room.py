"""Room: at every width the board, the line at hand and the dock are seen together, and nothing lies over another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.rulebooks import registry
from engine.state import State
from engine.words import LANGUAGES
from events import kinds as k
from replays.view.timeline import Timeline
from tests.dashboard.test_boards import PHONE, Moment, many_fists, moment, reckoned, show, struck
from tests.dashboard.test_monbattle_board import evolved

__all__ = ["show"]


def crowded(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    """An attack is set in a game that is under way."""
    return isinstance(event, k.AttackSet) and event.attacker is not None and (state is None or state.turn > 4)


MOMENTS: dict[str, Callable[..., bool]] = {"liveon": crowded, "xcard": many_fists, "monbattle": reckoned}

SEEN = """async (root) => {
  const {viewer} = root, bad = [], box = (which) => root.querySelector(which).getBoundingClientRect();
  const frame = () => new Promise(requestAnimationFrame);
  for (const n of viewer.replay.shown.filter((_, i, all) => i % Math.ceil(all.length / 12) === 5)) {
    viewer.go(n, "event");
    for (let i = 0; i < 7; i++) await frame();
    const [log, dock, rail, board] = [".log", ".dock", ".rail", ".board"].map(box);
    const line = root.querySelector("[aria-current=step]:is(.le, .lt)").getBoundingClientRect();
    if (line.top < log.top - 1 || line.bottom > log.bottom + 1) bad.push([n, "line", line.top, line.bottom]);
    if (log.height < 3 * 24) bad.push([n, "log", log.height]);
    if (Math.max(rail.bottom, board.bottom) > dock.top + 1 || dock.bottom > innerHeight + 1) bad.push([n, "dock"]);
    if (root.clientWidth >= 1000 && (board.right > rail.left + 1 || rail.width < 280)) bad.push([n, "beside"]);
    const [head, ...turns] = [".phh", ".tt:not(.under)"].flatMap((which) => [...root.querySelectorAll(which)])
      .map((one) => one.getBoundingClientRect());
    if (turns.some((turn) => turn.left < head.right && head.left < turn.right)) bad.push([n, "playhead"]);
    if (root.querySelector(".app").scrollHeight > root.clientHeight + 1) bad.push([n, "scrolls"]);
  }
  return bad;
}"""


SIZES = ((1440, 900), (1024, 768), (1000, 700), (900, 800), (390, 844), (360, 640))


@pytest.mark.parametrize("key", registry.GAMES)
def test_the_line_at_hand_is_always_seen_and_nothing_lies_behind_the_dock(
    show: Callable[..., Locator], page: Page, key: str
) -> None:
    show(moment(key, MOMENTS[key]))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".cf").evaluate(SEEN) == [], (width, height)


@pytest.mark.parametrize("key", ["xcard", "monbattle"])
@pytest.mark.parametrize("width", [1024, 1280])
def test_the_other_hand_is_told_in_whole_names(
    show: Callable[..., Locator], page: Page, key: str, width: int
) -> None:
    def holding(timeline: Timeline, state: State | None, event: k.Event) -> bool:
        return isinstance(event, k.PhaseBegan) and (state is None or (state.turn > 1 and state.count(1, "hand") > 3))

    at = moment(key, holding)
    page.set_viewport_size({"width": width, "height": 800})
    hand = show(at).locator(".top .hand .card")
    names = [at.name(card) for card in at.state.zones[1]["hand"]]
    assert hand.evaluate_all("all => all.map((one) => one.title)") == names
    assert hand.locator("span").evaluate_all("all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).length") == 0
    hand.nth(1).hover()
    expect(page.locator(".cf .insp h3")).to_have_text(names[1])


OVER = """(board) => {
  const beside = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
  const apart = (a, b) => beside(a, b) || beside(b, a);
  return [...board.querySelectorAll(".places .card, .bslot .card, .lines .card")].flatMap((card) => {
    const marks = [...card.querySelectorAll(".cst, .atb, .evo, .kd, .kw u, .elb, .mkk, .st3 span:nth-child(3)")];
    const boxes = marks.filter((e) => e.getClientRects().length).map((e) => [e.className, e.getBoundingClientRect()]);
    return boxes.flatMap(([name, box], i) =>
      boxes.slice(i + 1).filter(([, other]) => !apart(box, other)).map(([other]) => [name, other]));
  });
}"""


EDGES = """(board) => {
  const crowd = [".edge", ".strip", ".who"].flatMap((line) => [...board.querySelectorAll(line)]);
  return crowd.flatMap((line) => {
    const parts = [...line.children].filter((e) => e.getClientRects().length && e.textContent);
    const boxes = parts.map((e) => [e.className, e.getBoundingClientRect()]).sort(([, a], [, b]) => a.left - b.left);
    return boxes.slice(1).filter(([, box], i) => box.left < boxes[i][1].right - 1).map(([name]) => name);
  });
}"""


@pytest.mark.parametrize("key", ["xcard", "monbattle"])
def test_what_stands_beside_a_players_name_stands_side_by_side(
    show: Callable[..., Locator], page: Page, key: str
) -> None:
    board = show(moment(key, MOMENTS[key]))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(60)
        assert board.evaluate(EDGES) == [], (width, height)


@pytest.mark.parametrize(("key", "fits"), [("xcard", struck), ("monbattle", evolved), ("liveon", crowded)])
def test_on_a_phone_no_mark_of_a_card_lies_over_another(
    show: Callable[..., Locator], page: Page, key: str, fits: Callable[..., Any]
) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert show(moment(key, fits)).evaluate(OVER) == []


PRINTED = """async (root) => {
  const {viewer} = root, bad = [], board = () => root.querySelector(".board");
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const boxes = (card, which) => [...card.querySelectorAll(which)].filter((e) => e.getClientRects().length)
    .map((e) => [e.getAttribute("class"), e.getBoundingClientRect()]);
  for (const n of viewer.replay.shown.filter((_, i, all) => i % Math.ceil(all.length / 90) === 0)) {
    viewer.go(n, "event");
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
    if (root.clientWidth < 700 && board().scrollHeight > board().clientHeight) bad.push([n, "lowest row"]);
    for (const card of board().querySelectorAll(".card")) {
      const whole = card.getBoundingClientRect();
      const printed = boxes(card, ".src > *, .pow, .cst, .eg, .elb, .mkk, .nm span, .hk small");
      for (const [tag, box] of boxes(card, ":scope > .tag")) {
        bad.push(...printed.filter(([, other]) => over(box, other)).map(([name]) => [n, tag, name]));
      }
      const source = boxes(card, ".src > *"), values = boxes(card, ".ft .pow, .kd, .kw u");
      bad.push(...source.filter(([, box]) => box.right > whole.right || box.bottom > whole.bottom
        || values.some(([, value]) => over(box, value))).map(([name]) => [n, "source", name]));
    }
  }
  return bad;
}"""


@pytest.mark.parametrize("key", registry.GAMES)
@pytest.mark.parametrize(("width", "height"), [(1024, 768), (390, 844)])
def test_all_that_a_card_prints_is_seen_whatever_is_said_of_it(
    show: Callable[..., Locator], page: Page, key: str, width: int, height: int
) -> None:
    show(moment(key, MOMENTS[key]))
    page.set_viewport_size({"width": width, "height": height})
    assert page.locator(".cf").evaluate(PRINTED) == []


def standing(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    """Monsters of both sides, and nothing is reckoned."""
    return isinstance(event, k.PhaseBegan) and (
        state is None
        or (not state.damage_steps and min(state.count(s, "battle") + state.count(s, "standby") for s in (0, 1)) > 1)
    )


def blow(at: Moment, card: int, foe: int) -> int:
    """What one card would do to another."""
    return max(0, at.value(card, "atk") - at.value(foe, "def"))


def test_between_attacks_the_centre_says_who_would_meet_whom_and_what_is_left(show: Callable[..., Locator]) -> None:
    at = moment("monbattle", standing)
    board = show(at)
    own, other = ([*at.state.zones[s]["battle"], *at.state.zones[s]["standby"]] for s in (0, 1))
    rows = board.locator(".rv tbody tr")
    expect(rows).to_have_count(len(own))
    for row, card in zip(rows.all(), own, strict=True):
        expect(row.locator("th")).to_contain_text(f"{at.name(card)} SPD {at.value(card, 'spd')}")
        expect(row.locator("td")).to_have_text([f"{blow(at, card, foe)} : {blow(at, foe, card)}" for foe in other])
        for cell, foe in zip(row.locator("td").all(), other, strict=True):
            even = at.value(card, "spd") == at.value(foe, "spd")
            expect(cell.locator("b")).to_have_count(0 if even else 1)
    for seat in (0, 1):
        limit = at.state.counters[seat]["pp"]
        spent = sum(at.value(card, "cost") for zone in ("stock", "battle") for card in at.state.zones[seat][zone])
        left = f"{limit - spent} of {limit} PP left"
        expect(board.locator(".left-of", has_text=at.player(seat))).to_contain_text(left)


def test_while_an_attack_is_reckoned_the_centre_is_the_reckonings(show: Callable[..., Locator]) -> None:
    board = show(moment("monbattle", reckoned))
    expect(board.locator(".rv")).to_be_hidden()
    expect(board.locator(".rk table").first).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_cards_flavour_stands_once_where_the_log_first_tells_of_it_alone(
    show: Callable[..., Locator], page: Page, language: str
) -> None:
    at = moment("liveon", crowded)
    show(at, language=language)
    faces = at.timeline.viewer_data(language)["cards"]
    told = page.locator(".cf .le:has(.flv)").evaluate_all(
        "all => all.map((row) => [row.querySelector('.tx').textContent, row.querySelector('.flv').textContent])"
    )
    flavours = {face["flavour"]: face["name"] for face in faces.values() if face["flavour"]}
    assert len(told) > 5 and len({flavour for _, flavour in told}) == len(told)
    assert all(flavours[flavour] in text for text, flavour in told)


def test_a_keyword_without_a_number_shows_none_and_what_always_holds_no_time(
    show: Callable[..., Locator], page: Page
) -> None:
    def rushes(timeline: Timeline, state: State | None, event: k.Event) -> bool:
        return isinstance(event, k.PhaseBegan) and (state is None or bool(rushing(timeline, state)))

    at = moment("liveon", rushes)
    board = show(at)
    board.locator(f".lines [data-card='{rushing(at.timeline, at.state)[0]}']").first.hover()
    expect(page.locator(".cf .insp tr", has_text="Rush")).to_have_text("Rush")
    expect(page.locator(".cf .insp")).not_to_contain_text("While it applies")


def rushing(timeline: Timeline, state: State) -> list[int]:
    """Cards on the table that have Rush printed on them."""
    printed = {code: raw for line in timeline.card_sets for code, raw in line.cards.items()}
    keyworded = {code for code, raw in printed.items() if "rush" in raw.get("keywords", {})}
    return [n for n, card in state.cards.items() if card.zone in ("a", "b") and card.code in keyworded]


def test_decks_are_named_beside_their_players(show: Callable[..., Locator], page: Page) -> None:
    at = moment("xcard", struck)
    show(at)
    names = page.locator(".cf .vsn")
    for place, seat in zip(names.all(), at.game.header.seats, strict=True):
        expect(place).to_contain_text(seat.player)
        expect(place.locator("small")).to_have_text(seat.deck.name)
        expect(place.locator("small")).to_be_visible()


PHASES = """(root) => {
  const {viewer} = root, bad = [];
  const counters = viewer.replay.stops.filter((n) => {
    viewer.go(n, "event");
    return root.querySelector(".top .cts").textContent;
  });
  const stops = viewer.replay.stops.filter((_, i, all) => i % Math.ceil(all.length / 40) === 0);
  for (const n of [...stops, ...counters.slice(0, 8)]) {
    viewer.go(n, "event");
    const edge = root.querySelector(".top .edge").getBoundingClientRect();
    for (const item of root.querySelectorAll(".top .phs li")) {
      const box = item.getBoundingClientRect(), word = item.lastChild;
      if (!box.width) continue;
      if (box.right > edge.right + 1 || word.scrollWidth > word.clientWidth + 1) bad.push([n, item.textContent]);
    }
  }
  return [bad, counters.length];
}"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["xcard", "monbattle"])
def test_every_phase_is_told_in_full_beside_a_hand_and_counters(
    show: Callable[..., Locator], page: Page, key: str, language: str
) -> None:
    def counted(timeline: Timeline, state: State | None, event: k.Event) -> bool:
        return isinstance(event, k.CounterSet) and event.name == "no_draw"

    page.set_viewport_size({"width": 1280, "height": 800})
    show(moment(key, counted if key == "xcard" else standing), language=language)
    bad, counters = page.locator(".cf").evaluate(PHASES)
    assert bad == []
    assert counters or key == "monbattle"


def attacked_blank(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    """The player at the top is attacked, and has no battle monster."""
    return isinstance(event, k.AttackSet) and event.target == 1


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (390, 844)])
def test_an_attack_on_a_player_ends_at_the_empty_place_and_crosses_no_words(
    show: Callable[..., Locator], page: Page, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    at = moment("monbattle", attacked_blank)
    board = show(at)
    place = board.locator(".bslot.tgt")
    expect(place).to_have_text(at.player(1))
    arrow, middle, box = (board.locator(which).bounding_box() for which in (".arrow .shaft", ".stg", ".bslot.tgt"))
    assert arrow and middle and box
    assert middle["y"] < arrow["y"] and arrow["y"] + arrow["height"] < middle["y"] + middle["height"]
    below = arrow["y"] > box["y"] + box["height"]
    assert below or arrow["x"] > box["x"] + box["width"] or arrow["x"] + arrow["width"] < box["x"]


def test_a_player_without_a_monster_is_told_what_each_attack_would_do(show: Callable[..., Locator]) -> None:
    def alone(timeline: Timeline, state: State | None, event: k.Event) -> bool:
        if state is None:
            return isinstance(event, k.PhaseBegan)
        here, there = (state.count(seat, "battle") + state.count(seat, "standby") for seat in (0, 1))
        return here > 0 == there and not state.damage_steps

    at = moment("monbattle", alone)
    board = show(at)
    expect(board.locator(".rv thead th").last).to_have_text(f"{at.player(1)} blank")
    own = [*at.state.zones[0]["battle"], *at.state.zones[0]["standby"]]
    expect(board.locator(".rv tbody td")).to_have_text([f"{at.value(card, 'atk')} : –" for card in own])


READ = """(hand) => [...hand.children].map((card, i, all) => {
  const name = card.querySelector(".nn"), next = all[i + 1]?.getBoundingClientRect().left ?? Infinity;
  const words = document.createRange(); words.selectNodeContents(name);
  const box = words.getBoundingClientRect();
  return box.right <= next + 1 && name.scrollHeight <= name.clientHeight + 3;
})"""


@pytest.mark.parametrize("width", [1280, 1024])
@pytest.mark.parametrize("key", ["xcard", "monbattle"])
def test_the_own_hand_is_told_in_whole_names(show: Callable[..., Locator], page: Page, key: str, width: int) -> None:
    def holding(timeline: Timeline, state: State | None, event: k.Event) -> bool:
        most = {"xcard": 5, "monbattle": 6}[key]
        return isinstance(event, k.PhaseBegan) and (state is None or state.count(0, "hand") >= most)

    page.set_viewport_size({"width": width, "height": 800})
    read = show(moment(key, holding)).locator(".bottom .hand").evaluate(READ)
    assert len(read) >= 5 and all(read), read
