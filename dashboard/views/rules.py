"""The numbered rules of each game; `?rule=` leads to one of them."""

from __future__ import annotations

import streamlit as st

from dashboard import address, data, rule_book
from dashboard.i18n import chosen, t
from dashboard.words import ENGLISH
from engine.rulebooks import registry

to_rule = st.components.v2.component(
    "cardfold_rule",
    js="""export default function ({ data }) {
      const go = (tries) => {
        const rule = document.getElementById(data.rule);
        if (rule) rule.scrollIntoView({ block: "center" });
        else if (tries) setTimeout(go, 100, tries - 1);
      };
      if (data.rule && window.cardfoldRule !== data.rule + location.pathname) go(50);
      window.cardfoldRule = data.rule + location.pathname;
    }""",
)
"""Scrolls to the rule that was asked for, once."""


def main() -> None:
    """The page."""
    st.title(t("rules"))
    place = st.container(border=True, horizontal=True, vertical_alignment="bottom")
    asked = address.value("rule")
    book = rule_book.game_of(asked) if asked else None
    if asked and book is None:
        address.wrong("rule", t("rules_rule"))
    if book is not None and address.value("game") != book:
        address.put("game", book)
    names = {key: data.title(key, chosen()) for key in registry.GAMES}
    game = address.choose(place.selectbox, "game", names, t("game"), first=True, forgets=("rule",), width=220)
    search = address.text(
        place.text_input, "words", t("search"), placeholder=t("rules_search"), forgets=("rule",), width=340
    )
    address.say_problems()
    st.caption(t("rules_caption"))
    with st.expander(t("rules_words"), expanded=False):
        st.html(rule_book.terms_html(game, chosen()))
    if chosen() != ENGLISH:
        st.caption(t("rules_english"))
    shown = rule_book.page_html(game, chosen(), search, address.value("rule"))
    if shown:
        st.html(shown)
    else:
        st.info(t("rules_none"))
    to_rule(key="to_rule", data={"rule": address.value("rule")}, height=1)


main()
