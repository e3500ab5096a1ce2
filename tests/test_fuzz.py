"""A short run of `python -m tests.fuzz`, which see."""

from __future__ import annotations

import pytest

from tests.fuzz import READERS, fuzz


@pytest.mark.parametrize("name", READERS)
def test_whatever_a_file_says_its_reader_takes_it_or_says_a_sentence(name: str) -> None:
    fuzz(name, 40)
