"""Games by computer players: the same plan gives the same bytes, however many workers play it.

A plan is cut into chunks, each a small pack of its own; joined in order they are the pack. Chunks are kept until
then, so a simulation that was stopped goes on where it stopped. Nothing here knows a rule of a game.
"""

from __future__ import annotations

import shutil
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine.cards.decks import DeckFile, deck_list
from engine.core.chance import GOLDEN, MASK, splitmix64
from engine.core.rules import ENGINE
from engine.players import Observation, Player, make_player, make_players
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from events.errors import CardfoldError
from events.kinds import Annotated, Event, GameEnded, GameStarted, Seat
from events.pack import PackWriter, pack_index, read_pack
from events.reader import MAX_GAMES
from events.record import LogError, digest
from replays import workers
from replays.store import share
from replays.store.atomic import written_aside
from replays.store.entries import PACK
from replays.store.importing import Added
from replays.store.library import Library

MAX_DECISIONS = 20_000
"""Decisions after which a game is taken for endless. That is an error of the engine, not a rule."""

SMALL_CHUNK = 20
"""Games of a chunk, where the plan is not so large that there would be more than MAX_CHUNKS of them."""

MAX_CHUNKS = 500

SMALL_SEED = 1000
"""Seeds of plans below this are taken for ones that others would try."""


class PlanError(CardfoldError):
    """A plan that cannot be played; the message is a sentence."""


class Stopped(CardfoldError):
    """A simulation was stopped; `done` games of `total` are kept, and the same plan goes on from there."""

    exit_code = 130

    def __init__(self, done: int, total: int) -> None:
        super().__init__(f"Stopped after {done} of {total} games; the same command goes on from there.")
        self.done, self.total = done, total


class Plan(Struct, frozen=True, kw_only=True):
    """Which games are to be played. Game number i is played with the decks number i modulo their number.

    `decks` and `player_kinds` are in seat order. The options go into every game; `format`, where they do not say it,
    comes from the decks.
    """

    game: str
    decks: tuple[tuple[DeckFile, DeckFile], ...]
    count: int
    player_kinds: tuple[str, str] = ("random", "random")
    seed: int = 0
    options: dict[str, int | str | bool] = {}
    tags: tuple[str, ...] = ()
    date: str | None = None
    """day that the games are given, YYYY-MM-DD; they carry no clock time"""
    annotate: bool = False
    """whether players put on record what their decisions are based on; the games are the same"""


class Simulated(Struct, frozen=True):
    """What a simulation has made."""

    path: Path
    games: int
    """in the file"""
    errors: int
    """games of them that ended by an error"""
    played: int
    """games that were not there from an earlier run that was stopped"""
    size: int
    """bytes of the file"""


def all_pairs(decks: Sequence[DeckFile]) -> tuple[tuple[DeckFile, DeckFile], ...]:
    """Every deck against every deck of its format, in both seats, and against itself."""
    return tuple((a, b) for a, b in product(decks, repeat=2) if a.format == b.format)


