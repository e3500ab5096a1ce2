"""A short run of `python -m tests.kill`, which see."""

from __future__ import annotations

import pytest

from tests.kill import SORTS, run


@pytest.mark.parametrize("sort", SORTS)
def test_nothing_is_lost_by_kills(sort: str) -> None:
    run(sort, 2 if sort == "build" else 4, seed=3)
