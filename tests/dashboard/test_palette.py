"""The colours: contrast by WCAG 2, and whether colour-blind people can tell those apart that mean different things."""

from __future__ import annotations

import itertools
import math
import re

import pytest

from dashboard import viewer
from replays.view.board import FAMILIES, NEUTRAL

Colour = tuple[float, float, float]

GROUNDS = ("page", "surface", "sunken", "board", "slot")
INKS = ("ink", "ink2", "ink3", "attack", "ok", "warn", "seat0", "seat1", "link")
SIGNALS = ("seat0", "seat1", "attack", "now")

BLIND = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""Machado, Oliveira and Fernandes 2009, full strength."""


def tokens(theme: str) -> dict[str, str]:
    """The colours of a theme, by name."""
    found = re.search(rf"\.cf\.{theme}\{{(.*?)\}}", viewer.css())
    assert found is not None
    return dict(re.findall(r"--(\w+):(#[0-9A-Fa-f]{3,6})", found[1]))


families = viewer.families


def linear(colour: str) -> Colour:
    """Red, green and blue as light, 0 to 1."""
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return red, green, blue


def contrast(a: str, b: str) -> float:
    """The contrast of WCAG 2, 1 to 21."""
    dark, light = sorted(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(x), strict=True)) for x in (a, b))
    return (light + 0.05) / (dark + 0.05)


def lab(colour: str, blind: str) -> Colour:
    """CIELAB of what somebody sees."""
    light = linear(colour)
    seen = [max(0.0, min(1.0, sum(m * c for m, c in zip(row, light, strict=True)))) for row in BLIND[blind]]
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.95047, 1, 1.08883)
    xyz = [sum(w * c for w, c in zip(row, seen, strict=True)) / n for row, n in zip(to_xyz, white, strict=True)]
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Colour, other: Colour) -> float:
    """CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    middle = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    grey = 0.5 * (1 - math.sqrt(middle**7 / (middle**7 + 25**7)))
    c1, c2 = math.hypot(a1 * (1 + grey), b1), math.hypot(a2 * (1 + grey), b2)
    h1, h2 = (math.degrees(math.atan2(b, a * (1 + grey))) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if not c1 * c2 else (h1 + turn / 2) % 360
    dl, dc, dh = l2 - l1, c2 - c1, 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2

    def wave(times: float, shift: float) -> float:
        return math.cos(math.radians(times * hue + shift))

    t = 1 - 0.17 * wave(1, -30) + 0.24 * wave(2, 0) + 0.32 * wave(3, 6) - 0.2 * wave(4, -63)
    sl = 1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    tilt = 30 * math.exp(-(((hue - 275) / 25) ** 2))
    rt = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7)) * math.sin(math.radians(2 * tilt))
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh))


def test_the_difference_is_that_of_the_published_pairs() -> None:
    assert difference((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert difference((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514)) == pytest.approx(0.9082, abs=1e-4)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_can_be_read_on_every_ground(theme: str) -> None:
    colours = tokens(theme)
    for ink, ground in itertools.product(INKS, GROUNDS):
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for ink, ground in (("nowink", "nowwash"), ("ink", "nowwash"), ("ok", "okwash"), ("warn", "warnwash")):
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    assert contrast("#14181F", colours["now"]) >= 4.5
    for ground in ("page", "surface", "board"):
        assert contrast(colours["edge"], colours[ground]) >= 3, "edges of what can be pressed"


def test_names_can_be_read_on_every_frame() -> None:
    assert set(families()) == set(FAMILIES)
    for name, (frame, ink) in families().items():
        assert contrast(frame, ink) >= 4.5, name


def rules(selector: str) -> str:
    """What a rule says."""
    found = re.search(rf"(?:^|\}}){re.escape(selector)}\{{([^}}]*)\}}", viewer.css(), re.MULTILINE)
    assert found is not None, selector
    return found[1]


def test_the_plain_frame_can_be_read_and_seen_in_both_themes() -> None:
    frame, ink = families()["plain"]
    square = re.search(r"--f:(#\w+)", rules(".of-square .f-plain"))
    assert square is not None
    for ground in (frame, square[1]):
        assert contrast(ground, ink) >= 4.5
    for theme, selector in (("light", ".f-plain"), ("dark", ".dark .f-plain")):
        body = re.search(r"--b:(#\w+)", rules(selector))
        assert body is not None and contrast(tokens(theme)["ink"], body[1]) >= 4.5
    for selector in (".dark .card.f-plain", ".dark .of-square .card.f-plain"):
        edge = re.search(r"border-color:(#\w+)", rules(selector))
        assert edge is not None and contrast(edge[1], tokens("dark")["board"]) >= 3
    for ground in (frame, square[1]):
        assert contrast(ground, tokens("light")["board"]) >= 3


@pytest.mark.parametrize("blind", BLIND)
def test_what_means_different_things_looks_different_to_colour_blind_people_too(blind: str) -> None:
    frames = {name: frame for name, (frame, _) in families().items()}
    groups = [("red", "white", "blue", "black"), ("gold", "purple", "azure", "rust"),
              NEUTRAL]  # fmt: skip
    sets = [[frames[name] for name in group] for group in groups]
    sets += [[tokens(theme)[name] for name in SIGNALS] for theme in ("light", "dark")]
    for colours in sets:
        nearest = min(difference(lab(a, blind), lab(b, blind)) for a, b in itertools.combinations(colours, 2))
        assert nearest > 12, colours
