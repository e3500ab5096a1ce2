"""Checks the games of a library and keeps the verdicts, so that statistics can leave out what is not true.

Games from elsewhere are all checked, as a rule when they come in; of those that were simulated here, a sample: their
facts were made by the rules that would check them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from replays import workers
from replays.store.catalogue import LibraryError
from replays.store.entries import PACK, Entry
from replays.store.library import Library
from replays.store.verdicts import Judged, is_own, judged, may_have_changed
from replays.view.verify import verify

SAMPLE = 50
"""One in so many of the games that were simulated here is checked."""

_AT_ONCE = 100
"""Games that are checked before their verdicts are kept."""


def judge(
    library: Library, progress: Callable[[int, int], None] | None = None, jobs: int | None = 1
) -> dict[str, int]:
    """Checks what has no verdict yet, or one that may have changed, and says how many games got which verdict.

    Works in so many processes (None: one a core). May be stopped at any moment and run again. `progress` is told how
    many games of how many are done.
    """
    report = progress or (lambda done, total: None)
    waiting = list(_waiting(library))
    pieces = [waiting[at : at + _AT_ONCE] for at in range(0, len(waiting), _AT_ONCE)]
    counts: dict[str, int] = {}
    work = workers.run_work(partial(_check, library.path), pieces, jobs, lambda done: report(done, len(waiting)))
    with closing(work) as checked:
        for _, found in checked:
            library.keep_verdicts(found)
            for verdict in found:
                counts[verdict.verdict] = counts.get(verdict.verdict, 0) + 1
    return counts


def _waiting(library: Library) -> Iterator[Entry]:
    """The finished games in packs that are to be checked."""
    known = library.verdicts()
    for entry in library.entries():
        if not entry.pack.endswith(PACK) or entry.reason is None:
            continue
        if entry.digest in known and not may_have_changed(known[entry.digest]):
            continue
        if is_own(entry.pack) and int(entry.digest[:8], 16) % SAMPLE:
            continue
        yield entry


def _check(path: Path, entries: list[Entry], step: workers.Step) -> list[Judged]:
    """The verdicts on these games of a library."""
    library = Library(path)
    found: list[Judged] = []
    for entry in entries:
        with suppress(LibraryError):  # its pack was made anew just now
            found.append(judged(entry.digest, verify(library.read(entry))))
        step()
    return found
