"""Checks the games of a library and keeps the verdicts, so that statistics can leave out what is not true.

Games from elsewhere are all checked, once; of those that were simulated here, a sample: their facts were made by the
rules that would check them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from replays.store.catalogue import OWN, PACK, LibraryError
from replays.store.entries import Entry, Judged
from replays.store.library import Library
from replays.view.verify import verify

SAMPLE = 50
"""One in so many of the games that were simulated here is checked."""

KEPT_AT_ONCE = 200
"""Verdicts that are held before they are kept."""


def judge(library: Library, progress: Callable[[int, int], None] | None = None) -> dict[str, int]:
    """Checks what has no verdict yet, and says how many games got which verdict.

    May be stopped at any moment and run again. `progress` is told how many games of how many are done.
    """
    report = progress or (lambda done, total: None)
    waiting = list(_waiting(library))
    counts: dict[str, int] = {}
    found: list[Judged] = []
    for done, entry in enumerate(waiting, 1):
        judged = _judged(library, entry)
        if judged is not None:
            found.append(judged)
            counts[judged.verdict] = counts.get(judged.verdict, 0) + 1
        if found and (len(found) >= KEPT_AT_ONCE or done == len(waiting)):
            library.keep_verdicts(found)
            found = []
        report(done, len(waiting))
    if found:
        library.keep_verdicts(found)
    return counts


def _waiting(library: Library) -> Iterator[Entry]:
    """The finished games in packs that are to be checked."""
    known = library.verdicts()
    for entry in library.entries():
        if not entry.pack.endswith(PACK) or entry.reason is None or entry.digest in known:
            continue
        if entry.pack.endswith(f"{OWN}{PACK}") and int(entry.digest[:8], 16) % SAMPLE:
            continue
        yield entry


def _judged(library: Library, entry: Entry) -> Judged | None:
    try:
        verdict = verify(library.read(entry))
    except LibraryError:
        return None  # its pack was made anew just now
    return Judged(entry.digest, verdict.verdict, verdict.text[:400], verdict.record, verdict.rule)
