"""Two sets of games compared by one metric: differences with intervals, and which of them are no accident.

The games of the two sets are different ones (a balance lab, which plays the same games twice, is `stats.lab`).
"""

from __future__ import annotations

from math import erfc, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from replays.play.lab import Z
from replays.stats.columns import is_bound, is_share
from replays.stats.metrics import Filters, MetricError, metric

if TYPE_CHECKING:
    import pyarrow as pa

    from replays.stats.warehouse import Warehouse

COUNTS = ("games", "copies", "hands")
"""The first numbers of every metric; what stands before them says what a row is about."""

_Row: TypeAlias = dict[str, Any]


def compare(warehouse: Warehouse, name: str, a: Filters, b: Filters, language: str = "en") -> pa.Table:
    """Each row of a metric under the filters `a` and `b`, with the difference b − a and its 95 % interval.

    The interval is that of Newcombe (1998, method 10), made of the two numbers' own intervals. `apart` says that 0 lies
    outside of it; `apart_of_all` that it does so too when it is considered how many rows are looked at: of the rows so
    marked, at most 5 % are accidents (Benjamini and Hochberg 1995). A row that one side has not has no difference, and
    stands last. Raises MetricError for a metric without intervals, FilterError.
    """
    import pyarrow as pa

    before, after = (metric(warehouse, name, filters, language) for filters in (a, b))
    keys, value = _columns(name, before.column_names)
    first, second = _by_key(before, keys, value), _by_key(after, keys, value)
    rows = [_row(keys, first.get(key), second.get(key)) for key in dict.fromkeys((*first, *second))]
    rows.sort(key=lambda row: (row["difference"] is None, -abs(row["difference"] or 0)))
    _mark([row for row in rows if row["difference"] is not None])
    named = {
        **{key: key for key in keys}, "games_a": "games_a", "games_b": "games_b", f"{value}_a": "a", f"{value}_b": "b",
        "difference" if is_share(value) else f"{value}_change": "difference", "low": "low", "high": "high",
        "apart": "apart", "apart_of_all": "apart_of_all",
    }
    table = pa.table({name: [row.get(field) for row in rows] for name, field in named.items()})
    return table.replace_schema_metadata(before.schema.metadata)


def _columns(name: str, columns: list[str]) -> tuple[list[str], str]:
    """What says what a row is about, and the first number that has bounds."""
    bound = next((n for n, column in enumerate(columns) if is_bound(column, "low")), None)
    if bound is None:
        raise MetricError(f"The metric {name} has no intervals, so nothing of it can be compared.")
    keys = columns[: min(columns.index(count) for count in COUNTS if count in columns)]
    return keys, columns[bound - 1]


def _by_key(table: pa.Table, keys: list[str], value: str) -> dict[tuple[Any, ...], _Row]:
    """The rows by what they are about: names are labels, and may differ."""
    at = table.column_names.index(value)
    low, high = table.column_names[at + 1 : at + 3]
    kept = [key for key in keys if not key.endswith("_name")]
    return {
        tuple(row[key] for key in kept): {**row, "value": row[value], "low": row[low], "high": row[high]}
        for row in table.to_pylist()
    }


def _row(keys: list[str], a: _Row | None, b: _Row | None) -> _Row:
    some: _Row = a or b or {}
    a, b = a or {}, b or {}
    row = {
        **{key: some[key] for key in keys}, "games_a": a.get("games"), "games_b": b.get("games"),
        "a": a.get("value"), "b": b.get("value"), "difference": None,
    }
    numbers = [side[name] for side in (a, b) for name in ("value", "low", "high") if side.get(name) is not None]
    if len(numbers) == 6:
        row.update(_difference(*numbers))
    return row


def _difference(p: float, p_low: float, p_high: float, q: float, q_low: float, q_high: float) -> _Row:
    """q − p, its bounds, and how likely one so far from 0 is by chance: of a normal deviate with the half width on
    the side of 0.
    """
    down, up = sqrt((q - q_low) ** 2 + (p_high - p) ** 2), sqrt((q_high - q) ** 2 + (p - p_low) ** 2)
    found = q - p
    half = down if found > 0 else up
    chance = erfc(abs(found) / half * Z / sqrt(2)) if half else float(found == 0)
    return {
        "difference": found, "low": found - down, "high": found + up, "chance": chance,
        "apart": found - down > 0 or found + up < 0,
    }


def _mark(rows: list[_Row]) -> None:
    """Says of each difference whether it stands when it is considered how many there are."""
    from scipy.stats import false_discovery_control  # slow to import

    if rows:
        for row, chance in zip(rows, false_discovery_control([row["chance"] for row in rows]), strict=True):
            row["apart_of_all"] = bool(chance <= 0.05)
