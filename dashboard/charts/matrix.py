"""The matchups of decks as a heat map: rate, half-width and games in each cell, and each deck against the field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.charts.marks import GREY, LINK, as_text, shortened, wrapped

_Trace: TypeAlias = dict[str, Any]
"""a trace of a figure, as Plotly takes it"""

SCALES = {
    "light": ("#B4560F", "#F4F3EF", "#1A5BA8"),
    "dark": ("#E08A3C", "#20262D", "#4C9BE8"),
}
"""Theme -> colours of the lowest rate, of one half, and of the highest one."""

SUNKEN = {"light": "#E9ECEF", "dark": "#0A0C0F"}
MUTED = {"light": "#566070", "dark": "#94A0AE"}
SPAN = 0.18
"""Rates so far from one half have the full colour."""

_CELL = 58
_HEAD = 84
LEAST_WIDTH = 74
"""Pixels that a column needs for its numbers."""


def width_of(decks: int) -> int:
    """Pixels that a matrix of so many decks needs."""
    return round((180 + LEAST_WIDTH * decks) / 0.84)


def cell_colour(rate: float, theme: str) -> str:
    """The colour of a cell: orange where the column wins more, blue where the row does."""
    low, middle, high = SCALES[theme]
    share = max(-1.0, min(1.0, (rate - 0.5) / SPAN))
    return _mixed(middle, high if share > 0 else low, abs(share) ** 0.85)


def ink_on(colour: str) -> str:
    """Black or white, whichever can be read better on the colour."""
    red, green, blue = (_light(int(colour[n : n + 2], 16) / 255) for n in (1, 3, 5))
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) else "#FFFFFF"


def _light(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _mixed(one: str, other: str, share: float) -> str:
    a, b = ([int(colour[n : n + 2], 16) for n in (1, 3, 5)] for colour in (one, other))
    return "#" + "".join(f"{round(x + (y - x) * share):02X}" for x, y in zip(a, b, strict=True))


def matrix(
    cells: pd.DataFrame, order: Sequence[str], names: Mapping[str, str], theme: str, said: Mapping[str, str]
) -> go.Figure:
    """Rows beat columns: `cells` as the metric `matchups` has them, `order` the decks that are shown (their digests).

    Thin cells are grey and dotted. The right column is each deck against the whole field.
    """
    place = {deck: n for n, deck in enumerate(order)}
    shown = cells[cells["deck"].isin(place) & cells["against"].isin(place)]
    fields = _fields(cells, order, names, said)
    reach = _reach(fields)
    middle = {"type": "line", "xref": "x2", "x0": 50, "x1": 50, "y0": -0.5, "y1": len(order) - 0.5,
              "line": {"color": GREY, "width": 1, "dash": "dash"}}  # fmt: skip
    return go.Figure([_numbers(shown, place, names, theme, said), *fields], {
        "shapes": [*_squares(shown, place, theme), middle], "showlegend": False, "hoverlabel": {"align": "left"},
        "height": _HEAD + _CELL * len(order) + 40, "margin": {"l": 8, "r": 8, "t": _HEAD, "b": 32},
        "xaxis": {"domain": [0, 0.84], "side": "top", "range": [-0.5, len(order) - 0.5],
                  "tickvals": list(place.values()), "ticktext": [wrapped(names[deck], 11, 3) for deck in order],
                  "tickangle": 0, "showgrid": False, "zeroline": False, "fixedrange": True, "tickfont": {"size": 11}},
        "xaxis2": {"domain": [0.86, 1], "side": "top", "anchor": "y", "fixedrange": True, "zeroline": False,
                   "range": [50 - reach, 50 + reach], "tickvals": [50],
                   "title": {"text": said["against_field"] + ", %", "standoff": 4}},
        "yaxis": {"range": [len(order) - 0.5, -0.5], "tickvals": list(place.values()), "showgrid": False,
                  "zeroline": False, "ticktext": [shortened(names[deck], 22) for deck in order], "fixedrange": True},
    })  # fmt: skip


def _squares(shown: pd.DataFrame, place: Mapping[str, int], theme: str) -> Iterator[dict[str, object]]:
    """The ground of each cell."""
    for cell in shown.itertuples():
        x, y = place[cell.against], place[cell.deck]
        mirror, thin = x == y, bool(cell.thin)
        yield {
            "type": "rect", "x0": x - 0.48, "x1": x + 0.48, "y0": y - 0.46, "y1": y + 0.46, "layer": "below",
            "fillcolor": "rgba(0,0,0,0)" if mirror else SUNKEN[theme] if thin else cell_colour(cell.rate, theme),
            "line": {"color": GREY} | ({"width": 1, "dash": "dot"} if thin and not mirror else {"width": 0.4}),
        }  # fmt: skip


def _numbers(
    shown: pd.DataFrame, place: Mapping[str, int], names: Mapping[str, str], theme: str, said: Mapping[str, str]
) -> _Trace:
    """The numbers of the cells, on squares that nobody sees and that take the clicks: a heat map takes none."""
    texts, inks, hovers = [], [], []
    for cell in shown.itertuples():
        half = 50 * (cell.high - cell.low)
        mirror = cell.deck == cell.against
        numbers = f"<b>{100 * cell.rate:.0f} %</b><br>± {half:.1f}<br>n {cell.games:,}"
        texts.append(said["mirror"] if mirror else numbers)
        grey = mirror or cell.thin
        inks.append(MUTED[theme] if grey else ink_on(cell_colour(cell.rate, theme)))
        pair = said["one_against_other"].format(one=as_text(names[cell.deck]), other=as_text(names[cell.against]))
        hovers.append(f"<b>{pair}</b><br>{100 * cell.rate:.1f} % ({100 * cell.low:.1f} … {100 * cell.high:.1f})<br>"
                      + said["in_n_games"].format(n=f"{cell.games:,}"))
    return {
        "type": "scatter", "x": shown["against"].map(place).to_numpy(), "y": shown["deck"].map(place).to_numpy(),
        "mode": "markers+text", "text": texts, "textfont": {"color": inks, "size": 12},
        "customdata": shown[["deck", "against"]].to_numpy(object),
        "marker": {"symbol": "square", "size": 50, "color": "rgba(0,0,0,0)"}, "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}}, "hovertext": hovers, "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip


def _fields(
    cells: pd.DataFrame, order: Sequence[str], names: Mapping[str, str], said: Mapping[str, str]
) -> tuple[_Trace, _Trace]:
    """Each deck against the field as a dot with its interval, and its number beyond the interval's outer end."""
    rows = cells.drop_duplicates("deck").set_index("deck").reindex(order)
    rates = 100 * rows["field_rate"].to_numpy(float)
    low, high = (100 * rows[f"field_rate_{end}"].fillna(rows["field_rate"]).to_numpy(float) for end in ("low", "high"))
    places = list(range(len(order)))
    dots = {
        "type": "scatter", "x": rates, "y": places, "xaxis": "x2", "mode": "markers",
        "customdata": [[deck, ""] for deck in order],
        "error_x": {"type": "data", "symmetric": False, "array": high - rates, "arrayminus": rates - low, "width": 0,
                    "thickness": 4, "color": "rgba(63,127,196,.45)"},
        "marker": {"size": 9, "color": LINK}, "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}}, "hovertext": [as_text(names[deck]) for deck in order],
        "hovertemplate": "<b>%{hovertext}</b><br>%{x:.1f} % " + said["against_field"] + "<extra></extra>",
    }  # fmt: skip
    numbers = {
        "type": "scatter", "x": np.where(rates >= 50, high, low),
        "y": places, "xaxis": "x2", "mode": "text", "hoverinfo": "skip", "textfont": {"size": 11},
        "text": [f"&nbsp;{rate:.1f}&nbsp;" for rate in rates],
        "textposition": ["middle right" if rate >= 50 else "middle left" for rate in rates],
    }  # fmt: skip
    return dots, numbers


def _reach(fields: tuple[_Trace, _Trace]) -> float:
    """How far from 50 the scale of the column goes, so that the numbers have room."""
    return max([10.0, *(abs(x - 50) for x in fields[1]["x"] if x == x)]) * 2
