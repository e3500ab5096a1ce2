"""The work of `workers` on Ray: processes of this machine, or of many. It comes with `cardfold[cluster]`.

What is done, in what order it is given back, and every byte are the same as with `workers.run_work`. A process that is
killed is Ray's to replace: what it was doing is done again. Files that work writes are brought here, so the machines
need share no disk; they need the same version of Cardfold.
"""

from __future__ import annotations

import logging
import os
import socket
import tempfile
from collections import deque
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from events.errors import CardfoldError
from replays.store.atomic import write_aside
from replays.workers import AHEAD, PAUSE, Item, Result, Runner, Work, WorkHalted

LOCAL = "local"
"""The address that means a Ray of this machine alone, begun for one piece of work and ended with it."""

RETRIES = 5
"""How often a piece of work is begun anew whose process was killed."""

Self = TypeVar("Self")


class ClusterError(CardfoldError):
    """Ray is not installed, cannot be reached or has given up; the message is a sentence."""


@runtime_checkable
class WritesFiles(Protocol):
    """Work that writes its files into a folder."""

    folder: Path

    def into(self: Self, folder: Path) -> Self:
        """The same work, writing into another folder."""


def runner(address: str) -> Runner:
    """Runs work as `workers.run_work` does, on the Ray at this address, or on one of this machine (LOCAL).

    Progress is told when a piece of work is done. Raises ClusterError.
    """

    def run(
        work: Work[Item, Result], items: Iterable[Item], jobs: int | None = None,
        progress: Callable[[int], None] | None = None, stop: Callable[[], bool] | None = None,
    ) -> Generator[tuple[Item, Result], None, None]:
        ray = _connected(address, jobs)
        try:
            yield from _run(ray, work, items, progress or (lambda steps: None), stop)
        except ray.exceptions.RayError as problem:
            raise ClusterError(f"Ray has given up: {str(problem).splitlines()[0]}") from None
        finally:
            ray.shutdown()

    return run


def _connected(address: str, jobs: int | None) -> Any:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # nothing is sent anywhere
    os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"  # workers have what this process has
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # where it is not said, Ray warns at every start
    try:
        import ray
    except ImportError:
        raise ClusterError("Ray is not installed: it comes with `pip install 'cardfold[cluster]'`.") from None
    _check_address(address)
    own: dict[str, Any] = {"num_cpus": jobs or os.cpu_count() or 1, "include_dashboard": False}
    try:
        ray.init(address, **(own if address == LOCAL else {}), log_to_driver=False, logging_level=logging.ERROR)
    except Exception as problem:  # of any kind: where a machine is too busy to start it, Ray raises a bare one
        what = "Ray cannot be started here" if address == LOCAL else f"There is no Ray at {address}"
        raise ClusterError(f"{what}: {(str(problem).splitlines() or [type(problem).__name__])[0]}") from None
    return ray


def _check_address(address: str) -> None:
    """Raises ClusterError where nobody listens: Ray itself would wait for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except (OSError, ValueError, OverflowError):
        raise ClusterError(f"There is no Ray at {address}: write HOST:PORT of its head, or `local`.") from None


def _run(
    ray: Any, work: Work[Item, Result], items: Iterable[Item], report: Callable[[int], None],
    stop: Callable[[], bool] | None,
) -> Generator[tuple[Item, Result], None, None]:
    do = ray.remote(_do).options(max_retries=RETRIES)
    what, source, steps = ray.put(work), iter(items), 0
    most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting: deque[tuple[Item, Any]] = deque()
    try:
        while True:
            for item in source:
                waiting.append((item, do.remote(what, item)))
                if len(waiting) >= most:
                    break
            report(steps)
            if not waiting:
                return
            if stop is not None and stop():
                raise WorkHalted
            item, task = waiting[0]
            if ray.wait([task], timeout=PAUSE)[0]:
                waiting.popleft()
                result, made, files = ray.get(task)
                steps += made
                writer = _writer(work)
                if writer is not None:
                    for name, data in files.items():
                        _bring(data, writer.folder / name)
                yield item, result
    finally:
        for _, task in waiting:
            ray.cancel(task, force=True)


def _bring(data: bytes, file: Path) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_aside(file, [data])
    except OSError as problem:
        raise ClusterError(f"{file} cannot be written: {problem.strerror}.") from None


def _writer(work: Work[Any, Any]) -> WritesFiles | None:
    """Whose method the work is, where that writes files."""
    owner = getattr(work, "__self__", None)
    return owner if isinstance(owner, WritesFiles) else None


# --- on a machine of the cluster ----------------------------------------------------------------------------


def _do(work: Work[Item, Result], item: Item) -> tuple[Result, int, dict[str, bytes]]:
    """Does one piece of work: its result, the steps made, and the files that it wrote, by name."""
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1

    writer = _writer(work)
    if writer is None:
        return work(item, step), steps, {}
    with tempfile.TemporaryDirectory() as folder:
        here: Work[Item, Result] = getattr(writer.into(Path(folder)), getattr(work, "__name__"))  # noqa: B009
        result = here(item, step)
        files = (file for file in sorted(Path(folder).rglob("*")) if file.is_file())
        return result, steps, {str(file.relative_to(folder)): file.read_bytes() for file in files}
