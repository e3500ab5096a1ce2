"""Card metrics: a second implementation agrees."""

from __future__ import annotations

import pytest

from replays.stats.metrics import Filters
from replays.stats.warehouse import Warehouse
from tests.replays.stats import naive
from tests.replays.stats.games import CLOSE, DECKS, FILTERS, by_code, rows, same

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
            if found[code].get("undefined") != "life":
                same(found[code], naive.by_copies(chosen, code, number))
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
        assert turns[code]["turns_held"] == expected
        for name in ("damage_cards", "damage_player", "drew", "destroyed"):
            total = sum(c[name] for c in cards)
            worked += total
            if work[code]["uses"]:
                assert work[code][name] * work[code]["uses"] == pytest.approx(total, abs=1e-6)
            else:
                assert total == 0 and work[code][name] is None
    assert worked > 1000


def test_deck_rate_counts_games_and_copies(warehouse: Warehouse, units: list[naive.Unit]) -> None:
    for row in rows(warehouse, "deck_rate"):
        mine = [u["cards"][row["code"]]["deck"] for u in units if row["code"] in u["cards"]]
        assert (row["games"], row["all_games"], row["copies"]) == (len(mine), len(units), sum(mine))
        assert row["rate_by_decks"] == pytest.approx(sum(row["code"] in deck.cards for deck in DECKS) / 3)


@pytest.mark.parametrize("which", FILTERS)
def test_held_cards_by_deck_and_plays_by_turn_are_those_of_the_second_implementation(
    which: str, warehouse: Warehouse, units: list[naive.Unit]
) -> None:
    filters, fits = FILTERS[which]
    chosen = [u for u in units if fits(u)]
    for name, end in (("gih_in_deck", "deck"), ("gih_against", "against")):
        found = {(row["code"], row[end]): row for row in rows(warehouse, name, filters)}
        for code, deck in {(code, u[end]) for u in chosen for code in u["cards"]}:
            among = [u for u in chosen if u[end] == deck]
            expected = naive.by_copies(among, code, lambda c: c["opening"] + c["drawn"])
            if expected is None:
                assert found.get((code, deck), {"rate": None})["rate"] is None
            else:
                row = found[code, deck]
                assert row["rate"] == pytest.approx(expected["rate"], abs=CLOSE)
                assert row["low"] == pytest.approx(expected["low"], abs=CLOSE)
                assert (row["copies"], row["games"]) == (expected["copies"], expected["games"])
    for row in rows(warehouse, "played_by_turn", filters):
        plays = [u for u in chosen if row["code"] in u["cards"] and u["cards"][row["code"]]["first_turn"]]
        now = [u["w"] for u in plays if u["cards"][row["code"]]["first_turn"] == row["first_turn"] and u["w"] != 0.5]
        assert row["games"] == len(now)
        assert row["share"] == pytest.approx((len(now) + row["draws"]) / len(plays), abs=CLOSE)
        if now:
            expected = naive.cell(sum(now) / len(now), len(now), naive.mean_w(chosen))
            assert {name: row[name] for name in expected} == pytest.approx(expected, abs=CLOSE)
