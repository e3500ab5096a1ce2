"""A library: a folder of packs, of games being played, and a catalogue that can always be made anew from the packs.

Many processes may read while one writes. A pack never changes once it is there; what goes into a pack is whole
lines of games as they were read. A game that is removed lies in its pack until that is purged. Nothing here knows a
rule or folds a game.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import os
import re
import shutil
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

import msgspec
import platformdirs
from msgspec import Struct

from engine.decks import deck_digest
from events.kinds import Acted, GameEnded, TurnBegan
from events.log import BLOCK, Game, Shared, lock, read_games
from events.pack import PackWriter, game_at, pack_index, read_pack, shared_at
from events.record import LogError, digest, game_key
from replays import notes as notes_file
from replays.aside import written_aside
from replays.known import Known
from replays.notes import NotesError
from replays.sources import Source, files_in, size_of, sources, tidy

LAYOUT = 2
"""Version of the folder's layout. A newer one is refused, an older one is brought up to this."""

CATALOGUE = 2
"""Version of the catalogue's lines. Files of another one are made anew from their packs."""

MOST_IN_PACK = 20_000
"""Games of an import after which a new pack is begun."""

MOST_ASIDE = 64 << 20
"""Most bytes of one torn part that are put aside."""

MOST_TORN = 100
"""Most torn parts of one file that are put aside."""

MOST_LISTED = 10_000
"""Most lines of an import's report; the counts are of everything."""

PATIENCE = 30.0
"""Seconds to wait for another process that is writing into the library."""

IDLE_DAYS = 7
"""Days after which the games of a simulation that was stopped are taken for forgotten."""

PACK = ".jsonl.zst"
OWN = ".own"
"""Stands before PACK in the names of packs that were simulated here."""

_FOLDERS = ("packs", "live", "catalogue", "aside", "making", "notes")
_KNOWN_FILES = {*_FOLDERS, "facts", "warehouse.duckdb", "lock", "removed.jsonl", "verdicts.jsonl"}
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
_IMPORT = re.compile(r"\.?import-(\d+)-")
"""Files being made by an import, or an addition, of the process of that number."""
_NUMBERS = itertools.count()

State: TypeAlias = Literal["whole", "unsealed", "cut", "live"]
Outcome: TypeAlias = Literal["new", "duplicate", "partial", "refused"]
Progress: TypeAlias = Callable[[int, int], None]


class LibraryError(Exception):
    """The library cannot do what is asked; the message is a sentence."""


