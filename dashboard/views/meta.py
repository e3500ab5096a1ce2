"""The game as a whole: going first, length, endings, the course of a game, and how all of it moves over time."""

from __future__ import annotations

from datetime import date, timedelta

import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard import address
from dashboard.charts import lines, ranking
from dashboard.charts.marks import as_text
from dashboard.i18n import chosen, t
from dashboard.stats import games_behind, numbers, page, panel
from dashboard.words import page_words
from engine.rulebooks import registry
from engine.words import words
from replays.stats.metrics import Filters

_ENDS = 6
_MOST_DECKS = 6
"""Lines in one chart at most."""

_DOWN = ("life", "deck", "hand")


def main(filters: Filters) -> None:
    """The charts of one of two views; all at once would keep the browser busy for too long."""
    if not numbers.metric_rows("endings", filters, chosen()).num_rows:
        page.nothing(filters)
        return
    ways = {"whole": t("view_whole"), "time": t("view_time")}
    view = address.choose(
        st.segmented_control, "charts", ways, t("view"), default="whole", required=True, label_visibility="collapsed"
    )
    {"whole": as_a_whole, "time": over_time}[view](filters)


# --- as a whole ---------------------------------------------------------------------------------------------


def as_a_whole(filters: Filters) -> None:
    """What holds for games from their beginning to their end."""
    one, other = st.columns(2, gap="medium")
    with one:
        first_player(filters)
    with other:
        endings(filters)
        lengths(filters)


def first_player(filters: Filters) -> None:
    """Who goes first: over all, and by matchup."""
    all_games = numbers.metric_rows("first_player", filters, chosen())
    met = numbers.metric_rows("first_in_matchup", filters, chosen())
    overall = all_games.to_pandas()
    if overall.empty or overall["rate"].isna().all():
        return
    row = overall.iloc[0]
    pairs = met.to_pandas().dropna(subset=["rate"])
    decks = zip(pairs["deck_name"], pairs["against_name"], strict=True)
    names = [t("one_against_other", one=one, other=other) for one, other in decks]
    known = numbers.percent(pairs.assign(name=names, pair=pairs["deck"] + "\n" + pairs["against"]), "pair", "name")
    every = numbers.percent(overall.assign(pair="", name=t("all_games")), "pair", "name")
    shown = pd.concat([every, ranking.ends(known, "shrunk", _ENDS)], ignore_index=True)
    figure = ranking.ranked(
        shown.assign(sure=~shown["thin"].astype(bool)), t("win_rate_axis"), page_words(chosen()), 50, False,
        "known_well", "thin",
    )  # fmt: skip
    panel.chart(
        t("ask_first", rate=f"{100 * row['rate']:.1f}", low=f"{100 * row['low']:.1f}", high=f"{100 * row['high']:.1f}"),
        figure, pa.concat_tables([met, all_games], promote_options="default"), "first_in_matchup", t("first_means"),
        clicked=_open_first,
    )  # fmt: skip


def _open_first(pair: str) -> None:
    if pair:
        deck, _, against = pair.partition("\n")
        games_behind.ask("first_in_matchup", deck=deck, against=against)
    else:
        games_behind.ask("first_player")


def endings(filters: Filters) -> None:
    """How games end."""
    rows = numbers.metric_rows("endings", filters, chosen())
    game = filters.game or ""
    said = words(chosen(), game) if game in registry.GAMES else None
    found = rows.to_pandas()
    found["name"] = [said.get(f"reason.{reason}") if said else reason for reason in found["reason"]]
    drawn = numbers.percent(found, "reason", "name").assign(sure=True)
    figure = ranking.ranked(drawn, t("share_of_games"), page_words(chosen()), None, False, "share", "thin")
    figure.update_layout(showlegend=False)
    panel.chart(t("ask_endings"), figure, rows, "endings", clicked=lambda why: games_behind.ask("endings", reason=why))


