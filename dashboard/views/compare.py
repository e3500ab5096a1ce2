"""Two sets of games beside each other: what differs, with the interval of each difference, and what is no accident."""

from __future__ import annotations

import math

import pandas as pd
import pyarrow as pa
import streamlit as st
from msgspec import structs

from dashboard import address, filter_bar
from dashboard.charts import marks, ranking
from dashboard.i18n import chosen, t
from dashboard.stats import games_behind, numbers, page, panel
from dashboard.words import page_words
from engine.rulebooks import registry
from engine.words import words
from replays.stats.behind import KEYS
from replays.stats.columns import is_share
from replays.stats.metrics import METRICS, VERSION, Filters

COMPARED = (
    "draw_effect", "gih_wr", "gp_wr", "above_deck", "play_rate", "deck_rate", "turn_played", "deck_win_rate",
    "deck_rating", "field", "matchups", "first_player", "endings", "lengths",
)  # fmt: skip
"""Metrics that are offered, in this order."""

SIDES = ("a_", "b_")
_OF_A_SIDE = (
    "deck", "seat", "player_kind", "since", "until", "player", "format", "card_set", "tags", "least_turns",
    "most_turns", "playlist", "families", "unchecked",
)  # fmt: skip
_MOST = 20
"""Differences in the chart."""


def main(filters: Filters) -> dict[str, Filters] | None:
    """The two sides, and what differs between them; gives the sides that the games behind a number can be of."""
    names = {name: t(f"m_{name}") for name in COMPARED}
    metric = address.choose(st.selectbox, "metric", names, t("number"), default=COMPARED[0], width=330)
    st.caption(t(f"m_{metric}_means"))
    places = st.columns(2, gap="medium")
    sides = []
    for place, side in zip(places, SIDES, strict=True):
        with place:
            st.markdown(f"**{t(f'side_{side}')}**")
            own = filter_bar.show(*_OF_A_SIDE, side=side, game=filters.game or "").filters
            sides.append(structs.replace(own, game=filters.game))
            page.say_counted(sides[-1])
    before, after = sides
    if before == after:
        st.info(t("same_sides"))
        return None
    rows = numbers.differing(metric, before, after, chosen())
    if not rows.num_rows:
        st.info(t("nothing_fits"))
        return None
    what_differs(metric, rows.to_pandas(), rows, filters.game or "")
    return {t(f"side_{side}"): own for side, own in zip(SIDES, sides, strict=True)}


def what_differs(metric: str, found: pd.DataFrame, rows: pa.Table, game: str) -> None:
    """The differences as a chart and as a table."""
    changed = next(name for name in found.columns if name == "difference" or name.endswith("_change"))
    value = changed.removesuffix("_change") if changed != "difference" else next(
        name for name in found.columns if name.endswith("_a") and name != "games_a").removesuffix("_a")
    scale = 100 if is_share(value) else 1
    found = found.assign(
        label=_labels(found, metric, game), key=range(len(found)), value=scale * found[changed].astype(float),
        low=scale * found["low"].astype(float), high=scale * found["high"].astype(float),
        sure=found["apart_of_all"].eq(True), games=found[["games_a", "games_b"]].min(axis=1),
    )  # fmt: skip
    known = found.dropna(subset=["value"]).head(_MOST).sort_values("value", ascending=False)  # the largest come first
    unit = t("points") if scale == 100 else t(f"m_{metric}")
    stand = int(found["sure"].sum())

    def asking(place: int) -> None:
        row = found.iloc[int(place)]
        games_behind.ask(metric, **{name: row[name] for name in KEYS if name in found and name != "game"})

    one, other = st.columns([1, 1.75], gap="medium")
    with one:
        if known.empty:
            st.info(t("no_differences"))
        else:
            axis = t("difference_axis", unit=unit)
            figure = ranking.ranked(known, axis, page_words(chosen()), 0, True, "stands", "not_certain")
            panel.chart(t("ask_compare"), figure, rows, "differences", t("compare_means"), clicked=asking)
    with other:
        _table(found, value, scale, stand, rows, asking)


def _labels(found: pd.DataFrame, metric: str, game: str) -> list[str]:
    """What each row is about, in words."""
    if METRICS[metric].of == "card":
        return list(found["card"])
    if "against_name" in found:
        return [t("one_against_other", one=a, other=b)
                for a, b in zip(found["deck_name"], found["against_name"], strict=True)]  # fmt: skip
    if "deck_name" in found:
        week = found["week"].astype(str).where(found["week"].notna(), "") if "week" in found else [""] * len(found)
        return [" ".join(filter(None, pair)) for pair in zip(found["deck_name"], week, strict=True)]
    if "reason" in found:
        said = words(chosen(), game) if game in registry.GAMES else None
        return [said.get(f"reason.{reason}") if said else reason for reason in found["reason"]]
    return [t("n_turns", n=n) for n in found["turns"]] if "turns" in found else [t("all_games")] * len(found)


def _table(
    found: pd.DataFrame, value: str, scale: int, stand: int, rows: pa.Table, asking: panel.Clicked
) -> None:
    ends = found[["low", "high"]].abs().max().max()
    span = math.ceil(ends / 10) * 10 if scale == 100 and ends == ends else float(ends) if ends == ends else 1.0
    bars = [
        None if math.isnan(low) else marks.interval(value, low, high, not sure, (-span, span), 0)
        for value, low, high, sure in found[["value", "low", "high", "sure"]].itertuples(index=False)
    ]
    shown = pd.DataFrame({
        "about": found["label"], "difference": found["value"], "stands": found["sure"].map({True: "✓", False: ""}),
        "interval": bars, "a": scale * found[f"{value}_a"].astype(float),
        "b": scale * found[f"{value}_b"].astype(float), "games_a": found["games_a"], "games_b": found["games_b"],
    })  # fmt: skip
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    digits = "%.1f" if scale == 100 else "%.2f"
    panel.row_table(
        shown, "compared",
        {
            "about": text(t("what"), width=165), "a": number(t("side_a_"), format=digits, width=52),
            "b": number(t("side_b_"), format=digits, width=52),
            "difference": number(t("difference"), format="%+.1f" if scale == 100 else "%+.2f", width=76),
            "interval": st.column_config.ImageColumn(t("interval_to", n=f"{span:.0f}"), width=marks.BAR),
            "stands": text(t("stands"), help=t("stands_means"), width=60),
            "games_a": number(t("games_of", side=t("side_a_")), format="localized", width=72),
            "games_b": number(t("games_of", side=t("side_b_")), format="localized", width=72),
        },
        rows=rows, caption=t("compared_caption", n=len(found), stand=stand, version=VERSION),
        height=min(560, 35 * len(found) + 38), clicked=asking,
    )  # fmt: skip


page.open_page(t("compare"), main, "game")
