"""The games that are kept, as a table with filters; new files; the way to a replay."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboard import data
from replays.library import Entry, ImportReport, LibraryError

ANY = "Any"


def main() -> None:
    """The page."""
    st.title("Library")
    try:
        games = data.entries()
    except LibraryError as problem:
        st.error(str(problem))
        return
    add_files()
    if not games:
        st.info(
            "No games yet: run `cardfold demo` to watch computer players, `cardfold play liveon` to play yourself, "
            "or drop log files above."
        )
        return
    chosen = filtered(games)
    listed = chosen[: data.LISTED]
    of = f"{len(chosen):,} of {len(games):,} games" if len(chosen) != len(games) else f"{len(games):,} games"
    st.caption(of + (f" · the newest {len(listed):,} are listed" if len(listed) < len(chosen) else ""))
    picked = st.dataframe(
        data.table(listed), hide_index=True, height=540, on_select="rerun", selection_mode="single-row", key="games",
        column_config={"Won by": st.column_config.TextColumn(width=260)},
    ).selection.rows
    if picked and picked[0] < len(listed):
        open_button(listed[picked[0]])
    else:
        st.caption("Tick a row to open its replay.")


def filtered(games: Sequence[Entry]) -> list[Entry]:
    """The games that fit what is chosen above the table."""
    with st.container(border=True):
        text, game, deck, mind, state = st.columns([2.4, 1, 1.4, 1, 1])
    words = text.text_input("Search", placeholder="player, deck, tag or id").strip().lower()
    keys = sorted({e.game for e in games})
    game_key = game.selectbox("Game", [ANY, *keys], format_func=lambda key: key if key == ANY else data.title(key))
    deck_name = deck.selectbox("Deck", [ANY, *sorted({name for e in games for name in e.decks if name})])
    mind_name = mind.selectbox("Player kind", [ANY, *sorted({name for e in games for name in e.minds})])
    log = state.selectbox("Log", [ANY, *sorted({e.state for e in games})])
    return [
        e
        for e in games
        if (game_key == ANY or e.game == game_key)
        and (deck_name == ANY or deck_name in e.decks)
        and (mind_name == ANY or mind_name in e.minds)
        and (log == ANY or e.state == log)
        and (not words or _matches(e, words))
    ]


def _matches(entry: Entry, words: str) -> bool:
    text = " ".join((*entry.players, *entry.decks, *entry.tags, entry.id, entry.key, entry.match or "")).lower()
    return all(word in text for word in words.split())


def open_button(entry: Entry) -> None:
    """What the chosen game is, and the way to its replay."""
    about, go = st.columns([4, 1], vertical_alignment="center")
    decks = " against ".join(f"{p} ({d})" if d else p for p, d in zip(entry.players, entry.decks, strict=True))
    about.text(f"{decks}: {data.won_by(entry)}, {entry.turns} turns")
    if entry.fault:
        about.text(entry.fault)
    if go.button("Open the replay", type="primary", width="stretch"):
        st.switch_page("views/replay.py", query_params={"game": entry.id})


def add_files() -> None:
    """Takes dropped files in, and says what became of each game."""
    with st.expander("Add files"):
        with st.form("files", clear_on_submit=True, border=False):
            files = st.file_uploader(
                "Logs (.jsonl), packs (.jsonl.zst) or archives of them", accept_multiple_files=True, key="upload"
            )
            sent = st.form_submit_button("Import")
        if sent and files:
            st.session_state["report"] = data.library().import_paths(files)
        if "report" in st.session_state:
            report(st.session_state["report"])


def report(done: ImportReport) -> None:
    """The report of an import."""
    st.write(f"{done.new} new, {done.duplicate} there already, {done.partial} in part, {done.refused} refused.")
    lines = [f for f in done.found if f.outcome != "new"]
    if lines:
        st.dataframe(
            pd.DataFrame({"File": [f.file for f in lines], "Game": [f.id for f in lines],
                          "Outcome": [f.outcome for f in lines], "Why": [f.reason for f in lines]}),
            hide_index=True,
        )  # fmt: skip


main()
