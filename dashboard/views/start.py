"""Where one begins: three doors, games that are worth watching, the newest games."""

from __future__ import annotations

import streamlit as st

from dashboard import data, game_list
from dashboard.i18n import t
from replays.stats.courses import Notable
from replays.store.library import Entry

_NEWEST = 5
_ICONS = {"watch": ":material/smart_display:", "play": ":material/playing_cards:", "cards": ":material/leaderboard:"}
_KINDS = ("closest", "biggest_turn", "upset", "longest")


def main() -> None:
    """The page."""
    st.title("Cardfold")
    st.markdown(t("start_about"))
    games = data.listing().entries
    notable = worth_watching(data.notable()) if games else []
    doors(notable[0][1] if notable else games[0] if games else None)
    if not games:
        nothing_yet()
        return
    if notable:
        st.subheader(t("worth_watching"))
        entries = [entry for _, entry in notable]
        game_list.show_pictures(
            "notable", entries, [t(one.what) for one, _ in notable], [reason(one) for one, _ in notable]
        )
    st.subheader(t("newest_games"))
    game_list.show_list("newest", games[:_NEWEST], columns={"game", "players", "turns", "date"})
    st.page_link("views/library.py", label=t("every_game", n=f"{len(games):,}"))


def doors(watched: Entry | None) -> None:
    """Three ways in. `watched`: the game that the first one opens; without one it is left out."""
    places = iter(st.columns(3 if watched else 2))
    if watched:
        door(next(places), "watch", "replay", {"game": watched.id})
    door(next(places), "play", "play", {})
    door(next(places), "cards", "cards", {})


def door(place: st.delta_generator.DeltaGenerator, name: str, page: str, query: dict[str, str]) -> None:
    """One way in: the whole field is a link."""
    with place.container(border=True, key=f"door_{name}"):
        st.page_link(f"views/{page}.py", label=t(f"door_{name}"), icon=_ICONS[name], query_params=query,
                     width="stretch")  # fmt: skip
        st.caption(t(f"door_{name}_means"))


def nothing_yet() -> None:
    """What to do with an empty library."""
    st.info(t("start_empty"))
    st.page_link("views/play.py", label=t("door_play"))
    st.page_link("views/simulate.py", label=t("start_simulate"))
    st.page_link("views/library.py", label=t("start_import"))


def worth_watching(found: list[tuple[Notable, Entry]]) -> list[tuple[Notable, Entry]]:
    """One game of each kind, of different rulebooks as far as there are such, and no game twice."""
    chosen: list[tuple[Notable, Entry]] = []
    for kind in _KINDS:
        left = [
            (one, entry) for one, entry in found
            if one.what == kind and all(entry.id != other.id for _, other in chosen)
        ]  # fmt: skip
        if left:
            often = [entry.game for _, entry in chosen]
            chosen.append(min(left, key=lambda pair: often.count(pair[1].game)))
    return chosen


def reason(one: Notable) -> str:
    """Why a game is worth watching, in a sentence."""
    amount = f"{100 * one.amount:.0f}" if one.what == "upset" else f"{one.amount:,.0f}"
    return t(f"{one.what}_means", n=amount, turn=one.turn, games=f"{one.games or 0:,}")


main()
