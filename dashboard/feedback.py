"""What came of something that a click has done, said when the page is drawn anew."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.i18n import literal
from events.errors import CardfoldError


def attempt(key: str, does: Callable[[], str]) -> None:
    """Does something, and keeps what is to be said of it, or why it could not be done."""
    try:
        st.session_state[key] = True, does()
    except (CardfoldError, OSError) as problem:
        st.session_state[key] = False, str(problem)


def show_feedback(key: str) -> None:
    """Says once what was kept under this key."""
    done, said = st.session_state.pop(key, (True, ""))
    if said:
        (st.success if done else st.error)(literal(said))
