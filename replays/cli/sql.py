"""The command sql: a question of one's own to the warehouse."""

from __future__ import annotations

from typing import Annotated

import typer

from replays.cli import output
from replays.cli.options import FormatOption, LibraryOption
from replays.cli.output import Format, say
from replays.store.library import Library


def sql_command(
    question: Annotated[str, typer.Argument(metavar="SELECT", help='Like "SELECT * FROM games LIMIT 5".')],
    form: FormatOption = Format.table,
    library: LibraryOption = None,
) -> None:
    """Prints the answer to a question in SQL over the tables of the warehouse, which it can read but not change.

    "SHOW TABLES" lists them; docs/FACTS.md says what they hold.
    """
    from replays.stats.warehouse import MAX_ROWS, open_warehouse  # slow to import

    rows, more = open_warehouse(Library(library).path).ask(question)
    output.write_arrow(rows, form)
    if more:
        say(f"These are the first {MAX_ROWS:,} rows; there are more.")
