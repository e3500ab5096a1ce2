"""What is chosen on the pages, kept in their addresses: a view can be sent as a link, and opens as it was.

A page asks for a choice by the name that it has in the address:

    unit = address.choose(place.segmented_control, "unit", {"copies": t("by_copies"), "games": t("by_games")},
                          t("count"), default="copies", required=True)

The widget shows what the address says, else what was chosen under this name on a page before; a change is written into
the address. What the address says and what cannot be is shown as a sentence by `say_problems`. Streamlit's own binding
of widgets to the address (`bind=`) is not used: it writes what a choice is called in the reader's language, and passes
over in silence what it does not know.

`app.py` calls `arrive` before a page runs and `complete` after it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from datetime import date
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dashboard.i18n import literal, t

LANGUAGE = "language"

_MAX_SAID = 80
"""Letters of a wrong value that are repeated."""

_browser = st.components.v2.component("cardfold_address", js="""
  // What was kept from pages before comes into the address without an entry in the browser's history.
  export default function ({ data }) {
    oneEntryAPage();
    if (data.query === null) return;
    const query = data.query ? "?" + data.query : "";
    if (location.search !== query) history.replaceState(history.state, "", location.pathname + query + location.hash);
  }

  // Where a click leads to another page, Streamlit first writes what that page is asked for into the address of this
  // one, then the page: two entries, of which the first would be where the back button leads to.
  function oneEntryAPage() {
    if (window.cardfoldHistory) return;
    const push = history.pushState.bind(history);
    let last = { href: "", time: 0 };
    window.cardfoldHistory = true;
    history.pushState = (state, title, url) => {
      const next = new URL(url, location.href);
      const halfWay = location.href === last.href && performance.now() - last.time < 5000
        && next.search === location.search && next.pathname !== location.pathname;
      if (halfWay) history.replaceState(state, title, url);
      else push(state, title, url);
      last = { href: location.href, time: performance.now() };
    };
  }
