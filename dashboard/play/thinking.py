"""Computer players that think long, in processes of their own, so that pages and other games stay quick meanwhile.

`python -m dashboard.play.thinking` reads questions from standard input: a line of JSON that says who is asked, and the
log of the game up to there. It answers each with a line of JSON, and ends with the server. A player is made anew for
each question, from the game's seed and the number of records: all that it keeps between decisions is random numbers.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import IO

import msgspec
from msgspec import Struct

from engine.core.match import Match
from engine.fold import fold_all
from engine.players import Observation, make_player
from engine.rulebooks.registry import from_sets
from events.actions import AnyAction
from events.errors import CardfoldError
from events.game import write_game
from events.kinds import GameStarted
from events.open import read_games

PROCESSES = 2
"""Players that think at once; more would only slow each other down."""

_KINDS = ("search",)
_NICE = 5
"""By how much the server has the right of way."""


class ThinkingFailed(CardfoldError):
    """The process of a player has ended without an answer."""


class _Question(Struct, frozen=True):
    """Who is asked, by the kind of player and its seed, and how many bytes of log follow."""

    player_kind: str
    seed: int
    size: int


class _Answer(Struct, frozen=True):
    action: AnyAction


def thinks_long(player_kind: str) -> bool:
    """Whether a player of this kind is to decide in a process of its own."""
    return player_kind.partition(":")[0] in _KINDS


def asked_of(match: Match) -> tuple[bytes, bytes]:
    """What the process is asked where a player is, line and log; `match` has all records of its game."""
    header, asked = match.log[0], match.state.asked
    assert isinstance(header, GameStarted) and asked is not None
    log = write_game((match.game.rulebook, match.game.card_sets, match.log))  # type: ignore[attr-defined]
    seed = (header.seed or 0) + asked.seat + len(match.log)
    question = _Question(header.seats[asked.seat].player_kind, seed, len(log))
    return msgspec.json.encode(question) + b"\n", log


class Thinkers:
    """The processes: begun when they are first needed, kept for the next question."""

    def __init__(self) -> None:
        self._free: list[subprocess.Popen[bytes]] = []
        self._places = threading.BoundedSemaphore(PROCESSES)

    def decide(self, line: bytes, log: bytes) -> AnyAction:
        """What the player decides who is asked; see `asked_of`. Raises ThinkingFailed."""
        with self._place() as process:
            assert process.stdin is not None and process.stdout is not None
            try:
                process.stdin.write(line + log)
                process.stdin.flush()
                return msgspec.json.decode(process.stdout.readline(), type=_Answer).action
            except (OSError, msgspec.MsgspecError):
                process.kill()
                raise ThinkingFailed(f"A computer player's process has ended ({process.wait()}).") from None

    @contextlib.contextmanager
    def _place(self) -> Iterator[subprocess.Popen[bytes]]:
        with self._places:
            self._free = [process for process in self._free if process.poll() is None]
            process = self._free.pop() if self._free else _begun()
            yield process
            if process.poll() is None:
                self._free.append(process)


def _begun() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dashboard.play.thinking"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


THINKERS = Thinkers()
"""Those of this server."""


# --- in the process -----------------------------------------------------------------------------------------


def main() -> None:
    """Answers questions until standard input ends."""
    with contextlib.suppress(AttributeError, OSError):  # there is none on Windows
        os.nice(_NICE)
    answer_all(sys.stdin.buffer, sys.stdout.buffer)


def answer_all(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answers each question of a stream."""
    while line := questions.readline():
        question = msgspec.json.decode(line, type=_Question)
        (game,) = read_games(io.BytesIO(questions.read(question.size)))
        match = Match(rules := from_sets(game.header.game, game.card_sets), fold_all(game.events, rules.declared))
        match.log[:] = game.events
        player = make_player(question.player_kind, question.seed)
        answers.write(msgspec.json.encode(_Answer(player(Observation(match)))) + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
