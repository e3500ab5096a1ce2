"""Games by computer players, into the library: what is to be played, also as a command and a file; how far it is."""

from __future__ import annotations

import streamlit as st

from dashboard import job_list
from dashboard.background.kinds import Simulation
from dashboard.forms import COMPUTERS, MOST_PLAYED, choose_game, chosen_options, computer_name, deck_said
from dashboard.i18n import t
from dashboard.rule_book import linked
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from events.errors import CardfoldError
from replays.cli.plan_file import PlanFile, command_of, plan_of, plan_text
from replays.play.simulate import Plan, check

_STARTED = "simulate_started"


def main() -> None:
    """The page."""
    st.title(t("simulate"))
    st.caption(t("simulate_caption"))
    with st.container(border=True):
        file = chosen_plan()
        plan = checked(file)
        start = st.button(t("simulate_start"), type="primary", key="simulate_start", disabled=plan is None)
    if start and plan is not None:  # a callback would be given what was chosen when the page was last drawn to its end
        _start(plan)
    said_otherwise(file)
    job_list.show_jobs(lambda work: isinstance(work, Simulation))


def _start(plan: Plan) -> None:
    if job_list.begin_work(Simulation(plan)):
        st.session_state[_STARTED] = True
        st.rerun()


def chosen_plan() -> PlanFile:
    """What is chosen, as a plan file says it."""
    game, count, seed = st.columns([1.4, 1, 1])
    key = choose_game(game, "simulate")
    number = count.number_input(t("simulate_count"), 1, MOST_PLAYED, 1000, 100, key="simulate_count")
    if st.session_state.pop(_STARTED, False) or "simulate_seed" not in st.session_state:
        st.session_state["simulate_seed"] = _unused_seed()  # pressed again, it plays other games
    said = seed.number_input(
        t("simulate_seed"), 0, 2**53 - 1, step=1, key="simulate_seed", help=t("simulate_seed_means")
    )
    rules = registry.load(key)
    kinds = [
        place.selectbox(t(f"simulate_player_{seat}"), COMPUTERS, key=f"simulate_player_{seat}",
                        format_func=computer_name)
        for seat, place in enumerate(st.columns(2))
    ]  # fmt: skip
    return PlanFile(
        game=key, count=int(number), players=(kinds[0], kinds[1]), decks=chosen_decks(rules), seed=int(said),
        options={
            name: value for name, value in chosen_options(rules, "simulate").items() if (name, value) != _BY_LOT
        },
    )  # fmt: skip


_BY_LOT = ("first", "random")
"""As it is where an option is left out."""


def _unused_seed() -> int:
    """A seed by which nothing has been simulated here yet, as far as the list of jobs tells."""
    works = [job.work for job in job_list.own_jobs().listed()]
    return 1 + max((work.plan.seed for work in works if isinstance(work, Simulation)), default=0)


def chosen_decks(rules: Rulebook) -> tuple[str, ...] | None:
    """The decks that play each other, by name; None for all."""
    decks = rules.shipped_decks()
    numbers = st.multiselect(
        t("simulate_decks"), range(len(decks)), key=f"simulate_decks_{rules.key}", placeholder=t("simulate_all_decks"),
        format_func=lambda n: deck_said(rules, decks[n]), help=t("simulate_decks_mean"),
    )
    return tuple(decks[n].called() for n in numbers) or None


def checked(file: PlanFile) -> Plan | None:
    """The plan; None, with a sentence that says why, where it cannot be played."""
    try:
        plan = plan_of(file)
        check(plan, registry.load(plan.game))
    except CardfoldError as problem:
        st.warning(linked(str(problem)))
        return None
    st.caption(t("simulate_pairs", n=f"{len(plan.decks):,}", each=f"{max(1, plan.count // len(plan.decks)):,}"))
    return plan


def said_otherwise(file: PlanFile) -> None:
    """The same as a command and as a plan file."""
    with st.expander(t("simulate_as_command")):
        if command := command_of(file):
            st.code(command, language=None, wrap_lines=True)
        st.caption(t("simulate_as_file"))
        text = plan_text(file)
        st.code(text, language="toml")
        st.download_button("plan.toml", text, "plan.toml", "application/toml", key="simulate_plan")


main()