""")  # fmt: skip


def arrive(page: str) -> None:
    """Finds out whether the address or what was chosen before says what this page shows.

    An address without any choice says nothing when one comes from another page, by the menu. Where the same page is
    asked for with fewer choices, the browser's back button took them back.
    """
    state = st.session_state
    moved = state.get("address_page") != page
    said = any(name != LANGUAGE for name in st.query_params)
    if moved:
        state["address_unwritten"] = not said
    elif said:
        state["address_unwritten"] = False
    state["address_page"] = page
    changed = state.pop("address_changed", False)  # a widget's change is newer than any address
    state["address_tells"] = not (changed or state["address_unwritten"])
    state["address_names"] = []
    state["address_problems"] = []


def complete() -> None:
    """Completes the address with what was kept from pages before."""
    wanted = _as_it_should_be()
    query = urlencode(wanted) if wanted != st.query_params.to_dict() else None
    if query is not None:
        st.session_state["address_runs"] = st.session_state.get("address_runs", 0) + 1
    _browser(key="address", data={"query": query, "run": st.session_state.get("address_runs", 0)}, height=1)


def _as_it_should_be() -> dict[str, str]:
    """The address as it should be: what is chosen on this page, and what it says besides."""
    state = st.session_state
    names = state.get("address_names", [])
    wanted = {name: value for name, value in st.query_params.to_dict().items() if name not in names}
    if LANGUAGE in state:
        wanted[LANGUAGE] = state[LANGUAGE]
    return wanted | {name: kept for name in names if (kept := _kept().get(name))}


def _kept() -> dict[str, str]:
    """What is chosen, by name, as an address has it; of all pages."""
    found: dict[str, str] = st.session_state.setdefault("address_kept", {})
    return found


def value(name: str) -> str:
    """What is chosen under this name, as the address has it; nothing where nothing is."""
    names = st.session_state["address_names"]
    if name not in names:
        names.append(name)
        if st.session_state["address_tells"]:
            _kept()[name] = st.query_params.get(name, "")
    return _kept().get(name, "")


def here(name: str) -> str:
    """As `value`, of what is open on this page alone: it is not kept for when the page is opened by the menu."""
    if st.session_state["address_unwritten"]:
        _kept().pop(name, None)
    return value(name)


def put(name: str, chosen: str, *forgotten: str) -> None:
    """Chooses something, nothing under the names that are `forgotten`, and writes it into the address."""
    value(name)
    for other in forgotten:
        value(other)
        _kept()[other] = ""
    _kept()[name] = chosen
    st.session_state["address_changed"] = True
    st.query_params.from_dict(_as_it_should_be())


def note(name: str, chosen: str) -> None:
    """Chooses something without writing it into the address: for the way back to this page."""
    value(name)
    _kept()[name] = chosen


def wrong(name: str, what: str) -> None:
    """Notes that the address asks for something that cannot be; nothing is chosen under the name."""
    said = t("not_a_choice", what=what, value=value(name)[:_MAX_SAID])
    st.session_state["address_problems"].append(said)
    _kept()[name] = ""


def say_problems() -> None:
    """Says what the address asks for and cannot be had; to be called below the choices."""
    for problem in st.session_state["address_problems"]:
        st.warning(literal(problem))
    st.session_state["address_problems"] = []


# --- widgets ------------------------------------------------------------------------------------------------


def choose(
    widget: Callable[..., Any], name: str, choices: Mapping[str, str], label: str, *, default: str = "",
    first: bool = False, known: Container[str] = (), forgets: tuple[str, ...] = (), **options: Any,
) -> str:
    """One of the choices (value in the address -> what it is called here), chosen by a widget such as `st.selectbox`.

    `default` is among them and stands in no address. With `first`, the first one is chosen where none is, and stands
    there. `known` are values that can be typed besides. `forgets` names choices that a change of this one takes back.
    """
    if value(name) and value(name) not in choices and value(name) not in known:
        wrong(name, label)
    if first and not value(name):
        _kept()[name] = next(iter(choices))
    key = f"address_{name}"
    st.session_state[key] = value(name) or default
    shown: str | None = widget(
        label, list(choices), key=key, format_func=lambda one: choices.get(one, one),
        on_change=_changed, args=(name, default, forgets), **options,
    )  # fmt: skip
    return shown or default


def text(widget: Callable[..., Any], name: str, label: str, *, forgets: tuple[str, ...] = (), **options: Any) -> str:
    """A line of text, typed into a widget such as `st.text_input`."""
    key = f"address_{name}"
    st.session_state[key] = value(name)
    typed: str = widget(label, key=key, on_change=_changed, args=(name, "", forgets), **options)
    return typed.strip()


def day(
    widget: Callable[..., Any], name: str, label: str, *, forgets: tuple[str, ...] = (), **options: Any
) -> date | None:
    """A day, chosen by a widget such as `st.date_input`, or none."""
    try:
        chosen = date.fromisoformat(value(name)) if value(name) else None
    except ValueError:
        wrong(name, label)
        chosen = None
    key = f"address_{name}"
    st.session_state[key] = chosen
    found: date | None = widget(label, value=None, key=key, on_change=_changed, args=(name, "", forgets), **options)
    return found


def whole_number(
    widget: Callable[..., Any], name: str, label: str, *, least: int = 0, most: int = 1_000_000,
    forgets: tuple[str, ...] = (), **options: Any,
) -> int | None:
    """A whole number between `least` and `most`, given by a widget such as `st.number_input`, or none."""
    given = value(name)
    if given and not (given.isascii() and given.isdecimal() and len(given) < 10 and least <= int(given) <= most):
        wrong(name, label)
    key = f"address_{name}"
    st.session_state[key] = int(value(name)) if value(name) else None
    found: int | None = widget(
        label, min_value=least, max_value=most, step=1, value=None, key=key, on_change=_changed,
        args=(name, "", forgets), **options,
    )  # fmt: skip
    return found


def yes(widget: Callable[..., Any], name: str, label: str, *, forgets: tuple[str, ...] = (), **options: Any) -> bool:
    """Yes or no, by a widget such as `st.toggle`."""
    if value(name) not in ("", "yes"):
        wrong(name, label)
    key = f"address_{name}"
    st.session_state[key] = value(name) == "yes"
    return bool(widget(label, key=key, on_change=_changed, args=(name, "", forgets), **options))


def _changed(name: str, default: str, forgets: tuple[str, ...]) -> None:
    """Writes a widget's change into the address. One that comes after its page was left does nothing."""
    if f"address_{name}" not in st.session_state:
        return
    said = _said(st.session_state[f"address_{name}"])
    put(name, "" if said == default else said, *forgets)


def _said(chosen: object) -> str:
    """What stands in the address for what a widget gives."""
    if isinstance(chosen, bool):
        return "yes" if chosen else ""
    return "" if chosen is None else str(chosen)
