"""What an effect would tell about hidden cards, which no effect may: a part of the linter.

What everybody sees may hang on what a hidden card is only where that card is shown by it: a condition reads no hidden
card, and whoever is to choose one of a certain sort may always say that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from engine.effects.language import Quantity, Select, When, Who

Leaks: TypeAlias = Iterator[tuple[str, str]]
"""Places in the ability, and what is wrong there"""

NOT_PUBLIC = ("none", "owner")
"""How a zone is seen whose cards not everybody sees"""

HiddenSlots: TypeAlias = dict[str, bool]
"""Slots that hold hidden cards, and whether those are of a certain sort"""


class HiddenInformation:
    """Goes through one ability. `revealed`: hidden zones all of whose cards have been revealed, and whose they are."""

    def __init__(self, zones: Mapping[str, str]) -> None:
        """`zones`: who sees a card there."""
        self.zones = zones
        self.revealed: set[tuple[str, str]] = set()

    def hidden(self, select: Select) -> bool:
        """Whether the selection looks where not everybody sees the cards."""
        sides = ("own", "other") if select.of == "any" else (select.of,)
        hidden = [zone for zone in select.zone if self.zones.get(zone) in NOT_PUBLIC]
        return any((zone, side) not in self.revealed for zone in hidden for side in sides)

    def tells_apart(self, select: Select) -> bool:
        """Whether the selection picks hidden cards by what they are."""
        return self.hidden(select) and _of_a_sort(select)

    def holds_hidden(self, what: Who, slots: HiddenSlots) -> bool:
        """Whether these cards are hidden ones."""
        return what in slots if isinstance(what, str) else self.hidden(what)

    def condition(self, when: When | None, at: str, slots: HiddenSlots) -> Leaks:
        """What a condition tells."""
        if when is None:
            return
        if when.count is not None:
            yield from self._counted(when.count, f"{at}.count")
        if when.slot in slots and (slots[when.slot] if when.fits is None else _of_a_sort(when.fits)):
            yield f"{at}.slot", f"the card in the slot {when.slot!r} is hidden; `reveal` it first"
        yield from self.condition(when.not_, f"{at}.not", slots)

    def number(self, n: Quantity, at: str, slots: HiddenSlots) -> Leaks:
        """What an amount tells."""
        if isinstance(n, int):
            return
        if n.count is not None:
            yield from self._counted(n.count, f"{at}.count")
        if n.value is not None and n.of in slots:
            yield f"{at}.of", f"the card in the slot {n.of!r} is hidden; `reveal` it first"

    def cards(self, what: Who, at: str) -> Leaks:
        """What is told by which cards an instruction does something to."""
        if isinstance(what, Select) and self.tells_apart(what):
            yield at, "this tells which cards are there; let one be chosen, or `reveal` all of them first"

    def _counted(self, select: Select, at: str) -> Leaks:
        if self.tells_apart(select):
            yield at, "the cards there are hidden; count all of them, or let one be chosen and `reveal` it"

    def reveal(self, what: Who, slots: HiddenSlots) -> None:
        """Cards are shown to everybody."""
        if isinstance(what, str):
            slots.pop(what, None)
        elif not _of_a_sort(what):
            sides = ("own", "other") if what.of == "any" else (what.of,)
            self.revealed.update((zone, side) for zone in what.zone for side in sides)

    def mix(self) -> None:
        """Cards come into hidden zones: not all there have been shown any more."""
        self.revealed.clear()


def _of_a_sort(select: Select) -> bool:
    return bool(select.is_ or select.name or select.at_least or select.at_most)
