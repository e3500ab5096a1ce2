"""Commands that count: build the statistics of a library, print one of its tables."""

from __future__ import annotations

import os
from typing import Annotated, Literal

import typer

from replays.cli import output
from replays.cli.arguments import game_filters
from replays.cli.options import (
    CardSetOption,
    DeckFormatOption,
    DeckOption,
    FormatOption,
    GameOption,
    JobsOption,
    LeastTurnsOption,
    LibraryOption,
    MostTurnsOption,
    PlayerKindOption,
    PlayerOption,
    ReasonOption,
    SinceOption,
    TagOption,
    UntilOption,
)
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
        problems = update(kept.path, jobs or os.cpu_count() or 1, progress, say)
    for problem in problems:
        say(str(problem))
    say(f"The statistics of {len(kept.packs())} packs are built.")
    raise typer.Exit(1 if problems else 0)


def stats_command(
    name: Annotated[str | None, typer.Argument(metavar="METRIC", help="Left out: which there are.")] = None,
    game: GameOption = None,
    card_set: CardSetOption = None,
    deck_format: DeckFormatOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    tag: TagOption = None,
    player: PlayerOption = None,
    player_kind: PlayerKindOption = None,
    deck: DeckOption = None,
    seat: Annotated[Literal["first", "second"] | None, typer.Option(help="Only of who goes first, or second.")] = None,
    least_turns: LeastTurnsOption = None,
    most_turns: MostTurnsOption = None,
    reason: ReasonOption = None,
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

    filters = game_filters(
        Filters, since, until, tag, reason, game=game, card_set=card_set, format=deck_format, player=player,
        player_kind=player_kind, deck=deck, least_turns=least_turns, most_turns=most_turns, seat=seat,
        unchecked=unchecked,
    )
    output.write_arrow(metric(open_warehouse(Library(library).path), name, filters), form)
