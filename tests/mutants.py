"""Rules broken on purpose: `python -m tests.mutants GAME [--ten COMMIT] [RULE …]`. A test of the rule must fail.

Each mutant in the `mutants.toml` of a game's tests is one small change to a copy of the repository that disables a
rule; the tests marked with that rule then run on the copy. One that survives, or can no longer be applied, is a fault
of the tests.
"""

from __future__ import annotations

import argparse
import compileall
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from hashlib import sha256
from pathlib import Path
from py_compile import PycInvalidationMode

from msgspec import Struct, convert

ROOT = Path(__file__).parent.parent
PYTEST = (sys.executable, "-m", "pytest", "-n0", "-q", "-x", "--tb=no", "--assert=plain", "-p", "no:hypothesispytest",
          "-p", "no:cacheprovider")
"""Quick to start; tells which test failed and no more."""
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__")


class Mutant(Struct, frozen=True, forbid_unknown_fields=True):
    """In `file`, `find` becomes `put`: then `rule` no longer holds."""

    rule: str
    file: str
    find: str
    put: str


def mutants(game: str) -> list[Mutant]:
    """The mutants of a game, in the order of its rules."""
    path = ROOT / "tests" / "engine" / "rulebooks" / game / "mutants.toml"
    return convert(tomllib.loads(path.read_text(encoding="utf-8"))["mutant"], list[Mutant])


def ten(all_of_them: list[Mutant], commit: str) -> list[Mutant]:
    """One mutant each of ten rules, chosen by the commit's hash."""
    by_rule = {m.rule: m for m in reversed(all_of_them)}
    order = sorted(by_rule, key=lambda rule: sha256(f"{commit} {rule}".encode()).hexdigest())
    return [by_rule[rule] for rule in sorted(order[:10])]


def tests_of(folder: Path, environment: dict[str, str]) -> dict[str, list[str]]:
    """Rule -> the tests marked with it, as `pytest --rules` lists them."""
    command = [sys.executable, "-m", "pytest", "--rules", "-n0"]
    listed = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if listed.returncode:
        sys.exit(f"the tests of the rules cannot be listed:\n{listed.stdout}{listed.stderr}")
    found: dict[str, list[str]] = {}
    for rule, test in re.findall(r"^([A-Z]+-\d+)  (\S+)", listed.stdout, re.MULTILINE):
        found.setdefault(rule, []).append(test)
    return found


def failing(folder: Path, tests: list[str], environment: dict[str, str]) -> str:
    """The first of these tests that fails, or nothing."""
    said = subprocess.run([*PYTEST, *tests], cwd=folder, env=environment, capture_output=True, text=True).stdout
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
    return failed[1] if failed else ""


def killed_by(folder: Path, mutant: Mutant, tests: list[str], environment: dict[str, str]) -> str:
    """The first test that fails with the mutant, or nothing."""
    path = folder / mutant.file
    whole = path.read_text(encoding="utf-8")
    if mutant.find not in whole or not tests:
        return ""
    path.write_text(whole.replace(mutant.find, mutant.put), encoding="utf-8")
    try:
        return failing(folder, tests, environment)
    finally:
        path.write_text(whole, encoding="utf-8")


def main() -> None:
    """Prints for each mutant the test that fails; exit code 1 where one survives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("rules", nargs="*")
    parser.add_argument("--ten", metavar="COMMIT", help="only ten rules, chosen by this commit's hash")
    given = parser.parse_args()
    wanted = [m for m in mutants(given.game) if not given.rules or m.rule in given.rules]
    wanted = ten(wanted, given.ten) if given.ten else wanted
    survivors = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT, folder, ignore=NOT_COPIED, dirs_exist_ok=True)
        environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        compileall.compile_dir(folder, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        tests = tests_of(folder, environment)
        broken = failing(folder, sorted({t for m in wanted for t in tests.get(m.rule, [])}), environment)
        if broken:
            sys.exit(f"{broken} fails without any mutant; what others show is then worth nothing")
        for mutant in wanted:
            test = killed_by(folder, mutant, tests.get(mutant.rule, []), environment)
            survivors += not test
            said = test or f"SURVIVED, or could not be applied: {mutant.put!r}"
            print(f"{mutant.rule}  {mutant.file}: {said}", flush=True)
    print(f"{len(wanted)} mutants, {survivors} survived")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
