"""What holds for every command: errors are sentences with exit codes, and nothing slow is imported in vain."""

from __future__ import annotations

import inspect
import os
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

import dashboard
import engine
import events
import replays
from events.errors import CardfoldError
from replays import cli
from replays.cli import main
from replays.play.simulate import Stopped
from replays.store.library import Library
from tests.replays.cli.conftest import Run


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("simulate", "chess"), "There is no game 'chess'"),
        (("simulate", "liveon", "--players", "random,clever"), "There is no player 'clever'"),
        (("simulate", "liveon", "--decks", "nothing,like_this"), "There is no deck 'nothing'"),
        (("simulate", "liveon", "-n", "0"), "-n"),
        (("show", "0123abcd"), "There is no game '0123abcd'"),
        (("show", "missing.jsonl"), "there is no such file"),
        (("stats", "gih_wrr"), "gih_wr"),
        (("frobnicate",), "frobnicate"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_2(run: Run, words: tuple[str, ...], said: str) -> None:
    code, out, err = run(*words)
    assert code == 2 and said in err and out == ""


def test_the_list_of_commands_names_each_that_there_is(run: Run) -> None:
    code, out, _ = run("--help")
    listed = dict(re.findall(r"^  (\w+)  +(\S.*)$", out.partition("Commands:")[2], re.M))
    assert code == 0 and listed == {name: line for name, (_, line) in main.COMMANDS.items()}
    defined = {
        f"{module.name}.{name}"
        for module in pkgutil.iter_modules(cli.__path__)
        for name, found in vars(import_module(f"replays.cli.{module.name}")).items()
        if isinstance(found, typer.Typer) or (name.endswith("_command") and inspect.isfunction(found))
    }
    assert defined - {"main.app"} == {where for where, _ in main.COMMANDS.values()}


@pytest.mark.parametrize("name", main.COMMANDS)
def test_each_command_explains_itself(run: Run, name: str) -> None:
    code, out, err = run(name, "--help")
    assert code == 0 and err == "" and out.startswith(f"Usage: cardfold {name} ") and "--help" in out


SLOW = {"duckdb", "numpy", "pandas", "plotly", "pyarrow", "streamlit"}


@pytest.mark.parametrize("words", ["--help", "list", "library", "stats", "notes --help", "build --help", "demo --help"])
def test_what_is_slow_to_import_is_imported_where_it_is_used(words: str, tmp_path: Path) -> None:
    program = (
        "import sys\nfrom replays.cli.main import main\ntry:\n    main()\n"
        "finally:\n    print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    home = {**os.environ, "CARDFOLD_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program, *words.split()], env=home, capture_output=True, text=True)
    imported = set(done.stderr.splitlines()[-1].split())
    assert done.returncode == 0 and "typer" in imported and not imported & SLOW
    assert "engine" not in imported or words != "--help"


INSIDE = {"Halted", "Illegal", "NotIntroduced", "Refused", "UnanswerableError", "Withheld"}
"""Exceptions that no user sees: signals between functions, and faults of a rulebook."""


def test_every_public_exception_is_a_sentence_for_the_user() -> None:
    modules = [
        import_module(name)
        for package in (events, engine, replays, dashboard)
        for _, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not name.startswith(("dashboard.app", "dashboard.views", "dashboard.serve"))  # run by streamlit
    ]
    found = {
        thing
        for module in modules
        for name, thing in vars(module).items()
        if inspect.isclass(thing) and issubclass(thing, Exception) and thing.__module__ == module.__name__
        and not name.startswith("_")
    }
    assert len(found) > 15
    assert {error.__name__ for error in found if not issubclass(error, CardfoldError)} == INSIDE


def test_a_failure_of_ours_is_said_without_a_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Library, "newest", lambda *_, **__: 1 // 0)
    code, out, err = run("list")
    assert (code, out) == (2, "") and "ZeroDivisionError" in err and "--debug" in err


def test_who_stops_a_simulation_gets_exit_code_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise Stopped(3, 10)

    monkeypatch.setattr("replays.cli.play.simulate_into", stopped)
    code, _, err = run("simulate", "liveon")
    assert code == 130 and "Stopped after 3 of 10 games" in err
