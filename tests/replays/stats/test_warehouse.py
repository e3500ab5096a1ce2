"""The warehouse: built of what is missing, seen when it is built anew, and its files say what they hold."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from events.kinds import CardMoved, CardsMade, CounterSet, DamageDealt, DeckList, GameEnded, Seat, TurnBegan
from events.pack import PackWriter
from replays.stats.metrics import METRICS, VERSION, Filters, MetricError, metric
from replays.stats.shards import build_shards, files_of
from replays.stats.warehouse import (
    SQL,
    VIEWS,
    WAREHOUSE_TABLES,
    Warehouse,
    WarehouseError,
    build_warehouse,
    open_warehouse,
    update,
)
from replays.store.filters import NAMED, FilterError
from tests.replays.stats import test_facts
from tests.replays.stats.games import DECKS, GAME, by_code, copy_packs, finish, odd_games, rows


def test_only_what_is_missing_is_built(library: Path, tmp_path: Path) -> None:
    copy_packs(library, tmp_path)
    told: list[tuple[int, int]] = []
    one, facts = tmp_path / "packs" / "one.jsonl.zst", tmp_path / "facts"
    build_shards([one], facts)
    built = [file.stat().st_mtime_ns for file in files_of(one, facts, "games")]
    assert build_shards(tmp_path.glob("packs/*"), tmp_path / "facts", 1, lambda *at: told.append(at)) == []
    games = 60 - 20 + len(odd_games())
    assert told == [(done, games) for done in range(1, games + 1)]
    assert built == [file.stat().st_mtime_ns for file in files_of(one, facts, "games")]
    assert sorted(os.listdir(tmp_path / "facts")) == ["one", "three", "two"]


def test_a_warehouse_built_anew_is_seen_while_the_old_one_is_open(library: Path, tmp_path: Path) -> None:
    copy_packs(library, tmp_path)
    shutil.copytree(library / "facts", tmp_path / "facts")
    (tmp_path / "packs" / "two.jsonl.zst").rename(tmp_path / "packs" / "later")
    update(tmp_path)
    old = open_warehouse(tmp_path)
    (before,) = rows(old, "first_player")
    (tmp_path / "packs" / "later").rename(tmp_path / "packs" / "two.jsonl.zst")
    update(tmp_path)
    new = open_warehouse(tmp_path)
    assert new is not old and open_warehouse(tmp_path) is new
    assert rows(old, "first_player") == [before]
    assert rows(new, "first_player")[0]["games"] > before["games"]
    (tmp_path / "packs" / "two.jsonl.zst").unlink()
    build_warehouse(tmp_path)
    assert rows(open_warehouse(tmp_path), "first_player") == [before]


def test_errors_are_sentences(tmp_path: Path, warehouse: Warehouse) -> None:
    with pytest.raises(WarehouseError, match="has no warehouse yet"):
        open_warehouse(tmp_path)
    with pytest.raises(MetricError, match="did you mean gih_wr"):
        metric(warehouse, "gih_w")
    with pytest.raises(MetricError, match="first or second"):
        metric(warehouse, "gp_wr", Filters(seat="third"))  # type: ignore[arg-type]
    (tmp_path / "warehouse.duckdb").write_bytes(b"not a database, but long enough to be looked at" * 100)
    with pytest.raises(WarehouseError, match="cannot be opened"):
        open_warehouse(tmp_path)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("named", NAMED)
def test_a_filter_that_names_nothing_is_a_sentence(warehouse: Warehouse, named: str, name: str) -> None:
    wrong: Any = ("nosuch",) if named in ("tags", "reasons") else "nosuch"
    with pytest.raises(FilterError, match=f"There is no {NAMED[named]} 'nosuch'; (there |no game)"):
        metric(warehouse, name, Filters(**{named: wrong}))


def test_each_sql_file_says_grain_unit_and_version_and_ends_in_a_plain_select() -> None:
    files = sorted(SQL.glob("**/*.sql"))
    found = {(file.stem, file.parent.name) for file in files if file.parent.parent.name == "metrics"}
    assert found == {(name, metric.of) for name, metric in METRICS.items()}
    for file in files:
        if file.parent == SQL:
            continue
        text = file.read_text("utf-8")
        head = "".join(line for line in text.splitlines() if line.startswith("-- "))
        assert text.startswith("-- ") and all(word in head for word in ("Grain:", "Unit:", "version: m2.")), file
        if file.stem != "intervals":
            assert re.match(r"select \* from \w+( order by .+)?;?$", text.strip().splitlines()[-1]), file
    assert {file.stem for file in files if file.parent.name == "tables"} == set(WAREHOUSE_TABLES)
    assert {file.stem for file in files if file.parent.name == "views"} == set(VIEWS)


def test_metrics_carry_their_definition_version(warehouse: Warehouse) -> None:
    assert metric(warehouse, "gp_wr").schema.metadata[b"definition"] == VERSION.encode() == b"m2"


def test_deck_names_of_strangers_stay_text(tmp_path: Path) -> None:
    name = "'; drop table units; -- <b>" + "長" * 500
    deck = structs.replace(DECKS[0], name=name)
    seats = (Seat("A", "random", deck), Seat("B", "random", DeckList("", DECKS[1].cards)))
    match = GAME.begin(GAME.header(seats, {"format": "short"}, 3, tags=("$filters", name), origin="simulated"))
    (tmp_path / "packs").mkdir()
    with PackWriter(tmp_path / "packs" / "p.jsonl.zst") as pack:
        pack.add(GAME.rulebook, GAME.card_sets, finish(match, 3))
    update(tmp_path)
    warehouse = open_warehouse(tmp_path)
    assert {row["deck_name"] for row in rows(warehouse, "deck_win_rate")} == {name[:200], ""}
    assert len(rows(warehouse, "deck_win_rate", Filters(tags=(name[:200],)))) == 2
    assert len(rows(warehouse, "deck_win_rate", Filters(deck=name[:200]))) == 1
    with pytest.raises(FilterError, match=r"There is no game .*; there is 'liveon'\."):
        rows(warehouse, "deck_win_rate", Filters(game="'; drop table units"))


UNTOLD = ("left_out", "matchups", "first_in_matchup", "deck_rating", "draw_curve", "hands", "pair_effect")
"""Metrics that have no rows of a few games without shuffles and redraws whose decks are not both known."""


def test_numbers_of_strangers_break_nothing(tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    most = 2**31 - 1
    during = [
        CardMoved(card=4, seat=0, zone="hand", move_kind="draws"),
        TurnBegan(turn=most, seat=0),
        CardMoved(card=4, seat=0, zone="field", move_kind="plays"),
        *[DamageDealt(source=4, target=1, amount=most), DamageDealt(source=4, target=11, amount=most)] * 50,
        CounterSet(entity=1, name="lp", value=-most),
    ]
    with PackWriter(tmp_path / "packs" / "p.jsonl.zst") as pack:
        for seed, winner in enumerate((0, 0, 1, None)):
            events = test_facts.told(*during, CounterSet(entity=0, name="lp", value=seed), seed=seed)[:-1]
            made = CardsMade(seat=0, zone="deck", first=20, codes=("many",) * 900)
            pack.add(test_facts.BOOK, (test_facts.CARDS,), [*events[:2], made, *events[2:], GameEnded(winner, "lp")])
    update(tmp_path)
    warehouse = open_warehouse(tmp_path)
    for name in METRICS:
        assert not rows(warehouse, name) or name == "left_out", f"{name}: nobody here can check these games"
        assert rows(warehouse, name, Filters(unchecked=True)) or name in UNTOLD, name
    assert by_code(rows(warehouse, "gp_wr", Filters(unchecked=True)))["many"]["copies"] == 2_700


def test_building_draws_nothing_on_standard_output(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; import duckdb; from replays.stats.warehouse import database\n"
        "setting = \"select current_setting('enable_progress_bar')\"\n"
        f"with database(Path({str(tmp_path / 'x.duckdb')!r}), 1) as ours:\n"
        "    print([c.sql(setting).fetchall()[0][0] for c in (duckdb.connect(), ours)])\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said == "[True, False]\n", "a process without a file, as workers are, would draw one"
