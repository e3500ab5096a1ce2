"""Balance labs: a change of cards is chosen and played both ways; what each lab of the library has found."""

from __future__ import annotations

import shlex

import streamlit as st

from dashboard import address, data, job_list, lab_report
from dashboard.background.kinds import Lab
from dashboard.forms import COMPUTERS, MOST_PLAYED, choose_game, computer_name
from dashboard.i18n import chosen, literal, t
from dashboard.rule_book import linked
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from engine.words import words
from events.errors import CardfoldError
from replays.play import lab
from replays.play.simulate import Plan, all_pairs, check


def main() -> None:
    """The page."""
    st.title(t("lab"))
    st.caption(t("lab_caption"))
    with st.container(border=True):
        work = chosen_lab()
        start = st.button(t("simulate_start"), type="primary", key="lab_start", disabled=work is None)
    if work is not None:
        if start:  # a callback would be given what was chosen when the page was last drawn to its end
            job_list.begin_work(work)
        with st.expander(t("simulate_as_command")):
            st.code(command(work), language=None, wrap_lines=True)
    job_list.show_jobs(lambda one: isinstance(one, Lab))
    earlier()


# --- a new one ----------------------------------------------------------------------------------------------


def chosen_lab() -> Lab | None:
    """The lab that is chosen; None, with a sentence, where there is none yet or it cannot be played."""
    game, card, *_ = st.columns([1, 2, 1])
    key = choose_game(game, "lab")
    rules = registry.load(key)
    names = {code: one.printed.name.get(chosen()) or one.name for code, one in rules.cards.items()}
    code = card.selectbox(
        t("card"), sorted(names, key=lambda one: names[one].casefold()), key=f"lab_card_{key}",
        format_func=lambda one: f"{names[one]} · {one}",
    )
    pending = one_change(rules, code)
    kept = f"lab_changes_{key}"
    changes: list[str] = st.session_state.setdefault(kept, [])
    if pending and pending not in changes and st.button(t("lab_another"), key="lab_another"):
        changes.append(pending)
        st.rerun()
    for change in list(changes):
        about, away = st.columns([5, 1])
        about.markdown(literal(lab_report.change_said(key, change)))
        away.button(t("lab_not"), key=f"lab_not_{change}", on_click=changes.remove, args=(change,), type="tertiary")
    wanted = tuple(changes) if pending is None or pending in changes else (*changes, pending)
    plan, until = chosen_games(rules)
    if not wanted:
        st.info(t("lab_choose"))
        return None
    work = Lab(plan, wanted, until)
    return work if possible(rules, work) else None


def one_change(rules: Rulebook, code: str) -> str | None:
    """What is changed of a card, as the command writes it; None where it is as printed."""
    fields = lab.changeable(rules, code)
    if not fields:
        st.info(t("lab_no_field"))
        return None
    field, value, about = st.columns([1.4, 1, 1.6], vertical_alignment="bottom")
    path = field.selectbox(
        t("lab_field"), list(fields), key=f"lab_field_{code}", format_func=lambda one: lab_report.field_said(rules, one)
    )
    printed, seen = fields[path]
    key = f"lab_value_{code}_{path}"
    if all(isinstance(one, bool) for one in seen):
        new: int | str = value.selectbox(
            t("lab_value"), (False, True), index=int(bool(printed)), key=key, format_func=lambda one: t(_YES[one])
        )
    elif all(isinstance(one, int) for one in seen):
        step = 10 if max(abs(int(one)) for one in seen) > 20 else 1
        new = int(value.number_input(t("lab_value"), 0, 100_000, int(printed or 0), step, key=key))
    else:
        choices = seen if printed is None else [printed, *(one for one in seen if one != printed)]
        new = value.selectbox(
            t("lab_value"), choices, key=key, format_func=lambda one: words(chosen(), rules.key).get(f"{path}.{one}")
        )
    said = t("lab_nothing_printed") if printed is None else lab_report.value_said(rules, path, printed)
    about.caption(literal(t("lab_printed", value=said)))
    if new == (0 if printed is None and isinstance(new, int) else printed):
        return None
    return f"{code}:{path}={str(new).lower() if isinstance(new, bool) else new}"


_YES = {True: "yes", False: "no"}


def chosen_games(rules: Rulebook) -> tuple[Plan, float | None]:
    """How the change is tried, and how precisely it is to be known."""
    count, until, player, seed = st.columns([1, 1.4, 1.4, 1])
    number = int(count.number_input(t("lab_count"), 1, MOST_PLAYED, 1000, 100, key="lab_count"))
    points = until.number_input(
        t("lab_until"), min_value=0.1, max_value=50.0, value=None, step=0.5, key="lab_until", help=t("lab_until_means")
    )
    kind = player.selectbox(t("lab_players"), COMPUTERS, key="lab_players", format_func=computer_name)
    given = int(seed.number_input(
        t("simulate_seed"), 0, 2**53 - 1, 0, 1, key="lab_seed", help=t("simulate_seed_means")
    ))
    decks = all_pairs(rules.shipped_decks())
    plan = Plan(game=rules.key, decks=decks, count=number, player_kinds=(kind, kind), seed=given)
    return plan, None if points is None else points / 100


def possible(rules: Rulebook, work: Lab) -> bool:
    """Whether the change makes cards that can be, and that decks hold; else says why not."""
    try:
        plan = lab.lab_plan(work.plan, lab.changed_cards(rules, work.changes))
        check(plan, rules)
    except CardfoldError as problem:
        st.warning(linked(str(problem)))
        return False
    st.caption(t("lab_pairs", n=f"{len(plan.decks):,}"))
    return True


def command(work: Lab) -> str:
    """The same as a command."""
    plan = work.plan
    said = ["cardfold", "lab", plan.game]
    for change in work.changes:
        said += ["--change", change]
    said += ["-n", str(plan.count), "--players", plan.player_kinds[0], "--seed", str(plan.seed)]
    return shlex.join([*said, *(() if work.until is None else ("--until", f"{100 * work.until:g}"))])


# --- those that were played ---------------------------------------------------------------------------------


def earlier() -> None:
    """The labs of the library, and what the chosen one has found."""
    labs = lab_report.labs()
    if not labs:
        return
    st.subheader(t("lab_found"))
    names = {folder.name: lab_report.lab_said(folder) for folder in labs}
    name = address.choose(st.selectbox, "lab", names, t("lab_which"), first=True)
    address.say_problems()
    if name:
        lab_report.show_lab(data.library().labs / name)


main()
