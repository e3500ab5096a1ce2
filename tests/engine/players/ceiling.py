"""Players that cheat: they see every card and know every random outcome to come. No honest player decides better by the
same rule, so their ladder shows how much luck and the decks leave to skill:

    cardfold ladder monbattle --players random,greedy,tests.engine.players.ceiling:greedy -n 400 --pairs
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.core.match import Match
from engine.players import greedy as honest_greedy
from engine.players import search as honest_search
from engine.players.observation import Observation
from events.actions import AnyAction

SIMULATIONS = "64"
"""Simulations a decision of the searching cheat."""


class AllSeen(Observation):
    """A question whose asked seat sees the match as it is."""

    def imagine(self, random: Random) -> Match:
        """The match itself, to try things on."""
        return self._match.fork()


def greedy(seed: int) -> Callable[[Observation], AnyAction]:
    """`greedy` that sees everything."""
    decide = honest_greedy.player(seed)
    return lambda observation: decide(AllSeen(observation._match))


def search(seed: int) -> Callable[[Observation], AnyAction]:
    """`search` that sees everything."""
    decide = honest_search.player(seed, SIMULATIONS)
    return lambda observation: decide(AllSeen(observation._match))
