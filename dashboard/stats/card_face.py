"""A card as the viewer draws it, beside its text: on the page of the card."""

from __future__ import annotations

from typing import Any

import msgspec
import streamlit as st

from dashboard import viewer
from dashboard.i18n import chosen
from engine.rulebooks import registry
from replays.view.board import board_of, board_words
from replays.view.faces import faces

_face = st.components.v2.component(
    "cardfold_face", html=viewer.html(), css=viewer.face_css(), js=viewer.face_javascript(), isolate_styles=True
)


def draw_face(game: str, code: str) -> None:
    """The face and text of a card of the shipped sets; nothing of one that is not among them."""
    if game in registry.GAMES and code in registry.load(game).cards:
        _face(key="face", data=_drawn(game, code, chosen()))


@st.cache_data(max_entries=64, show_spinner=False)
def _drawn(game: str, code: str, language: str) -> dict[str, Any]:
    rules = registry.load(game)
    board = board_of(rules.rulebook)
    return {
        "code": code,
        "cards": faces(rules.rulebook, rules.card_sets, [code], board, language),
        "board": {"card": msgspec.to_builtins(board.card)},
        "words": board_words(rules.rulebook, board, language),
        "chrome": viewer.viewer_words()[language],
        "language": language,
    }
