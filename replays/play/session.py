"""A game in the terminal: a person against a computer player, or two persons at one keyboard.

The game is a log from its first record: written after every decision, so that it can be interrupted and resumed.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from engine.cards.rules_text import rules_texts
from engine.core.match import Match
from engine.core.rules import ContinuationError
from engine.fold import fold_all
from engine.rulebooks.registry import from_sets
from engine.rulebooks.rulebook import Rulebook
from events.actions import AnyAction
from events.errors import CardfoldError
from events.game import GameLog
from events.kinds import Asked, DeckList, Event, Seat
from events.live import LogWriter
from events.lock import lock
from replays.play import terminal
from replays.play.choices import Choice, cards_of, choices_of, refused_cards
from replays.play.live_game import HUMAN, LiveGame
from replays.store.library import Library
from replays.view.narrate import log_text, narrate
from replays.view.verify import decide_again


class CannotGoOn(CardfoldError):
    """An interrupted game can be watched, but not resumed here; the message says why."""

    def __init__(self, match: str, why: str) -> None:
        super().__init__(f"{why}. The game can be watched (cardfold log {match}), but not resumed")


class BrokenOff(CardfoldError):
    """The person has left; the game can be resumed under `match`."""

    def __init__(self, match: str) -> None:
        super().__init__(f"The game is kept. Go on with: cardfold play --resume {match}")
        self.match = match


def start(
    library: Library,
    game: Rulebook,
    player_kinds: Sequence[str],
    decks: Sequence[DeckList],
    options: dict[str, int | str | bool],
    names: Sequence[str] = (),
    seed: int | None = None,
    tags: tuple[str, ...] = (),
) -> tuple[Match, LogWriter]:
    """A new live game and the log that it is written to. `names`: what persons are called, by seat; `seed`: left out,
    one that nobody knows.
    """
    name = secrets.token_hex(8)
    called = [given or f"Player {seat}" for seat, given in enumerate((*names, "", "")[:2], 1)]
    players = [called[seat] if kind == HUMAN else kind for seat, kind in enumerate(player_kinds)]
    first, second = (Seat(p, m, d) for p, m, d in zip(players, player_kinds, decks, strict=True))
    now = datetime.now(UTC).replace(microsecond=0)
    header = game.header(
        (first, second), options, secrets.randbits(64) - 2**63 if seed is None else seed, origin="played", match=name,
        at=now.isoformat().replace("+00:00", "Z"), tags=tags,
    )
    match = game.begin(header)
    writer = LogWriter(library.live(name), game.rulebook, game.card_sets)
    return match, writer


def resume(library: Library, name: str) -> tuple[Match, LogWriter, str]:
    """An interrupted live game, its log, and what had to be put aside (or nothing).

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
    """The match ids of interrupted games that nobody is playing now."""
    found = []
    for entry in library.live_entries():
        if entry.state != "live":
            continue
        with contextlib.suppress(OSError), (library.path / entry.pack).open("rb+") as file:
            if lock(file.fileno()):
                found.append(Path(entry.pack).stem)
    return found


