"""Files that were damaged in every way: `python -m tests.mutate -n 100000 [--jobs J] [--seed S]`. Prints a report.

No reader may let anything escape but its own sentences, none may take longer than a second over a small file, and no
changed game may pass for a sealed one. A smaller number of the same in the test suite.
"""

from __future__ import annotations

import argparse
import functools
import gc
import gzip
import io
import os
import re
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import msgspec

from engine.fold import FoldError, fold_all
from engine.rulebooks import registry
from engine.state import Declared
from engine.view import view
from events.game import GameLog, game_lines, write_game
from events.kinds import Sealed
from events.live import LogWriter
from events.open import read_games
from events.pack import PackWriter, pack_index, slice_game
from events.record import LogError, encode, game_key, seal
from replays.stats.extract import game_rows
from replays.store import notes
from replays.store.audit import judge
from replays.store.library import Library, LibraryError
from replays.store.share import as_seen, nameless
from replays.view.narrate import log_text, narrate
from replays.view.timeline import Timeline
from replays.view.verify import verify
from tests.events.highcard import SHARED, game
from tests.play import begin, play

SLOW = 1.0
"""Seconds that a reader may take over one file."""

NUMBERS = (b"0", b"-1", b"1.5", b"1e400", b"-0", b"9" * 19, b"-" + b"9" * 19, b"9" * 400, b"1000000", b"2147483648")
SMALL = tuple(str(number).encode() for number in (-2, -1, 0, 1, 2, 3, 7, 998, 999, 1000))
WORDS = (b"deck", b"hand", b"kind", b"card", b"acted", b"sealed", b"", b"game_started", b"move_kind", b"<b>")
VALUES = (b"null", b"true", b"[]", b"{}", b'""', b"[" * 90 + b"]" * 90, b'"' + b"x" * 3000 + b'"', b'"\\ud800"', b"NaN")


@functools.cache
def originals() -> dict[str, tuple[bytes, frozenset[str]]]:
    """Name -> a whole file, and the seals of its games."""
    small = [write_game((*SHARED, game(n, id=f"g{n}", seed=n))) for n in (1, 2, 3)]
    plain: dict[str, list[bytes]] = {"highcard": small}
    for key in registry.GAMES:
        match = begin(1, key)
        events = play(match, 1)
        plain[key] = [write_game((match.game.rulebook, match.game.card_sets, events))]
        seen = [*view(events, 0, match.game.declared)]
        plain[f"{key} seat 0"] = [b"\n".join([
            encode(match.game.rulebook), *map(encode, match.game.card_sets), *game_lines(seen),
        ]) + b"\n"]
    found = {}
    for name, texts in plain.items():
        data = b"".join(texts)
        seals = frozenset(seal(one.lines[:-1]) for one in read_games(data))
        found[name] = (data, seals)
        found[f"{name}, packed"] = (packed(data), seals)
    data, seals = found["highcard"]
    found["gzip"] = (gzip.compress(data, mtime=0), seals)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a", data)
    found["zip"] = (archive.getvalue(), seals)
    note = notes.Note(id="a1", record=3, text="well played", by="Ann", at="2026-11-29T20:15:00.000000Z")
    found["notes"] = (notes.encode_notes({"g": (note, note), "h": (note,)}), frozenset())
    return found


def packed(data: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.jsonl.zst"
        with PackWriter(path) as writer:
            for one in read_games(data):
                writer.add_game(one)
        return path.read_bytes()


# --- what is done to a file ---------------------------------------------------------------------------------


def flipped(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 8))):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def cut(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data))] if random.random() < 0.7 else data[random.randrange(len(data)) :]


def gap(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + data[at + random.randrange(1, 400) :]


def stuffed(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data))
    stuffing = (random.randbytes(random.randrange(1, 300)), b"\n" * random.randrange(1, 50), b"\xef\xbb\xbf", bytes(99))
    return data[:at] + random.choice(stuffing) + data[at:]