class Entry(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What the catalogue says of a game. Names and tags are as the file gives them, but not longer than 200."""

    id: str
    """the one in the game's header; the key's beginning, where that is no id"""
    key: str
    """the game_key: which game it is, by header and decisions"""
    game: str
    rulebook: str
    card_sets: tuple[str, ...] = ()
    """"key version" of each"""
    format: str = ""
    players: tuple[str, str]
    minds: tuple[str, str]
    decks: tuple[str, str]
    deck_keys: tuple[str, str]
    """what statistics call the decks: digests of their lists"""
    winner: int | None = None
    reason: str | None = None
    """how the game ended; None where it did not"""
    turns: int = 0
    decisions: int = 0
    records: int
    date: str | None = None
    """day, YYYY-MM-DD, in UTC"""
    origin: str
    tags: tuple[str, ...] = ()
    match: str | None = None
    view: int | None = None
    state: State
    """whole: sealed. unsealed: ended, with no right seal. cut: not ended. live: still being played."""
    fault: str = ""
    """what is wrong with the game as it lies here"""
    pack: str = ""
    """the file's path within the library; not written in the catalogue, which has a file for each pack"""
    offset: int = 0
    length: int = 0
    shared: tuple[tuple[int, int], ...] = ()
    """offset and length of the frames of the shared lines that the game names"""
    digest: str = ""
    """over the game's lines, joined by line feeds: by this verdicts are kept"""


class Judged(Struct, frozen=True, omit_defaults=True):
    """What checking a game has found, kept by the digest of its lines; see `replays.verify`."""

    digest: str
    verdict: str
    text: str = ""
    record: int | None = None
    rule: str | None = None


class Removed(Struct, frozen=True, omit_defaults=True):
    """A game that was removed: still in its pack, until that is purged. With `by`: the pack was made anew as that."""

    pack: str
    offset: int = -1
    id: str = ""
    key: str = ""
    at: str = ""
    by: str = ""


class Found(Struct, frozen=True, omit_defaults=True):
    """What an import says of a game, or of a file that holds none."""

    file: str
    outcome: Outcome
    reason: str = ""
    id: str = ""
    game: int | None = None
    """its place among the games of the file, from 0"""


class ImportReport(Struct):
    """What an import has done. `partial` games were cut or changed: what is whole of them was taken in."""

    new: int = 0
    duplicate: int = 0
    partial: int = 0
    refused: int = 0
    notes: int = 0
    """games on which there were notes"""
    found: list[Found] = []
    """one line for each game or file, the first MOST_LISTED"""
    packs: list[str] = []
    """the packs that were added"""

    def count(self, what: Found) -> None:
        """Takes a line in."""
        setattr(self, what.outcome, getattr(self, what.outcome) + 1)
        if len(self.found) < MOST_LISTED:
            self.found.append(what)


class Added(Struct, frozen=True):
    """What became of a pack: its path within the library, or None where all its games were there already."""

    pack: str | None
    new: int
    duplicate: int


def default_path() -> Path:
    """Where the library is if nobody says: CARDFOLD_HOME, else the user's data folder."""
    home = os.environ.get("CARDFOLD_HOME")
    return Path(home) if home else Path(platformdirs.user_data_dir("cardfold", appauthor=False))


class Library:
    """The library in a folder, which is made where there is none.

    `faults` says which packs could not be read, since this object was made. Raises LibraryError for a folder that
    holds something else, or the library of a newer version.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self.faults: list[str] = []
        self._shared: dict[tuple[str, tuple[tuple[int, int], ...]], Shared] = {}
        try:
            self._open()
        except OSError as error:
            raise LibraryError(f"The library {self.path} cannot be opened: {error.strerror}.") from None

    def _open(self) -> None:
        about = self.path / "library.toml"
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
            with self._locked():
                for step in range(_layout_of(about) or 0, LAYOUT):  # another process may just have done it
                    MIGRATIONS[step](self.path)
                    _write_about(about, step + 1)

    # --- looking ------------------------------------------------------------------------------------------

    @property
    def making(self) -> Path:
        """The folder where packs are made before they are added; what a stopped simulation keeps lies there."""
        return self.path / "making"

    def packs(self) -> list[Path]:
        """The packs, in the order in which they came."""
        return packs_in(self.path)

    def entries(self) -> Iterator[Entry]:
        """What the catalogue says of all games, in the order in which they came, games being played last."""
        for pack in self.packs():
            yield from self._entries(pack)
        yield from self._live_entries()

    def games(
        self,
        *,
        game: str | None = None,
        format: str | None = None,
        player: str | None = None,
        mind: str | None = None,
        deck: str | None = None,
        origin: str | None = None,
        tag: str | None = None,
        state: State | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> list[Entry]:
        """The games of which all this holds. `deck` is a name or a digest, `since` and `until` are days, YYYY-MM-DD.

        One-seat logs of one live game are one game, by its match id; they are not listed where the whole log is.
        """
        fields = {"game": game, "format": format, "origin": origin, "state": state}
        wanted = [(name, value) for name, value in fields.items() if value is not None]
        return [
            entry
            for entry in _once(self.entries())
            if all(getattr(entry, name) == value for name, value in wanted)
            and (player is None or player in entry.players)
            and (mind is None or mind in entry.minds)
            and (deck is None or deck in entry.decks or deck in entry.deck_keys)
            and (tag is None or tag in entry.tags)
            and (since is None or (entry.date or "") >= since)
            and (until is None or (entry.date or "~") <= until)
        ]

    def find(self, name: str) -> Entry:
        """The game whose id, key or match begins so. Of several of one id, the one that is whole.

        Raises LibraryError where there is none, or where it could be several.
        """
        found = self._named(name) if _ID.fullmatch(name) else []
        if not found:
            raise LibraryError(f"There is no game {tidy(name, 80)!r} in the library {self.path}.")
        exact = [entry for entry in found if name in (entry.id, entry.key, entry.match)]
        found = exact or found
        if not all(name == entry.key for entry in found):
            found = _once(found)
        if len({entry.id for entry in found}) == 1 or len({entry.key for entry in found}) == 1:
            found = [entry for entry in found if entry.state == "whole"] or found
        if len(found) == 1:
            return found[0]
        same = len({entry.id for entry in found}) < len(found)
        names = [entry.key if same else entry.id for entry in found]
        shown = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        raise LibraryError(f"{len(found)} games are meant by {name!r}: {shown}. Give more of one of these.")

    def open(self, name: str) -> Game:
        """The game whose id, key or match begins so; see find."""
        return self.read(self.find(name))

    def read(self, entry: Entry) -> Game:
        """The game of an entry. Raises LibraryError where its file has gone."""
        path = self.path / entry.pack
        try:
            if not entry.pack.endswith(PACK):
                return next(game for game in read_games(path) if game.offset == entry.offset)
            place = (entry.pack, entry.shared)
            if place not in self._shared:
                if len(self._shared) > 64:
                    self._shared.clear()
                self._shared[place] = shared_at(path, entry.shared)
            return game_at(path, entry.offset, entry.length, self._shared[place])
        except (OSError, LogError, StopIteration) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise LibraryError(f"The game {entry.id} cannot be read from {path}: {why or 'it has gone.'}") from None

    def _keys(self) -> Iterator[_Key]:
        """What the catalogue says of games in packs, in short."""
        removed = self._removed()
        for pack in self.packs():
            for line in self._decoded(pack, _KEY_DECODER.decode):
                if (pack.name, line.offset) not in removed:
                    yield line

    def _named(self, name: str) -> list[Entry]:
        """The entries whose id, key or match begins so. Looks at the lines' text first, which is quick."""
        wanted = re.compile(rb'"(?:id|key|match)":"' + re.escape(name.encode()))
        found = [
            entry
            for pack in self.packs()
            for entry in self._entries(pack, wanted)
        ]
        found += [entry for entry in self._live_entries() if wanted.search(_ENCODER.encode(entry))]
        return [e for e in found if any(text and text.startswith(name) for text in (e.id, e.key, e.match))]

    def _entries(self, pack: Path, wanted: re.Pattern[bytes] | None = None) -> Iterator[Entry]:
        """The entries of a pack, or of those lines that match."""
        removed = self._removed()
        for entry in self._decoded(pack, _DECODER.decode, wanted):
            if (pack.name, entry.offset) not in removed:
                msgspec.structs.force_setattr(entry, "pack", f"packs/{pack.name}")
                yield entry

    def _live_entries(self) -> Iterator[Entry]:
        for path in sorted((self.path / "live").glob("*.jsonl")):
            with contextlib.suppress(LogError, OSError):  # just begun: not even its first line is there
                for game in read_games(path):
                    entry = entry_of(game, state=None if game.ended else "live")
                    msgspec.structs.force_setattr(entry, "pack", f"live/{path.name}")
                    if entry.state != "whole" or not self._has_whole(entry.key):
                        yield entry

    def _has_whole(self, key: str) -> bool:
        return any(line.key == key and line.state == "whole" for line in self._keys())

    # --- removing -----------------------------------------------------------------------------------------

    def remove(self, names: Iterable[str]) -> list[Entry]:
        """Removes the games of these ids, keys or match ids. They are kept in their packs until `purge`.

        Raises LibraryError for one that is unknown or could be several, or is being played; then none is removed.
        """
        with self._locked():
            entries = [self.find(name) for name in names]
            for entry in entries:
                if not entry.pack.endswith(PACK):
                    what = "finish it, or delete its file" if entry.state == "live" else "it is not in a pack yet"
                    raise LibraryError(f"The game {entry.id} is in {self.path / entry.pack}: {what}.")
            now = datetime.now(UTC).isoformat(timespec="seconds")
            lines = {(line.pack, line.offset): line for line in _removed_lines(self.path)}
            for entry in entries:
                pack = entry.pack.removeprefix("packs/")
                lines[pack, entry.offset] = Removed(pack, entry.offset, entry.id, entry.key, now)
            _write_removed(self.path, lines.values())
            return entries

    def restore(self, names: Iterable[str]) -> list[Removed]:
        """Takes games back that were removed and not purged. Raises LibraryError for one that is not there."""
        with self._locked():
            lines = _removed_lines(self.path)
            back = []
            for name in names:
                found = [line for line in lines if name and not line.by and (line.id == name or line.key == name)]
                if not found:
                    raise LibraryError(f"There is no removed game {tidy(name, 80)!r}. Give its whole id or key.")
                back += found
            _write_removed(self.path, [line for line in lines if line not in back])
            return back

    def removed(self) -> list[Removed]:
        """The games that were removed and not purged yet."""
        return [line for line in _removed_lines(self.path) if not line.by]

    def purge(self) -> int:
        """Deletes the removed games for good, and says how many. Killed at any moment, it can be run again.

        A pack that holds damaged stretches is kept in the folder `aside`, as it was.
        """
        with self._locked():
            lines = _removed_lines(self.path)
            packs = sorted({line.pack for line in lines})
            count = 0
            for name in packs:
                pack = self.path / "packs" / name
                offsets = {line.offset for line in lines if line.pack == name and not line.by}
                made = next((line.by for line in lines if line.pack == name and line.by), "")
                if pack.exists() and not (made and pack.with_name(made).exists()):
                    count += len(offsets)
                    lines = [line for line in lines if not (line.pack == name and line.by)]
                    self._make_anew(pack, offsets, lines)
                self._delete(pack)
                lines = [line for line in lines if line.pack != name]
                _write_removed(self.path, lines)
            return count

    def _make_anew(self, pack: Path, without: set[int], lines: list[Removed]) -> None:
        """Writes a pack again without the games at these offsets, under a name that `removed.jsonl` says is it."""
        making = self.making / f"import-{os.getpid()}-{next(_NUMBERS)}{PACK}"
        kept, damaged = 0, any(entry.kind == "damaged" for entry in pack_index(pack))
        with PackWriter(making) as writer:
            for game in read_pack(pack):
                damaged = damaged or not game.events
                if game.events and game.offset not in without:
                    writer.add_game(game)
                    kept += 1
        if damaged:
            _write_aside(self.path / "aside" / pack.name, [pack.read_bytes()])
        if not kept:
            making.unlink()
            return
        ending = f"{OWN}{PACK}" if pack.name.endswith(f"{OWN}{PACK}") else PACK
        new = pack.with_name(f"{pack.name.partition('-')[0]}-{_digest_of(making)}{ending}")
        _write_removed(self.path, [*lines, Removed(pack.name, by=new.name)])
        self._describe(making, self._file_of(new))
        os.replace(making, new)  # from here on, the old one is no pack any more
        _sync_folder(new.parent)

    def _delete(self, pack: Path) -> None:
        """Deletes a pack, and what was made of it."""
        pack.unlink(missing_ok=True)
        self._file_of(pack).unlink(missing_ok=True)
        shutil.rmtree(self.path / "facts" / pack.name.removesuffix(PACK), ignore_errors=True)

    def _removed(self) -> set[tuple[str, int]]:
        return {(line.pack, line.offset) for line in _removed_lines(self.path)}

    def summary(self) -> list[tuple[str, int, int]]:
        """What is in the library: part, number of games or files, bytes. The games first, by state."""
        entries = list(self.entries())
        games: dict[str, tuple[int, int]] = {}
        for entry in entries:
            state = entry.state if entry.view is None else "one seat's"
            count, size = games.get(state, (0, 0))
            games[state] = (count + 1, size + entry.length)
        folders = ("packs", "live", "removed", "catalogue", "facts", "notes", "aside", "making")
        sizes = {name: [size_of(file) for file in (self.path / name).rglob("*") if file.is_file()] for name in folders}
        sizes["removed"] = [0 for _ in self.removed()]
        sizes["warehouse"] = [size_of(file) for file in self.path.glob("warehouse*")]
        return [
            ("games", len(_once(entries)), sum(size for _, size in games.values())),
            *((f"  {state}", *told) for state, told in sorted(games.items())),
            *((name, len(found), sum(found)) for name, found in sizes.items()),
        ]

    def forgotten(self, days: float = IDLE_DAYS) -> list[Path]:
        """What lies in `making` and was not touched for so many days: simulations and imports that nobody resumed."""
        before = time.time() - days * 86_400
        found = []
        for path in sorted(self.making.iterdir()):
            inside = [path, *path.iterdir()] if path.is_dir() else [path]
            with contextlib.suppress(OSError):
                if max(file.stat().st_mtime for file in inside) < before:
                    found.append(path)
        return found

    def forget(self, days: float = IDLE_DAYS) -> int:
        """Deletes what `forgotten` names, and says how many simulations and imports that were."""
        found = self.forgotten(days)
        for path in found:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        return len(found)

    # --- verdicts -----------------------------------------------------------------------------------------

    def verdicts(self) -> dict[str, Judged]:
        """What checks have found, by the digest of a game's lines."""
        found: dict[str, Judged] = {}
        with contextlib.suppress(FileNotFoundError):
            for line in (self.path / "verdicts.jsonl").read_bytes().splitlines():
                with contextlib.suppress(msgspec.MsgspecError):  # torn by a kill
                    judged = _JUDGED_DECODER.decode(line)
                    found[judged.digest] = judged
        return found

    def keep_verdicts(self, judged: Iterable[Judged]) -> None:
        """Keeps what checks have found."""
        with self._locked(), (self.path / "verdicts.jsonl").open("a+b") as file:
            if file.tell() and (file.seek(-1, os.SEEK_END), file.read(1))[1] != b"\n":
                file.write(b"\n")
            file.write(b"".join(_ENCODER.encode(line) + b"\n" for line in judged))
            file.flush()
            os.fsync(file.fileno())

    def left_out(self) -> list[tuple[str, int, str]]:
        """Games that statistics leave out though they are in packs: pack, offset, and why.

        `removed`, or the verdict: `altered` or `illegal`.
        """
        found = [(line.pack.removesuffix(PACK), line.offset, "removed") for line in self.removed()]
        wrong = {d: j.verdict for d, j in self.verdicts().items() if j.verdict in ("altered", "illegal")}
        if wrong:
            found += [
                (entry.pack.removeprefix("packs/").removesuffix(PACK), entry.offset, wrong[entry.digest])
                for pack in self.packs()
                for entry in self._entries(pack)
                if entry.digest in wrong
            ]
        return found

    # --- notes --------------------------------------------------------------------------------------------

    def notes(self, entry: Entry) -> notes_file.Notes:
        """The notes on a game, those that were taken back among them. Raises NotesError."""
        name = _noted_as(entry)
        found = notes_file.read_notes(self.notes_file(name))
        return {name: found[name]} if name in found else {}

    def add_notes(self, notes: Mapping[str, Iterable[notes_file.Note]]) -> None:
        """Merges notes into those that are kept, whether their games are here or not. Raises NotesError."""
        for name, given in notes.items():
            notes_file.add_notes(self.notes_file(name), {name: given})

    def notes_file(self, name: str) -> Path:
        """Where the notes on a game are; see `notes.name_of`."""
        return self.path / "notes" / f"{name}{notes_file.ENDING}"

    # --- the catalogue ------------------------------------------------------------------------------------

    def rebuild(self) -> int:
        """Makes the catalogue anew from the packs, and says of how many games."""
        with self._locked():
            catalogue = self.path / "catalogue"
            wanted = {self._file_of(pack).name for pack in self.packs()}
            for file in catalogue.iterdir():
                if file.name not in wanted:
                    file.unlink()
            return sum(self._describe(pack, self._file_of(pack)) for pack in self.packs())

    def _file_of(self, pack: Path) -> Path:
        return self.path / "catalogue" / (pack.name.removesuffix(PACK) + ".jsonl")

    def _lines(self, pack: Path) -> Iterator[bytes]:
        """The catalogue's lines of a pack; they are made where they are missing or of another version."""
        file = self._file_of(pack)
        for _ in range(2):
            with contextlib.suppress(FileNotFoundError), file.open("rb") as lines:
                if lines.readline().rstrip() == _FIRST_LINE:
                    yield from lines
                    return
            try:
                self._describe(pack, file)
            except OSError:  # the folder may not be written: as well without a file
                yield from (_ENCODER.encode(entry) for entry in self._games_of(pack))
                return
        raise LibraryError(f"The catalogue file {file} is damaged and cannot be replaced.")

    def _decoded(
        self, pack: Path, decode: Callable[[bytes], Any], wanted: re.Pattern[bytes] | None = None
    ) -> Iterator[Any]:
        """The catalogue's lines of a pack, or those that match; they are made anew where one cannot be read."""
        read = 0
        try:
            for read, line in enumerate(self._lines(pack)):  # noqa: B007
                if wanted is None or wanted.search(line):
                    yield decode(line)
        except msgspec.MsgspecError:
            self._describe(pack, self._file_of(pack))
            for line in itertools.islice(self._lines(pack), read, None):
                if wanted is None or wanted.search(line):
                    yield decode(line)

    def _describe(self, pack: Path, file: Path) -> int:
        """Writes a pack's part of the catalogue, and says of how many games."""
        count = 0

        def lines() -> Iterator[bytes]:
            nonlocal count
            yield _FIRST_LINE + b"\n"
            for count, entry in enumerate(self._games_of(pack), 1):  # noqa: B007
                yield _ENCODER.encode(entry) + b"\n"

        _write_aside(file, lines())
        return count

    def _games_of(self, pack: Path) -> Iterator[Entry]:
        """The games of a pack. What is damaged in it is said in `faults`."""
        try:
            places = iter(pack_index(pack))
            place = next(places, None)
            for game in read_pack(pack):
                while place is not None and place.offset < game.offset:
                    place = next(places, None)
                if game.events and place is not None and place.offset == game.offset and place.kind == "game_started":
                    yield entry_of(game, (place.offset, place.length), place.shared)
                    place = next(places, None)
                elif game.fault is not None:
                    self.faults.append(str(game.fault))
        except (LogError, ValueError) as error:
            self.faults.append(str(error))

    # --- adding -------------------------------------------------------------------------------------------

    def add_pack(self, path: Path, own: bool = False) -> Added:
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
        lines = self.making / f"import-{os.getpid()}-{next(_NUMBERS)}.catalogue"
        try:
            with self._writing():
                count = self._describe(path, lines)
            with self._locked():
                fresh = self._fresh(lines)
                if 0 < fresh < count:
                    self._without_known(path)
                    self._describe(path, lines)
                pack = self._move_in(path, lines, OWN * own) if fresh else None
                path.unlink(missing_ok=True)
            return Added(pack, fresh, count - fresh)
        finally:
            lines.unlink(missing_ok=True)

    def _fresh(self, lines: Path) -> int:
        """How many of the games that the catalogue's lines in this file tell of are new to the library."""
        with closing(Known(self._keys())) as known, lines.open("rb") as file:
            next(file)
            found = map(_KEY_DECODER.decode, file)
            return sum(known.is_new(line.key, line.state == "whole") for line in found)

    def _without_known(self, path: Path) -> None:
        """Writes a pack again without the games that the library has."""
        with closing(Known(self._keys())) as known, PackWriter(path) as pack:
            for game in read_pack(path):
                if game.events and known.is_new(game_key(game.events), game.sealed):
                    pack.add_game(game)

    def _move_in(self, path: Path, lines: Path, mark: str) -> str:
        name = f"{self._next_number():06}-{_digest_of(path)}{mark}"
        pack = self.path / "packs" / (name + PACK)
        os.replace(lines, self._file_of(pack))
        try:
            os.replace(path, pack)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            with path.open("rb") as file:  # it comes from another disk
                _write_aside(pack, iter(lambda: file.read(BLOCK), b""))
        _sync_folder(pack.parent)
        return f"packs/{pack.name}"

    def _next_number(self) -> int:
        numbers = [pack.name.partition("-")[0] for pack in self.packs()]
        return max((int(number) for number in numbers if number.isdecimal()), default=0) + 1

    def live(self, name: str) -> Path:
        """Where the log of a game that is about to be played goes; `name` is its match id."""
        return self.path / "live" / f"{name}.jsonl"

    def keep(self, live: Path) -> Added:
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
            making = self.making / f"{live.stem}{PACK}"
            with self._writing(), PackWriter(making) as pack:
                for game in games:
                    pack.add_game(game)
            added = self.add_pack(making)
            live.unlink()
            return added

    def import_paths(
        self, paths: Iterable[Path | BinaryIO], progress: Progress | None = None
    ) -> ImportReport:
        """Takes in the games of files, folders, archives and open streams; what they hold, the content decides.

        Nothing that a file may hold raises: the report says what became of every game. `progress` gets bytes read
        and bytes in all. Killed at any moment, it can be run again.
        """
        with self._writing():
            return _Import(self, progress).run(paths)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """While this holds, no other process writes into the library."""
        with self._writing():
            file = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            until = time.monotonic() + PATIENCE
            while not lock(file):
                if time.monotonic() > until:
                    raise LibraryError(f"Another process is writing into the library {self.path}. Try again later.")
                time.sleep(0.05)
            with self._writing():
                yield
        finally:
            os.close(file)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """What cannot be written here, for want of room or leave, is a LibraryError; what was whole stays whole."""
        try:
            yield
        except OSError as error:
            what = f"cannot be written: {error.strerror or error}. What it had is still there."
            raise LibraryError(f"The library {self.path} {what}") from None


# --- what an entry says -------------------------------------------------------------------------------------


class _Key(Struct):
    key: str
    id: str
    state: str
    offset: int = 0
    match: str | None = None
    view: int | None = None


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Entry)
_KEY_DECODER = msgspec.json.Decoder(_Key)
_JUDGED_DECODER = msgspec.json.Decoder(Judged)
_REMOVED_DECODER = msgspec.json.Decoder(Removed)
_FIRST_LINE = msgspec.json.encode({"catalogue": CATALOGUE})


