"""Effective values: what is printed, what lasts on a card, and keeping the recorded counter true.

Effective = the last value set (else what is printed) + all additions; of a keyword, the greatest number that the card
has. Worked out anew for a card that was touched, never undone by subtracting. Passive abilities are lasting effects
too (until `while`), begun and ended as they apply.
"""

from __future__ import annotations

from engine.core.table import Mark, Table
from engine.effects import query
from engine.effects.abilities import Passive
from events.kinds import Frame, ModifierBegan

WHILE = "while"


def begin(
    m: Table, card: int, on: int, name: str, duration: str, *, add: int = 0, be: int | None = None, ability: int = 0
) -> None:
    """A lasting effect of `card` on `on` begins, and its value follows."""
    number = m.state.next_item
    m.begin_modifier(ModifierBegan(number, card, on, name, duration, add=add, set=be, ability=ability))
    touch(m, on, name)


def end(m: Table, number: int) -> None:
    """A lasting effect ends, and the value follows."""
    effect = m.state.modifiers[number]
    m.end_modifier(number)
    touch(m, effect.on, effect.name)


def end_for(m: Table, card: int) -> None:
    """A card leaves the table: what lasts on it ends, and what it gave to others by being there."""
    for number in m.modifiers_on(card):
        m.end_modifier(number)
    given = [e.id for e in m.state.modifiers.values() if e.card == card and e.duration == WHILE]
    for number in given:
        end(m, number)


def end_duration(m: Table, duration: str) -> bool:
    """Everything that lasts until then ends; whether there was anything."""
    over = [e.id for e in m.state.modifiers.values() if e.duration == duration]
    for number in over:
        end(m, number)
    return bool(over)


def effective(m: Table, card: int, name: str) -> int:
    """The value that a card (or seat) must have now, from what is printed and what lasts on it."""
    base = m.game.seat_value(m, card, name) if card < 2 else m.printed[card].stats.get(name, 0)
    added = 0
    for number in m.modifiers_on(card):
        effect = m.state.modifiers[number]
        if effect.name == name:
            if effect.set is not None:
                keeps = effect.set and name in m.game.keywords  # a keyword that is given takes none away; 0 does
                base = max(base, effect.set) if keeps else effect.set
            added += effect.add
    return m.declared.within(name, base + added)


def touch(m: Table, card: int, name: str) -> None:
    """Records a card's value if it is no longer what the table says."""
    m.set_counter(card, name, effective(m, card, name))


def refresh(m: Table, stale: set[Mark]) -> None:
    """Begins and ends what passive abilities give that look at any of this, as the table now is."""
    for card, ability, marks in m.passives:
        if not marks.isdisjoint(stale):
            passive = m.printed[card].abilities[ability]
            assert isinstance(passive, Passive)
            _refresh(m, card, ability, passive)


def _refresh(m: Table, card: int, ability: int, passive: Passive) -> None:
    frame = Frame(m.card(card).seat, card, ability, since=m.state.seq)
    wanted: dict[int, int] = {}
    if m.game.works(m, card) and query.holds(m, frame, passive.when):
        value = passive.set if passive.set is not None else query.number(m, frame, passive.add)
        wanted = {on: value for on in query.who(m, frame, passive.what) if m.on_table(on)}
    for effect in [
        e for e in m.state.modifiers.values() if e.card == card and e.ability == ability and e.duration == WHILE
    ]:
        given = effect.add if passive.set is None else effect.set
        if wanted.get(effect.on) == given:
            del wanted[effect.on]
        else:
            end(m, effect.id)
    for on, value in wanted.items():
        if passive.set is not None:
            begin(m, card, on, passive.name, WHILE, be=value, ability=ability)
        elif value:
            begin(m, card, on, passive.name, WHILE, add=value, ability=ability)
