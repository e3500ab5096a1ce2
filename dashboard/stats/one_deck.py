"""A deck's own page: its list, how it fares against whom and from which seat, which of its cards matter; its games."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st
from msgspec import structs

from dashboard import address, data
from dashboard.charts import marks, ranking
from dashboard.i18n import chosen, literal, t
from dashboard.stats import family, games_behind, numbers, page, panel
from dashboard.words import page_words
from replays.stats.metrics import Filters
from replays.store.groups import Family

_ENDS = 8
"""Cards at each end of the ranking."""


def deck_page(filters: Filters, deck: str) -> None:
    """The page of the deck with this digest."""
    st.button(t("all_decks_back"), type="tertiary", icon=":material/arrow_back:", on_click=address.put,
              args=("list", ""))  # fmt: skip
    rates = numbers.metric_frame("deck_win_rate", filters, chosen())
    own = rates[rates["deck"] == deck]
    if own.empty:
        st.info(t("deck_not_played"))
        return
    row = own.iloc[0]
    name = row["deck_name"] or deck[:8]
    st.header(literal(name), anchor=False)
    together = family.family_named(filters.game or "", deck) if filters.families else None
    if together is None:
        family.show_family(filters.game or "", deck, name)
    _tiles(filters, deck, row)
    one, other = st.columns([1, 1.35], gap="medium")
    with one:
        if together is None:
            _list(filters, deck)
        else:
            _versions(together)
    with other:
        _matchups(filters, deck)
        _cards(filters, deck)


def tile(place: Any, label: str, row: pd.Series, counts: str, turned: bool = False) -> None:
    """A rate with its interval and how many games it stands for; `turned`: that of the other side."""
    rate, low, high = (100 * row[name] for name in ("rate", "low", "high"))
    if turned:
        rate, low, high = 100 - rate, 100 - high, 100 - low
    place.metric(label, f"{rate:.1f} %")
    place.caption(f"{low:.1f} … {high:.1f} · " + t("in_n_games", n=f"{row[counts]:,}"))


def _tiles(filters: Filters, deck: str, row: pd.Series) -> None:
    tiles = st.container(key="tiles").columns(5)
    tile(tiles[0], t("win_rate"), row, "games")
    for place, seat, label in ((tiles[1], "first", "going_first"), (tiles[2], "second", "going_second")):
        seats = numbers.metric_frame("deck_win_rate", structs.replace(filters, seat=seat), chosen())
        own = seats[seats["deck"] == deck]
        if not own.empty and filters.seat in (None, seat):
            tile(place, t(label), own.iloc[0], "games")
    field = numbers.metric_frame("field", filters, chosen())
    own = field[(field["deck"] == deck) & field["week"].isna()]
    if not own.empty:
        tile(tiles[3], t("share"), own.iloc[0], "games")
    tiles[4].button(t("open_the_games", n=f"{row['games'] + row['draws']:,}"), type="primary",
                    on_click=games_behind.ask, args=("deck_win_rate",), kwargs={"deck": deck})  # fmt: skip


def _list(filters: Filters, deck: str) -> None:
    """The cards; a click leads to the card's page."""
    st.markdown(f"**{t('ask_list')}**")
    cards = numbers.with_looks(numbers.list_of_deck(filters.game or "", deck, chosen()), chosen())
    shown = pd.DataFrame({
        "": [marks.picture(*mark) for mark in zip(cards["fill"], cards["shape"], strict=True)],
        "copies": cards["copies"], "card": cards["card"], "kind": cards["kind"], "cost": cards["cost"].astype("Int64"),
    })  # fmt: skip
    if shown["cost"].isna().all():
        shown = shown.drop(columns="cost")
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    panel.row_table(
        shown, "deck_list",
        {"": st.column_config.ImageColumn("◆", width=34), "copies": number("×", width=36),
         "card": text(t("card"), width=170), "kind": text(t("kind"), width=104), "cost": number(t("cost"), width=50)},
        rows=numbers.to_files(cards), caption=t("list_caption", n=int(cards["copies"].sum())),
        height=35 * len(cards) + 38, clicked=lambda n: _to_card(filters)(cards["code"].iloc[n]),
    )  # fmt: skip


def _versions(together: Family) -> None:
    """The decks of a family; each leads to its own page, counted for itself."""
    st.markdown(f"**{t('family_decks')}**")
    names = data.named_decks(together.game, chosen())
    for deck in (one for one in together.decks if one in names):
        st.button(
            literal(f"{names[deck]} · {deck[:8]}"), key=f"version_{deck}", type="tertiary", on_click=address.put,
            args=("list", data.short(deck), "families"),
        )  # fmt: skip


def _to_card(filters: Filters) -> panel.Clicked:
    return lambda code: page.go_to("cards", filters, card=code)


def _matchups(filters: Filters, deck: str) -> None:
    cells = numbers.metric_rows("matchups", filters, chosen())
    own = cells.to_pandas()
    own = own[(own["deck"] == deck) & (own["against"] != deck)].sort_values("rate", ascending=False)
    if own.empty:
        return
    drawn = numbers.percent(own, "against", "against_name").assign(sure=~own["thin"].astype(bool))
    figure = ranking.ranked(drawn, t("win_rate_axis"), page_words(chosen()), 50, False, "known_well", "thin")
    panel.chart(
        t("ask_deck_against"), figure, pa.Table.from_pandas(own, preserve_index=False), "deck_matchups",
        t("draws_half"), clicked=lambda other: games_behind.ask("matchups", deck=deck, against=other),
    )  # fmt: skip


def _cards(filters: Filters, deck: str) -> None:
    """The draw effect within the deck."""
    rows = numbers.metric_rows("draw_effect", structs.replace(filters, deck=deck), chosen())
    known = numbers.percent(rows.to_pandas(), "code", "card", "effect").dropna(subset=["low"])
    if known.empty:
        return
    ends = ranking.ends(known.assign(sure=known["certain"]), "shrunk", _ENDS)
    figure = ranking.ranked(ends, t("effect_axis"), page_words(chosen()))
    panel.chart(t("ask_deck_cards"), figure, rows, "deck_cards", t("m_draw_effect_means"), clicked=_to_card(filters))
