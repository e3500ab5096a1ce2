"""The small pictures inside tables, and what all charts share: colours, and names that stay text."""

from __future__ import annotations

from urllib.parse import quote

from dashboard.viewer import families

SHAPES = {
    "triangle-up": "M8 2L15 14H1Z", "circle": "M8 2a6 6 0 1 0 .01 0Z", "diamond": "M8 1L15 8 8 15 1 8Z",
    "pentagon": "M8 1L15 6.200 12.300 14.500H3.700L1 6.200Z",
    "cross": "M5.500 1h5v4.500H15v5h-4.500V15h-5v-4.500H1v-5h4.500Z",
    "triangle-down": "M1 2H15L8 14Z",
}  # fmt: skip
"""Shape -> its outline in a square of 16; the shapes of a game's frames say the same as their colours."""

OTHER = ("#76808E", "square")
GREY = "#76808E"
LINK = "#3F7FC4"
ORANGE = "#C9742B"
BAND = "rgba(63,127,196,.22)"
ORANGE_BAND = "rgba(201,116,43,.22)"

LINES = (LINK, ORANGE, "#2A8F78", "#9A45DD", "#B03A5B", "#8A7A1F", "#5B6B7D", "#C24C9C")
"""Colours of lines that lie in one chart, each with a dash of its own beside it."""

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "dash")

ON_AXIS = 26
"""Most characters of a name on an axis; the whole of it stands where one points."""


BAR = 150
"""Width of a column of interval bars, in pixels: a bar and its margins."""


def interval(value: float, low: float, high: float, thin: bool, span: tuple[float, float], at: float) -> str:
    """A bar from `low` to `high` with a dot at `value` on a scale of `span`, with a line at `at`, as a data URL."""

    def x(number: float) -> float:
        return 6 + 122 * min(1.0, max(0.0, (number - span[0]) / (span[1] - span[0])))

    colour = GREY if thin else LINK
    dot = f'fill="none" stroke="{colour}"' if thin else f'fill="{colour}" stroke="{colour}"'
    image = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="134" height="34" viewBox="0 -6 134 34">'
        f'<path d="M{x(at):.1f} 1V21" stroke="{GREY}" stroke-dasharray="2 2"/>'
        f'<path d="M{x(low):.1f} 11H{x(high):.1f}" stroke="{colour}" stroke-width="6" stroke-opacity=".42" '
        f'stroke-linecap="round"/><circle cx="{x(value):.1f}" cy="11" r="4.5" {dot} stroke-width="1.6"/></svg>'
    )
    return f"data:image/svg+xml,{quote(image)}"


_DASHED = {"type": "line", "line": {"dash": "dash", "width": 1, "color": GREY}}


def upright(at: float) -> dict[str, object]:
    """A dashed line from bottom to top at a value of the x axis, as a shape of a figure."""
    return {**_DASHED, "xref": "x", "x0": at, "x1": at, "yref": "y domain", "y0": 0, "y1": 1}


def level(at: float) -> dict[str, object]:
    """A dashed line from side to side at a value of the y axis, as a shape of a figure."""
    return {**_DASHED, "xref": "x domain", "x0": 0, "x1": 1, "yref": "y", "y0": at, "y1": at}


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
        f'<path d="{path}" fill="{fill}" stroke="{GREY}" stroke-width="1.2"/></svg>'
    )
    return f"data:image/svg+xml,{quote(image)}"


def as_text(name: str) -> str:
    """A name as Plotly shows it letter by letter: it would read `<` as markup."""
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def shortened(name: str, most: int = ON_AXIS) -> str:
    """A name for an axis: as_text, and no longer than there is room for."""
    return as_text(name if len(name) <= most else name[: most - 1].rstrip() + "…")


def wrapped(name: str, width: int, lines: int) -> str:
    """A name over the column of a table, broken where it has spaces, in at most so many lines."""
    found = [""]
    for word in name.split():
        while len(word) > width:
            found.append(word[:width])
            word = word[width:]
        joined = f"{found[-1]} {word}".strip()
        if len(joined) <= width:
            found[-1] = joined
        else:
            found.append(word)
    found = [line for line in found if line]
    if len(found) > lines:
        found = [*found[: lines - 1], found[lines - 1][: width - 1] + "…"]
    return "<br>".join(map(as_text, found))
