"""One game of a log as plain data, and the lines that it is written as."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from events.kinds import Annotated, CardSet, Event, GameEnded, GameStarted, RulebookLine, Sealed
from events.record import LogError, digest, encode, seal
from events.sections import text_of

NOTHING_DECLARED = RulebookLine(key="", version="", zones=(), counters=(), phases=())
"""Stands for the rulebook of a game whose rulebook line is absent."""


class GameLog(Struct):
    """One game of a log, as far as it can be read.

    `events` are its records up to the fault, `game_started` first and `sealed` (where there is one, right or
    wrong) last; `text` is their lines as they stand in the file, each with its line feed; `shared` are the
    shared lines that it names. A game whose first line cannot be read has no events. One whose rulebook line is
    absent has only the first event and a rulebook that declares nothing; a card set whose line is absent is left
    out. All these have a fault.
    """

    rulebook: RulebookLine = NOTHING_DECLARED
    card_sets: tuple[CardSet, ...] = ()
    events: list[Event] = []
    text: bytes = b""
    shared: tuple[bytes, ...] = ()
    fault: LogError | None = None
    """where and why the game stops before its last line, or what of it is not to be trusted"""
    sealed: bool = False
    """a right `sealed` line ends it: it is all here, and no byte of it has changed"""
    altered: bool = False
    """a wrong `sealed` line ends it: it was changed after its end"""
    untouched: bool = False
    """its seal is right, though it may name a rulebook or card set that is not there, and not be readable"""
    index: int = 0
    """its place among the games of the file, from 0, broken ones counted"""
    offset: int = 0
    """byte of the file at which its first line (in a pack: its frame) begins"""

    @property
    def header(self) -> GameStarted:
        """The first record. Raises the game's fault where that could not be read."""
        if not self.events:
            raise self.fault or LogError("the game has no records.", game=self.index)
        assert isinstance(self.events[0], GameStarted)
        return self.events[0]

    @property
    def lines(self) -> list[bytes]:
        """The lines of `text`, one for each of `events`."""
        return self.text.split(b"\n")[:-1]

    def cut(self, keep: int) -> None:
        """Keeps only so many of its records."""
        self.text = text_of(self.lines[:keep])
        del self.events[keep:]

    @property
    def ended(self) -> bool:
        """Whether the log reaches the game's end; False for one still being played, and for one cut short."""
        return ended(self.events)


Told = tuple[RulebookLine, Sequence[CardSet], Sequence[Event]]
"""A game as the engine has it: its rulebook, its card sets, its records."""


def ended(events: Sequence[Event]) -> bool:
    """Whether `game_ended` is the last record but for notes and the seal."""
    told = (event for event in reversed(events) if not isinstance(event, Annotated | Sealed))
    return isinstance(next(told, None), GameEnded)


def game_lines(events: Sequence[Event]) -> list[bytes]:
    """The lines of a game's records, with its seal where the game has ended and has none yet."""
    lines = [encode(event) for event in events]
    if ended(events) and not isinstance(events[-1], Sealed):
        lines.append(encode(Sealed(seal=seal(lines))))
    return lines


def shared_lines(header: GameStarted, rulebook: RulebookLine, card_sets: Sequence[CardSet]) -> list[bytes]:
    """The shared lines that the header names. Raises LogError where it names others than these."""
    lines = [encode(rulebook), *map(encode, card_sets)]
    check_named(header, map(digest, lines))
    return lines


def check_named(header: GameStarted, digests: Iterable[str]) -> None:
    """Raises LogError unless the header names just these digests: the rulebook's, then the card sets'."""
    if [edition.digest for edition in (header.rulebook, *header.card_sets)] != list(digests):
        raise LogError("the header names another rulebook or other card sets than the game is written with.")


def write_game(game: GameLog | Told) -> bytes:
    """A whole file of one game. A game that was read comes out byte for byte, as far as it is whole."""
    if isinstance(game, GameLog):
        return text_of(list(game.shared)) + game.text
    rulebook, card_sets, events = game
    return text_of([*shared_lines(header_of(events), rulebook, card_sets), *game_lines(events)])


def header_of(events: Sequence[Event]) -> GameStarted:
    """The first record. Raises LogError where it is not game_started."""
    if not events or not isinstance(events[0], GameStarted):
        raise LogError("a game begins with game_started.", record=0)
    return events[0]
