"""A short run of `python -m tests.mutate`, which see."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.mutate import WAYS, originals, tried


@pytest.mark.parametrize("part", range(4))
def test_whatever_is_done_to_a_file_readers_say_a_sentence(part: int) -> None:
    outcomes: Counter[str] = Counter()
    for number in range(part, 120, 4):
        outcomes += tried(number, seed=11)
    assert set(outcomes) <= {"verified", "unchecked", "cut", "altered", "illegal"} and len(outcomes) > 2


def test_every_original_is_whole_and_every_way_of_damage_is_tried() -> None:
    assert len(originals()) >= 9 and len({way.__name__ for way in WAYS}) == len(WAYS) >= 15
