"""docs/FACTS.md, written from what it describes: fact tables by their rows, the warehouse by the heads of its SQL.

`python -m replays.stats.facts_page` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from events.protocol import field_docs
from replays.stats.extract import FACTS
from replays.stats.metrics import METRICS, VERSION
from replays.stats.rows import TABLES, Row
from replays.stats.shards import SCHEMAS
from replays.stats.warehouse import SQL, VIEWS, WAREHOUSE_TABLES

FACTS_PAGE = Path(__file__).parents[2] / "docs" / "FACTS.md"


def facts_text() -> str:
    """The whole page."""
    return "\n".join([*_head(), *_facts(), *_warehouse(), *_metrics()])


def _head() -> Iterator[str]:
    yield "# Facts, warehouse and metrics"
    yield ""
    yield "Written by `python -m replays.stats.facts_page`; a test compares it. Facts are what is read out of a game,"
    yield "one shard of Parquet files for each pack, in `facts/` of the library. The warehouse is made of them, by"
    yield "`cardfold build`, and may be deleted. `cardfold sql` answers questions over its tables."
    yield ""


def _facts() -> Iterator[str]:
    yield f"## Fact tables (version {FACTS})"
    for name, row in TABLES.items():
        yield f"\n### `{name}`\n\n{_line(row.__doc__)}\n"
        yield "| column | type | |\n| --- | --- | --- |"
        docs = {**field_docs(Row), **field_docs(row)}
        for field in SCHEMAS[name]:
            yield f"| `{field.name}` | {str(field.type).replace('item: ', '')} | {docs[field.name]} |"


def _warehouse() -> Iterator[str]:
    yield f"\n## Tables of the warehouse (definition version {VERSION})\n"
    yield "A game is `g`, a game seen from one seat is `unit` (2 `g` + seat). Columns that the fact tables have too"
    yield "mean the same. What is added up goes by `side`: games that are alike in all that filters ask about, from one"
    yield "seat."
    yield "\n| table | |\n| --- | --- |"
    for name in WAREHOUSE_TABLES:
        yield f"| `{name}` | {_shows('tables', name)} |"
    yield "\nFunctions that metrics share:\n\n| file | |\n| --- | --- |"
    for name in VIEWS:
        yield f"| `{name}` | {_shows('views', name)} |"


def _metrics() -> Iterator[str]:
    yield "\n## Metrics\n\n| metric | a row is about | |\n| --- | --- | --- |"
    for metric in METRICS.values():
        yield f"| `{metric.name}` | {metric.of} | {metric.shows} |"
    yield ""


def _shows(folder: str, name: str) -> str:
    head = (SQL / folder / f"{name}.sql").read_text("utf-8").split("\n-- Grain")[0]
    comment = " ".join(line.removeprefix("--").strip() for line in head.splitlines())
    return comment.split(": ", 1)[-1]


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


if __name__ == "__main__":
    FACTS_PAGE.write_text(facts_text(), encoding="utf-8")
    print(f"{FACTS_PAGE} is written.")
