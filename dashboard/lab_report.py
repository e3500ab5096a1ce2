"""What a balance lab has found: sentences, interval charts, tables, and its two packs."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard import data, job_list
from dashboard.charts import ranking
from dashboard.i18n import chosen, t
from dashboard.stats import panel
from dashboard.words import page_words
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from engine.words import words
from events.pack import read_pack
from events.record import LogError
from replays.play.lab import CHANGED, PRINTED
from replays.stats.lab import lab_tables
from replays.stats.warehouse import NAME, WarehouseError
from replays.store.library import Library, LibraryError

_CHARTED = 12
"""Cards in the chart besides the changed ones: those of which a difference is shown best."""


def labs() -> list[Path]:
    """The folders of the labs that were played to their end, the newest first."""
    folder = data.library().labs
    found = [one for one in folder.iterdir() if (one / "games" / NAME).is_file()] if folder.is_dir() else []
    return sorted(found, key=lambda one: (one / "games" / NAME).stat().st_mtime, reverse=True)


def lab_said(folder: Path) -> str:
    """A lab by its game and what it changed."""
    about = _about(folder)
    game = str(about.get("game", folder.name.partition("-")[0]))
    changes = [change_said(game, change) for change in str(about.get("version", "")).split("; ") if change]
    return f"{data.title(game, chosen())} · {', '.join(changes) or folder.name}"


def _about(folder: Path) -> dict[str, object]:
    try:
        return tomllib.loads((folder / "cards" / "set.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return {}


def change_said(game: str, change: str) -> str:
    """A change as people read it: the card's name, the field, before and after."""
    card, _, what = change.partition(":")
    path, _, value = what.partition("=")
    if game not in registry.GAMES or card not in registry.load(game).cards:
        return change
    rules = registry.load(game)
    name = rules.cards[card].printed.name.get(chosen()) or rules.cards[card].name
    arrow = "" if value.startswith(("+", "-")) else "→ "  # a number with a sign is added to what is printed
    return f"{name}: {field_said(rules, path)} {arrow}{value_said(rules, path, value)}"


def field_said(rules: Rulebook, path: str) -> str:
    """What a field of a card is called, with its name in card files where it lies in another field."""
    said = words(chosen(), rules.key, rules.rulebook)
    last = path.rpartition(".")[2]
    name = said.get(said.first(f"counter.{last}", f"colour.{last}", f"term.{last}", f"keyword.{last}"))
    return f"{name} ({path})" if "." in path else name


def value_said(rules: Rulebook, path: str, value: object) -> str:
    """A value of a field, in words where it is one."""
    if isinstance(value, bool) or value in ("true", "false"):
        return t("yes" if value in (True, "true") else "no")
    return str(value) if str(value).lstrip("+-").isdecimal() else words(chosen(), rules.key).get(f"{path}.{value}")


# --- the report ---------------------------------------------------------------------------------------------


def show_lab(folder: Path) -> None:
    """The report of a lab."""
    games = folder / "games"
    try:
        tables = _tables(str(games), data.stamp_of(games / NAME), chosen())
    except (WarehouseError, LibraryError) as problem:
        job_list.offer_to_count(problem, folder.name)
        return
    length = tables["length"].to_pylist()
    if not length:
        st.info(t("lab_empty"))
        return
    st.markdown(t("lab_length", **{name: f"{value:.2f}" for name, value in _length(length[0]).items()},
                  games=f"{length[0]['games']:,}"))  # fmt: skip
    st.caption(t("lab_reading"))
    decks, ends = st.columns(2, gap="medium")
    with decks:
        _chart(t("lab_decks"), _named(tables["decks"], "deck_name"), tables["decks"], f"{folder.name}-decks")
    with ends:
        _chart(t("lab_games"), _games(tables["games"], folder), tables["games"], f"{folder.name}-games")
    _chart(t("lab_cards"), _cards(tables["cards"], _changed(folder)), tables["cards"], f"{folder.name}-cards")
    for name, table in tables.items():
        with st.expander(t("lab_table", name=t("lab_length_" if name == "length" else f"lab_{name}"))):
            _table(table, name, f"{folder.name}-{name}-table")
    _packs(folder)


