"""One game, step by step: the viewer, as large as the window."""

from __future__ import annotations

import streamlit as st

from dashboard import data, viewer
from replays.library import LibraryError

WHOLE_WINDOW = """<style>
[data-testid="stMainBlockContainer"] { padding: 0; max-width: none; }
[data-testid="stMain"] { overflow: hidden; }
[data-testid="stHeader"] { background: transparent; height: 52px; min-height: 52px; }
[data-testid="stHeader"], [data-testid="stHeader"] * { pointer-events: none; }
[data-testid="stHeader"] button, [data-testid="stHeader"] button * { pointer-events: auto; }
[data-testid="stMain"] { --bar-left: 56px; }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0; }
</style>"""

SEATS = {"1": 0, "2": 1}

board = st.components.v2.component(
    "cardfold_viewer", html=viewer.html(), css=viewer.css(), js=viewer.javascript(), isolate_styles=True
)


def asked(game: str) -> tuple[int | None, str]:
    """Seat and language: as last asked for in the viewer, else those of the address."""
    wish = (st.session_state.get("viewer") or {}).get("wish")
    if not isinstance(wish, dict) or wish.get("game") != game:
        wish = st.query_params
    return SEATS.get(str(wish.get("seat"))), str(wish.get("language") or "en")


def main() -> None:
    """The viewer on the game of the address, else on the newest one."""
    try:
        wanted = st.query_params.get("game") or next((entry.id for entry in data.entries()), None)
        source = data.replay(wanted, *asked(wanted)) if wanted else None
    except LibraryError as problem:
        st.title("Replay")
        st.error(str(problem))
        st.page_link("views/library.py", label="Choose a game in the library")
        return
    if source is None:
        st.title("Replay")
        st.info("No games yet: run `cardfold demo`, or add a log on the page Library.")
        return
    st.html(WHOLE_WINDOW)
    board(key="viewer", data=source, height="content", on_wish_change=lambda: None)


main()
