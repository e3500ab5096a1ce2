"""From a number back to its games: which games a row of a metric is made of."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any

from msgspec import structs

from engine.fold import FoldError
from engine.state import Declared
from events.game import GameLog
from events.kinds import CardMoved, TurnBegan
from replays.stats.columns import is_digest
from replays.stats.extract import Copy, GameFacts
from replays.stats.metrics import METRICS, Filters, MetricError, filter_values, games_chosen, metric
from replays.stats.names import named
from replays.store.filters import DIGEST_BEGINNING

if TYPE_CHECKING:
    import pyarrow as pa

    from replays.stats.warehouse import Warehouse

KEYS = ("game", "code", "other_code", "deck", "against", "reason", "turns", "player", "first_turn")
"""Columns by which a row can be named."""

_FIRST_ONLY = ("first_player", "first_in_matchup")
"""Metrics that look at who goes first alone."""

_MORE_KEYS = {"course": ("turn",)}
"""Metric -> what names its rows besides. The games of a turn are those that were still going on in it."""

_LABELS = {"card": "code", "other_card": "other_code", "deck_name": "deck", "against_name": "against"}
"""Columns of names -> the columns of what they name."""


def keys_of(name: str, columns: Container[str]) -> list[str]:
    """The columns of a metric by which its rows can be named."""
    return [key for key in (*KEYS, *_MORE_KEYS.get(name, ())) if key in columns]


def games_behind(
    warehouse: Warehouse, name: str, row: dict[str, str], filters: Filters, language: str = "en"
) -> pa.Table:
    """The games of those rows of a metric that have these values, each from the seat that counts there.

    `row` is column -> value, as the table shows it; a card or deck may be called by its name. Of what it does not name,
    any will do. Raises MetricError for a
    column that the metric has not, values that no row has and names that several have, FilterError.
    """
    table = metric(warehouse, name, filters, language)
    known = keys_of(name, table.column_names)
    allowed = [*known, *(label for label, key in _LABELS.items() if key in known)]
    for column in row:
        if column not in allowed:
            raise MetricError(f"Rows of {name} cannot be named by {column!r}; name them by {', '.join(allowed)}.")
    found = [one for one in table.to_pylist() if all(_is(one[column], value) for column, value in row.items())]
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
    given: dict[str, Any] = dict.fromkeys((*KEYS, "turn")) | dict(zip(known, one, strict=True))
    given |= {"kind": METRICS[name].copies, "filters": filter_values(warehouse, filters)}
    games = games_chosen(warehouse, filters).query("behind", **given)
    return named(warehouse, games, language).replace_schema_metadata(table.schema.metadata)


def _is(told: object, asked: str) -> bool:
    """Whether this is the value that is asked for; of a digest its beginning is enough."""
    begins = len(asked) >= DIGEST_BEGINNING and is_digest(told) and str(told).startswith(asked)
    return begins or str(told) == asked


def record_of(game: GameLog, seat: int, code: str, copies: str) -> int:
    """The record of a game at which a card of a seat first did what makes the game count: was played, drawn, turned up.

    `copies` is that of the metric; a game counts from its beginning where it says nothing of a moment, and also
    where the log cannot be followed. Records are numbered from 0.
    """
    happened = _HAPPENED.get(copies)
    if happened is None:
        return 0
    facts = GameFacts(game, "", Declared(game.rulebook))
    for number, event in enumerate(game.events):
        try:
            facts.take(event)
        except (FoldError, ValueError, KeyError, IndexError):
            return 0
        if type(event) in _MOMENTS and any(
            copy.owner == seat and copy.code == code and happened(copy) for copy in facts.copies.values()
        ):
            return number
    return 0


_MOMENTS = (CardMoved, TurnBegan)
"""Kinds of records after which a copy may count as something that it was not before."""

_HAPPENED: dict[str, Callable[[Copy], bool]] = {
    "played": lambda copy: copy.played is not None, "drawn": lambda copy: copy.way == "drawn",
    "held": lambda copy: copy.way in ("opening", "drawn"), "opening": lambda copy: copy.way == "opening",
    "sent": lambda copy: copy.way in ("turned_up", "milled"),
}  # fmt: skip
"""Which copies a metric counts -> whether a copy is one of them by now."""
