"""The pages of long work: a simulation is chosen, begun, seen on every page, and found again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.background import jobs as jobs_module
from dashboard.background.jobs import OVER, Jobs, jobs_of
from dashboard.background.kinds import Build, Simulation
from engine.words import LANGUAGES
from replays.store.library import Library
from tests.dashboard.play.conftest import until
from tests.dashboard.test_pages import opened


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Jobs]:
    """The jobs of an empty library, which the pages show; none of them gets its turn."""
    monkeypatch.setenv("CARDFOLD_HOME", str(tmp_path))
    monkeypatch.setattr(jobs_module, "MOST_RUNNING", 0)
    found = jobs_of(Library(tmp_path).path)
    yield found
    for job in found.going_on():
        found.stop(job.id)
    until(lambda: not found.going_on(), 40)


def said(app: AppTest) -> str:
    """All that stands on the page."""
    return "\n".join(str(part.value) for part in (*app.markdown, *app.caption, *app.warning, *app.error, *app.info))


def lines(app: AppTest) -> list[str]:
    """What leads to the list of jobs."""
    return [link.proto.label for link in app.get("page_link")]


@pytest.mark.parametrize("at_once", [False, True])
def test_a_simulation_is_begun_as_it_was_chosen(jobs: Jobs, at_once: bool) -> None:
    """`at_once`: the button is pressed before the page has been drawn with the last choices."""
    app = opened("simulate")
    app.selectbox(key="simulate_game").set_value("xcard").run()
    app.number_input(key="simulate_count").set_value(123)
    app.number_input(key="simulate_seed").set_value(7)
    app.selectbox(key="simulate_player_0").set_value("random")
    app.multiselect(key="simulate_decks_xcard").set_value([0, 2])
    app.number_input(key="simulate_max_rounds").set_value(30)
    if not at_once:
        app.run()
    app.button(key="simulate_start").click().run()
    assert not app.exception and not app.error
    (job,) = jobs.listed()
    assert isinstance(job.work, Simulation)
    plan = job.work.plan
    assert (plan.game, plan.count, plan.seed, plan.player_kinds) == ("xcard", 123, 7, ("random", "greedy"))
    assert len(plan.decks) == 4 and plan.options == {"max_rounds": 30}
    assert app.number_input(key="simulate_seed").value == 8, "pressed again, it plays other games"
    app.button(key="simulate_start").click().run()
    assert [job.work.plan.seed for job in jobs.listed()] == [8, 7]  # type: ignore[union-attr]


def test_what_goes_on_is_seen_on_every_page_and_can_be_stopped_taken_up_and_taken_off(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = jobs.start(Build()).id
    app = opened("jobs")
    assert "waiting for its turn" in said(app)
    app.button(key=f"stop_{name}").click().run()
    assert "Stopped. What was finished is kept." in said(app) and not jobs.going_on()
    app.button(key=f"forget_{name}").click().run()
    assert "Nothing has run yet" in said(app)
    app.button(key="jobs_build").click().run()
    for page in ("library", "cards", "play", "sql", "simulate", "jobs"):
        assert lines(opened(page)) == ["Counting the statistics"], page
    monkeypatch.setattr(jobs_module, "MOST_RUNNING", 1)
    jobs._begin_next()
    until(lambda: all(job.state in OVER for job in jobs.listed()), 60)
    app = opened("jobs")
    assert "The statistics are up to date." in said(app)
    assert lines(app) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_speak_every_language(jobs: Jobs, language: str) -> None:
    jobs.start(Build())
    for page in ("simulate", "jobs"):
        app = opened(page, language=language)
        assert not app.exception
        assert (language == "en") == ("Stop" in [button.label for button in opened("jobs", language=language).button])
