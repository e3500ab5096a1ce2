"""Games as a list or as a few pictures, each of which opens its replay: one client-side component for all pages.

    game_list.show_list("behind", entries, columns={"date", "turns"})

A row is a link: it opens by a click, by the keyboard, in another tab; it says who won by a mark and by words, and draws
both lives, where the facts of the game were gathered. Names come from logs of strangers: the component puts text in by
`textContent` only, and takes colours from the fixed palette.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from msgspec import Struct, to_builtins

from dashboard import address, data, viewer
from dashboard.charts import marks
from dashboard.game_list import picked
from dashboard.i18n import chosen, t
from engine.rulebooks import registry
from engine.words import LANGUAGES
from replays.stats.courses import Lives, place_of
from replays.store.entries import Entry

_FOLDER = Path(__file__).parent

COLUMNS = ("game", "players", "format", "turns", "decisions", "date", "origin", "verdict")
"""What a list can say of each game besides decks, winner, ending and lives, in this order."""

ORIGINS = ("played", "simulated", "transcribed")
"""Origins of games that we have words for; a log may say anything."""

_WORDS = (
    "won", "opened_last", "life", "both_decks", "ending", "against", *COLUMNS, "first_page", "previous_page",
    "next_page", "last_page", "pages", "pick", "pick_page",
)  # fmt: skip

_list = st.components.v2.component(
    "cardfold_games",
    html='<div class="cf"></div>',
    css=f"{viewer.tokens()}\n{(_FOLDER / 'game_list.css').read_text('utf-8')}",
    js=f"{viewer.elements()}\n{(_FOLDER / 'game_list.js').read_text('utf-8')}",
    isolate_styles=True,
)


class ListedSide(Struct):
    """A seat of a listed game: its deck, the marks of its frames, its player."""

    deck: str
    marks: list[str]
    player: str


class ListedGame(Struct):
    """A game as the component takes it; all in the reader's language."""

    id: str
    key: str
    href: str
    sides: list[ListedSide]
    winner: int | None
    ending: str
    cells: dict[str, str | int | None]
    verdict: str
    life: Lives | None
    title: str = ""
    """what is said above a picture"""
    said: str = ""
    """what is said below it"""


class Pages(Struct):
    """Where a list stands: page `page` of `pages`, `of` says which of how many games."""

    page: int
    pages: int
    of: str


def show_list(
    key: str, games: Sequence[Entry], columns: Collection[str] = COLUMNS, pages: Pages | None = None,
    opened_last: str = "", picking: bool = False,
) -> None:
    """A list of games, each a row; `columns` of COLUMNS, of which empty ones are left out; `opened_last`: id of the
    game to mark and to bring in view.

    Where there are `pages`, the number of the one that is asked for is put into the address under `page`. With
    `picking`, each row has a box: what is ticked is `picked.games()`.
    """
    made = listed_games(games)
    known = {"players", *(name for one in made for name, value in one.cells.items() if value not in (None, ""))}
    shown = [name for name in COLUMNS if name in columns and name in known]
    _mount(key, made, "list", shown, pages, opened_last, picking)


def show_pictures(key: str, games: Sequence[Entry], titles: Sequence[str] = (), said: Sequence[str] = ()) -> None:
    """Games side by side, each with its title above and a sentence below its picture."""
    made = listed_games(games)
    for one, title in zip(made, titles, strict=False):
        one.title = title
    for one, below in zip(made, said, strict=False):
        one.said = below
    _mount(key, made, "pictures", [], None, "", False)


def _mount(
    key: str, shown: list[ListedGame], form: str, columns: list[str], pages: Pages | None, opened_last: str,
    picking: bool,
) -> None:
    keys = [row.key for row in shown]
    drawn = {name for row in shown for side in row.sides for name in side.marks}
    found = _list(
        key=key, height="content", on_open_change=_nothing, on_page_change=partial(_turn_to, key, pages),
        on_picked_change=partial(_take_picked, key, keys),
        data={
            "form": form, "rows": to_builtins(shown), "columns": columns, "opened": opened_last,
            "marks": {name: marks.picture(*data.mark(name)) for name in drawn}, "language": chosen(),
            "words": {name: t(name) for name in _WORDS}, "pages": to_builtins(pages),
            "picking": {"keys": [one for one in picked.games() if one in keys], "said": picked.said()} if picking
            else None,
        },
    )  # fmt: skip
    if found.open in {row.id for row in shown}:
        address.note("opened", found.open)
        st.switch_page("views/replay.py", query_params=_to_replay(found.open))


def _nothing() -> None:
    """A click runs the page again; there is nothing else to do."""


def _turn_to(key: str, pages: Pages | None) -> None:
    page = st.session_state[key].get("page")
    if pages and isinstance(page, int) and 1 <= page <= pages.pages:
        address.put("page", str(page) if page > 1 else "", "opened")


def _take_picked(key: str, shown: Sequence[str]) -> None:
    given = st.session_state[key].get("picked")
    ticked = given.get("keys") if isinstance(given, dict) else None
    if isinstance(ticked, list):
        picked.take(shown, [one for one in shown if one in ticked])


def _to_replay(game: str) -> dict[str, str]:
    language = st.session_state.get(address.LANGUAGE)
    return {"game": game, **({address.LANGUAGE: language} if language in LANGUAGES else {})}


def listed_games(games: Sequence[Entry]) -> list[ListedGame]:
    """What a list says of these games."""
    lives, verdicts = data.lives(games), data.verdicts(games)
    return [_row(game, one, lives.get(place_of(game))) for game, one in zip(games, verdicts, strict=True)]


def _row(entry: Entry, verdict: str, life: Lives | None) -> ListedGame:
    language = chosen()
    decks = data.deck_titles(entry, language)
    origin = t(entry.origin) if entry.origin in ORIGINS else entry.origin
    return ListedGame(
        id=entry.id,
        key=entry.key,
        href=f"replay?{urlencode(_to_replay(entry.id))}",
        sides=[ListedSide(decks[seat], data.deck_frames(entry, seat), entry.players[seat]) for seat in (0, 1)],
        winner=entry.winner,
        ending=data.ending(entry, language),
        cells={
            "game": data.title(entry.game, language), "turns": entry.turns, "decisions": entry.decisions,
            "format": registry.format_name(entry.game, entry.format, language), "date": entry.date, "origin": origin,
            "verdict": t(verdict),
        },
        verdict=verdict,
        life=life,
    )  # fmt: skip
