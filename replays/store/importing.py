"""Taking games into a library: finished packs, live games that are over, and whatever someone gives.

What goes into a pack is whole lines of games as they were read; nothing is ever half there. Nothing here folds a game.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from events.game import GameLog
from events.lock import lock
from events.open import read_games
from events.pack import PackWriter, pack_index, read_pack
from events.record import LogError, digest
from events.sections import BLOCK
from replays.store import notes as notes_file
from replays.store.ahead import Ahead
from replays.store.archives import Source, size_of, sources
from replays.store.atomic import sync_folder, write_aside
from replays.store.catalogue import Catalogue, LibraryError
from replays.store.dedupe import KnownGames
from replays.store.entries import ENTRY_ENCODER, FIRST_LINE, KEY_DECODER, OWN, PACK, Entry, copy_digest, entry_of
from replays.store.given import ImportFile, ImportSource, all_given
from replays.store.notes import NotesError
from replays.store.packs import digest_of
from replays.store.verdicts import (
    UNTRUE,
    Judged,
    judged,
    may_have_changed,
    trust,
    trust_in,
)
from replays.view.verify import LABELS, verify

MAX_IN_PACK = 20_000
"""Games of an import after which a new pack is begun."""

MAX_ASIDE = 64 << 20
"""Most bytes of one torn part that are put aside."""

MAX_TORN = 100
"""Most torn parts of one file that are put aside."""

_MAX_LISTED = 10_000
"""Most lines of an import's report; the counts are of everything."""

_IMPORT = re.compile(r"\.?import-(\d+)-")
"""Files being made by an import, or an addition, of the process of that number."""

Outcome: TypeAlias = Literal["new", "duplicate", "partial", "refused"]
Progress: TypeAlias = Callable[[int, int], None]


class Found(Struct, frozen=True, omit_defaults=True):
    """What an import says of a game, or of a file that holds none."""

    file: str
    outcome: Outcome
    reason: str = ""
    id: str = ""
    game: int | None = None
    """its place among the games of the file, from 0"""
    verdict: str = ""
    """what checking it has found; nothing where it was not checked (again)"""


class ImportReport(Struct):
    """What an import has done. `partial` games were cut or changed: what is whole of them was taken in."""

    new: int = 0
    duplicate: int = 0
    partial: int = 0
    refused: int = 0
    notes: int = 0
    """games on which there were notes"""
    verdicts: dict[str, int] = {}
    """how many of the games that were checked got which verdict"""
    found: list[Found] = []
    """one line for each game or file, the first _MAX_LISTED"""
    packs: list[str] = []
    """the packs that were added"""

    def count(self, what: Found) -> None:
        """Takes a line in."""
        setattr(self, what.outcome, getattr(self, what.outcome) + 1)
        if what.verdict:
            self.verdicts[what.verdict] = self.verdicts.get(what.verdict, 0) + 1
        if len(self.found) < _MAX_LISTED:
            self.found.append(what)


class Added(Struct, frozen=True):
    """What became of a pack: its path within the library, or None where all its games were there already."""

    pack: str | None
    new: int
    duplicate: int


# --- packs and live games -----------------------------------------------------------------------------------


def add_pack(kept: Catalogue, path: Path, own: bool = False) -> Added:
    """Moves a finished pack into the library; games that are there already are left out of it.

    `own`: it was simulated here, so that a sample of its games is enough to check. At no moment is half a pack
    there under its name. Raises LogError for a file that is no pack or damaged.
    """
    try:
        damaged = next((entry for entry in pack_index(path) if entry.kind == "damaged"), None)
    except OSError as error:
        raise LogError(f"cannot be read: {error.strerror}.", path.name) from None
    if damaged is not None:
        raise LogError("is damaged: import it, to take in what is whole.", path.name, byte=damaged.offset)
    lines = kept.scratch(".catalogue")
    with kept.writing():
        count = kept.describe(path, lines)
    return _add_described(kept, path, lines, count, own)


def _add_described(kept: Catalogue, path: Path, lines: Path, count: int, own: bool) -> Added:
    """Moves a pack into the library, of which the catalogue's lines are in this file, as many as it has games."""
    try:
        with kept.locked():
            fresh = _fresh(kept, lines, own)
            if 0 < len(fresh) < count:
                _without_known(path, fresh)
                kept.describe(path, lines)
            pack = _move_in(kept, path, lines, OWN * own) if fresh else None
            path.unlink(missing_ok=True)
        kept.send()
        return Added(pack, len(fresh), count - len(fresh))
    finally:
        lines.unlink(missing_ok=True)


