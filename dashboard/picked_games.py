"""What is done with the games that are picked in the Library: playlists, a file for others, a note, removal."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import streamlit as st

from dashboard import data
from dashboard.feedback import attempt, show_feedback
from dashboard.game_list import picked
from dashboard.i18n import t
from replays.store import groups, notes, share
from replays.store.entries import Entry, noted_as
from replays.store.listing import Listing, Positions

MOST_PICKED = 1000
"""Games that can be picked at once by one button, and that one file from the pages holds; `cardfold export` writes as
many as one likes.
"""

_SAID = "picked_said"
_REMOVED = "picked_removed"
_WRITTEN = "picked_note_written"


def show_bar(games: Listing, in_order: Positions) -> None:
    """What can be done with the picked games; where none is picked, how to pick one. `in_order`: those in the list."""
    _say()
    wanted = set(picked.games())
    there = {entry.key: entry for entry in games.entries if entry.key in wanted} if wanted else {}
    found = [there[key] for key in picked.games() if key in there]
    with st.container(horizontal=True, vertical_alignment="center", key="picked_bar"):
        st.markdown(t("n_picked", n=f"{len(found):,}") if found else t("pick_how"), width="content")
        if found:
            _playlists(found)
            _file(found)
            _note(found)
            _removal(found)
            st.button(t("pick_none"), type="tertiary", key="pick_none", on_click=picked.pick, args=((),))
        first = in_order[:MOST_PICKED]
        every = "pick_all" if len(first) == len(in_order) else "pick_first"
        st.button(t(every, n=f"{len(first):,}"), type="tertiary", key="pick_all",
                  on_click=lambda: picked.pick(games.entries[at].key for at in first))  # fmt: skip


def logs_of(over: Sequence[Entry]) -> bytes:
    """The logs of these games, one after the other."""
    file = io.BytesIO()
    share.export_games(data.library(), over, file)
    return file.getvalue()


def offer_logs(name: str, found: Sequence[Entry]) -> None:
    """A button that gives these games as a file, as far as they are over and one file may hold them."""
    over = [entry for entry in found if entry.reason is not None][:MOST_PICKED]
    if over:
        st.download_button(
            t("games_to_share", n=f"{len(over):,}"), lambda: logs_of(over), "games.jsonl", "application/x-ndjson",
            help=t("games_to_share_means", most=f"{MOST_PICKED:,}"), key=name, on_click="ignore",
        )  # fmt: skip
    else:
        st.caption(t("none_over"))


# --- what was done ------------------------------------------------------------------------------------------


def _button(label: str, key: str, does: Callable[[], str], can: bool = True, *, main: bool = False) -> None:
    """A button that does something; what is to be said of it, or why it could not be done, is kept for the page anew.

    It has no callback, which would be given what was chosen when the page was last drawn to its end.
    """
    if st.button(label, key=key, type="primary" if main else "secondary", disabled=not can) and can:
        st.session_state.pop(_REMOVED, None)
        attempt(_SAID, does)
        st.rerun()


def _say() -> None:
    show_feedback(_SAID)
    gone = st.session_state.get(_REMOVED)
    if gone:
        _button(t("take_games_back"), "take_games_back", lambda: _taken_back(gone))


# --- playlists ----------------------------------------------------------------------------------------------


def _playlists(found: Sequence[Entry]) -> None:
    names = [one.name for one in data.library().groups().playlists]
    with st.popover(t("playlist"), icon=":material/playlist_add:", key="picked_playlist"):
        name: str | None = st.selectbox(
            t("playlist_name"), names, index=None, accept_new_options=True, key="playlist_name",
            placeholder=t("group_name_how"),
        )
        there = name in names
        n = f"{len(found):,}"
        _button(t("playlist_put", n=n), "playlist_put", lambda: _put_on(name or "", found), bool(name), main=True)
        _button(t("playlist_take", n=n), "playlist_take", lambda: _taken_off(name or "", found), there)
        _button(t("playlist_forget"), "playlist_forget", lambda: _forgotten(name or ""), there)


def _put_on(name: str, found: Sequence[Entry]) -> str:
    keys = [entry.key for entry in found]
    made = data.library().change_groups(lambda old: groups.listed(old, name, keys)).playlists[-1]
    return t("playlist_has", name=made.name, n=f"{len(made.games):,}")


def _taken_off(name: str, found: Sequence[Entry]) -> str:
    keys = [entry.key for entry in found]
    made = data.library().change_groups(lambda old: groups.unlisted(old, name, keys)).playlists[-1]
    return t("playlist_has", name=made.name, n=f"{len(made.games):,}")


def _forgotten(name: str) -> str:
    data.library().change_groups(lambda old: groups.unlisted(old, name))
    return t("playlist_forgotten", name=name)


# --- a file, a note, removal --------------------------------------------------------------------------------


def _file(found: Sequence[Entry]) -> None:
    with st.popover(t("share_games"), icon=":material/share:", key="picked_share"):
        offer_logs("picked_logs", found)


def _note(found: Sequence[Entry]) -> None:
    with st.popover(t("note_games"), icon=":material/edit_note:", key="picked_note"):
        if st.session_state.pop(_WRITTEN, False):
            st.session_state["note_text"] = ""
        text = st.text_area(t("note_text"), key="note_text", help=t("note_means"))
        by = st.text_input(t("note_by"), key="note_by")
        _button(t("note_add", n=f"{len(found):,}"), "note_add", lambda: _noted(text, by, found), bool(text.strip()),
                main=True)  # fmt: skip


def _noted(text: str, by: str, found: Sequence[Entry]) -> str:
    data.library().add_notes({noted_as(one): [notes.new_note(0, text.strip(), by.strip(), one.view)] for one in found})
    st.session_state[_WRITTEN] = True
    return t("noted", n=f"{len(found):,}")


def _removal(found: Sequence[Entry]) -> None:
    with st.popover(t("remove_games"), icon=":material/delete:", key="picked_remove"):
        st.caption(t("remove_means"))
        _button(t("remove_now", n=f"{len(found):,}"), "remove_now", lambda: _removed(found), main=True)


def _removed(found: Sequence[Entry]) -> str:
    gone = data.library().remove(found)
    picked.pick(())
    st.session_state[_REMOVED] = [entry.key for entry in found]
    return t("removed_games", n=f"{len(gone):,}")


def _taken_back(keys: Sequence[str]) -> str:
    back, _ = data.library().restore(keys)
    return t("games_back", n=f"{len(back):,}")
