"""The page SQL: questions are answered, mistakes are sentences, and the answer can be taken along as a file."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.downloads import as_csv, as_parquet
from tests.dashboard.test_pages import opened


@pytest.fixture
def page(home: Path) -> AppTest:
    return opened("sql")


def ask(page: AppTest, question: str) -> AppTest:
    page.text_area[0].set_value(question)
    page.button[0].click().run()
    assert not page.exception
    return page


def test_a_question_is_answered_and_stands_in_the_address(page: AppTest) -> None:
    answer = ask(page, "SELECT count(*) AS n FROM games").dataframe[0].value
    assert answer["n"].to_list() == [15]
    assert "SELECT count(*) AS n FROM games" in page.query_params["q"]


def test_a_link_with_a_question_opens_with_its_answer(home: Path) -> None:
    assert opened("sql", q="SELECT 7 AS n").dataframe[0].value["n"].to_list() == [7]


@pytest.mark.parametrize("question", ["SELECT joy FROM games", "DROP TABLE games", "", "SELECT * FROM '/etc/passwd'"])
def test_a_mistake_is_a_sentence(page: AppTest, question: str) -> None:
    assert len(ask(page, question).error) == 1


def test_the_tables_are_listed(page: AppTest) -> None:
    listed = page.dataframe[0].value
    assert {"games", "units", "cards"} <= set(listed["name"])
    assert "game_id varchar" in dict(listed.values)["games"]


def test_without_statistics_the_page_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path / "library"))
    assert "cardfold demo" in opened("sql").info[0].value


def test_tables_are_files_in_which_text_stays_text() -> None:
    table = pa.table({"player": ["=1+1", "Ann\tB", "\u202eBo"], "rate": [0.5, None, 1.0]})
    rows = list(csv.reader(io.StringIO(as_csv(table).decode(), newline="")))
    assert rows[0] == ["player", "rate"] and rows[1] == ["'=1+1", "0.5"] and rows[2] == ["Ann\tB", ""]
    assert rows[3][0].isprintable()
    assert pq.read_table(io.BytesIO(as_parquet(table))).equals(table)
