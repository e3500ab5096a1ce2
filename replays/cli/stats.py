"""Commands that count: build the statistics of a library, print one of its tables."""

from __future__ import annotations

import os
from datetime import date
from typing import Annotated, Literal

import typer

from replays.cli import output
from replays.cli.options import FormatOption, JobsOption, LibraryOption
from replays.cli.output import Format, progress_bar, say
from replays.stats.metrics import METRICS, Filters, MetricError, metric
from replays.store.library import Library


def build_command(
    jobs: JobsOption = None,
    library: LibraryOption = None,
) -> None:
    """Builds the statistics of the library; only new packs are read."""
    from replays.stats.warehouse import update  # slow to import

    kept = Library(library)
    with progress_bar("Gathering facts") as progress:
        problems = update(kept.path, jobs or os.cpu_count() or 1, progress)
    for problem in problems:
        say(str(problem))
    say(f"The statistics of {len(kept.packs())} packs are built.")
    raise typer.Exit(1 if problems else 0)


def stats_command(
    name: Annotated[str | None, typer.Argument(metavar="METRIC", help="Left out: which there are.")] = None,
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    card_set: Annotated[str | None, typer.Option(help="Only this card set: key and version.")] = None,
    format: Annotated[str | None, typer.Option("--deck-format", help="Only this format of the game.")] = None,
    since: Annotated[str | None, typer.Option(help="From this day on, YYYY-MM-DD.")] = None,
    until: Annotated[str | None, typer.Option(help="Up to this day, YYYY-MM-DD.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only games with this tag.")] = None,
    player_kind: Annotated[str | None, typer.Option("--player", help="Only seats of this kind of player.")] = None,
    deck: Annotated[str | None, typer.Option(help="Only seats with this deck (its digest).")] = None,
    seat: Annotated[Literal["first", "second"] | None, typer.Option(help="Only this seat.")] = None,
    least_turns: Annotated[int | None, typer.Option(help="Only games of at least so many turns.")] = None,
    most_turns: Annotated[int | None, typer.Option(help="Only games of at most so many turns.")] = None,
    reason: Annotated[list[str] | None, typer.Option(help="Only games that ended so.")] = None,
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Also games whose facts cannot be checked here.")
    ] = False,
    form: FormatOption = Format.table,
    library: LibraryOption = None,
) -> None:
    """Prints one table of statistics, every number with its n and interval."""
    if name is None:
        output.write(("metric", "of", "shows"), [(m.name, m.of, m.shows) for m in METRICS.values()], form)
        return
    if name not in METRICS:
        raise MetricError(f"There is no metric {name!r}; there are {', '.join(METRICS)}.")
    from replays.stats.warehouse import open_warehouse  # slow to import

    filters = Filters(
        game=game,
        card_set=card_set,
        format=format,
        since=_day(since),
        until=_day(until),
        tags=tuple(tag or ()),
        player_kind=player_kind,
        deck=deck,
        seat=seat,
        least_turns=least_turns,
        most_turns=most_turns,
        reasons=tuple(reason or ()),
        unchecked=unchecked,
    )
    output.write_arrow(metric(open_warehouse(Library(library).path), name, filters), form)


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise MetricError(f"{text!r} is no day; write it as YYYY-MM-DD.") from None
