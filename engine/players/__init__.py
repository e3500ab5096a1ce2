"""Who decides: a player is a function from what its seat observes to one of the legal actions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from engine.players import greedy
from engine.players.observation import Observation
from events.actions import AnyAction

Player: TypeAlias = Callable[[Observation], AnyAction]


def random_player(seed: int) -> Player:
    """Any legal action, each equally likely."""
    choose = Random(seed).choice
    return lambda observation: choose(observation.legal)


PLAYER_KINDS: dict[str, Callable[[int], Player]] = {"random": random_player, "greedy": greedy.player}
"""Computer players by name; each is made from a seed, so that its games can be played again."""
