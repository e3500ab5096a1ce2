"""The games that are played on this server: each has its lock, and computer players think in threads of their own.

A game is taken up from its log when it is first asked for, so it survives a restart. One that is over goes into the
library.
"""

from __future__ import annotations

import contextlib
import logging
import re
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from dashboard.play.thinking import THINKERS, asked_of, thinks_long
from engine.cards.decks import deck_list
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from events.errors import CardfoldError
from events.kinds import DeckList
from events.record import LogError
from replays.play import session
from replays.play.lesson import TAG, lesson_of, next_step
from replays.play.live_game import HUMAN, LiveGame
from replays.store.library import Library, LibraryError

_LOGGER = logging.getLogger("cardfold")
_NAME = re.compile(r"[0-9a-f]{16}")

class NoSuchGame(CardfoldError):
    """There is no game of that name here."""


class Stale(CardfoldError):
    """What was chosen was an answer to another question."""


class NotInLesson(CardfoldError):
    """What was chosen may be done, but the lesson goes another way."""


class Hosted:
    """One game on this server. Every method may be called by any thread."""

    def __init__(self, library: Library, live: LiveGame) -> None:
        self.library = library
        self.live = live
        self.lock = threading.RLock()
        self.kept: str | None = None
        """id in the library, once the game is over and there"""
        self.problem = ""
        """key of the word for what hinders the game from going on"""
        self._versions = [time.time_ns(), time.time_ns()]
        self._shown: list[tuple[object, ...]] = [(), ()]
        self._changed()

    def version(self, seat: int) -> int:
        """Rises whenever something changes for this seat, and only then: that the other one decides unseen tells
        nothing."""
        return self._versions[seat]

    @property
    def persons(self) -> list[int]:
        """The seats at which persons sit."""
        return [seat for seat, s in enumerate(self.live.header.seats) if s.player_kind == HUMAN]

    def act(self, seat: int, version: int, number: int) -> None:
        """The choice of this number at the question that the seat saw with this version.

        Raises Stale where something else is asked by now, Illegal and LogError.
        """
        with self.lock:
            legal = self._at_question(seat, version).match.legal()
            if not 0 <= number < len(legal):
                raise Stale("There is no such choice.")
            if (step := next_step(self.live.match.log)) is not None and legal[number] != step.action:
                raise NotInLesson("The lesson goes another way.")
            self.live.act(legal[number])
            self._changed()
        self.go_on()

    def again(self) -> None:
        """Goes on where something hindered the game, in the hope that it does no more."""
        with self.lock:
            if not self.problem:
                return
            self.problem = ""
            self._changed()
        self.go_on()

    def concede(self, seat: int, version: int) -> None:
        """The seat gives up: see `LiveGame.concede`.

        Raises Stale where the game has gone on or is over, and LogError.
        """
        with self.lock:
            if self.live.asked is None or version != self._versions[seat] or seat not in self.persons:
                raise Stale("The game has gone on since.")
            self.live.concede(seat)
            self._changed()
        self.go_on()

    def take_back(self, seat: int, version: int) -> None:
        """Takes the seat's last step back. Raises Stale where that may not be, and LogError."""
        with self.lock:
            live = self._at_question(seat, version)
            if not live.may_take_back(seat):
                raise Stale("The last step cannot be taken back.")
            live.take_back(seat)
            self._changed()

    def _at_question(self, seat: int, version: int) -> LiveGame:
        if self.live.asked != seat or version != self._versions[seat] or seat not in self.persons:
            raise Stale("The game has gone on since.")
        return self.live

    def _changed(self) -> None:
        """Gives each seat a new version for which something is not as it was."""
        for seat in (0, 1):
            events = self.live.seats[seat].events
            shown = (
                len(events), id(events[-1]), self.live.asked == seat, self.live.asked is None,
                self.live.may_take_back(seat), self.problem, self.kept, frozenset(self.live.conceding),
            )  # fmt: skip
            if shown != self._shown[seat]:
                self._shown[seat] = shown
                self._versions[seat] += 1

    def go_on(self) -> None:
        """Lets the computer player that is asked decide, or keeps the game that is over, in a thread of its own."""
        if self.live.asked is None or self.live.asked in self.live.players:
            threading.Thread(target=self._go_on, name=f"game {self.live.name}", daemon=True).start()

    def _go_on(self) -> None:
        try:
            while self._think():
                pass
            with self.lock:
                if self.live.asked is None and self.kept is None:
                    self._keep()
        except Exception:
            _LOGGER.exception("The game %s cannot go on.", self.live.name)
            with self.lock:
                self.problem = "cannot_be_kept" if self.live.asked is None else "computer_failed"
                self._changed()

    def _think(self) -> bool:
        """Lets the computer player decide; False where none is asked."""
        with self.lock:
            asked = self.live.observe()
        if asked is None:
            return False
        player, observation = asked  # nobody else can act meanwhile
        if (step := next_step(self.live.match.log)) is not None:
            action = step.action
        elif thinks_long(self.live.header.seats[observation.seat].player_kind):
            action = THINKERS.decide(*asked_of(self.live.match))
        else:
            action = player(observation)
        with self.lock:
            self.live.act(action)
            self._changed()
        return True

    def _keep(self) -> None:
        self.live.writer.close()
        self.library.keep(self.library.live(self.live.name))
        self.kept = self.live.header.id
        self._changed()


