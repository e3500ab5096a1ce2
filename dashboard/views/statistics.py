"""Every statistic there is, as a table: what is chosen, with its intervals; the games behind a row; files."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard import address, data
from dashboard.i18n import chosen, t
from dashboard.stats import games_behind, numbers, page, panel
from engine.rulebooks import registry
from engine.words import words
from replays.cli import people
from replays.stats.behind import keys_of
from replays.stats.columns import is_share, is_signed
from replays.stats.metrics import METRICS, VERSION, Filters

_HIDDEN = ("game", "against")
"""Columns that say nothing to people: the game is chosen above, a deck has its name (`deck` is hidden where it is one).
"""

_MOST = 2000
"""Rows that the page shows; the files have all."""


def main(filters: Filters) -> None:
    """The choice, what it means, and its rows."""
    names = {name: f"{t(metric.of)} · {t(f'm_{name}')}" for name, metric in METRICS.items()}
    name = address.choose(st.selectbox, "metric", names, t("number"), default=next(iter(METRICS)), width=420)
    address.say_problems()
    st.caption(t(f"m_{name}_means"))
    rows = numbers.metric_rows(name, filters, chosen())
    if not rows.num_rows:
        counted, _ = data.counted(filters)
        if counted and name != "left_out":
            st.info(t("no_rows"))
        else:
            page.nothing(filters)
        return
    shown, columns, thin = told(name, rows.slice(0, _MOST), filters.game or "")
    more = t("first_rows", n=f"{_MOST:,}") + " " if rows.num_rows > _MOST else ""
    caption = more + t("rows_caption", n=f"{rows.num_rows:,}", version=VERSION)

    def clicked(row: int) -> None:
        games_behind.ask(name, **_named(name, rows, row))

    panel.row_table(
        shown, name, columns, rows, caption, None if name == "left_out" else clicked, height=560, thin=thin)


def told(name: str, rows: pa.Table, game: str) -> tuple[pd.DataFrame, dict[str, Any], pd.Series]:
    """The rows as people read them: shares in percent, half the interval beside each number; how columns are shown; and
    which rows are thin in their first number that can be.
    """
    frame = rows.to_pandas()
    found: dict[str, Any] = {}
    shown: dict[str, Any] = {}
    thin = pd.Series(False, index=frame.index)
    hidden = (*_HIDDEN, "deck") if "deck_name" in rows.column_names else _HIDDEN
    for column in (one for one in people.columns(rows.column_names) if one.name not in hidden):
        own = frame[column.name]
        title, scale = t(f"c_{column.name}"), 100 if is_share(column.name) else 1
        if pa.types.is_floating(rows.schema.field(column.name).type):
            found[column.name] = scale * own
            style = f"%{'+' if is_signed(column.name) else ''}.{1 if scale == 100 else 2}f{' %%' * (scale == 100)}"
            means = t("c_shrunk_means") if column.name.startswith("shrunk") else None
            shown[column.name] = st.column_config.NumberColumn(title, format=style, help=means)
            if column.low is not None and column.high is not None:
                low, high = (frame[rows.column_names[at]] for at in (column.low, column.high))
                found[f"{column.name} ±"] = scale * (high - low) / 2
                shown[f"{column.name} ±"] = st.column_config.NumberColumn(
                    "±", format="%.1f" if scale == 100 else "%.2f", help=t("half_means"))
        else:
            found[column.name] = _said(name, column.name, own, game)
            shown[column.name] = st.column_config.Column(title)
        if column.thin is not None and not thin.any():
            thin = frame[rows.column_names[column.thin]].eq(True)
    return pd.DataFrame(found), shown, thin


def _said(name: str, column: str, values: pd.Series, game: str) -> pd.Series:
    """What is no fraction, in the reader's language where it is a word."""
    if name == "left_out" and column == "reason":
        return values.map(lambda one: t(f"left_{one}", n="").strip())
    if column == "reason" and game in registry.GAMES:
        own = words(chosen(), game)
        return values.map(lambda one: own.get(f"reason.{one}"))
    if column in ("cut", "undefined"):
        return values.map(lambda one: t(f"said_{one}") if isinstance(one, str) else "")
    return values


def _named(name: str, rows: pa.Table, row: int) -> dict[str, Any]:
    """What names a row, for the games behind it."""
    values = {key: rows[key][row].as_py() for key in keys_of(name, rows.column_names)}
    return {key: value for key, value in values.items() if value is not None}


page.open_page(t("statistics"), main, *page.ALL_FILTERS)
