"""Charts and the small pictures inside tables. Colours from the fixed palette, never from data of a log."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

import pandas as pd
import plotly.graph_objects as go

from dashboard.viewer import families

SHAPES = {
    "triangle-up": "M8 2L15 14H1Z", "circle": "M8 2a6 6 0 1 0 .01 0Z", "diamond": "M8 1L15 8 8 15 1 8Z",
    "pentagon": "M8 1L15 6.200 12.300 14.500H3.700L1 6.200Z",
    "cross": "M5.500 1h5v4.500H15v5h-4.500V15h-5v-4.500H1v-5h4.500Z",
    "triangle-down": "M1 2H15L8 14Z",
}  # fmt: skip
"""Shape -> its outline in a square of 16; the shapes of a game's frames say the same as their colours."""

OTHER = ("#76808E", "square")
_EDGE = "#76808E"
LINK = "#3F7FC4"
_RANKED = 10
"""Cards at each end of a ranking."""

LABELLED = 5
"""Points of a scatter that are named."""


def interval(value: float, low: float, high: float, thin: bool, span: tuple[float, float], at: float) -> str:
    """A bar from `low` to `high` with a dot at `value` on a scale of `span`, with a line at `at`, as a data URL."""

    def x(number: float) -> float:
        return 4 + 176 * min(1.0, max(0.0, (number - span[0]) / (span[1] - span[0])))

    colour = _EDGE if thin else LINK
    dot = f'fill="none" stroke="{colour}"' if thin else f'fill="{colour}" stroke="{colour}"'
    image = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="184" height="34" viewBox="0 -6 184 34">'
        f'<path d="M{x(at):.1f} 1V21" stroke="{_EDGE}" stroke-dasharray="2 2"/>'
        f'<path d="M{x(low):.1f} 11H{x(high):.1f}" stroke="{colour}" stroke-width="6" stroke-opacity=".42" '
        f'stroke-linecap="round"/><circle cx="{x(value):.1f}" cy="11" r="4.5" {dot} stroke-width="1.6"/></svg>'
    )
    return f"data:image/svg+xml,{quote(image)}"


def symbol_of(family: str, place: int) -> tuple[str, str]:
    """Colour and shape of a family of frames that is the `place`th of its game; neutral ones for no family."""
    if family not in families() or not 0 <= place < len(SHAPES):
        return OTHER
    return families()[family][0], list(SHAPES)[place]


def picture(fill: str, shape: str) -> str:
    """A shape in its colour, as a data URL."""
    path = SHAPES.get(shape, "M2 2H14V14H2Z")
    image = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="34" height="34" viewBox="-9 -9 34 34">'
        f'<path d="{path}" fill="{fill}" stroke="{_EDGE}" stroke-width="1.2"/></svg>'
    )
    return f"data:image/svg+xml,{quote(image)}"


def ranked_effects(cards: pd.DataFrame, said: Mapping[str, str]) -> go.Figure:
    """The best and the worst cards by their shrunk draw effect, the best on top: points with intervals, in points.

    Filled where it is no accident; `said`: words.
    """
    known = cards.dropna(subset=["effect", "effect_low", "effect_shrunk"]).sort_values("effect_shrunk")
    ends = known if len(known) <= 2 * _RANKED else pd.concat([known.head(_RANKED), known.tail(_RANKED)])
    figure = go.Figure()
    for certain, points in ends.groupby(ends["certain"].astype(bool), sort=True):
        effect, certain = 100 * points["effect"], bool(certain)
        figure.add_trace(go.Scatter(
            x=effect, y=points["card"].map(_plain), mode="markers", name=said["certain" if certain else "not_certain"],
            customdata=(100 * points[["effect_low", "effect_high"]]).assign(games=points["games"]),
            error_x={"type": "data", "symmetric": False, "array": 100 * points["effect_high"] - effect, "width": 0,
                     "arrayminus": effect - 100 * points["effect_low"], "thickness": 2, "color": _EDGE},
            marker={"size": 11, "color": points["fill"] if certain else _EDGE,
                    "symbol": "circle" if certain else "circle-open", "line": {"width": 1.4, "color": _EDGE}},
            hovertemplate="<b>%{y}</b><br>%{x:+.1f} (%{customdata[0]:+.1f} … %{customdata[1]:+.1f})<br>"
                          f"{said['in_n_games'].format(n='%{customdata[2]}')}<extra></extra>",
        ))  # fmt: skip
    figure.add_vline(0, line={"dash": "dash", "width": 1, "color": _EDGE})
    figure.update_layout(
        height=150 + 24 * len(ends), margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": 1.06, "title": None}, hoverlabel={"align": "left"},
        xaxis={"title": said["effect"], "ticksuffix": "", "zeroline": False},
        yaxis={"categoryorder": "array", "categoryarray": list(ends["card"].map(_plain))},
    )
    return figure


def rate_scatter(cards: pd.DataFrame, mean: float | None, said: Mapping[str, str]) -> go.Figure:
    """In-hand win rate against play rate, in percent, with the interval; thin cards hollow and grey. `said`: words."""
    figure = go.Figure()
    for (frame, fill, shape), part in cards.groupby(["frame", "fill", "shape"], sort=True):
        for thin, points in part.groupby("thin"):
            figure.add_trace(_points(points, str(frame), fill, f"{shape}-open" if thin else shape, bool(thin), said))
    for card, shift in _named(cards):
        figure.add_annotation(
            x=100 * card["play_rate"], y=100 * card["rate"], text=_plain(card["card"]), showarrow=False, yshift=shift,
            font={"size": 12.5},
        )
    if mean is not None:
        figure.add_hline(
            100 * mean, line={"dash": "dash", "width": 1, "color": _EDGE}, annotation_position="top left",
            annotation_text=said["mean"].format(n=f"{100 * mean:.1f}"),
        )  # fmt: skip
    figure.update_layout(
        height=520, margin={"l": 8, "r": 8, "t": 8, "b": 8}, legend={"orientation": "h", "y": 1.06, "title": None},
        xaxis={"title": said["play_axis"]}, yaxis={"title": said["gih_axis"]}, hoverlabel={"align": "left"},
    )
    return figure


def _points(
    points: pd.DataFrame, frame: str, fill: str, shape: str, thin: bool, said: Mapping[str, str]
) -> go.Scatter:
    rates = 100 * points["rate"]
    name = (frame or said["other"]) + (f" ({said['thin']})" if thin else "")
    games = said["in_n_games"].format(n="%{customdata[3]}")
    return go.Scatter(
        x=100 * points["play_rate"], y=rates, mode="markers", name=name,
        customdata=points[["code", "low", "high", "games"]].assign(low=100 * points["low"], high=100 * points["high"]),
        text=points["card"].map(_plain), showlegend=not thin,
        error_y={"type": "data", "symmetric": False, "array": 100 * points["high"] - rates, "width": 0,
                 "arrayminus": rates - 100 * points["low"], "thickness": 1.2, "color": "rgba(118,128,142,.55)"},
        marker={"symbol": shape, "size": 11, "color": _EDGE if thin else fill, "opacity": 0.75 if thin else 1,
                "line": {"width": 1.4, "color": _EDGE}},
        hovertemplate="<b>%{text}</b><br>GIH WR %{y:.1f} % (%{customdata[1]:.1f} to %{customdata[2]:.1f})<br>"
                      f"{said['play_rate']} %{{x:.0f}} %<br>{games}<extra></extra>",
    )  # fmt: skip


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


def _plain(name: str) -> str:
    """A name as Plotly shows it letter by letter: it would read `<` as markup."""
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
