"""The games that are kept, as a table with filters; new files; the way to a replay."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import data
from dashboard.i18n import chosen, t
from dashboard.words import DAY
from engine.rulebooks import registry
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


def filtered(games: Sequence[Entry]) -> list[Entry]:
    """The games that fit what is chosen above the table. An empty choice is any."""
    with st.container(border=True):
        text, game, deck, player_kind, verdict = st.columns([2.4, 1, 1.4, 1, 1])
    _take_up("search")
    words = text.text_input(t("search"), placeholder=t("search_hint"), key="search").strip().lower()
    _keep("search")
    game_key = _choice(game, "game", [e.game for e in games], {e.game: data.title(e.game, chosen()) for e in games})
    language, named = chosen(), {(e.game, name) for e in games for name in e.decks if name}
    decks = {name: registry.deck_name(of, name, language) for of, name in named}
    deck_name = _choice(deck, "deck", list(decks), decks)
    mind_name = _choice(player_kind, "player_kind", [name for e in games for name in e.player_kinds])
    found = data.verdicts(games)
    wanted = _choice(verdict, "verdict", found, {one: t(one) for one in set(found)})
    return [
        e
        for e, one in zip(games, found, strict=True)
        if (not game_key or e.game == game_key)
        and (not deck_name or deck_name in e.decks)
        and (not mind_name or mind_name in e.player_kinds)
        and (not wanted or one == wanted)
        and (not words or _matches(e, words, language))
    ]


def _choice(place: DeltaGenerator, key: str, values: Sequence[str], said: dict[str, str] | None = None) -> str:
    """What is chosen of these values, or nothing. `said`: how people call them, where they are not said as they are."""
    names = {"": t("any"), **(said or {})}
    choices = ["", *sorted(set(values))]
    _take_up(f"only_{key}", choices)
    value: str = place.selectbox(t(key), choices, key=f"only_{key}", format_func=lambda one: names.get(one, one))
    _keep(f"only_{key}")
    return value


def _take_up(key: str, choices: Sequence[str] | None = None) -> None:
    """Gives a field what stood in it when another page was opened: Streamlit forgets fields that are not shown."""
    kept = st.session_state.get(f"kept_{key}", "")
    if key not in st.session_state and (choices is None or kept in choices):
        st.session_state[key] = kept


def _keep(key: str) -> None:
    st.session_state[f"kept_{key}"] = st.session_state[key]


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
