"""What the effect of a card would tell about hidden cards. A part of the linter; knows the effect language and no game.

What everybody sees may hang on what a hidden card is only where that card is shown by it: a condition reads no hidden
card, and whoever is to choose one of a certain sort may always say that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from engine.effects.abilities import AnyAbility, Passive
from engine.effects.kinds import AnyInstruction
from engine.effects.kinds.choose import ChooseCards
from engine.effects.kinds.draw import Draw
from engine.effects.kinds.each import Each
from engine.effects.kinds.if_ import If
from engine.effects.kinds.may import May
from engine.effects.kinds.move import Move
from engine.effects.kinds.play import Play
from engine.effects.kinds.reveal import Reveal
from engine.effects.kinds.shuffle import Shuffle
from engine.effects.language import Number, Select, When, Who

Found: TypeAlias = Iterator[tuple[str, str]]
"""Places in the ability, and what is wrong there"""

HIDDEN = ("none", "owner")
"""How a zone is seen whose cards not everybody sees"""

_Slots: TypeAlias = dict[str, bool]
"""Slots that hold hidden cards, and whether those are of a certain sort"""


def told(ability: AnyAbility, at: str, zones: Mapping[str, str]) -> Found:
    """What the ability, which stands at `at` in its card, tells of hidden cards; `zones`: who sees a card there."""
    reader = _Reader(zones)
    yield from reader.condition(getattr(ability, "when", None), f"{at}.when", {})
    if isinstance(ability, Passive):
        yield from reader.number(ability.add, f"{at}.add", {})
    slots: _Slots = {}
    for i, target in enumerate(getattr(ability, "targets", ())):
        if reader.tells_apart(target.from_):
            yield f"{at}.targets[{i}].from", (
                "a target is named before everybody and would tell that there is such a card; "
                "let a choice among the instructions find it"
            )
        elif reader.hidden(target.from_):
            slots[target.slot] = False
    yield from reader.steps(getattr(ability, "then", ()), f"{at}.then", slots)


class _Reader:
    """Goes through one ability. `revealed`: hidden zones all of whose cards have been revealed, and whose they are."""

    def __init__(self, zones: Mapping[str, str]) -> None:
        self.zones = zones
        self.revealed: set[tuple[str, str]] = set()

    def hidden(self, select: Select) -> bool:
        """Whether the selection looks where not everybody sees the cards."""
        sides = ("own", "other") if select.of == "any" else (select.of,)
        hidden = [zone for zone in select.zone if self.zones.get(zone) in HIDDEN]
        return any((zone, side) not in self.revealed for zone in hidden for side in sides)

    def tells_apart(self, select: Select) -> bool:
        """Whether it depends on what hidden cards are which of them the selection means."""
        return self.hidden(select) and bool(select.is_ or select.name or select.at_least or select.at_most)

    def condition(self, when: When | None, at: str, slots: _Slots) -> Found:
        if when is None:
            return
        if when.count is not None:
            yield from self.counted(when.count, f"{at}.count")
        if when.slot in slots and (slots[when.slot] if when.fits is None else _of_a_sort(when.fits)):
            yield f"{at}.slot", f"the card in the slot {when.slot!r} is hidden; `reveal` it first"
        yield from self.condition(when.not_, f"{at}.not", slots)

    def number(self, n: Number, at: str, slots: _Slots) -> Found:
        if isinstance(n, int):
            return
        if n.count is not None:
            yield from self.counted(n.count, f"{at}.count")
        if n.value is not None and n.of in slots:
            yield f"{at}.of", f"the card in the slot {n.of!r} is hidden; `reveal` it first"

    def counted(self, select: Select, at: str) -> Found:
        if self.tells_apart(select):
            yield at, "the cards there are hidden; count all of them, or let one be chosen and `reveal` it"

    def steps(self, steps: tuple[AnyInstruction, ...], at: str, slots: _Slots, free: bool = False) -> Found:
        """Takes the instructions in turn, which fill and empty `slots`; `free`: the card's owner wants them done."""
        for i, step in enumerate(steps):
            yield from self.step(step, f"{at}[{i}]", slots, free)

    def step(self, step: AnyInstruction, at: str, slots: _Slots, free: bool) -> Found:
        what = getattr(step, "what", None)
        if isinstance(step, Reveal):
            self.reveal(step.what, slots)
        elif isinstance(what, Select) and self.tells_apart(what):
            yield f"{at}.what", "this tells which cards are there; let one be chosen, or `reveal` all of them first"
        if (n := getattr(step, "n", None)) is not None:
            yield from self.number(n, f"{at}.n", slots)
        if isinstance(step, ChooseCards):
            declined = step.up_to or (free and step.by == "own")
            if self.tells_apart(step.from_) and not declined:
                yield f"{at}.from", (
                    "whoever must choose tells whether there is one; leave it open by `up_to = true` or in a `may`"
                )
            slots.pop(step.slot, None)
            if self.hidden(step.from_):
                slots[step.slot] = self.tells_apart(step.from_)
        elif isinstance(step, (Draw, Move, Play, Shuffle)):
            self.moved(step, slots)
        elif isinstance(step, (Each, If, May)):
            yield from self.inner(step, at, slots, free)

    def inner(self, step: Each | If | May, at: str, slots: _Slots, free: bool) -> Found:
        inside = dict(slots)
        if isinstance(step, If):
            yield from self.condition(step.when, f"{at}.when", slots)
        elif isinstance(step, Each) and self.holds_hidden(step.what, slots):
            inside[step.slot] = False
        yield from self.steps(step.then, f"{at}.then", inside, free or isinstance(step, May))
        other = dict(slots)
        yield from self.steps(getattr(step, "otherwise", ()), f"{at}.otherwise", other, free)
        slots.clear()
        slots.update({**other, **inside})

    def holds_hidden(self, what: Who, slots: _Slots) -> bool:
        return what in slots if isinstance(what, str) else self.hidden(what)

    def reveal(self, what: Who, slots: _Slots) -> None:
        if isinstance(what, str):
            slots.pop(what, None)
        elif not _of_a_sort(what):
            sides = ("own", "other") if what.of == "any" else (what.of,)
            self.revealed.update((zone, side) for zone in what.zone for side in sides)

    def moved(self, step: Draw | Move | Play | Shuffle, slots: _Slots) -> None:
        """Cards come into hidden zones: not all there have been shown any more. What goes into the open is seen."""
        if isinstance(step, Move) and self.zones.get(step.zone) not in HIDDEN:
            if isinstance(step.what, str):
                slots.pop(step.what, None)
        else:
            self.revealed.clear()


def _of_a_sort(select: Select) -> bool:
    return bool(select.is_ or select.name or select.at_least or select.at_most)
