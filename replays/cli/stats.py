"""Commands that count: build the statistics of a library, print one of its tables."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from replays.cli import output
from replays.cli.arguments import work_runner
from replays.cli.filters import with_filters
from replays.cli.options import FormatOption, JobsOption, LibraryOption, RayOption
from replays.cli.output import Format, progress_bar, say
from replays.stats.metrics import METRICS, Filters, MetricError, metric
from replays.store.library import Library


def build_command(
    jobs: JobsOption = None,
    ray: RayOption = None,
    library: LibraryOption = None,
) -> None:
    """Builds the statistics of the library; only new packs are read."""
    from replays.stats.warehouse import update  # slow to import

    kept = Library(library)
    with progress_bar("Gathering facts") as progress:
        problems = update(kept.path, jobs or os.cpu_count() or 1, progress, say, work_runner(ray))
    for problem in problems:
        say(str(problem))
    say(f"The statistics of {len(kept.packs())} packs are built.")
    raise typer.Exit(1 if problems else 0)


@with_filters
def stats_command(
    filters: Filters,
    name: Annotated[str | None, typer.Argument(metavar="METRIC", help="Left out: which there are.")] = None,
    form: FormatOption = Format.table,
    library: LibraryOption = None,
) -> None:
    """Prints one table of statistics, every number with its n and interval."""
    if name is None:
        output.write_rows(("metric", "of", "shows"), [(m.name, m.of, m.shows) for m in METRICS.values()], form)
        return
    if name not in METRICS:
        raise MetricError(f"There is no metric {name!r}; there are {', '.join(METRICS)}.")
    from replays.stats.warehouse import open_warehouse  # slow to import

    output.write_arrow(metric(open_warehouse(Library(library).path), name, filters), form)
