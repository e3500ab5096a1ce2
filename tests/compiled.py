"""The compiled modules against their sources: `python -m tests.compiled -n 20000`. Takes as long as the suite and more.

It builds a wheel, compares what it and the sources make of the same games and damaged files, and runs the suite over
it. The suite itself runs over the sources; `tests/test_compiled.py` compares less.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import engine.fold
from engine.fold import FoldError, fold_all
from engine.rulebooks import registry
from engine.state import Declared
from events.open import read_games
from events.record import LogError, digest
from replays.play.simulate import Plan, all_pairs, simulate
from tests import mutate
from tests.state_json import to_json

ROOT = Path(__file__).parent.parent


def modules() -> list[str]:
    """What is compiled, as paths in the project."""
    hooks = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    return list(hooks["hooks"]["custom"]["modules"])


def uv() -> str:
    """The command that wheels are built with; empty: there is none."""
    return os.environ.get("UV") or shutil.which("uv") or ""


def build(folder: Path, **variables: str) -> Path:
    """Builds a wheel with these environment variables, and unpacks it. Raises RuntimeError with what was printed."""
    command = [uv(), "build", "--wheel", "--no-build-isolation", "--python", sys.executable]
    made = subprocess.run(
        [*command, "--out-dir", folder / "wheel", ROOT], env={**os.environ, **variables}, capture_output=True, text=True
    )
    if made.returncode:
        raise RuntimeError(made.stderr)
    (wheel,) = (folder / "wheel").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "unpacked")
    return folder / "unpacked"


def told(files: int) -> Iterator[str]:
    """What is compared: games of every sort of player, and what is read and folded of damaged files."""
    for key in registry.GAMES:
        decks = all_pairs(registry.load(key).shipped_decks())
        for kinds in (("random", "random"), ("greedy", "search:4")):
            plan = Plan(game=key, decks=decks, count=4, player_kinds=kinds, seed=5, annotate=True)
            with tempfile.TemporaryDirectory() as folder:
                played = simulate(plan, Path(folder) / "games.jsonl", jobs=1).path.read_bytes()
            yield f"{key} {kinds}: {digest(played)}"
    originals = list(mutate.originals().values())
    for number in range(files):
        random = Random(number)
        data = random.choice(mutate.WAYS)(random.choice(originals)[0], random)
        yield f"file {number}: {[*_read(data)]}"


def _read(data: bytes) -> Iterator[tuple[str, ...]]:
    try:
        for game in read_games(data):
            try:
                state = digest(to_json(fold_all(game.events, Declared(game.rulebook))))
            except FoldError as error:
                state = str(error)
            yield str(game.fault), str(len(game.events)), str(game.sealed), str(game.altered), digest(game.text), state
    except LogError as error:
        yield (str(error),)


def differences(unpacked: Path, files: int) -> list[str]:
    """What the compiled modules tell otherwise than the sources."""
    env = {**os.environ, "PYTHONPATH": f"{unpacked}{os.pathsep}{ROOT}", "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "tests.compiled", "--told", str(files)]
    made = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    where, *lines = made.stdout.splitlines()
    assert where.startswith(str(unpacked)) and not where.endswith(".py"), f"{where} is not compiled"
    return [f"{one}\ncompiled: {other}" for one, other in zip(told(files), lines, strict=True) if one != other]


def run_suite(unpacked: Path, tree: Path) -> int:
    """Runs the suite in a copy of the project with the compiled modules in it, and returns what pytest does."""
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".venv*", ".*_cache", "__pycache__"), symlinks=True)
    for path in unpacked.rglob("*.so"):
        shutil.copy(path, tree / path.relative_to(unpacked))
    return subprocess.run([sys.executable, "-m", "pytest"], cwd=tree).returncode


def main() -> None:
    """Builds a wheel, compares it with the sources and runs the suite over it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20_000, help="damaged files to compare")
    parser.add_argument("--told", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.told is not None:
        print(engine.fold.__file__, *told(given.told), sep="\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        unpacked = build(Path(folder))
        found = differences(unpacked, given.n)
        print(*found, f"{given.n} files, {len(found)} differences", sep="\n", flush=True)
        failed = run_suite(unpacked, Path(folder) / "tree")
    sys.exit(bool(found) or failed)


if __name__ == "__main__":
    main()
