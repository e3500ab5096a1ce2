"""Compiles the modules that playing games spends its time in, where there is a C compiler (mypyc).

The sources stay the same and stand in the wheel too: without a compiler, and in an editable install, they are what
runs. Which modules are compiled says `pyproject.toml`.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TOOLS = ["mypy>=1.18,<3", "setuptools>=75"]
"""What compiling takes besides the compiler, and msgspec, whose types are looked at."""
OPTIONS = ["--config-file=", "--ignore-missing-imports", "--check-untyped-defs"]
"""mypy's"""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled modules to a wheel."""

    def dependencies(self) -> list[str]:
        if compiler() is None:
            return []
        return [*TOOLS, *(need for need in self.metadata.core.dependencies if need.startswith("msgspec"))]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or (found := compiler()) is None:
            return
        os.environ["CC"] = found
        self._folder = Path(tempfile.mkdtemp())
        try:
            paths = compiled(self.config["modules"], self._folder)
        except (Exception, SystemExit) as error:  # mypyc exits where it finds something wrong
            self.app.display_warning(f"The wheel is plain Python, since it could not be compiled: {error}.")
            return
        build_data["force_include"].update((str(path), str(path.relative_to(self._folder / "lib"))) for path in paths)
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            shutil.rmtree(self._folder)


def compiler() -> str | None:
    """The command of a C compiler that finds Python's headers; None if there is none."""
    wanted = os.environ.get("CC")
    for command in (wanted,) if wanted else (sysconfig.get_config_var("CC"), "cc", "gcc", "clang"):
        if command and _compiles(shlex.split(command)):
            return str(command)
    return None


def _compiles(command: list[str]) -> bool:
    """Whether this is a compiler that finds Python's headers."""
    try:
        return not subprocess.run(
            [*command, f"-I{sysconfig.get_path('include')}", "-fsyntax-only", "-x", "c", "-"],
            input=b"#include <Python.h>", capture_output=True,
        ).returncode
    except OSError:
        return False


def compiled(modules: list[str], folder: Path) -> list[Path]:
    """Compiles the modules (paths from here) in the folder, and returns the files that came of it, below its `lib`."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    options = [*OPTIONS, f"--cache-dir={folder / 'cache'}"]
    parts = mypycify([*options, *modules], opt_level="3", debug_level="0", target_dir=str(folder / "c"))
    build = Distribution({"name": "cardfold", "ext_modules": parts}).get_command_obj("build_ext")
    build.build_lib, build.build_temp = str(folder / "lib"), str(folder / "objects")
    build.ensure_finalized()
    build.run()
    return sorted(path for path in (folder / "lib").rglob("*") if path.is_file())
