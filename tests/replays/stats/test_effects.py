"""Differences and effects: a second implementation agrees, and so do scipy and statsmodels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import false_discovery_control, norm

from engine.rulebooks import registry
from replays.stats.fits import between_variance
from replays.stats.metrics import Filters
from replays.stats.warehouse import Warehouse
from tests.replays.stats import naive, naive_effects
from tests.replays.stats.games import CLOSE, FILTERS, by_code, rows

Units = list[naive.Unit]
CHOSEN = {"all": (Filters(), lambda u: True), "second": FILTERS["second"], "random": (
    Filters(player_kind="random"), lambda u: u["player_kind"] == "random")}  # fmt: skip


def close(row: dict[str, Any], expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        if name in row:
            assert row[name] == pytest.approx(value, abs=CLOSE, rel=CLOSE), (name, row, expected)


@pytest.mark.parametrize("key", registry.GAMES)
@pytest.mark.parametrize("which", CHOSEN)
def test_draw_effects_are_those_of_the_second_implementation(
    key: str, which: str, three: Warehouse, three_units: dict[str, Units]
) -> None:
    filters, fits = CHOSEN[which]
    chosen = [u for u in three_units[key] if fits(u)]
    found = by_code(rows(three, "draw_effect", Filters(game=key, seat=filters.seat, player_kind=filters.player_kind)))
    deviations = {}
    for code, row in found.items():
        expected = naive_effects.draw_effect(chosen, code, row["early"]) if row["early"] else None
        if expected is None or expected["deviation"] < 1e-9:
            assert row["effect"] is None or row["low"] is None
            continue
        close(row, expected)
        deviations[code] = expected["deviation"]
        copies = sum(u["cards"][code]["deck"] for u in chosen if code in u["cards"])
        assert row["not_counted"] == copies - expected["copies"]
    assert len(deviations) > 15
    effects = [(found[code]["effect"], deviation) for code, deviation in deviations.items()]
    for code, shrunk in zip(deviations, naive_effects.shrunk(effects), strict=True):
        assert found[code]["shrunk"] == pytest.approx(shrunk, abs=CLOSE)
    corrected = false_discovery_control([2 * norm.sf(abs(e / d)) for e, d in effects])
    assert [found[code]["q"] for code in deviations] == pytest.approx(list(corrected), abs=CLOSE)
    told = [row["shrunk"] for row in found.values() if row["shrunk"] is not None]
    assert told == sorted(told, reverse=True)


@pytest.mark.parametrize("key", registry.GAMES)
def test_curves_are_draw_effects_with_each_number_of_first_cards(
    key: str, three: Warehouse, three_units: dict[str, Units]
) -> None:
    found = rows(three, "draw_curve", Filters(game=key))
    codes = list(dict.fromkeys(row["code"] for row in found))[:4]
    for row in found:
        if row["code"] in codes and row["k"] % 5 == 1:
            expected = naive_effects.draw_effect(three_units[key], row["code"], row["k"])
            assert (row["effect"] is None) == (expected is None)
            if expected is not None and expected["deviation"] > 1e-9:
                close(row, expected)
    early = by_code(rows(three, "draw_effect", Filters(game=key)))
    for row in found:
        if row["k"] == early[row["code"]]["early"]:
            close(row, {name: early[row["code"]][name] for name in ("effect", "low", "games")})


def test_what_the_draw_effect_leaves_out_is_its_decks_mean_in_matchup_and_seat(units: Units) -> None:
    assert any(sum((u["deck"], u["against"], u["first"]) == (v["deck"], v["against"], v["first"]) for v in units) < 30
               for u in units)  # fmt: skip
    assert sum(naive_effects.residuals(units)) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("key", ["xcard", "monbattle"])
def test_improvements_in_hand_are_those_of_the_second_implementation(
    key: str, three: Warehouse, three_units: dict[str, Units]
) -> None:
    found = by_code(rows(three, "iih", Filters(game=key)))
    known = 0
    for code, row in found.items():
        expected = naive.iih(three_units[key], code)
        assert (row["difference"] is None) == (expected is None) and row["undefined"] is None
        close(row, expected or {})
        adjusted = naive_effects.adjusted_iih(three_units[key], code)
        assert row["adjusted_difference"] == (None if adjusted is None else pytest.approx(adjusted, abs=CLOSE))
        known += expected is not None
    assert known > 15


def test_where_a_pile_is_life_improvement_in_hand_and_turned_up_rates_are_missing_with_their_reason(
    three: Warehouse,
) -> None:
    for name, value in (("iih", "difference"), ("turned_up_wr", "rate")):
        for key in registry.GAMES:
            found = rows(three, name, Filters(game=key))
            life = any(zone.life for zone in registry.load(key).rulebook.zones)
            assert {row["undefined"] for row in found} == ({"life"} if life else {None})
            if life or name == "iih":
                assert any(row[value] is not None for row in found) != life


def test_above_deck_is_that_of_the_second_implementation(warehouse: Warehouse, units: Units) -> None:
    for filters, fits in (FILTERS["none"], FILTERS["second"], FILTERS["deck"]):
        chosen = [u for u in units if fits(u)]
        found = by_code(rows(warehouse, "above_deck", filters))
        for code, row in found.items():
            expected = naive_effects.above_deck(chosen, code)
            assert (row["difference"] is None) == (expected is None)
            if expected is not None and expected["high"] - expected["low"] > 1e-6:
                close(row, expected)


def test_hands_that_were_kept_and_redrawn_are_those_of_the_second_implementation(
    three: Warehouse, three_units: dict[str, Units]
) -> None:
    found = rows(three, "hands")
    assert {row["game"] for row in found} == {"monbattle"}, "the only game here with redraws"
    chosen = three_units["monbattle"]
    for row in found:
        cards = [u["cards"][row["code"]] for u in chosen if row["code"] in u["cards"]]
        kept, redrawn = sum(c["opening"] > 0 for c in cards), sum(c["redrawn"] for c in cards)
        assert (row["kept"], row["redrawn"], row["hands"]) == (kept, redrawn, kept + redrawn)
        assert row["rate"] == (pytest.approx(kept / (kept + redrawn)) if kept + redrawn else None)
        for name, number in (("kept_rate", "opening"), ("redrawn_rate", "redrawn")):
            rate = naive_effects.rate(chosen, row["code"], lambda c, number=number: c[number])
            assert row[name] == (None if rate is None else pytest.approx(rate))
    assert sum(row["redrawn"] for row in found) > 50


def test_the_spread_of_true_effects_is_that_of_statsmodels() -> None:
    meta = pytest.importorskip("statsmodels.stats.meta_analysis")
    rng = np.random.default_rng(1)
    for spread in (0.0, 0.03, 0.2):
        variance = rng.uniform(0.001, 0.02, 40)
        effect = rng.normal(0, np.sqrt(variance + spread**2))
        expected = meta.combine_effects(effect, variance, method_re="dl").tau2
        assert between_variance(effect, variance) == pytest.approx(max(0.0, float(expected)), abs=1e-12)
