"""Tables of statistics as people read them: shares in percent, and a number's interval in its own cell.

For programs (`--format csv`, `json`, `parquet`) every number has a column of its own, and so have its bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from replays.stats.columns import is_bound, is_digest, is_share, is_signed

if TYPE_CHECKING:
    import pyarrow as pa


class Column(Struct, frozen=True):
    """A column for people: its name, and where its value, bounds and the mark `thin` stand in a row (None: nowhere)."""

    name: str
    value: int
    low: int | None = None
    high: int | None = None
    thin: int | None = None

    def cell(self, row: Sequence[Any]) -> tuple[Any, bool]:
        """What stands in the cell, and whether it is greyed because so few games are behind it."""
        value = row[self.value]
        thin = self.thin is not None and bool(row[self.thin])
        if is_digest(value):
            from replays.store.filters import DIGEST_BEGINNING  # slow to import

            return value[:DIGEST_BEGINNING], thin  # enough to name a deck by
        if not isinstance(value, float):
            return value, thin
        share, sign = is_share(self.name), "+" if is_signed(self.name) else ""
        scale, digits = (100, 1) if share else (1, 2)
        text = f"{scale * value:{sign}.{digits}f}"
        low, high = (None if at is None else row[at] for at in (self.low, self.high))
        if low is not None and high is not None:
            text += f" ± {scale * (high - low) / 2:.{digits}f}"
        return f"{text} %" if share else text, thin


def columns(names: Sequence[str]) -> list[Column]:
    """The columns for people. The bounds of a number stand right after it, `low` and `high` or with a word more
    (`turn_low`, `low_by_games`); what is `thin` concerns the last number that has bounds.
    """
    found: list[Column] = []
    bounded: int | None = None
    for at, name in enumerate(names):
        if is_bound(name, "low") and found:
            bounded = len(found) - 1
            found[bounded] = Column(found[bounded].name, found[bounded].value, at, found[bounded].high)
        elif is_bound(name, "high") and bounded is not None:
            found[bounded] = Column(found[bounded].name, found[bounded].value, found[bounded].low, at)
        elif "thin" in name.split("_") and bounded is not None:
            kept = found[bounded]
            found[bounded] = Column(kept.name, kept.value, kept.low, kept.high, at)
        else:
            found.append(Column(name, at))
    return found


def rows(table: pa.Table, told: Sequence[Column]) -> Iterator[list[tuple[Any, bool]]]:
    """The cells of each row for people."""
    for row in table.to_pylist():
        values = list(row.values())
        yield [column.cell(values) for column in told]