@st.cache_data(max_entries=16, show_spinner=False)
def _tables(games: str, stamp: data.Stamp, language: str) -> dict[str, pa.Table]:
    return lab_tables(Library(Path(games)), language)


def _length(row: dict[str, float]) -> dict[str, float]:
    return {
        "before": row["turns_before"], "after": row["turns_after"], "change": row["turns_change"],
        "half": (row["high"] - row["low"]) / 2,
    }  # fmt: skip


def _rows(rows: pd.DataFrame, label: pd.Series | list[str]) -> pd.DataFrame:
    """Rows as charts have them, in points."""
    value, low, high = (100 * rows[column] for column in ("difference", "low", "high"))
    rows = rows.assign(label=label, value=value, low=low, high=high, sure=(low > 0) | (high < 0), key="")
    return rows.dropna(subset=["value"])


def _named(table: pa.Table, column: str) -> pd.DataFrame:
    rows = table.to_pandas()
    return _rows(rows, rows[column].astype(str))


def _games(table: pa.Table, folder: Path) -> pd.DataFrame:
    rows = table.to_pandas()
    said = words(chosen(), str(_about(folder).get("game", "")) or None)
    first = t("lab_first")
    return _rows(rows, [
        first if row.measure == "first_player" else said.get(f"reason.{row.reason}") for row in rows.itertuples()
    ])


def _changed(folder: Path) -> set[str]:
    """The codes of the cards that the lab changed."""
    return {change.partition(":")[0] for change in str(_about(folder).get("version", "")).split("; ")}


def _cards(table: pa.Table, changed: set[str]) -> pd.DataFrame:
    rows = _named(table, "card")
    first = rows["code"].isin(changed)
    rows = rows.assign(shown=(rows["value"] / (rows["high"] - rows["low"])).abs())
    most = rows[~first].sort_values("shown", ascending=False).head(_CHARTED)
    return pd.concat([rows[first], most.sort_values("value", ascending=False)])


def _chart(question: str, rows: pd.DataFrame, table: pa.Table, name: str) -> None:
    if not rows.empty:
        panel.chart(question, ranking.paired(rows, t("lab_points"), page_words(chosen())), table, name)


_POINTS = (
    "printed", "changed", "difference", "low", "high", "play_rate", "changed_play_rate", "play_difference", "play_low",
    "play_high", "effect", "changed_effect", "effect_difference", "effect_low", "effect_high",
)  # fmt: skip
"""Columns that are shares or differences of shares; of the table of lengths they are turns."""


def _table(table: pa.Table, name: str, key: str) -> None:
    rows = table.to_pandas()
    if name == "games":
        rows = rows.assign(measure=[t(f"lab_measure_{measure}") for measure in rows["measure"]])
    rows = rows.drop(columns=[column for column in ("game", "deck") if column in rows])
    columns: dict[str, Any] = {column: st.column_config.Column(_heading(column)) for column in rows}
    if name != "length":
        for column in (one for one in _POINTS if one in rows):
            rows[column] *= 100
            columns[column] = st.column_config.NumberColumn(_heading(column), format="%.1f")
    for column in ("narrower", "turns_before", "turns_after", "turns_change"):
        columns[column] = st.column_config.NumberColumn(_heading(column), format="%.2f")
    panel.row_table(rows, key, columns, table)


def _heading(column: str) -> str:
    known = page_words(chosen())
    return known.get(f"lab_column_{column}") or known.get(column) or column


def _packs(folder: Path) -> None:
    """The games of both ways as packs that can be shared."""
    place = st.columns(4)
    for box, tag in zip(place, (PRINTED, CHANGED), strict=False):
        for pack in Library(folder / "games").packs():
            if tag in _tags(str(pack)):
                box.download_button(
                    t(f"lab_pack_{tag}"), pack.read_bytes, f"{folder.name}-{tag}.jsonl.zst", "application/zstd",
                    key=f"lab_pack_{tag}", width="stretch",
                )  # fmt: skip
                break


@st.cache_data(max_entries=64, show_spinner=False)
def _tags(pack: str) -> tuple[str, ...]:
    try:
        return next((game.header.tags for game in read_pack(Path(pack))), ())
    except (OSError, LogError):
        return ()
