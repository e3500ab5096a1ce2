"""Every random outcome of a game, as a function of (seed, counter). Players have their own randomness elsewhere.

The generator is SplitMix64 (Steele, Lea, Flood 2014): its n-th output depends on seed and n alone, so outcomes need
no state but a count. Outcome number `counter` opens a stream of its own; results depend on no platform or version.
"""

from __future__ import annotations

from collections.abc import Sequence

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def splitmix64(seed: int, n: int) -> int:
    """The n-th output (from 0) of SplitMix64 started with `seed`: 64 bits."""
    z = (seed + (n + 1) * GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Stream:
    """The random numbers of one outcome."""

    def __init__(self, seed: int, counter: int) -> None:
        self.seed = splitmix64(seed, counter)
        self.n = 0

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely (rejection, so without bias)."""
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            value = splitmix64(self.seed, self.n)
            self.n += 1
            if value < limit:
                return value % bound


def shuffle(seed: int, counter: int, cards: Sequence[int]) -> tuple[int, ...]:
    """The cards in random order (Fisher and Yates); the order they come in makes no difference."""
    order = sorted(cards)
    stream = Stream(seed, counter)
    for i in range(len(order) - 1, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def roll(seed: int, counter: int, sides: int) -> int:
    """An outcome from 0 to sides - 1."""
    return Stream(seed, counter).below(sides)
