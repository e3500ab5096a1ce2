"""The compiled modules against their sources: `python -m tests.compiled` builds a wheel and runs the suite over it.

The suite itself runs over the sources; it compares what both make of the same games and the same damaged files
(`tests/test_compiled.py`), which `told` gathers.
"""

from __future__ import annotations

import json
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
FILES = 300
"""Damaged files that both read."""


def modules() -> list[str]:
    """What is compiled, as paths in the project."""
    hooks = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    return list(hooks["hooks"]["custom"]["modules"])


def build(folder: Path, **variables: str) -> Path:
    """Builds a wheel with these environment variables, and unpacks it. Raises RuntimeError with what was printed."""
    uv = os.environ.get("UV") or shutil.which("uv") or ""
    made = subprocess.run(
        [uv, "build", "--wheel", "--out-dir", str(folder / "wheel"), str(ROOT)],
        env={**os.environ, **variables}, capture_output=True, text=True,
    )
    if made.returncode:
        raise RuntimeError(made.stderr)
    (wheel,) = (folder / "wheel").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "unpacked")
    return folder / "unpacked"


def run_over(unpacked: Path, *arguments: str) -> list[str]:
    """Runs Python with the modules of the unpacked wheel in front; returns the lines that it prints."""
    env = {**os.environ, "PYTHONPATH": f"{unpacked}{os.pathsep}{ROOT}", "PYTHONSAFEPATH": "1"}
    return subprocess.run(
        [sys.executable, *arguments], env=env, cwd=unpacked, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()


def told() -> Iterator[tuple[str, object]]:
    """What is compared: games of every sort of player, and what is read and folded of damaged files."""
    for key in registry.GAMES:
        decks = all_pairs(registry.load(key).shipped_decks())
        for kinds in (("random", "random"), ("greedy", "search:4")):
            plan = Plan(game=key, decks=decks, count=4, player_kinds=kinds, seed=5, annotate=True)
            with tempfile.TemporaryDirectory() as folder:
                played = simulate(plan, Path(folder) / "games.jsonl", jobs=1).path.read_bytes()
            yield f"{key} {kinds}", digest(played)
    originals = list(mutate.originals().values())
    for number in range(FILES):
        random = Random(number)
        data = random.choice(mutate.WAYS)(random.choice(originals)[0], random)
        yield f"file {number}", list(_read(data))


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


def main() -> None:
    """Builds a wheel and runs the suite over it."""
    with tempfile.TemporaryDirectory() as folder:
        unpacked = build(Path(folder))
        run_over(unpacked, "-m", "pytest", "--import-mode=importlib", str(ROOT / "tests"))


if __name__ == "__main__":
    if sys.argv[1:] == ["--told"]:
        print(engine.fold.__file__)
        for one in told():
            print(json.dumps(one))
    else:
        main()
