"""What a change of cards does, from a balance lab's games: paired differences, each with its 95 % interval.

What each table holds and means stands in its file, `sql/lab/<name>.sql`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from replays.stats.metrics import VERSION
from replays.stats.names import named
from replays.stats.warehouse import Warehouse, open_warehouse, update
from replays.store.library import Library

if TYPE_CHECKING:
    import pyarrow as pa

LAB_TABLES = ("decks", "cards", "games", "length")
"""What a report has: tables of decks, of cards, of first players and endings, and of lengths."""


def report(library: Library, jobs: int = 1, language: str = "en") -> dict[str, pa.Table]:
    """The tables of a lab by name, after its facts are built, with the names of cards and decks in a language.

    Raises what `update` does.
    """
    update(library.path, jobs)
    return lab_tables(library, language)


def lab_tables(library: Library, language: str = "en") -> dict[str, pa.Table]:
    """The same of a lab whose facts are built. Raises WarehouseError."""
    warehouse = open_warehouse(library.path)
    return {
        name: _labelled(warehouse, name, language).replace_schema_metadata({"definition": VERSION, "lab": name})
        for name in LAB_TABLES
    }


def _labelled(warehouse: Warehouse, name: str, language: str) -> pa.Table:
    table = warehouse.query(f"lab/{name}")
    return named(warehouse, table, language) if "game" in table.column_names else table
