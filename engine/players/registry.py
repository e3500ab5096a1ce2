"""Players by name: those here, those that installed packages bring, and one's own in a module.

`greedy` is a name, `search:64` a name with a setting, `mine:Fast` the attribute `Fast` of the module `mine`. A name is
looked for among those here first, then among the entry points of the group `cardfold.players`. What it stands for is
called with a seed (and the setting, as text, where one is given) and gives a `Player`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import signature
from random import Random
from typing import Any, TypeAlias

from engine.players import greedy, search
from engine.players.observation import Observation
from events.actions import AnyAction
from events.errors import CardfoldError

Player: TypeAlias = Callable[[Observation], AnyAction]
GROUP = "cardfold.players"


class PlayerError(CardfoldError):
    """A player that there is not, or that cannot be made; the message is a sentence."""


def random_player(seed: int) -> Player:
    """Any legal action, each equally likely."""
    choose = Random(seed).choice
    return lambda observation: choose(observation.legal)


PLAYER_KINDS: dict[str, Callable[..., Player]] = {
    "random": random_player, "greedy": greedy.player, "search": search.player,
}
"""The computer players here by name; each is made from a seed, so that its games can be played again."""


def make_player(name: str, seed: int, *, modules: bool = False) -> Player:
    """The player of this name. One that a module brings is made only where `modules` says so, since that runs the
    module: a log must not choose what runs. Raises PlayerError.
    """
    kind, colon, setting = name.partition(":")
    given: tuple[Any, ...] = (seed, setting) if colon else (seed,)
    if kind in PLAYER_KINDS:
        make: Any = PLAYER_KINDS[kind]
    elif kind in _installed():
        make = _loaded(_installed()[kind].load, name)
    elif colon and modules:
        make, given = _loaded(lambda: _attribute(kind, setting), name), (seed,)
    else:
        why = f"There is no player {name!r}; there are {', '.join(sorted({*PLAYER_KINDS, *_installed()}))}"
        raise PlayerError(f"{why}, and MODULE:ATTRIBUTE for one of your own" if modules else why)
    try:
        if colon or kind not in PLAYER_KINDS:  # each of those here can be made from a seed alone
            signature(make).bind(*given)
    except TypeError:
        how = f"takes no setting, so it is {kind!r} alone" if len(given) > 1 else "cannot be made from a seed alone"
        raise PlayerError(f"The player {name!r} {how}") from None
    try:
        made: Player = make(*given)
    except Exception as error:
        raise PlayerError(f"The player {name!r} cannot be made: {error}") from error
    return made


def make_players(names: Sequence[str], seeds: Sequence[int], *, modules: bool = False) -> list[Player]:
    """The players of these names, each from its seed. Raises PlayerError."""
    return [make_player(name, seed, modules=modules) for name, seed in zip(names, seeds, strict=True)]


@cache
def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _loaded(load: Callable[[], Any], name: str) -> Any:
    try:
        return load()
    except Exception as error:
        raise PlayerError(f"The player {name!r} cannot be loaded: {error}") from error


def _attribute(module: str, attribute: str) -> Any:
    """The attribute of a module, which may lie in the current folder."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return getattr(import_module(module), attribute)