class Listed(NamedTuple):
    """A game that goes on, or can: its match id, game, players, kinds of players, and the turn it has come to."""

    name: str
    game: str
    players: tuple[str, str]
    player_kinds: tuple[str, str]
    turn: int
    here: bool
    """this server runs it; else it was interrupted"""


class Host:
    """The games of one library that this server runs."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._games: dict[str, Hosted] = {}
        self._lock = threading.Lock()

    def start(
        self, game: Rulebook, player_kinds: Sequence[str], decks: Sequence[DeckList],
        options: dict[str, int | str | bool], names: Sequence[str] = (), seed: int | None = None,
        tags: tuple[str, ...] = (),
    ) -> str:
        """Begins a game and gives its name. Raises LogError and PlayerError."""
        match, writer = session.start(self.library, game, player_kinds, decks, options, names, seed, tags)
        try:
            live = LiveGame(match, writer)
        except BaseException:
            writer.close()
            self.library.live(match.log[0].match or "").unlink(missing_ok=True)  # type: ignore[attr-defined]
            raise
        return self._add(live)

    def teach(self, key: str, name: str = "") -> str:
        """Begins the guided first game of a rulebook, against a computer player that follows the script as long as it
        lasts, and gives its name. Raises LookupError where there is none, LogError and PlayerError.
        """
        lesson = lesson_of(key)
        if lesson is None:
            raise LookupError(f"there is no lesson of {key}")
        decks = [deck_list(deck) for deck in lesson.decks]
        return self.start(
            registry.load(key), (HUMAN, "greedy"), decks, lesson.options, (name,), lesson.seed, (TAG,)
        )

    def _add(self, live: LiveGame) -> str:
        hosted = Hosted(self.library, live)
        with self._lock:
            self._games[live.name] = hosted
        hosted.go_on()
        return live.name

    def game(self, name: str) -> Hosted:
        """The game of this name; one that was interrupted is taken up.

        Raises NoSuchGame; CannotGoOn, PlayerError and LogError where it is there and cannot be taken up.
        """
        if not _NAME.fullmatch(name):
            raise NoSuchGame("There is no such game.")
        with self._lock:
            hosted = self._games.get(name)
            if hosted is not None and hosted.kept is not None:
                del self._games[name]
                raise NoSuchGame("This game is over.")
            if hosted is None:
                hosted = self._games[name] = self._taken_up(name)
            else:
                return hosted
        hosted.go_on()
        return hosted

    def _taken_up(self, name: str) -> Hosted:
        if not self.library.live(name).exists():
            raise NoSuchGame("There is no such game.")
        try:
            match, writer, put_aside = session.resume(self.library, name)
        except LogError:
            self._keep_sealed(name)
            raise
        if put_aside:
            _LOGGER.warning("The end of the log of %s was torn: %s", name, put_aside)
        try:
            return Hosted(self.library, LiveGame(match, writer, len(match.log)))
        except BaseException:
            writer.close()
            raise

    def _keep_sealed(self, name: str) -> None:
        """A game that was over when the server stopped, and not in the library yet, is brought there.

        Raises NoSuchGame then: it does not go on.
        """
        with contextlib.suppress(LibraryError):
            self.library.keep(self.library.live(name))
            raise NoSuchGame("This game is over.")

    def finished(self, name: str) -> str | None:
        """The id in the library of a game that is over; None where there is none of this name."""
        hosted = self._games.get(name)
        if hosted is not None:
            return hosted.kept
        try:
            return self.library.find(name).id if _NAME.fullmatch(name) else None
        except LibraryError:
            return None

    def listed(self) -> list[Listed]:
        """The games that go on here, and those that were interrupted and nobody else plays; newest first."""
        here = {name: hosted for name, hosted in self._games.items() if hosted.kept is None}
        free = set(session.unfinished(self.library))
        found = [
            Listed(e.match or "", e.game, e.players, e.player_kinds, e.turns, (e.match or "") in here)
            for e in self.library.live_entries()
            if e.state == "live" and (e.match in here or e.match in free)
        ]
        return sorted(found, key=lambda one: self._last_written(one.name), reverse=True)

    def _last_written(self, name: str) -> float:
        with contextlib.suppress(OSError):
            return self.library.live(name).stat().st_mtime
        return 0.0  # it is over meanwhile


@cache
def host_of(library: Path) -> Host:
    """The one host of a library in this process."""
    return Host(Library(library))

