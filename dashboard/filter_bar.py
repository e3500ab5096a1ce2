"""The filter bar: which games and seats a page is about. It is the same on every page, and kept in the address.

A page names the filters that it takes, and is given what is chosen:

    chosen = filter_bar.show("game", "deck", "seat", "player_kind", "since", "until", needed="game")
    rates = metric(warehouse, "gih_wr", chosen.filters, i18n.chosen())       # statistics
    games = data.listing().where(*chosen)                                    # positions in the list of all games

- Names are the fields of `Filters` (they are in the address too), `search` and `verdict`; see FILTERS for all of them.
- `needed`: always has a value, the first of its choices where nothing is chosen (a page about one game).
- A filter of which there are not two choices in the library is not shown.
- `side="left_"` keeps a second bar apart from the first, as a page that compares needs it: its names in the address
  begin so. `place` is where it stands.
- What is chosen survives a change of the page. To link to a page with other filters: `st.switch_page("views/cards.py",
  query_params={"game": "…", "deck": "…"})`; names and values as in `in_address`.
- Choices of a page that are no filters (a unit, a sort order) are kept by `dashboard.address`, in the same way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st
from msgspec import structs

from dashboard import address, data
from dashboard.i18n import chosen as language
from dashboard.i18n import t
from replays.stats.metrics import Filters

FILTERS = (
    "search", "game", "deck", "seat", "player_kind", "verdict", "since", "until", "player", "format", "card_set",
    "tags", "reasons", "least_turns", "most_turns", "playlist", "families", "unchecked",
)  # fmt: skip
"""All filters, in the order in which they stand on every page."""

_FOLDED = FILTERS[FILTERS.index("since") :]
"""Those that stand under *More filters*."""

_OF_A_GAME = ("deck", "format", "card_set", "reasons", "card", "list", "pair")
"""What is taken back where another game is chosen."""

_OWN_NAMES = ("player", "tags")
"""Filters with more values than a list can hold: others than those listed can be typed."""

_WIDTHS = {"search": 240, "deck": 190, "game": 170}
_WIDTH = 140


class Chosen(NamedTuple):
    """What is chosen in the bar."""

    filters: Filters
    search: str = ""
    """words, all of which a game's players, decks, tags or id have"""
    verdict: str = ""
    """a verdict of `verdicts.standing`; nothing: any"""


def show(*names: str, needed: str = "", side: str = "", forgets: tuple[str, ...] = (), place: Any = None,
         game: str = "") -> Chosen:
    """The bar with these filters, and what is chosen in it. `forgets`: other choices that a change takes back.

    `game` is the one that the choices are of, where the bar itself has no filter by game.
    """
    bar = (place or st).container(border=True, horizontal=True, vertical_alignment="bottom", key=f"{side}filter_bar")
    found: dict[str, Any] = {}
    folded = [name for name in _FOLDED if name in names]
    for name in FILTERS:
        if name in names and name not in folded:
            found[name] = _one(bar, name, side, game, name == needed, forgets)
            game = found[name] if name == "game" else game
    used = sum(bool(address.value(side + name)) for name in folded)
    if folded:
        more = bar.popover(t("more_filters") + (f" ({used})" if used else ""), key=f"{side}more_filters")
        found |= {name: _one(more, name, side, game, name == needed, forgets) for name in folded}
    address.say_problems()
    own = {name: chosen for name, chosen in found.items() if chosen and name in structs.asdict(Filters())}
    own |= {name: (own[name],) for name in ("tags", "reasons") if name in own}
    if "deck" in own:
        own["deck"] = data.deck_of(own["deck"])
    return Chosen(Filters(**own), found.get("search", "").lower(), found.get("verdict", ""))


def in_address(filters: Filters, side: str = "") -> dict[str, str]:
    """The filters as an address has them: to link to a page that shows just this."""
    found = {}
    for name, value in structs.asdict(filters).items():
        if value:
            one = value[0] if isinstance(value, tuple) else value
            found[side + name] = "yes" if one is True else data.short(one) if name == "deck" else str(one)
    return found


def _one(place: Any, name: str, side: str, game: str, needed: bool, forgets: tuple[str, ...]) -> Any:
    """One filter, and what is chosen there."""
    key, label = side + name, t(name)
    if name == "game":
        forgets = (*forgets, *(side + other for other in _OF_A_GAME))
    options: dict[str, Any] = {"forgets": forgets, "width": _WIDTHS.get(name, _WIDTH)}
    if name == "search":
        return address.text(place.text_input, key, label, placeholder=t("search_hint"), **options)
    if name in ("since", "until"):
        dated = data.listing().dated or address.value(key)
        return address.day(place.date_input, key, label, format="YYYY-MM-DD", **options) if dated else None
    if name in ("least_turns", "most_turns"):
        return address.whole_number(place.number_input, key, label, least=1, **options)
    if name == "families":
        if not data.library().groups().families and not address.value(key):
            return False
        return address.yes(place.toggle, key, label, forgets=forgets, help=t("families_means"))
    if name == "unchecked":
        return address.yes(place.toggle, key, t("unchecked_too"), forgets=forgets, help=t("unchecked_means"))
    choices = data.filter_choices(name, game, language())
    if needed:
        return address.choose(place.selectbox, key, choices, label, first=True, **options) if choices else ""
    if len(choices) < (1 if name == "playlist" else 2) and not address.value(key):
        return ""
    if name in _OWN_NAMES:
        options |= {"known": data.filter_choices(name, game, language(), most=None), "accept_new_options": True}
    return address.choose(place.selectbox, key, {"": t("any"), **choices}, label, **options)
