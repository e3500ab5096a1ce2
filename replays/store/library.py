"""A library: a folder of packs, of games being played, and a catalogue that can always be made anew from the packs.

A pack never changes once it is there. A game that is removed lies in its pack until that is purged. Where games are
looked up and how they are taken in stands in `catalogue` and `taking_in`; here is what else one does with a library.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import platformdirs

from events.objects import DeckList
from events.open import read_games
from events.pack import PackWriter, pack_index, read_pack
from events.record import LogError
from replays.store import importing
from replays.store import notes as notes_file
from replays.store.archives import size_of, tidy
from replays.store.atomic import sync_folder, write_aside
from replays.store.bucket import library_folder
from replays.store.catalogue import Catalogue, LibraryError, removed_lines, write_removed
from replays.store.entries import OWN, PACK, Entry, Removed, copy_of, count_once, noted_as, once
from replays.store.filters import EVERY_GAME, GameFilters, lets_through, looked_up, meant, rows_of
from replays.store.given import ImportSource
from replays.store.groups import Groups, read_groups, write_groups
from replays.store.importing import Added, ImportReport, Progress
from replays.store.notes import NotesError
from replays.store.packs import digest_of
from replays.store.verdicts import UNTRUE, is_own, trust_in

IDLE_DAYS = 7
"""Days after which the games of a simulation that was stopped are taken for forgotten."""


def default_path() -> Path:
    """Where the library is if nobody says: CARDFOLD_HOME (a bucket's mirror), else the user's data folder.

    Raises BucketError.
    """
    home = os.environ.get("CARDFOLD_HOME")
    return library_folder(home) if home else Path(platformdirs.user_data_dir("cardfold", appauthor=False))


class Library(Catalogue):
    """The library in a folder, which is made where there is none; see `Catalogue` for how games are found in it."""

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path or default_path())

    # --- looking ------------------------------------------------------------------------------------------

    def newest(self, most: int, filters: GameFilters = EVERY_GAME) -> tuple[list[Entry], bool]:
        """The newest games that the filters let through, as `games` has them, at most so many, and whether others are.

        No more of them are held at once and no more packs are read than it takes, however large the library is; of a
        one-seat log, only games as new as these can hold all. Raises FilterError.
        """
        grouped = looked_up(self.groups())
        names = meant(filters, lambda name: (row for entry in self.entries() for row in rows_of(entry, name, grouped)))
        found: dict[Hashable, Entry] = {}
        packs = (self.entries_of(pack) for pack in reversed(self.packs()))
        for entries in itertools.chain([self.live_entries()], packs):
            fitting = (entry for entry in entries if lets_through(entry, filters, names, grouped))
            for entry in reversed(deque(fitting, most + 1)):
                found.setdefault(copy_of(entry), entry)
            if len(found) > most:
                break
        return once(list(found.values())[:most][::-1]), len(found) > most

    def summary(self) -> list[tuple[str, int, int]]:
        """What is in the library: part, number of games or files, bytes. The games first, by state."""
        games: dict[str, tuple[int, int]] = {}
        for entry in self.entries():
            state = entry.state if entry.view is None else "one seat's"
            count, size = games.get(state, (0, 0))
            games[state] = (count + 1, size + entry.length)
        folders = ("packs", "live", "removed", "catalogue", "facts", "sums", "notes", "aside", "making")
        sizes = {name: [size_of(file) for file in (self.path / name).rglob("*") if file.is_file()] for name in folders}
        sizes["removed"] = [0 for _ in self.removed()]
        sizes["warehouse"] = [size_of(file) for file in self.path.glob("warehouse*")]
        return [
            ("games", count_once(self.entries), sum(size for _, size in games.values())),
            *((f"  {state}", *told) for state, told in sorted(games.items())),
            *((name, len(found), sum(found)) for name, found in sizes.items()),
        ]

    # --- taking in ----------------------------------------------------------------------------------------

    def add_pack(self, path: Path, own: bool = False) -> Added:
        """Moves a finished pack into the library; see `importing.add_pack`."""
        return importing.add_pack(self, path, own)

    def keep(self, live: Path) -> Added:
        """Moves the log of a live game that is over into a pack. Raises LibraryError for one that goes on."""
        return importing.keep_live(self, live)

    def import_paths(
        self, gifts: Iterable[ImportSource], progress: Progress | None = None, jobs: int | None = 1
    ) -> ImportReport:
        """Takes in the games and notes of files, folders, archives, other libraries and open streams, with a name or
        without; what they hold, the content decides.

        Nothing that a file may hold raises: the report says what became of every game. `progress` gets bytes read
        and bytes in all. Games are checked by so many processes (None: one a core). Killed at any moment, it can be run
        again.
        """
        with self.writing():
            return importing.Import(self, progress, jobs).run(gifts)

    # --- removing -----------------------------------------------------------------------------------------

    def remove(self, games: Iterable[str | Entry]) -> list[Entry]:
        """Removes these games, or those of these ids, keys or match ids. They are kept in their packs until `purge`.

        Raises LibraryError for one that is unknown or could be several, or is being played; then none is removed.
        """
        self.only_in_a_folder("removed")
        with self.locked():
            entries = [game if isinstance(game, Entry) else self.find(game) for game in games]
            for entry in entries:
                if not entry.pack.endswith(PACK):
                    what = "finish it, or delete its file" if entry.state == "live" else "it is not in a pack yet"
                    raise LibraryError(f"The game {entry.id} is in {self.path / entry.pack}: {what}.")
            now = datetime.now(UTC).isoformat(timespec="seconds")
            lines = {(line.pack, line.offset): line for line in removed_lines(self.path)}
            for entry in entries:
                pack = entry.pack.removeprefix("packs/")
                lines[pack, entry.offset] = Removed(pack, entry.offset, entry.id, entry.key, now)
            write_removed(self.path, lines.values())
            return entries

    def restore(self, names: Iterable[str]) -> tuple[list[Removed], list[Removed]]:
        """Takes games back that were removed and not purged: those that are back, and those that came in again.

        Of a game of which as good a copy has come in since it was removed, the removed copy stays removed. Raises
        LibraryError for one that is not there.
        """
        self.only_in_a_folder("taken back")
        with self.locked():
            lines, wanted = removed_lines(self.path), []
            for name in names:
                found = [line for line in lines if name and not line.by and name in (line.id, line.key)]
                if not found:
                    raise LibraryError(f"There is no removed game {tidy(name, 80)!r}. Give its whole id or key.")
                wanted += found
            back, here, verdicts = [], [], self.verdicts()
            with contextlib.closing(importing.known_games(self)) as known:
                for line in wanted:
                    copy = self.removed_copy(line)
                    if copy is not None and not known.wants(copy, trust_in(copy, verdicts)):
                        here.append(line)
                        continue
                    if copy is not None:
                        known.add(copy, trust_in(copy, verdicts))
                    back.append(line)
            write_removed(self.path, [line for line in lines if line not in back])
            return back, here

    def purge(self) -> int:
        """Deletes the removed games for good, and says how many. Killed at any moment, it can be run again.

        A pack that holds damaged stretches is kept in the folder `aside`, as it was.
        """
        self.only_in_a_folder("purged")
        with self.locked():
            lines = removed_lines(self.path)
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
                write_removed(self.path, lines)
            return count

    def _make_anew(self, pack: Path, without: set[int], lines: list[Removed]) -> None:
        """Writes a pack again without the games at these offsets, under a name that `removed.jsonl` says is it."""
        making = self.scratch(PACK)
        kept, damaged = 0, any(entry.kind == "damaged" for entry in pack_index(pack))
        with PackWriter(making) as writer:
            for game in read_pack(pack):
                damaged = damaged or not game.events
                if game.events and game.offset not in without:
                    writer.add_game(game)
                    kept += 1
        if damaged:
            write_aside(self.path / "aside" / pack.name, [pack.read_bytes()])
        if not kept:
            making.unlink()
            return
        ending = f"{OWN}{PACK}" if pack.name.endswith(f"{OWN}{PACK}") else PACK
        new = pack.with_name(f"{pack.name.partition('-')[0]}-{digest_of(making)}{ending}")
        write_removed(self.path, [*lines, Removed(pack.name, by=new.name)])
        self.describe(making, self.file_of(new))
        os.replace(making, new)  # from here on, the old one is no pack any more
        sync_folder(new.parent)

    def _delete(self, pack: Path) -> None:
        """Deletes a pack, and what was made of it."""
        pack.unlink(missing_ok=True)
        self.file_of(pack).unlink(missing_ok=True)
        shutil.rmtree(self.path / "facts" / pack.name.removesuffix(PACK), ignore_errors=True)

    def check(self) -> list[str]:
        """Reads every pack, log of a live game and file of notes, and says what is damaged, with file and byte."""
        found = self.damage(anew=True)
        for file in sorted((self.path / "live").glob("*.jsonl")):
            try:
                found += [str(game.fault) for game in read_games(file) if game.fault is not None]
            except LogError as error:
                found.append(str(error))
        for file in sorted((self.path / "notes").glob(f"*{notes_file.ENDING}")):
            try:
                notes_file.read_notes(file)
            except NotesError as error:
                found.append(str(error))
        return found

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

    def left_out(self) -> list[tuple[str, int, str]]:
        """Games that statistics leave out though they are in packs: pack, offset, and why.

        `removed`, or the verdict; games from elsewhere that have none yet are `unchecked`.
        """
        verdicts = self.verdicts()
        found = [(line.pack.removesuffix(PACK), line.offset, "removed") for line in self.removed()]
        for pack in self.packs():
            for copy in self.keys_of(pack):
                judged = verdicts.get(copy.digest)
                verdict = judged.verdict if judged else "unchecked"
                if verdict in UNTRUE or (verdict != "verified" and not is_own(copy.pack)):
                    found.append((pack.name.removesuffix(PACK), copy.offset, verdict))
        return found

    # --- groups -------------------------------------------------------------------------------------------

    def groups(self) -> Groups:
        """The families of decks and the playlists. Raises GroupsError where their file is damaged."""
        return read_groups(self.path)

    def change_groups(self, change: Callable[[Groups], Groups]) -> Groups:
        """Keeps what `change` makes of the groups, and gives it."""
        with self.locked():
            groups = change(read_groups(self.path))
            write_groups(self.path, groups)
            return groups

    def deck_lists(self, entries: Iterable[Entry]) -> dict[str, DeckList]:
        """The lists of the decks of these games, by digest; one game of each deck is read."""
        found: dict[str, DeckList] = {}
        for entry in entries:
            if any(key not in found for key in entry.deck_keys):
                seats = self.read(entry).header.seats
                found.update(zip(entry.deck_keys, (seat.deck for seat in seats), strict=True))
        return found

    # --- notes --------------------------------------------------------------------------------------------

    def notes(self, entry: Entry) -> notes_file.Notes:
        """The notes on a game, those that were taken back among them. Raises NotesError."""
        name = noted_as(entry)
        found = notes_file.read_notes(self.notes_file(name))
        return {name: found[name]} if name in found else {}

    def add_notes(self, notes: Mapping[str, Iterable[notes_file.Note]]) -> None:
        """Merges notes into those that are kept, whether their games are here or not. Raises NotesError."""
        importing.merge_notes(self, notes)
