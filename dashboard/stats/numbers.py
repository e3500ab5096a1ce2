"""Tables of metrics as the pages show them, kept for as long as the warehouse does not change.

What is given is shared between pages and sessions: it is never changed, only copied.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute
import streamlit as st

from dashboard import data
from dashboard.data import Stamp, counted_at
from replays.stats.compare import compare
from replays.stats.metrics import Filters, metric
from replays.stats.warehouse import open_warehouse

_BY_TEXT: dict[str | type[Any], Any] = {Filters: repr}


def metric_rows(name: str, filters: Filters, language: str) -> pa.Table:
    """The rows of a metric. Raises WarehouseError where there are no statistics yet, FilterError."""
    return _rows(str(data.library().path), counted_at(), name, filters, language)


@st.cache_resource(max_entries=256, show_spinner=False, hash_funcs=_BY_TEXT)
def _rows(path: str, stamp: Stamp, name: str, filters: Filters, language: str) -> pa.Table:
    return metric(open_warehouse(Path(path)), name, filters, language)


def metric_frame(name: str, filters: Filters, language: str) -> pd.DataFrame:
    """The same as a frame of its own, which may be changed."""
    return metric_rows(name, filters, language).to_pandas()


def differing(name: str, before: Filters, after: Filters, language: str) -> pa.Table:
    """How a metric differs between two sets of games. Raises WarehouseError, FilterError."""
    return _differing(str(data.library().path), counted_at(), name, before, after, language)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=_BY_TEXT)
def _differing(
    path: str, stamp: Stamp, name: str, before: Filters, after: Filters, language: str
) -> pa.Table:
    return compare(open_warehouse(Path(path)), name, before, after, language)


def list_of_deck(game: str, deck: str, language: str) -> pd.DataFrame:
    """The cards of a deck as its games have it: `code`, `card`, `copies`; the most copies first."""
    return _list_of_deck(str(data.library().path), counted_at(), game, deck, language)


@st.cache_data(max_entries=64, show_spinner=False)
def _list_of_deck(path: str, stamp: Stamp, game: str, deck: str, language: str) -> pd.DataFrame:
    from replays.stats.names import named

    warehouse = open_warehouse(Path(path))
    return named(warehouse, warehouse.query("deck_list", game=game, deck=deck), language).to_pandas()


def with_looks(cards: pd.DataFrame, language: str) -> pd.DataFrame:
    """Rows about cards (`game`, `code`, `card`) with how each is called and marked (`data.CardLook`)."""
    looks = [
        data.look(game, code, name, language)
        for game, code, name in zip(cards["game"], cards["code"], cards["card"], strict=True)
    ]
    return cards.assign(**{name: [getattr(one, name) for one in looks] for name in data.CardLook._fields})


def percent(frame: pd.DataFrame, key: str, label: str = "", value: str = "rate", low: str = "low",
            high: str = "high") -> pd.DataFrame:
    """Rows as charts take them: with `value`, `low` and `high` in percent, `key` (what a click asks for), `label`."""
    return frame.assign(
        value=100 * frame[value].astype(float), low=100 * frame[low].astype(float),
        high=100 * frame[high].astype(float), key=frame[key], label=frame[label or key],
    )  # fmt: skip


def to_files(cards: pd.DataFrame) -> pa.Table:
    """What the files of a table of cards hold: all but how each is drawn."""
    return pa.Table.from_pandas(cards.drop(columns=["fill", "shape"]), preserve_index=False)


def of_card(name: str, filters: Filters, language: str, code: str) -> pa.Table:
    """The rows of a metric that are about one card."""
    found = metric_rows(name, filters, language)
    return found.filter(pa.compute.equal(found.column("code"), code))
