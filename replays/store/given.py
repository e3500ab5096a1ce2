"""What someone gives to an import: files, folders, other libraries, open streams; each thing in it by a name.

Of a library's folder the packs and notes are taken, without the games that were removed there. Notes beside a log come
along with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

from replays.store import notes
from replays.store.archives import files_in, tidy
from replays.store.catalogue import LibraryError, is_library, packs_in, removed_lines

ImportSource: TypeAlias = Path | BinaryIO | tuple[str, BinaryIO]
"""A file or folder, or a stream, with the name to call it by."""


NAMELESS = "standard input"


class ImportFile(NamedTuple):
    """One file or stream, or with `fault` what is wrong with something that holds none."""

    name: str
    file: Path | BinaryIO
    fault: str = ""
    removed: frozenset[int] = frozenset()
    """where games begin that are not taken: its library says that they were removed"""

    @property
    def stays(self) -> bool:
        """Whether whoever gives it has it still: a file, one that is sent under its name too."""
        return isinstance(self.file, Path) or self.name != NAMELESS


def all_given(sources: Iterable[ImportSource]) -> list[ImportFile]:
    """Everything in what is given, each file once."""
    found: dict[Path | int, ImportFile] = {}
    for source in sources:
        for given in _inside(source):
            found.setdefault(given.file.resolve() if isinstance(given.file, Path) else id(given.file), given)
    return list(found.values())


def _inside(source: ImportSource) -> Iterator[ImportFile]:
    if isinstance(source, tuple):
        yield ImportFile(tidy(source[0]), source[1])
    elif not isinstance(source, Path):
        yield ImportFile(NAMELESS, source)
    elif source.is_dir():
        files = files_in(source, is_library)
        for name, file in files:
            yield from _library(name, file) if is_library(file) else [ImportFile(name, file)]
        if not files:
            yield ImportFile(tidy(str(source)), source, "is a folder without files.")
    else:
        yield ImportFile(tidy(source.name), source)
        beside = notes.beside(source)
        if beside.is_file():
            yield ImportFile(tidy(beside.name), beside)


def _library(name: str, folder: Path) -> Iterator[ImportFile]:
    """What is taken of another library. Nothing is written there."""
    try:
        packs, removed = packs_in(folder), removed_lines(folder)
    except LibraryError as error:
        yield ImportFile(name, folder, str(error))
        return
    for pack in packs:
        gone = frozenset(line.offset for line in removed if line.pack == pack.name)
        yield ImportFile(tidy(f"{name}/packs/{pack.name}"), pack, removed=gone)
    for file in sorted((folder / "notes").glob(f"*{notes.ENDING}")):
        yield ImportFile(tidy(f"{name}/notes/{file.name}"), file)
    if not packs:
        yield ImportFile(name, folder, "is a library without games.")