def entry_of(
    game: Game,
    place: tuple[int, int] | None = None,
    shared: tuple[tuple[int, int], ...] = (),
    state: State | None = None,
) -> Entry:
    """What the catalogue says of a game that was read; it must have a first record."""
    header, events = game.header, game.events
    key = game_key(events)
    end = next((event for event in reversed(events) if type(event) is GameEnded), None)
    seats = header.seats
    offset, length = place or (game.offset, 0)
    return Entry(
        id=header.id if _ID.fullmatch(header.id) else key[:16],
        key=key,
        game=tidy(header.game),
        rulebook=tidy(header.rulebook.version),
        card_sets=tuple(tidy(f"{named.key} {named.version}") for named in header.card_sets[:20]),
        format=tidy(str(header.options.get("format", ""))),
        players=(tidy(seats[0].player), tidy(seats[1].player)),
        minds=(tidy(seats[0].mind), tidy(seats[1].mind)),
        decks=(tidy(seats[0].deck.name), tidy(seats[1].deck.name)),
        deck_keys=(deck_digest(seats[0].deck), deck_digest(seats[1].deck)),
        winner=end.winner if end else None,
        reason=tidy(end.reason) if end else None,
        turns=next((event.turn for event in reversed(events) if type(event) is TurnBegan), 0),
        decisions=sum(type(event) is Acted for event in events),
        records=len(events),
        date=_day(header.at or header.date),
        origin=tidy(header.origin),
        tags=tuple(tidy(tag) for tag in header.tags[:20]),
        match=header.match if header.match and _ID.fullmatch(header.match) else None,
        view=header.view,
        state=state or _state(game),
        fault=tidy(game.fault.what, 400) if game.fault else "",
        offset=offset,
        length=length,
        shared=shared,
        digest=digest(game.text[:-1]),
    )


