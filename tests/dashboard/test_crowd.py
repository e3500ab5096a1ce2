"""Ten browsers at once for some seconds; `python -m tests.dashboard.crowd` does it for a minute."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.dashboard.crowd import ROLES, send_crowd
from tests.dashboard.play.test_browser import Dashboard


@pytest.fixture
def busy(library_path: Path, tmp_path: Path) -> Iterator[Dashboard]:
    """A dashboard on a copy of the small library."""
    found = Dashboard(Path(shutil.copytree(library_path, tmp_path / "library")))
    yield found
    found.stop()


def test_ten_browsers_at_once_see_no_error_and_lose_nothing(busy: Dashboard, browser: Browser) -> None:
    tally = send_crowd(busy, 4)
    assert tally.problems == []
    assert len(ROLES) == 10 and tally.actions >= 10
