"""Shards: all facts of a pack are there or none, however it is cut into parts and however many workers there are."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from datetime import date, datetime
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.rulebooks import registry
from events.open import read_games
from events.pack import PackWriter
from replays.stats import shards
from replays.stats.arrow import table_of
from replays.stats.extract import WAYS, game_rows, name_rows
from replays.stats.rows import TABLES, DecisionRow, GameRow
from replays.stats.shards import FactsError, HaltError, build_shards, files_of, is_built
from tests import play


def table(pack: Path, name: str, facts: str = "facts") -> pa.Table:
    """A table of a pack's shard."""
    return pa.concat_tables(map(pq.read_table, files_of(pack, pack.parent / facts, name)))


def build(pack: Path, facts: str = "facts", jobs: int = 1) -> None:
    assert build_shards([pack], pack.parent / facts, jobs) == []


def pack_of(folder: Path, name: str, n: int) -> Path:
    """A pack of n games of Live On."""
    game = registry.load("liveon")
    with PackWriter(folder / f"{name}.jsonl.zst") as pack:
        for seed in range(n):
            pack.add(game.rulebook, game.card_sets, play.play(play.begin(seed, size=19), seed))
    return folder / f"{name}.jsonl.zst"


def test_shards_of_a_shipped_game_add_up(tmp_path: Path) -> None:
    pack = pack_of(tmp_path, "p.with.dots", 8)
    build(pack)
    assert os.listdir(tmp_path / "facts") == ["p.with.dots"]
    cards = table(pack, "cards").to_pylist()
    assert len(table(pack, "seats")) == 16
    for row in cards:
        assert sum(row[way] for way in WAYS) == row["deck"]
        assert row["held_played"] <= row["opening"] + row["drawn"] + row["fetched"]
        assert row["held_played"] <= row["played"] <= row["deck"]
    for index in range(8):
        for seat in (0, 1):
            mine = [row for row in cards if (row["index"], row["seat"]) == (index, seat)]
            assert [sum(row[name] for row in mine) for name in ("deck", "opening", "started")] == [19, 6, 1]
    ends = {(row["index"], seat): row[f"deck_{seat}"] for row in table(pack, "turns").to_pylist()
            for seat in (0, 1)}
    for row in table(pack, "seats").to_pylist():
        assert row["life"] == ends[row["index"], row["seat"]]
        assert (row["w"] == 0.0) == (row["life"] == 0)


def test_what_is_held_before_it_is_written_does_not_grow_and_loses_no_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = pack_of(tmp_path, "p", 8)
    build(pack)
    monkeypatch.setattr(shards, "AT_ONCE", 10)
    monkeypatch.setattr(shards, "SIZE", 2000)
    with shards._Writer(tmp_path, 0) as writer:
        for game in read_games(pack):
            rows = game_rows(game, "p", registry.load("liveon").declared)
            if not game.index:
                rows["names"] += name_rows(game.card_sets[0], "p", 0)
            writer.add(rows)
            assert all(len(rows) < 10 for rows in writer.rows.values())
            assert all(sum(part.nbytes for part in parts) < 2000 for parts in writer.columns.values())
    for name in TABLES:
        assert pq.read_table(tmp_path / f"{name}.0000.parquet") == table(pack, name)
    assert pq.ParquetFile(tmp_path / "decisions.0000.parquet").num_row_groups > 3


def test_a_stopped_build_leaves_nothing_behind(tmp_path: Path) -> None:
    pack = pack_of(tmp_path, "p", 2)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_shards([pack], tmp_path / "facts", 1, stop)
    assert os.listdir(tmp_path / "facts") == []
    told: list[tuple[int, int]] = []
    build_shards([pack], tmp_path / "facts", 1, lambda *at: told.append(at))
    assert told == [(1, 2), (2, 2)]
    tables = {f"{name}.0000.parquet" for name in TABLES}
    assert {file.name for file in (tmp_path / "facts" / "p").iterdir()} == {shards.MANIFEST, *tables}


