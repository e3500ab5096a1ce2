"""The games behind a number, over the page that shows it; a click on one opens its replay, at the play of the card.

What is asked for stands in the address, so that a link leads to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard import address, data
from dashboard.downloads import offer
from dashboard.i18n import chosen, literal, t
from dashboard.words import DAY
from engine.rulebooks import registry
from engine.words import words
from replays.stats.behind import games_behind, record_of
from replays.stats.metrics import METRICS, Filters, MetricError
from replays.store.filters import FilterError
from replays.store.library import LibraryError

ASKED = "behind"
"""Parameter of the address: the metric and its row."""

_MOST = 500
"""Games that are listed at most."""


def ask(metric: str, **row: object) -> None:
    """Puts into the address that the games behind this row of a metric are asked for; the page shows them then."""
    address.put(ASKED, urlencode({"metric": metric, **{key: str(value) for key, value in row.items()}}))


def _asked() -> dict[str, str]:
    """What is asked for: `metric`, and the columns that name its row; empty where nothing is."""
    row = dict(parse_qsl(address.here(ASKED)))
    return row if row.get("metric") in METRICS else {}


def over_page(sides: Mapping[str, Filters]) -> None:
    """The games over the page, if they are asked for. `sides`: sets of games that are compared, by name."""
    row = _asked()
    if row:
        st.dialog(t("games_behind"), width="large", on_dismiss=_forget)(_of_sides)(row.pop("metric"), row, sides)


def _forget() -> None:
    address.put(ASKED, "")


def _of_sides(name: str, row: dict[str, str], sides: Mapping[str, Filters]) -> None:
    own = next(iter(sides))
    if len(sides) > 1:
        own = st.segmented_control(t("side"), list(sides), default=own, required=True, key="behind_side") or own
    _listed(name, row, sides[own])


def _listed(name: str, row: dict[str, str], filters: Filters) -> None:
    try:
        found = games_behind(data.warehouse(), name, row, filters, chosen())
    except (MetricError, FilterError) as problem:
        st.error(literal(str(problem)))
        return
    result = found.column("result").to_pylist()
    st.markdown(_heading(name, row, found))
    st.caption(t("won_lost_drawn", won=f"{result.count(1.0):,}", lost=f"{result.count(0.0):,}",
                 drawn=f"{result.count(0.5):,}"))
    games = found.slice(0, _MOST).to_pandas()
    column = st.column_config
    picked = st.dataframe(
        _shown(games), hide_index=True, height=420, on_select="rerun", selection_mode="single-cell", key="behind_games",
        column_config={
            **{key: column.TextColumn(t(key)) for key in ("player", "deck", "opponent_deck", "result", "reason")},
            "turns": column.NumberColumn(t("turns")), "date": column.DateColumn(t("date"), format=DAY[chosen()]),
        },
    ).selection.cells  # fmt: skip
    more = t("first_listed", n=f"{len(games):,}") + " " if len(games) < len(found) else ""
    st.caption(more + t("click_a_play" if "code" in row else "click_a_row"))
    offer(found, "games_behind")
    if picked and picked[0][0] < len(games):
        _open(games.iloc[picked[0][0]], name, row.get("code"))


def _heading(name: str, row: dict[str, str], found: pa.Table) -> str:
    """What the number is, and of what."""
    code = row.get("code")
    about = [t(f"m_{name}")]
    if code and found.num_rows:
        game = found.column("game")[0].as_py()
        about.append(data.look(game, code, code, chosen()).card)
    return " · ".join(f"**{literal(part)}**" for part in about) + " · " + t("in_n_games", n=f"{found.num_rows:,}")


def _shown(games: pd.DataFrame) -> pd.DataFrame:
    language = chosen()
    results = {1.0: t("won"), 0.0: t("lost"), 0.5: t("draw")}
    shown = pd.DataFrame({
        "player": games["player"], "deck": games["deck_name"], "opponent_deck": games["against_name"],
        "result": games["result"].map(results), "turns": games["turns"],
        "reason": [words(language, game).get(f"reason.{reason}") if game in registry.GAMES else reason
                   for game, reason in zip(games["game"], games["reason"], strict=True)],
        "date": pd.to_datetime(games["day"], errors="coerce"),
    })  # fmt: skip
    return shown.drop(columns="date") if shown["date"].isna().all() else shown


def _open(game: pd.Series, name: str, code: str | None) -> None:
    """The replay: where a card is meant, at the step of the play or draw that the number counts."""
    query = {"game": str(game["game_id"])}
    if code:
        try:
            log = data.library().open(query["game"])
        except LibraryError as problem:
            st.error(literal(str(problem)))
            return
        query["step"] = str(record_of(log, int(game["seat"]), code, METRICS[name].copies) + 1)
    st.switch_page("views/replay.py", query_params=query)
