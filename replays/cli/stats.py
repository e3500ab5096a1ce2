"""Commands that count: build the statistics of a library, print one of its tables."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from replays.cli import output
from replays.cli.arguments import work_runner
from replays.cli.filters import with_filters
from replays.cli.options import FormatOption, JobsOption, LibraryOption, RayOption
from replays.cli.output import Format, progress_bar, say
from replays.stats.metrics import METRICS, Filters, MetricError, metric
from replays.store.library import Library

if TYPE_CHECKING:
    from replays.stats.warehouse import Warehouse


def build_command(
    jobs: JobsOption = None,
    ray: RayOption = None,
    library: LibraryOption = None,
) -> None:
    """Builds the statistics of the library; only new packs are read."""
    from replays.stats.warehouse import open_warehouse, update  # slow to import

    kept = Library(library)
    with progress_bar("Gathering facts") as progress:
        problems = update(kept.path, jobs or os.cpu_count() or 1, progress, say, work_runner(ray))
    for problem in problems:
        say(str(problem))
    say(f"The statistics of {len(kept.packs())} packs are built.")
    say(_came_in(open_warehouse(kept.path)))
    raise typer.Exit(1 if problems else 0)


def _came_in(warehouse: Warehouse) -> str:
    """How many games came in, how many of them count, and why the others do not."""
    counted = sum(metric(warehouse, "endings").column("games").to_pylist())
    left_out: Counter[str] = Counter()
    for row in metric(warehouse, "left_out").to_pylist():
        left_out[row["reason"]] += row["games"]
    came = f"{counted + left_out.total():,} games came in, {counted:,} of them {'counts' if counted == 1 else 'count'}"
    if not left_out:
        return f"{came}."
    reasons = ", ".join(f"{n:,} {_WHY.get(why, why)}" for why, n in left_out.most_common())
    return f"{came}; {left_out.total():,} {'is' if left_out.total() == 1 else 'are'} left out: {reasons}."


_WHY = {
    "unfinished": "not finished", "one_seat": "as one seat saw them", "illegal": "against the rules",
    "unchecked": "that cannot be checked here", "cut": "cut off", "error": "ended by an error",
    "short": "over before the second turn", "duplicate": "there twice",
}  # fmt: skip
"""Why games are left out, where it needs more than the word itself."""


@with_filters
def stats_command(
    filters: Filters,
    name: Annotated[str | None, typer.Argument(metavar="METRIC", help="Left out: which there are.")] = None,
    language: Annotated[str, typer.Option(help="Of the names: en, ja, zh-Hans or zh-Hant.")] = "en",
    every: Annotated[bool, typer.Option("--list", help="Which statistics there are.")] = False,
    games: Annotated[str | None, typer.Option("--games", metavar="COLUMN=VALUE", help=(
        "Instead the games behind a row, like code=EMB-033 or 'deck_name=Kiln Rush,against_name=Cold Hooks'."))] = None,
    form: FormatOption = Format.table,
    library: LibraryOption = None,
) -> None:
    """Prints one table of statistics, every number with its n and interval; or the games behind a row of it."""
    if name is None or every:
        output.write_rows(("metric", "of", "shows"), [(m.name, m.of, m.shows) for m in METRICS.values()], form)
        return
    if name not in METRICS:
        raise MetricError(f"There is no metric {name!r}; there are {', '.join(METRICS)}.")
    from replays.stats.behind import games_behind  # slow to import
    from replays.stats.warehouse import open_warehouse

    warehouse = open_warehouse(Library(library).path)
    if games is None:
        output.write_arrow(metric(warehouse, name, filters, language), form)
    else:
        row = dict(map(_named_by, games.split(",")))
        output.write_arrow(games_behind(warehouse, name, row, filters, language), form)


def _named_by(text: str) -> tuple[str, str]:
    column, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise MetricError(f"A row is named by COLUMN=VALUE, like code=EMB-033; {text!r} is not.")
    return column, value