def test_a_pack_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    good, bad = pack_of(tmp_path, "good", 1), tmp_path / "bad.jsonl.zst"
    bad.write_bytes(b"no pack at all")
    (problem,) = build_shards([good, bad], tmp_path / "facts")
    assert isinstance(problem, FactsError) and str(problem).startswith("bad.jsonl.zst: ")
    assert os.listdir(tmp_path / "facts") == ["good"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_pack_is_the_same_in_parts_and_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    pack = pack_of(tmp_path, "p", 7)
    build(pack)
    monkeypatch.setattr(shards, "PART", 3)
    build(pack, "in_parts", jobs)
    for name in TABLES:
        assert len(files_of(pack, tmp_path / "in_parts", name)) == 3
        parted, whole = table(pack, name, "in_parts"), table(pack, name)
        if name == "names":  # each part has those of the sets that its games carry
            assert set(zip(*parted.drop(["index"]).to_pydict().values(), strict=True)) == set(
                zip(*whole.drop(["index"]).to_pydict().values(), strict=True)
            )
        else:
            assert parted == whole


def torn(pack: Path, n: int) -> None:
    """Overwrites some bytes somewhere in a pack."""
    data = bytearray(pack.read_bytes())
    for at in random.Random(n).sample(range(len(data)), 3):
        data[at] ^= 0x5A
    pack.write_bytes(data)


@pytest.mark.parametrize("n", range(12))
def test_a_damaged_pack_is_the_same_in_parts_and_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n: int
) -> None:
    pack = pack_of(tmp_path, "p", 5)
    torn(pack, n)
    problems = build_shards([pack], tmp_path / "facts")
    monkeypatch.setattr(shards, "PART", 2)
    assert list(map(str, build_shards([pack], tmp_path / "in_parts"))) == list(map(str, problems))
    for name in TABLES:
        if not problems:
            assert table(pack, name, "in_parts") == table(pack, name)


def test_where_nothing_can_be_written_it_is_said_and_nothing_is_left(tmp_path: Path) -> None:
    pack = pack_of(tmp_path, "p", 1)
    (tmp_path / "facts").write_text("a file")
    with pytest.raises(HaltError, match=r"The facts of p.jsonl.zst cannot be written: .*kept"):
        build_shards([pack], tmp_path / "facts")
    assert (tmp_path / "facts").read_text() == "a file" and not is_built(pack, tmp_path / "facts")


# --- rows as columns ----------------------------------------------------------------------------------------

TEXTS = ("", "=1", "卡 é", '"\\', "\n\r\t\x00\x1f", "\u2028\U0001f0cf", "x" * 200, "null", "2026-01-01")
NUMBERS = (0, 1, -1, 2**31 - 1, -(2**31) + 1)
TIMES = (datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999), datetime(2026, 5, 1, 23, 30, 0, 7))


def game(**changes: Any) -> GameRow:
    return GameRow(**{"pack": "p", "index": 0, "offset": 0, "ended": True, "sealed": False, **changes})


ROWS = [
    *(game(game_id=text, tags=[text, text], fault=text) for text in TEXTS),
    *(game(index=n, turns=n, records=n) for n in NUMBERS),
    *(game(offset=n) for n in (2**31, 2**53, 2**63 - 1)),
    *(game(at=at, day=at.date()) for at in TIMES),
    game(day=date(1970, 1, 1)), game(tags=[]), game(tags=None), game(winner=1, view=0),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=repr)
def test_each_value_comes_out_of_its_column_as_it_went_in(row: GameRow) -> None:
    found = table_of(GameRow, [row, game()])
    assert found.schema.equals(shards.SCHEMAS["games"])
    assert found.to_pylist() == [{name: getattr(one, name) for name in one.__struct_fields__} for one in (row, game())]


def test_a_number_that_does_not_fit_its_column_is_refused() -> None:
    with pytest.raises(pa.ArrowInvalid):
        table_of(GameRow, [game(winner=400)])


@pytest.mark.parametrize("name", TABLES)
def test_columns_are_what_the_fields_of_rows_say(name: str) -> None:
    hints = get_type_hints(TABLES[name], include_extras=True)
    fields = {field: str(shards.SCHEMAS[name].field(field).type) for field in hints}
    assert list(hints) == list(TABLES[name].__struct_fields__) == shards.SCHEMAS[name].names
    for field, hint in hints.items():
        widths = [part for kind in (hint, *get_args(hint)) for part in getattr(kind, "__metadata__", ())]
        assert fields[field] in (widths or ["string", "bool", "double", "date32[day]", "timestamp[us]",
                                            "list<item: string>", "list<item: int32>"])
    assert table_of(TABLES[name], []).schema.equals(shards.SCHEMAS[name])


def test_many_rows_are_one_table() -> None:
    rows = [
        DecisionRow(pack="p", index=n, record=n, turn=1, seat=0, what=None if n % 2 else "main", did="pass",
                    options=None)
        for n in range(5000)
    ]
    assert table_of(DecisionRow, rows).column("record").to_pylist() == list(range(5000))


def test_gathering_facts_and_building_the_warehouse_import_no_pandas(tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    pack_of(tmp_path / "packs", "p", 1)
    program = (
        "import sys\nfrom pathlib import Path\nfrom replays.stats.warehouse import update\n"
        "assert update(Path(sys.argv[1])) == []\nassert 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program, tmp_path], check=True)
