"""The frame of a page of statistics: its title, the filter bar, how many games count; and what it says without any."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import data, filter_bar, job_list
from dashboard.i18n import t
from dashboard.stats import games_behind
from replays.stats.metrics import Filters
from replays.stats.warehouse import Warehouse, WarehouseError

ALL_FILTERS = (
    "game", "deck", "seat", "player_kind", "since", "until", "format", "card_set", "player", "tags", "reasons",
    "least_turns", "most_turns", "playlist", "families", "unchecked",
)  # fmt: skip
"""What pages of statistics can be filtered by."""


_GOING = "stats_going"


def go_to(view: str, filters: Filters, **query: str) -> None:
    """Opens another page with the same filters when the page is run next: for what a click does."""
    st.session_state[_GOING] = (f"views/{view}.py", {**filter_bar.in_address(filters), **query})


def open_page(title: str, body: Callable[[Filters], dict[str, Filters] | None], *filters: str) -> None:
    """A page with these filters: its `body` is given what is chosen.

    Where the body compares, it gives the sides by name: games behind a number are then of one of them.
    """
    going = st.session_state.pop(_GOING, None)
    if going:
        st.switch_page(going[0], query_params=going[1])
    st.title(title)
    if open_statistics() is not None:  # before anything is said of what they have
        chosen = filter_bar.show(*filters, needed="game").filters
        say_counted(chosen)
        games_behind.over_page(body(chosen) or {"": chosen})


def open_statistics() -> Warehouse | None:
    """The statistics of the library. Where there are none, says why; a click counts the games."""
    if not len(data.listing()):
        st.info(t("no_games"))
        return None
    try:
        return data.warehouse()
    except WarehouseError as problem:
        job_list.offer_to_count(problem)
        return None


def say_counted(filters: Filters) -> None:
    """How many games are counted, how many are left out, and why."""
    in_all, out = data.counted(filters)
    left = " · " + t("n_left_out", n=f"{sum(out.values()):,}") if out else ""
    st.markdown(t("n_counted", n=f"{in_all:,}") + left, help=_reasons(out) if out else None)


def nothing(filters: Filters) -> None:
    """Says why nothing is shown where games were counted, or were to be."""
    in_all, out = data.counted(filters)
    st.info(t("all_left_out", reasons=_reasons(out)) if out and not in_all else t("nothing_fits"))


def _reasons(out: dict[str, int]) -> str:
    return ", ".join(t(f"left_{reason}", n=f"{n:,}") for reason, n in out.items())
