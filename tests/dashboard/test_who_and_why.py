"""Who acts, who is asked what, and what is aimed at stands on the board, wide and on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dashboard import export
from engine.rulebooks import registry
from events.open import read_games
from tests.golden.make import FOLDER

SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}

LOOKED = """(root) => {
  const {viewer} = root, {replay, data, board} = viewer, {players} = data.game;
  const bad = [], seen = {asked: 0, reaction: 0, aimed: 0, attack: 0};
  const shown = (node) => node && node.getClientRects().length > 0;
  const all = (selector) => [...root.querySelectorAll(selector)].filter((node) => shown(node) && node.textContent);
  const every = Math.ceil(replay.stops.length / 250);
  replay.stops.forEach((stop, i) => {
    const frame = replay.frame(stop), {asked, attack} = frame, next = frame.stack.at(-1);
    if (i % every && !next?.aims.length) return;
    viewer.go(stop, "event");
    const waiting = all(".board .may").map((node) => node.textContent);
    const others = asked && (asked.seat !== frame.active || (next && next.seat !== asked.seat));
    const reacts = asked?.what === "window" && others;
    const reaction = reacts && data.words["waiting.window"].replace("{player}", players[asked.seat].name);
    const said = !asked ? [] : [reaction || `${players[asked.seat].name} ${data.words[`question.${asked.what}`]}`];
    if (asked) seen.asked++;
    if (reacts) seen.reaction++;
    if (String(waiting) !== String(said)) bad.push([stop, said, waiting]);
    const turn = all(".board .sts, .board .tn").map((node) => node.textContent);
    if (frame.turn > 0 && !turn.some((text) => text.includes(frame.turn))) bad.push([stop, "turn", turn]);
    for (const aim of next?.aims ?? []) {
      const node = board.entity(aim);
      if (aim < 2 || !shown(node)) continue;
      seen.aimed++;
      const marked = ["aim", "tgt", "att"].some((ring) => node.classList.contains(ring));
      const arrow = !shown(board.item(next.item)) || root.querySelector(".arrow .shaft.eff");
      if (!marked || !arrow) bad.push([stop, "not marked", aim]);
    }
    if (attack?.[0] && attack[1] !== null && shown(board.entity(attack[1])) && shown(board.place(attack[0]))) {
      seen.attack++;
      if (!root.querySelector(".arrow .shaft:not(.eff)")) bad.push([stop, "no arrow of the attack"]);
    }
  });
  return [bad, seen];
}"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", sorted(registry.GAMES))
def test_who_is_asked_what_and_every_target_stand_on_the_board(page: Page, tmp_path: Path, key: str, size: str) -> None:
    game = max(read_games(FOLDER / f"{key}.jsonl"), key=lambda game: len(game.events))
    file = tmp_path / "game.html"
    file.write_text(export.replay_page(game), encoding="utf-8")
    page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
    page.goto(file.as_uri())
    expect(page.locator(".cf .app")).to_be_visible()
    bad, seen = page.locator(".cf").evaluate(LOOKED)
    page.set_viewport_size(SIZES["desk"])  # type: ignore[arg-type]
    assert bad == []
    assert seen["asked"] and seen["aimed"] and (seen["attack"] or key == "xcard")
    assert seen["reaction"] or key == "monbattle"
