"""The pages and how one gets from one to another. Started by serve.py."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

LOGO = Path(__file__).parent / "logo.svg"
STYLE = """<style>
[data-testid=stMainBlockContainer] { padding-left: 2rem; padding-right: 2rem; }
[data-testid=stSidebar]:not([data-collapsed=true]) { width: 210px !important; min-width: 210px; }
</style>"""

PAGES = [
    st.Page("views/library.py", title="Library", default=True),
    st.Page("views/replay.py", title="Replay"),
    st.Page("views/cards.py", title="Cards"),
]

page = st.navigation(PAGES)
whole_window = page.url_path == "replay"
st.set_page_config(
    page_title=f"{page.title} · Cardfold",
    page_icon=str(LOGO.with_name("icon.svg")),
    layout="wide",
    initial_sidebar_state="collapsed" if whole_window else "expanded",
)
if not whole_window:
    st.logo(str(LOGO), size="large")
    st.html(STYLE)
page.run()
