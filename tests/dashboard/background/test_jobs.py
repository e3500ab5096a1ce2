"""Long work beside the pages: it goes on, stops, goes on again, and says in a sentence what went wrong."""

from __future__ import annotations

import io
import logging
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dashboard.background import jobs as jobs_module
from dashboard.background import kinds, process
from dashboard.background.jobs import OVER, Job, Jobs, TooManyJobs
from dashboard.background.kinds import Build, Finished, Lab, LongWork, Simulation
from engine.rulebooks import registry
from events.game import write_game
from events.pack import read_pack
from replays.play.simulate import SMALL_CHUNK, Plan, all_pairs
from replays.stats.warehouse import open_warehouse
from replays.store.library import Library
from tests.dashboard.play.conftest import until
from tests.events import highcard


def plan(count: int, player_kind: str = "random") -> Plan:
    """Games of the quickest rulebook."""
    decks = registry.load("monbattle").shipped_decks()[:2]
    return Plan(game="monbattle", decks=all_pairs(decks), count=count, player_kinds=(player_kind, player_kind))


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    """The jobs of an empty library; all are stopped in the end."""
    found = Jobs(Library(tmp_path / "library").path)
    yield found
    for job in found.going_on():
        found.stop(job.id)
    until(lambda: not found.going_on(), 40)


def over(job: Job) -> Job:
    """The job, as soon as it is over."""
    return until(lambda: job if job.state in OVER else None, 60)


def test_a_simulation_brings_its_games_and_their_statistics(jobs: Jobs) -> None:
    job = over(jobs.start(Simulation(plan(30))))
    assert job.state == "done" and job.ended is not None and job.ended.finished is not None
    assert job.ended.finished.args == {"new": 30, "there": 0, "errors": 0}
    assert len(Library(jobs.library).games()) == 30
    assert open_warehouse(jobs.library).query("built_by").num_rows == 1
    (again,) = Jobs(jobs.library).listed()
    assert (again.state, again.ended) == ("done", job.ended)


def test_what_was_stopped_goes_on_where_it_stopped_in_another_server_too(jobs: Jobs) -> None:
    library = Library(jobs.library)
    job = jobs.start(Simulation(plan(80, "greedy")))
    until(lambda: job.progress.done > 45, 60)
    jobs.stop(job.id)
    assert over(job).state == "stopped" and job.resumable and not library.games()
    chunks = [sum(game.sealed for game in read_pack(chunk)) for chunk in library.making.glob(".*/*.jsonl.zst")]
    other = Jobs(jobs.library)
    (same,) = other.listed()
    assert same.state == "stopped"
    told: list[process.Reached] = []
    same.tell = told.append  # type: ignore[method-assign]
    other.resume(same.id)
    assert over(same).state == "done" and len(library.games()) == 80
    assert told[0] == process.Reached("playing", sum(count for count in chunks if count == SMALL_CHUNK), 80)


def test_two_processes_are_never_at_one_job(jobs: Jobs) -> None:
    job = jobs.start(Simulation(plan(5000)))
    until(lambda: job.progress.total, 60)
    other = Jobs(jobs.library)
    with pytest.raises(TooManyJobs, match="Another Cardfold is at this work"):
        other.resume(job.id)
    other.forget(job.id)
    assert job.file.exists()


def test_a_killed_process_is_a_sentence_in_the_list_and_a_line_in_the_log(
    jobs: Jobs, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("cardfold"), "propagate", True)
    job = jobs.start(Simulation(plan(5000)))
    until(lambda: job.progress.total, 60)
    assert job.process is not None
    job.process.send_signal(signal.SIGKILL)
    assert over(job).state == "failed" and job.ended is not None and job.resumable
    assert job.ended.problem == "Its process has ended by itself (code -9); what was finished is kept."
    assert job.id in caplog.text


def test_so_many_run_at_once_so_many_wait_and_no_more_are_taken(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "MOST_RUNNING", 0)
    waiting = [jobs.start(Build()) for _ in range(jobs_module.MOST_WAITING)]
    assert {job.state for job in waiting} == {"waiting"}
    with pytest.raises(TooManyJobs, match="20 jobs are waiting already"):
        jobs.start(Build())
    monkeypatch.setattr(jobs_module, "MOST_RUNNING", 1)
    for job in waiting[2:]:
        jobs.stop(job.id)
    assert {job.state for job in waiting[2:]} == {"stopped"}
    jobs.start(Build())
    assert [job.state for job in waiting[:2]] == ["running", "waiting"]
    for job in waiting[:2]:
        assert over(job).state == "done"


