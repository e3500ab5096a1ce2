"""Players that think long do so in processes of their own, and decide as they would here."""

from __future__ import annotations

import io
import json
import subprocess

import msgspec
import pytest

from dashboard.play import hosting, thinking
from dashboard.play.thinking import answer_all, asked_of
from engine.core.match import Match
from engine.fold import fold_all
from engine.rulebooks import registry
from engine.rulebooks.registry import from_sets
from events.kinds import Acted
from replays.view.verify import verify
from tests.dashboard.play.conftest import Server, short, until


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_searching_player_decides_in_another_process_as_it_would_here(served: Server, key: str) -> None:
    game = served.begin(key, ("search:4", "search:2"), short(key))
    kept = until(lambda: not served.library.live(game).exists() and served.library.open(game), 60)
    assert verify(kept).verdict == "verified" and kept.sealed
    rules = from_sets(kept.header.game, kept.card_sets)
    places = [n for n, event in enumerate(kept.events) if isinstance(event, Acted)]
    for place in places[3:: max(1, len(places) // 3)]:
        match = Match(rules, fold_all(kept.events[:place], rules.declared))
        match.log[:] = kept.events[:place]
        line, log = asked_of(match)
        answers = io.BytesIO()
        answer_all(io.BytesIO(2 * (line + log)), answers)
        first, second = map(json.loads, answers.getvalue().splitlines())
        assert first == second == {"action": msgspec.to_builtins(kept.events[place].action)}  # type: ignore[attr-defined]


def test_a_process_that_ends_is_replaced_and_the_game_goes_on(
    served: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    thinkers = thinking.Thinkers()
    monkeypatch.setattr(hosting, "THINKERS", thinkers)
    begun, kinds = thinking._begun, [["false"], None]
    monkeypatch.setattr(
        thinking, "_begun",
        lambda: subprocess.Popen(kind, stdin=-1, stdout=-1) if kinds and (kind := kinds.pop(0)) else begun(),
    )  # fmt: skip
    game = served.begin("monbattle", ("search:2", "human"))
    hosted = served.host.game(game)
    until(lambda: hosted.problem)
    assert hosted.problem == "computer_failed" and "A computer player's process has ended" in caplog.text
    hosted.again()
    until(lambda: hosted.live.asked == 1)
    for process in thinkers._free:
        process.kill()
    hosted.act(1, hosted.version(1), 0)
    until(lambda: hosted.problem or hosted.live.asked in (1, None))