def _state(game: Game) -> State:
    if not game.rulebook.key:
        return "cut"  # nothing but its first line can be read
    return "whole" if game.sealed else "unsealed" if game.ended else "cut"


def _once(entries: Iterable[Entry]) -> list[Entry]:
    """The entries without one-seat logs of games of which there is another log, by match id."""
    found = list(entries)
    best: dict[str, Entry] = {}
    for entry in found:
        if entry.match is not None:
            other = best.setdefault(entry.match, entry)
            if (entry.view is None) > (other.view is None):
                best[entry.match] = entry
    return [e for e in found if e.view is None or e.match is None or best[e.match] is e]


def _noted_as(entry: Entry) -> str:
    """What notes call the game of an entry; see `notes.name_of`."""
    return entry.match or entry.key


def _day(time: str | None) -> str | None:
    """The day of an ISO 8601 time, in UTC; None for what is no time."""
    try:
        at = datetime.fromisoformat(time or "")
    except ValueError:
        return None
    with contextlib.suppress(OverflowError):
        at = at if at.tzinfo is None else at.astimezone(UTC)
    return at.date().isoformat()


# --- importing ----------------------------------------------------------------------------------------------


class _Import:
    """One import on its way: it fills a pack, and adds it to the library whenever it is full."""

    def __init__(self, library: Library, progress: Progress | None) -> None:
        self.library = library
        self.progress = progress or (lambda done, total: None)
        self.report = ImportReport()
        self.known = Known(library._keys())
        self.done = self.total = 0
        self.pack: PackWriter | None = None
        self.path = library.making / f"import-{os.getpid()}-{next(_NUMBERS)}{PACK}"
        self.in_pack = 0
        for file in library.making.iterdir():
            process = _IMPORT.match(file.name)
            if process and not _runs(int(process[1])):
                file.unlink(missing_ok=True)  # left by an import that was killed

    def run(self, paths: Iterable[Path | BinaryIO]) -> ImportReport:
        given: list[tuple[str, Path | BinaryIO]] = []
        for path in paths:
            inside = files_in(path) if isinstance(path, Path) else [("standard input", path)]
            if not inside:
                self._refuse(tidy(str(path)), "is a folder without files.")
            given += inside
        self.total = sum(size_of(file) for _, file in given if isinstance(file, Path))
        with contextlib.ExitStack() as stack:
            stack.callback(self.known.close)
            stack.push(self._leave)
            for name, file in given:
                found = False
                for source in sources(name, file):
                    found = True
                    self._source(source, keep=not isinstance(file, Path))
                    self.done += source.size
                    self.progress(self.done, self.total)
                if not found:
                    self._refuse(name, "holds no file.")
        return self.report

    def _leave(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """The last pack is added, or, where something was raised, given up."""
        try:
            if kind is None:
                self._close()
            elif self.pack is not None:
                self.pack.__exit__(kind, error, trace)
        finally:
            for file in self.library.making.glob(f"*{self.path.name}*"):
                file.unlink(missing_ok=True)

    def _source(self, source: Source, keep: bool) -> None:
        """Takes in the games of one stream. What is torn of them is put aside, all of it where `keep` is set."""
        if source.fault:
            self._refuse(source.name, source.fault)
        if source.stream is None:
            return
        if notes_file.START.match(source.stream.read(256)):
            self._notes(source)
            return
        source.stream.seek(0)
        torn: list[tuple[int, Found]] = []
        starts: list[int] = []
        try:
            for game in read_games(source.stream, name=source.name):  # type: ignore[arg-type]
                starts.append(game.offset)
                with self.library._writing():  # else it would pass for what is wrong with the file
                    found = self._game(game, source.name)
                if game.fault and found.outcome in ("partial", "refused") and len(torn) < MOST_TORN:
                    torn.append((game.offset if game.fault.byte is None else game.fault.byte, found))
                else:
                    self.report.count(found)
                self.progress(self.done + min(source.stream.tell(), source.size), self.total)
        except (LogError, OSError) as error:
            why = error.what if isinstance(error, LogError) else f"cannot be read: {error.strerror}."
            found = Found(source.name, "refused", why)
            torn.append((0, found)) if keep else self.report.count(found)
        ends = [*starts, source.stream.seek(0, os.SEEK_END)]
        for at, found in torn:
            end = next(end for end in ends if end > at or end == ends[-1])
            self.report.count(self._aside(source, at, end, found))

    def _notes(self, source: Source) -> None:
        assert source.stream is not None
        source.stream.seek(0)
        try:
            notes = notes_file.decode_notes(source.stream.read(notes_file.MAX_FILE + 1))
            self.library.add_notes(notes)
            self.report.notes += len(notes)
        except NotesError as error:
            self._refuse(source.name, str(error))

    def _game(self, game: Game, file: str) -> Found:
        """What became of one game."""
        fault = game.fault
        if not game.events or not game.rulebook.key:
            return Found(file, "refused", fault.what if fault else "", game=game.index)
        key, name = game_key(game.events), game.header.id
        name = name if _ID.fullmatch(name) else key[:16]
        others = self.known.logs_of(game.header.match)
        if game.header.view is not None and None in others:
            return Found(file, "duplicate", "the library has the whole log of this game.", name, game.index)
        if not game.sealed and self._part_of_another(game, name):
            return Found(file, "duplicate", "the library has more of this game.", name, game.index)
        if not self.known.is_new(key, game.sealed, name):
            here = self.known.name_of(key)
            why = "" if here == name else f"it is here as {here}."
            return Found(file, "duplicate", f"{why} {fault.what if fault else ''}".strip(), name, game.index)
        self._add(game)
        self.known.add_log(game.header.match, game.header.view)
        if game.header.view is not None and others:
            why = "the other seat's log of this game is here; this one is kept beside it, and both are one game."
            return Found(file, "duplicate", why, name, game.index)
        if game.sealed:
            return Found(file, "new", fault.what if fault else "", name, game.index)
        why = fault.what if fault else "" if game.ended else f"it stops after record {len(game.events) - 1}, not ended."
        return Found(file, "partial", why or "it has no seal.", name, game.index)

    def _part_of_another(self, game: Game, name: str) -> bool:
        """Whether the library has this game with more lines."""
        for entry in self.library._named(name):
            if entry.id == name and entry.records >= len(game.events):
                with contextlib.suppress(LibraryError):
                    if self.library.read(entry).text.startswith(game.text):
                        return True
        return False

    def _add(self, game: Game) -> None:
        try:
            if self.pack is None:
                self.pack = PackWriter(self.path).__enter__()
            self.pack.add_game(game)
        except LogError as error:
            raise LibraryError(f"The library {self.library.path} cannot be written: {error}") from None
        self.in_pack += 1
        if self.in_pack >= MOST_IN_PACK:
            self._close()

    def _close(self) -> None:
        """Finishes the pack and adds it."""
        if self.pack is None:
            return
        self.pack.__exit__(None)
        self.pack, self.in_pack = None, 0
        added = self.library.add_pack(self.path)
        if added.pack is not None:
            self.report.packs.append(added.pack)
        self.report.new -= added.duplicate  # another process has just added them
        self.report.duplicate += added.duplicate

    def _refuse(self, file: str, why: str) -> None:
        self.report.count(Found(file, "refused", why))

    def _aside(self, source: Source, start: int, end: int, found: Found) -> Found:
        """Copies the part of a file that was not taken in to the folder `aside`, and says so."""
        assert source.stream is not None
        end = min(end, start + MOST_ASIDE)
        source.stream.seek(start)
        part = source.stream.read(end - start)
        if not part.strip():
            return found
        stem = re.sub(r"[^\w.-]+", "_", source.name)[-60:]
        name = f"{stem}-{hashlib.blake2b(part, digest_size=8).hexdigest()}.part"
        _write_aside(self.library.path / "aside" / name, [part])
        reason = f"{found.reason} What was not taken in is kept in aside/{name}."
        return msgspec.structs.replace(found, reason=reason.strip())


# --- files --------------------------------------------------------------------------------------------------


def packs_in(library: Path) -> list[Path]:
    """The packs of the library in this folder, in the order in which they came."""
    packs = sorted(file for file in (library / "packs").glob(f"*{PACK}") if not file.name.startswith("."))
    anew = {line.pack: line.by for line in _removed_lines(library) if line.by}
    if not anew:
        return packs
    names = {file.name for file in packs}
    return [file for file in packs if anew.get(file.name) not in names]


def _removed_lines(library: Path) -> list[Removed]:
    try:
        lines = (library / "removed.jsonl").read_bytes().splitlines()
    except FileNotFoundError:
        return []
    try:
        return [_REMOVED_DECODER.decode(line) for line in lines]
    except msgspec.MsgspecError:
        what = "is damaged: put back a copy, or delete it, and the removed games are there again."
        raise LibraryError(f"{library / 'removed.jsonl'} {what}") from None


def _write_removed(library: Path, lines: Iterable[Removed]) -> None:
    _write_aside(library / "removed.jsonl", [_ENCODER.encode(line) + b"\n" for line in lines])


def _layout_of(about: Path) -> int | None:
    """The layout that a library's file tells; None where it tells none."""
    try:
        layout = tomllib.loads(about.read_text(encoding="utf-8")).get("layout")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None
    return layout if isinstance(layout, int) else None


def _write_about(about: Path, layout: int) -> None:
    _write_aside(about, [f"# A library of Cardfold.\nlayout = {layout}\n".encode()])


def _from_1(library: Path) -> None:
    """Layout 2 has a folder for notes, and a catalogue that tells digests: the old one is made anew when asked for."""
    (library / "notes").mkdir(exist_ok=True)
    for file in (library / "catalogue").glob("*.jsonl"):
        file.unlink()


MIGRATIONS: dict[int, Callable[[Path], None]] = {1: _from_1}
"""layout -> what brings a library of it to the next one. Each may be stopped at any moment and run again."""


def _write_aside(path: Path, parts: Iterable[bytes]) -> None:
    with written_aside(path) as file:
        file.writelines(parts)


def _runs(process: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _digest_of(path: Path) -> str:
    state = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            state.update(block)
    return state.hexdigest()


def _sync_folder(folder: Path) -> None:
    """Makes a rename in this folder last through a power cut."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