def joined(data: bytes, random: Random) -> bytes:
    other = random.choice(list(originals().values()))[0]
    return data[: random.randrange(len(data))] + other[random.randrange(len(other)) :]


def _in_lines(change: Callable[[list[bytes], Random], None]) -> Callable[[bytes, Random], bytes]:
    def changed(data: bytes, random: Random) -> bytes:
        lines = data.split(b"\n")
        change(lines, random)
        return b"\n".join(lines)

    changed.__name__ = change.__name__
    return changed


@_in_lines
def swapped(lines: list[bytes], random: Random) -> None:
    a, b = random.randrange(len(lines)), random.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]


@_in_lines
def repeated(lines: list[bytes], random: Random) -> None:
    lines.insert(random.randrange(len(lines)), random.choice(lines))


@_in_lines
def dropped(lines: list[bytes], random: Random) -> None:
    del lines[random.randrange(len(lines))]


@_in_lines
def carriage_returns(lines: list[bytes], random: Random) -> None:
    lines[:] = [line + b"\r" if random.random() < 0.5 else line for line in lines]


def _in_tokens(name: str, pattern: bytes, values: tuple[bytes, ...]) -> Callable[[bytes, Random], bytes]:
    found = re.compile(pattern)

    def changed(data: bytes, random: Random) -> bytes:
        places = list(found.finditer(data))
        chosen = random.sample(places, min(len(places), random.choice((1, 1, 2))))
        for place in sorted(chosen, reverse=True, key=lambda place: place.start(1)):
            data = data[: place.start(1)] + random.choice(values) + data[place.end(1) :]
        return data

    changed.__name__ = name
    return changed


huge_number = _in_tokens("huge_number", rb"[:,\[](-?\d+)(?=[,}\]])", NUMBERS)
small_number = _in_tokens("small_number", rb"[:,\[](-?\d+)(?=[,}\]])", SMALL)
wrong_type = _in_tokens("wrong_type", rb':("[^"]*"|-?\d+|true|false|null)', VALUES + NUMBERS)
other_word = _in_tokens("other_word", rb'"(\w+)"', WORDS)


def field(data: bytes, random: Random) -> bytes:
    """A field more, that nobody knows, or twice."""
    places = [place.start() for place in re.finditer(rb'\{"', data)]
    if not places:
        return flipped(data, random)
    at = random.choice(places) + 1
    return data[:at] + random.choice((b'"extra":1,', b'"kind":"acted",', b'"back":1,', b'"seat":1,')) + data[at:]


def resealed(data: bytes, random: Random) -> bytes:
    """A plain log with one record changed and a right seal: a lie that only the rules can find."""
    told = [one for one in _readable(data) if one.sealed]
    if not told:
        return flipped(data, random)
    one = random.choice(told)
    change = random.choice((huge_number, small_number, other_word, wrong_type))
    lines = one.lines[:-1]
    at = random.randrange(len(lines))
    lines[at] = change(lines[at], random).replace(b"\n", b"")
    return b"\n".join([*one.shared, *lines, encode(Sealed(seal=seal(lines)))]) + b"\n"


def _readable(data: bytes) -> list[GameLog]:
    try:
        return list(read_games(data))
    except LogError:
        return []


WAYS = (
    flipped, cut, gap, stuffed, joined, swapped, repeated, dropped, carriage_returns, huge_number, small_number,
    wrong_type, other_word, field, resealed,
)


# --- who reads it -------------------------------------------------------------------------------------------


