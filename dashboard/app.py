"""The pages and how one gets from one to another. Started by serve.py."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard import i18n, session

LOGO = Path(__file__).parent / "logo.svg"
STYLE = """<style>
[data-testid=stMainBlockContainer] { padding-left: 2rem; padding-right: 2rem; }
[data-testid=stSidebar]:not([data-collapsed=true]) { width: 210px !important; min-width: 210px; }
</style>"""

REPLAY = "views/replay.py"


def pages() -> list[st.Page]:
    """The pages in the order of the menu; only the viewer where the dashboard was started on a file."""
    if session.watched() is not None:
        return [st.Page(REPLAY, title=i18n.say("replay"), default=True)]
    return [
        st.Page("views/library.py", title=i18n.say("library"), default=True),
        st.Page(REPLAY, title=i18n.say("replay")),
        st.Page("views/cards.py", title=i18n.say("cards")),
    ]


page = st.navigation(pages())
whole_window = page.url_path == "replay" or session.watched() is not None
st.set_page_config(
    page_title=f"{page.title} · Cardfold",
    page_icon=str(LOGO.with_name("icon.svg")),
    layout="wide",
    initial_sidebar_state="collapsed" if whole_window else "auto",
)
if not whole_window:
    st.logo(str(LOGO), size="large")
    st.html(STYLE)
    i18n.choice()
page.run()
