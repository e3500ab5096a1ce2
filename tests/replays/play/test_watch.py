"""The text replay: where keys lead, what a screen shows, what strangers' names cannot do to a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from events.game import GameLog
from events.open import read_games
from replays.cli import main
from replays.play import watch
from replays.play.watch import TextReplay, clipped, keys

GOLDEN = Path(__file__).parents[2] / "golden"


def game(number: int = 1) -> GameLog:
    """A golden game of Live On."""
    return list(read_games(GOLDEN / "liveon.jsonl"))[number]


def source(*parts: str) -> Callable[[], str]:
    """A terminal that sends these."""
    left = iter((*parts, ""))
    return lambda: next(left)


def test_keys_lead_to_action_event_turn_and_key_event() -> None:
    replay = TextReplay(game())
    course = replay.course
    start, first_key = course.turns[0].step, min(course.stop_at(event.step) for event in course.key_events)
    one = min(action.stop for action in course.actions if action.stop > start)
    assert replay.step == start
    for key, step in (
        ("down", course.turns[1].step), ("up", start), ("right", one), ("end", course.steps - 1),
        ("right", course.steps - 1), ("n", course.steps - 1), ("home", 0), ("left", 0), ("p", 0),
        ("n", first_key), ("x", first_key),
    ):  # fmt: skip
        assert replay.press(key)
        assert replay.step == step, key
    replay.step = start
    assert replay.press(".") and replay.step > start
    assert replay.press(",") and replay.step == start
    assert not replay.press("q")


def test_a_screen_shows_table_log_and_place_and_keeps_its_size() -> None:
    replay = TextReplay(game())
    replay.press("down")
    screen = replay.screen(80, 24)
    assert len(screen) <= 24 and all(len(line) <= 80 for line in screen)
    assert screen[0].startswith("Turn 2")
    assert any(line.startswith(">") for line in screen)
    assert screen[-1].startswith(f"turn 2 of {len(replay.course.turns)} · event {replay.step} of")
    assert all(len(replay.screen(20, height)) <= height for height in range(1, 12))


def test_a_high_window_is_used_up_to_its_last_line() -> None:
    replay = TextReplay(game())
    replay.press("end")
    for height in (24, 40, 60):
        screen = replay.screen(100, height)
        assert len(screen) == height and sum(line.startswith(">") for line in screen) == 1


def test_what_does_not_fit_is_folded_or_said_to_be_cut() -> None:
    replay = TextReplay(game())
    replay.press("end")
    cards = [card.code for card in replay.course.state(replay.step).cards.values() if card.zone in ("a", "b")]
    high = replay.screen(60, 80)
    table = high[: high.index("─" * 60)]
    assert all(replay.names.code(code) in "\n".join(table) for code in cards)
    assert not any(line.endswith("…") for line in table)
    assert any(line.endswith("…") for line in replay.screen(60, 24))
    assert any(re.fullmatch(r"… \d+ lines more", line) for line in replay.screen(60, 12))


def test_one_seat_sees_no_more_than_it_knew() -> None:
    whole, one = TextReplay(game()), TextReplay(game(), seat=0)
    whole.press("down")
    one.press("down")
    other = game().header.seats[1].player

    def hand(replay: TextReplay) -> str:
        lines = replay.screen(200, 40)
        at = next(i for i, line in enumerate(lines) if line.startswith(f"── {other}"))
        return next(line for line in lines[at:] if line.strip().startswith("Hand"))

    assert "POW" in hand(whole)
    assert hand(one).split() == ["Hand", hand(one).split()[1], "cards"]


def test_a_cut_game_says_where_and_why() -> None:
    cut = next(read_games(b"\n".join([*game().shared, *game().lines[:120]]) + b'\n{"kind":"card_mo'))
    replay = TextReplay(cut)
    replay.press("end")
    assert replay.step == 119
    assert any(line.startswith("! ") and "120" in line for line in replay.screen(200, 40))


def test_no_name_can_steer_the_terminal() -> None:
    bad = "A\x1b[2J\x07\n\u202eB"
    log = game()
    seats = tuple(msgspec.structs.replace(seat, player=bad) for seat in log.header.seats)
    log.events[0] = msgspec.structs.replace(log.header, seats=seats)
    text = "".join(TextReplay(log).screen(200, 40))
    assert text.isprintable() and "A\ufffd[2J" in text


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [("カード名", 5, "カー…"), ("カード名", 8, "カード名"), ("abc", 2, "a…"), ("全\u3000角", 6, "全 角")],
)
def test_lines_are_clipped_by_columns_and_say_so(text: str, width: int, shown: str) -> None:
    assert clipped(text, width) == shown


def test_keys_are_read_however_the_terminal_cuts_them_up() -> None:
    assert list(keys(source("\x1b[A\x1b[B", "n", "\x1b", "[", "C", "\x1bOH", "q"))) == [
        "up", "down", "n", "right", "home", "q",
    ]  # fmt: skip
    assert list(keys(source("\x1b"))) == []


def test_without_a_terminal_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["cardfold", "watch", str(GOLDEN / "liveon.jsonl"), "--text"])
    with pytest.raises(SystemExit) as left:
        main.main()
    assert left.value.code == 2
    assert "needs a terminal" in capsys.readouterr().err


def test_in_a_terminal_it_shows_the_game_and_leaves_the_terminal_as_it_was() -> None:
    terminal, inside = pty.openpty()
    command = [sys.executable, "-m", "replays.cli.main", "watch", str(GOLDEN / "liveon.jsonl"), "--text"]
    process = subprocess.Popen(command, stdin=inside, stdout=inside)
    before = termios.tcgetattr(inside)
    shown = b""
    try:
        for wanted, pressed in ((b"turn 1 of", b"\x1b[B"), (b"turn 2 of", b"q"), (watch.OFF.encode(), b"")):
            while wanted not in shown:
                assert select.select([terminal], [], [], 60)[0], f"no {wanted!r} in a minute"
                shown += os.read(terminal, 65536)
            os.write(terminal, pressed)
        assert process.wait(60) == 0
        assert termios.tcgetattr(inside) == before
    finally:
        process.kill()
        process.wait()
        os.close(terminal)
        os.close(inside)
    assert shown.startswith(watch.ON.encode())
