"""Charts of numbers side by side: ranked ones with their intervals, and rates against each other.

A figure is made in one call from plain data: adding to one piece by piece takes twice as long, or more.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from dashboard.charts.marks import GREY, LINK, ON_AXIS, as_text, level, shortened, upright, wrapped

LABELLED = 5
"""Points of a scatter that are named."""


def ends(rows: pd.DataFrame, by: str, each: int) -> pd.DataFrame:
    """The rows with the largest and the smallest `by`, so many of each, sorted by it."""
    known = rows.dropna(subset=[by]).sort_values(by, ascending=False)
    return known if len(known) <= 2 * each else pd.concat([known.head(each), known.tail(each)])


def ranked(rows: pd.DataFrame, axis: str, said: Mapping[str, str], at: float | None = 0.0, signed: bool = True,
           solid: str = "certain", hollow: str = "not_certain") -> go.Figure:
    """Rows from the top as points with intervals: `label`, `value`, `low`, `high`, `games` (on the right), `key`.

    Those that are `sure` are filled; `solid` and `hollow` are what this means
    (words). A line stands at `at`.
    """
    number = ":+.1f" if signed else ":.1f"
    placed = rows.reset_index(drop=True)
    traces: list[dict[str, object]] = []
    for sure, points in sorted(placed.groupby(placed["sure"].astype(bool)), reverse=True):
        value, low, high = (points[name].to_numpy(float) for name in ("value", "low", "high"))
        traces.append({
            "type": "scatter", "x": value, "y": points.index.to_numpy(), "mode": "markers",
            "name": said[solid if sure else hollow], "text": list(map(as_text, points["label"])),
            "customdata": points[["key", "low", "high", "games"]].to_numpy(object),
            "error_x": {"type": "data", "symmetric": False, "array": high - value, "width": 0,
                        "arrayminus": value - low, "thickness": 2, "color": GREY},
            "marker": {"size": 11, "color": LINK if sure else GREY, "symbol": "circle" if sure else "circle-open",
                       "line": {"width": 1.4, "color": GREY}},
            "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
            "hovertemplate": f"<b>%{{text}}</b><br>%{{x{number}}} (%{{customdata[1]{number}}} … "
                             f"%{{customdata[2]{number}}})<br>{in_games(said, '%{customdata[3]:,}')}<extra></extra>",
        })  # fmt: skip
    traces.append({  # else the axis of the games would not be drawn
        "type": "scatter", "x": [None], "y": [None], "yaxis": "y2", "showlegend": False, "hoverinfo": "skip",
    })  # fmt: skip
    labels = [wrapped(name, ON_AXIS, 2) for name in placed["label"]]
    rows_down = {"tickvals": list(placed.index), "range": [len(placed) - 0.4, -0.6], "zeroline": False,
                 "showgrid": False}  # fmt: skip
    height = 34 if any("<br>" in label for label in labels) else 24
    return go.Figure(traces, {
        "height": 176 + height * len(placed), "margin": {"l": 8, "r": 8, "t": 96, "b": 8}, "showlegend": True,
        "legend": {"orientation": "h", "y": 1 + 20 / (height * len(placed) + 28), "yanchor": "bottom", "x": 0,
                   "title": None},
        "hoverlabel": {"align": "left"}, "xaxis": {"title": axis, "zeroline": False},
        "yaxis": {**rows_down, "ticktext": labels},
        "yaxis2": {**rows_down, "ticktext": [f"{n:,}" for n in placed["games"]], "overlaying": "y", "side": "right"},
        "annotations": [{"text": said["games"], "x": 1, "xanchor": "right", "xref": "paper", "xshift": 26, "y": 1,
                         "yref": "paper", "yanchor": "bottom", "showarrow": False}],
        "shapes": [] if at is None else [upright(at)],
    })  # fmt: skip


def paired(rows: pd.DataFrame, axis: str, said: Mapping[str, str]) -> go.Figure:
    """As `ranked`, of games played both ways: behind each interval, thin, the one that as many games that are not the
    same would have given, which is `narrower` times as wide.
    """
    figure = ranked(rows, axis, said)
    placed = rows.reset_index(drop=True)
    figure.add_trace(go.Scatter(
        x=placed["value"], y=placed.index, mode="markers", name=said["lab_unpaired"], hoverinfo="skip",
        marker={"size": 1, "symbol": "line-ew", "color": GREY, "line": {"width": 1, "color": GREY}},
        error_x={"type": "data", "array": (placed["high"] - placed["low"]) / 2 * placed["narrower"], "width": 0,
                 "thickness": 1, "color": GREY},
    ))  # fmt: skip
    for trace in figure.data[:-1]:
        trace.error_x.thickness, trace.error_x.color = 4, LINK
    figure.data = (figure.data[-1], *figure.data[:-1])
    return figure.update_layout(legend_itemsizing="constant")


def in_games(said: Mapping[str, str], number: str) -> str:
    """"1,842 games", with a number that Plotly puts in."""
    return said["in_n_games"].format(n=number)


def rate_scatter(cards: pd.DataFrame, mean: float | None, said: Mapping[str, str]) -> go.Figure:
    """In-hand win rate against play rate, in percent, with the interval; thin cards hollow and grey. `said`: words."""
    traces = [
        _points(points, str(frame), fill, f"{shape}-open" if thin else shape, bool(thin), said)
        for (frame, fill, shape), part in cards.groupby(["frame", "fill", "shape"], sort=True)
        for thin, points in part.groupby("thin")
    ]
    notes = [
        {"x": 100 * card["play_rate"], "y": 100 * card["rate"], "text": shortened(card["card"]), "showarrow": False,
         "yshift": shift, "font": {"size": 12.5}}
        for card, shift in _named(cards)
    ]  # fmt: skip
    if mean is not None:
        notes.append({
            "text": said["mean"].format(n=f"{100 * mean:.1f}"), "showarrow": False, "x": 0, "xref": "x domain",
            "xanchor": "left", "y": 100 * mean, "yref": "y", "yanchor": "bottom",
        })  # fmt: skip
    return go.Figure(traces, {
        "height": 520, "margin": {"l": 8, "r": 8, "t": 8, "b": 8}, "hoverlabel": {"align": "left"},
        "legend": {"orientation": "h", "y": 1.06, "title": None}, "annotations": notes,
        "shapes": [] if mean is None else [level(100 * mean)],
        "xaxis": {"title": said["play_axis"]}, "yaxis": {"title": said["gih_axis"]},
    })  # fmt: skip


def _points(
    points: pd.DataFrame, frame: str, fill: str, shape: str, thin: bool, said: Mapping[str, str]
) -> dict[str, object]:
    rates, low, high = (100 * points[name].to_numpy(float) for name in ("rate", "low", "high"))
    name = (frame or said["other"]) + (f" ({said['thin']})" if thin else "")
    return {
        "type": "scatter", "x": 100 * points["play_rate"].to_numpy(float), "y": rates, "mode": "markers", "name": name,
        "customdata": points[["code", "low", "high", "games"]].assign(low=low, high=high).to_numpy(object),
        "text": list(map(as_text, points["card"])), "showlegend": not thin,
        "error_y": {"type": "data", "symmetric": False, "array": high - rates, "width": 0,
                    "arrayminus": rates - low, "thickness": 1.2, "color": "rgba(118,128,142,.55)"},
        "marker": {"symbol": shape, "size": 11, "color": GREY if thin else fill, "opacity": 0.75 if thin else 1,
                   "line": {"width": 1.4, "color": GREY}},
        "hovertemplate": f"<b>%{{text}}</b><br>{said['m_gih_wr']} %{{y:.1f}} % (%{{customdata[1]:.1f}} … "
                         f"%{{customdata[2]:.1f}})<br>{said['m_play_rate']} %{{x:.0f}} %<br>"
                         f"{in_games(said, '%{customdata[3]:,}')}<extra></extra>",
    }  # fmt: skip


def _named(cards: pd.DataFrame) -> list[tuple[pd.Series, int]]:
    """The few cards that are worth a name, and how far above them it stands: best and worst of those not thin."""
    sure = cards[~cards["thin"].astype(bool)].sort_values("rate", ascending=False)
    half = len(sure) // 2
    found: list[tuple[pd.Series, int]] = []
    for part, shift in ((sure.head(min(half, LABELLED)), 15), (sure.tail(min(half, LABELLED))[::-1], -15)):
        for _, card in part.iterrows():
            if len(found) < LABELLED and not any(_close(card, other) for other, _ in found):
                found.append((card, shift))
                if sum(1 for _, s in found if s == shift) > LABELLED // 2:
                    break
    return found


def _close(a: pd.Series, b: pd.Series) -> bool:
    """Whether the names of two points would lie on each other."""
    return abs(a["play_rate"] - b["play_rate"]) < 0.3 and abs(a["rate"] - b["rate"]) < 0.03
