"""What commands print: rows to standard output, sentences and progress to standard error.

Rows are a table for people, CSV, JSON, or a Parquet file for programs. What is slow to
import is imported where it is used.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet takes a cell for that begins so: something to carry out."""


class Format(StrEnum):
    """How rows are written."""

    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"


def write(columns: Sequence[str], rows: Iterable[Sequence[Any]], form: Format) -> None:
    """Writes rows to standard output. Text of files stays text: no markup is read from it."""
    if form is Format.table:
        _table(columns, rows)
    elif form is Format.csv:
        writer = csv.writer(sys.stdout)
        writer.writerow(map(_csv_cell, columns))
        writer.writerows(map(_csv_cell, row) for row in rows)
    elif form is Format.json:
        json.dump([dict(zip(columns, row, strict=True)) for row in rows], sys.stdout, ensure_ascii=False, default=str)
        sys.stdout.write("\n")
    else:
        import pyarrow as pa

        data = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
        write_arrow(pa.table(dict(zip(columns, data, strict=True))), form)


def write_arrow(table: pa.Table, form: Format) -> None:
    """The same for an Arrow table."""
    if form is Format.parquet:
        import pyarrow.parquet as pq

        pq.write_table(table, sys.stdout.buffer)
        return
    write(table.column_names, (tuple(row.values()) for row in table.to_pylist()), form)


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from replays.play.terminal import plain

    console = Console(width=None if sys.stdout.isatty() else 200)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column)
    empty = True
    for row in rows:
        empty = False
        table.add_row(*(Text(plain(_cell(value))) for value in row))
    console.print(table if not empty else Text("nothing"))


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def _csv_cell(value: Any) -> Any:
    """The value; text that a spreadsheet would carry out as a formula has an apostrophe before it, so stays text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def say(text: str, code: int = 0) -> int:
    """Prints a sentence to standard error and gives the exit code back."""
    print(text, file=sys.stderr)
    return code


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, where that is a terminal; gives the function that moves it: done, of how many."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
