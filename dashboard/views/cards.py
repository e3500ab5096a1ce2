"""How the cards perform: ranked by the draw effect; other rates one click away; and each card's own page."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from dashboard import address
from dashboard.charts import marks, ranking
from dashboard.i18n import chosen, t
from dashboard.stats import numbers, one_card, page, panel
from dashboard.words import page_words
from replays.stats.metrics import VERSION, Filters

_ENDS = 10
"""Cards at each end of the ranking."""

def main(filters: Filters) -> None:
    """The list of cards, or the page of the one in the address."""
    code = address.here("card")
    if code:
        one_card.card_page(filters, code)
    else:
        every_card(filters)


def every_card(filters: Filters) -> None:
    """All cards in one of three views."""
    ways = {"effect": t("view_effect"), "rates": t("view_rates"), "all": t("view_all")}
    view = address.choose(
        st.segmented_control, "view", ways, t("view"), default="effect", required=True, label_visibility="collapsed"
    )
    {"effect": by_draw_effect, "rates": rates, "all": all_numbers}[view](filters)


def open_card(code: str) -> None:
    """Puts a card's own page into the address."""
    address.put("card", code)


# --- by the draw effect -------------------------------------------------------------------------------------


def by_draw_effect(filters: Filters) -> None:
    """What an early draw is worth: the table and the best and worst as a chart."""
    found = numbers.metric_rows("draw_effect", filters, chosen())
    cards = numbers.with_looks(found.to_pandas(), chosen())
    if cards.empty:
        page.nothing(filters)
        return
    table, chart = st.container(key="chart_first").columns([1.4, 1], gap="medium")
    with table:
        effect_table(cards)
    with chart:
        ends = ranking.ends(numbers.percent(cards, "code", "card", "effect"), "shrunk", _ENDS)
        ends = ends[ends["low"].notna()].assign(sure=ends["certain"])
        figure = ranking.ranked(ends, t("effect_axis"), page_words(chosen()))
        panel.chart(t("ask_effect"), figure, found, "draw_effect_chart", early(cards), clicked=open_card)


def effect_table(cards: pd.DataFrame) -> None:
    """Name, cost, kind, effect with its interval, games; thin rows are grey, their dot hollow."""
    span = _span(cards)
    thin = cards["thin"].fillna(True).astype(bool)
    bounds = cards[["effect", "low", "high"]].itertuples(index=False)
    shown = pd.DataFrame({
        "": [marks.picture(*mark) for mark in zip(cards["fill"], cards["shape"], strict=True)],
        "card": cards["card"],
        "cost": cards["cost"].astype("Int64"),
        "kind": cards["kind"],
        "interval": [
            None if pd.isna(b) else marks.interval(effect, a, b, hollow, span, 0)
            for (effect, a, b), hollow in zip(bounds, thin, strict=True)
        ],
        "effect": 100 * cards["effect"],
        "games": cards["games"],
    })  # fmt: skip
    if shown["cost"].isna().all():  # nothing in this game costs anything
        shown = shown.drop(columns="cost")
    number, text, image = st.column_config.NumberColumn, st.column_config.TextColumn, st.column_config.ImageColumn
    panel.row_table(
        shown, "draw_effect",
        {
            "": image("◆", width=34), "card": text(t("card"), width=165), "cost": number(t("cost"), width=52),
            "kind": text(t("kind"), width=104),
            "interval": image(t("interval_to", n=f"{100 * span[1]:.0f}"), width=marks.BAR),
            "effect": number(t("effect"), width=84, format="%+.1f", help=t("m_draw_effect_means")),
            "games": number(t("games"), width=62, format="localized"),
        },
        rows=numbers.to_files(cards), height=640, thin=thin,
        caption=t("cards_caption", n=len(cards), version=VERSION), clicked=lambda n: open_card(cards["code"].iloc[n]),
    )  # fmt: skip


