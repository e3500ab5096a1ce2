"""Who decides: a player is a function from a match that asks to one of its legal actions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from engine.core.match import Match
from engine.players import greedy
from events.actions import AnyAction

Player: TypeAlias = Callable[[Match], AnyAction]


def random_player(seed: int) -> Player:
    """Any legal action, each equally likely."""
    choose = Random(seed).choice
    return lambda match: choose(match.legal())


PLAYER_KINDS: dict[str, Callable[[int], Player]] = {"random": random_player, "greedy": greedy.player}
"""Computer players by name; each is made from a seed, so that its games can be played again."""
