"""The games that are picked in the list, by key, in the order in which they were picked; kept over its pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

_PICKED = "picked_games"
_SAID = "picked_games_said"


def games() -> list[str]:
    """The keys of the games that are picked."""
    found: list[str] = st.session_state.get(_PICKED, [])
    return found


def said() -> int:
    """How often the page itself has said what is picked: then the boxes follow it."""
    return int(st.session_state.get(_SAID, 0))


def take(shown: Iterable[str], ticked: Sequence[str]) -> None:
    """What the boxes of the rows that are `shown` say; other games stay picked."""
    rows = set(shown)
    st.session_state[_PICKED] = list(dict.fromkeys([*(one for one in games() if one not in rows), *ticked]))


def pick(keys: Iterable[str]) -> None:
    """Picks these games and no others."""
    st.session_state[_PICKED] = list(dict.fromkeys(keys))
    st.session_state[_SAID] = said() + 1
