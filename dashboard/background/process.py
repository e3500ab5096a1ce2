"""The process that does one piece of long work: `python -m dashboard.background.process LIBRARY`.

It reads the work, a line of JSON, from standard input, and writes lines of JSON: how far it is, and at last what came
of it. The end of standard input means that it is to stop: so it ends with the server that began it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from dashboard.background.kinds import Finished, Halted, LongWork, Report
from events.errors import CardfoldError
from replays.store.library import Library


class Reached(Struct, frozen=True, tag="reached"):
    """How far the work is: its stage, how much of that is done, and how much there is (0: not known)."""

    stage: str
    done: int
    total: int


class Ended(Struct, frozen=True, tag="ended"):
    """The work is over: `finished` where it was, `problem` a sentence where it failed, neither where it was stopped."""

    finished: Finished | None = None
    problem: str = ""


Message: TypeAlias = Reached | Ended

_NICE = 5
"""By how much pages and players have the right of way."""


def main() -> None:
    """Does the work that is written to standard input."""
    with contextlib.suppress(AttributeError, OSError):  # there is none on Windows
        os.nice(_NICE)
    logging.basicConfig(stream=sys.stderr)
    given = open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)  # noqa: SIM115
    line = given.readline()
    if not line.endswith(b"\n"):  # stopped before it began
        return
    work = msgspec.json.decode(line, type=LongWork)
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what anything else prints is no message
    stop = threading.Event()
    threading.Thread(target=_hear, args=(given.fileno(), stop), daemon=True).start()
    told = Reached("", 0, 0)

    def send(message: Message) -> None:
        out.write(msgspec.json.encode(message) + b"\n")
        out.flush()

    def report(stage: str, done: int, total: int) -> None:
        nonlocal told
        if stop.is_set():
            raise Halted
        if told != (told := Reached(stage, done, total)):
            send(told)

    send(ended_by(work, Path(sys.argv[1]), report))


def _hear(given: int, stop: threading.Event) -> None:
    while os.read(given, 1024):
        pass
    stop.set()


def ended_by(work: LongWork, library: Path, report: Report) -> Ended:
    """Does the work, and says what came of it, whatever happens."""
    try:
        return Ended(work.carry_out(Library(library), report))
    except Halted:
        return Ended()
    except CardfoldError as problem:
        return Ended(problem=str(problem))
    except Exception:
        logging.exception("Not foreseen:")
        return Ended(problem="Something went wrong that was not foreseen; the details are in dashboard.log.")


if __name__ == "__main__":
    main()
