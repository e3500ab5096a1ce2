"""How a sentence is made for a record: which one there is, and what fills it. What is said of each kind: `describe`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from engine.words import placeholders
from events import kinds as k
from events.kinds import HIDDEN, CardSet, Event, RulebookLine
from replays.view.board import board_of, limits
from replays.view.names import TableNames

Args = dict[str, str | int]
Values = dict[str, str | int | tuple[int, ...]]
"""What fills a sentence before cards are named: those are tuples of entities."""


class Said(Struct):
    """What a record's function says: the sentence's key and arguments; quiet ones keep them for stepping."""

    key: str
    args: Args
    quiet: bool = False
    seat: int | None = None
    source: int | None = None
    """card that the sentence itself names as the cause"""


class Draft(Struct):
    """A line in the making: what is said, and where it belongs."""

    said: Said
    cause: int
    parent: int
    line: int | None = None
    """a quiet record's line, where it is not simply the last one before it"""
    through: int | None = None
    """card through whose effect it came about"""
    over: bool = False
    """it is through the end of that card's effect"""
    answers: bool = False
    """a decision in answer to an attack or effect under way"""
    repeats: bool = False
    """part of a reckoning: the line that tells the outcome has its numbers too"""
    life: int | None = None
    """of a blow at a player: what was left of the life before it"""
    life_of: int | None = None
    """of a move: the seat whose life the card was part of"""
    around: list[tuple[str, Args]] = []
    """sentences around this one, from within: their keys, and what fills them besides `sentence`"""


class Teller(TableNames):
    """Chooses and fills sentences, as the table stands when each record comes."""

    def __init__(
        self, events: Sequence[Event], book: RulebookLine, card_sets: Sequence[CardSet], language: str
    ) -> None:
        super().__init__(events, book, card_sets, language)
        self.limits = limits(board_of(book))
        self.modifiers: dict[int, k.ModifierBegan] = {}
        self.running: dict[tuple[int, int], int] = {}
        """value so far of each reckoning in this phase, by source and target"""
        self.carried: set[tuple[int, int]] = set()
        """decisions and the cards that they have moved"""
        self.last_choice = 0
        """record of the last answer to a question"""
        self.made_known: dict[int, k.CardIdentified | None] = {}
        """decision -> the first card that it makes known"""
        self.drafts: list[Draft] = []

    # --- choosing sentences -------------------------------------------------------------------------------

    def say(
        self, keys: Sequence[str], values: Values, seat: int | None = None, *, quiet: bool = False,
        source: int | None = None,
    ) -> Said:
        """The sentence of the first key that there is. An empty one means quiet; the next one stands in for it."""
        found = [key for key in (f"say.{name}" for name in keys) if self.words.pattern(key) is not None]
        quiet = quiet or (bool(found) and not self.words.pattern(found[0]))
        key = next((key for key in found if self.words.pattern(key)), f"say.{keys[-1]}")
        places = placeholders(self.words.pattern(key) or "")
        owner = None if source is None else self.owner(source)
        named = owner is not None and "player" in places and values.get("player") == self.player(owner)
        args: Args = {
            name: self.cards(value, source if named else None) if isinstance(value, tuple) else value
            for name, value in values.items()
        }
        for name in places:
            if name not in args and source is not None:
                self._fill_value(args, name, source)
        return Said(key, args, quiet, seat, source)

    def _fill_value(self, args: Args, name: str, source: int) -> None:
        """Fills a placeholder that names a counter: of the card, or (`facing_spd`) of the one that faces it."""
        counter = name.removeprefix("facing_")
        card = source if counter == name else self.facing(source)
        if counter in self.declared.counters:
            value = None if card is None else self.value(card, counter)
            args[name] = "?" if value is None else self.shown_value(counter, value)

    def before(self, number: int) -> Event | None:
        """The record before this one, questions passed over."""
        number -= 1
        while number > 0 and isinstance(self.events[number], k.Asked):
            number -= 1
        return self.events[number] if number >= 0 else None

    def decision(self, number: int) -> Any:
        """The action that is the cause of this record, if one is."""
        event = self.events[self.drafts[number].cause] if self.drafts[number].cause < number else None
        return event.action if isinstance(event, k.Acted) else None


def one(entity: int | None) -> tuple[int, ...]:
    """An entity as it fills a sentence; a hidden one where there is none."""
    return (HIDDEN if entity is None else entity,)
