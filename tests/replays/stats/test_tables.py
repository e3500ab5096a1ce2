"""Every table of statistics as people and programs get it, each with the version of its definitions."""

from __future__ import annotations

import csv
import io
import json
import sys
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.rulebooks import registry
from replays.cli import people
from replays.cli.output import Format, write_arrow
from replays.stats.columns import is_bound, is_share
from replays.stats.metrics import METRICS, VERSION, Filters, metric
from replays.stats.warehouse import Warehouse

NO_SHARES = {"q", "drew", "destroyed", "turns_held"}
"""Numbers that may lie between -1 and 1 and are no shares: a chance, cards, turns."""


def numbers(table: pa.Table) -> dict[str, list[float]]:
    """Columns of fractions that are no bounds -> what is not missing in them."""
    fractions = [field.name for field in table.schema if pa.types.is_floating(field.type)]
    found = {name: [v for v in table[name].to_pylist() if v is not None] for name in fractions}
    return {name: some for name, some in found.items() if not (is_bound(name, "low") or is_bound(name, "high"))}


@pytest.mark.parametrize("name", METRICS)
def test_whatever_lies_between_nought_and_one_is_called_a_share(three: Warehouse, name: str) -> None:
    for column, values in numbers(metric(three, name)).items():
        if values and max(map(abs, values)) <= 1:
            assert is_share(column) != (column in NO_SHARES), column


@pytest.mark.parametrize("key", registry.GAMES)
@pytest.mark.parametrize("name", METRICS)
def test_people_are_told_each_number_in_one_cell_and_programs_in_columns(
    three: Warehouse, name: str, key: str, capsysbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = metric(three, name, Filters(game=key), "ja")
    told = people.columns(table.column_names)
    assert not [c.name for c in told if {"low", "high", "thin"} & set(c.name.split("_"))], "each stands by its number"
    monkeypatch.setenv("COLUMNS", "400")
    write_arrow(table, Format.table)
    out, err = capsysbinary.readouterr()
    assert err.decode() == f"Definition version {VERSION}.\n"
    lines = out.decode().splitlines()
    assert (len(lines) == len(table) + 1 and key in lines[1]) if len(table) else lines == ["nothing"]
    write_arrow(table, Format.json)
    rows = json.loads(capsysbinary.readouterr().out)
    assert [{**row, "definition": VERSION} for row in json.loads(json.dumps(table.to_pylist(), default=str))] == rows
    write_arrow(table, Format.csv)
    read = list(csv.DictReader(io.StringIO(capsysbinary.readouterr().out.decode(), newline="")))
    assert len(read) == len(rows) and all(row["definition"] == VERSION for row in read)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    write_arrow(table, Format.parquet)
    sys.stdout.flush()
    back = pq.read_table(io.BytesIO(capsysbinary.readouterr().out))
    assert back.equals(table) and back.schema.metadata[b"definition"] == VERSION.encode()
