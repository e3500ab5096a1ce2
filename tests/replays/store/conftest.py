"""What tests of the library share."""

from pathlib import Path

import pytest

from replays.store.library import Library


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")