def read_all(data: bytes, folder: Path, seals: frozenset[str], lie: bool, random: Random) -> Counter[str]:
    """Gives the file to every reader. Raises AssertionError, or whatever a reader let escape."""
    outcome: Counter[str] = Counter()
    told = _timed("read_games", lambda: _readable(data))
    for one in told:
        if one.sealed and not lie:
            assert seal(one.lines[:-1]) in seals, "a changed game passes for a sealed one"
        _timed("one game", lambda one=one: _one(one, outcome, random))  # type: ignore[misc]
    path = folder / "file.jsonl"
    path.write_bytes(data)
    _timed("pack_index", lambda: _sentences(lambda: [slice_game(path, e) for e in pack_index(path)]))
    _timed("resume", lambda: _resume(folder, data))
    _timed("notes", lambda: _sentences(lambda: notes.decode_notes(data)))
    if random.random() < 0.6:  # the dearest readers take turns
        return outcome
    library = Library(folder / "library")
    _timed("import", lambda: library.import_paths([path]), 4 * SLOW)
    for entry in library.games():
        library.read(entry)
    _timed("judge", lambda: judge(library), 4 * SLOW)
    assert library.damage() == []
    return outcome


def _one(one: GameLog, outcome: Counter[str], random: Random) -> None:
    if one.fault is not None:
        str(one.fault)
    verdict = verify(one)
    outcome[verdict.verdict] += 1
    msgspec.json.encode(verdict)
    if not one.events:
        return
    game_key(one.events)
    declared = Declared(one.rulebook)
    game_rows(one, "p", declared if one.rulebook.key else None)
    if not one.rulebook.key:
        return
    _sentences(lambda: fold_all(one.events, declared))
    _sentences(lambda: as_seen(one, random.randrange(2)))
    _sentences(lambda: list(nameless([one])))
    if random.random() < 0.6:
        log_text(narrate(one.events, one.rulebook, one.card_sets))
        return
    timeline = Timeline(one.events, one.rulebook, one.card_sets)
    if timeline.steps:
        msgspec.json.encode(timeline.viewer_data())


def _resume(folder: Path, data: bytes) -> None:
    live = folder / "live.jsonl"
    live.write_bytes(data)

    def go_on() -> None:
        writer, _ = LogWriter.resume(live)
        writer.close()

    _sentences(go_on)


def _sentences(read: Callable[[], object]) -> None:
    try:
        read()
    except (LogError, FoldError, LibraryError, notes.NotesError) as error:
        assert str(error).strip(), "an error without a sentence"


def _timed(what: str, read: Callable[[], object], most: float = SLOW) -> object:
    gc.disable()  # else the caller's heap is gone through in the reader's time
    try:
        begun = time.process_time()
        found = read()
        took = time.process_time() - begun
    finally:
        gc.enable()
    assert took < most, f"{what} takes {took:.1f} s"
    return found


def tried(number: int, seed: int = 0) -> Counter[str]:
    """Damages one file in one way, and has it read. Raises AssertionError with how to do it again."""
    random = Random(f"{seed} {number}")
    small = [name for name in originals() if name.split()[0].rstrip(",") not in registry.GAMES]
    name = random.choice(small if random.random() < 0.9 else list(originals()))
    way = random.choice(WAYS)
    data, _ = originals()[name]
    if "packed" in name and random.random() < 0.5:
        name, way = "highcard", resealed
        data, _ = originals()[name]
    seals = frozenset().union(*(own for _, own in originals().values()))
    changed = way(data, random)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        try:
            return read_all(changed, Path(folder), seals, way is resealed, random)
        except Exception as error:
            raise AssertionError(f"file {number} of seed {seed} ({name}, {way.__name__}): {error!r}") from error


def main() -> None:
    """Runs the trial and prints what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    outcomes: Counter[str] = Counter()
    with ProcessPoolExecutor(given.jobs, get_context("spawn")) as pool:
        done = pool.map(tried, range(given.n), [given.seed] * given.n, chunksize=50)
        for number, outcome in enumerate(done, 1):
            outcomes += outcome
            if number % 2000 == 0:
                print(f"{number} files", flush=True)
    print(f"{given.n} files, {sum(outcomes.values())} games opened: {dict(outcomes.most_common())}")
    print("none raised anything but a sentence, none took a second, no changed game passed for a sealed one")


if __name__ == "__main__":
    main()
