"""From a number back to its games: which games a row of a metric is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import structs

from replays.stats.metrics import METRICS, Filters, MetricError, filter_values, metric
from replays.stats.names import named

if TYPE_CHECKING:
    import pyarrow as pa

    from replays.stats.warehouse import Warehouse

KEYS = ("game", "code", "other_code", "deck", "against", "reason", "turns", "player")
"""Columns by which a row can be named."""

_FIRST_ONLY = ("first_player", "first_in_matchup")
"""Metrics that look at who goes first alone."""

_LABELS = {"card": "code", "other_card": "other_code", "deck_name": "deck", "against_name": "against"}
"""Columns of names -> the columns of what they name."""


def games_behind(
    warehouse: Warehouse, name: str, row: dict[str, str], filters: Filters, language: str = "en"
) -> pa.Table:
    """The games of those rows of a metric that have these values, each from the seat that counts there.

    `row` is column -> value, as the table shows it; a card or deck may be called by its name. Of what it does not name,
    any will do. Raises MetricError for a
    column that the metric has not, values that no row has and names that several have, FilterError.
    """
    table = metric(warehouse, name, filters, language)
    known = [key for key in KEYS if key in table.column_names]
    allowed = [*known, *(label for label, key in _LABELS.items() if key in known)]
    for column in row:
        if column not in allowed:
            raise MetricError(f"Rows of {name} cannot be named by {column!r}; name them by {', '.join(allowed)}.")
    found = [one for one in table.to_pylist() if all(str(one[column]) == value for column, value in row.items())]
    if not found:
        said = ", ".join(f"{column}={value}" for column, value in row.items())
        raise MetricError(f"{name} has no row with {said} under these filters.")
    asked = {_LABELS.get(column, column) for column in row}
    values = {tuple(one[key] if key in asked else None for key in known) for one in found}
    if len(values) > 1:
        raise MetricError(f"{name} has several such rows: name one by {', '.join(allowed)}.")
    (one,) = values
    if name in _FIRST_ONLY:
        filters = structs.replace(filters, seat="first")
    given: dict[str, Any] = dict.fromkeys(KEYS) | dict(zip(known, one, strict=True))
    games = warehouse.query("behind", filters=filter_values(warehouse, filters), kind=METRICS[name].copies, **given)
    return named(warehouse, games, language).replace_schema_metadata(table.schema.metadata)

