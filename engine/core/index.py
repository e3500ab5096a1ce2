"""Index: what a match would else scan its state for: definitions of cards, abilities on the table, modifiers."""

from __future__ import annotations

from typing import Any

from engine.cards.definition import Watch
from engine.core import values
from engine.core.rules import Rules
from engine.core.table import ANYTHING, Mark
from engine.effects.query import sides
from engine.state import State
from events.kinds import ModifierBegan


class Index:
    """What of a `Match` follows from its state, kept up to date. Tuples are replaced and never changed: forks share."""

    __slots__ = (
        "_given", "_modifiers", "activated", "declared", "game", "listeners", "passing", "passives", "printed", "stale",
        "state", "watched",
    )  # fmt: skip

    def __init__(self, game: Rules, state: State, like: Index | None = None) -> None:
        """The index of this state, or of a copy of the state that `like` is the index of."""
        if like is not None:
            self._share(like, state)
            return
        self.game = game
        self.declared = game.declared
        self.state = state
        self.stale: set[Mark] = set()
        """changes that passive abilities depend on (see `Watch`), and cards whose passive abilities are new"""
        known, cards, table = game.cards, state.cards, self.declared.table
        self.printed: dict[int, Any] = {n: known[c.code] for n, c in cards.items() if c.code is not None}
        """definitions by card; replaced where it changes"""
        self.listeners: dict[str, tuple[tuple[int, int], ...]] = {}
        """card and ability, of triggered abilities by moment"""
        self.passives: tuple[tuple[int, int, frozenset[Mark]], ...] = ()
        """card, ability, what it depends on"""
        self.watched: frozenset[Mark] = frozenset()
        """what any of them depends on"""
        self.activated: tuple[tuple[int, int], ...] = ()
        """card, ability"""
        self._modifiers: dict[int, tuple[int, ...]] = {}
        self._given: dict[int, tuple[int, ...]] = {}
        self.passing: tuple[int, ...] = ()
        """modifiers that last for some time; the others are those of passive abilities"""
        on_table = [n for n, c in cards.items() if c.zone in table]
        for number in sorted(on_table, key=lambda n: (cards[n].since, n)):
            self._add_card(number)
        for effect in state.modifiers.values():
            self._add_modifier(effect)
        self.stale.clear()  # nothing is stale where a question is asked

    def _share(self, other: Index, state: State) -> None:
        self.game, self.declared, self.state, self.stale = other.game, other.declared, state, other.stale.copy()
        self.printed, self.listeners = other.printed, other.listeners.copy()
        self.passives, self.watched, self.activated = other.passives, other.watched, other.activated
        self._modifiers, self._given, self.passing = other._modifiers.copy(), other._given.copy(), other.passing

    def modifiers_on(self, card: int) -> tuple[int, ...]:
        """Numbers of the modifiers on a card or seat, oldest first."""
        return self._modifiers.get(card, ())

    def given_by(self, card: int) -> tuple[int, ...]:
        """Numbers of the modifiers that passive abilities of the card give, oldest first."""
        return self._given.get(card, ())

    def _add_card(self, card: int) -> None:
        definition = self.printed[card]
        for listener in definition.listeners:
            moment = listener.trigger.on
            self.listeners[moment] = (*self.listeners.get(moment, ()), (card, listener.ability))
        if definition.passives:
            self.passives += tuple((card, w.ability, self._marks(card, w)) for w in definition.passives)
            self._watch()
            self.stale.add(card)
        if definition.activated:
            self.activated += tuple((card, ability) for ability in definition.activated)

    def _drop_card(self, card: int) -> None:
        definition = self.printed[card]
        for listener in definition.listeners:
            moment = listener.trigger.on
            self.listeners[moment] = tuple(one for one in self.listeners[moment] if one[0] != card)
        if definition.passives:
            self.passives = tuple(p for p in self.passives if p[0] != card)
            self._watch()
        if definition.activated:
            self.activated = tuple(a for a in self.activated if a[0] != card)

    def _marks(self, card: int, watch: Watch) -> frozenset[Mark]:
        """The changes after which this passive ability of the card has to be worked out again."""
        seat, shared = self.state.cards[card].seat, self.declared.shared
        marks: set[Mark] = {ANYTHING, card, *watch.marks}
        for zone, of in watch.zones:
            everybodys = zone in shared if zone else not shared.isdisjoint(self.game.field)
            marks.update((zone, side) for side in ((0, 1) if everybodys else sides(of, seat)))
        return frozenset(marks)

    def _watch(self) -> None:
        self.watched = frozenset().union(*[marks for _, _, marks in self.passives])

    def _changed(self, mark: Mark) -> None:
        if mark in self.watched:
            self.stale.add(mark)

    def _add_modifier(self, effect: ModifierBegan) -> None:
        self._modifiers[effect.on] = (*self._modifiers.get(effect.on, ()), effect.id)
        if effect.duration == values.WHILE:
            self._given[effect.card] = (*self._given.get(effect.card, ()), effect.id)
        else:
            self.passing += (effect.id,)

    def _drop_modifier(self, effect: ModifierBegan) -> None:
        number = effect.id
        self._modifiers[effect.on] = tuple([one for one in self._modifiers[effect.on] if one != number])
        if effect.duration == values.WHILE:
            self._given[effect.card] = tuple([one for one in self._given[effect.card] if one != number])
        else:
            self.passing = tuple([one for one in self.passing if one != number])
