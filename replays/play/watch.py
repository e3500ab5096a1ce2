"""Watching one game as text in the terminal, with the arrow keys.

It needs nothing but a terminal, so it works over ssh. It shows what `narrate` and `show` say; it names no game.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from events.errors import CardfoldError
from events.game import GameLog
from replays.play import terminal
from replays.view.narrate import narrate
from replays.view.timeline import Timeline

try:
    import termios
    import tty
except ImportError:  # Windows
    termios = tty = None  # type: ignore[assignment]

MIN_TOLD = 8
"""Lines of the log below the table, where the window is too low for more beside the whole table."""

INDENT = 17
"""Columns before what a line of the table lists; what does not fit goes on below it."""

SEQUENCES = {
    "\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left", "\x1b[H": "home", "\x1b[F": "end",
    "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right", "\x1bOD": "left", "\x1bOH": "home", "\x1bOF": "end",
    "\x1b[1~": "home", "\x1b[4~": "end", "\x1b[7~": "home", "\x1b[8~": "end",
}  # fmt: skip
"""What terminals send for the keys that are no letters."""

OFF = "\x1b[?1049l\x1b[?25h"
ON = "\x1b[?1049h\x1b[?25l"
"""The terminal's other screen, without a cursor: afterwards it is as it was."""


class NoTerminal(CardfoldError):
    """The text replay cannot be shown here; the message is a sentence."""


class TextReplay:
    """A game as screens of text: `step` is where it is, `press` goes elsewhere, `screen` is what is there."""

    def __init__(self, log: GameLog, seat: int | None = None, language: str = "en") -> None:
        self.course = Timeline(log.events, log.rulebook, log.card_sets, seat if log.header.view is None else None)
        course = self.course
        self.fault = course.fault or (str(log.fault) if log.fault is not None else "")
        self.players = [seat.player for seat in log.header.seats]
        self.names = terminal.Names(log.rulebook, log.card_sets, language, self.players)
        self.lines = narrate(course.events[: course.steps], log.rulebook, log.card_sets, language)
        self.last = course.steps - 1
        self.told = [moment.line for moment in course.moments]
        self.stops = {
            "event": [moment.stop for moment in course.moments],
            "action": [action.stop for action in course.actions],
            "turn": [turn.step for turn in course.turns],
            "key": sorted({course.stop_at(key.step) for key in course.key_events}),
        }
        self.step = course.turns[0].step if course.turns else 0

    def press(self, key: str) -> bool:
        """Does what a key says; False where that is to leave."""
        moves = {
            "right": ("action", 1), "left": ("action", -1), ".": ("event", 1), ",": ("event", -1),
            "down": ("turn", 1), "up": ("turn", -1), "n": ("key", 1), "p": ("key", -1), " ": ("action", 1),
        }  # fmt: skip
        if key in ("q", "\x03", "\x04"):
            return False
        if key in ("home", "end"):
            self.step = 0 if key == "home" else self.last
        elif key in moves:
            unit, way = moves[key]
            self.step = self._next(self.stops[unit], way, stay=unit == "key")
        return True

    def _next(self, stops: Sequence[int], way: int, stay: bool) -> int:
        there = [stop for stop in stops if (stop - self.step) * way > 0]
        if there:
            return min(there) if way > 0 else max(there)
        return self.step if stay else self.last if way > 0 else 0

    def screen(self, width: int, height: int) -> list[str]:
        """At most `height` lines of at most `width` columns: the table, what was last told, where one is."""
        until = self.lines[self.step].line
        turn = sum(stop <= self.step for stop in self.stops["turn"])
        counts = {"turn": turn, "turns": len(self.stops["turn"]), "event": self.step, "events": self.last}
        where = f"{self.names.word('terminal', 'where', **counts)} · {self.names.word('terminal', 'keys')}"
        faults = [f"! {self.fault}"] if self.fault else []
        room = max(0, height - len(faults) - 2)
        told = [line for line in self.told if line <= until]
        table = self._table(width, room - min(MIN_TOLD, len(told)))
        log = [f"{'>' if line == until else ' '}{line:>5}  {self.lines[line].text}" for line in told]
        log = log[-(room - len(table)) :] if room > len(table) else []
        lines = [*table, "─" * width, *log, *faults]
        return [clipped(line, width) for line in [*lines[: max(0, height - 1)], where]]

    def _table(self, width: int, room: int) -> list[str]:
        """The table in at most `room` lines: in full, else each line cut to the width, else how many are not shown."""
        whole = terminal.table_text(terminal.table_sections(self.course.state(self.step), self.names)).split("\n")
        full = [part for line in whole for part in folded(terminal.plain(line), width)]
        if len(full) <= room:
            return full
        if len(whole) <= room:
            return whole
        more = self.names.word("terminal", "more_lines", n=len(whole) - room + 1)
        return [*whole[: room - 1], f"… {more}"] if room > 0 else []


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def clipped(text: str, width: int) -> str:
    """Text of strangers as it may stand in a terminal (`terminal.plain`), in at most so many columns; … marks a cut."""
    line = terminal.plain(text)
    if text_width(line) <= width:
        return line
    while line and text_width(line) >= width:
        line = line[:-1]
    return f"{line}…" if width > 0 else ""


def folded(line: str, width: int) -> list[str]:
    """A line of the table in as many as it takes, broken between the things that it lists."""
    found = [""]
    for part in line.split(" · "):
        longer = f"{found[-1]} · {part}" if found[-1].strip() else found[-1] + part
        if found[-1].strip() and text_width(longer) > width:
            found.append(" " * INDENT + part)
        else:
            found[-1] = longer
    return found


def keys(read: Callable[[], str]) -> Iterator[str]:
    """Keys as they are pressed, from what a terminal sends: letters, or the names of SEQUENCES. Ends with the input."""
    held = ""
    while held or (held := read()):
        name = next((name for name in SEQUENCES if held.startswith(name)), "")
        if name:
            yield SEQUENCES[name]
            held = held[len(name) :]
        elif any(sequence.startswith(held) for sequence in SEQUENCES):  # the rest of it is still under way
            more = read()
            if not more:
                return
            held += more
        else:
            yield held[0]
            held = held[1:]


def watch_text(replay: TextReplay) -> None:
    """Shows a replay in the terminal until `q`. Raises NoTerminal where there is none."""
    if termios is None:
        raise NoTerminal("The text replay needs a terminal of Unix; leave out --text to open the viewer.")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoTerminal("The text replay needs a terminal to read keys from; `cardfold log` prints a game instead.")
    with _raw(sys.stdin.fileno()):
        _draw(replay)
        for key in keys(lambda: os.read(sys.stdin.fileno(), 64).decode(errors="replace")):
            if not replay.press(key):
                return
            _draw(replay)


def _draw(replay: TextReplay) -> None:
    size = shutil.get_terminal_size()
    lines = replay.screen(size.columns, size.lines)
    sys.stdout.write("\x1b[H" + "\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J")
    sys.stdout.flush()


@contextlib.contextmanager
def _raw(terminal: int) -> Iterator[None]:
    """Keys come as they are pressed; afterwards the terminal is as it was."""
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        sys.stdout.write(ON)
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        sys.stdout.write(OFF)
        sys.stdout.flush()
