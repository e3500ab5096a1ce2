"""A game that is being played: its match, its log, its computer players, and what each seat sees of it.

Every decision is in the log before anybody sees what came of it. The last one may be taken back as long as nobody has
learned anything by it (see `LiveGame.may_take_back`).
"""

from __future__ import annotations

import time

from engine.core.match import Match
from engine.fold import empty_state, fold, fold_all
from engine.players import Observation, Player, make_player
from engine.state import Declared
from engine.view import View
from events import kinds as k
from events.actions import AnyAction, Concede, Pass
from events.kinds import Event, GameStarted
from events.live import LogEnd, LogWriter

HUMAN = "human"

_LEARNED = (k.CardIdentified, k.IdentityLost, k.CardsMade, k.CardsRevealed)
"""Kinds of records in a seat's view by which it learns, or forgets, which card a hidden one is."""

_PLAIN = frozenset({
    k.Acted, k.Asked, k.CardMoved, k.CardAttached, k.CardExhausted, k.CardFlipped, k.CounterSet, k.ModifierBegan,
    k.ModifierEnded, k.RuleApplied, k.StackPushed,
})  # fmt: skip
"""Kinds of records that come of a step with nothing random, no other phase, no fight, and nothing that is resolved."""

_ANSWER = "window"
"""Question by which a seat may answer. Which seat is asked it may depend on what the other one holds."""


CONCEDES = {"concedes": True}
"""Data of a remark by which a seat is on record as having given up while the other one was asked. The rules let it
concede at a question of its own alone, so it does at the next one.
"""


class SeatView:
    """What one seat sees of a game that goes on: its records, and the table to which they lead."""

    def __init__(self, seat: int, declared: Declared) -> None:
        self.view = View(seat, declared)
        self.events: list[Event] = []
        self.state = empty_state(declared)
        self.followed = 0
        """records of the whole log that are followed"""

    def follow(self, log: list[Event]) -> list[Event]:
        """Goes on to the end of the whole log; gives what the seat sees of it."""
        seen = [record for event in log[self.followed :] for record in self.view.records(event)]
        self.followed = len(log)
        for record in seen:
            fold(self.state, record, self.view.declared)
        self.events += seen
        return seen


class LiveGame:
    """Decides, keeps the log, takes back. Used by one thread at a time."""

    def __init__(self, match: Match, writer: LogWriter, written: int = 0, *, modules: bool = False) -> None:
        """`written`: records that are in the log already. `modules`: a player that the log names may be one that a
        module brings (see `make_player`). Raises PlayerError.
        """
        self.match = match
        self.writer = writer
        header = match.log[0]
        assert isinstance(header, GameStarted)
        self.header = header
        self.players: dict[int, Player] = {
            seat: make_player(s.player_kind, seat + (header.seed or 0), modules=modules)
            for seat, s in enumerate(header.seats)
            if s.player_kind != HUMAN
        }
        played = max((e.ms or 0 for e in match.log if isinstance(e, k.Acted)), default=0)
        self.begun = time.monotonic() - played / 1000
        self.before: list[tuple[int, LogEnd]] = []
        """for each decision that may be taken back, how many records there were, and the log's end then"""
        self.seats = SeatView(0, match.declared), SeatView(1, match.declared)
        self.conceding = {
            e.seat for e in match.log if isinstance(e, k.Annotated) and e.seat is not None and e.data == CONCEDES
        }
        """seats that give up as soon as they are asked"""
        writer.append(match.log[written:])
        self._see()
        self._concede_where_asked()

    def _see(self) -> tuple[list[Event], list[Event]]:
        first, second = self.seats
        return first.follow(self.match.log), second.follow(self.match.log)

    @property
    def name(self) -> str:
        """The match id."""
        return self.header.match or self.header.id

    @property
    def asked(self) -> int | None:
        """The seat that is asked; None when the game is over."""
        return self.match.state.asked.seat if self.match.state.asked is not None else None

    def observe(self) -> tuple[Player, Observation] | None:
        """The computer player that is asked, and what it may know; None where a person is, or nobody."""
        player = None if self.asked is None else self.players.get(self.asked)
        return None if player is None else (player, Observation(self.match))

    def act(self, action: AnyAction) -> None:
        """Carries out a decision of the asked seat, writes it down, and runs to the next question.

        Raises Illegal, and LogError where the log cannot be written: then nothing has happened.
        """
        problem = self.match.refuse(action)
        if problem is not None:
            raise problem
        seat, count, end = self.asked, len(self.match.log), self.writer.end()
        self.match.carry_out(action, int((time.monotonic() - self.begun) * 1000))
        try:
            self.writer.append(self.match.log[count:])
        except BaseException:
            self._back_to(count)
            raise
        seen = self._see()
        if seat is not None and self._nothing_learned(action, seat, count, seen):
            self.before.append((count, end))
        else:
            self.before.clear()
        self._concede_where_asked()

    def concede(self, seat: int) -> None:
        """A seat gives the game up: now where it is asked, else at its next question, and that is on record at once.

        Raises LogError where the log cannot be written: then nothing has happened.
        """
        if self.asked == seat:
            self.act(Concede())
        elif self.asked is not None and seat not in self.conceding:
            count = len(self.match.log)
            self.match.annotate(k.Annotated(text="", seat=seat, data=dict(CONCEDES)))
            try:
                self.writer.append(self.match.log[count:])
            except BaseException:
                self._back_to(count)
                raise
            self.conceding.add(seat)
            self.before.clear()  # the other one has learned of it
            self._see()

    def _concede_where_asked(self) -> None:
        if self.asked in self.conceding:
            self.act(Concede())

    def _nothing_learned(
        self, action: AnyAction, seat: int, count: int, seen: tuple[list[Event], list[Event]]
    ) -> bool:
        asked = self.match.state.asked
        return (
            asked is not None
            and asked.seat == seat
            and asked.question != _ANSWER
            and not isinstance(action, Pass)
            and all(type(event) in _PLAIN for event in self.match.log[count:])
            and not any(isinstance(record, _LEARNED) for records in seen for record in records)
        )

    def may_take_back(self, seat: int) -> bool:
        """Whether the last step was this seat's own, and nobody has learned anything by it.

        So it is while the same seat is asked again, nothing random has happened, no phase is over, nothing has been
        fought out or resolved, neither seat has seen a card that it did not know, and the other one had no occasion to
        answer: that none was offered to it may tell what it holds.
        """
        return bool(self.before) and self.asked == seat

    def take_back(self, seat: int) -> None:
        """Takes the last step back, out of the log too. Raises LookupError where that may not be."""
        if not self.may_take_back(seat):
            raise LookupError("the last step cannot be taken back")
        count, end = self.before[-1]
        self.writer.go_back(end)
        self.before.pop()
        self._back_to(count)

    def _back_to(self, count: int) -> None:
        """The match as it was after so many records, at a question."""
        log, game = self.match.log[:count], self.match.game
        self.match = Match(game, fold_all(log, game.declared))
        self.match.log[:] = log
        self.seats = SeatView(0, game.declared), SeatView(1, game.declared)
        self._see()
