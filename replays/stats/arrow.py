"""Rows as Arrow tables, whose columns are what the fields of the rows say.

By way of JSON: PyArrow's own way from Python values imports pandas, which takes longer than to read the facts of a
hundred games.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import cache
from typing import get_args, get_type_hints

import msgspec
import pyarrow as pa
import pyarrow.json
from msgspec import Struct

from replays.stats.rows import Big, Number, Small

_TYPES = {
    Small: pa.int8(), Number: pa.int32(), Big: pa.int64(), str: pa.string(), bool: pa.bool_(), float: pa.float64(),
    date: pa.date32(), datetime: pa.timestamp("us"), list[str]: pa.list_(pa.string()),
    list[Number]: pa.list_(pa.int32()),
}  # fmt: skip
_ENCODER = msgspec.json.Encoder()


@cache
def schema_of(row: type[Struct]) -> pa.Schema:
    """The columns of rows of this type. Each field has one of the types above, or may be None besides."""
    hints = get_type_hints(row, include_extras=True)
    kinds = {name: next(kind for kind in (hint, *get_args(hint)) if kind in _TYPES) for name, hint in hints.items()}
    return pa.schema([(name, _TYPES[kind]) for name, kind in kinds.items()])


@cache
def _read_as(row: type[Struct]) -> pa.Schema:
    """The columns as PyArrow reads them out of JSON, where a day is a number to it."""
    return pa.schema([
        column.with_type(pa.timestamp("s")) if pa.types.is_date(column.type) else column for column in schema_of(row)
    ])


def table_of(row: type[Struct], rows: Sequence[Struct]) -> pa.Table:
    """Rows of this type as an Arrow table. Raises ArrowInvalid for a number that is too large for its column."""
    if not rows:
        return pa.Table.from_batches([], schema_of(row))
    lines = _ENCODER.encode_lines(rows)
    read = pyarrow.json.ReadOptions(use_threads=False, block_size=len(lines))
    parse = pyarrow.json.ParseOptions(explicit_schema=_read_as(row))
    return pyarrow.json.read_json(pa.BufferReader(lines), read, parse).cast(schema_of(row))
