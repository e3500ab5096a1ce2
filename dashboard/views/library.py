"""The games that are kept, as a table with filters; new files; the way to a replay."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard import data, filter_bar
from dashboard.i18n import chosen, t
from dashboard.words import DAY
from replays.store.filters import fitting
from replays.store.library import Entry, ImportReport, LibraryError


def main() -> None:
    """The page."""
    st.title(t("library"))
    try:
        add_files()  # before the games are listed: what comes in is among them at once
        games = data.entries()
    except LibraryError as problem:
        st.error(str(problem))
        return
    if not games:
        st.info(t("no_games"))
        return
    fitting = filtered(games)
    listed = fitting[: data.LISTED]
    of = t("n_games", n=f"{len(games):,}")
    if len(fitting) != len(games):
        of = t("n_of_games", n=f"{len(fitting):,}", all=f"{len(games):,}")
    st.caption(of + (" · " + t("newest_listed", n=f"{len(listed):,}") if len(listed) < len(fitting) else ""))
    shown = data.games_table(listed, chosen())
    if shown["date"].isna().all():  # simulated games have none
        shown = shown.drop(columns="date")
    column = st.column_config
    picked = st.dataframe(
        shown, hide_index=True, height=540, on_select="rerun", selection_mode="single-cell", key="games",
        column_config={
            **{name: column.Column(t(name)) for name in shown.columns},
            "won_by": column.TextColumn(t("won_by"), width=260),
            "date": column.DateColumn(t("date"), format=DAY[chosen()]),
            "turns": column.NumberColumn(t("turns"), format="localized"),
            "decisions": column.NumberColumn(t("decisions"), format="localized"),
        },
    ).selection.cells  # fmt: skip
    st.caption(t("click_a_row"))
    if picked and picked[0][0] < len(listed):
        st.switch_page("views/replay.py", query_params={"game": listed[picked[0][0]].id})


def filtered(games: list[Entry]) -> list[Entry]:
    """The games that fit what is chosen above the table."""
    bar = filter_bar.show("search", "game", "deck", "player_kind", "since", "until", "verdict", "player", "format",
                          "card_set", "tags", "reasons", "least_turns", "most_turns")  # fmt: skip
    named, language = fitting(games, bar.filters), chosen()
    return [
        e
        for e, one in zip(named, data.verdicts(named), strict=True)
        if (not bar.verdict or one == bar.verdict) and (not bar.search or _matches(e, bar.search, language))
    ]


def _matches(entry: Entry, words: str, language: str) -> bool:
    decks = data.deck_titles(entry, language)
    text = " ".join((*entry.players, *entry.decks, *decks, *entry.tags, entry.id, entry.key, entry.match or "")).lower()
    return all(word in text for word in words.split())


def add_files() -> None:
    """Takes dropped files in, and says what became of each game."""
    with st.expander(t("add_files")):
        with st.form("files", clear_on_submit=True, border=False):
            files = st.file_uploader(t("files"), accept_multiple_files=True, key="upload")
            sent = st.form_submit_button(t("import"))
        if sent and files:
            st.session_state["report"] = data.library().import_paths([(file.name, file) for file in files])
        if "report" in st.session_state:
            show_report(st.session_state["report"])


def show_report(done: ImportReport) -> None:
    """The report of an import."""
    st.write(t("imported", new=done.new, duplicate=done.duplicate, partial=done.partial, refused=done.refused))
    lines = [f for f in done.found if f.outcome != "new" or f.reason]
    if lines:
        st.dataframe(
            pd.DataFrame({t("file"): [f.file for f in lines], t("game"): [f.id for f in lines],
                          t("found"): [t(f.outcome) for f in lines], t("why"): [f.reason for f in lines]}),
            hide_index=True,
        )  # fmt: skip


main()
