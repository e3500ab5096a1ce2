"""What commands print: lines and rows to standard output, sentences and progress to standard error.

All text of strangers goes through here, and nothing of it steers the terminal. Rows are a table for people, CSV, JSON,
or a Parquet file for programs. What is slow to import is imported where it is used.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from events.errors import CardfoldError
from replays.cli import people
from replays.stats.columns import definition_of, with_definition

if TYPE_CHECKING:
    import pyarrow as pa

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Leading characters that make a spreadsheet treat a cell as a formula."""


class OutputError(CardfoldError):
    """What is asked for cannot be written there; the message is a sentence."""


class Format(StrEnum):
    """How rows are written."""

    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"


def write_rows(columns: Sequence[str], rows: Iterable[Sequence[Any]], form: Format) -> None:
    """Writes rows to standard output. Text of files stays text: no markup is read from it."""
    if form is Format.table:
        _table(columns, ([(value, False) for value in row] for row in rows))
    elif form is Format.csv:
        write_csv(columns, rows, sys.stdout, one_line=sys.stdout.isatty())
    elif form is Format.json:
        tell_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        import pyarrow as pa

        data = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
        write_arrow(pa.table(dict(zip(columns, data, strict=True))), form)


def write_csv(columns: Sequence[str], rows: Iterable[Iterable[Any]], to: TextIO, one_line: bool = False) -> None:
    """Writes rows as CSV; with `one_line`, no cell holds more than one line of a terminal."""
    writer = csv.writer(to)
    writer.writerow(_csv_cell(name, one_line) for name in columns)
    writer.writerows([_csv_cell(value, one_line) for value in row] for row in rows)


def write_arrow(table: pa.Table, form: Format) -> None:
    """The same for an Arrow table; for people with each number's interval in its cell (see `people`).

    Each says by which version of the definitions a table of statistics was made: to people as a sentence, in CSV and
    JSON as the last column, in Parquet as metadata.
    """
    if form is Format.parquet:
        import pyarrow.parquet as pq

        pq.write_table(table, bytes_out("a Parquet file"))
    elif form is Format.table:
        told = people.columns(table.column_names)
        _table([column.name for column in told], people.rows(table, told))
        if version := definition_of(table):
            say(f"Definition version {version}.")
    else:
        table = with_definition(table)
        write_rows(table.column_names, (tuple(row.values()) for row in table.to_pylist()), form)


def _table(columns: Sequence[str], rows: Iterable[Sequence[tuple[Any, bool]]]) -> None:
    """Prints rows of cells: a value, and whether it is greyed."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 200)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column)
    empty = True
    for row in rows:
        empty = False
        table.add_row(*(Text(_line(_cell(value)), style="dim" * grey) for value, grey in row))
    console.print(table if not empty else Text("nothing"))


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def _csv_cell(value: Any, one_line: bool) -> Any:
    """The value, on a terminal in one line. Text that a spreadsheet would carry out as a formula has an apostrophe
    before it, so stays text.
    """
    if not isinstance(value, str):
        return value
    inside = "" if one_line else "\t\r\n"  # a cell may hold them, where no terminal is shown it
    kept = "".join(letter if letter in inside else _line(letter) for letter in value)
    return f"'{kept}" if kept.startswith(FORMULA) else kept


def say(text: str, code: int = 0) -> int:
    """Prints a sentence to standard error and gives the exit code back."""
    print(_line(text), file=sys.stderr)
    return code


def tell(text: str) -> None:
    """Prints a line to standard output."""
    print(_line(text))


def tell_text(text: str) -> None:
    """Prints a text of several lines, in which text of strangers ends no line (see `terminal.plain`)."""
    print("\n".join(map(_line, text.removesuffix("\n").split("\n"))))


def tell_json(value: Any, indent: int | None = None) -> None:
    """Prints a value as JSON: what steers a terminal stands there as escapes, and is read back as it was."""
    text = json.dumps(value, ensure_ascii=False, default=str, indent=indent)
    print("".join(letter if letter.isprintable() or letter == "\n" else _escaped(letter) for letter in text))


def bytes_out(what: str) -> BinaryIO:
    """Standard output for bytes as they are. Raises OutputError where that is a terminal."""
    if sys.stdout.isatty():
        raise OutputError(f"Standard output is a terminal, which {what} is not for: redirect it, or give a file.")
    return sys.stdout.buffer


def _line(text: str) -> str:
    from replays.play.terminal import plain

    return plain(text)


def _escaped(letter: str) -> str:
    return json.dumps(letter)[1:-1]


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
