"""What the columns of statistics are, by the words of their names: a new metric keeps to them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

SHARES = frozenset(("rate", "shrunk", "effect", "share", "improvement", "difference", "printed", "changed"))
SIGNED = frozenset(("effect", "improvement", "difference", "change"))


_DIGEST = re.compile("[0-9a-f]{32}")


def is_digest(value: object) -> bool:
    """Whether a value is the digest of a deck (`engine.cards.decks.deck_digest`)."""
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def is_bound(name: str, which: str) -> bool:
    """Whether the column is a bound of the number before it: `low` or `high`, or with a word more (`turn_low`)."""
    return which in name.split("_")


def is_share(name: str) -> bool:
    """Whether the column holds shares or differences of shares, between −1 and 1, which people read in percent."""
    return bool(SHARES.intersection(name.split("_")))


def is_signed(name: str) -> bool:
    """Whether the column holds differences, which people read with their sign; `change` is one of no shares."""
    return bool(SIGNED.intersection(name.split("_")))


def definition_of(table: pa.Table) -> str:
    """The version of the definitions by which a table of statistics was made; "" where it says none."""
    return (table.schema.metadata or {}).get(b"definition", b"").decode()


def with_definition(table: pa.Table) -> pa.Table:
    """The table with that version as its last column, for files that hold rows and nothing besides."""
    import pyarrow as pa  # slow to import

    version = definition_of(table)
    return table.append_column("definition", pa.array([version] * len(table), pa.string())) if version else table
