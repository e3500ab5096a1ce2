"""The pages and how one gets from one to another. Started by serve.py."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

LOGO = Path(__file__).parent / "logo.svg"
SIDEBAR = 210
"""Width of the list of pages, in pixels."""

STYLE = "<style>[data-testid=stMainBlockContainer] { padding-left: 2rem; padding-right: 2rem; }</style>"

PAGES = [
    st.Page("views/library.py", title="Library", default=True),
    st.Page("views/replay.py", title="Replay"),
    st.Page("views/cards.py", title="Cards"),
]

st.set_page_config(
    page_title="Cardfold", page_icon=str(LOGO.with_name("icon.svg")), layout="wide", initial_sidebar_state=SIDEBAR
)
page = st.navigation(PAGES)
if page.url_path == "replay":
    st.set_page_config(initial_sidebar_state="collapsed")
else:
    st.logo(str(LOGO), size="large")
    st.html(STYLE)
page.run()
