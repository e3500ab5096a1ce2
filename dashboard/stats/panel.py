"""One piece of a page: a question, the chart or table that answers it, and its data as files.

A click on a point runs the page again with what was clicked; the chart is then drawn anew without a selection, so that
the same point can be clicked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st

from dashboard.downloads import offer
from dashboard.i18n import chosen, t

Clicked = Callable[[Any], None]
"""What a click does, told what the point carries as its first custom datum (or, of a table, the row's number)."""

_WIDE = """<style>
.st-key-panel_{name} > div:has([data-testid=stPlotlyChart]) {{ overflow-x: auto; }}
.st-key-panel_{name} :is([data-testid=stFullScreenFrame], [data-testid=stPlotlyChart]) {{ min-width: {least}px; }}
</style>"""

_BUTTONS = ["zoom", "pan", "select", "lasso2d", "zoomIn", "zoomOut", "autoScale", "resetScale"]


def chart(
    question: str, figure: go.Figure, rows: pa.Table, name: str, caption: str = "", clicked: Clicked | None = None,
    whole: bool = False, least: int = 0,
) -> None:
    """A chart that answers a question; `rows` are its data, `name` that of its files and of nothing else on the page.

    `whole`: a click is told all custom data of the point, and not the first datum alone. `least`: pixels that it
    needs; on a narrower screen one moves it sideways.
    """
    with st.container(border=True, key=f"panel_{name}"):
        if least:
            st.html(_WIDE.format(name=name, least=least))
        st.markdown(f"**{question}**")
        key = _key(name)
        taken: Any = _taken(name, key, clicked, whole) if clicked else "ignore"
        st.plotly_chart(
            figure, key=key, on_select=taken, selection_mode="points", alt=question,
            config={"displaylogo": False, "displayModeBar": True, "modeBarButtonsToRemove": _BUTTONS,
                    "scrollZoom": False, "toImageButtonOptions": {"format": "svg", "filename": name},
                    "locale": chosen(), "locales": {chosen(): {"dictionary": _plotly_words()}}},
        )  # fmt: skip
        if caption:
            st.caption(caption)
        files(rows, name, picture=True)


def _plotly_words() -> dict[str, str]:
    """What Plotly itself says, in the reader's language, by what it says in English."""
    return {
        "Download plot": t("plotly_download"), "Double-click to zoom back out": t("plotly_zoom_out"),
        "Double-click on legend to isolate one trace": t("plotly_isolate"),
    }  # fmt: skip


def row_table(
    frame: pd.DataFrame, name: str, columns: Mapping[str, Any], rows: pa.Table, caption: str = "",
    clicked: Clicked | None = None, height: int | None = None, thin: pd.Series | None = None,
) -> None:
    """A table, whose rows can be clicked; `thin` rows are grey. `rows`: what its files hold, in the same order."""
    key = _key(name)
    shown: Any = frame
    if thin is not None and thin.any():
        grey = pd.Series(["color: #808894" if one else "" for one in thin], frame.index)
        shown = frame.style.apply(lambda cells: pd.DataFrame(dict.fromkeys(cells, grey)), axis=None)
    st.dataframe(
        shown, hide_index=True, key=key, column_config=dict(columns), height=height or "auto",
        on_select=_row_taken(name, key, clicked) if clicked else "ignore", selection_mode="single-cell",
        placeholder="–",
    )  # fmt: skip
    if caption:
        st.caption(caption)
    files(rows, name)


def files(rows: pa.Table, name: str, picture: bool = False) -> None:
    """The data as files, one click away."""
    with st.popover(t("download"), type="tertiary", icon=":material/download:"):
        offer(rows, name)
        if picture:
            st.caption(t("picture_how"))


def _key(name: str) -> str:
    """The key of the widget, another one after each click."""
    return f"{name}_{st.session_state.get(f'clicks_{name}', 0)}"


def _count(name: str) -> None:
    st.session_state[f"clicks_{name}"] = st.session_state.get(f"clicks_{name}", 0) + 1


def _taken(name: str, key: str, clicked: Clicked, whole: bool) -> Callable[[], None]:
    def take() -> None:
        points = st.session_state[key]["selection"]["points"]
        _count(name)
        carried = points[0].get("customdata") if points else None
        if carried:
            every = list(carried.values() if isinstance(carried, dict) else carried)  # of numbers alone
            clicked(every if whole else every[0])

    return take


def _row_taken(name: str, key: str, clicked: Clicked) -> Callable[[], None]:
    def take() -> None:
        cells = st.session_state[key]["selection"]["cells"]
        _count(name)
        if cells:
            clicked(cells[0][0])

    return take
