"""Names beside codes: what tables call cards and decks in the reader's language.

A card's name is the one that its logs carry, so cards of sets that are not installed have theirs too. A deck's name is
the label that its games give it; shipped decks have one in each language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.rulebooks import registry
from replays.store.groups import read_groups

if TYPE_CHECKING:
    import pyarrow as pa

    from replays.stats.warehouse import Warehouse

_CARDS = {"code": "card", "other_code": "other_card"}
"""Column of card codes -> the column of their names."""

_DECKS = {"deck": "deck_name", "against": "against_name"}
"""Column of deck digests -> the column of their names."""


def named(warehouse: Warehouse, table: pa.Table, language: str) -> pa.Table:
    """The table with a column of names right after each column of codes or digests; a code where no name is known."""
    texts = {field.name for field in table.schema if str(field.type) == "string"}  # a deck may be a number of cards
    for columns, labels in ((_CARDS, card_labels), (_DECKS, deck_labels)):
        there = {column: name for column, name in columns.items() if column in texts}
        if there:
            table = _beside(table, there, labels(warehouse, language))
    return table


def card_labels(warehouse: Warehouse, language: str) -> dict[tuple[str, str], str]:
    """(game, code) -> what the card is called in the language."""
    rows = warehouse.kept("card_labels", language=language).to_pydict()
    return dict(zip(zip(rows["game"], rows["code"], strict=True), rows["name"], strict=True))


def deck_labels(warehouse: Warehouse, language: str) -> dict[tuple[str, str], str]:
    """(game, digest) -> what the deck is called in the language; and so of families, which go by their names."""
    rows = warehouse.kept("deck_labels").to_pydict()
    named = [*zip(rows["game"], rows["deck"], rows["name"], strict=True)]
    named += [(family.game, family.name, family.name) for family in read_groups(warehouse.library).families]
    return {(game, deck): registry.deck_name(game, name, language) for game, deck, name in named}


def _beside(table: pa.Table, columns: dict[str, str], labels: dict[tuple[str, str], str]) -> pa.Table:
    import pyarrow as pa  # slow to import

    games: list[Any] = table.column("game").to_pylist()
    for column, name in columns.items():
        codes = table.column(column).to_pylist()
        names = pa.array([labels.get((game, code), code) for game, code in zip(games, codes, strict=True)], pa.string())
        table = table.add_column(table.column_names.index(column) + 1, name, names)
    return table