def early(cards: pd.DataFrame) -> str:
    """What the ranking says, with how many first cards are meant in this game."""
    known = cards.dropna(subset=["early"])
    first = sorted({int(n) for n in known["early"]}, reverse=True)
    share = known["ended_before_share"].max() if len(known) else float("nan")
    said = "–" if math.isnan(share) else f"{100 * share:.1f}"
    return t("ranked_means", early=" / ".join(f"{n:d}" for n in first) or "–", share=said)


def _span(cards: pd.DataFrame) -> tuple[float, float]:
    """Scale of the interval bars: whole tens of points around those that are not thin, the same to both sides of 0."""
    sure = cards[~cards["thin"].fillna(True).astype(bool)]
    if sure.empty:
        return -0.3, 0.3
    most = math.ceil(10 * max(-sure["low"].min(), sure["high"].max(), 0.1)) / 10
    return -most, most


# --- other numbers ------------------------------------------------------------------------------------------


def _in_hand(filters: Filters) -> pd.DataFrame:
    """In-hand win rates with the play rate, by copies or by games."""
    ways = {"copies": t("by_copies"), "games": t("by_games")}
    unit = address.choose(st.segmented_control, "unit", ways, t("count"), default="copies", required=True)
    found = numbers.metric_frame("gih_wr", filters, chosen())
    found = found[found["copies"] > 0]
    if unit == "games":
        found = found.assign(**{n: found[f"{n}_by_games"] for n in ("rate", "low", "high", "thin", "shrunk")})
    for name, column in (("play_rate", "rate"), ("gp_wr", "rate"), ("above_deck", "difference"), ("iih", "difference")):
        other = numbers.metric_frame(name, filters, chosen())[["game", "code", column]]
        found = found.merge(other.rename(columns={column: name}), on=["game", "code"])
    return numbers.with_looks(found.sort_values("shrunk", ascending=False).reset_index(drop=True), chosen())


def rates(filters: Filters) -> None:
    """In-hand win rate against play rate."""
    cards = _in_hand(filters).dropna(subset=["rate", "play_rate"])
    if cards.empty:
        page.nothing(filters)
        return
    total = cards["copies"].sum()
    mean = float((cards["rate"] * cards["copies"]).sum() / total) if total else None
    figure = ranking.rate_scatter(cards, mean, page_words(chosen()))
    panel.chart(t("ask_rates"), figure, numbers.to_files(cards), "rates_chart", clicked=open_card)


def all_numbers(filters: Filters) -> None:
    """The main numbers of each card in one table."""
    cards = _in_hand(filters)
    if cards.empty:
        page.nothing(filters)
        return
    shown = pd.DataFrame({
        "card": cards["card"], "kind": cards["kind"], "games": cards["games"], "copies": cards["copies"],
        "gih_wr": 100 * cards["rate"], "±": 50 * (cards["high"] - cards["low"]),
        "above_deck": 100 * cards["above_deck"],
        "iih": ["–" if pd.isna(value) else f"{100 * value:+.1f}" for value in cards["iih"]],
        "play_rate": 100 * cards["play_rate"], "gp_wr": 100 * cards["gp_wr"],
    })  # fmt: skip
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    columns = {
        "card": text(t("card")), "kind": text(t("kind")), "games": number(t("games"), format="localized"),
        "copies": number(t("copies"), format="localized"), "±": number(format="%.1f", help=t("half_means")),
        "iih": text(t("m_iih"), help=t("m_iih_means")),
    }  # fmt: skip
    for name, form in (("gih_wr", "%.1f"), ("above_deck", "%+.1f"), ("play_rate", "%.0f"), ("gp_wr", "%.1f")):
        columns[name] = number(t(f"m_{name}"), format=form, help=t(f"m_{name}_means"))
    panel.row_table(
        shown, "card_numbers", columns, rows=numbers.to_files(cards), height=640, thin=cards["thin"].astype(bool),
        caption=t("numbers_caption", n=len(cards), version=VERSION), clicked=lambda n: open_card(cards["code"].iloc[n]),
    )  # fmt: skip


page.open_page(t("cards"), main, *page.ALL_FILTERS)
