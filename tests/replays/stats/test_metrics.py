"""The numbers: a second implementation agrees, and what must never change them does not."""

from __future__ import annotations

import os
import re
import shutil
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from engine.cards.decks import deck_digest
from engine.core.match import Match
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks import registry
from events.actions import Concede
from events.game import GameLog
from events.kinds import Annotated, CardMoved, CardsMade, CounterSet, DamageDealt, DeckList, GameEnded, Seat, TurnBegan
from events.open import read_games
from events.pack import PackWriter
from events.record import game_id
from replays.stats.metrics import METRICS, Filters, MetricError, metric
from replays.stats.shards import build_shards, files_of, stem
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
from tests.play import random_deck
from tests.replays.stats import naive, test_facts

GAME = registry.load("liveon")
DECKS = [random_deck(GAME, 21, seed) for seed in (1, 2, 3)]
CLOSE = 1e-9


def begin(number: int) -> Match:
    """A short game; every third one ends as a draw by turn limit unless it is over before."""
    decks = [DECKS[number % 3], DECKS[number // 3 % 3]]
    player_kinds = ("random", "random") if number % 2 else ("random", "other")
    seats = (Seat("A", player_kinds[0], decks[0]), Seat("B", player_kinds[1], decks[1]))
    options = {"format": "short", "max_turns": 9 if number % 3 == 0 else 200}
    more = {"origin": "simulated", "tags": ("cup",) if number % 4 == 0 else ()}
    day = f"2026-05-{number % 20 + 1:02}" if number % 5 else None
    return GAME.begin(GAME.header(seats, options, number, date=day, **more))


def finish(match: Match, number: int) -> list[Any]:
    players = [PLAYER_KINDS["random"](number), PLAYER_KINDS["random"](number + 1)]
    while match.state.asked is not None:
        late = number % 10 == 7 and match.state.turn == 6
        match.act(Concede() if late else players[match.state.asked.seat](Observation(match)))
    return match.log


def odd_games() -> list[list[Any]]:
    """One game for each reason to be left out that a log can have."""
    cut = finish(begin(901), 901)[:-20]
    short = begin(902)
    short.act(Concede())
    error = [*finish(begin(903), 903)[:-1], Annotated("it raised", back=1), GameEnded(None, "error")]
    view = finish(begin(904), 904)
    return [cut, short.log, error, [structs.replace(view[0], view=1), *view[1:]]]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    (path / "packs").mkdir()
    logs = [finish(begin(number), number) for number in range(60)]
    for name, some in (("one", logs[:20]), ("two", [*logs[20:40], *odd_games()]), ("three", logs[40:])):
        with PackWriter(path / "packs" / f"{name}.jsonl.zst") as pack:
            for events in some:
                pack.add(GAME.rulebook, GAME.card_sets, events)
    assert update(path) == []
    return path


@pytest.fixture(scope="module")
def warehouse(library: Path) -> Warehouse:
    return open_warehouse(library)


@pytest.fixture(scope="module")
def units(library: Path) -> list[naive.Unit]:
    return naive.units(all_games(library))


def all_games(library: Path) -> list[GameLog]:
    return [game for pack in sorted(library.glob("packs/*.zst")) for game in read_games(pack)]


def rows(warehouse: Warehouse, name: str, filters: Filters | None = None) -> list[dict[str, Any]]:
    return metric(warehouse, name, filters or Filters()).to_pylist()


def by_code(found: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["code"]: row for row in found}


def same(row: dict[str, Any], expected: dict[str, Any] | None) -> None:
    """Every expected number is the row's, to 1e-9; nothing expected is null."""
    if expected is None:
        assert row["rate"] is None and row["low"] is None and row["shrunk"] is None and row["thin"] is None
        return
    for name, value in expected.items():
        assert row[name] == pytest.approx(value, abs=CLOSE, rel=CLOSE), (row, name, value)


FILTERS = {
    "none": (Filters(), lambda u: True),
    "player_kind": (Filters(player_kind="other"), lambda u: u["player_kind"] == "other"),
    "player": (Filters(player="B"), lambda u: u["player"] == "B"),
    "deck": (Filters(deck=DECKS[0].name), lambda u: u["deck"] == deck_digest(DECKS[0])),
    "deck digest": (Filters(deck=deck_digest(DECKS[1])), lambda u: u["deck"] == deck_digest(DECKS[1])),
    "card set": (Filters(card_set="emb", format="short", game="liveon"), lambda u: True),
    "second": (Filters(seat="second"), lambda u: not u["first"]),
    "tags": (Filters(tags=("cup",)), lambda u: "cup" in u["tags"]),
    "days": (
        Filters(since=date(2026, 5, 3), until=date(2026, 5, 11)),
        lambda u: u["date"] is not None and "2026-05-03" <= u["date"] <= "2026-05-11",
    ),
    "length and reason": (
        Filters(least_turns=5, most_turns=12, reasons=("burst", "turn_limit")),
        lambda u: 5 <= u["turns"] <= 12 and u["reason"] in ("burst", "turn_limit"),
    ),
}
RATES = {
    "gp_wr": lambda c: c["deck"],
    "oh_wr": lambda c: c["opening"],
    "gd_wr": lambda c: c["drawn"],
    "gih_wr": lambda c: c["opening"] + c["drawn"],
    "gns_wr": lambda c: c["unseen"],
    "played_wr": lambda c: c["played"],
    "turned_up_wr": lambda c: c["turned_up"] + c["milled"],
}


@pytest.mark.parametrize("which", FILTERS)
def test_card_metrics_are_those_of_the_second_implementation(
    which: str, warehouse: Warehouse, units: list[naive.Unit]
) -> None:
    filters, fits = FILTERS[which]
    chosen = [u for u in units if fits(u)]
    codes = sorted({code for u in chosen for code in u["cards"]})
    assert len(chosen) > 15 and len(codes) > (15 if filters.deck else 30)
    for name, number in RATES.items():
        found = by_code(rows(warehouse, name, filters))
        assert sorted(found) == codes
        for code in codes:
            same(found[code], naive.by_copies(chosen, code, number))
    found = by_code(rows(warehouse, "iih", filters))
    for code in codes:
        expected = naive.iih(chosen, code)
        assert (found[code]["difference"] is None) == (expected is None)
        for name, value in (expected or {}).items():
            assert found[code][name] == pytest.approx(value, abs=CLOSE), (code, name)
    found = by_code(rows(warehouse, "play_rate", filters))
    for code in codes:
        same(found[code], naive.play_rate(chosen, code))


def test_a_filter_by_deck_shrinks_to_the_mean_of_that_deck(warehouse: Warehouse, units: list[naive.Unit]) -> None:
    deck = units[0]["deck"]
    chosen = [u for u in units if u["deck"] == deck]
    found = by_code(rows(warehouse, "gp_wr", Filters(deck=deck)))
    assert set(found) == set(units[0]["cards"])
    for code, row in found.items():
        same(row, naive.by_copies(chosen, code, lambda c: c["deck"]))
    assert next(iter(found.values()))["rate"] == pytest.approx(naive.mean_w(chosen))


def test_deck_and_seat_metrics_are_those_of_the_second_implementation(
    warehouse: Warehouse, units: list[naive.Unit]
) -> None:
    decided = [u for u in units if u["w"] != 0.5]
    found = rows(warehouse, "deck_win_rate")
    assert {row["deck"] for row in found} == {u["deck"] for u in units}
    for row in found:
        mine = [u["w"] for u in decided if u["deck"] == row["deck"]]
        same(row, {**naive.cell(sum(mine) / len(mine), len(mine), 0.5), "games": len(mine)})
        assert row["draws"] == sum(u["w"] == 0.5 for u in units if u["deck"] == row["deck"])
    first = [u["w"] for u in decided if u["first"]]
    (row,) = rows(warehouse, "first_player")
    same(row, {**naive.cell(sum(first) / len(first), len(first), 0.5), "games": len(first)})
    assert row["draws"] > 0


def test_endings_and_lengths_add_up(warehouse: Warehouse, units: list[naive.Unit]) -> None:
    all_games = len(units) // 2
    endings = rows(warehouse, "endings")
    assert {row["reason"]: row["games"] for row in endings} == {
        reason: sum(u["reason"] == reason for u in units) // 2 for reason in {u["reason"] for u in units}
    }
    assert "conceded" in {row["reason"] for row in endings}
    assert sum(row["rate"] for row in endings) == pytest.approx(1)
    lengths = rows(warehouse, "lengths")
    assert {row["turns"]: row["games"] for row in lengths} == {
        turns: sum(u["turns"] == turns for u in units) // 2 for turns in {u["turns"] for u in units}
    }
    assert lengths[-1]["rate_by"] == 1 and lengths[-1]["games_by"] == all_games
    for row in [*endings, *lengths]:
        low, high = naive.wilson(row["games"] / all_games, all_games)
        assert (row["low"], row["high"]) == (pytest.approx(low, abs=CLOSE), pytest.approx(high, abs=CLOSE))


def test_turn_played_and_work_done_are_those_of_the_second_implementation(
    warehouse: Warehouse, units: list[naive.Unit]
) -> None:
    turns, work = by_code(rows(warehouse, "turn_played")), by_code(rows(warehouse, "work_done"))
    worked = 0
    for code in turns:
        cards = [u["cards"][code] for u in units if code in u["cards"]]
        plays = [c["first_turn"] for c in cards if c["first_turn"]]
        assert turns[code]["games"] == len(plays)
        assert turns[code]["turn"] == (pytest.approx(sum(plays) / len(plays)) if plays else None)
        held = sum(c["held_played"] for c in cards)
        expected = pytest.approx(sum(c["turns_held"] for c in cards) / held, abs=CLOSE) if held else None
        assert turns[code]["held"] == expected
        for name in ("damage_cards", "damage_player", "drew", "destroyed"):
            total = sum(c[name] for c in cards)
            worked += total
            if work[code]["uses"]:
                assert work[code][name] * work[code]["uses"] == pytest.approx(total, abs=1e-6)
            else:
                assert total == 0 and work[code][name] is None
    assert worked > 1000


def test_the_course_of_a_game_is_that_of_winners_and_losers(warehouse: Warehouse, library: Path) -> None:
    told = {(row["turn"], row["won"]): row for row in rows(warehouse, "course")}
    counted = naive.counted(all_games(library))
    ended = [game for game in counted if any(isinstance(e, GameEnded) and e.winner is not None for e in game.events)]
    assert told[1, True]["games"] == told[1, False]["games"] == len(ended)
    assert told[1, True]["deck"] > told[9, True]["deck"] > told[9, False]["deck"]
    assert told[9, True]["deck"] == told[9, True]["life"]
    assert told[9, True]["deck_low"] < told[9, True]["deck"] < told[9, True]["deck_high"]
    assert 3 < told[1, False]["hand"] < 8


def test_deck_rate_counts_games_and_copies(warehouse: Warehouse, units: list[naive.Unit]) -> None:
    for row in rows(warehouse, "deck_rate"):
        mine = [u["cards"][row["code"]]["deck"] for u in units if row["code"] in u["cards"]]
        assert (row["games"], row["all_games"], row["copies"]) == (len(mine), len(units), sum(mine))
        assert row["rate_by_decks"] == pytest.approx(sum(row["code"] in deck.cards for deck in DECKS) / 3)


# --- what must always hold ----------------------------------------------------------------------------------


def test_matchups_are_whole(warehouse: Warehouse, units: list[naive.Unit]) -> None:
    cells = {(row["deck"], row["against"]): row for row in rows(warehouse, "matchups")}
    assert len(cells) == 9
    for (one, other), row in cells.items():
        back = cells[other, one]
        assert row["rate"] + back["rate"] == pytest.approx(1, abs=1e-12)
        assert row["shrunk"] + back["shrunk"] == pytest.approx(1, abs=1e-12)
        assert row["low"] + back["high"] == pytest.approx(1, abs=1e-12)
        assert (row["games"], row["draws"]) == (back["games"], back["draws"])
        mine = [u["w"] for u in units if (u["deck"], u["against"]) == (one, other)]
        assert row["rate"] == pytest.approx(sum(mine) / len(mine), abs=1e-12)
        assert row["games"] == len(mine) // (2 if one == other else 1)
        if one == other:
            assert row["rate"] == 0.5 and row["shrunk"] == 0.5
    assert sum(row["draws"] for row in cells.values()) > 0


def test_matchups_stay_whole_when_player_kinds_are_chosen(warehouse: Warehouse) -> None:
    cells = {(row["deck"], row["against"]): row for row in rows(warehouse, "matchups", Filters(player_kind="random"))}
    assert cells
    for (one, other), row in cells.items():
        assert row["rate"] + cells[other, one]["rate"] == pytest.approx(1, abs=1e-12)


def test_draws_are_half_in_matrices_and_left_out_of_win_rates(warehouse: Warehouse) -> None:
    drawn = Filters(reasons=("turn_limit",))
    assert {row["rate"] for row in rows(warehouse, "matchups", drawn)} == {0.5}
    decks = rows(warehouse, "deck_win_rate", drawn)
    assert {(row["games"], row["rate"], row["shrunk"], row["thin"]) for row in decks} == {(0, None, None, None)}
    assert sum(row["draws"] for row in decks) > 0
    cards = rows(warehouse, "gp_wr", drawn)
    assert {(row["copies"], row["rate"], row["rate_by_games"]) for row in cards} == {(0, None, None)}


def test_games_that_do_not_count_are_counted_apart(warehouse: Warehouse) -> None:
    found = {row["reason"]: row["games"] for row in rows(warehouse, "left_out")}
    assert found == {"unfinished": 1, "short": 1, "error": 1, "one_seat": 1}
    assert rows(warehouse, "left_out", Filters(game="liveon", since=date(2030, 1, 1))) == []


def test_no_interval_is_without_width(warehouse: Warehouse) -> None:
    for name in METRICS:
        for row in rows(warehouse, name, Filters(tags=("cup",), most_turns=10)):
            if row.get("low") is not None:
                assert row["low"] < row["high"]
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
        changed = rows(open_warehouse(tmp_path), name) != rows(warehouse, name)
        assert changed == (name == "left_out"), name
    (more,) = [row for row in rows(open_warehouse(tmp_path), "left_out") if row["reason"] == "duplicate"]
    assert more["games"] == 40


def copy_packs(library: Path, to: Path, names: dict[str, str] | None = None) -> None:
    (to / "packs").mkdir(parents=True)
    for pack in library.glob("packs/*.zst"):
        (to / "packs" / f"{(names or {}).get(stem(pack), stem(pack))}.jsonl.zst").write_bytes(pack.read_bytes())


def test_order_of_packs_workers_and_time_zone_change_nothing(
    library: Path, warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_packs(library, tmp_path, {"one": "z", "two": "a", "three": "m"})
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert update(tmp_path, jobs=2) == []
        for name in METRICS:
            assert rows(open_warehouse(tmp_path), name) == rows(warehouse, name)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_an_empty_library_has_empty_tables(tmp_path: Path) -> None:
    assert update(tmp_path) == []
    warehouse = open_warehouse(tmp_path)
    for name in METRICS:
        table = metric(warehouse, name)
        assert table.num_rows == 0 and table.num_columns > 1


# --- the warehouse ------------------------------------------------------------------------------------------


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
    with pytest.raises(FilterError, match=f"There is no {NAMED[named]} 'nosuch'; there "):
        metric(warehouse, name, Filters(**{named: wrong}))


def test_every_number_leads_back_to_its_games(library: Path, warehouse: Warehouse) -> None:
    query = "select pack, index, \"offset\", game_id from games where left_out is null"
    told = warehouse.cursor().execute(query).fetchall()
    games = {(stem(pack), game.index): game for pack in library.glob("packs/*") for game in read_games(pack)}
    assert len(told) == 60
    for pack, index, offset, name in told:
        assert (games[pack, index].offset, games[pack, index].header.id) == (offset, name)


def test_each_sql_file_says_grain_unit_and_version_and_ends_in_a_plain_select() -> None:
    files = sorted(SQL.glob("**/*.sql"))
    found = {(file.stem, file.parent.name) for file in files if file.parent.parent.name == "metrics"}
    assert found == {(name, metric.of) for name, metric in METRICS.items()}
    for file in files:
        if file.parent == SQL:
            continue
        text = file.read_text("utf-8")
        head = "".join(line for line in text.splitlines() if line.startswith("-- "))
        assert text.startswith("-- ") and all(word in head for word in ("Grain:", "Unit:", "version: m1.")), file
        if file.stem != "intervals":
            assert re.match(r"select \* from \w+( order by .+)?;?$", text.strip().splitlines()[-1]), file
    assert {file.stem for file in files if file.parent.name == "tables"} == set(WAREHOUSE_TABLES)
    assert {file.stem for file in files if file.parent.name == "views"} == set(VIEWS)


def test_metrics_carry_their_definition_version(warehouse: Warehouse) -> None:
    assert metric(warehouse, "gp_wr").schema.metadata[b"definition"] == b"m1"


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
        assert rows(warehouse, name, Filters(unchecked=True)) or name in ("left_out", "matchups"), name
    assert by_code(rows(warehouse, "gp_wr", Filters(unchecked=True)))["many"]["copies"] == 2_700
