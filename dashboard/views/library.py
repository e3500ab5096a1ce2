"""The games that are kept, a page of them at a time, with filters; new files; the way to a replay."""

from __future__ import annotations

import pyarrow as pa
import streamlit as st

from dashboard import address, data, filter_bar, game_list, job_list, picked_games
from dashboard.background.kinds import ImportFiles, put_aside
from dashboard.downloads import offer_made
from dashboard.i18n import literal, t
from replays.store.entries import in_list
from replays.store.listing import ORDERS, Listing, Positions

PAGE_SIZE = 50
_PLACE = ("page", "opened")  # what another choice takes back: the place in the list


def main() -> None:
    """The page."""
    st.title(t("library"))
    add_files()  # before the games are listed: what comes in is among them at once
    games = data.listing()
    if len(games):
        show_games(games)
    else:
        st.info(t("no_games"))


def show_games(games: Listing) -> None:
    """The games that fit what is chosen, a page of them."""
    bar = filter_bar.show(
        "search", "game", "deck", "player_kind", "since", "until", "verdict", "player", "format", "card_set", "tags",
        "reasons", "least_turns", "most_turns", "playlist", forgets=_PLACE,
    )  # fmt: skip
    found = games.where(*bar)
    said, order = st.columns([4, 1], vertical_alignment="bottom")
    orders = {name: t(f"order_{name}") for name in ORDERS}
    chosen = address.choose(order.selectbox, "order", orders, t("order"), default=ORDERS[0], forgets=_PLACE,
                            label_visibility="collapsed")  # fmt: skip
    if len(found) == len(games):
        said.markdown(t("n_games", n=f"{len(games):,}"))
    else:
        said.markdown(t("n_of_games", n=f"{len(found):,}", all=f"{len(games):,}"))
    if games.more:
        said.caption(t("newest_listed", n=f"{len(games):,}"))
    if not len(found):
        st.info(t("no_game_fits"))
        return
    pages = -(-len(found) // PAGE_SIZE)
    page = page_of(pages)
    in_order = games.ordered(found, chosen)
    shown = in_order[PAGE_SIZE * (page - 1) : PAGE_SIZE * page]
    of = t("n_to_n_of", first=f"{PAGE_SIZE * (page - 1) + 1:,}", last=f"{PAGE_SIZE * (page - 1) + len(shown):,}",
           all=f"{len(found):,}")  # fmt: skip
    picked_games.show_bar(games, in_order)
    game_list.show_list(
        "games", [games.entries[at] for at in shown], games.varying(found), game_list.Pages(page, pages, of),
        address.value("opened"), picking=True,
    )  # fmt: skip
    with st.popover(t("download"), type="tertiary", icon=":material/download:"):
        offer_files(games, in_order)


def offer_files(games: Listing, in_order: Positions) -> None:
    """These games as a table, and themselves as a file to share, as many as one may hold."""
    offer_made(lambda: pa.Table.from_pylist([in_list(*games.judged(at)) for at in in_order]), "list")
    picked_games.offer_logs("games_to_share", [games.entries[at] for at in in_order])


def page_of(pages: int) -> int:
    """The page of the list that the address asks for; where there is none such, the first, and that is said."""
    page = address.value("page")
    if page and not (page.isascii() and page.isdecimal() and len(page) < 8 and 1 <= int(page) <= pages):
        address.wrong("page", t("page"))
        address.say_problems()
        return 1
    return int(page or 1)


def add_files() -> None:
    """Takes dropped files in, in the background; says how far it is, and what became of each game."""
    turn = st.session_state.setdefault("uploads", 0)
    with st.expander(t("add_files"), expanded=not len(data.listing())):
        files = st.file_uploader(t("files"), accept_multiple_files=True, key=f"upload_{turn}")
    if files:
        try:
            job_list.begin_work(put_aside(data.library(), [(file.name, file) for file in files]))
        except OSError as problem:
            st.error(literal(t("not_taken_in", why=problem.strerror or str(problem))))
        else:
            st.session_state["uploads"] = turn + 1  # a new field: the files of this one are let go
            st.rerun()
    imports = [job for job in job_list.own_jobs().listed() if isinstance(job.work, ImportFiles)]
    if imports:
        newest = imports[0].work
        job_list.show_jobs(lambda work: work is newest)


main()
