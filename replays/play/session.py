"""A game in the terminal: a person against a computer player, or two persons at one keyboard.

The game is a log from its first record: written after every decision, so that it can be interrupted and resumed.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from engine.cards.rules_text import cost_text, rules_texts
from engine.core.match import Match
from engine.core.rules import ContinuationError
from engine.fold import fold_all
from engine.players import Observation, Player, make_player
from engine.rulebooks.registry import from_sets
from engine.rulebooks.rulebook import Rulebook
from engine.view import view
from events.actions import AnyAction, Concede, Play, Use
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
    "A number chooses. ? and a number: the texts of its cards · t: the whole table · c: concede · "
    "q: break off, to go on later · ?: this help"
)


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
) -> tuple[Match, LogWriter]:
    """A new live game and the log that it is written to."""
    name = secrets.token_hex(8)
    players = [
        f"Player {seat + 1}" if player_kind == HUMAN else player_kind for seat, player_kind in enumerate(player_kinds)
    ]
    first, second = (Seat(p, m, d) for p, m, d in zip(players, player_kinds, decks, strict=True))
    now = datetime.now(UTC).replace(microsecond=0)
    header = game.header(
        (first, second), options, secrets.randbits(64) - 2**63, origin="played", match=name,
        at=now.isoformat().replace("+00:00", "Z"),
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
        self.names = terminal.Names(
            match.game.rulebook, match.game.card_sets, players=[s.player for s in header.seats]
        )
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
        self.shown: dict[int | None, list[terminal.Section]] = {}
        """the table as each seat has last seen it"""

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
        self.write(self._table(seat, changed=seat in self.shown))
        choices = self._choices(seat)
        while True:
            typed = self.read("> ").strip().lower()
            ms = int((time.monotonic() - self.begun) * 1000)
            if typed == "q":
                raise BrokenOff(self.header.match or self.header.id)
            if typed == "c":
                self.match.act(Concede(), ms)
                return
            told = self._told(typed, seat, choices)
            if isinstance(told, str):
                self.write(told)
            else:
                self.match.act(told, ms)
                return

    def _choices(self, seat: int) -> list[tuple[AnyAction | None, list[int], str]]:
        """Writes the question and what may be chosen; gives for each number the action, or None, its cards, and why."""
        state = self.match.state
        choices: list[tuple[AnyAction | None, list[int], str]] = []
        asked = terminal.question(state, self.names)
        asked = terminal.plain(f"{self.names.players[seat]}: {asked}")
        self.write(f"\n{asked}  (? and a number: its text · ?: help)")
        for action in self.match.legal():
            choices.append((action, self._cards(action), ""))
            told = (terminal.choice(state, self.names, action), terminal.price(state, self.names, action))
            line = " ".join(part for part in (*told, self._cost(action)) if part)
            self.write(f"  {len(choices):>2}  {terminal.plain(line)}")
        for why, cards in self._refused(seat).items():
            choices.append((None, cards, why))
            called = ", ".join(self.names.entity(state, card) for card in cards)
            self.write(f"  {len(choices):>2}  – {terminal.plain(called)}: {why}")
        return choices

    def _told(self, typed: str, seat: int, choices: list[tuple[AnyAction | None, list[int], str]]) -> AnyAction | str:
        """The action that was chosen, else what there is to say about what was typed."""
        asks = typed.startswith("?")
        number = typed.removeprefix("?").strip()
        if typed == "?":
            return HELP
        if typed == "t":
            return self._table(seat)
        if not (number.isdecimal() and 1 <= int(number) <= len(choices)):
            return f"{typed!r} is none of 1 to {len(choices)}. {HELP}"
        action, cards, why = choices[int(number) - 1]
        if asks:
            return self._texts(cards)
        return action if action is not None else f"That cannot be done now. {why}."

    def _refused(self, seat: int) -> dict[str, list[int]]:
        """Why cards of the hand cannot be played now: the rule's sentence -> the cards. Of equal ones the first."""
        match = self.match
        cards = match.state.cards
        if match.state.asked is None or match.state.asked.options:
            return {}  # no free decision
        known = {cards[action.card].code for action in match.legal() if isinstance(action, Play | Use)}
        hands = [z.name for z in match.game.rulebook.zones if z.visible_to == "owner" and not z.ordered and not z.table]
        found: dict[str, list[int]] = {}
        for card in (card for hand in hands for card in match.state.zones[seat][hand]):
            if cards[card].code in known:
                continue
            known.add(cards[card].code)
            effect = match.definition(card).effect
            problem = match.refuse(Play(card) if effect is None else Use(card, effect))
            if problem is not None:
                found.setdefault(str(problem), []).append(card)
        return found

    def _cost(self, action: AnyAction) -> str:
        """What the use of an ability costs."""
        if not isinstance(action, Use):
            return ""
        cost = cost_text(self.match.definition(action.card).printed, action.ability, "en", self.match.game.rulebook)
        return f"[{self.names.word('choice', 'cost', cost=cost)}]" if cost else ""

    def _seen(self, seat: int) -> list[Event]:
        return view(self.match.log, seat, self.match.game.declared)

    def _news(self, seen: list[Event], seat: int) -> None:
        """What has happened since the person was last asked, in words."""
        lines = narrate(seen, self.match.game.rulebook, self.match.game.card_sets)
        asks = isinstance(seen[-1], Asked)  # the question itself is put below the table
        self.write(as_text(lines[self.told[seat] : -1 if asks else None]).rstrip("\n"))
        self.told[seat] = len(seen)

    def _cards(self, action: AnyAction) -> list[int]:
        """The cards that a choice speaks of."""
        entities = [getattr(action, field, None) for field in ("card", "on", "target", "option")]
        return [entity for entity in entities if entity in self.match.state.cards]

    def _texts(self, numbers: Sequence[int]) -> str:
        """Cards with their rules texts."""
        cards = [self.match.state.cards[number] for number in numbers]
        told = [[terminal.card(card, self.names), *self.texts.get(card.code or "", ())] for card in cards]
        return "\n".join(terminal.plain(line) for lines in told for line in lines) or "That choice is of no card."

    def _table(self, seat: int | None, changed: bool = False) -> str:
        """The table as a seat sees it; `changed`: what is not as it was when that seat last saw it."""
        state = self.match.state if seat is None else fold_all(self._seen(seat), self.match.game.declared)
        table = terminal.table(state, self.names)
        shown = terminal.changes(self.shown[seat], table) if changed else table
        self.shown[seat] = table
        return terminal.as_text(shown)
