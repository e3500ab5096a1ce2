"""How the decks fare: share of the field, win rate, rating; against each other; and each deck's own page."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard import address, data
from dashboard.charts import marks, matrix
from dashboard.i18n import chosen, literal, t
from dashboard.stats import games_behind, numbers, one_deck, page, panel
from dashboard.words import page_words
from replays.stats.metrics import VERSION, Filters
from replays.store.groups import family_of

_FILTERS = tuple(name for name in page.ALL_FILTERS if name != "deck")

_SIZES = ("6", "8", "12")
"""How many decks the matrix may show."""


def main(filters: Filters) -> None:
    """All decks, or the page of the one in the address."""
    deck = address.here("list")
    if deck:
        one_deck.deck_page(filters, _counted_as(data.deck_of(deck), filters))
        return
    found = every_deck(filters)
    if found.empty:
        page.nothing(filters)
        return
    deck_table(found)
    cells = numbers.metric_frame("matchups", filters, chosen())
    if not cells.empty:
        against_each_other(found, cells, filters)


def _counted_as(deck: str, filters: Filters) -> str:
    """What statistics call a deck: by its family where versions count together."""
    return family_of(data.library().groups()).get(deck, deck) if filters.families else deck


def open_deck(deck: str) -> None:
    """Puts a deck's own page into the address."""
    address.put("list", data.short(deck))


def every_deck(filters: Filters) -> pd.DataFrame:
    """A row a deck: `share`, `rate` and `rating` with their intervals, the most played one first."""
    language = chosen()
    rates = numbers.metric_frame("deck_win_rate", filters, language)
    field = numbers.metric_frame("field", filters, language)
    field = field[field["week"].isna()].rename(columns={"rate": "share", "low": "share_low", "high": "share_high"})
    rating = numbers.metric_frame("deck_rating", filters, language)
    rating = rating.rename(columns={"low": "rating_low", "high": "rating_high"})
    found = field[["game", "deck", "share", "share_low", "share_high"]].merge(rates, on=["game", "deck"])
    return found.merge(
        rating[["game", "deck", "rating", "rating_low", "rating_high"]], on=["game", "deck"], how="left"
    ).sort_values("share", ascending=False, ignore_index=True)


def deck_table(decks: pd.DataFrame) -> None:
    """Share, win rate and rating, each with its interval."""
    def bar(row: pd.Series) -> str | None:
        return None if pd.isna(row["low"]) else marks.interval(
            row["rate"], row["low"], row["high"], bool(row["thin"]), (0.2, 0.8), 0.5)

    def half(name: str) -> pd.Series:
        return (decks[f"{name}_high"] - decks[f"{name}_low"]) / 2

    shown = pd.DataFrame({
        "deck": decks["deck_name"], "win_rate": 100 * decks["rate"], "±": 50 * (decks["high"] - decks["low"]),
        "games": decks["games"], "interval": decks.apply(bar, axis=1),
        "rating": decks["rating"].astype(float).round(), "± rating": half("rating").astype(float).round(),
        "share": 100 * decks["share"], "± share": 100 * half("share"), "draws": decks["draws"],
    })  # fmt: skip
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    panel.row_table(
        shown, "decks",
        {
            "deck": text(t("deck"), width=150),
            "share": number(t("share"), format="%.1f", width=70, help=t("m_field_means")),
            "± share": number("±", format="%.1f", width=46, help=t("half_means")),
            "interval": st.column_config.ImageColumn(t("win_rate_scale"), width=marks.BAR),
            "win_rate": number(t("m_deck_win_rate"), format="%.1f", width=80, help=t("m_deck_win_rate_means")),
            "±": number(format="%.1f", width=46, help=t("half_means")),
            "rating": number(t("m_deck_rating"), format="%+.0f", width=66, help=t("m_deck_rating_means")),
            "± rating": number("±", format="%.0f", width=46, help=t("half_rating_means")),
            "games": number(t("games"), format="localized", width=76),
            "draws": number(t("draws"), format="localized", width=66),
        },
        rows=pa.Table.from_pandas(decks, preserve_index=False), thin=decks["thin"].fillna(True).astype(bool),
        caption=t("decks_caption", n=len(decks), version=VERSION), clicked=lambda n: open_deck(decks["deck"].iloc[n]),
    )  # fmt: skip


# --- against each other -------------------------------------------------------------------------------------


def against_each_other(decks: pd.DataFrame, cells: pd.DataFrame, filters: Filters) -> None:
    """The matrix, and what is known of the cell in the address."""
    sizes = {n: t("largest", n=n) for n in _SIZES if int(n) < len(decks)} | {"all": t("all_decks", n=len(decks))}
    default = "8" if "8" in sizes else "all"
    size = address.choose(st.segmented_control, "most", sizes, t("decks_shown"), default=default, required=True)
    order = list(decks["deck"] if size == "all" else decks["deck"].head(int(size)))
    names = {deck: name for row in cells.itertuples()
             for deck, name in ((row.deck, row.deck_name), (row.against, row.against_name))}  # fmt: skip
    theme = st.context.theme.type or "light"
    figure = matrix.matrix(cells, [deck for deck in order if deck in names], names, theme, page_words(chosen()))
    panel.chart(
        t("ask_matrix"), figure, pa.Table.from_pandas(cells, preserve_index=False), "matchups", t("matrix_means"),
        clicked=_open_cell, whole=True, least=matrix.width_of(len(order)),
    )  # fmt: skip
    pair(filters, cells)


def _open_cell(cell: list[str]) -> None:
    deck, against = cell[0], cell[1]
    if not against:
        open_deck(deck)
        return
    address.put("pair", f"{data.short(deck)}\n{data.short(against)}")


def pair(filters: Filters, cells: pd.DataFrame) -> None:
    """One cell of the matrix: by seat, length, rating; and its games."""
    said = address.here("pair")
    asked = said.split("\n") if "\n" in said else said.split()  # names of families have blanks; older links have one
    if len(asked) != 2:
        return
    deck, against = map(data.deck_of, asked)
    cell = cells[(cells["deck"] == deck) & (cells["against"] == against)]
    if cell.empty:
        return
    row = cell.iloc[0]
    with st.container(border=True):
        st.markdown(f"**{literal(t('one_against_other', one=row['deck_name'], other=row['against_name']))}**")
        tiles = st.container(key="tiles").columns(4)
        one_deck.tile(tiles[0], t("win_rate"), row, "games")
        first = numbers.metric_frame("first_in_matchup", filters, chosen())
        for place, label, pairing, turned in (
            (tiles[1], "going_first", (deck, against), False), (tiles[2], "going_second", (against, deck), True),
        ):  # fmt: skip
            found = first[(first["deck"] == pairing[0]) & (first["against"] == pairing[1])]
            if not found.empty:
                one_deck.tile(place, t(label), found.iloc[0], "games", turned)
        tiles[3].button(t("open_the_games", n=f"{row['games']:,}"), on_click=games_behind.ask, args=("matchups",),
                        kwargs={"deck": deck, "against": against}, type="primary")  # fmt: skip


page.open_page(t("decks"), main, *_FILTERS)