class Terminal:
    """Reads choices and prints tables; `read` and `write` are the terminal's. Raises PlayerError.

    `written`: records that are in the log already. `modules`: see `LiveGame`.
    """

    def __init__(
        self, match: Match, writer: LogWriter, read: Callable[[str], str], write: Callable[[str], None],
        written: int = 0, *, modules: bool = False, language: str = "en",
    ) -> None:
        self.live = LiveGame(match, writer, written, modules=modules)
        self.players = self.live.players
        self.read = read
        self.write = write
        self.names = terminal.Names(
            match.game.rulebook, match.game.card_sets, language, [s.player for s in self.live.header.seats]
        )
        self.texts = rules_texts(
            [d.printed for d in match.game.cards.values()], language, match.game.rulebook
        )
        self.told = [0, 0]
        """records of each seat's view that the person has read"""
        self.shown: dict[int | None, list[terminal.TableSection]] = {}
        """the table as each seat has last seen it"""

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.live.match

    def run(self) -> None:
        """Plays to the end. Raises BrokenOff when the person leaves; every decision until then is in the log."""
        while (seat := self.live.asked) is not None:
            thinking = self.live.observe()
            if thinking is not None:
                player, observation = thinking
                self.live.act(player(observation))
            else:
                self._person(seat)
        self.live.writer.close()
        self._news(self.match.log, 0 if 0 not in self.players else 1)
        self.write(self._table(None))

    def _person(self, seat: int) -> None:
        self._news(self.live.seats[seat].events, seat)
        self.write(self._table(seat, changed=seat in self.shown))
        offered = self._choices(seat)
        while True:
            typed = self.read("> ").strip().lower()
            if typed == "q":
                raise BrokenOff(self.live.name)
            if typed == "c":
                self.live.concede(seat)
                return
            if typed == "u" and self.live.may_take_back(seat):
                self.live.take_back(seat)
                self.told[seat] = min(self.told[seat], len(self.live.seats[seat].events) - 1)
                return
            told = self._told(typed, seat, offered)
            if isinstance(told, str):
                self.write(told)
            else:
                self.live.act(told)
                return

    def _choices(self, seat: int) -> list[Choice]:
        """Writes the question and what may be chosen, and gives it; below that, what may not, and why."""
        seen = self.live.seats[seat]
        asked = terminal.question(seen.state, self.names)
        asked = terminal.plain(f"{self.names.players[seat]}: {asked}")
        self.write(f"\n{asked}  ({self._say('hint')})")
        offered = choices_of(self.match, seen.view, seen.state, self.names)
        for n, choice in enumerate(offered, 1):
            cost = f"[{choice.cost}]" if choice.cost else ""
            line = " ".join(part for part in (choice.text, choice.price, cost) if part)
            self.write(f"  {n:>2}  {terminal.plain(line)}")
        for n, choice in enumerate(refused_cards(self.match, seen.view, seen.state, self.names), len(offered) + 1):
            offered.append(choice)
            self.write(f"  {n:>2}  – {terminal.plain(choice.text)}: {choice.why}")
        return offered

    def _told(self, typed: str, seat: int, offered: list[Choice]) -> AnyAction | str:
        """The action that was chosen, else what there is to say about what was typed."""
        asks = typed.startswith("?")
        number = typed.removeprefix("?").strip()
        if typed == "?":
            return self._say("help")
        if typed == "u":
            return self._say("no_step_back")
        if typed == "t":
            return self._table(seat)
        if not (number.isdecimal() and 1 <= int(number) <= len(offered)):
            return f"{self._say('none_of', typed=repr(typed), n=len(offered))} {self._say('help')}"
        choice = offered[int(number) - 1]
        if asks:
            return self._texts(seat, cards_of(choice))
        return choice.action if choice.action is not None else f"{self._say('not_now')} {choice.why}."

    def _news(self, seen: list[Event], seat: int) -> None:
        """What has happened since the person was last asked, in words."""
        lines = narrate(seen, self.match.game.rulebook, self.match.game.card_sets, self.names.language)
        asks = isinstance(seen[-1], Asked)  # the question itself is put below the table
        self.write(log_text(lines[self.told[seat] : -1 if asks else None]).rstrip("\n"))
        self.told[seat] = len(seen)

    def _texts(self, seat: int, numbers: Sequence[int]) -> str:
        """Cards with their rules texts."""
        cards = [self.live.seats[seat].state.cards[number] for number in numbers]
        told = [[terminal.card(card, self.names), *self.texts.get(card.code or "", ())] for card in cards]
        return "\n".join(terminal.plain(line) for lines in told for line in lines) or self._say("no_card")

    def _say(self, word: str, **args: str | int) -> str:
        return self.names.word("terminal", word, **args)

    def _table(self, seat: int | None, changed: bool = False) -> str:
        """The table as a seat sees it; `changed`: what is not as it was when that seat last saw it."""
        state = self.match.state if seat is None else self.live.seats[seat].state
        table = terminal.table_sections(state, self.names)
        shown = terminal.changes(self.shown[seat], table) if changed else table
        self.shown[seat] = table
        return terminal.table_text(shown)
