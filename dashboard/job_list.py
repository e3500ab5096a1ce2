"""Long work as pages show it: a line on every page while it goes on, and a list with progress, stop and go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from dashboard import data
from dashboard.background.jobs import OVER, Job, Jobs, TooManyJobs, jobs_of
from dashboard.background.kinds import Build, Finished, ImportFiles, Lab, LongWork, Simulation
from dashboard.i18n import chosen, literal, t
from dashboard.rule_book import linked
from replays.stats.warehouse import NoWarehouseError, OutdatedError, WarehouseError
from replays.store.library import ImportReport, LibraryError

_EVERY = 1.0
"""Seconds between two looks at work that goes on."""

_LINE = """<style>
.st-key-jobs_line p { font-size: .85rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
@media (min-width: 700px) {
  .st-key-jobs_line { position: fixed; top: 12px; right: 64px; z-index: 999991; width: auto; max-width: 70vw; }
}
</style>"""

_ABOVE = """<style>
.st-key-jobs_line { height: 28px; align-items: center; justify-content: center; overflow: hidden; }
.st-key-jobs_line p { font-size: .85rem; white-space: nowrap; }
[data-testid="stMain"] { --viewer-height: calc(100dvh - 28px); }
</style>"""
"""Where the viewer has the whole window, the line has a strip above it."""


def own_jobs() -> Jobs:
    """The jobs of the library that is shown. Raises LibraryError where it cannot be opened."""
    return jobs_of(data.library().path)


def begin_work(work: LongWork) -> bool:
    """Begins long work; where that cannot be, says why."""
    try:
        own_jobs().start(work)
    except (TooManyJobs, OSError) as problem:
        st.error(literal(str(problem)))
        return False
    return True


def offer_to_count(why: WarehouseError | LibraryError, lab: str = "") -> None:
    """Says why there are no statistics, of the library or of one of its labs; a click counts the games."""
    usual: dict[type, str] = {NoWarehouseError: "uncounted", OutdatedError: "outdated"}
    if type(why) in usual:
        st.info(t(usual[type(why)]))
    else:
        st.warning(literal(str(why)))
    work = Build(lab)
    if st.button(t("jobs_build"), key="count"):
        begin_work(work)
    show_jobs(lambda one: one == work)


# --- on every page ------------------------------------------------------------------------------------------


def show_line(whole_window: bool) -> None:
    """One line that says what goes on, and leads to the list; nothing where nothing does."""
    try:
        jobs = own_jobs()
    except LibraryError:  # the page itself says so
        return
    if jobs.going_on():
        st.html(_ABOVE if whole_window else _LINE)
        st.fragment(_line, run_every=2 * _EVERY)(jobs)


def _line(jobs: Jobs) -> None:
    going = jobs.going_on()
    with st.container(key="jobs_line"):
        if not going:
            st.page_link("views/jobs.py", label=t("jobs_over"), icon=":material/check:")
            return
        said = _short(going[0])
        if len(going) > 1:
            said += f" · {t('jobs_more', n=len(going) - 1)}"
        st.page_link("views/jobs.py", label=literal(said), icon=":material/progress_activity:")


def _short(job: Job) -> str:
    done, total = job.progress.done, job.progress.total
    share = f" {100 * done // total} %" if total else ""
    return f"{data.title(job.work.plan.game, chosen())}: {stage(job)}{share}" if isinstance(
        job.work, Simulation | Lab
    ) else f"{job_title(job.work)}{share}"


# --- the list -----------------------------------------------------------------------------------------------


def show_jobs(fits: Callable[[LongWork], bool] = lambda work: True) -> bool:
    """The jobs that fit, the newest first; whether there are any."""
    jobs = own_jobs()
    found = [job for job in jobs.listed() if fits(job.work)]
    going = any(job.state not in OVER for job in found)
    st.fragment(_list, run_every=_EVERY if going else None)(jobs, fits, [job.id for job in found if job.state in OVER])
    return bool(found)


def _list(jobs: Jobs, fits: Callable[[LongWork], bool], over: Sequence[str]) -> None:
    found = [job for job in jobs.listed() if fits(job.work)]
    if any(job.state in OVER and job.id not in over for job in found):
        st.rerun()  # what it has made is to be seen everywhere on the page
    for job in found:
        with st.container(border=True, key=f"job_{job.id}"):
            _one(jobs, job)


def _one(jobs: Jobs, job: Job) -> None:
    about, buttons = st.columns([4, 1.2], vertical_alignment="center")
    about.markdown(f"**{literal(job_title(job.work))}**")
    ended = job.ended
    if job.state not in OVER:
        with about:
            _progress(job)
        buttons.button(
            t("job_stop"), key=f"stop_{job.id}", on_click=jobs.stop, args=(job.id,), width="stretch",
            disabled=job.state == "stopping",
        )  # fmt: skip
        return
    if ended is not None and ended.finished is not None:
        with about:
            show_finished(ended.finished)
    elif ended is not None and ended.problem:
        about.error(linked(ended.problem))
    else:
        about.caption(t("job_stopped"))
    if job.resumable:
        buttons.button(t("job_resume"), key=f"resume_{job.id}", on_click=_resume, args=(jobs, job.id), width="stretch")
    buttons.button(
        t("job_forget"), key=f"forget_{job.id}", on_click=jobs.forget, args=(job.id,), width="stretch", type="tertiary"
    )


def _resume(jobs: Jobs, name: str) -> None:
    try:
        jobs.resume(name)
    except (TooManyJobs, OSError) as problem:
        st.toast(literal(str(problem)))


def _progress(job: Job) -> None:
    if job.state != "running":
        st.caption(t(f"job_{job.state}"))
        return
    done, total = job.progress.done, job.progress.total
    parts = [stage(job)]
    if total:
        parts.append(t("job_of", done=f"{done:,}", total=f"{total:,}"))
    if (left := job.seconds_left) is not None:
        parts.append(t("job_left", time=spoken(left)))
    st.progress(min(1.0, done / total) if total else 0.0, " · ".join(parts))


def show_finished(finished: Finished) -> None:
    """What came of a job, as a sentence, and what is wrong with it."""
    if finished.report is not None:
        show_report(finished.report)
    else:
        st.caption(t(finished.word, **{name: literal(_said(value)) for name, value in finished.args.items()}))
    if finished.args.get("errors"):
        st.warning(t("job_errors", n=literal(_said(finished.args["errors"]))))
    for problem in finished.problems:
        st.warning(literal(problem))


def show_report(report: ImportReport) -> None:
    """What an import has done: how many games, and why those that are not simply new are not."""
    st.caption(
        t("imported", new=f"{report.new:,}", duplicate=f"{report.duplicate:,}", partial=f"{report.partial:,}",
          refused=f"{report.refused:,}")
    )
    lines = [line for line in report.found if line.outcome != "new" or line.reason]
    if lines:
        st.dataframe(
            pd.DataFrame(
                {
                    t("file"): [line.file for line in lines], t("game"): [line.id for line in lines],
                    t("found"): [t(line.outcome) for line in lines], t("why"): [line.reason for line in lines],
                }
            ),
            hide_index=True, height="content" if len(lines) < 12 else 420,
        )  # fmt: skip


def _said(value: str | int) -> str:
    return f"{value:,}" if isinstance(value, int) else value


def job_title(work: LongWork) -> str:
    """What a job does, in a few words."""
    if isinstance(work, Simulation):
        players = t("against").join(work.plan.player_kinds)
        return t("job_simulation", game=data.title(work.plan.game, chosen()), n=f"{work.plan.count:,}", players=players)
    if isinstance(work, Lab):
        return t("job_lab", game=data.title(work.plan.game, chosen()), changes="; ".join(work.changes))
    if isinstance(work, ImportFiles):
        names = [name for name, _ in work.files]
        more = f", {t('jobs_more', n=len(names) - 3)}" if len(names) > 3 else ""
        return t("job_import", files=", ".join(name[:60] for name in names[:3]) + more)
    return t("job_build")


def stage(job: Job) -> str:
    """What a job is at."""
    return t(f"job_stage_{job.progress.stage}") if job.state == "running" else t(f"job_{job.state}")


def spoken(seconds: float) -> str:
    """A time, as one says it: "40 s", "3 min", "2 h"."""
    if seconds < 90:
        return t("seconds", n=max(1, round(seconds)))
    return t("minutes", n=round(seconds / 60)) if seconds < 5400 else t("hours", n=round(seconds / 3600))
