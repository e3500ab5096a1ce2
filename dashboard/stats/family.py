"""The family of a deck: versions that count together where one wishes so; made, added to and forgotten here."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard import data
from dashboard.feedback import attempt, show_feedback
from dashboard.i18n import chosen, literal, t
from replays.store import groups
from replays.store.groups import Family

_SAID = "family_said"


def family_named(game: str, name: str) -> Family | None:
    """The family of a game that goes by this name."""
    return next((one for one in data.library().groups().families if (one.game, one.name) == (game, name)), None)


def show_family(game: str, deck: str, called: str) -> None:
    """What family a deck is of, and what can be changed of it. `called`: the deck's name, in the reader's language."""
    show_feedback(_SAID)
    families = [one for one in data.library().groups().families if one.game == game]
    own = next((one for one in families if deck in one.decks), None)
    decks = data.named_decks(game, chosen())
    with st.container(horizontal=True, vertical_alignment="center", key="family"):
        if own is not None:
            st.markdown(literal(t("family_is", name=own.name, n=len(own.decks))), width="content")
        with st.popover(t("family"), icon=":material/account_tree:", key="family_change"):
            st.caption(t("family_means"))
            _change(game, deck, called, families, own, decks)


def _change(
    game: str, deck: str, called: str, families: list[Family], own: Family | None, decks: Mapping[str, str]
) -> None:
    names = list(dict.fromkeys([own.name if own else called, *(one.name for one in families)]))
    name = st.selectbox(t("family_name"), names, accept_new_options=True, key=f"family_name_{deck}",
                        placeholder=t("group_name_how"))  # fmt: skip
    others = [one for one in decks if one != deck and (own is None or one not in own.decks)]
    alike = [one for one in others if decks[one] == decks.get(deck)]
    joining = st.multiselect(
        t("family_versions"), others, alike, key=f"family_versions_{deck}", placeholder=t("choose_decks"),
        format_func=lambda one: f"{decks[one]} · {one[:8]}",
    )
    # No callbacks: they would be given what was chosen when the page was last drawn to its end.
    if st.button(t("family_join"), key="family_join", type="primary", disabled=not name) and name:
        _join(Family(name, game, (deck, *joining)))
        st.rerun()
    if own is not None and st.button(t("family_forget"), key="family_forget"):
        _forget(own)
        st.rerun()


def _join(family: Family) -> None:
    def joined() -> str:
        made = data.library().change_groups(lambda old: groups.joined(old, family)).families[-1]
        return t("family_has", name=made.name, n=len(made.decks))

    attempt(_SAID, joined)


def _forget(family: Family) -> None:
    def forgotten() -> str:
        data.library().change_groups(lambda old: groups.dropped(old, family.name, family.game))
        return t("family_forgotten", name=family.name)

    attempt(_SAID, forgotten)
