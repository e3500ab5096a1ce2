"""Rows as tables and CSV: what strangers write into names stays text, on the terminal and in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import sys

import pytest

from replays.cli.output import Format, OutputError, write_rows

NASTY = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=cmd|' /C calc'!A0", '=HYPERLINK("x")')
PLAIN = ("Ann", "1-1", "'=1", " =1", "", "a=b", "[red]x[/red]", "é", "卡")


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("column", [0, 1])
def test_text_that_a_spreadsheet_would_carry_out_is_escaped(
    name: str, column: int, capsys: pytest.CaptureFixture[str]
) -> None:
    row = ("Bo", name) if column else (name, "Bo")
    write_rows(("player", "other"), [row], Format.csv)
    cell = list(csv.reader(io.StringIO(capsys.readouterr().out, newline="")))[1][column]
    assert cell == f"'{name}"


@pytest.mark.parametrize("value", [*PLAIN, -3, -2.5, 0, None, True])
def test_other_text_and_every_number_is_written_as_it_is(value: object, capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(("player", "n"), [("Ann", value)], Format.csv)
    cell = list(csv.reader(io.StringIO(capsys.readouterr().out, newline="")))[1][1]
    assert cell == ("" if value is None else str(value))


def test_json_keeps_text_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(("player",), [(name,) for name in NASTY], Format.json)
    assert [row["player"] for row in json.loads(capsys.readouterr().out)] == list(NASTY)


STEERS = ("\t", "\n", "\r\n", "\x1b[31m", "\x07", "\x9b2J", "\u202e", "\u2066", "\u200f", "\u2028", "\x00")


@pytest.mark.parametrize("what", STEERS)
def test_a_table_survives_what_steers_a_terminal(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(("player", "games"), [(f"An{what}n", 5), ("Bo", 7)], Format.table)
    heading, *lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all(line.rstrip().isprintable() for line in lines)
    assert [line.rindex(n) for line, n in zip(lines, "57", strict=True)] == [heading.index("games")] * 2


def test_on_a_terminal_no_csv_cell_holds_what_steers_it_and_no_bytes_are_written_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    write_rows(("player",), [(f"An{what}n",) for what in STEERS], Format.csv)
    assert all(line.isprintable() for line in capsys.readouterr().out.split("\r\n"))
    with pytest.raises(OutputError, match="Standard output is a terminal"):
        write_rows(("player",), [("Ann",)], Format.parquet)
