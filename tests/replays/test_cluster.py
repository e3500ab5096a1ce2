"""Work on a Ray cluster: the same bytes as here, whoever is killed on the way."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from engine.rulebooks import registry
from replays import cluster, workers
from replays.play.ladder import ladder
from replays.play.simulate import Plan, Stopped, all_pairs, simulate
from replays.stats.shards import build_shards
from replays.stats.sums import WHOSE, PackToSum, Summing
from replays.store.library import Library

PLAN = Plan(game="liveon", decks=all_pairs(registry.load("liveon").shipped_decks()), count=200, seed=4)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plan's pack as one process makes it."""
    return simulate(PLAN, tmp_path_factory.mktemp("here") / "games.jsonl.zst", jobs=1).path


def kill_one() -> bool:
    """Kills one process of Ray that is at work, if there is one."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cmdline").read_bytes().startswith(b"ray::_do"):
                os.kill(int(process.name), signal.SIGKILL)
                return True
    return False


def killing() -> tuple[Callable[[int, int], None], list[bool]]:
    """A progress callback that kills a worker, once, when something is being done."""
    killed: list[bool] = []

    def progress(done: int, total: int) -> None:
        if done and not killed and kill_one():
            killed.append(True)

    return progress, killed


def test_a_plan_gives_the_same_pack_and_a_pack_the_same_shard_though_workers_are_killed(
    here: Path, tmp_path: Path
) -> None:
    progress, killed = killing()
    run = cluster.runner(cluster.LOCAL)
    there = simulate(PLAN, tmp_path / "games.jsonl.zst", jobs=2, progress=progress, run=run)
    assert killed and there.games == PLAN.count
    assert there.path.read_bytes() == here.read_bytes()
    shards = {}
    for name, how in (("here", workers.run_work), ("there", run)):
        assert build_shards([there.path], tmp_path / name, 2, run=how) == []
        files = sorted(file for file in (tmp_path / name).rglob("*") if file.is_file())
        shards[name] = {str(file.relative_to(tmp_path / name)): file.read_bytes() for file in files}
    assert shards["here"] == shards["there"] and shards["here"]
    made = {}
    for name, how in (("here", workers.run_work), ("there", run)):
        summing = Summing(tmp_path / "here", tmp_path / f"{name}_sums")
        assert len(list(how(summing.add_up, [PackToSum(there.path, [], "these")], 2))) == 1
        made[name] = {file.name: file.read_bytes() for file in (summing.folder / "games").iterdir()}
    assert made["here"] == made["there"] and made["here"].keys() > {"sides.parquet", WHOSE}


def test_a_ladder_is_the_same_and_work_that_is_stopped_goes_on_from_there(here: Path, tmp_path: Path) -> None:
    run = cluster.runner(cluster.LOCAL)
    plan = Plan(game="monbattle", decks=all_pairs(registry.load("monbattle").shipped_decks()), count=4, seed=1)
    deals = [ladder(plan, ("random", "greedy"), Library(tmp_path / name), jobs=1, run=how)
             for name, how in (("here", workers.run_work), ("there", run))]
    assert deals[0] == deals[1]
    done = [0]
    with pytest.raises(Stopped) as stopped:
        simulate(PLAN, tmp_path / "games.jsonl.zst", jobs=2, run=run,
                 progress=lambda n, total: done.__setitem__(0, n), stop=lambda: done[0] >= 40)
    assert 40 <= stopped.value.done < PLAN.count
    assert simulate(PLAN, tmp_path / "games.jsonl.zst", jobs=1).path.read_bytes() == here.read_bytes()


def test_where_there_is_no_ray_it_is_said() -> None:
    with pytest.raises(cluster.ClusterError, match=r"There is no Ray at 127\.0\.0\.1:1"):
        list(cluster.runner("127.0.0.1:1")(lambda item, step: item, [1]))


@pytest.mark.parametrize("problem", [Exception("it timed out\nin 30 s"), RuntimeError("it timed out"), OSError()])
@pytest.mark.parametrize(("address", "said"), [("local", "Ray cannot be started here"), ("auto", "There is no Ray at")])
def test_a_ray_that_does_not_start_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, problem: Exception, address: str, said: str
) -> None:
    def init(*given: object, **options: object) -> None:
        raise problem

    monkeypatch.setattr("ray.init", init)
    with pytest.raises(cluster.ClusterError, match=f"{said}.*: (it timed out|OSError)$"):
        list(cluster.runner(address)(lambda item, step: item, [1]))
