"""Kills at random moments: `python -m tests.kill -n 200 [--seed S]`. Prints a report.

A live game is being recorded, files are being imported, statistics are being built, when the process gets SIGKILL.
Afterwards nothing that was there is lost, nothing is half there, and the same command goes on and comes to its end.
A smaller number of the same in the test suite.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import duckdb
from msgspec import structs

from engine.rulebooks import registry
from events.game import GameLog, write_game
from events.kinds import Asked
from events.live import LogWriter
from events.open import read_games
from events.pack import PackWriter, read_pack
from replays.play import session
from replays.store.library import Library
from replays.view.verify import verify
from tests.events.highcard import SHARED, game
from tests.play import begin

RECORD = """
import sys
from pathlib import Path
from engine.rulebooks import registry
from engine.players import PLAYER_KINDS, Observation
from replays.play import session
from replays.store.library import Library
library = Library(Path(sys.argv[1]))
match, writer, _ = session.resume(library, sys.argv[2])
print("on", flush=True)
written = len(match.log)
with writer:
    while match.state.asked is not None:
        match.act(PLAYER_KINDS["random"](len(match.log))(Observation(match)))
        writer.append(match.log[written:])
        written = len(match.log)
        print(written, flush=True)
library.keep(library.live(sys.argv[2]))
"""

IMPORT = """
import sys
from pathlib import Path
from replays.store.library import Library
print("on", flush=True)
library = Library(Path(sys.argv[1]))
for file in sorted(Path(sys.argv[2]).iterdir()):
    library.import_paths([file])
"""

BUILD = """
import sys
from pathlib import Path
from replays.stats.warehouse import update
print("on", flush=True)
update(Path(sys.argv[1]), int(sys.argv[2]))
"""


def killed(code: str, *words: object, after: float) -> list[bytes]:
    """Runs the code until it says that it is on, and kills it so many seconds later; what it has said."""
    command = [sys.executable, "-c", code, *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None and process.stdout.readline() == b"on\n"
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        return process.stdout.read().splitlines()


def finished(code: str, *words: object) -> None:
    subprocess.run([sys.executable, "-c", code, *map(str, words)], check=True, stdout=subprocess.DEVNULL, timeout=600)


# --- what is killed -----------------------------------------------------------------------------------------


def record(folder: Path, kills: int, random: Random) -> None:
    """Kills a live game again and again; each time every decision that was reported is there, and it goes on."""
    library = Library(folder / "library")
    number, done = 0, 0
    while done < kills:
        number += 1
        key = list(registry.GAMES)[number % len(registry.GAMES)]
        match = begin(number, key)
        name = f"table{number}"
        match.log[0] = structs.replace(match.log[0], match=name, origin="played")
        with LogWriter(library.live(name), match.game.rulebook, match.game.card_sets) as writer:
            writer.append(match.log)
        before = list(match.log)
        while library.live(name).exists() and done < kills:
            said = killed(RECORD, library.path, name, after=random.uniform(0, 0.12))
            done += 1
            reported = int(said[-1]) if said else len(before)
            whole = library.open(name)
            assert whole.events[: len(before)] == before, "records that were there are lost or changed"
            assert len(whole.events) >= reported, f"{reported} records were reported, {len(whole.events)} are there"
            if whole.sealed:
                break
            if random.random() < 0.3:
                tear(library.live(name), random)
                before = before[: len(library.open(name).events)]
            else:
                before = whole.events
        if library.live(name).exists():
            if read_one(library.live(name)).sealed:
                library.keep(library.live(name))
            else:
                finished(RECORD, library.path, name)
        kept = library.open(name)
        assert kept.sealed and verify(kept).verdict == "verified", verify(kept).text
    assert not list((library.path / "live").glob("*.jsonl")), session.unfinished(library)


def read_one(path: Path) -> GameLog:
    (one,) = read_games(path)
    return one


def tear(path: Path, random: Random) -> None:
    """Cuts a log inside its last records, as a power cut may."""
    data = path.read_bytes()
    one = read_one(path)
    stops = [0, *(n for n, event in enumerate(one.events) if isinstance(event, Asked))]
    least = one.offset + sum(len(line) + 1 for line in one.lines[: stops[0 if random.random() < 0.1 else -2] + 1])
    path.write_bytes(data[: random.randrange(least, len(data))])


def importing(folder: Path, kills: int, random: Random) -> None:
    """Kills imports; each time every pack is whole, and at the end each game is there once."""
    done = 0
    while done < kills:
        given = folder / f"given {done}"
        given.mkdir(parents=True)
        library = Library(folder / f"library {done}")
        wanted = set()
        for n in range(40):
            texts = [write_game((*SHARED, game(1 + m, id=f"g{n}-{m}", seed=100 * n + m))) for m in range(5)]
            wanted |= {f"g{n}-{m}" for m in range(5)}
            (given / f"{n:02}.jsonl").write_bytes(b"".join(texts))
        before: set[str] = set()
        for _ in range(min(8, kills - done)):
            killed(IMPORT, library.path, given, after=random.uniform(0, 0.2))
            done += 1
            for pack in library.packs():
                assert all(one.sealed for one in read_pack(pack)), "half a pack has come under its name"
            found = [entry.id for entry in library.games()]
            assert len(found) == len(set(found)) and before <= set(found), "games are lost, or there twice"
            before = set(found)
        finished(IMPORT, library.path, given)
        found = [entry.id for entry in library.games()]
        assert len(found) == len(wanted) and set(found) == wanted and not list(library.making.iterdir())


def building(folder: Path, kills: int, random: Random) -> None:
    """Kills the building of statistics; each time there is the old warehouse or the new one, and then it is built."""
    library = Library(folder / "library")
    done = 0
    while done < kills:
        for _ in range(4):
            path = folder / "p.jsonl.zst"
            with PackWriter(path) as writer:
                for n in range(25):
                    writer.add(*SHARED, game(1 + n % 3, id=f"b{done}-{n}", seed=random.getrandbits(50)))
            library.add_pack(path)
        for _ in range(min(10, kills - done)):
            killed(BUILD, library.path, 1 + done % 2, after=random.uniform(0, 0.8))
            done += 1
            if (library.path / "warehouse.duckdb").exists():
                counted(library)
            assert len(library.games()) == sum(1 for pack in library.packs() for _ in read_pack(pack))
        finished(BUILD, library.path, 1)
        assert counted(library) == len(library.games()), "games are missing from the statistics"


def counted(library: Library) -> int:
    """Games in the warehouse; raises where it is damaged."""
    with duckdb.connect(str(library.path / "warehouse.duckdb"), read_only=True) as connection:
        return int(connection.execute("select count(*) from games").fetchall()[0][0])


SORTS: dict[str, Callable[[Path, int, Random], None]] = {"record": record, "import": importing, "build": building}


def run(sort: str, kills: int, seed: int) -> None:
    """Kills one sort of work so many times. Raises AssertionError where something was lost."""
    with tempfile.TemporaryDirectory() as folder:
        SORTS[sort](Path(folder), kills, Random(f"{sort} {seed}"))


def main() -> None:
    """Runs the trial and prints what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="kills in all")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    shares = [given.n // 3 + (n < given.n % 3) for n in range(3)]
    for sort, kills in zip(SORTS, shares, strict=True):
        if kills:
            run(sort, kills, given.seed)
        print(f"{sort}: killed {kills} times, nothing lost", flush=True)


if __name__ == "__main__":
    main()
