"""The numbers that can be asked for, by name, and the filters that every one of them takes.

What a number means stands in its own file, `sql/metrics/<of>/<name>.sql`; nothing is computed here.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, structs

from events.errors import CardfoldError
from replays.store.filters import GameFilters, Row, meant

if TYPE_CHECKING:
    import pyarrow as pa

    from replays.stats.warehouse import Warehouse

VERSION = "m1"
"""Version of the definitions; tables, exports and pages carry it."""


class MetricError(CardfoldError):
    """A metric or seat that there is not; the message is a sentence."""


class Metric(Struct, frozen=True):
    """A number that can be asked for: `shows` says what, `of` what a row is about (card, deck or game)."""

    name: str
    of: str
    shows: str


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("gp_wr", "card", "win rate in deck (GP WR)"),
        Metric("oh_wr", "card", "opening-hand win rate (OH WR)"),
        Metric("gd_wr", "card", "drawn win rate (GD WR)"),
        Metric("gih_wr", "card", "in-hand win rate (GIH WR)"),
        Metric("gns_wr", "card", "not-seen win rate (GNS WR)"),
        Metric("iih", "card", "improvement in hand (IIH): GIH WR less GNS WR"),
        Metric("played_wr", "card", "win rate when played"),
        Metric("turned_up_wr", "card", "win rate when turned up or sent from the pile"),
        Metric("play_rate", "card", "share of the copies in hand that are played"),
        Metric("deck_rate", "card", "share of the decks, and of the games, with the card, and its copies there"),
        Metric("turn_played", "card", "turn of the first play, and turns from hand to play"),
        Metric("work_done", "card", "damage, cards drawn and cards destroyed each time that it came into play"),
        Metric("deck_win_rate", "deck", "win rate by deck"),
        Metric("matchups", "deck", "win rate of each deck against each other"),
        Metric("first_player", "game", "win rate of the player who goes first"),
        Metric("endings", "game", "how games end"),
        Metric("lengths", "game", "how long games are, in turns"),
        Metric("course", "game", "life, deck and hand of winners and losers by turn"),
        Metric("left_out", "game", "games that are left out of all numbers, and why"),
    )
}


class Filters(GameFilters, frozen=True, kw_only=True):
    """Which games and seats are counted. `player`, `player_kind`, `deck` and `seat` are of the seat that a game is seen
    from. With `unchecked`, games from elsewhere count too whose facts cannot be checked here.
    """

    seat: Literal["first", "second"] | None = None
    unchecked: bool = False


NO_FILTERS = Filters()


def metric(warehouse: Warehouse, name: str, filters: Filters = NO_FILTERS) -> pa.Table:
    """The rows of a metric under these filters; the table's metadata carries the definition version.

    Rates are between 0 and 1 with their 95 % interval `low` … `high`; a missing one is null. Raises MetricError, and
    FilterError for a filter that names nothing that the warehouse has.
    """
    if name not in METRICS:
        near = difflib.get_close_matches(name, METRICS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(METRICS)}."
        raise MetricError(f"There is no metric {name!r}: {hint}")
    if filters.seat not in (None, "first", "second"):
        raise MetricError(f"There is no seat {filters.seat!r} to filter by: first or second.")
    table = warehouse.query(f"metrics/{METRICS[name].of}/{name}", filters=_struct(warehouse, filters))
    return table.replace_schema_metadata({"definition": VERSION, "metric": name})


def _struct(warehouse: Warehouse, filters: Filters) -> dict[str, Any]:
    """The filters as the statements take them: what they name as lists of values."""
    def there(name: str) -> Iterator[Row]:
        return zip(*warehouse.query("names", filter=name).to_pydict().values(), strict=True)

    return {**structs.asdict(filters), **meant(filters, there)}
