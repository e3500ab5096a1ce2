"""What must always hold, whatever the numbers are."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from msgspec import structs

from events.open import read_games
from events.pack import PackWriter
from events.record import game_id
from replays.stats.metrics import METRICS, Filters, metric
from replays.stats.shards import stem
from replays.stats.warehouse import Warehouse, open_warehouse, update
from tests.replays.stats.games import alike, all_games, copy_packs, rows


def test_no_interval_is_without_width(warehouse: Warehouse) -> None:
    for name in METRICS:
        for row in rows(warehouse, name, Filters(tags=("cup",), most_turns=10)):
            if row.get("low") is not None:
                assert row["low"] < row["high"]
                if not set(row) & {"effect", "rating"}:
                    assert row["low"] >= -1 and row["high"] <= 1


def test_a_rate_of_all_or_none_lies_within_its_interval(warehouse: Warehouse) -> None:
    edges = [row for row in rows(warehouse, "oh_wr") if row["rate"] in (0, 1)]
    assert edges
    for row in edges:
        assert row["low"] <= row["rate"] <= row["high"]


def test_a_duplicate_changes_nothing(library: Path, warehouse: Warehouse, tmp_path: Path) -> None:
    copy_packs(library, tmp_path)
    shutil.copytree(library / "facts", tmp_path / "facts")
    with PackWriter(tmp_path / "packs" / "again.jsonl.zst") as pack:
        for game in all_games(library)[:40]:
            header = game.header
            seats = tuple(structs.replace(seat, player="Nobody") for seat in header.seats)
            renamed = structs.replace(header, id="", seats=seats)
            renamed = structs.replace(renamed, id=game_id(renamed))
            if game.ended:
                pack.add(game.rulebook, game.card_sets, [renamed, *game.events[1:-1]])
    update(tmp_path)
    for name in METRICS:
        if name not in ("left_out", "player_rating", "player_win_rate"):  # copies here have other names of players
            alike(rows(open_warehouse(tmp_path), name), rows(warehouse, name))
    (more,) = [row for row in rows(open_warehouse(tmp_path), "left_out") if row["reason"] == "duplicate"]
    assert more["games"] == 40


def test_order_of_packs_workers_and_time_zone_change_nothing(
    library: Path, warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_packs(library, tmp_path, {"one": "z", "two": "a", "three": "m"})
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert update(tmp_path, jobs=2) == []
        for name in METRICS:
            alike(rows(open_warehouse(tmp_path), name), rows(warehouse, name))
    finally:
        monkeypatch.undo()
        time.tzset()


def test_an_empty_library_has_empty_tables(tmp_path: Path) -> None:
    assert update(tmp_path) == []
    warehouse = open_warehouse(tmp_path)
    for name in METRICS:
        table = metric(warehouse, name)
        assert table.num_rows == 0 and table.num_columns > 1


def test_every_number_leads_back_to_its_games(library: Path, warehouse: Warehouse) -> None:
    query = "select pack, index, \"offset\", game_id from games where left_out is null"
    told = warehouse.cursor().execute(query).fetchall()
    games = {(stem(pack), game.index): game for pack in library.glob("packs/*") for game in read_games(pack)}
    assert len(told) == 60
    for pack, index, offset, name in told:
        assert (games[pack, index].offset, games[pack, index].header.id) == (offset, name)
