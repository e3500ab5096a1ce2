"""Commands on the library: import, list, export, remove, library."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec
import typer

from events.record import LogError
from replays.cli import dashboard, output
from replays.cli.filters import with_filters
from replays.cli.logs import chosen_seat
from replays.cli.options import FormatOption, JobsOption, LibraryOption
from replays.cli.output import Format, bytes_out, progress_bar, say, tell, tell_json
from replays.store.catalogue import LAYOUT
from replays.store.entries import LIST_COLUMNS, Entry, in_list
from replays.store.filters import EVERY_GAME, GameFilters
from replays.store.library import IDLE_DAYS, Library
from replays.store.share import Kept, export_games
from replays.store.verdicts import UNTRUE, standing
from replays.view.verify import LABELS


def import_command(
    paths: Annotated[list[str], typer.Argument(help="Logs, packs, archives, folders of them; - is standard input.")],
    jobs: JobsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="The report as JSON.")] = False,
    library: LibraryOption = None,
) -> None:
    """Takes games into the library; what a file is, its content says. Exit code 1 where anything was refused."""
    sources: list[Path | BinaryIO] = [sys.stdin.buffer if p == "-" else Path(p) for p in paths]
    kept = Library(library)
    with progress_bar("Importing") as progress:
        report = kept.import_paths(sources, progress, jobs)
    if as_json:
        tell_json(msgspec.to_builtins(report))
    else:
        for found in report.found:
            if found.outcome != "new" or found.reason:
                tell(f"{found.file}: {found.outcome}: {' '.join(filter(None, (found.id, found.reason)))}")
        counts = (f"{report.new} new", f"{report.duplicate} duplicate", f"{report.partial} partial")
        tell(f"{', '.join(counts)}, {report.refused} refused")
        if report.notes:
            tell(f"notes on {report.notes} games")
        if report.verdicts:
            checked = (f"{count} {LABELS[verdict]}" for verdict, count in sorted(report.verdicts.items()))
            tell(f"checked: {'; '.join(checked)}")
    untrue = any(report.verdicts.get(verdict) for verdict in UNTRUE)
    raise typer.Exit(1 if report.refused or report.partial or untrue else 0)


@with_filters
def list_command(
    filters: GameFilters,
    most: Annotated[int, typer.Option("-n", min=1, help="At most so many, the newest.")] = 50,
    form: FormatOption = Format.table,
    library: LibraryOption = None,
) -> None:
    """Lists the games of the library."""
    kept = Library(library)
    damage = kept.damage()
    found, more = kept.newest(most, filters)
    for what in damage:
        say(what)
    verdicts = kept.verdicts({entry.digest for entry in found})
    rows = (in_list(entry, standing(entry, verdicts)).values() for entry in found)
    output.write_rows(LIST_COLUMNS, [tuple(row) for row in rows], form)
    if more:
        say("There are older games than these; -n shows more of them.")


@with_filters
def export_command(
    filters: GameFilters,
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of games, or beginnings; or filters instead.")] = None,
    to: Annotated[str | None, typer.Option("--to", help="File, .jsonl or .jsonl.zst; - is standard output.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="File: a replay that opens without any network.")] = None,
    seat: Annotated[str | None, typer.Option("--seat", help="What 0, 1 or the player of this name knew.")] = None,
    anonymous: Annotated[bool, typer.Option("--anonymous", help=(
        "Without players' names, dates and times, match ids, names of decks, tags and remarks; of games that people "
        "played without the seed, so that such a copy cannot be checked. What stays: the decks' cards, kinds of "
        "players, options, rulebook, card sets, all that happened."
    ))] = False,
    keep: Annotated[list[Kept] | None, typer.Option(help="With --anonymous: keep this; may be given again.")] = None,
    with_notes: Annotated[
        bool, typer.Option("--with-notes", help="Notes: in a .notes.json beside it, or in it.")
    ] = False,
    language: Annotated[str, typer.Option(help="Of the HTML file: en, ja, zh-Hans or zh-Hant.")] = "en",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    library: LibraryOption = None,
) -> None:
    """Writes games of the library to a file for others."""
    if (to is None) == (html is None):
        raise LogError("give one file to write to: --to FILE for logs, or --html FILE for a replay.")
    kept = Library(library)
    if bool(ids) == (filters != EVERY_GAME):
        raise LogError("give the ids of games to export, or filters that choose them.")
    if html is not None:
        wishes = {"--anonymous": anonymous, "--with-notes": with_notes, "--force": force}
        wished = [name for name, wish in wishes.items() if wish] + [f"--keep={what}" for what in keep or ()]
        raise typer.Exit(_export_html(kept, ids or [], html, seat, language, wished))
    assert to is not None
    wanted = ids or kept.games(filters)
    if not wanted:
        raise typer.Exit(say("No game fits all of these filters: nothing is written.", 1))
    if seat is not None and len(wanted) == 1:
        only = wanted[0]
        chosen_seat(kept.open(only) if isinstance(only, str) else kept.read(only), seat)
    count = export_games(
        kept, wanted, bytes_out("a log") if to == "-" else Path(to), seat=seat, anonymous=anonymous,
        keep=keep or (), with_notes=with_notes, replace=force,
    )
    say("1 game written." if count == 1 else f"{count:,} games written.")
    _warn_of_seeds(kept, wanted, seat)


def _export_html(
    kept: Library, ids: list[str], to: Path, seat: str | None, language: str, wishes: list[str]
) -> int:
    """Writes the one game of these ids as a page; gives the exit code."""
    if len(ids) != 1:
        raise LogError("an HTML file holds one game: give one id.", str(to))
    code = dashboard.export_html(kept.path, ids[0], to, chosen_seat(kept.open(ids[0]), seat), language, wishes)
    if code == 0:
        say(f"The replay is in {to}.")
        _warn_of_seeds(kept, ids, seat)
    return code


def _warn_of_seeds(kept: Library, wanted: Sequence[str | Entry], seat: str | None) -> None:
    """Says of what one seat saw of a simulated game where the rest can be worked out all the same."""
    if seat is None:
        return
    from replays.play.simulate import small_plan_seed  # slow to import

    entries = (kept.find(game) if isinstance(game, str) else game for game in wanted)
    simulated = next((entry for entry in entries if entry.origin == "simulated"), None)
    seed = kept.read(simulated).header.seed if simulated is not None else None
    small = small_plan_seed(seed) if seed is not None else None
    if small is not None:
        say(
            f"These games were simulated by a plan of seed {small}: whoever tries it can play them again and knows "
            "every hidden card. Simulate with a large --seed, of 16 digits or so, what nobody is to find again."
        )


def remove_command(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of games, or beginnings of them.")] = None,
    purge: Annotated[bool, typer.Option("--purge", help="Delete all removed games for good.")] = False,
    restore: Annotated[bool, typer.Option("--restore", help="Take these games back.")] = False,
    library: LibraryOption = None,
) -> None:
    """Removes games from the library. Until they are purged they are kept, and can be taken back."""
    kept = Library(library)
    if restore:
        back, here = kept.restore(ids or ())
        for line in here:
            say(f"The game {line.id} has come in again since it was removed: it is there once.")
        say(f"{len(back)} games are back.")
        return
    if not ids and not purge:
        for line in kept.removed():
            tell(f"{line.id}  removed {line.at}")
        say(f"{len(kept.removed())} games are removed and not purged.")
        return
    if ids:
        gone = kept.remove(ids)
        names = ", ".join(entry.id for entry in gone[:20])
        say(f"{len(gone)} games removed: {names}. --restore takes them back, --purge deletes them for good.")
    if purge:
        say(f"{kept.purge()} games are deleted for good.")


def library_command(
    tidy: Annotated[bool, typer.Option("--tidy", help="Delete stopped simulations that nobody resumed.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Read everything. Exit code 1 where it is damaged.")] = False,
    form: FormatOption = Format.table,
    library: LibraryOption = None,
) -> None:
    """Says where the library is, how many games are in it, and how much room its parts take."""
    kept = Library(library)
    if tidy:
        say(f"{kept.forget()} stopped simulations and imports are deleted.")
    damage = kept.check() if check else kept.damage()
    output.write_rows(("part", "count", "bytes"), kept.summary(), form)
    for what in damage:
        say(what)
    if forgotten := kept.forgotten():
        say(f"{len(forgotten)} stopped simulations lie there for {IDLE_DAYS} days and more: --tidy deletes them.")
    of = "" if kept.mirror is None else f", the mirror of {kept.mirror.bucket.address}"
    say(f"The library is {kept.path}{of} (layout {LAYOUT}).")
    if check:
        say(f"{len(damage)} damaged places." if damage else "All of it was read, and none of it is damaged.")
        raise typer.Exit(1 if damage else 0)
