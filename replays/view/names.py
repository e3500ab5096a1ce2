"""What players, cards and values are called in the telling of a game, as the table stands at the moment.

It depends on no rulebook: names are those of the log's cards, words those that its rulebook declares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.fold import empty_state
from engine.state import Declared, State
from engine.words import Words, clean, inside, words
from events import kinds as k
from events.kinds import FIRST_ITEM, HIDDEN, CardSet, Event, RulebookLine

LONGEST_NAME = 60
"""Characters shown of a name from a log"""


class TableNames:
    """The table of one game as it is being told, and what everything on it is called."""

    def __init__(
        self, events: Sequence[Event], book: RulebookLine, card_sets: Sequence[CardSet], language: str
    ) -> None:
        self.events = events
        self.declared = Declared(book)
        self.book = book
        self.words: Words = words(language, book.key, book)
        self.printed: dict[str, dict[str, Any]] = {c: raw for s in card_sets for c, raw in s.cards.items()}
        self.state: State = empty_state(self.declared)
        self.names = [self.t("seat.0"), self.t("seat.1")]
        self.codes: dict[int, str | None] = {}
        """code of each card that was ever known, for those that have gone out of sight"""
        self.items: dict[int, int] = {}
        """stack item -> record of its `stack_pushed`"""
        keys = ((c.name, f"join.card_with_{c.name}") for c in book.counters)
        self._called = [(name, key) for name, key in keys if self.words.pattern(key) is not None]
        """counters of a card by which it is called otherwise while they are set, and how"""
        self._titles: dict[str, str] = {}
        self._tables: tuple[int, tuple[set[str], set[str]]] = (-1, (set(), set()))
        """for a record: the names on each side of the table before it"""

    def t(self, key: str, **args: str | int) -> str:
        return self.words.get(key, **args)

    def raw(self, card: int) -> dict[str, Any] | None:
        """What is printed on a card, where that is known."""
        held = self.state.cards.get(card)
        code = held.code if held is not None else self.codes.get(card)
        return self.printed.get(code) if code else None

    def player(self, seat: int) -> str:
        return self.names[seat] if seat in (0, 1) else str(seat)

    def card(self, card: int | None) -> str:
        """A card, seat or stack item as the language writes it."""
        if card is not None and card in (0, 1):
            return self.player(card)
        if card is not None and card >= FIRST_ITEM:
            return self.item(card)
        held = self.state.cards.get(card) if card is not None else None
        code = held.code if held is not None else self.codes.get(card if card is not None else HIDDEN)
        if code is None:
            return self.t("join.unknown_card" if held is not None else "join.hidden_card")
        name = self.t("join.card_name", name=self.title(code))
        for key in (key for counter, key in self._called if held is not None and held.counters.get(counter)):
            name = self.t(key, card=name)
        return name

    def title(self, code: str) -> str:
        """What is printed on the cards of a code as their name."""
        found = self._titles.get(code)
        if found is None:
            found = self._titles[code] = self._printed_title(code)
        return found

    def _printed_title(self, code: str) -> str:
        names = self.printed.get(code, {}).get("name")
        if not isinstance(names, dict):
            return clean(code, LONGEST_NAME)
        return clean(str(names.get(self.words.language) or names.get("en") or code), LONGEST_NAME)

    def item(self, item: int) -> str:
        if item not in self.items:
            return self.t("join.hidden_card")
        pushed = self.events[self.items[item]]
        assert isinstance(pushed, k.StackPushed)
        return self.t("join.effect_of", card=self.card(pushed.frame.card))

    def cards(self, cards: Sequence[int], told: int | None = None) -> str:
        """Cards, with their owners' names where they have namesakes; `told` is one whose owner the sentence names."""
        return self.t("join.list").join(self.card(c) if c == told else self.card_of(c) for c in cards)

    def card_of(self, card: int) -> str:
        """A card; on the table, where the other player has one of the same name there, with its owner's name."""
        if not self._has_namesake(card):
            return self.card(card)
        return self.t("join.card_of", player=self.player(self.state.cards[card].seat), card=self.card(card))

    def _has_namesake(self, card: int) -> bool:
        held = self.state.cards.get(card)
        if held is None or held.code is None or held.zone not in self.declared.table:
            return False
        return self.title(held.code) in self._on_table()[1 - held.seat]

    def _on_table(self) -> tuple[set[str], set[str]]:
        """The names on each side of the table."""
        state = self.state
        if self._tables[0] != state.seq:
            lying: tuple[set[str], set[str]] = set(), set()
            for names, zones in zip(lying, state.zones, strict=True):
                for zone in self.declared.table:
                    names.update(self.title(code) for n in zones[zone] if (code := state.cards[n].code) is not None)
            self._tables = state.seq, lying
        return self._tables[1]

    def word(self, kind: str, word: str) -> str:
        return self.t(f"{kind}.{word}")

    def inside(self, kind: str, word: str) -> str:
        """A declared word as it stands inside a sentence: `Discard pile` -> `discard pile`."""
        return inside(self.word(kind, word))

    def owner(self, card: int) -> int | None:
        held = self.state.cards.get(card)
        return held.seat if held is not None else None

    def facing(self, card: int) -> int | None:
        """The first card that lies in the same zone on the other side."""
        held = self.state.cards.get(card)
        opposite = [] if held is None else self.state.zones[1 - held.seat][held.zone]
        return opposite[0] if opposite else None

    def value(self, card: int, name: str) -> int | None:
        """A card's (or player's) current value: its counter, or what is printed; None where neither is known."""
        if card < 2:
            return self.state.counters[card].get(name)
        held = self.state.cards.get(card)
        if held is not None and name in held.counters:
            return held.counters[name]
        raw = self.raw(card)
        if raw is None:
            return None
        for table in (raw, *(t for t in raw.values() if isinstance(t, dict))):
            if type(table.get(name)) is int:
                return table[name]
        return 0

    def shown_value(self, name: str, value: int) -> str | int:
        """A counter's value: a number, or one of the counter's words."""
        counter = self.declared.counters.get(name)
        if counter is not None and 0 <= value < len(counter.words):
            return self.t(f"{name}.{counter.words[value]}")
        return value