def lengths(filters: Filters) -> None:
    """How long games are."""
    rows = numbers.metric_rows("lengths", filters, chosen())
    found = numbers.percent(rows.to_pandas().assign(x=lambda rows: rows["turns"]), "turns")
    found["value_by"] = 100 * found["rate_by"]
    figure = lines.shares(found, t("turns"), t("share_of_games"), page_words(chosen()), t("over_by"))
    panel.chart(
        t("ask_lengths"), figure, rows, "lengths", clicked=lambda turns: games_behind.ask("lengths", turns=int(turns))
    )


# --- over time ----------------------------------------------------------------------------------------------


def over_time(filters: Filters) -> None:
    """What changes from turn to turn, and from day to day."""
    winners_and_losers(filters)
    trend(filters)


def winners_and_losers(filters: Filters) -> None:
    """What winners and losers have left by turn."""
    rows = numbers.metric_rows("course", filters, chosen())
    found = rows.to_pandas()
    known = [name for name in _DOWN if found[name].notna().any()]
    if not known:
        return
    measure = address.choose(
        st.segmented_control, "measure", {name: t(f"still_{name}") for name in known}, t("measure"), default=known[0],
        required=True,
    )  # fmt: skip
    drawn = []
    for won, name in ((True, "winners"), (False, "losers")):
        part = found[found["won"] == won].reset_index(drop=True)
        low, high = part[f"{measure}_low"], part[f"{measure}_high"]
        part = part.assign(x=part["turn"], key=part["turn"], value=part[measure], low=low, high=high)
        drawn.append(lines.DrawnLine(t(name), part))
    figure = lines.lines(drawn, t("turn"), t(f"still_{measure}"), page_words(chosen()))
    panel.chart(t("ask_course"), figure, rows, "course", t("course_means"), clicked=_open_course, whole=True)


def _open_course(point: list[object]) -> None:
    games_behind.ask("course", turn=int(str(point[0])))


def trend(filters: Filters) -> None:
    """The win rates of the decks that are played most, by day, week or version of card set."""
    rows = numbers.metric_rows("trend", filters, chosen())
    found = rows.to_pandas()
    there = {cut: t(f"by_{cut}") for cut in ("day", "week", "card_set") if (found["cut"] == cut).any()}
    if not there:
        return
    cut = address.choose(st.segmented_control, "cut", there, t("period"), default=next(iter(there)), required=True)
    now = found[found["cut"] == cut]
    most = now.groupby("deck")["games"].sum().nlargest(_MOST_DECKS).index
    drawn = []
    for deck in most:
        part = numbers.percent(now[now["deck"] == deck].sort_values("period").reset_index(drop=True), "period")
        part = part.assign(x=part["period"].map(as_text), key=part["period"] + "\n" + part["deck"])
        drawn.append(lines.DrawnLine(part["deck_name"].iloc[0], part))
    figure = lines.lines(drawn, there[cut], t("win_rate_axis"), page_words(chosen()), at=50)
    figure.update_xaxes(**({"type": "category"} if cut == "card_set" else {"tickformat": "%Y-%m-%d", "nticks": 8}))
    caption = t("trend_means", n=len(most)) + ("" if "day" in there else " " + t("undated"))
    panel.chart(t("ask_trend"), figure, rows, "trend", caption, clicked=_narrower(cut))


def _narrower(cut: str) -> panel.Clicked:
    """A click narrows the filters to the point's period, and asks for the games of its deck in it."""
    def narrow(point: str) -> None:
        period, _, deck = point.rpartition("\n")
        if cut == "card_set":
            address.put("card_set", period)
        else:
            first = date.fromisoformat(period)
            last = first + timedelta(days=6 if cut == "week" else 0)
            address.put("since", first.isoformat())
            address.put("until", last.isoformat())
        games_behind.ask("deck_win_rate", deck=deck)

    return narrow


page.open_page(t("meta"), main, *page.ALL_FILTERS)
