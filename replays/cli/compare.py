"""The command compare: one metric under two filters."""

from __future__ import annotations

from typing import Annotated

import typer

from replays.cli import output
from replays.cli.filters import narrowed, with_filters
from replays.cli.options import FormatOption, LibraryOption
from replays.cli.output import Format, say
from replays.stats.metrics import Filters
from replays.store.library import Library


@with_filters
def compare_command(
    filters: Filters,
    a: Annotated[str, typer.Argument(metavar="A", help='Filters like "card-set=EMB 1.0,player-kind=greedy".')],
    b: Annotated[str, typer.Argument(metavar="B", help="The same for what it is compared with.")],
    name: Annotated[str, typer.Option("--metric", help="What is compared: see `cardfold stats`.")] = "draw_effect",
    form: FormatOption = Format.table,
    library: LibraryOption = None,
) -> None:
    """Compares two sets of games by one metric: card-set versions, periods, kinds of players.

    A and B are filters as options say them, without the dashes; options beside them are of both. A difference is
    marked where 0 lies outside its interval, and where it still does when all that are shown are considered.
    """
    from replays.stats.compare import compare  # slow to import
    from replays.stats.warehouse import open_warehouse

    table = compare(open_warehouse(Library(library).path), name, narrowed(filters, a), narrowed(filters, b))
    output.write_arrow(table, form)
    standing = sum(filter(None, table["apart_of_all"].to_pylist()))
    say(f"{standing} of {len(table)} differences stand when all are considered"
        f"{'; of such, about 1 in 20 is an accident' if standing else ''}.")