def test_only_the_newest_jobs_that_are_over_stay_listed(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "MOST_RUNNING", 0)
    monkeypatch.setattr(jobs_module, "KEPT", 3)
    for _ in range(5):
        jobs.stop(jobs.start(Build()).id)
    assert len(jobs.listed()) == len(Jobs(jobs.library).listed()) == 4
    jobs.forget(jobs.listed()[0].id)
    assert len(Jobs(jobs.library).listed()) == 3


def test_a_lab_is_played_counted_and_named(jobs: Jobs) -> None:
    game = registry.load("monbattle")
    deck = game.shipped_decks()[0]
    code = next(code for code in deck.cards if "atk" in game.cards[code].stats)
    work = Lab(plan(20), (f"{code}:atk=+100",))
    job = over(jobs.start(work))
    assert job.ended is not None and job.ended.finished is not None, job.ended
    assert job.ended.finished.args["games"] == 20
    folder = work.folder(Library(jobs.library))
    assert folder.name == job.ended.finished.args["lab"] and len(Library(folder / "games").games()) == 40


@pytest.mark.parametrize(("work", "why"), [
    (Lab(plan(20), ("NOBODY:atk=+1",)), "there is no card 'NOBODY'"),
    (Simulation(plan(0)), "at least one game"),
])  # fmt: skip
def test_work_that_cannot_be_done_says_why(jobs: Jobs, work: LongWork, why: str) -> None:
    job = over(jobs.start(work))
    assert job.state == "failed" and job.ended is not None and why in job.ended.problem


def test_what_was_not_foreseen_is_a_sentence_and_its_details_go_to_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(library: Path, *more: object) -> None:
        raise RuntimeError("a hole in the floor")

    monkeypatch.setattr("replays.stats.warehouse.update", breaks)
    ended = process.ended_by(Build(), Library(tmp_path / "library").path, lambda stage, done, total: None)
    assert "the details are in dashboard.log" in ended.problem and "hole" not in ended.problem
    assert "a hole in the floor" in caplog.text


def test_uploaded_files_come_in_and_nothing_of_them_is_left_behind(jobs: Jobs) -> None:
    log = write_game((*highcard.SHARED, highcard.game(1, id="a1")))
    files = [("a.jsonl", log), ("../../etc/passwd", b"# Hello"), ("<b>", b"\x00" * 100)]
    work = kinds.put_aside(Library(jobs.library), ((name, io.BytesIO(data)) for name, data in files))
    assert {file.name for file in Path(work.folder).iterdir()} == {"0", "1", "2"}
    job = over(jobs.start(work))
    assert job.ended is not None and isinstance(job.ended.finished, Finished)
    report = job.ended.finished.report
    assert report is not None and (report.new, report.refused) == (1, 2)
    assert {found.file for found in report.found} == {"a.jsonl", "../../etc/passwd", "<b>"}
    assert not Path(work.folder).exists() and [e.id for e in Library(jobs.library).games()] == ["a1"]


@pytest.mark.parametrize("ends", [lambda jobs, job: jobs.stop(job.id), lambda jobs, job: job.process.kill()])
def test_uploaded_files_go_however_their_import_ends(jobs: Jobs, ends: Callable[[Jobs, Job], None]) -> None:
    work = kinds.put_aside(Library(jobs.library), [("a", io.BytesIO(b"x" * 100))])
    job = jobs.start(work)
    ends(jobs, job)
    assert over(job) and not Path(work.folder).exists() and not job.resumable


def test_the_time_left_is_told_from_what_this_run_has_done(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("dashboard.background.jobs.time.monotonic", lambda: now[0])
    monkeypatch.setattr(jobs_module, "MOST_RUNNING", 0)
    job = jobs.start(Build())
    job.state = "running"
    for at, stage, done, left in (
        (100, "playing", 600, None), (110, "playing", 700, 30), (120, "playing", 900, pytest.approx(6.67, abs=0.01)),
        (121, "counting", 0, None), (125, "counting", 500, 4),
    ):  # fmt: skip
        now[0] = at
        job.tell(process.Reached(stage, done, 1000))
        assert job.seconds_left == left
    job.state = "waiting"
