"""What is printed on a card, and Definition: the same as the machine reads it quickly."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from engine.effects.abilities import Activated, AnyAbility, Effect, Passive, Reaction, Regenerate, Triggered
from engine.effects.language import Amount, Select, Side, When
from engine.effects.steps import flatten


class Printed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What every game prints on a card; each game adds its own fields."""

    code: str
    name: dict[str, str]
    kind: str
    flavour: dict[str, str] = {}
    ability: tuple[AnyAbility, ...] = ()


class Listener(Struct, frozen=True):
    """A triggered ability by its number."""

    ability: int
    trigger: Triggered


POSTURE, COURSE, AIM = "#posture", "#course", "#aim"
"""What an ability can look at besides zones: whether cards are down; turn and phase; the attack under way."""


class Watch(Struct, frozen=True):
    """A passive ability by its number, and what a change must concern to make a difference to it."""

    ability: int
    zones: frozenset[tuple[str, Side]]
    """zones and whose they are; "" stands for the places that a selection means when it names none"""
    marks: frozenset[str]
    """of those above"""


def _watch(number: int, passive: Passive) -> Watch:
    """What the ability looks at."""
    selects = list(_selects(passive))
    whens = list(_whens(passive.when))
    zones = frozenset((zone, s.of) for s in selects for zone in (s.zone or ("",)))
    marks = set()
    if any(s.exhausted is not None for s in selects):
        marks.add(POSTURE)
    if any(w.turn is not None or w.phase is not None for w in whens):
        marks.add(COURSE)
    if any(w.slot in ("attacker", "attacked") for w in whens):
        marks.add(AIM)
    return Watch(number, zones, frozenset(marks))


def _selects(passive: Passive) -> Iterable[Select]:
    if isinstance(passive.what, Select):
        yield passive.what
    if isinstance(passive.add, Amount) and passive.add.count is not None:
        yield passive.add.count
    for when in _whens(passive.when):
        yield from (s for s in (when.count, when.fits) if s is not None)


def _whens(when: When | None) -> Iterable[When]:
    while when is not None:
        yield when
        when = when.not_


def _speaks_of_attack(ability: AnyAbility) -> bool:
    """Whether the effect has to do with the attacking or the attacked card."""
    waiting = [msgspec.to_builtins(ability)]
    for part in waiting:
        if isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, (list, tuple)):
            waiting += part
    return any(part in ("attacker", "attacked") for part in waiting)


class Definition:
    """A card as the machine reads it: printed values and words by name, abilities with flattened effects.

    `stats` and `words` are what selections, conditions and effective values look at.
    """

    __slots__ = (
        "abilities", "activated", "code", "effect", "kind", "listeners", "name", "of_attack", "passives", "printed",
        "programs", "reaction", "regenerate", "stats", "words",
    )

    def __init__(
        self, printed: Printed, stats: dict[str, int], words: dict[str, str], more: tuple[AnyAbility, ...] = ()
    ) -> None:
        """`more`: abilities that printed fields amount to, counted after the printed ones."""
        self.printed = printed
        self.code = printed.code
        self.name = printed.name["en"]
        self.kind = printed.kind
        self.stats = stats
        self.words = {"kind": printed.kind, **words}
        self.abilities = (*printed.ability, *more)
        self.programs = tuple(flatten(getattr(a, "then", ())) for a in self.abilities)
        self.activated = self._numbers(Activated)
        self.passives = tuple(_watch(i, a) for i, a in enumerate(self.abilities) if isinstance(a, Passive))
        self.regenerate = self._numbers(Regenerate)
        self.effect = next(iter(self._numbers(Effect)), None)
        self.reaction = next(iter(self._numbers(Reaction)), None)
        self.listeners = tuple(
            Listener(i, a) for i, a in enumerate(self.abilities) if isinstance(a, Triggered)
        )
        self.of_attack = frozenset(i for i, a in enumerate(self.abilities) if _speaks_of_attack(a))

    def _numbers(self, kind: type) -> tuple[int, ...]:
        return tuple(i for i, a in enumerate(self.abilities) if isinstance(a, kind))
