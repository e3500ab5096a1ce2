"""Checks the games of a library and keeps the verdicts, so that statistics can leave out what is not true.

Games from elsewhere are all checked, as a rule when they come in; of those that were simulated here, a sample: their
facts were made by the rules that would check them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from replays.store.catalogue import LibraryError
from replays.store.entries import PACK, Entry
from replays.store.library import Library
from replays.store.verdicts import Judged, is_own, judged, may_have_changed
from replays.view.verify import verify

SAMPLE = 50
"""One in so many of the games that were simulated here is checked."""

KEPT_AT_ONCE = 200
"""Verdicts that are held before they are kept."""


def judge(library: Library, progress: Callable[[int, int], None] | None = None) -> dict[str, int]:
    """Checks what has no verdict yet, or one that may have changed, and says how many games got which verdict.

    May be stopped at any moment and run again. `progress` is told how many games of how many are done.
    """
    report = progress or (lambda done, total: None)
    waiting = list(_waiting(library))
    counts: dict[str, int] = {}
    found: list[Judged] = []
    for done, entry in enumerate(waiting, 1):
        verdict = _judged(library, entry)
        if verdict is not None:
            found.append(verdict)
            counts[verdict.verdict] = counts.get(verdict.verdict, 0) + 1
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
        if not entry.pack.endswith(PACK) or entry.reason is None:
            continue
        if entry.digest in known and not may_have_changed(known[entry.digest]):
            continue
        if is_own(entry.pack) and int(entry.digest[:8], 16) % SAMPLE:
            continue
        yield entry


def _judged(library: Library, entry: Entry) -> Judged | None:
    try:
        return judged(entry.digest, verify(library.read(entry)))
    except LibraryError:
        return None  # its pack was made anew just now
