"""What all tests share: the option `--rules`, which shows which tests stand for which numbered rule.

`pytest --rules` only collects. It lists each id of a RULES.md with its tests and fails on an id without a
test, on a marker with an unknown id, and on a test that claims more than three ids.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RULE = re.compile(r"^- \*\*([A-Z]{2}-\d\d)\*\*", re.MULTILINE)
MAX_IDS = 3


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rules", action="store_true", help="list each numbered rule with its tests; runs no test")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    if config.option.rules:
        config.option.numprocesses, config.option.dist = 0, "no"


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    if not session.config.option.rules:
        return None
    if session.testsfailed:
        raise session.Interrupted(f"{session.testsfailed} errors during collection")
    books = sorted(ROOT.glob("engine/rulebooks/*/RULES.md"))
    known = [rule for path in books for rule in RULE.findall(path.read_text("utf-8"))]
    lines, problems = report(known, session.items)
    print("\n" + "\n".join(lines + problems))
    session.testsfailed = len(problems)
    return True


def report(known: list[str], items: list[pytest.Item]) -> tuple[list[str], list[str]]:
    """A line for each rule with its tests, and a sentence for each thing that is wrong."""
    tests: dict[str, list[str]] = {rule: [] for rule in known}
    problems = [f"{rule} stands twice in RULES.md" for rule in sorted(set(known)) if known.count(rule) > 1]
    for name, ids in marked(items).items():
        if len(ids) > MAX_IDS:
            problems.append(f"{name} claims {len(ids)} rules; at most {MAX_IDS} belong to one test")
        for rule in ids:
            if rule in tests:
                tests[rule].append(name)
            else:
                problems.append(f"{name} claims {rule}, which no RULES.md has")
    problems += [f"{rule} has no test" for rule, names in tests.items() if not names]
    return [f"{rule}  {name}" for rule, names in tests.items() for name in names], problems


def marked(items: list[pytest.Item]) -> dict[str, list[str]]:
    """Each marked test function (whatever its parameters) and the ids that it claims."""
    found: dict[str, list[str]] = {}
    for item in items:
        ids = [rule for marker in item.iter_markers("rule") for rule in marker.args]
        if ids:
            found[item.nodeid.split("[")[0]] = ids
    return found
