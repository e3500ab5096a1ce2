"""Tables of statistics for people: percent and intervals in one cell, nothing lost for programs."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from replays.cli import people
from replays.cli.output import Format, write_arrow

TABLE = pa.table({
    "code": ["EMB-001", "EMB-002"], "games": [120, 3],
    "rate": [0.641, 1.0], "low": [0.579, 0.4385], "high": [0.703, 1.0], "shrunk": [0.6, 0.53], "thin": [False, True],
    "turn": [5.614, None], "turn_low": [4.5, None], "turn_high": [6.7, None],
    "difference": [0.02, -0.3], "rate_by_games": [0.5, None], "low_by_games": [0.4, None], "high_by_games": [0.6, None],
    "turns_change": [1.5, -0.25],
})


def told() -> list[dict[str, object]]:
    columns = people.columns(TABLE.column_names)
    rows = people.rows(TABLE, columns)
    return [{c.name: text for c, (text, _) in zip(columns, row, strict=True)} for row in rows]


def test_a_share_is_told_in_percent_with_its_interval_and_other_numbers_as_they_are() -> None:
    first, second = told()
    assert first == {
        "code": "EMB-001", "games": 120, "rate": "64.1 ± 6.2 %", "shrunk": "60.0 %", "turn": "5.61 ± 1.10",
        "difference": "+2.0 %", "rate_by_games": "50.0 ± 10.0 %", "turns_change": "+1.50",
    }
    assert second["rate"] == "100.0 ± 28.1 %" and second["difference"] == "-30.0 %"
    assert second["turn"] is None and second["rate_by_games"] is None


def test_of_a_digest_people_see_as_much_as_names_a_deck() -> None:
    table = pa.table({"deck": ["0123456789abcdef" * 2, "a family"], "deck_name": ["Kiln", "a family"]})
    assert [[text for text, _ in row] for row in people.rows(table, people.columns(table.column_names))] == [
        ["01234567", "Kiln"], ["a family", "a family"]]


def test_what_is_thin_is_greyed_where_its_number_stands_and_nowhere_else() -> None:
    columns = people.columns(TABLE.column_names)
    grey = [[c.name for c, (_, thin) in zip(columns, row, strict=True) if thin] for row in people.rows(TABLE, columns)]
    assert grey == [[], ["rate"]]


def test_programs_get_every_column_bare(capsys: pytest.CaptureFixture[str]) -> None:
    write_arrow(TABLE, Format.json)
    assert json.loads(capsys.readouterr().out) == TABLE.to_pylist()


def test_a_table_without_rows_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    write_arrow(TABLE.slice(0, 0), Format.table)
    assert capsys.readouterr().out.strip() == "nothing"
