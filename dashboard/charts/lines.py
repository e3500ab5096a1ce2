"""Charts along an axis of numbers: lines with their intervals, and bars of shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.charts.marks import BAND, DASHES, GREY, LINES, LINK, ORANGE, level, shortened
from dashboard.charts.ranking import in_games

_BANDS = 2
"""Lines in one chart whose intervals are bands."""


class DrawnLine(NamedTuple):
    """One line: its name, and rows with `x`, `value`, `low`, `high`, `games`, and `key` where a click asks for one."""

    name: str
    rows: pd.DataFrame


def lines(
    drawn: Sequence[DrawnLine], across: str, up: str, said: Mapping[str, str], at: float | None = None,
    height: int = 380,
) -> go.Figure:
    """Lines with their intervals; each has a colour and a dash of its own. A level line stands at `at`.

    One points at an x, at all lines together, unless points there lead to different games: then at a point.
    """
    together = _one_key_an_x(drawn)
    place = "" if together else "%{x}: "
    traces: list[dict[str, object]] = []
    for n, line in enumerate(drawn):
        colour, rows = LINES[n % len(LINES)], line.rows
        for run in _runs(rows.dropna(subset=["low", "high"])) if len(drawn) <= _BANDS else []:
            x, low, high = (run[name].to_numpy() for name in ("x", "low", "high"))
            traces.append({
                "type": "scatter", "x": np.append(x, x[::-1]), "y": np.append(high, low[::-1]),
                "fill": "toself", "mode": "lines", "line": {"width": 0}, "fillcolor": _pale(colour),
                "hoverinfo": "skip", "showlegend": False,
            })  # fmt: skip
        traces.append({
            "type": "scatter", "x": rows["x"].to_numpy(), "y": rows["value"].to_numpy(float), "mode": "lines+markers",
            "name": shortened(line.name), "marker": {"size": 7, "color": colour},
            "line": {"color": colour, "dash": DASHES[n % len(DASHES)], "width": 2},
            "error_y": _bars(rows, 3, 1, colour) if len(drawn) > _BANDS else None,
            "customdata": rows[["key" if "key" in rows else "x", "low", "high", "games"]].to_numpy(object),
            "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
            "hovertemplate": place + "%{y:.1f} (%{customdata[1]:.1f} … %{customdata[2]:.1f}), "
                                     f"{in_games(said, '%{customdata[3]:,}')}",
        })  # fmt: skip
    return go.Figure(traces, {
        "height": height, "margin": {"l": 8, "r": 8, "t": 58, "b": 8},
        "hovermode": "x unified" if together else "closest", "showlegend": len(drawn) > 1, "legend": _LEGEND,
        "xaxis": {"title": across, "zeroline": False},
        "yaxis": {"title": up, "zeroline": False}, "shapes": [] if at is None else [level(at)],
    })  # fmt: skip


def _one_key_an_x(drawn: Sequence[DrawnLine]) -> bool:
    """Whether all points at an x lead to the same games: pointing at an x, one cannot choose between them."""
    keys = pd.concat([line.rows[["x", "key"] if "key" in line.rows else ["x"]] for line in drawn]).drop_duplicates()
    return not keys["x"].duplicated().any()


_LEGEND = {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "title": None}
"""Above the chart, from its left edge."""


def _bars(rows: pd.DataFrame, width: float, thickness: float, colour: str) -> dict[str, object]:
    """The intervals of points as bars: more bands than a few hide each other."""
    value, low, high = (rows[name].to_numpy(float) for name in ("value", "low", "high"))
    return {"type": "data", "symmetric": False, "array": high - value, "arrayminus": value - low, "width": width,
            "thickness": thickness, "color": colour}  # fmt: skip


def _runs(rows: pd.DataFrame) -> list[pd.DataFrame]:
    """The rows in pieces of consecutive ones: a band over a gap would say something of what is not known."""
    if rows.empty:
        return []
    at = rows.index.to_series().diff().ne(1).cumsum()
    return [part for _, part in rows.groupby(at)]


def _pale(colour: str) -> str:
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return f"rgba({red},{green},{blue},.16)"


def shares(rows: pd.DataFrame, across: str, up: str, said: Mapping[str, str], by: str = "") -> go.Figure:
    """Bars of `value` at `x` with their intervals, in percent; with `by` the cumulative share `value_by` as a line."""
    traces: list[dict[str, object]] = [{
        "type": "bar", "x": rows["x"].to_numpy(), "y": rows["value"].to_numpy(float), "name": up,
        "marker": {"color": BAND, "line": {"color": LINK, "width": 1}}, "error_y": _bars(rows, 0, 1.4, GREY),
        "customdata": rows[["key", "low", "high", "games"]].to_numpy(object),
        "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
        "hovertemplate": "%{y:.1f} % (%{customdata[1]:.1f} … %{customdata[2]:.1f}), "
                         f"{in_games(said, '%{customdata[3]:,}')}<extra></extra>",
    }]  # fmt: skip
    if by:
        traces.append({
            "type": "scatter", "x": rows["x"].to_numpy(), "y": rows["value_by"].to_numpy(float), "name": by,
            # With markers, since a click at an x is taken by what is drawn last there, and lines alone take none.
            "mode": "lines+markers", "yaxis": "y2", "line": {"color": ORANGE, "width": 2}, "marker": {"size": 4},
            "customdata": rows[["key"]].to_numpy(object),
            "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
            "hovertemplate": "%{y:.1f} %<extra></extra>",
        })  # fmt: skip
    return go.Figure(traces, {
        "height": 380, "margin": {"l": 8, "r": 8, "t": 58, "b": 8}, "bargap": 0.15, "hovermode": "x",
        "showlegend": bool(by), "legend": _LEGEND, "xaxis": {"title": across},
        "yaxis": {"title": up, "rangemode": "tozero"},
        "yaxis2": {"overlaying": "y", "side": "right", "range": [0, 103], "showgrid": False, "title": by,
                   "tickvals": [0, 25, 50, 75, 100]},
    })  # fmt: skip
