"""What the pages that begin games ask alike: the game, computer players, decks, options."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard import data
from dashboard.i18n import chosen, t
from engine.cards.decks import DeckFile
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook

COMPUTERS = ("greedy", "search:16", "search:64", "search:256", "random")

MOST_PLAYED = 1_000_000
"""Games that one piece of work plays at most; of a lab each way."""


def choose_game(place: Any, page: str) -> str:
    """The game that is chosen at this place of a page."""
    found: str = place.selectbox(
        t("game"), list(registry.GAMES), key=f"{page}_game", format_func=lambda name: data.title(name, chosen())
    )
    return found


def computer_name(kind: str) -> str:
    """A computer player with how strong it is."""
    name, _, setting = kind.partition(":")
    return t(f"play_kind_{name}", n=setting)


def deck_said(rules: Rulebook, deck: DeckFile) -> str:
    """A deck's name, with its format where the game has several."""
    language = chosen()
    name = deck.called(language)
    several = len({one.format for one in rules.shipped_decks()}) > 1
    return f"{name} · {registry.format_name(rules.key, deck.format, language)}" if several else name


def chosen_options(rules: Rulebook, page: str, open_lists: bool = False) -> dict[str, int | str | bool]:
    """The options of the game, as far as they are not left as they are; its format is the decks'.

    `open_lists`: persons play, who may be shown each other's deck list.
    """
    options: dict[str, int | str | bool] = {}
    with st.expander(t("play_options")):
        if "first" in rules.options:
            said: dict[int | str, str] = {"random": t("play_by_lot"), 0: t("first"), 1: t("second")}
            options["first"] = st.selectbox(
                t("play_first"), list(said), key=f"{page}_first_{rules.key}", format_func=said.__getitem__
            )
        if open_lists and st.toggle(t("play_open_lists"), key=f"{page}_open_lists"):
            options["open_lists"] = True
        for name in ("max_turns", "max_rounds"):
            if name in rules.options:
                most = st.number_input(
                    t(name), min_value=1, max_value=10_000, value=None, step=1, key=f"{page}_{name}"
                )
                if most is not None:
                    options[name] = int(most)
    return options
