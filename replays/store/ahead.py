"""Verdicts on the games of files that are being imported, found by worker processes ahead of the import.

The import asks for the verdict on each copy by its digest, and checks itself what nobody has checked: here only time is
saved. Workers leave alone what is not sound, and what the library has a verdict on.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TypeAlias

from events.game import GameLog
from events.open import read_games
from events.record import LogError
from events.stretches import Stretch, games_in, stretches
from replays import workers
from replays.store.archives import size_of, sources
from replays.store.catalogue import Catalogue
from replays.store.entries import copy_digest
from replays.store.verdicts import Judged, judged, may_have_changed
from replays.view.verify import verify

_GAMES = 40
"""Games of a pack that a worker checks in one go."""

BYTES = 1 << 20
"""Bytes of other files that it checks in one go."""

Batch: TypeAlias = tuple[tuple[Path, Stretch | None], ...]
"""What a worker checks in one go: files, or a stretch of a pack."""


class Ahead:
    """Verdicts on the games of these files by digest, found in so many processes (None: one a core; 1: not at all)."""

    def __init__(self, library: Path, files: Iterable[Path], jobs: int | None) -> None:
        self._found: dict[str, Judged] = {}
        pieces = _pieces(files)
        first = list(islice(pieces, 2)) if (jobs or os.cpu_count() or 1) > 1 else []
        pieces = chain(first, pieces) if len(first) > 1 else iter(())  # else the import is as fast alone
        self._work = workers.run_work(partial(_check, library), pieces, jobs)

    def verdict(self, digest: str) -> Judged | None:
        """The verdict on the copy with this digest, waited for where it may still come; None where it does not."""
        with suppress(workers.WorkerKilled):
            while digest not in self._found:
                done = next(self._work, None)
                if done is None:
                    break
                self._found.update((verdict.digest, verdict) for verdict in done[1])
        return self._found.get(digest)

    def close(self) -> None:
        """Stops the workers."""
        self._work.close()


def _pieces(files: Iterable[Path]) -> Iterator[Batch]:
    """The files cut into what takes workers about as long each."""
    held: list[tuple[Path, Stretch | None]] = []
    size = 0
    for file in files:
        if not file.is_file():
            continue
        cut = False
        try:
            for stretch in stretches(file, _GAMES):
                cut = True
                yield ((file, stretch),)
        except (LogError, OSError):
            if not cut:
                held.append((file, None))
                size += size_of(file)
        if size >= BYTES:
            yield tuple(held)
            held, size = [], 0
    if held:
        yield tuple(held)


def _check(library: Path, piece: Batch, step: workers.Step) -> list[Judged]:
    """The verdicts on the sound games of a piece that have none yet."""
    known = _verdicts(library)
    found: list[Judged] = []
    for file, stretch in piece:
        with suppress(LogError, OSError):  # the import says what is wrong with it
            for game in _games(file, stretch):
                step()
                if game.fault is not None or not game.sealed:
                    continue
                digest = copy_digest(game)
                if digest not in known or may_have_changed(known[digest]):
                    found.append(judged(digest, verify(game)))
    return found


def _games(file: Path, stretch: Stretch | None) -> Iterator[GameLog]:
    if stretch is not None:
        yield from games_in(file, stretch)
        return
    for source in sources("", file):
        if source.stream is not None:
            with suppress(LogError):
                yield from read_games(source.stream)


@cache
def _verdicts(library: Path) -> dict[str, Judged]:
    return Catalogue(library).verdicts()
