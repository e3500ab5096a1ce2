"""Every random outcome of a game, as a function of (seed, counter). Players have their own randomness elsewhere.

The generator is SplitMix64 (Steele, Lea, Flood 2014): its n-th output depends on seed and n alone, so outcomes need
no state but a count. Outcome number `counter` opens a stream of its own; results depend on no platform or version.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator, Sequence

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15

_LANES = 32
"""How many outputs a shuffle works out at once: as lanes of 128 bits in one integer, which takes less time."""
_ONES = sum(1 << 128 * lane for lane in range(_LANES))
_LOW = MASK * _ONES
"""the lower half of each lane, which holds its number; the upper half is room for products"""
_STEPS = sum((lane * GOLDEN & MASK) << 128 * lane for lane in range(_LANES))
_NUMBERS = struct.Struct(f"<{2 * _LANES}Q")


def splitmix64(seed: int, n: int) -> int:
    """The n-th output (from 0) of SplitMix64 started with `seed`: 64 bits."""
    z = (seed + (n + 1) * GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def _outputs(seed: int) -> Iterator[int]:
    """All outputs of SplitMix64 started with `seed`, as `splitmix64` gives them one by one."""
    n = 0
    while True:
        z = (((seed + (n + 1) * GOLDEN) & MASK) * _ONES + _STEPS) & _LOW
        z = ((z ^ (z >> 30)) & _LOW) * 0xBF58476D1CE4E5B9 & _LOW
        z = ((z ^ (z >> 27)) & _LOW) * 0x94D049BB133111EB & _LOW
        yield from _NUMBERS.unpack(((z ^ (z >> 31)) & _LOW).to_bytes(_NUMBERS.size, "little"))[::2]
        n += _LANES


def shuffle(seed: int, counter: int, cards: Sequence[int]) -> tuple[int, ...]:
    """The cards in random order (Fisher and Yates); the order they come in makes no difference."""
    order = sorted(cards)
    outputs = _outputs(splitmix64(seed, counter))
    for i, value in zip(range(len(order) - 1, 0, -1), outputs, strict=False):
        j = value % (i + 1)
        while value - j > MASK - i:  # rejected, or the lowest places would be likelier
            value = next(outputs)
            j = value % (i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def roll(seed: int, counter: int, sides: int) -> int:
    """An outcome from 0 to sides - 1, each equally likely."""
    start = splitmix64(seed, counter)
    outputs = (splitmix64(start, n) for n in itertools.count())
    return next(value % sides for value in outputs if value - value % sides <= MASK + 1 - sides)