def known_games(kept: Catalogue) -> KnownGames:
    """The games that a library has."""
    known, verdicts = KnownGames(), kept.verdicts()
    for copy in kept.keys():  # noqa: SIM118
        known.add(copy, trust_in(copy, verdicts))
    return known


def _fresh(kept: Catalogue, lines: Path, own: bool) -> set[int]:
    """Where the games that are new to the library begin in a pack, of which the catalogue's lines are in this file.

    New is what the library has not, or has only in copies that are to be trusted less.
    """
    verdicts, fresh = kept.verdicts(), set()
    with closing(known_games(kept)) as known, lines.open("rb") as file:
        next(file)
        for copy in map(KEY_DECODER.decode, file):
            copy.pack = f"{OWN}{PACK}" if own else PACK
            worth = trust_in(copy, verdicts)
            if known.wants(copy, worth):
                known.add(copy, worth)
                fresh.add(copy.offset)
    return fresh


def _without_known(path: Path, fresh: set[int]) -> None:
    """Writes a pack again with these of its games."""
    with PackWriter(path) as pack:
        for game in read_pack(path):
            if game.events and game.offset in fresh:
                pack.add_game(game)


def _move_in(kept: Catalogue, path: Path, lines: Path, mark: str) -> str:
    name = f"{_next_number(kept):06}-{digest_of(path)}{mark}"
    pack = kept.path / "packs" / (name + PACK)
    os.replace(lines, kept.file_of(pack))
    try:
        os.replace(path, pack)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        with path.open("rb") as file:  # it comes from another disk
            write_aside(pack, iter(lambda: file.read(BLOCK), b""))
    sync_folder(pack.parent)
    return f"packs/{pack.name}"


def _next_number(kept: Catalogue) -> int:
    numbers = [pack.name.partition("-")[0] for pack in kept.packs()]
    return max((int(number) for number in numbers if number.isdecimal()), default=0) + 1


def keep_live(kept: Catalogue, live: Path) -> Added:
    """Moves the log of a live game that is over into a pack. Raises LibraryError for one that goes on."""
    try:
        file = live.open("rb+")
    except OSError as error:
        raise LibraryError(f"{live} cannot be opened: {error.strerror}.") from None
    with file:
        if not lock(file.fileno()):
            raise LibraryError(f"{live.name} is being written by another process.")
        games = list(read_games(live))
        if not all(game.sealed for game in games):
            raise LibraryError(f"The game in {live.name} is not over.")
        making = kept.making / f"{live.stem}{PACK}"
        with kept.writing(), PackWriter(making) as pack:
            for game in games:
                pack.add_game(game)
        kept.keep_verdicts([judged(copy_digest(game), verify(game)) for game in games])
        added = add_pack(kept, making)
        live.unlink()
        return added


def merge_notes(kept: Catalogue, notes: Mapping[str, Iterable[notes_file.Note]]) -> None:
    """Merges notes into those that are kept, whether their games are here or not. Raises NotesError."""
    for name, given in notes.items():
        notes_file.add_notes(kept.notes_file(name), {name: given})
    kept.send()


# --- importing ----------------------------------------------------------------------------------------------


