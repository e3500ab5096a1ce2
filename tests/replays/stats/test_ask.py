"""Questions of one's own: what they may read, and that they can do nothing else."""

from __future__ import annotations

import gc
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.rulebooks import registry
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.stats import warehouse as stats
from replays.stats.metrics import metric
from replays.stats.warehouse import QuestionError, Warehouse, open_warehouse, update
from replays.store.library import Library


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    library = Library(tmp_path_factory.mktemp("asked") / "library")
    pairs = all_pairs(registry.load("monbattle").shipped_decks())
    simulate_into(library, Plan(game="monbattle", decks=pairs, count=8), jobs=1)
    update(library.path)
    return open_warehouse(library.path)


@pytest.mark.parametrize("question", [
    "SELECT * FROM games", "FROM units SELECT deck_name, avg(w) GROUP BY ALL", "DESCRIBE cards", "SHOW TABLES",
    "SUMMARIZE seats", "EXPLAIN SELECT * FROM games", "WITH one AS (SELECT 1 AS n) SELECT n FROM one",
])
def test_a_question_is_answered(warehouse: Warehouse, question: str) -> None:
    rows, more = warehouse.ask(question)
    assert len(rows) > 0 and not more


WAYS = {
    "read": "SELECT * FROM read_csv('{file}')", "read as a table": "SELECT * FROM '{file}'",
    "read as text": "SELECT * FROM read_text('{file}')", "list": "SELECT * FROM glob('/*')",
    "copy": "COPY games TO '{out}'", "copy in an explanation": "EXPLAIN ANALYZE COPY games TO '{out}'",
    "attach": "ATTACH '{out}' AS more", "create": "CREATE TABLE more AS SELECT 1",
    "insert": "INSERT INTO games FROM games",
    "delete": "DELETE FROM games", "drop": "DROP TABLE games", "drop a view": "DROP VIEW pairs",
    "set": "SET threads = 1",
    "unlock": "SET enable_external_access = true", "load": "LOAD httpfs", "install": "INSTALL httpfs",
    "two": "SELECT 1; DROP TABLE games", "none": "", "no SQL": "who wins?",
    "no such column": "SELECT joy FROM games",
    "no value": "SELECT $1", "export": "EXPORT DATABASE '{out}'", "call": "CALL pragma_version()",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_question_reaches_nothing_but_the_warehouse_and_changes_nothing(
    warehouse: Warehouse, way: str, tmp_path: Path
) -> None:
    secret, out = tmp_path / "secret.csv", tmp_path / "out"
    secret.write_text("a\n1\n")
    before = warehouse.path.read_bytes()
    with pytest.raises(QuestionError):
        warehouse.ask(WAYS[way].format(file=secret, out=out))
    assert not out.exists() and warehouse.path.read_bytes() == before


def test_an_endless_question_is_stopped_and_a_long_answer_is_cut_and_says_so(warehouse: Warehouse) -> None:
    with pytest.raises(QuestionError, match="took longer than"):
        warehouse.ask("SELECT count(*) FROM range(100000000000) AS a, range(1000) AS b", seconds=0.5)
    rows, more = warehouse.ask("SELECT * FROM range(1000)", most_rows=10)
    assert len(rows) == 10 and more
    rows, more = warehouse.ask("SELECT * FROM range(10)", most_rows=10)
    assert len(rows) == 10 and not more


# --- memory -------------------------------------------------------------------------------------------------

LARGE = "SELECT count(*) FROM (SELECT DISTINCT a.range, b.range FROM range(5000) AS a, range(1000) AS b)"


def test_what_is_too_large_for_memory_is_a_sentence(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stats, "MEMORY", "64MB")
    asked = Warehouse(warehouse.path)
    with pytest.raises(QuestionError, match="takes more memory than a question may use"):
        asked.ask(LARGE)
    asked.cursor().execute("SET max_temp_directory_size = '0KB'; SET memory_limit = '300KB'")
    with pytest.raises(QuestionError, match="takes more memory than a question may use"):
        for name in ("gih_wr", "draw_effect"):
            metric(asked, name)


def test_what_does_not_fit_goes_to_the_disk_and_is_gone_with_the_warehouse(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(stats, "MEMORY", "64MB")
    monkeypatch.setattr(stats, "gettempdir", lambda: str(tmp_path))
    monkeypatch.chdir(tmp_path)
    asked = Warehouse(warehouse.path)
    assert not list(tmp_path.iterdir())
    assert asked.cursor().execute(LARGE).fetchall() == [(5_000_000,)]
    assert list(tmp_path.glob("cardfold-*"))
    asked.close()
    del asked
    gc.collect()
    assert not list(tmp_path.iterdir())


def test_all_sessions_together_take_less_than_the_machine_has(warehouse: Warehouse, tmp_path: Path) -> None:
    one = float(stats.MEMORY.removesuffix("%"))
    assert one * (2 * stats.MOST_OPEN + 1) < 100
    for name in ("two", "three", "four"):
        shutil.copytree(warehouse.path.parent, tmp_path / name)
    first = open_warehouse(tmp_path / "two")
    assert open_warehouse(tmp_path / "two") is first, "all sessions share it"
    open_warehouse(warehouse.path.parent)
    open_warehouse(tmp_path / "three")
    open_warehouse(tmp_path / "four")
    assert len(first.ask("FROM decks")[0]) > 0, "who still has it may ask on"
    assert open_warehouse(tmp_path / "two") is not first


def test_a_question_waits_for_the_one_before_it(warehouse: Warehouse) -> None:
    with stats._asking, pytest.raises(QuestionError, match="still being answered"):
        warehouse.ask("FROM decks", seconds=0.1)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: warehouse.ask("FROM decks")[0], range(8)))
    assert all(answer == answers[0] for answer in answers)
