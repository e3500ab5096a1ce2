"""Where games are begun and taken up again: against the computer, two at one screen, or two browsers by a link each."""

from __future__ import annotations

import os
from typing import Any

import streamlit as st

from dashboard import data
from dashboard.forms import COMPUTERS, choose_game, chosen_options, computer_name, deck_said
from dashboard.i18n import chosen, literal, t
from dashboard.play.hosting import Host, Listed, host_of
from dashboard.play.routes import LIVE_PATH
from dashboard.play.tokens import Tokens
from dashboard.rule_book import linked
from dashboard.serve import ADDRESS, HOST
from engine.cards.decks import MAX_DECK_BYTES, DeckError, DeckFile, deck_list, names_of, read_deck
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from events.errors import CardfoldError
from replays.play.lesson import LEARNER, lessons
from replays.play.live_game import HUMAN

_WAYS = ("computer", "screen", "browsers")
_MAX_NAME = 40
_MAX_LISTED = 12

go_there = st.components.v2.component(
    "cardfold_go", js="export default function ({ data }) { if (data) window.location.assign(data); }"
)
"""Takes the browser to the table."""


def main() -> None:
    """The page."""
    st.title(t("play"))
    games = host_of(data.library().path)
    first_steps(games)
    begin(games)
    going_on(games)


def first_steps(games: Host) -> None:
    """A guided first game of each rulebook."""
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="first_steps"):
        st.markdown(f"**{t('play_first_steps')}** · {t('play_first_steps_mean')}")
        for key in lessons():
            if st.button(data.title(key, chosen()), key=f"lesson_{key}"):
                try:
                    name = games.teach(key)
                except CardfoldError as problem:
                    st.error(linked(str(problem)))
                else:
                    go_there(key="play_lesson", data=link(games, name, str(LEARNER), local=True))


# --- a new game ---------------------------------------------------------------------------------------------


def begin(games: Host) -> None:
    """What is chosen for a new game, and its start."""
    with st.container(border=True):
        way = st.segmented_control(
            t("play_how"), _WAYS, default="computer", required=True, key="play_way",
            format_func=lambda name: t(f"play_{name}"),
        )
        st.caption(t(f"play_{way}_means"))
        game, who = st.columns([1, 2])
        key = choose_game(game, "play")
        rules = registry.load(key)
        players, names = sitting(way or "computer", who)
        decks = [one_deck(rules, seat, place) for seat, place in enumerate(st.columns(2))]
        options = chosen_options(rules, "play", open_lists=True)
        if st.button(t("play_start"), type="primary", key="play_start"):
            start_game(games, rules, players, decks, options, names)


def sitting(way: str, place: Any) -> tuple[list[str], list[str]]:
    """Who sits at which seat, and what persons are called."""
    if way != "computer":
        first, second = place.columns(2)
        names = [
            box.text_input(t(f"play_name_{seat}"), key=f"play_name_{seat}", max_chars=_MAX_NAME).strip()
            for seat, box in enumerate((first, second))
        ]
        return [HUMAN, HUMAN], names
    kind, seat, name = place.columns([2, 1, 1])
    computer = kind.selectbox(t("play_against"), COMPUTERS, key="play_against", format_func=computer_name)
    own = seat.selectbox(t("seat"), (0, 1), key="play_seat", format_func=lambda n: t("second" if n else "first"))
    called = name.text_input(t("play_name"), key="play_name", max_chars=_MAX_NAME).strip()
    return ([HUMAN, computer], [called, ""]) if own == 0 else ([computer, HUMAN], ["", called])


def one_deck(rules: Rulebook, seat: int, place: Any) -> DeckFile | str:
    """The deck of a seat: a shipped one, or one of a file; else a sentence that says what is wrong with the file."""
    shipped = rules.shipped_decks()
    label = t("deck_second" if seat else "deck_first")
    number = place.selectbox(
        label, range(len(shipped)), index=min(seat, len(shipped) - 1), key=f"play_deck_{rules.key}_{seat}",
        format_func=lambda n: deck_said(rules, shipped[n]),
    )
    with place.expander(t("play_own_deck")):
        file = st.file_uploader(t("play_deck_file"), type=["toml", "txt"], key=f"play_file_{rules.key}_{seat}")
    if file is None:
        return shipped[number]
    text = file.getvalue()[: MAX_DECK_BYTES + 1].decode("utf-8", "replace")
    try:
        return read_deck(text, names_of(d.printed for d in rules.cards.values()))
    except DeckError as problem:
        return str(problem)


def start_game(
    games: Host, rules: Rulebook, players: list[str], decks: list[DeckFile | str],
    options: dict[str, int | str | bool], names: list[str],
) -> None:
    """Begins the game, and goes to its table, or says why it cannot be."""
    read = [deck for deck in decks if isinstance(deck, DeckFile)]
    problems = [deck for deck in decks if isinstance(deck, str)]
    if not problems:
        options = {**({"format": read[0].format} if read[0].format else {}), **options}
        problems = [str(problem) for problem in rules.option_problems(options)]
        for deck in read:
            wrong = [] if problems else rules.problems(deck, options)
            problems += [t("play_deck_not", deck=deck.called(chosen()), why=str(one)) for one in wrong[:5]]
    if problems:
        for problem in problems:
            st.error(linked(problem))
        return
    try:
        name = games.start(rules, players, [deck_list(deck) for deck in read], options, names)
    except CardfoldError as problem:
        st.error(linked(str(problem)))
        return
    if st.session_state["play_way"] != "browsers":
        place = "screen" if players == [HUMAN, HUMAN] else str(players.index(HUMAN))
        go_there(key="play_go", data=link(games, name, place, local=True))
    st.session_state["play_begun"] = name


# --- games that go on ---------------------------------------------------------------------------------------


def going_on(games: Host) -> None:
    """The games that one can go on with, the one just begun first, each with the links to its seats."""
    listed = games.listed()
    begun = st.session_state.get("play_begun")
    if not listed:
        return
    st.subheader(t("play_going_on"))
    for game in sorted(listed, key=lambda one: one.name != begun)[:_MAX_LISTED]:
        with st.container(border=True):
            one_game(games, game)


def one_game(games: Host, game: Listed) -> None:
    """A game with the links to its places."""
    about, links = st.columns([2, 3])
    about.text(f"{data.title(game.game, chosen())}\n{t('against').join(game.players)}")
    turn = t("play_turn", n=f"{game.turn:d}") if game.turn else ""
    about.caption(" · ".join(said for said in (turn, "" if game.here else t("play_interrupted")) if said))
    persons = [seat for seat, kind in enumerate(game.player_kinds) if kind == HUMAN]
    if len(persons) < 2:
        for seat in persons:
            links.link_button(t("play_to_table"), link(games, game.name, str(seat), local=True), type="primary")
        return
    links.link_button(t("play_to_screen"), link(games, game.name, "screen", local=True))
    for seat in persons:
        links.caption(literal(t("play_link_of", player=game.players[seat])))
        links.code(link(games, game.name, str(seat)), language=None, wrap_lines=True)


def link(games: Host, name: str, place: str, local: bool = False) -> str:
    """The address of a place at a table; its secret stands where no browser sends it along."""
    where = os.environ.get(HOST, ADDRESS)
    if local:
        where = f"{ADDRESS}:{where.rpartition(':')[2]}"
    return f"http://{where}{LIVE_PATH}#{name}/{place}/{Tokens(games.library.path).token(name, place)}"


main()