class Import:
    """One import on its way: it fills a pack, and adds it to the library whenever it is full."""

    def __init__(self, library: Catalogue, progress: Progress | None, jobs: int | None) -> None:
        self.library = library
        self.jobs = jobs
        self.ahead: Ahead | None = None
        self.progress = progress or (lambda done, total: None)
        self.report = ImportReport()
        self.known = known_games(library)
        self.verdicts = library.verdicts()
        self.judged: list[Judged] = []
        """verdicts that are not kept yet"""
        self.done = self.total = 0
        self.pack: PackWriter | None = None
        self.path = library.scratch(PACK)
        self.entries: list[bytes] | None = []
        """the catalogue's lines of the pack; None where they are to be read out of it"""
        self.in_pack = 0
        for file in library.making.iterdir():
            process = _IMPORT.match(file.name)
            if process and not _runs(int(process[1])):
                file.unlink(missing_ok=True)  # left by an import that was killed

    def run(self, gifts: Iterable[ImportSource]) -> ImportReport:
        """Takes everything in that is given."""
        given = all_given(gifts)
        self.total = sum(size_of(one.file) for one in given if isinstance(one.file, Path))
        with ExitStack() as stack:
            stack.callback(self.known.close)
            stack.push(self._leave)
            files = [one.file for one in given if isinstance(one.file, Path) and not one.fault]
            ahead = stack.enter_context(closing(Ahead(self.library.path, files, self.jobs)))
            for one in given:
                self.ahead = ahead if isinstance(one.file, Path) else None
                if one.fault:
                    self._refuse(one.name, one.fault)
                else:
                    self._given(one)
        self.library.send()
        return self.report

    def _given(self, given: ImportFile) -> None:
        found = False
        for source in sources(given.name, given.file):
            found = True
            self._source(source, given)
            self.done += source.size
            self.progress(self.done, self.total)
        if not found:
            self._refuse(given.name, "holds no file.")

    def _leave(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """The last pack is added, or, where something was raised, given up."""
        try:
            if kind is None:
                self._close()
                self._keep_verdicts()
            elif self.pack is not None:
                self.pack.__exit__(kind, error, trace)
        finally:
            for file in self.library.making.glob(f"*{self.path.name}*"):
                file.unlink(missing_ok=True)

    def _source(self, source: Source, given: ImportFile) -> None:
        """Takes in the games of one stream. Puts aside what is torn of them; what is refused, if it is nowhere else."""
        if source.fault:
            self._refuse(source.name, source.fault)
        if source.stream is None:
            return
        if notes_file.looks_like_notes(source.stream):
            self._notes(source)
            return
        torn: list[tuple[int, Found]] = []
        starts: list[int] = []
        try:
            for game in read_games(source.stream, name=source.name):
                starts.append(game.offset)
                if game.offset in given.removed:
                    continue
                with self.library.writing():  # else it would pass for what is wrong with the file
                    found = self._game(game, source.name)
                aside = found.outcome == "partial" or (found.outcome == "refused" and not given.stays)
                if game.fault and aside and len(torn) < MAX_TORN:
                    torn.append((game.offset if game.fault.byte is None else game.fault.byte, found))
                else:
                    self.report.count(found)
                self.progress(self.done + min(source.stream.tell(), source.size), self.total)
        except (LogError, OSError) as error:
            why = error.what if isinstance(error, LogError) else f"cannot be read: {error.strerror}."
            found = Found(source.name, "refused", why)
            self.report.count(found) if given.stays else torn.append((0, found))
        ends = [*starts, source.stream.seek(0, os.SEEK_END)]
        for at, found in torn:
            end = next(end for end in ends if end > at or end == ends[-1])
            self.report.count(self._aside(source, at, end, found))

    def _notes(self, source: Source) -> None:
        assert source.stream is not None
        try:
            notes = notes_file.decode_notes(source.stream.read(notes_file.MAX_FILE + 1))
            merge_notes(self.library, notes)
            self.report.notes += len(notes)
        except NotesError as error:
            self._refuse(source.name, str(error))

    def _game(self, game: GameLog, file: str) -> Found:
        """What became of one game."""
        fault = game.fault.what if game.fault else ""
        if not game.events or not game.rulebook.key:
            return Found(file, "refused", fault, game=game.index)
        copy = entry_of(game)
        verdict = self.verdicts.get(copy.digest)
        here = self.known.name_of(copy.key)
        if self.known.has_copy(copy.digest) or self.known.has_copy(digest(game.text[:-1])):
            why = fault if here == copy.id else f"it is here as {here}. {fault}".strip()
            return Found(file, "duplicate", why, copy.id, game.index, verdict.verdict if verdict else "")
        if game.header.view is not None and self.known.is_seen(copy.key):
            return Found(file, "duplicate", "the library has the whole log of this game.", copy.id, game.index)
        if not game.sealed and self._part_of_another(game, copy.id):
            return Found(file, "duplicate", "the library has more of this game.", copy.id, game.index)
        if verdict is None or may_have_changed(verdict):
            verdict = self._verdict(game, copy.digest)
            self.judged.append(verdict)
        return self._checked(game, file, copy, verdict)

    def _verdict(self, game: GameLog, digest: str) -> Judged:
        """The verdict on this copy of a game: a worker has found it, or it is checked here and now."""
        sound = game.sealed and game.fault is None
        found = self.ahead.verdict(digest) if self.ahead is not None and sound else None
        return found or judged(digest, verify(game))

    def _checked(self, game: GameLog, file: str, copy: Entry, verdict: Judged) -> Found:
        """What became of a game that was checked: it is taken in unless as good a copy of it is here."""
        found = Found(file, "new", "", copy.id, game.index, verdict.verdict)
        worth, best = trust(verdict.verdict, game.sealed), self.known.trust(copy.key)
        here = self.known.name_of(copy.key)
        if not self.known.wants(copy, worth):
            why = "" if here == copy.id else f"it is here as {here}."
            if verdict.verdict in UNTRUE:
                why = f"the copy that is here as {here} stays; this one is {LABELS[verdict.verdict]}: {verdict.text}."
            return structs.replace(found, outcome="duplicate", reason=why)
        others = self.known.trust_of_others(copy)
        self._add(game, copy)
        self.known.add(copy, worth)
        why = _reservation(game, verdict)
        if best is not None:
            less = "is to be trusted less" if worth > best else "cannot be checked either"
            why = f"it stands beside the copy that is here as {here}, which {less}. {why}".strip()
        elif others is not None:
            less = "less" if worth > others else "more" if worth < others else "as much"
            why = f"it stands beside another game with this id, which is to be trusted {less}. {why}".strip()
        partial = game.fault is not None or not game.sealed
        return structs.replace(found, outcome="partial" if partial else "new", reason=why)

    def _part_of_another(self, game: GameLog, name: str) -> bool:
        """Whether the library has this game with more lines."""
        for entry in self.library.named(name):
            if entry.id == name and entry.records >= len(game.events):
                with suppress(LibraryError):
                    if self.library.read(entry).text.startswith(game.text):
                        return True
        return False

    def _add(self, game: GameLog, copy: Entry) -> None:
        try:
            if self.pack is None:
                self.pack = PackWriter(self.path).__enter__()
            place = self.pack.add_game(game)
        except LogError as error:
            raise LibraryError(f"The library {self.library.path} cannot be written: {error}") from None
        if game.fault is not None or not game.sealed:
            self.entries = None  # it may look another way in its pack
        elif self.entries is not None:
            entry = structs.replace(copy, offset=place.offset, length=place.length, shared=place.shared)
            self.entries.append(ENTRY_ENCODER.encode(entry) + b"\n")
        self.in_pack += 1
        if self.in_pack >= MAX_IN_PACK:
            self._close()

    def _close(self) -> None:
        """Finishes the pack and adds it."""
        if self.pack is None:
            return
        self.pack.__exit__(None)
        entries, count = self.entries, self.in_pack
        self.pack, self.entries, self.in_pack = None, [], 0
        self._keep_verdicts()
        if entries is None:
            added = add_pack(self.library, self.path)
        else:
            lines = self.library.scratch(".catalogue")
            write_aside(lines, [FIRST_LINE + b"\n", *entries])
            added = _add_described(self.library, self.path, lines, count, own=False)
        if added.pack is not None:
            self.report.packs.append(added.pack)
        self.report.new -= added.duplicate  # another process has just added them
        self.report.duplicate += added.duplicate

    def _keep_verdicts(self) -> None:
        if self.judged:
            self.library.keep_verdicts(self.judged)
            self.judged = []

    def _refuse(self, file: str, why: str) -> None:
        self.report.count(Found(file, "refused", why))

    def _aside(self, source: Source, start: int, end: int, found: Found) -> Found:
        """Copies the part of a file that was not taken in to the folder `aside`, and says so."""
        assert source.stream is not None
        end = min(end, start + MAX_ASIDE)
        source.stream.seek(start)
        part = source.stream.read(end - start)
        if not part.strip():
            return found
        stem = re.sub(r"[^\w.-]+", "_", source.name)[-60:]
        name = f"{stem}-{hashlib.blake2b(part, digest_size=8).hexdigest()}.part"
        write_aside(self.library.path / "aside" / name, [part])
        reason = f"{found.reason} What was not taken in is kept in aside/{name}."
        return structs.replace(found, reason=reason.strip())


def _reservation(game: GameLog, verdict: Judged) -> str:
    """What there is to be said against a game that was taken in, if anything."""
    if game.fault is not None:
        return game.fault.what
    if not game.ended:
        return f"it stops after record {len(game.events) - 1}, not ended."
    if verdict.verdict != "verified":
        return f"{LABELS[verdict.verdict]}: {verdict.text}."
    return "" if game.sealed else "it has no seal."


def _runs(process: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
