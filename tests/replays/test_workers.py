"""The pool of workers: the same results here and in processes, stopped between two steps, ended with their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from replays.workers import Step, WorkerKilled, WorkHalted, run_work


def squared(item: int, step: Step) -> int:
    for _ in range(item):
        step()
    return item * item


def failing(item: int, step: Step) -> int:
    step()
    if item == 2:
        raise ZeroDivisionError("one over none")
    return item


def endless(folder: Path, item: int, step: Step) -> None:
    (folder / f"{item}.{os.getpid()}").touch()
    while True:
        time.sleep(0.01)
        step()


def begun(folder: Path, count: int = 1) -> list[int]:
    """The processes that are at work, as soon as there are so many."""
    until = time.monotonic() + 60
    while len(found := list(folder.iterdir())) < count:
        assert time.monotonic() < until
        time.sleep(0.02)
    return [int(file.suffix[1:]) for file in found]


def killed(folder: Path, item: int, step: Step) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("jobs", [1, 2, 9])
def test_each_item_comes_back_with_its_result_and_all_steps_are_told(jobs: int) -> None:
    told: list[int] = []
    assert sorted(run_work(squared, range(5), jobs, told.append)) == [(n, n * n) for n in range(5)]
    assert told[-1] == 10 and told == sorted(told)


def test_nothing_to_do_is_done() -> None:
    assert list(run_work(squared, [])) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_work_raises_is_raised(jobs: int) -> None:
    with pytest.raises(ZeroDivisionError, match="one over none"), closing(run_work(failing, range(4), jobs)) as found:
        list(found)


@pytest.mark.parametrize("jobs", [1, 2])
def test_work_is_halted_between_two_steps(jobs: int, tmp_path: Path) -> None:
    with pytest.raises(WorkHalted):
        list(run_work(partial(endless, tmp_path), range(3), jobs, stop=lambda: bool(list(tmp_path.iterdir()))))
    assert len(list(tmp_path.iterdir())) <= jobs


def test_work_that_is_left_early_stops(tmp_path: Path) -> None:
    def leave(steps: int) -> None:
        if list(tmp_path.iterdir()):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), closing(run_work(partial(endless, tmp_path), range(3), 2, leave)) as found:
        list(found)
    assert all(gone(process) for process in begun(tmp_path))


def test_a_killed_worker_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(WorkerKilled, match="what was finished is kept"):
        list(run_work(partial(killed, tmp_path), range(3), 2))


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom functools import partial\nfrom pathlib import Path\n"
        "from replays.workers import run_work\nfrom tests.replays.test_workers import endless\n"
        "if __name__ == '__main__':\n    list(run_work(partial(endless, Path(sys.argv[1])), range(2), 2))"
    )
    script = tmp_path / "program.py"
    script.write_text(program, encoding="utf-8")
    folder = tmp_path / "begun"
    folder.mkdir()
    root = Path(__file__).parents[2]
    parent = subprocess.Popen([sys.executable, script, folder], env={**os.environ, "PYTHONPATH": str(root)})
    workers = begun(folder, 2)
    parent.kill()
    parent.wait()
    until = time.monotonic() + 30
    while not all(gone(process) for process in workers):
        assert time.monotonic() < until
        time.sleep(0.05)


def gone(process: int) -> bool:
    """Whether there is no such process, or only what is left of it."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z"
    return True
