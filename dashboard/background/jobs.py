"""The long work of a library: what runs, waits and has ended, for all browsers of this server.

Each job is a process of its own (`process`), so that pages stay quick; a few run at once, the others wait. What a job
is to do and what came of it stands in the library's folder `jobs`, a file each, so that work that was stopped, or
whose server was, can be taken up again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from collections import deque
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import IO, Literal, TypeAlias

import msgspec
from msgspec import Struct

from dashboard.background.kinds import ImportFiles, Lab, LongWork, Simulation
from dashboard.background.process import Ended, Message, Reached
from events.errors import CardfoldError
from events.lock import lock
from replays.store.atomic import write_aside

MOST_RUNNING = 2
"""Jobs that run at once; each takes all cores."""

MOST_WAITING = 20
KEPT = 50
"""Jobs that are over and still listed."""

_LOGGED = 200
"""Lines that a process may leave in the log file, its last ones."""

PATIENCE = 15.0
"""Seconds after which work that was asked to stop is ended from outside."""

JobState: TypeAlias = Literal["waiting", "running", "stopping", "done", "stopped", "failed"]

OVER = ("done", "stopped", "failed")

_LOGGER = logging.getLogger("cardfold")


class TooManyJobs(CardfoldError):
    """No more work is taken on now."""


class _Kept(Struct, omit_defaults=True):
    """What the file of a job says; without `ended` it was interrupted, unless it goes on."""

    work: LongWork
    begun: str
    ended: Ended | None = None


class Job:
    """One piece of long work. Read by any thread; changed by the `Jobs` that it belongs to."""

    def __init__(self, file: Path, kept: _Kept, state: JobState) -> None:
        self.file = file
        self.id = file.stem
        self.work = kept.work
        self.begun = kept.begun
        self.ended = kept.ended
        self.state: JobState = state
        self.progress = Reached("", 0, 0)
        self.process: subprocess.Popen[bytes] | None = None
        self._first: tuple[float, int] | None = None

    @property
    def resumable(self) -> bool:
        """Whether it can go on from where it stopped."""
        return self.state in ("stopped", "failed") and isinstance(self.work, Simulation | Lab)

    @property
    def seconds_left(self) -> float | None:
        """About how long this stage takes still; None where that is not known."""
        done, total = self.progress.done, self.progress.total
        if self._first is None or self.state != "running" or done <= self._first[1] or not total:
            return None
        since, before = self._first
        return (time.monotonic() - since) / (done - before) * (total - done)

    def tell(self, progress: Reached) -> None:
        """Takes in how far the work is."""
        if progress.stage != self.progress.stage or self._first is None:
            self._first = (time.monotonic(), progress.done)
        self.progress = progress


class Jobs:
    """The jobs of one library. Every method may be called by any thread."""

    def __init__(self, library: Path) -> None:
        self.library = library
        self.folder = library / "jobs"
        self._lock = threading.RLock()
        self._jobs: dict[str, Job] = {}
        for file in sorted(self.folder.glob("*.json")):
            with contextlib.suppress(OSError, msgspec.MsgspecError):
                self._take_up(file)

    def _take_up(self, file: Path) -> None:
        kept = msgspec.json.decode(file.read_bytes(), type=_Kept)
        ended = kept.ended
        if isinstance(kept.work, ImportFiles) and ended is None and _is_free(file):
            shutil.rmtree(kept.work.folder, ignore_errors=True)
        self._jobs[file.stem] = Job(file, kept, _state(ended or Ended()))

    def listed(self) -> list[Job]:
        """All jobs, the newest first."""
        with self._lock:
            return sorted(self._jobs.values(), key=lambda job: job.id, reverse=True)

    def going_on(self) -> list[Job]:
        """Those that run or wait, the oldest first."""
        return [job for job in reversed(self.listed()) if job.state not in OVER]

    def start(self, work: LongWork) -> Job:
        """Takes on new work. Raises TooManyJobs, and OSError where its file cannot be written."""
        with self._lock:
            if len(self.going_on()) >= MOST_RUNNING + MOST_WAITING:
                raise TooManyJobs(f"{MOST_WAITING} jobs are waiting already: wait until one has begun, or stop one.")
            self.folder.mkdir(exist_ok=True)
            now = datetime.now(UTC)
            number = max(time.time_ns(), 1 + max((int(name, 16) for name in self._jobs), default=0))
            job = Job(
                self.folder / f"{number:016x}.json", _Kept(work, now.isoformat(timespec="seconds")), "waiting"
            )
            self._write(job)
            self._jobs[job.id] = job
            self._forget_old()
            self._begin_next()
            return job

    def stop(self, name: str) -> None:
        """Asks a job to stop; what it has finished is kept."""
        with self._lock:
            job = self._jobs.get(name)
            if job is None or job.state in OVER:
                return
            if job.process is None:
                self._over(job, Ended())
                return
            job.state = "stopping"
            process = job.process
        with contextlib.suppress(OSError, ValueError):
            _pipe(process.stdin).close()
        timer = threading.Timer(PATIENCE, process.terminate)
        timer.daemon = True
        timer.start()

    def resume(self, name: str) -> None:
        """Goes on with a job that was stopped or has failed. Raises TooManyJobs where another process is at it."""
        with self._lock:
            job = self._jobs.get(name)
            if job is None or not job.resumable:
                return
            if not _is_free(job.file):
                raise TooManyJobs("Another Cardfold is at this work: it is to be stopped there.")
            job.state, job.ended = "waiting", None
            self._write(job)
            self._begin_next()

    def forget(self, name: str) -> None:
        """Takes a job that is over off the list. What it has made stays."""
        with self._lock:
            job = self._jobs.get(name)
            if job is not None and job.state in OVER and _is_free(job.file):
                del self._jobs[name]
                for file in (job.file, job.file.with_suffix(".lock")):
                    file.unlink(missing_ok=True)

    def _forget_old(self) -> None:
        over = [job for job in self.listed() if job.state in OVER]
        for job in over[KEPT:]:
            self.forget(job.id)

    def _write(self, job: Job) -> None:
        write_aside(job.file, [msgspec.json.encode(_Kept(job.work, job.begun, job.ended))])

    def _begin_next(self) -> None:
        with self._lock:
            going = self.going_on()
            free = MOST_RUNNING - sum(job.process is not None for job in going)
            for job in [job for job in going if job.process is None][: max(0, free)]:
                self._begin(job)

    def _begin(self, job: Job) -> None:
        held = os.open(job.file.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not lock(held):
            os.close(held)
            self._over(job, Ended(problem="Another Cardfold is at this work."))
            return
        command = [sys.executable, "-m", "dashboard.background.process", str(self.library)]
        job.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=(held,)
        )
        os.close(held)  # the process has it now
        job.state = "running"
        threading.Thread(target=self._follow, args=(job, job.process), name=f"job {job.id}", daemon=True).start()

    def _follow(self, job: Job, process: subprocess.Popen[bytes]) -> None:
        """Hears what the process says until it ends."""
        complaints: deque[bytes] = deque(maxlen=_LOGGED)
        hearing = threading.Thread(target=lambda: complaints.extend(_pipe(process.stderr)), daemon=True)
        hearing.start()
        with contextlib.suppress(OSError, ValueError):
            _pipe(process.stdin).write(msgspec.json.encode(job.work) + b"\n")
            _pipe(process.stdin).flush()
        ended: Ended | None = None
        for line in _pipe(process.stdout):
            message = msgspec.json.decode(line, type=Message)
            if isinstance(message, Ended):
                ended = message
            else:
                job.tell(message)
        code = process.wait()
        hearing.join()
        if complaints:
            _LOGGER.warning("Job %s:\n%s", job.id, b"".join(complaints).decode("utf-8", "replace"))
        with self._lock:
            if ended is None and job.state != "stopping":
                why = f"Its process has ended by itself (code {code}); what was finished is kept."
                _LOGGER.error("Job %s has failed: %s", job.id, why)
                ended = Ended(problem=why)
            self._over(job, ended or Ended())
        self._begin_next()

    def _over(self, job: Job, ended: Ended) -> None:
        if isinstance(job.work, ImportFiles):
            shutil.rmtree(job.work.folder, ignore_errors=True)
        job.ended = ended
        try:
            self._write(job)
        except OSError:
            _LOGGER.exception("What came of job %s cannot be written.", job.id)
        job.process, job.state = None, _state(ended)


def _state(ended: Ended) -> JobState:
    return "done" if ended.finished is not None else "failed" if ended.problem else "stopped"


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def _is_free(file: Path) -> bool:
    """Whether no process is at the job of this file."""
    with contextlib.suppress(FileNotFoundError), file.with_suffix(".lock").open("rb+") as held:
        return lock(held.fileno())
    return True


@cache
def jobs_of(library: Path) -> Jobs:
    """The one list of jobs of a library in this process."""
    return Jobs(library)
