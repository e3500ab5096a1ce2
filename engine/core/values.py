"""Effective values: printed values, modifiers, and keeping the recorded counters up to date.

Effective = the last value set (else what is printed) + all additions; of a keyword, the greatest number that the card
has. Recomputed for a card when its modifiers change, never undone by subtracting. Passive abilities are modifiers too
(with the duration `while`), which begin and end as they apply.
"""

from __future__ import annotations

from engine.core.table import Mark, Table
from engine.effects import query
from engine.effects.abilities import Passive
from events.kinds import Frame, ModifierBegan

WHILE = "while"


def apply_modifier(
    m: Table, card: int, on: int, name: str, duration: str, *, add: int = 0, be: int | None = None, ability: int = 0
) -> None:
    """Begins a modifier from `card` on `on`, and updates the value."""
    number = m.state.next_item
    m.begin_modifier(ModifierBegan(number, card, on, name, duration, add=add, set=be, ability=ability))
    touch(m, on, name)


def remove_modifier(m: Table, number: int) -> None:
    """Ends a modifier, and updates the value."""
    effect = m.state.modifiers[number]
    m.end_modifier(number)
    touch(m, effect.on, effect.name)


def remove_modifiers_of(m: Table, card: int) -> None:
    """Ends all modifiers on a card that leaves the table, and those of its passive abilities on others."""
    for number in m.modifiers_on(card):
        m.end_modifier(number)
    for number in m.given_by(card):
        remove_modifier(m, number)


def end_duration(m: Table, duration: str) -> bool:
    """Ends all modifiers of this duration; returns whether there were any."""
    if not m.passing:
        return False
    over = [number for number in m.passing if m.state.modifiers[number].duration == duration]
    for number in over:
        remove_modifier(m, number)
    return bool(over)


def effective(m: Table, card: int, name: str) -> int:
    """The value of a card (or seat): what is printed or set, plus additions."""
    base = m.game.seat_value(m, card, name) if card < 2 else m.printed[card].stats.get(name, 0)
    added = 0
    for number in m.modifiers_on(card):
        effect = m.state.modifiers[number]
        if effect.name == name:
            if effect.set is not None:
                keeps = effect.set and name in m.game.keywords  # a keyword that is given never lowers one; 0 removes it
                base = max(base, effect.set) if keeps else effect.set
            added += effect.add
    return m.declared.within(name, base + added)


def touch(m: Table, card: int, name: str) -> None:
    """Records a card's value if it has changed."""
    m.set_counter(card, name, effective(m, card, name))


def refresh(m: Table, stale: set[Mark]) -> None:
    """Begins and ends the modifiers of passive abilities that depend on any of these changes."""
    for card, ability, marks in m.passives:
        if not marks.isdisjoint(stale):
            _refresh(m, card, ability, m.printed[card].abilities[ability])


def _refresh(m: Table, card: int, ability: int, passive: Passive) -> None:
    wanted = _wanted(m, card, ability, passive)
    for number in m.given_by(card):
        effect = m.state.modifiers[number]
        if effect.ability == ability:
            given = effect.add if passive.set is None else effect.set
            if wanted.get(effect.on) == given:
                del wanted[effect.on]
            else:
                remove_modifier(m, number)
    for on, value in wanted.items():
        if passive.set is not None:
            apply_modifier(m, card, on, passive.name, WHILE, be=value, ability=ability)
        elif value:
            apply_modifier(m, card, on, passive.name, WHILE, add=value, ability=ability)


def _wanted(m: Table, card: int, ability: int, passive: Passive) -> dict[int, int]:
    """What a passive ability gives now: card or seat -> what is added to its value, or what it is set to."""
    cards, table = m.state.cards, m.declared.table
    if not m.game.works(m, card):
        return {}
    frame = Frame(cards[card].seat, card, ability, since=m.state.seq)
    if passive.when is not None and not query.holds(m, frame, passive.when):
        return {}
    value = passive.set if passive.set is not None else query.number(m, frame, passive.add)
    return {on: value for on in query.who(m, frame, passive.what) if on < 2 or cards[on].zone in table}
