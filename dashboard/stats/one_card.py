"""A card's own page: its face, all its numbers, when it matters and is played, where it fares well; and the games."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard import address, data
from dashboard.charts import lines, marks, ranking
from dashboard.i18n import chosen, literal, t
from dashboard.stats import card_face, games_behind, numbers, panel
from dashboard.words import page_words
from replays.stats.columns import is_share, is_signed
from replays.stats.metrics import Filters

_ENDS = 6
"""Decks at each end of a ranking."""


class CardNumber(NamedTuple):
    """A number of a card: its metric, and the column there, after which the bounds stand."""

    metric: str
    column: str
    counts: str = "games"

    @property
    def word(self) -> str:
        """What it is called, and with `_means` what it means."""
        own = self.column in ("rate", "effect", "difference")
        return f"m_{self.metric}" if own else f"m_{self.metric}_{self.column}"


_RATES = ("gih_wr", "gp_wr", "oh_wr", "gd_wr", "gns_wr", "played_wr", "turned_up_wr")

NUMBERS = (
    CardNumber("draw_effect", "effect"), CardNumber("above_deck", "difference"), CardNumber("iih", "difference"),
    CardNumber("iih", "adjusted_difference"), *(CardNumber(name, "rate") for name in _RATES),
    CardNumber("hands", "rate", "hands"), CardNumber("hands", "kept_rate", "kept_games"),
    CardNumber("hands", "redrawn_rate", "redrawn_games"), CardNumber("deck_rate", "rate"),
    CardNumber("play_rate", "rate"), CardNumber("turn_played", "turn"), CardNumber("turn_played", "turns_held"),
    *(CardNumber("work_done", work) for work in ("damage_cards", "damage_player", "drew", "destroyed")),
)  # fmt: skip


class KnownNumber(NamedTuple):
    """A number that is known of the card, with its interval, and of how many games."""

    number: CardNumber
    value: float
    low: float | None
    high: float | None
    games: int

    @property
    def share(self) -> bool:
        """Whether it is a share or a difference of shares, which people read in percent."""
        return is_share(self.number.column)

    @property
    def signed(self) -> bool:
        """Whether it is a difference."""
        return is_signed(self.number.column)


def card_page(filters: Filters, code: str) -> None:
    """The page of the card with this code."""
    st.button(t("all_cards"), type="tertiary", icon=":material/arrow_back:", on_click=address.put, args=("card", ""))
    game = filters.game or ""
    found = list(_values(filters, code))
    name = data.look(game, code, _name(filters, code), chosen())
    st.header(literal(name.card), anchor=False)
    face, table = st.columns([1, 2.2], gap="medium")
    with face:
        card_face.draw_face(game, code)
        if found:
            _meanings(found)
    with table:
        if not found:
            st.info(t("card_not_played"))
            return
        _numbers(found, code)
    _over_time(filters, code)
    _decks(filters, code)
    _partners(filters, code)


def _name(filters: Filters, code: str) -> str:
    rows = numbers.metric_rows("gp_wr", filters, chosen()).select(["code", "card"]).to_pylist()
    return next((row["card"] for row in rows if row["code"] == code), code)


# --- all numbers --------------------------------------------------------------------------------------------


def _values(filters: Filters, code: str) -> Iterator[KnownNumber]:
    """What is known of the card."""
    for number in NUMBERS:
        rows = numbers.of_card(number.metric, filters, chosen(), code)
        if not rows.num_rows or rows.column(number.column)[0].as_py() is None:
            continue
        at = rows.column_names.index(number.column)
        value, low, high = (rows.column(at + n)[0].as_py() for n in range(3))
        yield KnownNumber(number, value, low, high, rows.column(number.counts)[0].as_py())


def _numbers(found: list[KnownNumber], code: str) -> None:
    ends = [abs(end) for one in found if one.signed for end in (one.low, one.high) if end is not None]
    span = math.ceil(10 * max([0.1, *ends])) / 10
    shown = pd.DataFrame({
        "number": [t(one.number.word) for one in found],
        "value": [_said(one, one.value) for one in found],
        "games": [one.games for one in found],
        "interval": [_bar(one, span) for one in found],
        "between": ["–" if one.low is None else f"{_said(one, one.low)} … {_said(one, one.high)}" for one in found],
    })  # fmt: skip
    column = st.column_config
    panel.row_table(
        shown, "card_values",
        {
            "number": column.TextColumn(t("number"), width=215), "value": column.TextColumn(t("value"), width=66),
            "games": column.NumberColumn(t("games"), format="localized", width=60),
            "interval": column.ImageColumn(t("interval"), width=marks.BAR),
            "between": column.TextColumn(t("between"), width=115),
        },
        rows=pa.table({
            "metric": [one.number.metric for one in found], "number": [one.number.column for one in found],
            **{name: [getattr(one, name) for one in found] for name in ("value", "low", "high", "games")},
        }),
        caption=t("card_numbers_caption", span=f"{100 * span:.0f}"), height=35 * len(found) + 38,
        clicked=lambda n: games_behind.ask(found[n].number.metric, code=code),
    )  # fmt: skip


def _meanings(found: list[KnownNumber]) -> None:
    with st.expander(t("what_numbers_mean")):
        st.markdown("\n".join(f"- **{t(one.number.word)}**: {t(one.number.word + '_means')}" for one in found))


def _said(one: KnownNumber, value: float | None) -> str:
    if value is None:
        return "–"
    if not one.share:
        return f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{100 * value:+.1f}" if one.signed else f"{100 * value:.1f} %"


def _bar(one: KnownNumber, span: float) -> str | None:
    if not one.share or one.low is None or one.high is None:
        return None
    scale, at = ((-span, span), 0.0) if one.signed else ((0.0, 1.0), 0.5)
    return marks.interval(one.value, one.low, one.high, (one.high - one.low) / 2 > 0.05, scale, at)


# --- when ---------------------------------------------------------------------------------------------------


def _over_time(filters: Filters, code: str) -> None:
    """By when it must be drawn to matter, in which turn it is played, and how these games go."""
    said = page_words(chosen())
    curve = numbers.of_card("draw_curve", filters, chosen(), code)
    plays = numbers.of_card("played_by_turn", filters, chosen(), code)
    one, other = st.columns(2, gap="medium")
    if curve.num_rows:
        drawn = numbers.percent(curve.to_pandas().assign(x=lambda rows: rows["k"]), "k", value="effect")
        piles = [lines.DrawnLine(data.zone(filters.game or "", str(pile), chosen()), rows.reset_index(drop=True))
                 for pile, rows in drawn.groupby("pile")]  # fmt: skip
        with one:
            figure = lines.lines(piles, t("first_cards"), t("effect_axis"), said, at=0)
            panel.chart(t("ask_curve"), figure, curve, "draw_curve", t("curve_means"),
                        clicked=lambda _: games_behind.ask("draw_effect", code=code))  # fmt: skip
    if plays.num_rows:
        turns = plays.to_pandas().assign(x=lambda rows: rows["first_turn"])
        with other:
            bars = numbers.percent(turns, "first_turn", value="share", low="share_low", high="share_high")
            panel.chart(
                t("ask_when_played"), lines.shares(bars, t("turn"), t("share_of_plays"), said), plays, "played_by_turn",
                clicked=lambda turn: games_behind.ask("played_by_turn", code=code, first_turn=int(turn)),
            )  # fmt: skip
        known = numbers.percent(turns[turns["games"] > 0], "first_turn").reset_index(drop=True)
        line = [lines.DrawnLine(t("win_rate"), known)]
        panel.chart(
            t("ask_win_by_turn"), lines.lines(line, t("turn_of_play"), t("win_rate_axis"), said, at=50, height=300),
            plays, "win_by_turn",
            clicked=lambda turn: games_behind.ask("played_by_turn", code=code, first_turn=int(turn)),
        )  # fmt: skip


# --- where --------------------------------------------------------------------------------------------------


def _decks(filters: Filters, code: str) -> None:
    """In which decks, and against which, it fares well and badly in the hand."""
    places = st.columns(2, gap="medium")
    for place, (metric, end, question) in zip(places, (
        ("gih_in_deck", "deck", "ask_in_deck"), ("gih_against", "against", "ask_against"),
    ), strict=True):  # fmt: skip
        rows = numbers.of_card(metric, filters, chosen(), code)
        known = numbers.percent(rows.to_pandas(), end, f"{end}_name").dropna(subset=["rate"])
        if known.empty:
            continue
        shown = ranking.ends(known.assign(sure=~known["thin"].astype(bool)), "shrunk", _ENDS)
        figure = ranking.ranked(shown, t("gih_axis"), page_words(chosen()), 50, False, "known_well", "thin")
        with place:
            panel.chart(t(question), figure, rows, metric, t("held_means"), clicked=_asking(metric, code, end))


def _asking(metric: str, code: str, end: str) -> panel.Clicked:
    return lambda deck: games_behind.ask(metric, **{"code": code, end: deck})


def _partners(filters: Filters, code: str) -> None:
    """With which cards of its decks it works well and badly; asked for, since all pairs are gone through for it."""
    if not address.yes(st.toggle, "partners", t("ask_partners"), help=t("m_pair_effect_means")):
        return
    with st.spinner(t("counting")):
        rows = numbers.metric_rows("pair_effect", filters, chosen()).to_pandas()
    own = rows[(rows["code"] == code) | (rows["other_code"] == code)].dropna(subset=["low"])
    if own.empty:
        st.info(t("no_pairs"))
        return
    second = own["other_code"].where(own["code"] == code, own["code"])
    name = own["other_card"].where(own["code"] == code, own["card"])
    own = own.assign(partner=second, name=name + " · " + own["deck_name"], pair=second + "\n" + own["deck"])
    shown = ranking.ends(numbers.percent(own, "pair", "name", "effect"), "shrunk", _ENDS)
    figure = ranking.ranked(shown.assign(sure=shown["certain"]), t("pair_axis"), page_words(chosen()))

    def games(pair: str) -> None:
        other, _, deck = pair.partition("\n")
        one, two = sorted((code, other))
        games_behind.ask("pair_effect", code=one, other_code=two, deck=deck)

    panel.chart(t("ask_partners"), figure, pa.Table.from_pandas(own, preserve_index=False), "pair_effect",
                t("pair_means"), clicked=games)  # fmt: skip
