"""The compiled build does what the sources do, and there is a wheel without it where there is no compiler."""

from __future__ import annotations

import os
from pathlib import Path

import hatch_build
import pytest

from tests.compiled import ROOT, build, differences, modules, uv

FILES = 300


def _built(path: Path) -> set[str]:
    """The compiled modules of an unpacked wheel, by the path of their source."""
    found = {f"{one.parent.relative_to(path)}/{one.name.split('.')[0]}.py" for one in path.rglob("*.so")}
    return {name for name in found if "__mypyc" not in name}


def _needs_uv() -> None:
    if not uv():
        pytest.skip("there is no uv to build a wheel with")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    _needs_uv()
    path = build(tmp_path_factory.mktemp("compiled"))
    if not _built(path) and not os.environ.get("CI"):
        pytest.skip("there is no C compiler, or no header of Python's")
    return path


def test_the_listed_modules_are_compiled_and_their_sources_are_there(unpacked: Path) -> None:
    assert _built(unpacked) == set(modules())
    assert [name for name in modules() if not (unpacked / name).is_file()] == []


def test_compiled_modules_play_read_and_fold_as_their_sources_do(unpacked: Path) -> None:
    assert differences(unpacked, FILES) == []


@pytest.mark.parametrize("no_compiler", ["no-such-compiler", "false"])
def test_without_a_compiler_that_works_the_wheel_is_for_every_machine(tmp_path: Path, no_compiler: str) -> None:
    _needs_uv()
    plain = build(tmp_path, CC=no_compiler)
    assert _built(plain) == set()
    assert [path.name for path in (tmp_path / "wheel").glob("*.whl")] == ["cardfold-0.1.0-py3-none-any.whl"]
    assert [name for name in modules() if not (plain / name).is_file()] == []


def _hook(folder: Path, monkeypatch: pytest.MonkeyPatch) -> hatch_build.CustomBuildHook:
    """What hatchling calls, on a machine with a compiler."""
    monkeypatch.setattr(hatch_build, "compiler", lambda: "cc")
    monkeypatch.setenv("CC", "cc")  # which it sets: put back as it was
    return hatch_build.CustomBuildHook(str(ROOT), {"modules": []}, None, None, str(folder), "wheel")


@pytest.mark.parametrize("error", [SystemExit(1), ValueError("unheard of"), OSError("no space")])
def test_what_cannot_be_compiled_is_a_plain_wheel_and_a_sentence(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*given: object) -> list[Path]:
        raise error

    monkeypatch.setattr(hatch_build, "compiled", fail)
    hook = _hook(tmp_path, monkeypatch)
    given: dict[str, object] = {"force_include": {}, "pure_python": True}
    hook.initialize("standard", given)
    hook.finalize("standard", given, "")
    assert given == {"force_include": {}, "pure_python": True}
    assert f"could not be compiled: {error}." in capsys.readouterr().err


def test_an_editable_install_is_never_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(hatch_build, "compiled", lambda *given: pytest.fail("it was compiled"))
    _hook(tmp_path, monkeypatch).initialize("editable", {})
