"""One game, step by step: the viewer, as large as the window."""

from __future__ import annotations

import streamlit as st

from dashboard import session, viewer
from dashboard.i18n import chosen, literal, t
from engine.words import LANGUAGES

WHOLE_WINDOW = """<style>
[data-testid="stMainBlockContainer"] { padding: 0; max-width: none; }
[data-testid="stMain"] { overflow: hidden; }
[data-testid="stHeader"] { background: transparent; height: 52px; min-height: 52px; }
[data-testid="stHeader"], [data-testid="stHeader"] * { pointer-events: none; }
[data-testid="stHeader"] button, [data-testid="stHeader"] button * { pointer-events: auto; }
[data-testid="stMain"] { --bar-left: 56px; }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0; }
</style>"""

_SEATS = {"0": 0, "1": 1}

board = st.components.v2.component(
    "cardfold_viewer", html=viewer.html(), css=viewer.css(), js=viewer.javascript(), isolate_styles=True
)
messenger = st.components.v2.component(
    "cardfold_news",
    js="""export default function ({ data }) {
      window.cardfoldNews = data;
      window.dispatchEvent(new Event("cardfold-news"));
    }""",
)
"""What changes while a game is open goes this way: the viewer's own data would all be sent anew."""


def _asked(game: str) -> tuple[int | None, str]:
    """Seat and language: as last asked for in the viewer, else those of the address."""
    wish = (st.session_state.get("viewer") or {}).get("wish")
    if not isinstance(wish, dict) or wish.get("game") != game:
        return _SEATS.get(str(st.query_params.get("seat"))), chosen()
    if wish.get("language") in LANGUAGES:
        st.session_state["language"] = wish["language"]
    return _SEATS.get(str(wish.get("seat"))), chosen()


def _nothing() -> None:
    """A change in the viewer runs the page again; there is nothing else to do."""


def main() -> None:
    """The viewer on the game of the address, else on the newest one."""
    try:
        address = session.address_of(st.query_params.get("game"))
        game = session.opened(address) if address else None
    except session.PROBLEMS as problem:
        st.title(t("replay"))
        st.error(literal(str(problem)))
        if session.watched() is None:
            st.page_link("views/library.py", label=t("choose_in_library"))
        return
    if game is None:
        st.title(t("replay"))
        st.info(t("no_games"))
        return
    seat, language = _asked(game.address)
    st.html(WHOLE_WINDOW)
    shown = board(
        key="viewer", data=session.source(game, seat, language), height="content", on_wish_change=_nothing,
        on_note_change=_nothing, on_want_change=_nothing,
    )
    messenger(key="news", data=session.news(game, seat, language, shown.note, shown.want), height=1)


main()
