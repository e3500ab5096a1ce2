"""A library's folder and its catalogue: which games are there, where each lies, what is said of it.

The catalogue can always be made anew from the packs. Many processes may read while one writes; the folder's layout has
a version. What takes games in or away stands elsewhere. Nothing here knows a rule or folds a game.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import time
import tomllib
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from events.errors import CardfoldError
from events.game import GameLog
from events.kinds import RulebookLine
from events.lock import lock
from events.open import read_games
from events.pack import Needed, game_at, pack_index, read_pack, shared_at
from events.record import LogError
from replays.store import notes as notes_file
from replays.store.archives import tidy
from replays.store.atomic import write_aside
from replays.store.bucket import ABOUT, BUCKET, VERDICTS, BucketError, brought, mirror_in, packs_there
from replays.store.entries import (
    ENTRY_DECODER,
    ENTRY_ENCODER,
    FIRST_LINE,
    ID,
    KEY_DECODER,
    PACK,
    REMOVED_DECODER,
    Entry,
    EntryState,
    Key,
    Removed,
    entry_of,
    once,
)
from replays.store.filters import EVERY_GAME, GameFilters, fitting
from replays.store.groups import GROUPS_FILE, read_groups
from replays.store.packs import PackStates
from replays.store.verdicts import JUDGED_DECODER, UNTRUE, Judged, standing, trust_in

_Line = TypeVar("_Line")

LAYOUT = 2
"""Version of the folder's layout. A newer one is refused, an older one is brought up to this."""

_PATIENCE = 30.0
"""Seconds to wait for another process that is writing into the library."""

_FOLDERS = ("packs", "live", "catalogue", "aside", "making", "notes")
_KNOWN_FILES = {
    *_FOLDERS, "facts", "sums", "jobs", "labs", "warehouse.duckdb", "lock", "removed.jsonl", "verdicts.jsonl",
    "packs.json", GROUPS_FILE, VERDICTS, BUCKET,
}  # fmt: skip
_NUMBERS = itertools.count()


class LibraryError(CardfoldError):
    """The library cannot do what is asked; the message is a sentence."""


