"""A question of one's own in SQL to the statistics, and its answer as a table and as files."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.downloads import offer
from dashboard.i18n import literal, t
from dashboard.stats.page import open_statistics
from replays.stats.warehouse import MAX_ROWS, QuestionError, Warehouse

_EXAMPLE = """SELECT deck_name, count(*) AS games, avg(w) AS rate
FROM units GROUP BY deck_name ORDER BY games DESC"""


def main() -> None:
    """The page."""
    st.title(t("sql"))
    warehouse = open_statistics()
    if warehouse is None:
        return
    st.caption(t("sql_caption"))
    with st.form("question", border=False):
        question = st.text_area(t("sql_question"), st.query_params.get("q", _EXAMPLE), height=160)
        asked = st.form_submit_button(t("sql_ask"), type="primary")
    if asked:
        st.query_params["q"] = question
    if asked or "q" in st.query_params:
        answered(lambda: answer(warehouse, question))
    with st.expander(t("sql_tables")):
        answered(lambda: tables(warehouse))


def answered(show: Callable[[], None]) -> None:
    """Shows an answer, or says what is wrong with the question."""
    try:
        show()
    except QuestionError as problem:
        st.error(literal(str(problem)))


def answer(warehouse: Warehouse, question: str) -> None:
    """The rows of the answer."""
    rows, more = warehouse.ask(question)
    st.dataframe(rows.to_pandas(), hide_index=True)
    st.caption(t("sql_cut", n=f"{MAX_ROWS:,}") if more else t("sql_rows", n=f"{len(rows):,}"))
    offer(rows, "answer")


def tables(warehouse: Warehouse) -> None:
    """What there is to ask about: the columns of each table."""
    rows, _ = warehouse.ask(
        "SELECT table_name AS name, "
        "string_agg(column_name || ' ' || lower(data_type), ', ' ORDER BY column_index) AS columns "
        "FROM duckdb_columns() WHERE database_name = 'warehouse' GROUP BY table_name ORDER BY table_name"
    )
    st.dataframe(rows.to_pandas(), hide_index=True)


main()
