"""Comparisons: differences are those of the two tables, their intervals cover, and accidents are not marked."""

from __future__ import annotations

from datetime import date
from math import sqrt
from random import Random
from statistics import NormalDist
from typing import Any

import pytest

from engine.rulebooks import registry
from replays.cli.filters import narrowed
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.stats import compare as module
from replays.stats.compare import compare
from replays.stats.metrics import METRICS, Filters, MetricError, metric
from replays.stats.warehouse import Warehouse, open_warehouse, update
from replays.store.filters import FilterError
from replays.store.library import Library

A, B = Filters(tags=("a",)), Filters(tags=("b",))


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Games of two tags, in which not all decks of the one are played in the other."""
    library = Library(tmp_path_factory.mktemp("compared") / "library")
    decks = registry.load("monbattle").shipped_decks()
    for seed, (tag, some) in enumerate({"a": decks[:4], "b": decks[1:5]}.items()):
        plan = Plan(game="monbattle", decks=all_pairs(some), count=60, seed=seed, tags=(tag,), date="2026-02-03")
        simulate_into(library, plan, jobs=1)
    update(library.path)
    return open_warehouse(library.path)


def compared(warehouse: Warehouse, name: str) -> list[dict[str, Any]]:
    return compare(warehouse, name, A, B).to_pylist()


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_with_intervals_is_compared_row_by_row(warehouse: Warehouse, name: str) -> None:
    one = metric(warehouse, name, A)
    if not any("low" in column.split("_") for column in one.column_names):
        with pytest.raises(MetricError, match="no intervals"):
            compare(warehouse, name, A, B)
        return
    keys, value = module._columns(name, one.column_names)
    kept = [key for key in keys if not key.endswith("_name")]
    sides = [{tuple(r[k] for k in kept): r for r in metric(warehouse, name, side).to_pylist()} for side in (A, B)]
    rows = compared(warehouse, name)
    assert {tuple(row[k] for k in kept) for row in rows} == sides[0].keys() | sides[1].keys()
    at = one.column_names.index(value)
    low, high = one.column_names[at + 1 : at + 3]
    for row in rows:
        p, q = (side.get(tuple(row[k] for k in kept), {}) for side in sides)
        difference = row.get("difference", row.get(f"{value}_change"))
        numbers = [side.get(column) for side in (p, q) for column in (value, low, high)]
        if None in numbers:
            assert difference is None and row["low"] is None and row["apart"] is None
            continue
        assert difference == pytest.approx(q[value] - p[value])
        assert row["low"] == pytest.approx(difference - sqrt((q[value] - q[low]) ** 2 + (p[high] - p[value]) ** 2))
        assert row["high"] == pytest.approx(difference + sqrt((q[high] - q[value]) ** 2 + (p[value] - p[low]) ** 2))
        assert row["apart"] == (row["low"] > 0 or row["high"] < 0)
        assert row["apart"] or not row["apart_of_all"]


def test_games_compared_with_themselves_do_not_differ(warehouse: Warehouse) -> None:
    rows = compare(warehouse, "gp_wr", A, A).to_pylist()
    assert rows and all(row["difference"] == 0 and not row["apart"] and not row["apart_of_all"] for row in rows)


def test_intervals_of_differences_cover_and_what_is_marked_of_all_is_seldom_an_accident() -> None:
    random = Random(7)
    covered = accidents = 0
    for _ in range(400):
        sides = [wilson(sum(random.random() < 0.4 for _ in range(150)), 150) for _ in (0, 1)]
        row = module._difference(*sides[0], *sides[1])
        covered += row["low"] <= 0 <= row["high"]
    assert 0.93 <= covered / 400 <= 0.97
    for _ in range(60):
        rows = []
        for _ in range(40):
            sides = [wilson(sum(random.random() < 0.4 for _ in range(150)), 150) for _ in (0, 1)]
            rows.append(module._difference(*sides[0], *sides[1]))
        module._mark(rows)
        accidents += any(row["apart_of_all"] for row in rows)
    assert accidents <= 8  # of 60 sets of 40 rows that do not differ, 1 in 20 is allowed to have one marked


def wilson(won: int, n: int) -> tuple[float, float, float]:
    p, z = won / n, NormalDist().inv_cdf(0.975)
    centre, half = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n * n))
    centre, half = centre / (1 + z**2 / n), half / (1 + z**2 / n)
    return p, centre - half, centre + half


@pytest.mark.parametrize(("text", "wanted"), [
    ("", Filters(tags=("cup",))),
    ("card-set=EMB 1.0", Filters(tags=("cup",), card_set="EMB 1.0")),
    ("tag=won, deck-format = short", Filters(tags=("cup", "won"), format="short")),
    ("since=2026-01-02,until=2026-02-03", Filters(tags=("cup",), since=date(2026, 1, 2), until=date(2026, 2, 3))),
    ("player-kind=greedy,seat=first,unchecked", Filters(
        tags=("cup",), player_kind="greedy", seat="first", unchecked=True)),
    ("least-turns=3,most-turns=9,reason=burst", Filters(
        tags=("cup",), least_turns=3, most_turns=9, reasons=("burst",))),
])
def test_filters_are_written_as_options_are(text: str, wanted: Filters) -> None:
    assert narrowed(Filters(tags=("cup",)), text) == wanted


@pytest.mark.parametrize("text", ["x", "x=1", "tag", "tag=", "least-turns=few", "since=yesterday", "deck=a,b"])
def test_what_is_no_filter_is_a_sentence(text: str) -> None:
    with pytest.raises(FilterError):
        narrowed(Filters(), text)
