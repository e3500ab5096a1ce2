"""Tables as files: every table of the dashboard can be taken along."""

from __future__ import annotations

import io
from collections.abc import Callable

import pyarrow as pa
import pyarrow.parquet as pq
import streamlit as st

from dashboard.i18n import t
from replays.cli.output import write_csv
from replays.stats.columns import with_definition


def offer(table: pa.Table, name: str) -> None:
    """Buttons that give a table as CSV and as Parquet; `name` is that of the files and of nothing else on the page."""
    offer_made(lambda: table, name)


def offer_made(make: Callable[[], pa.Table], name: str) -> None:
    """The same for a table that is made when somebody asks for it."""
    one, other, _ = st.columns([1, 1, 4])
    one.download_button(
        t("as_csv"), lambda: as_csv(make()), f"{name}.csv", "text/csv", key=f"{name}_csv", on_click="ignore",
    )  # fmt: skip
    other.download_button(
        t("as_parquet"), lambda: as_parquet(make()), f"{name}.parquet", "application/vnd.apache.parquet",
        key=f"{name}_parquet", on_click="ignore",
    )  # fmt: skip


def as_csv(table: pa.Table) -> bytes:
    """The rows as CSV, statistics with their version; what a spreadsheet would carry out as a formula stays text."""
    text = io.StringIO(newline="")
    table = with_definition(table)
    write_csv(table.column_names, (row.values() for row in table.to_pylist()), text)
    return text.getvalue().encode()


def as_parquet(table: pa.Table) -> bytes:
    """The rows as a Parquet file, with what the table says of itself."""
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()
