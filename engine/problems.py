"""Problem: something wrong with a card or a deck, as a sentence with its place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from msgspec import Struct


class Problem(Struct, frozen=True, omit_defaults=True):
    """Something wrong with a deck or a card: a rule id or the linter's name for it, the card, a sentence.

    `card` is a code, `field` the place in the card (`ability[0].then[1].what`), `file` the card file.
    """

    rule: str
    card: str | None
    text: str
    field: str = ""
    file: str = ""

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, self.card, self.field) if part)
        return f"{place + ': ' if place else ''}{self.text} ({self.rule})"


def closest(wanted: str, names: Iterable[str]) -> str | None:
    """The name most like this one, or None if none is much like it."""
    folded = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(wanted.casefold()[:100], folded, n=1)
    return folded[near[0]] if near else None
