"""The language of the page that is open, and what it says in it."""

from __future__ import annotations

import re

import streamlit as st

from dashboard import viewer, words
from engine.words import LANGUAGES


def chosen() -> str:
    """The language: as chosen in this session, else that of the address, else the browser's."""
    for wanted in (st.session_state.get("language"), st.query_params.get("language")):
        if wanted in LANGUAGES:
            return str(wanted)
    return words.nearest(st.context.locale)


def t(key: str, **args: object) -> str:
    """What the pages say under this key."""
    return words.page_words(chosen())[key].format(**args)


def literal(text: str) -> str:
    """Text as Markdown that shows it letter by letter: names come from strangers' logs and addresses.

    What Streamlit makes of plain text once Markdown is read (links, icons, arrows for `->`) cannot be escaped: the text
    is split there, by a piece of small print without any text.
    """
    lines = [_MARKUP.sub(r"\\\g<0>", _SPLIT.sub("\0", line.strip())) for line in text.replace("\0", "").splitlines()]
    return "  \n".join(lines).replace("\0", ":small[]")


_MARKUP = re.compile(r"[\\`*_{}\[\]()<>#+\-.!|~$:&=]")

_SPLIT = re.compile(r"(?<=:)(?=[\w/])|(?<=www)(?=\.)|(?<=@)|(?<=[-<>~=])(?=[-<>=])", re.IGNORECASE)


def choose_language() -> None:
    """The choice of a language, for the pages and the viewer alike."""
    names = {name: own["language"] for name, own in viewer.viewer_words().items()}
    here = chosen()
    st.session_state["language_choice"] = here
    st.sidebar.selectbox(
        words.page_words(here)["language"], list(LANGUAGES), key="language_choice", format_func=names.__getitem__,
        on_change=_choose,
    )


def _choose() -> None:
    st.session_state["language"] = st.session_state["language_choice"]
    st.query_params["language"] = st.session_state["language"]
