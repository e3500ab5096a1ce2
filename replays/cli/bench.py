"""The command bench: how fast this machine plays, reads, checks and packs. Figures for people, never for a test.

One process, one core, every shipped deck of a game in turn; seconds are those that the process has used. Absolute
figures mean little between machines; compare those of one run. Each is printed with machine and commit.
"""

from __future__ import annotations

import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import typer
from msgspec import structs

from engine.fold import fold_all
from engine.rulebooks import registry
from engine.state import Declared
from events.game import GameLog
from events.kinds import Acted, Event, GameStarted, Sealed
from events.pack import PackWriter, read_pack
from events.record import encode, seal
from events.sections import text_of
from replays.cli.output import say, tell, tell_json
from replays.cli.yardstick import MISSING, has_chess, measure_chess
from replays.play.simulate import Plan, all_pairs, games_of, play_game
from replays.stats.extract import game_rows
from replays.store.library import Library
from replays.view.verify import verify

PLAYERS = ("random", "greedy")
"""Who plays for the figures of self-play."""

SECONDS = 3.0
"""Time given to each figure."""

REAL_GAMES = 50
"""Games that are played for a large pack; its others are these under new ids and seeds."""


def bench_command(
    game: Annotated[list[str] | None, typer.Option(help="Only this game.")] = None,
    seconds: Annotated[float, typer.Option(help="Time for each figure.")] = 3.0,
    pack: Annotated[int | None, typer.Option(min=10, help="Instead: one pack of so many games.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Measures how fast this machine plays, reads and checks games."""
    for key in game or ():
        registry.load(key)
    said = (lambda what: None) if as_json else say
    keys = tuple(game or registry.GAMES)
    figures = measure(keys, seconds, said) if pack is None else bench_pack(keys[0], pack, said)
    if as_json:
        tell_json({**machine(), "figures": figures})
        return
    for name, value in machine().items():
        tell(f"{name:<12}{value}")
    for name, figure in figures.items():
        tell(f"{name:<48}{figure:>14,.1f}")


def measure(
    keys: Iterable[str] = registry.GAMES, seconds: float = SECONDS, said: Callable[[str], object] = tell
) -> dict[str, float]:
    """Measures all figures and gives them by name; `said` hears what is being measured.

    With python-chess at hand, ratios too: how many decisions are made, or read and folded, while it makes or reads one
    move.
    """
    said("chess: random games, reading" if has_chess() else MISSING)
    figures = measure_chess(seconds) if has_chess() else {}
    records, seconds_taken = 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for key in keys:
            for player_kind in PLAYERS:
                said(f"{key}: self-play, {player_kind}")
                figures.update(_selfplay(key, player_kind, seconds))
            said(f"{key}: packing, reading, folding, verifying")
            pack = Path(folder) / f"{key}.jsonl.zst"
            played = _packed(key, pack, seconds)
            figures[f"pack.{key}.bytes_per_game"] = pack.stat().st_size / played
            decisions, declared = _decisions(pack), Declared(registry.load(key).rulebook)
            figures[f"pack.{key}.bytes_per_decision"] = pack.stat().st_size / decisions
            _, events, read, folded = _reading(pack, partial(_fold, declared))
            figures[f"read.{key}.events_per_s"] = events / read
            figures[f"fold.{key}.events_per_s"] = events / folded
            records, seconds_taken = records + events, seconds_taken + read + folded
            count, _, _, verified = _reading(pack, verify)
            figures[f"verify.{key}.games_per_s"] = count / verified
            _, events, _, gathered = _reading(pack, partial(game_rows, pack=key, declared=declared))
            figures[f"facts.{key}.events_per_s"] = events / gathered
            if "chess.read.moves_per_s" in figures:
                played_as = figures[f"selfplay.{key}.random.decisions_per_s"]
                figures[f"ratio.{key}.random"] = played_as / figures["chess.random.moves_per_s"]
                figures[f"ratio.{key}.read"] = decisions / (read + folded) / figures["chess.read.moves_per_s"]
    figures["fold.events_per_s"] = records / seconds_taken  # read and folded, all games
    return figures


def machine() -> dict[str, str]:
    """What the figures were measured on: processor, system, Python and commit."""
    try:
        commit = subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=Path(__file__).parent, capture_output=True, text=True,
            timeout=10,
        ).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        commit = ""
    return {
        "processor": _processor(), "system": platform.platform(), "python": platform.python_version(),
        "commit": commit or "unknown",
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


def _plan(key: str, player_kind: str) -> tuple[registry.Rulebook, Plan]:
    game = registry.load(key)
    return game, Plan(
        game=key, decks=all_pairs(game.shipped_decks()), count=1_000_000, player_kinds=(player_kind, player_kind),
        seed=1,
    )


def _played(key: str, player_kind: str, seconds: float) -> Iterator[list[Event]]:
    game, plan = _plan(key, player_kind)
    until = time.process_time() + seconds
    for header, players in games_of(plan, game):
        yield play_game(game, header, players)
        if time.process_time() > until:
            return


def _selfplay(key: str, player_kind: str, seconds: float) -> dict[str, float]:
    next(_played(key, player_kind, 0))  # loads cards
    begun = time.process_time()
    played = decisions = 0
    for events in _played(key, player_kind, seconds):
        played += 1
        decisions += sum(isinstance(e, Acted) for e in events)
    took = time.process_time() - begun
    return {
        f"selfplay.{key}.{player_kind}.decisions_per_s": decisions / took,
        f"selfplay.{key}.{player_kind}.games_per_s": played / took,
        f"selfplay.{key}.{player_kind}.decisions_per_game": decisions / played,
    }


def _packed(key: str, pack: Path, seconds: float) -> int:
    game = registry.load(key)
    played = 0
    with PackWriter(pack) as writer:
        for events in _played(key, "random", seconds):
            writer.add(game.rulebook, game.card_sets, events)
            played += 1
    return played


def _decisions(pack: Path) -> int:
    return sum(isinstance(e, Acted) for game in read_pack(pack) for e in game.events)


def _fold(declared: Declared, game: GameLog) -> None:
    fold_all(game.events, declared)


def _reading(pack: Path, work: Callable[[GameLog], object]) -> tuple[int, int, float, float]:
    """Reads a pack and does this to each game, none of which is kept: games, records, seconds for each of both."""
    read = worked = 0.0
    played = events = 0
    before = time.process_time()
    for game in read_pack(pack):
        begun = time.process_time()
        work(game)
        after = time.process_time()
        read, worked, before = read + begun - before, worked + after - begun, after
        played, events = played + 1, events + len(game.events)
    return played, events, read, worked


# --- one large pack -----------------------------------------------------------------------------------------


def bench_pack(key: str, count: int, said: Callable[[str], object] = tell) -> dict[str, float]:
    """Measures one pack of so many games and one of a tenth: games a second, and the most memory that it took, in MiB.

    Reading it through, taking it into a library, gathering its facts: each in a process of its own. Memory is to
    be the same for both packs.
    """
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in (count // 10, count):
            said(f"{key}: making a pack of {size} games")
            pack = Path(folder) / f"{size}.jsonl.zst"
            make_pack(key, size, pack)
            figures[f"pack_of.{key}.{size}.mib"] = pack.stat().st_size / 2**20
            for work in (_read_through, _gather_facts, _take_in):  # the last one moves the pack away
                said(f"{key}: {work.__name__.strip('_').replace('_', ' ')}")
                with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                    took, peak = pool.submit(work, pack).result()
                figures[f"pack_of.{key}.{size}{work.__name__}.games_per_s"] = size / took
                figures[f"pack_of.{key}.{size}{work.__name__}.peak_mib"] = peak
    return figures


def make_pack(key: str, count: int, to: Path) -> None:
    """A pack of so many games: real ones, over and over under new ids and seeds, so that no two are one game."""
    game, plan = _plan(key, "random")
    played = [play_game(game, *next_game) for next_game in games_of(structs.replace(plan, count=REAL_GAMES), game)]
    lines = [[encode(event) for event in events] for events in played]
    shared = (encode(game.rulebook), *(encode(cards) for cards in game.card_sets))
    with PackWriter(to) as writer:
        for number in range(count):
            events, told = played[number % len(played)], lines[number % len(played)]
            header = events[0]
            assert isinstance(header, GameStarted)
            told = [encode(structs.replace(header, id=f"{number:016x}", seed=number)), *told[1:]]
            told.append(encode(Sealed(seal=seal(told))))
            writer.add_game(GameLog(game.rulebook, game.card_sets, events, text_of(told), shared))


def _read_through(pack: Path) -> tuple[float, float]:
    return _measured(lambda: sum(len(game.events) for game in read_pack(pack)))


def _gather_facts(pack: Path) -> tuple[float, float]:
    from replays.stats.shards import build_shards  # slow to import

    with tempfile.TemporaryDirectory() as folder:
        return _measured(lambda: build_shards([pack], Path(folder)))


def _take_in(pack: Path) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        return _measured(lambda: Library(Path(folder)).add_pack(pack))


def _measured(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds that the work takes, and the most memory that this process has taken, in MiB."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun, _peak()


def _peak() -> float:
    """Most memory of this process so far, in MiB. On Linux `getrusage` would count what its parent had."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 2**10
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
