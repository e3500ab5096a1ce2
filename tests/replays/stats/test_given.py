"""Each metric has a file of given games and expected rows, and its line on the page of facts."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from replays.stats.facts_page import FACTS_PAGE
from replays.stats.metrics import METRICS, metric
from tests.replays.stats import given

FOLDER = Path(__file__).parent / "metrics"


def test_each_metric_has_its_file_and_its_line_on_the_page() -> None:
    assert {file.stem for file in FOLDER.glob("*.toml")} == set(METRICS)
    page = FACTS_PAGE.read_text("utf-8")
    for name, described in METRICS.items():
        assert f"| `{name}` | {described.of} | {described.shows} |" in page


@pytest.mark.parametrize("name", METRICS)
def test_given_games_make_the_expected_rows(tmp_path: Path, name: str) -> None:
    said = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    rows = metric(given.warehouse(tmp_path, said["games"]), name).to_pylist()
    assert said["expected"]
    for expected in said["expected"]:
        texts = {key: value for key, value in expected.items() if not isinstance(value, float)}
        fitting = [row for row in rows if all(row[key] == value for key, value in texts.items())]
        assert len(fitting) == 1, (expected, rows)
        for key, value in expected.items():
            assert fitting[0][key] == pytest.approx(value, abs=1e-6)
