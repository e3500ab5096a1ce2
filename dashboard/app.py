"""The pages and how one gets from one to another. Started by serve.py."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard import address, i18n, job_list, session, words
from events.errors import CardfoldError

LOGO = Path(__file__).parent / "logo.svg"
_STYLE = """<style>
[data-testid=stMainBlockContainer] { padding-left: 2rem; padding-right: 2rem; }
[data-testid=stSidebar]:not([data-collapsed=true]) { width: 210px !important; min-width: 210px; }
@media (max-width: 640px) {
  [data-testid=stMainBlockContainer] { padding: 3.5rem 1rem 2rem; }
  .st-key-tiles [data-testid=stColumn] { min-width: 40%; }
  .st-key-chart_first > * > [data-testid=stHorizontalBlock] { flex-wrap: wrap-reverse; }
  [class*="filter_bar"] > [data-testid=stElementContainer] { flex: 1 1 40% !important; width: auto !important; }
}
[data-testid=stCaptionContainer] code { color: inherit; }
:is([data-testid^=stBaseButton-primary], [data-testid^=stBaseLinkButton-primary]) {
  background-color: light-dark(#1A5BA8, #2469B7);
}
[class*="st-key-door_"] { position: relative; gap: .25rem; }
[class*="st-key-door_"]:hover { border-color: #76808E; }
[class*="st-key-door_"] [data-testid=stElementContainer] { position: static; }
[class*="st-key-door_"] a { padding: 0; background: none !important; }
[class*="st-key-door_"] a p { font-size: 1.2rem; font-weight: 600; }
[class*="st-key-door_"] a::after { content: ""; position: absolute; inset: 0; z-index: 1; border-radius: 8px; }
</style>"""


def pages() -> list[st.Page]:
    """The pages of the menu; only the viewer where the dashboard was started on a file."""
    names = words.menu() if session.watched() is None else ["replay"]
    return [st.Page(words.VIEWS_FOLDER / f"{name}.py", title=i18n.t(name), default=name == names[0]) for name in names]


page = st.navigation(pages(), expanded=True)
whole_window = page.url_path == "replay" or session.watched() is not None
st.set_page_config(
    page_title=f"{page.title} · Cardfold",
    page_icon=str(LOGO.with_name("icon.svg")),
    layout="wide",
    initial_sidebar_state="collapsed" if whole_window else "auto",
)
if not whole_window:
    st.logo(str(LOGO), size="large")
    st.html(_STYLE)
    i18n.choose_language()
address.arrive(page.url_path)
if session.watched() is None:
    job_list.show_line(whole_window)
try:
    page.run()
except CardfoldError as problem:  # here for every page, so that none shows a traceback
    st.error(i18n.literal(str(problem)))
if not whole_window:
    address.complete()
