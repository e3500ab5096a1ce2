"""How the cards perform: a table with intervals, and in-hand win rate against play rate."""

from __future__ import annotations

import math
from typing import Literal

import pandas as pd
import streamlit as st

from dashboard import charts, data
from replays.library import LibraryError
from replays.metrics import Filters

ANY = "Any"
SEATS: dict[str, Literal["first", "second"] | None] = {ANY: None, "first": "first", "second": "second"}


def main() -> None:
    """The page."""
    st.title("Cards")
    try:
        games = data.entries()
        played = sorted({e.game for e in games})
        filters, view = choices(played, games) if played else (Filters(), "copies")
        cards = data.cards(filters) if played else None
    except LibraryError as problem:
        st.error(str(problem))
        return
    if cards is None or cards.empty:
        st.info(
            "No data yet: run `cardfold demo`; or `cardfold simulate liveon -n 1000` and then `cardfold build`."
            if cards is None or not filters.deck
            else "No counted game fits these filters."
        )
        return
    if view == "games":
        cards = cards.assign(**{n: cards[f"{n}_by_games"] for n in ("rate", "low", "high", "thin", "shrunk")})
    cards = cards.sort_values("shrunk", ascending=False, na_position="last").reset_index(drop=True)
    table, chart = st.columns([1.55, 1], gap="medium")
    with table:
        rates(cards)
    with chart, st.container(border=True):
        st.markdown("**In-hand win rate against play rate**")
        known = cards.dropna(subset=["rate", "play_rate"])
        st.plotly_chart(charts.rate_scatter(known, _mean(known)), key="scatter", config={"displaylogo": False})


def choices(played: list[str], games: list[data.Entry]) -> tuple[Filters, str]:
    """The filters above the table, and whether copies or games are counted."""
    with st.container(border=True):
        game, deck, seat, unit, count = st.columns([1, 1.5, 1, 1.2, 1.2], vertical_alignment="bottom")
    key = game.selectbox("Game", played, format_func=data.title)
    decks = data.deck_choices(games, key)
    digest = deck.selectbox("Deck", [ANY, *decks], format_func=lambda d: decks.get(d, d))
    place = seat.selectbox("Seat", list(SEATS))
    view = unit.segmented_control("Count", ["copies", "games"], default="copies", required=True)
    filters = Filters(game=key, deck=None if digest == ANY else digest, seat=SEATS[place])
    in_all, out = data.counted(filters)
    count.markdown(f"**{in_all:,}** games" + (f" · {out:,} left out" if out else ""))
    return filters, view or "copies"


def rates(cards: pd.DataFrame) -> None:
    """The table; rows whose interval is wider than five points to a side are grey, their dot hollow."""
    low, high = span = _span(cards)
    shown = pd.DataFrame(
        {
            "": [charts.symbol(frame) for frame in cards["frame"]],
            "Card": cards["card"],
            "interval": [
                None if pd.isna(r) else charts.interval(r, a, b, bool(t), span)
                for r, a, b, t in zip(cards["rate"], cards["low"], cards["high"], cards["thin"], strict=True)
            ],
            "GIH WR": 100 * cards["rate"],
            "±": 50 * (cards["high"] - cards["low"]),
            "Games": cards["games"],
            "IIH": 100 * cards["iih"],
            "Play rate": 100 * cards["play_rate"],
            "GP WR": 100 * cards["gp_wr"],
            "Copies": cards["copies"],
        }
    )
    thin = cards["thin"].fillna(True).astype(bool)
    styled = shown.style.apply(lambda row: ["color: #808894" if thin[row.name] else ""] * len(row), axis=1)
    number = st.column_config.NumberColumn
    st.dataframe(
        styled, hide_index=True, height=620, key="cards",
        column_config={
            "": st.column_config.ImageColumn(width=34),
            "Card": st.column_config.TextColumn(width=165),
            "interval": st.column_config.ImageColumn(f"{100 * low:.0f} to {100 * high:.0f} %, 95 %", width=170),
            "GIH WR": number(width=60, format="%.1f", help="Win rate of the copies in hand (opening, drawn), percent."),
            "±": number(width=42, format="%.1f", help="Half of the interval's width, in percentage points."),
            "Games": number(width=58, format="localized"),
            "Copies": number(width=60, format="localized"),
            "IIH": number(width=58, format="%+.1f", help="GIH WR less the win rate of the copies not seen, in points."),
            "Play rate": number(width=66, format="%.0f", help="Share of the copies in hand that was played, percent."),
            "GP WR": number(width=60, format="%.1f", help="Win rate of the copies in the deck list, in percent."),
        },
    )  # fmt: skip
    st.caption(
        f"{len(cards)} cards by the shrunk estimate. The dotted line of the bar is 50 %. Grey rows with a hollow dot "
        "are thin: half-width above 5 points. Definitions m1."
    )


def _span(cards: pd.DataFrame) -> tuple[float, float]:
    """Scale of the interval bars: whole tens of percent around those that are not thin, with one half inside."""
    sure = cards[~cards["thin"].fillna(True).astype(bool)]
    if sure.empty:
        return 0.2, 0.8
    low, high = min(0.45, sure["low"].min()), max(0.55, sure["high"].max())
    return math.floor(10 * low) / 10, math.ceil(10 * high) / 10


def _mean(cards: pd.DataFrame) -> float | None:
    """Mean of the rates, each copy weighing the same."""
    total = cards["copies"].sum()
    return float((cards["rate"] * cards["copies"]).sum() / total) if total else None


main()