class Catalogue:
    """The library in a folder, which is made where there is none.

    Raises LibraryError for a folder that
    holds something else, or the library of a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mirror = mirror_in(path)
        self._shared: dict[tuple[str, tuple[tuple[int, int], ...]], Needed] = {}
        self._books: dict[tuple[str, tuple[tuple[int, int], ...]], RulebookLine] = {}
        try:
            self._open()
        except OSError as error:
            raise LibraryError(f"The library {self.path} cannot be opened: {error.strerror}.") from None

    def _open(self) -> None:
        about = self.path / ABOUT
        if about.exists():
            self._check_layout(about)
        elif self.path.is_dir() and {file.name for file in self.path.iterdir()} - _KNOWN_FILES:
            raise LibraryError(f"{self.path} is no library, and not empty: give a new folder or a library's.")
        for name in _FOLDERS:
            (self.path / name).mkdir(parents=True, exist_ok=True)
        if not about.exists():
            _write_about(about, LAYOUT)

    def _check_layout(self, about: Path) -> None:
        """Raises LibraryError for a layout that is not known; brings an older one up to this, step by step."""
        layout = _layout_of(about)
        if not isinstance(layout, int):
            raise LibraryError(f"{about} does not say the library's layout; it should hold the line: layout = {LAYOUT}")
        if layout > LAYOUT:
            raise LibraryError(
                f"The library {self.path} was made by a newer version of Cardfold (layout {layout}; this one knows "
                f"{LAYOUT}). Update Cardfold to open it."
            )
        if layout < LAYOUT:
            with self.locked():
                for step in range(_layout_of(about) or 0, LAYOUT):  # another process may just have done it
                    MIGRATIONS[step](self.path)
                    _write_about(about, step + 1)

    # --- looking ------------------------------------------------------------------------------------------

    @property
    def making(self) -> Path:
        """The folder where packs are made before they are added; what a stopped simulation keeps lies there."""
        return self.path / "making"

    @property
    def labs(self) -> Path:
        """The folder of the balance labs, each with changed cards and a library of its own."""
        return self.path / "labs"

    def packs(self) -> list[Path]:
        """The packs, in the order in which they came."""
        return packs_in(self.path)

    def entries(self) -> Iterator[Entry]:
        """What the catalogue says of all games, in the order in which they came, games being played last."""
        for pack in self.packs():
            yield from self.entries_of(pack)
        yield from self.live_entries()

    def games(
        self, filters: GameFilters = EVERY_GAME, *, state: EntryState | None = None, origin: str | None = None
    ) -> list[Entry]:
        """The games of which all this holds, each once however many of its one-seat logs are there.

        Raises FilterError where a filter names nothing that any game has.
        """
        found = fitting(once(self.entries()), filters, read_groups(self.path))
        return [e for e in found if state in (None, e.state) and origin in (None, e.origin)]

    def find(self, name: str) -> Entry:
        """The game whose id, key or match begins so.

        Of several of one id, the one that is most to be trusted; of several of one match, none that is untrue. Raises
        LibraryError where there is none, or where it could be several.
        """
        found = self.named(name) if ID.fullmatch(name) else []
        if not found:
            raise LibraryError(f"There is no game {tidy(name, 80)!r} in the library {self.path}.")
        exact = [entry for entry in found if name in (entry.id, entry.key, entry.match)]
        found = exact or found
        if not all(name == entry.key for entry in found):
            found = once(found)
        verdicts = self.verdicts() if len(found) > 1 else {}
        if len({entry.id for entry in found}) == 1 or len({entry.key for entry in found}) == 1:
            best = max(trust_in(entry, verdicts) for entry in found)
            found = [entry for entry in found if trust_in(entry, verdicts) == best]
        elif all(name == entry.match for entry in found):  # any log may claim a match
            found = [entry for entry in found if standing(entry, verdicts) not in UNTRUE] or found
        if len(found) == 1:
            return found[0]
        same = len({entry.id for entry in found}) < len(found)
        names = [entry.key if same else entry.id for entry in found]
        shown = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        raise LibraryError(f"{len(found)} games are meant by {name!r}: {shown}. Give more of one of these.")

    def open(self, name: str) -> GameLog:
        """The game whose id, key or match begins so; see find."""
        return self.read(self.find(name))

    def read(self, entry: Entry) -> GameLog:
        """The game of an entry. Raises LibraryError where its file has gone."""
        path = self.path / entry.pack
        try:
            brought(path)
            if not entry.pack.endswith(PACK):
                return next(game for game in read_games(path) if game.offset == entry.offset)
            place = (entry.pack, entry.shared)
            if place not in self._shared:
                if len(self._shared) > 64:
                    self._shared.clear()
                self._shared[place] = shared_at(path, entry.shared)
            return game_at(path, entry.offset, entry.length, self._shared[place])
        except (OSError, LogError, BucketError, StopIteration) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise LibraryError(f"The game {entry.id} cannot be read from {path}: {why or 'it has gone.'}") from None

    def rulebook(self, entry: Entry) -> RulebookLine:
        """The rulebook line of an entry's game, which says what things are called. Raises LibraryError; see `read`."""
        place = (entry.pack, entry.shared)
        if place not in self._books:
            if len(self._books) > 64:
                self._books.clear()
            self._books[place] = self.read(entry).rulebook
        return self._books[place]

    def keys(self) -> Iterator[Key]:
        """What the catalogue says of games in packs, in short."""
        for pack in self.packs():
            yield from self.keys_of(pack)

    def keys_of(self, pack: Path) -> Iterator[Key]:
        """The same of the games of one pack."""
        removed = self._removed()
        for line in self._decoded(pack, KEY_DECODER.decode):
            if (pack.name, line.offset) not in removed:
                line.pack = f"packs/{pack.name}"
                yield line

    def named(self, name: str) -> list[Entry]:
        """The entries whose id, key or match begins so. Looks at the lines' text first, which is quick."""
        wanted = re.compile(rb'"(?:id|key|match)":"' + re.escape(name.encode()))
        found = [
            entry
            for pack in self.packs()
            for entry in self.entries_of(pack, wanted)
        ]
        found += [entry for entry in self.live_entries() if wanted.search(ENTRY_ENCODER.encode(entry))]
        return [e for e in found if any(text and text.startswith(name) for text in (e.id, e.key, e.match))]

    def entries_of(self, pack: Path, wanted: re.Pattern[bytes] | None = None) -> Iterator[Entry]:
        """The entries of a pack, or of those lines that match."""
        removed = self._removed()
        for entry in self._decoded(pack, ENTRY_DECODER.decode, wanted):
            if (pack.name, entry.offset) not in removed:
                msgspec.structs.force_setattr(entry, "pack", f"packs/{pack.name}")
                yield entry

    def live_entries(self) -> Iterator[Entry]:
        """What is to be said of the games that are being played, or were when it was interrupted."""
        for path in sorted((self.path / "live").glob("*.jsonl")):
            with contextlib.suppress(LogError, OSError):  # just begun: not even its first line is there
                for game in read_games(path):
                    entry = entry_of(game, state=None if game.ended else "live")
                    msgspec.structs.force_setattr(entry, "pack", f"live/{path.name}")
                    if entry.state != "whole" or not self._has_whole(entry.key):
                        yield entry

    def _has_whole(self, key: str) -> bool:
        return any(line.key == key and line.state == "whole" for line in self.keys())

    def removed(self) -> list[Removed]:
        """The games that were removed and not purged yet."""
        return [line for line in removed_lines(self.path) if not line.by]

    def removed_copy(self, line: Removed) -> Key | None:
        """What the catalogue says, in short, of a game that was removed; None where its pack cannot be read."""
        pack = self.path / "packs" / line.pack
        for key in self._decoded(pack, KEY_DECODER.decode):
            if key.offset == line.offset:
                key.pack = f"packs/{line.pack}"
                return key
        return None

    def _removed(self) -> set[tuple[str, int]]:
        return {(line.pack, line.offset) for line in removed_lines(self.path)}

    # --- verdicts -----------------------------------------------------------------------------------------

    def verdicts(self, of: Container[str] | None = None) -> dict[str, Judged]:
        """What checks have found, by the digest of a copy of a game: of these copies, or of all."""
        found: dict[str, Judged] = {}
        for file in (self.path / "verdicts.jsonl", *sorted((self.path / VERDICTS).glob("*.jsonl"))):
            with contextlib.suppress(FileNotFoundError), file.open("rb") as lines:
                for line in lines:
                    with contextlib.suppress(msgspec.MsgspecError):  # torn by a kill
                        judged = JUDGED_DECODER.decode(line)
                        if of is None or judged.digest in of:
                            found[judged.digest] = judged
        return found

    def keep_verdicts(self, found: Iterable[Judged]) -> None:
        """Keeps what checks have found."""
        lines = b"".join(ENTRY_ENCODER.encode(line) + b"\n" for line in found)
        if self.mirror is not None:
            if lines:
                self.mirror.keep_verdicts(lines)
            return
        with self.locked(), (self.path / "verdicts.jsonl").open("a+b") as file:
            if file.tell() and (file.seek(-1, os.SEEK_END), file.read(1))[1] != b"\n":
                file.write(b"\n")
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())

    # --- the catalogue ------------------------------------------------------------------------------------

    def rebuild(self) -> int:
        """Makes the catalogue anew from the packs, and says of how many games."""
        with self.locked():
            catalogue = self.path / "catalogue"
            wanted = {self.file_of(pack).name for pack in self.packs()}
            for file in catalogue.iterdir():
                if file.name not in wanted:
                    file.unlink()
            return sum(self.describe(pack, self.file_of(pack)) for pack in self.packs())

    def file_of(self, pack: Path) -> Path:
        return self.path / "catalogue" / (pack.name.removesuffix(PACK) + ".jsonl")

    def _lines(self, pack: Path) -> Iterator[bytes]:
        """The catalogue's lines of a pack; they are made where they are missing or of another version."""
        with contextlib.suppress(FileNotFoundError), self.file_of(pack).open("rb") as lines:
            if lines.readline().rstrip() == FIRST_LINE:
                yield from lines
                return
        yield from self._made_anew(pack)

    def _made_anew(self, pack: Path) -> Iterator[bytes]:
        file = self.file_of(pack)
        try:
            self.describe(pack, file)
        except OSError:  # the folder may not be written: as well without a file
            yield from (ENTRY_ENCODER.encode(entry) for entry in self._games_of(pack))
            return
        with file.open("rb") as lines:
            yield from itertools.islice(lines, 1, None)

    def _decoded(
        self, pack: Path, decode: Callable[[bytes], _Line], wanted: re.Pattern[bytes] | None = None
    ) -> Iterator[_Line]:
        """The catalogue's lines of a pack, or those that match; they are made anew where one cannot be read."""
        read = 0
        try:
            for read, line in enumerate(self._lines(pack)):  # noqa: B007
                if wanted is None or wanted.search(line):
                    yield decode(line)
        except msgspec.MsgspecError:
            for line in itertools.islice(self._made_anew(pack), read, None):
                if wanted is None or wanted.search(line):
                    yield decode(line)

    def describe(self, pack: Path, file: Path) -> int:
        """Writes a pack's part of the catalogue, and says of how many games."""
        count = 0

        def lines() -> Iterator[bytes]:
            nonlocal count
            yield FIRST_LINE + b"\n"
            for count, entry in enumerate(self._games_of(pack), 1):  # noqa: B007
                yield ENTRY_ENCODER.encode(entry) + b"\n"

        write_aside(file, lines())
        return count

    def _games_of(self, pack: Path) -> Iterator[Entry]:
        """The games of a pack, as far as it is not damaged (see `damage`)."""
        with contextlib.suppress(LogError, ValueError):
            places = iter(pack_index(brought(pack)))
            place = next(places, None)
            for game in read_pack(pack):
                while place is not None and place.offset < game.offset:
                    place = next(places, None)
                if game.events and place is not None and place.offset == game.offset and place.kind == "game_started":
                    yield entry_of(game, (place.offset, place.length), place.shared)
                    place = next(places, None)

    def damage(self, anew: bool = False) -> list[str]:
        """What is damaged in the packs, each with pack and byte; of such packs the catalogue is made anew.

        Packs are read whose files have changed; all of them with `anew`.
        """
        states = PackStates(self.path)
        if anew:
            states.states.clear()
        for pack in states.changed(self.packs()):
            with contextlib.suppress(OSError):  # the folder may not be written
                self.describe(pack, self.file_of(pack))
        return states.damage()

    # --- writing ------------------------------------------------------------------------------------------

    def send(self) -> None:
        """Sends what is new to the bucket, where the library is in one. Raises BucketError."""
        if self.mirror is not None:
            self.mirror.send()

    def only_in_a_folder(self, what: str) -> None:
        """Raises LibraryError where the library is in a bucket: nothing changes there that is there once."""
        if self.mirror is not None:
            raise LibraryError(
                f"The library is in the bucket {self.mirror.bucket.address}, where nothing that is there is changed: "
                f"games are {what} in the library of a folder only."
            )

    def live(self, name: str) -> Path:
        """Where the log of a game that is about to be played goes; `name` is its match id."""
        return self.path / "live" / f"{name}.jsonl"

    def notes_file(self, name: str) -> Path:
        """Where the notes on a game are; see `notes.notes_name`."""
        return self.path / "notes" / f"{name}{notes_file.ENDING}"

    def scratch(self, ending: str) -> Path:
        """A name of its own in `making` for what this process makes. What is left there by a killed one goes later."""
        return self.making / f"import-{os.getpid()}-{next(_NUMBERS)}{ending}"

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """While this holds, no other process writes into the library."""
        with self.writing():
            file = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            until = time.monotonic() + _PATIENCE
            while not lock(file):
                if time.monotonic() > until:
                    raise LibraryError(f"Another process is writing into the library {self.path}. Try again later.")
                time.sleep(0.05)
            with self.writing():
                yield
        finally:
            os.close(file)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """What cannot be written here, for want of room or leave, is a LibraryError; what was whole stays whole."""
        try:
            yield
        except OSError as error:
            what = f"cannot be written: {error.strerror or error}. What it had is still there."
            raise LibraryError(f"The library {self.path} {what}") from None


