"""One pool of worker processes for all that goes through many games: playing them, checking them, gathering facts.

The caller hears how far all workers are, may stop them between two games, and gets each result as soon as it is there.
Workers end with the process that began them, however that ends.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol, TypeAlias, TypeVar

from events.errors import CardfoldError

Item = TypeVar("Item")
Result = TypeVar("Result")

Step: TypeAlias = Callable[[], None]
"""Called by work after each game: counts it, and raises where the work is to stop."""

Work: TypeAlias = Callable[[Item, Step], Result]
"""What is done with each item. For other processes, it and its items and results must be picklable."""


class Runner(Protocol):
    """Who does work: `run_work` here, or a cluster (see `replays.cluster`)."""

    def __call__(
        self, work: Work[Item, Result], items: Iterable[Item], jobs: int | None = None,
        progress: Callable[[int], None] | None = None, stop: Callable[[], bool] | None = None,
    ) -> Generator[tuple[Item, Result], None, None]:
        """See `run_work`."""


PAUSE = 0.2
"""Seconds between reports of progress, at which the caller may stop the work."""


AHEAD = 4
"""Items that are held for each worker: what it does, and what waits for it or for an item before it."""


class WorkerKilled(CardfoldError):
    """A worker process was killed from outside; the results that were given so far stand."""

    def __init__(self) -> None:
        super().__init__("A worker process was killed; what was finished is kept.")


class WorkHalted(CardfoldError):
    """Between two games it was seen that the work is to stop."""


def run_work(
    work: Work[Item, Result],
    items: Iterable[Item],
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Generator[tuple[Item, Result], None, None]:
    """Does the work with each item and gives the items with their results, in their order.

    `jobs` worker processes (None: one a core; 1, or a single item: this process alone). Items are asked for as workers
    come free, a few ahead. `progress` is told how many steps all have made; `stop` is asked now and then, and where it
    says so WorkHalted is raised. What a piece of work raises is raised here. Left early or closed, the work stops at
    its next step. Raises WorkerKilled.
    """
    report = progress or (lambda steps: None)
    jobs = jobs or os.cpu_count() or 1
    source = iter(items)
    first = list(itertools.islice(source, 2))
    every = itertools.chain(first, source)
    if jobs == 1 or len(first) < 2:
        return _here(work, every, report, stop)
    return _in_workers(work, every, jobs, report, stop)


def _here(
    work: Work[Item, Result], items: Iterator[Item], report: Callable[[int], None], stop: Callable[[], bool] | None
) -> Generator[tuple[Item, Result], None, None]:
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1
        report(steps)
        if stop is not None and stop():
            raise WorkHalted

    for item in items:
        yield item, work(item, step)


def _in_workers(
    work: Work[Item, Result], items: Iterator[Item], jobs: int, report: Callable[[int], None],
    stop: Callable[[], bool] | None,
) -> Generator[tuple[Item, Result], None, None]:
    spawn = multiprocessing.get_context("spawn")
    steps, halt = spawn.Value("q", 0), spawn.Event()
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    with ProcessPoolExecutor(jobs, spawn, _begin, (work, steps, halt)) as pool:
        try:
            while True:
                more = itertools.islice(items, AHEAD * jobs - len(waiting))
                waiting.extend((item, pool.submit(_do, item)) for item in more)
                report(steps.value)
                if not waiting:
                    return
                if stop is not None and stop():
                    raise WorkHalted
                item, future = waiting[0]
                if wait([future], PAUSE).done:
                    waiting.popleft()
                    yield item, future.result()
        except BrokenProcessPool:
            raise WorkerKilled from None
        finally:
            halt.set()
            pool.shutdown(cancel_futures=True)


# --- in a worker process ------------------------------------------------------------------------------------

_worker: tuple[Work[Any, Any], Any, Any]
"""what to do, the count of steps of all workers, and the sign to stop"""


def _begin(work: Work[Any, Any], steps: Any, halt: Any) -> None:
    global _worker
    _worker = (work, steps, halt)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and says when to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(item: Any) -> Any:
    work, steps, halt = _worker

    def step() -> None:
        with steps.get_lock():
            steps.value += 1
        if halt.is_set():
            raise WorkHalted

    if halt.is_set():  # items are handed out ahead of their turn
        raise WorkHalted
    return work(item, step)