def simulate(
    plan: Plan,
    out: Path,
    *,
    jobs: int | None = None,
    folders: tuple[Path, ...] = (),
    progress: Callable[[int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
    run: workers.Runner = workers.run_work,
) -> Simulated:
    """Plays a plan into a file, a pack or plain lines as its ending says.

    `jobs` worker processes (None: one a core; 1: this process alone), `folders` of further card sets, `progress`
    called with games done and games in all, `stop` asked now and then, `run` does the work. Raises PlanError,
    PlayerError and LogError, and with the finished chunks kept beside `out` Stopped, workers.WorkerKilled and
    KeyboardInterrupt.
    """
    packed = share.packed(out)
    game = registry.load(plan.game, folders)
    check(plan, game)
    folder = out.parent / f".{out.name}.{plan_key(plan, game)[:12]}"
    size = max(SMALL_CHUNK, -(-plan.count // MAX_CHUNKS))  # of the plan alone, so that the bytes are too
    work = Chunks(plan, folders, folder, size)
    work.make_folder()
    ends = {n: found for n in range(work.count) if (found := work.kept(n)) is not None}
    missing = [n for n in range(work.count) if n not in ends]
    done = work.games_in(ends)
    report = progress or (lambda done, total: None)
    report(done, plan.count)
    try:
        with closing(run(work.play, missing, jobs, lambda new: report(done + new, plan.count), stop)) as played:
            ends.update(played)
    except workers.WorkHalted:
        whole = [n for n in range(work.count) if n in ends or work.kept(n) is not None]
        raise Stopped(work.games_in(whole), plan.count) from None
    chunks = [work.path(n) for n in range(work.count)]
    if packed:
        join_chunks(chunks, out)
    else:
        share.write_games((game for chunk in chunks for game in read_pack(chunk)), out)
    shutil.rmtree(work.folder)
    errors = sum(end.reason == "error" for found in ends.values() for end in found)
    return Simulated(out, plan.count, errors, plan.count - done, out.stat().st_size)


def simulate_into(
    library: Library, plan: Plan, *, folders: tuple[Path, ...] = (), **more: Any
) -> tuple[Simulated, Added]:
    """Plays a plan, as `simulate` does, into the library: what was played, and what of it was new there."""
    key = plan_key(plan, registry.load(plan.game, folders))
    made = simulate(plan, library.making / f"{key}{PACK}", folders=folders, **more)
    return made, library.add_pack(made.path, own=True)


def play_game(
    game: Rulebook, header: GameStarted, players: Sequence[Player], *, annotate: bool = False
) -> list[Event]:
    """Plays one game to its end. One that raises ends as a draw, reason `error`, with what was raised in `noted`.

    `annotate`: before each decision, what its player has as `remark` (if it has any) is put on record.

    Its questions carry no continuation: to go on from one of them, its decisions are done again.
    """
    try:
        match = game.begin(header, resumable=False)
    except Exception as error:
        return [header, *_broken(error)]
    try:
        decisions = 0
        while (asked := match.state.asked) is not None:
            decisions += 1
            if decisions > MAX_DECISIONS:
                raise RuntimeError(f"the game goes on after {MAX_DECISIONS} decisions")
            player = players[asked.seat]
            action = player(Observation(match))
            if annotate and (remark := getattr(player, "remark", None)):
                by = header.seats[asked.seat].player_kind
                match.annotate(Annotated(text="", by=by, seat=asked.seat, about=match.state.seq - 1, data=remark))
            match.act(action)
        return match.log
    except Exception as error:
        return [*match.log, *_broken(error)]


def check(plan: Plan, game: Rulebook) -> None:
    """Raises PlanError or PlayerError where the plan cannot be played."""
    if plan.count < 1:
        raise PlanError(f"A plan is of at least one game, not {plan.count}.")
    if not plan.decks:
        raise PlanError("A plan needs two decks that may play each other.")
    try:
        date.fromisoformat(plan.date or "2000-01-01")
    except ValueError:
        raise PlanError(f"A day is written YYYY-MM-DD, not {plan.date!r}.") from None
    for player_kind in plan.player_kinds:
        make_player(player_kind, 0, modules=True)
    for pair in plan.decks:
        options = options_of(plan, pair)
        for problem in game.option_problems(options):
            raise PlanError(f"No game can be played so: {problem}.")
        for deck in pair:
            if deck.game not in ("", plan.game):
                raise PlanError(f"The deck {deck.called()!r} is for {deck.game}, not for {plan.game}.")
            problems = game.problems(deck, options)
            if problems:
                raise PlanError(f"The deck {deck.called()!r} may not be played: {'; '.join(map(str, problems))}")


def options_of(plan: Plan, pair: tuple[DeckFile, DeckFile]) -> dict[str, int | str | bool]:
    """The options of a game between these decks."""
    formats = sorted({deck.format for deck in pair if deck.format})
    if not formats or "format" in plan.options:
        return plan.options
    if len(formats) > 1:
        names = " and ".join(f"{deck.called()!r} ({deck.format})" for deck in pair)
        raise PlanError(f"Decks of two formats do not play each other: {names}.")
    return {"format": formats[0], **plan.options}


def games_of(plan: Plan, game: Rulebook) -> Iterator[tuple[GameStarted, list[Player]]]:
    """Header and players of each game of the plan, in order."""
    return (header_and_players(plan, game, index) for index in range(plan.count))


def plan_key(plan: Plan, game: Rulebook) -> str:
    """A digest of the plan with the rulebook, card sets and engine that it is played by."""
    editions = [game.editions[0], *game.editions[1]]
    return digest(msgspec.json.encode((plan, editions, ENGINE), order="sorted"))


def _broken(error: Exception) -> list[Event]:
    text = traceback.format_exception_only(error)[-1].strip()
    return [Annotated(text=text[:500]), GameEnded(winner=None, reason="error")]


# --- chunks -------------------------------------------------------------------------------------------------


class Chunks(Struct):
    """A plan on its way: where its chunks are, and what is in each."""

    plan: Plan
    folders: tuple[Path, ...]
    folder: Path
    size: int
    """games of a chunk"""

    @property
    def count(self) -> int:
        return -(-self.plan.count // self.size)

    def make_folder(self) -> None:
        """Makes the folder of the chunks, where it is not there. Raises LogError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LogError(f"cannot be made: {error.strerror}.", str(self.folder)) from None

    def games_of(self, number: int) -> range:
        """The numbers of the games of a chunk."""
        return range(number * self.size, min((number + 1) * self.size, self.plan.count))

    def games_in(self, numbers: Iterable[int]) -> int:
        """How many games there are in these chunks."""
        return sum(len(self.games_of(number)) for number in numbers)

    def into(self, folder: Path) -> Chunks:
        """The same plan with its chunks in another folder."""
        return Chunks(self.plan, self.folders, folder, self.size)

    def path(self, number: int) -> Path:
        return self.folder / f"{number:04}.jsonl.zst"

    def play(self, number: int, step: workers.Step) -> list[GameEnded]:
        """Plays a chunk, with a step after each game; says how each ended."""
        game = registry.load(self.plan.game, self.folders)
        ends = []
        with PackWriter(self.path(number)) as pack:
            for index in self.games_of(number):
                header, players = header_and_players(self.plan, game, index)
                events = play_game(game, header, players, annotate=self.plan.annotate)
                ends.append(_end(events))
                pack.add(game.rulebook, game.card_sets, events)
                step()
        return ends

    def kept(self, number: int) -> list[GameEnded] | None:
        """How each game of a chunk that is there ended; None where the chunk is not there, or not whole."""
        ends = []
        try:
            for game in read_pack(self.path(number)):
                if not game.sealed:
                    return None
                ends.append(_end(game.events))
        except (OSError, LogError):
            return None
        return ends if len(ends) == len(self.games_of(number)) else None


def small_plan_seed(seed: int) -> int | None:
    """The plan's seed below SMALL_SEED by which a simulated game has this one, if there is such: then anybody who tries
    can find it, and knows every card of the game. It takes a moment.

    The generator is run backwards from each 64-bit number whose first 53 bits the seed is (see `header_and_players`).
    """
    for low in range(1 << 11):
        place = _start_of(seed << 11 | low) * _STEPS & MASK
        for small in range(SMALL_SEED):
            if place < 3 * MAX_GAMES and place % 3 == 1:
                return small
            place = (place - _STEPS) & MASK
    return None


_STEPS = pow(GOLDEN, -1, 1 << 64)
"""What a distance on the generator's way is multiplied by to give the number of its steps."""


def _start_of(output: int) -> int:
    """The state from which SplitMix64 makes this output: each of its steps undone."""
    z = output ^ output >> 31 ^ output >> 62
    z = z * pow(0x94D049BB133111EB, -1, 1 << 64) & MASK
    z = z ^ z >> 27 ^ z >> 54
    z = z * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & MASK
    return z ^ z >> 30 ^ z >> 60


def header_and_players(plan: Plan, game: Rulebook, index: int) -> tuple[GameStarted, list[Player]]:
    """Header and players of game number `index`: each has a seed of its own, from the plan's and the number."""
    pair = plan.decks[index % len(plan.decks)]
    seeds = [splitmix64(plan.seed, 3 * index + n) >> 11 for n in range(3)]  # 53 bits: whole in any JSON reader
    a, b = (
        Seat(f"{player_kind} {number}", player_kind, deck_list(deck))
        for number, (player_kind, deck) in enumerate(zip(plan.player_kinds, pair, strict=True), 1)
    )
    header = game.header((a, b), options_of(plan, pair), seeds[0], origin="simulated", date=plan.date, tags=plan.tags)
    return header, make_players(plan.player_kinds, seeds[1:], modules=True)


def _end(events: Sequence[Event]) -> GameEnded:
    return next(event for event in reversed(events) if isinstance(event, GameEnded))


def join_chunks(chunks: Iterable[Path], out: Path) -> None:
    """The chunks as one pack: the frames of the shared lines from the first, the games' frames from all."""
    shared: bytes | None = None
    try:
        with written_aside(out) as file:
            for chunk in chunks:
                data = chunk.read_bytes()
                if shared is None:
                    first = next(entry for entry in pack_index(chunk) if entry.kind == "game_started")
                    shared = data[: first.offset]
                    file.write(shared)
                if not data.startswith(shared):
                    raise LogError("was made with other cards: remove it and simulate again.", str(chunk))
                file.write(memoryview(data)[len(shared) :])
    except OSError as error:
        raise LogError(f"cannot be written: {error.strerror}.", out.name) from None
