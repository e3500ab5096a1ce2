"""How the cards perform: by the draw effect, a table and a ranking with intervals; in-hand win rate and play rate."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from dashboard import address, charts, data, filter_bar
from dashboard.i18n import chosen, t
from dashboard.words import page_words
from replays.stats.metrics import VERSION, Filters
from replays.store.library import LibraryError


def main() -> None:
    """The page."""
    st.title(t("cards"))
    try:
        some = bool(data.entries())
        filters, view = choices() if some else (Filters(), "copies")
        cards = data.card_table(filters, chosen()) if some else None
    except LibraryError as problem:
        st.error(str(problem))
        return
    if cards is None or cards.empty:
        st.info(_nothing(filters) if cards is not None else t("no_data"))
        return
    if view == "games":
        cards = cards.assign(**{n: cards[f"{n}_by_games"] for n in ("rate", "low", "high", "thin", "shrunk")})
    cards = cards.sort_values(["effect_shrunk", "effect"], ascending=False, na_position="last").reset_index(drop=True)
    table, chart = st.columns([1.55, 1], gap="medium")
    with table:
        rates(cards)
    with chart, st.container(border=True):
        st.markdown(f"**{t('ranked')}**")
        figure = charts.ranked_effects(cards, page_words(chosen()))
        st.plotly_chart(figure, key="ranked", config={"displaylogo": False})
        st.caption(_early(cards))
    with st.container(border=True):
        st.markdown(f"**{t('scatter')}**")
        known = cards.dropna(subset=["rate", "play_rate"])
        figure = charts.rate_scatter(known, _mean(known), page_words(chosen()))
        st.plotly_chart(figure, key="scatter", config={"displaylogo": False})


def choices() -> tuple[Filters, str]:
    """What is chosen above the table: the filters, and whether copies or games are counted."""
    filters = filter_bar.show("game", "deck", "seat", "player_kind", "since", "until", "format", "card_set", "player",
                              "unchecked", needed="game").filters  # fmt: skip
    unit, count = st.columns([1, 3], vertical_alignment="bottom")
    ways = {"copies": t("by_copies"), "games": t("by_games")}
    view = address.choose(unit.segmented_control, "unit", ways, t("count"), default="copies", required=True)
    in_all, out = data.counted(filters)
    left = " · " + t("n_left_out", n=f"{sum(out.values()):,}") if out else ""
    count.markdown(t("n_counted", n=f"{in_all:,}") + left)
    return filters, view


def _nothing(filters: Filters) -> str:
    """Why no card is shown where games were counted, or were to be."""
    in_all, out = data.counted(filters)
    if in_all or not out:
        return t("nothing_fits")
    return t("all_left_out", reasons=", ".join(t(f"left_{reason}", n=f"{n:,}") for reason, n in out.items()))


def rates(cards: pd.DataFrame) -> None:
    """The table; rows whose draw effect is known to less than five points are grey, their dot hollow."""
    low, high = span = _span(cards)
    thin = cards["effect_thin"].fillna(True).astype(bool)
    bounds = cards[["effect", "effect_low", "effect_high"]].itertuples(index=False)
    shown = pd.DataFrame(
        {
            "": [charts.picture(*mark) for mark in zip(cards["fill"], cards["shape"], strict=True)],
            "card": cards["card"],
            "cost": cards["cost"].astype("Int64"),
            "kind": cards["kind"],
            "interval": [
                None if pd.isna(b) else charts.interval(effect, a, b, hollow, span, 0)
                for (effect, a, b), hollow in zip(bounds, thin, strict=True)
            ],
            "effect": 100 * cards["effect"],
            "±": 50 * (cards["effect_high"] - cards["effect_low"]),
            "games": cards["games"],
            "GIH WR": 100 * cards["rate"],
            "above_deck": 100 * cards["above_deck"],
            "IIH": ["–" if pd.isna(value) else f"{100 * value:+.1f}" for value in cards["iih"]],
            "play_rate": 100 * cards["play_rate"],
            "GP WR": 100 * cards["gp_wr"],
            "copies": cards["copies"],
        }
    )
    styled = shown.style.apply(lambda row: ["color: #808894" if thin[row.name] else ""] * len(row), axis=1)
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    st.dataframe(
        styled, hide_index=True, height=640, key="cards",
        column_config={
            "": st.column_config.ImageColumn(width=34),
            "card": text(t("card"), width=150),
            "cost": number(t("cost"), width=44),
            "kind": text(t("kind"), width=66),
            "interval": st.column_config.ImageColumn(
                t("effect_scale", low=f"{100 * low:+.0f}", high=f"{100 * high:+.0f}"), width=170),
            "effect": number(t("effect"), width=74, format="%+.1f", help=t("effect_means")),
            "±": number(width=42, format="%.1f", help=t("half_means")),
            "games": number(t("games"), width=58, format="localized"),
            "GIH WR": number(width=60, format="%.1f", help=t("gih_means")),
            "above_deck": number(t("above_deck"), width=74, format="%+.1f", help=t("above_means")),
            "IIH": text(width=52, help=t("iih_life")),
            "play_rate": number(t("play_rate"), width=66, format="%.0f", help=t("play_means")),
            "GP WR": number(width=60, format="%.1f", help=t("gp_means")),
            "copies": number(t("copies"), width=60, format="localized"),
        },
    )  # fmt: skip
    st.caption(t("cards_caption", n=len(cards), version=VERSION))


def _early(cards: pd.DataFrame) -> str:
    """What the ranking says, with how many first cards are meant in this game."""
    known = cards.dropna(subset=["early"])
    early = sorted({int(n) for n in known["early"]}, reverse=True)
    share = known["ended_before"].max() if len(known) else float("nan")
    said = "–" if math.isnan(share) else f"{100 * share:.1f}"
    return t("ranked_means", early=" / ".join(map(str, early)) or "–", share=said)


def _span(cards: pd.DataFrame) -> tuple[float, float]:
    """Scale of the interval bars: whole tens of points around those that are not thin, the same to both sides of 0."""
    sure = cards[~cards["effect_thin"].fillna(True).astype(bool)]
    if sure.empty:
        return -0.3, 0.3
    most = math.ceil(10 * max(-sure["effect_low"].min(), sure["effect_high"].max(), 0.1)) / 10
    return -most, most


def _mean(cards: pd.DataFrame) -> float | None:
    """Mean of the rates, each copy weighing the same."""
    total = cards["copies"].sum()
    return float((cards["rate"] * cards["copies"]).sum() / total) if total else None


main()
