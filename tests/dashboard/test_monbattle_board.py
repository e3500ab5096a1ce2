"""The board of Monster Battle."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from engine.state import State
from events import kinds as k
from replays.view.timeline import Timeline
from tests.dashboard.test_boards import (
    labels,
    moment,
    reckoned,
    show,
)

__all__ = ["show"]


def twice(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    return isinstance(event, k.DamageCalculated) and event.step == "again"


def armed(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    """A monster with a weapon that adds to it stands on standby, and one is on a stage."""
    return isinstance(event, k.CounterSet) and event.name == "atk" and (
        state is None or (event.entity in state.cards and state.cards[event.entity].zone == "standby"
                          and any(state.cards[c].attachment == "weapon" for c in state.cards[event.entity].attachments))
    )  # fmt: skip


def evolved(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    return isinstance(event, k.CardAttached) and event.attachment == "under" and event.to is not None


def with_field(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    return isinstance(event, k.CardMoved) and event.zone == "field"


def test_the_stock_is_a_gauge_with_a_segment_for_each_card(show: Callable[..., Locator]) -> None:
    at = moment("monbattle", reckoned)
    board = show(at)
    for seat in (0, 1):
        costs = [at.value(c, "cost") for zone in ("stock", "battle") for c in at.state.zones[seat][zone]]
        pp = at.state.counters[seat]["pp"]
        gauge = board.get_by_role("group", name=f"{at.player(seat)}: stock + stage {sum(costs)} of {pp} PP", exact=True)
        segments = gauge.get_by_role("button")
        expect(segments).to_have_count(len(costs))
        whole = gauge.bounding_box()
        assert whole is not None
        for segment, cost in zip(segments.all(), costs, strict=True):
            box = segment.bounding_box()
            assert box is not None and abs(box["width"] / whole["width"] - cost / max(pp, sum(costs))) < 0.02
        assert labels(segments)[-1].endswith("stage") or not at.state.zones[seat]["battle"]


def test_a_board_that_is_drawn_anew_tells_what_changed_as_before(show: Callable[..., Locator]) -> None:
    board = show(moment("monbattle", reckoned))
    changed = """(board) => {
      const {viewer} = board.closest(".cf"), steps = viewer.replay.shown.slice(0, 120);
      const told = (n) => { viewer.go(n, "event"); return board.querySelectorAll(".gl .chg-n").length; };
      const forward = steps.map(told);
      return [forward, steps.map((n) => { viewer.board.build(); return told(n); })];
    }"""
    forward, anew = board.evaluate(changed)
    assert forward == anew and 1 in forward


def test_the_reckoning_is_told_step_by_step_beside_the_duel(show: Callable[..., Locator]) -> None:
    at = moment("monbattle", reckoned)
    board = show(at)
    attacker, target = at.state.attack
    assert attacker is not None and target is not None
    steps = {r.step: r.value for r in at.state.damage_steps}
    struck = 1 - at.state.cards[attacker].seat
    table = board.get_by_role("region", name=f"Damage to {at.player(struck)}")
    rows = table.locator("tbody tr")
    words = ["ATK − DEF", "Attacker's side", "Attribute", "Defender's side", "Speed"]
    expect(rows.locator("td:nth-child(2)")).to_have_text(words)
    value = steps["def"]
    expect(rows.nth(0).locator("td").last).to_have_text(str(value))
    for row, step in ((1, "attacker"), (2, "attribute"), (3, "defender")):
        value = steps.get(step, value)
        expect(rows.nth(row).locator("td").last).to_have_text(str(value))
    expect(rows.nth(2)).to_contain_text(re.compile("× 2|÷ 2"))
    expect(rows.nth(4)).to_contain_text(f"SPD {at.value(attacker, 'spd')} : {at.value(target, 'spd')}")
    lp = at.state.counters[struck]["lp"]
    expect(table.locator(".path")).to_contain_text(f"{lp + value} → {lp}")
    assert "attacks" in (board.locator(f".card.stage[data-card='{attacker}']").get_attribute("aria-label") or "")


def test_a_second_attack_is_told_as_it_is_decided(show: Callable[..., Locator]) -> None:
    at = moment("monbattle", twice)
    board = show(at)
    dealt = at.state.damage_steps[-1].value
    row = board.locator(".rk tbody tr").last
    expect(row).to_have_class("now")
    expect(row.locator("td").last).to_have_text(f"2 × {dealt}")
    expect(row).to_contain_text("Second attack")


def test_cards_say_cost_values_and_what_hangs_on_them(show: Callable[..., Locator]) -> None:
    at = moment("monbattle", armed)
    board = show(at)
    bearer = at.timeline.events[at.step].entity  # type: ignore[attr-defined]
    node = board.locator(f".places .card[data-card='{bearer}']")
    weapon = next(c for c in at.state.cards[bearer].attachments if at.state.cards[c].attachment == "weapon")
    label = node.get_attribute("aria-label") or ""
    values = [f"{name.upper()} {at.value(bearer, name)}" for name in ("cost", "atk", "def", "spd")]
    assert label.startswith(f"{at.name(bearer)}, {', '.join(values)}") and at.name(weapon) in label
    expect(node.locator(".nm > :first-child")).to_have_text(str(at.value(bearer, "cost")))
    expect(node.locator(".eq")).to_contain_text(at.name(weapon))
    first = board.locator(f".places .card[data-card='{bearer}'] .st3 span")
    expect(first).to_have_text([f"{name.upper()}{at.value(bearer, name)}" for name in ("atk", "def", "spd")])


def test_an_evolved_monster_says_so(show: Callable[..., Locator]) -> None:
    at = moment("monbattle", evolved)
    board = show(at)
    upper = at.timeline.events[at.step].to  # type: ignore[attr-defined]
    node = board.locator(f".card[data-card='{upper}'].is-up").first
    expect(node.locator(".evo")).to_have_text("EVO")
    assert "EVO" in (node.get_attribute("aria-label") or "")


def test_the_field_lies_open_with_its_text(show: Callable[..., Locator]) -> None:
    at = moment("monbattle", with_field)
    board = show(at)
    card = at.timeline.events[at.step].card  # type: ignore[attr-defined]
    name = f"{at.name(card)}, Field, {at.player(at.state.cards[card].seat)}"
    field = board.get_by_role("button", name=name, exact=True)
    expect(field).to_contain_text(at.faces[at.state.cards[card].code]["text"][0])  # type: ignore[index]


def test_players_have_life_level_and_their_phases(show: Callable[..., Locator]) -> None:
    at = moment("monbattle", reckoned)
    board = show(at)
    for seat in (0, 1):
        portrait = board.locator(f".seat{seat} .pc")
        expect(portrait.locator(".lpv b").first).to_have_text(str(at.state.counters[seat]["lp"]))
        expect(portrait.locator(".lv")).to_have_text(f"Lv {at.state.counters[seat]['level']}")
        name = at.name(at.state.zones[seat]["player"][0])
        expect(portrait.locator(".pcn")).to_have_text(name)
    phases = board.locator(".phs li")
    expect(phases).to_have_text(["Start", "Main", "Attack", "Main", "Attack", "End"])
    second = at.state.phase_seat != at.state.active
    expect(phases.nth(4 if second else 2)).to_have_attribute("aria-current", "step")