# --- files --------------------------------------------------------------------------------------------------


def is_library(folder: Path) -> bool:
    """Whether a library is in this folder."""
    return (folder / ABOUT).is_file()


def packs_in(library: Path) -> list[Path]:
    """The packs of the library in this folder, in the order in which they came."""
    here = {file.name for file in (library / "packs").glob(f"*{PACK}") if not file.name.startswith(".")}
    packs = [library / "packs" / name for name in sorted(here.union(packs_there(library)))]
    anew = {line.pack: line.by for line in removed_lines(library) if line.by}
    if not anew:
        return packs
    names = {file.name for file in packs}
    return [file for file in packs if anew.get(file.name) not in names]


def removed_lines(library: Path) -> list[Removed]:
    try:
        lines = (library / "removed.jsonl").read_bytes().splitlines()
    except FileNotFoundError:
        return []
    try:
        return [REMOVED_DECODER.decode(line) for line in lines]
    except msgspec.MsgspecError:
        what = "is damaged: put back a copy, or delete it, and the removed games are there again."
        raise LibraryError(f"{library / 'removed.jsonl'} {what}") from None


def write_removed(library: Path, lines: Iterable[Removed]) -> None:
    write_aside(library / "removed.jsonl", [ENTRY_ENCODER.encode(line) + b"\n" for line in lines])


def _layout_of(about: Path) -> int | None:
    """The layout that a library's file tells; None where it tells none."""
    try:
        layout = tomllib.loads(about.read_text(encoding="utf-8")).get("layout")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None
    return layout if isinstance(layout, int) else None


def _write_about(about: Path, layout: int) -> None:
    write_aside(about, [f"# A library of Cardfold.\nlayout = {layout}\n".encode()])


def _from_1(library: Path) -> None:
    """Layout 2 has a folder for notes, and a catalogue that tells digests: the old one is made anew when asked for."""
    (library / "notes").mkdir(exist_ok=True)
    for file in (library / "catalogue").glob("*.jsonl"):
        file.unlink()


MIGRATIONS: dict[int, Callable[[Path], None]] = {1: _from_1}
"""layout -> what brings a library of it to the next one. Each may be stopped at any moment and run again."""
