"""The compiled build does what the sources do, and there is a wheel without it where there is no compiler."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.compiled import build, differences, modules

FILES = 300


def _built(path: Path) -> set[str]:
    """The compiled modules of an unpacked wheel, by the path of their source."""
    found = {f"{one.parent.relative_to(path)}/{one.name.split('.')[0]}.py" for one in path.rglob("*.so")}
    return {name for name in found if "__mypyc" not in name}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (os.environ.get("UV") or shutil.which("uv")):
        pytest.skip("there is no uv to build a wheel with")
    path = build(tmp_path_factory.mktemp("compiled"))
    if not _built(path) and not os.environ.get("CI"):
        pytest.skip("there is no C compiler, or no header of Python's")
    return path


def test_the_listed_modules_are_compiled_and_their_sources_are_there(unpacked: Path) -> None:
    assert _built(unpacked) == set(modules())
    assert [name for name in modules() if not (unpacked / name).is_file()] == []


def test_compiled_modules_play_read_and_fold_as_their_sources_do(unpacked: Path) -> None:
    assert differences(unpacked, FILES) == []


def test_without_a_compiler_the_wheel_is_for_every_machine(unpacked: Path, tmp_path: Path) -> None:
    plain = build(tmp_path, CC="no-such-compiler")
    assert _built(plain) == set()
    assert [path.name for path in (tmp_path / "wheel").glob("*.whl")] == ["cardfold-0.1.0-py3-none-any.whl"]
    assert [name for name in modules() if not (plain / name).is_file()] == []
