"""The kinds of long work, each as data, and how each is carried out."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, TypeAlias

from msgspec import Struct

from replays.play import lab
from replays.play.simulate import Plan, simulate_into
from replays.store.importing import ImportReport
from replays.store.library import Library

Report: TypeAlias = Callable[[str, int, int], None]
"""Told of the stage, how much of it is done, and how much there is; raises Halted where the work is to stop."""


class Halted(Exception):
    """The work was asked to stop. What is finished is kept."""


class Finished(Struct, frozen=True):
    """What came of work that was finished: the key of a word, what its places hold, sentences on what is damaged, and
    the report of an import.
    """

    word: str
    args: dict[str, str | int] = {}
    problems: tuple[str, ...] = ()
    report: ImportReport | None = None


class Simulation(Struct, frozen=True, tag="simulation"):
    """Plays a plan into the library, and counts its games."""

    plan: Plan

    def carry_out(self, library: Library, report: Report) -> Finished:
        """Raises what `simulate_into` and `update` do."""
        made, added = simulate_into(library, self.plan, progress=lambda done, total: report("playing", done, total))
        _count(library, report)
        return Finished("job_simulated", {"new": added.new, "there": added.duplicate, "errors": made.errors})


class Lab(Struct, frozen=True, tag="lab"):
    """Plays a plan with cards as printed and changed, and counts both.

    `changes` as `lab.changed_cards` takes them; `until`: half the width of the interval at which it may end.
    """

    plan: Plan
    changes: tuple[str, ...]
    until: float | None = None

    def folder(self, library: Library) -> Path:
        """Where the lab is kept."""
        return lab.lab_folder(library, self.plan, self.changes)

    def carry_out(self, library: Library, report: Report) -> Finished:
        """Raises LabError and what `play_lab` and `update` do."""
        folder = self.folder(library)
        changed, plan = lab.set_up_lab(self.plan, self.changes, folder)
        played = lab.play_lab(
            plan, Library(folder / "games"), (), changed, until=self.until,
            progress=lambda done, total: report("playing", done, total),
        )  # fmt: skip
        _count(played.library, report)
        return Finished("job_lab_done", {"games": played.games, "errors": played.errors, "lab": folder.name})


class Build(Struct, frozen=True, tag="build"):
    """Brings the statistics up to the games of the library, or of one of its labs, by the name of its folder."""

    lab: str = ""

    def carry_out(self, library: Library, report: Report) -> Finished:
        """Raises what `update` does."""
        counted = Library(library.labs / Path(self.lab).name / "games") if self.lab else library
        return Finished("job_built", problems=tuple(map(str, _count(counted, report))))


class ImportFiles(Struct, frozen=True, tag="import"):
    """Takes files into the library and counts what is new; `files`: what people call each, and its name in `folder`,
    which goes when the work is over.
    """

    folder: str
    files: tuple[tuple[str, str], ...]

    def carry_out(self, library: Library, report: Report) -> Finished:
        """Raises LibraryError, and what `update` does."""
        with contextlib.ExitStack() as opened:
            given = [
                (name, opened.enter_context((Path(self.folder) / file).open("rb"))) for name, file in self.files
            ]
            done = library.import_paths(given, lambda read, size: report("reading", read, size), None)
        if done.new or done.partial:
            _count(library, report)
        return Finished("imported", report=done)


def put_aside(library: Library, files: Iterable[tuple[str, BinaryIO]]) -> ImportFiles:
    """Copies what was uploaded into a folder of its own, to be imported. Raises OSError; then nothing is left of it."""
    folder = library.making / f"upload-{secrets.token_hex(8)}"
    folder.mkdir()
    held = []
    try:
        for number, (name, file) in enumerate(files):
            held.append((name, str(number)))
            with (folder / str(number)).open("wb") as copy:
                shutil.copyfileobj(file, copy)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return ImportFiles(str(folder), tuple(held))


LongWork: TypeAlias = Simulation | Lab | Build | ImportFiles


def _count(library: Library, report: Report) -> list[Exception]:
    from replays.stats.warehouse import update  # slow to import

    report("counting", 0, 0)
    return list(update(library.path, os.cpu_count() or 1, lambda done, total: report("counting", done, total)))
