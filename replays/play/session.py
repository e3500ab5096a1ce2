"""A game in the terminal: a person against a computer player, or two persons at one keyboard.

The game is a log from its first record: written after every decision, so that it can be broken off and gone on with.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from engine.cards.rules_text import rules_texts
from engine.core.match import Match
from engine.core.rules import ContinuationError
from engine.fold import fold_all
from engine.players import Observation, Player, make_player
from engine.rulebooks.registry import from_sets
from engine.rulebooks.rulebook import Rulebook
from engine.view import view
from events.actions import AnyAction, Concede
from events.errors import CardfoldError
from events.game import GameLog
from events.kinds import Acted, Asked, DeckList, Event, GameStarted, Seat
from events.live import LogWriter
from events.lock import lock
from replays.play import terminal
from replays.store.library import Library
from replays.view.narrate import as_text, narrate
from replays.view.verify import decide_again

HUMAN = "human"
HELP = (
    "A number chooses. r and a number: read the card of that choice · t: the table · c: concede · "
    "q: break off, to go on later · ?: this help"
)


class CannotGoOn(CardfoldError):
    """A game that was broken off can be watched, but not gone on with here; the message says why."""

    def __init__(self, match: str, why: str) -> None:
        super().__init__(f"{why}. The game can be watched (cardfold log {match}), but not gone on with")


class BrokenOff(CardfoldError):
    """The person has left; the game can be gone on with under `match`."""

    def __init__(self, match: str) -> None:
        super().__init__(f"The game is kept. Go on with: cardfold play --resume {match}")
        self.match = match


def start(
    library: Library,
    game: Rulebook,
    player_kinds: Sequence[str],
    decks: Sequence[DeckList],
    options: dict[str, int | str | bool],
) -> tuple[Match, LogWriter]:
    """A new live game and the log that it is written to."""
    name = secrets.token_hex(8)
    players = [
        f"Player {seat + 1}" if player_kind == HUMAN else player_kind for seat, player_kind in enumerate(player_kinds)
    ]
    first, second = (Seat(p, m, d) for p, m, d in zip(players, player_kinds, decks, strict=True))
    now = datetime.now(UTC).replace(microsecond=0)
    header = game.header(
        (first, second), options, secrets.randbits(53), origin="played", match=name,
        at=now.isoformat().replace("+00:00", "Z"),
    )
    match = game.begin(header)
    writer = LogWriter(library.live(name), game.rulebook, game.card_sets)
    return match, writer


def resume(library: Library, name: str) -> tuple[Match, LogWriter, str]:
    """A live game that was broken off, its log, and what had to be put aside (or nothing).

    Raises CannotGoOn where it was begun under other rules, or its decisions come out differently under this version.
    """
    writer, log = LogWriter.resume(library.live(name))
    try:
        match = _where_it_stopped(log, name)
        if len(log.events) == 1:  # it was cut before its first question
            writer.append(match.log[1:])
        else:
            match.log[:] = log.events
    except BaseException:
        writer.close()
        raise
    return match, writer, str(log.fault or "")


def _where_it_stopped(log: GameLog, name: str) -> Match:
    """The match at the last question, by its continuation; where that is another version's, played again to there."""
    game = from_sets(log.header.game, log.card_sets)
    ours, theirs = game.rulebook.version, log.rulebook.version
    if ours != theirs:
        raise CannotGoOn(name, f"This game was begun under rulebook version {theirs}; at hand is {ours}")
    if len(log.events) == 1:
        return game.begin(log.header)
    if log.header.rulebook.digest == game.editions[0].digest:
        with contextlib.suppress(ContinuationError):
            return Match(game, fold_all(log.events, game.declared))
    verdict, match = decide_again(log, continuations=False)
    if match is None:
        raise CannotGoOn(name, f"Under this version the game comes out differently: {verdict.text}")
    return match


def unfinished(library: Library) -> list[str]:
    """The match ids of games that were broken off and that nobody is playing now."""
    found = []
    for entry in library.games(state="live"):
        with contextlib.suppress(OSError), (library.path / entry.pack).open("rb+") as file:
            if lock(file.fileno()):
                found.append(Path(entry.pack).stem)
    return found


