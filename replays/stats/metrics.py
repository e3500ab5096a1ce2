"""The numbers that can be asked for, by name, and the filters that every one of them takes.

What a number means stands in its own file, `sql/metrics/<of>/<name>.sql`; nothing is computed here.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, structs

from events.errors import CardfoldError
from replays.stats.names import named
from replays.store.filters import GameFilters, NamedValue, meant
from replays.store.groups import family_of, read_groups

if TYPE_CHECKING:
    import pyarrow as pa

    from replays.stats.warehouse import Warehouse

VERSION = "m2"
"""Version of the definitions; tables, exports and pages carry it."""


_SQL = Path(__file__).parent / "sql"
OF = ("card", "deck", "player", "game")
"""what a row may be about, in the order of the list"""


class MetricError(CardfoldError):
    """A metric or seat that there is not; the message is a sentence."""


class Metric(Struct, frozen=True):
    """A number that can be asked for: `shows` says what, `of` what a row is about (card, deck, player or game).

    `copies` says which copies of a card it counts: those of the deck, or those that its statement or its head names.
    """

    name: str
    of: str
    shows: str
    copies: str


def _described(path: Path) -> Metric:
    """The metric of a file: its folder says what a row is about, its first comment, up to "Grain", what it shows."""
    statement = path.read_text("utf-8")
    head = statement.split("\n-- Grain")[0]
    comment = " ".join(line.removeprefix("--").strip() for line in head.splitlines())
    name, _, shows = comment.partition(": ")
    if name != path.stem or not shows:
        raise ValueError(f"{path} does not begin with `-- {path.stem}: what it shows`")
    copies = re.search(r"card_rates\(\$filters, '(\w+)'\)|-- Copies: (\w+)\.", statement)
    return Metric(name, path.parent.name, shows.removesuffix("."), copies[copies.lastindex or 0] if copies else "deck")


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (_described(path) for of in OF for path in sorted((_SQL / "metrics" / of).glob("*.sql")))
}
"""Every file in `sql/metrics` is a metric."""


FITTED = ("draw_effect", "pair_effect", "deck_rating", "player_rating")
"""Metrics whose rows a model is fitted to, see `fits.FITS`."""


class Filters(GameFilters, frozen=True, kw_only=True):
    """Which games and seats are counted. `player`, `player_kind`, `deck` and `seat` are of the seat that a game is seen
    from. With `unchecked`, games from elsewhere count too whose facts cannot be checked here; with `families`, decks of
    one family are one deck, known by the family's name.
    """

    seat: Literal["first", "second"] | None = None
    unchecked: bool = False
    families: bool = False


NO_FILTERS = Filters()

OF_SINGLE_GAMES = ("player", "least_turns", "most_turns", "reasons", "playlist")
"""Filters by what sums over days do not tell, see `sql/tables/sides.sql`."""


def metric(
    warehouse: Warehouse, name: str, filters: Filters = NO_FILTERS, language: str = "en"
) -> pa.Table:
    """The rows of a metric under these filters; the table's metadata carries the definition version.

    Rates are between 0 and 1 with their 95 % interval `low` … `high`; a missing one is null. Beside the code of a card
    or the digest of a deck stands its name in the language. Raises MetricError, and FilterError for a filter that names
    nothing that the warehouse has. Raises WarehouseError where it or a filter asks for single games, and the warehouse
    has sums only.
    """
    if name not in METRICS:
        near = difflib.get_close_matches(name, METRICS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(METRICS)}."
        raise MetricError(f"There is no metric {name!r}: {hint}")
    if filters.seat not in (None, "first", "second"):
        raise MetricError(f"There is no seat {filters.seat!r} to filter by: first or second.")
    values = filter_values(warehouse, filters)
    table = games_chosen(warehouse, filters).query(f"metrics/{METRICS[name].of}/{name}", filters=values)
    if name in FITTED:
        from replays.stats.fits import FITS  # scipy is slow to import

        table = FITS[name](table)
    table = named(warehouse, table, language)
    return table.replace_schema_metadata({"definition": VERSION, "metric": name})


def filter_values(warehouse: Warehouse, filters: Filters) -> dict[str, Any]:
    """The filters as the statements take them: what they name as lists of values.

    Raises FilterError, and WarehouseError as `metric` does.
    """
    if any(getattr(filters, name) for name in OF_SINGLE_GAMES):
        warehouse.need_games()
    groups = read_groups(warehouse.library)

    def there(name: str) -> Iterator[NamedValue]:
        if name == "playlist":
            yield from ((one.name, one.name, "") for one in groups.playlists)
            return
        yield from zip(*warehouse.kept("names", filter=name).to_pydict().values(), strict=True)
        if name == "deck":
            yield from ((deck, one.name, one.game) for one in groups.families for deck in one.decks)

    families = family_of(groups) if filters.families else {}
    return {
        **structs.asdict(filters), **meant(filters, there),
        "family_decks": list(families) or None, "family_names": list(families.values()) or None,
    }


def games_chosen(warehouse: Warehouse, filters: Filters) -> Warehouse:
    """The warehouse that the statements ask: that of the filters' playlist, else this one."""
    if filters.playlist is None:
        return warehouse
    from replays.stats.playlist import warehouse_of  # slow to import

    return warehouse_of(warehouse, filters.playlist)
