"""docs/FACTS.md says what the fact tables, the warehouse and the metrics are."""

from __future__ import annotations

from replays.stats.facts_page import FACTS_PAGE, facts_text
from replays.stats.metrics import METRICS
from replays.stats.shards import SCHEMAS


def test_the_page_is_what_the_schema_says() -> None:
    text = FACTS_PAGE.read_text("utf-8")
    assert text == facts_text(), "run `python -m replays.stats.facts_page`"
    for table, schema in SCHEMAS.items():
        assert f"### `{table}`" in text and all(f"| `{name}` |" in text for name in schema.names)
    assert all(f"| `{name}` |" in text for name in METRICS)