class Terminal:
    """Reads choices and prints tables; `read` and `write` are the terminal's. Raises PlayerError.

    `modules`: a player that the log names may be one that a module brings (see `make_player`).
    """

    def __init__(
        self, match: Match, writer: LogWriter, read: Callable[[str], str], write: Callable[[str], None], *,
        modules: bool = False,
    ) -> None:
        self.match = match
        self.writer = writer
        self.read = read
        self.write = write
        header = match.log[0]
        assert isinstance(header, GameStarted)
        self.header = header
        self.names = terminal.Names(match.game.rulebook, match.game.card_sets)
        self.players: dict[int, Player] = {
            seat: make_player(s.player_kind, seat + (header.seed or 0), modules=modules)
            for seat, s in enumerate(header.seats)
            if s.player_kind != HUMAN
        }
        self.texts = rules_texts(
            [d.printed for d in match.game.cards.values()], "en", match.game.rulebook
        )
        played = max((e.ms or 0 for e in match.log if isinstance(e, Acted)), default=0)
        self.begun = time.monotonic() - played / 1000
        self.written = 0
        self.told = [0, 0]
        """records of each seat's view that the person has read"""

    def run(self, written: int = 0) -> None:
        """Plays to the end. Raises BrokenOff when the person leaves; every decision until then is in the log."""
        self.written = written
        self._keep()
        while (asked := self.match.state.asked) is not None:
            player = self.players.get(asked.seat)
            ms = int((time.monotonic() - self.begun) * 1000)
            if player is not None:
                self.match.act(player(Observation(self.match)), ms)
            else:
                self._person(asked.seat)
            self._keep()
        self.writer.close()
        self._news(self.match.log, 0 if 0 not in self.players else 1)
        self.write(self._table(None))

    def _keep(self) -> None:
        self.writer.append(self.match.log[self.written :])
        self.written = len(self.match.log)

    def _person(self, seat: int) -> None:
        self._news(self._seen(seat), seat)
        self.write(self._table(seat))
        state, actions = self.match.state, self.match.legal()
        self.write(f"\n{self.header.seats[seat].player}: {terminal.question(state, self.names)}")
        for number, action in enumerate(actions, 1):
            self.write(f"  {number:>2}  {terminal.choice(state, self.names, action)}")
        while True:
            typed = self.read("> ").strip().lower()
            ms = int((time.monotonic() - self.begun) * 1000)
            if typed == "q":
                raise BrokenOff(self.header.match or self.header.id)
            if typed == "c":
                self.match.act(Concede(), ms)
                return
            word, _, number_typed = typed.partition(" ")
            if typed == "t":
                self.write(self._table(seat))
            elif word == "r" and number_typed.isdecimal() and 1 <= int(number_typed) <= len(actions):
                self.write(self._text(actions[int(number_typed) - 1]))
            elif typed.isdecimal() and 1 <= int(typed) <= len(actions):
                self.match.act(actions[int(typed) - 1], ms)
                return
            else:
                self.write(f"{typed!r} is none of 1 to {len(actions)}. {HELP}" if typed != "?" else HELP)

    def _seen(self, seat: int) -> list[Event]:
        return view(self.match.log, seat, self.match.game.declared)

    def _news(self, seen: list[Event], seat: int) -> None:
        """What has happened since the person was last asked, in words."""
        lines = narrate(seen, self.match.game.rulebook, self.match.game.card_sets)
        asks = isinstance(seen[-1], Asked)  # the question itself is put below the table
        self.write(as_text(lines[self.told[seat] : -1 if asks else None]).rstrip("\n"))
        self.told[seat] = len(seen)

    def _text(self, action: AnyAction) -> str:
        """The cards that a choice speaks of, with their rules texts."""
        entities = [getattr(action, field, None) for field in ("card", "on", "target", "option")]
        cards = [self.match.state.cards[e] for e in entities if e in self.match.state.cards]
        told = [[terminal.card(card, self.names), *self.texts.get(card.code or "", ())] for card in cards]
        return "\n".join(line for lines in told for line in lines) or "That choice is of no card."

    def _table(self, seat: int | None) -> str:
        players = [s.player for s in self.header.seats]
        state = self.match.state if seat is None else fold_all(self._seen(seat), self.match.game.declared)
        return terminal.table(state, self.names, players)
