"""All long work: what runs, what waits, what came of it."""

from __future__ import annotations

import streamlit as st

from dashboard import job_list
from dashboard.background.kinds import Build
from dashboard.i18n import t


def main() -> None:
    """The page."""
    st.title(t("jobs"))
    st.caption(t("jobs_caption"))
    if st.button(t("jobs_build"), key="jobs_build"):
        job_list.begin_work(Build())
    if not job_list.show_jobs():
        st.info(t("jobs_none"))


main()
