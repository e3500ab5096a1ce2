"""Sums of packs: a library of too many games for a warehouse of each has the same numbers, from sums alone."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from replays.stats import sums, warehouse
from replays.stats.behind import games_behind
from replays.stats.metrics import METRICS, Filters, filter_values, metric
from replays.stats.shards import stem
from replays.stats.sums import WHOSE
from replays.stats.warehouse import (
    QuestionError,
    Warehouse,
    build_warehouse,
    open_warehouse,
    statement,
    update,
)
from replays.store.catalogue import packs_in
from replays.store.library import Library
from tests.replays.stats.games import DECKS, alike, copy_packs

OF_GAMES = ("pair_effect",)
"""Metrics that need single games."""

DETAIL = 1 << 56
"""Where the sides of a detail begin, and the numbers of its orders."""

FILTERS = {
    "none": Filters(), "seat": Filters(seat="second"), "kind": Filters(player_kind="other"),
    "unchecked": Filters(unchecked=True), "deck": Filters(deck=DECKS[0].name), "tags": Filters(tags=("cup",)),
    "days": Filters(since=date(2026, 5, 3), until=date(2026, 5, 11)),
}
SINGLE = {
    "player": Filters(player="A"), "least": Filters(least_turns=5), "most": Filters(most_turns=9),
    "reasons": Filters(reasons=("burst",)),
}


def of_sums(library: Path, monkeypatch: pytest.MonkeyPatch, jobs: int = 1) -> Warehouse:
    """The library's warehouse, built as if it had too many games."""
    monkeypatch.setattr(warehouse, "MOST_GAMES", 0)
    build_warehouse(library, jobs)
    monkeypatch.undo()
    return open_warehouse(library)


@pytest.fixture(scope="module")
def copied(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of short games with a pack more, whose games are all copies of others."""
    folder = tmp_path_factory.mktemp("sums") / "library"
    copy_packs(library, folder)
    shutil.copy(folder / "packs" / "one.jsonl.zst", folder / "packs" / "four.jsonl.zst")
    assert update(folder) == []
    return folder


@pytest.fixture(scope="module")
def both(copied: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, Warehouse]:
    """The warehouse of each game, and that of sums alone."""
    shutil.copy(copied / warehouse.NAME, copied / "of_games.duckdb")
    with pytest.MonkeyPatch.context() as monkeypatch:
        return Warehouse(copied / "of_games.duckdb"), of_sums(copied, monkeypatch)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("filters", FILTERS)
def test_sums_give_the_same_numbers(both: tuple[Warehouse, Warehouse], name: str, filters: str) -> None:
    games, summed = both
    if name in OF_GAMES:
        with pytest.raises(QuestionError, match="keep sums only"):
            metric(summed, name, FILTERS[filters])
    else:
        found = metric(summed, name, FILTERS[filters]).to_pylist()
        alike(found, metric(games, name, FILTERS[filters]).to_pylist())
        assert found or filters != "none" or name == "hands"


@pytest.mark.parametrize("filters", SINGLE)
def test_what_sums_do_not_tell_is_a_sentence(both: tuple[Warehouse, Warehouse], filters: str) -> None:
    with pytest.raises(QuestionError, match="They know no single games, players, lengths and endings to choose by"):
        metric(both[1], "gih_wr", SINGLE[filters])
    with pytest.raises(QuestionError, match="keep sums only"):
        games_behind(both[1], "gp_wr", {}, Filters())


@pytest.mark.parametrize("name", ["draw_effect", "draw_curve"])
@pytest.mark.parametrize("filters", ["none", "days"])
def test_of_where_cards_lay_no_more_is_read_than_the_filters_ask_for(
    both: tuple[Warehouse, Warehouse], name: str, filters: str
) -> None:
    """Without a choice of days, time and memory do not grow with the days that there are."""
    detail = 1 if filters == "days" else 2
    for asked in both:
        cursor = asked.cursor()
        lie = [no for no, in cursor.execute(f"select distinct no // {DETAIL} from places").fetchall()]
        assert set(lie) == {1, 2} | ({0} if not asked.has_sums_only else set())
        assert not cursor.execute(f"select no from orders where no // {DETAIL} <> side // {DETAIL}").fetchall()
        needed = [f"no >= {detail * DETAIL}"] * (min(lie) < detail)
        needed += [f"no < {(detail + 1) * DETAIL}"] * (max(lie) > detail)
        values = {"filters": filter_values(asked, FILTERS[filters])}
        explained = cursor.execute(f"explain (analyze, format json) {statement(f'metrics/card/{name}')}", values)
        read = list(read_of("places", json.loads(explained.fetchall()[0][1])["operator"]))
        assert read and all(bound in what for what in read for bound in needed)


def read_of(table: str, operators: list[dict[str, Any]]) -> Iterator[str]:
    """Which rows of a table are read by each part of a question that was explained; the others lie elsewhere."""
    for one in operators:
        if one["extra_info"].get("Table", "").endswith(f".{table}"):
            yield one["extra_info"].get("Filters", "")
        yield from read_of(table, one.get("children", []))


def test_all_three_games(three_games: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = shutil.copytree(three_games.path, tmp_path / "library")
    games, summed = open_warehouse(three_games.path), of_sums(copy, monkeypatch)
    for name in METRICS:
        if name not in OF_GAMES:
            alike(metric(summed, name).to_pylist(), metric(games, name).to_pylist())


def test_only_what_is_new_is_added_up(copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = shutil.copytree(copied, tmp_path / "library")
    of_sums(library, monkeypatch)
    names = sorted(map(stem, packs_in(library)))
    assert sorted(os.listdir(library / "sums")) == names
    before = {name: (library / "sums" / name / WHOSE).stat().st_mtime_ns for name in names}

    def made() -> list[str]:
        now = {name: (library / "sums" / name / WHOSE).stat().st_mtime_ns for name in names}
        changed = [name for name in names if now[name] != before[name]]
        before.update(now)
        return changed

    of_sums(library, monkeypatch)
    assert made() == []
    file = library / "sums" / "two" / "card_sums.parquet"
    file.write_bytes(file.read_bytes()[:-9])
    of_sums(library, monkeypatch)
    assert made() == ["two"], "what is damaged is made anew"
    kept = Library(library)
    kept.remove([next(entry.key for entry in kept.entries_of(library / "packs" / "three.jsonl.zst"))])
    summed = of_sums(library, monkeypatch)
    assert made() == ["three"], "and what a removed game was in"
    assert "removed" in metric(summed, "left_out").column("reason").to_pylist()
    (library / "packs" / "four.jsonl.zst").unlink()
    of_sums(library, monkeypatch)
    assert sorted(os.listdir(library / "sums")) == sorted(set(names) - {"four"})


def test_workers_make_the_same_sums(copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, jobs in (("one", 1), ("two", 2)):
        of_sums(shutil.copytree(copied, tmp_path / name, ignore=shutil.ignore_patterns("sums")), monkeypatch, jobs)
    for folder in sorted((tmp_path / "one" / "sums").iterdir()):
        whose = [(tmp_path / name / "sums" / folder.name / WHOSE).read_bytes() for name in ("one", "two")]
        assert whose[0] == whose[1]
    assert sums.TAKEN.keys() <= warehouse.WAREHOUSE_TABLES.keys()
