"""Reading selections, amounts and conditions against the table. Looks only; changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from engine.effects.language import Amount, Quantity, Select, Side, When, Who
from engine.effects.protocols import MatchProtocol
from events.kinds import FIRST_ITEM, Frame, StackPushed

STACK = "stack"
"""In a selection this zone means the items on the stack."""


_SIDES: dict[Side, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "own": ((0,), (1,)), "other": ((1,), (0,)), "any": ((0, 1), (1, 0)),
}


def sides(side: Side, seat: int) -> tuple[int, ...]:
    """The seats that a side means, one's own first."""
    return _SIDES[side][seat]


def cards(m: MatchProtocol, select: Select, seat: int, me: int) -> list[int]:
    """Entities that fit, in a fixed order: own first, zone by zone, as they lie."""
    zones = select.zone or m.game.field
    if STACK in zones:
        return _items(m, [q for q in m.state.stack if q.frame.card != me], select, seat, me)
    lying: list[int] = []
    for side in _SIDES[select.of][seat]:
        held = m.state.zones[side]
        for zone in zones:
            lying += held[zone]
    return _fitting(m, lying, select, seat, me)


def _fitting(m: MatchProtocol, cards: list[int], select: Select, seat: int, me: int) -> list[int]:
    """Those of the cards that the selection means, their zones apart: one demand after the other, for all of them."""
    if select.another:
        cards = [card for card in cards if card != me]
    if select.of != "any":
        there, own = m.state.cards, select.of == "own"
        cards = [card for card in cards if (there[card].seat == seat) == own]
    if select.name is not None:
        cards = [card for card in cards if m.printed[card].name == select.name]
    if select.exhausted is not None:
        cards = [card for card in cards if m.state.cards[card].exhausted == select.exhausted]
    if select.is_:
        has_word, printed = m.game.has_word, m.printed
        for word, wanted in select.is_.items():
            cards = [card for card in cards if has_word(m, card, printed[card], word, wanted)]
    for name, least in select.at_least.items():
        cards = [card for card in cards if m.value(card, name) >= least]
    for name, most in select.at_most.items():
        cards = [card for card in cards if m.value(card, name) <= most]
    return cards


def _items(m: MatchProtocol, items: Sequence[StackPushed], select: Select, seat: int, me: int) -> list[int]:
    """Those of the stack items that the selection means, by what is printed on their cards; none is exhausted."""
    if select.exhausted:
        return []
    found = []
    for waiting in items:
        item, definition = waiting.item, m.game.cards[waiting.frame.code]
        fits = (
            waiting.frame.seat in _SIDES[select.of][seat]
            and not (select.another and item == me)
            and select.name in (None, definition.name)
            and all(m.game.has_word(m, item, definition, *pair) for pair in select.is_.items())
            and all(definition.stats.get(name, 0) >= least for name, least in select.at_least.items())
            and all(definition.stats.get(name, 0) <= most for name, most in select.at_most.items())
        )
        if fits:
            found.append(item)
    return found


def fits(m: MatchProtocol, card: int, select: Select, seat: int, me: int) -> bool:
    """Whether a card is one that the selection means, its zone apart."""
    return bool(_fitting(m, [card], select, seat, me))


def matches(m: MatchProtocol, entity: int, select: Select, seat: int, me: int) -> bool:
    """Whether a card (or stack item) is one that the selection means, its zone included where it names any."""
    if entity >= FIRST_ITEM:
        items = [waiting for waiting in m.state.stack if waiting.item == entity]
        return (not select.zone or STACK in select.zone) and bool(_items(m, items, select, seat, me))
    if select.zone and m.state.cards[entity].zone not in select.zone:
        return False
    return fits(m, entity, select, seat, me)


def gone(m: MatchProtocol, entity: int, since: int) -> bool:
    """Whether an entity meant at record `since` has left the table or stack, or moved off or on it, after that."""
    if entity >= FIRST_ITEM:
        return all(q.item != entity for q in m.state.stack)
    return entity > 1 and m.state.cards[entity].since >= since


def who(m: MatchProtocol, frame: Frame, what: Who) -> list[int]:
    """The cards that an instruction speaks of; those gone since the effect was announced are left out."""
    if not isinstance(what, str):
        return cards(m, what, frame.seat, frame.card)
    if what in ("own", "other"):
        return [frame.seat if what == "own" else 1 - frame.seat]
    if what == "self" and "self" not in frame.slots:
        waits = m.state.cards[frame.card].zone == m.game.stack_zone
        return [frame.card] if waits or not gone(m, frame.card, frame.since) else []
    if what == "bearer":
        bearer = m.state.cards[frame.card].attached_to
        return [] if bearer is None else [bearer]
    if what in ("attacker", "attacked"):
        if what in frame.slots:
            return [e for e in frame.slots[what] if not gone(m, e, frame.since)]
        entity = m.state.attack[what == "attacked"]
        return [entity] if entity is not None and entity > 1 else []
    return [e for e in frame.slots.get(what, ()) if not gone(m, e, frame.since)]


def on_table(m: MatchProtocol, frame: Frame, what: Who) -> list[int]:
    """Those of the cards that lie on the table, and the players."""
    return [card for card in who(m, frame, what) if m.on_table(card)]


def still_meant(m: MatchProtocol, frame: Frame) -> dict[str, tuple[int, ...]]:
    """The slots without cards that have left; cards that the effect itself moves afterwards still count."""
    slots = {name: tuple(e for e in held if not gone(m, e, frame.since)) for name, held in frame.slots.items()}
    if not who(m, frame, "self"):
        slots["self"] = ()
    return slots


def number(m: MatchProtocol, frame: Frame, n: Quantity) -> int:
    """What an amount comes to now."""
    if isinstance(n, int):
        return n
    return _amount(m, frame, n)


def _amount(m: MatchProtocol, frame: Frame, n: Amount) -> int:
    if n.count is not None:
        base = len(cards(m, n.count, frame.seat, frame.card))
    elif n.value is not None:
        of = who(m, frame, n.of)
        base = m.value(of[0], n.value) if of else 0
    else:
        base = 1
    return n.times * base + n.plus


def timely(m: MatchProtocol, seat: int, when: When) -> bool:
    """Whether it is the turn and the phase of which a condition speaks."""
    if when.phase is not None and m.state.phase != when.phase:
        return False
    return when.turn is None or m.state.active in _SIDES[when.turn][seat]


def secret(m: MatchProtocol, select: Select) -> bool:
    """Whether the selection tells cards apart that not everybody sees."""
    told_apart = select.is_ or select.name is not None or select.at_least or select.at_most
    return bool(told_apart) and not m.declared.hidden.isdisjoint(select.zone)


def reads_hidden(m: MatchProtocol, when: When | None) -> bool:
    """Whether it depends on hidden cards if the condition holds."""
    return when is not None and (
        (when.count is not None and secret(m, when.count)) or reads_hidden(m, when.not_)
    )


def holds(m: MatchProtocol, frame: Frame, when: When | None, openly: bool = False) -> bool:
    """Whether a condition holds now; `openly`: or could hold, as far as everybody sees."""
    if when is None:
        return True
    if not timely(m, frame.seat, when):
        return False
    if when.count is not None and not (openly and secret(m, when.count)):
        count = len(cards(m, when.count, frame.seat, frame.card))
        least = when.at_least if when.at_least is not None else int(when.at_most is None)
        if count < least or (when.at_most is not None and count > when.at_most):
            return False
    if when.slot is not None:
        held = who(m, frame, when.slot)
        if not held or (when.fits is not None and not matches(m, held[0], when.fits, frame.seat, frame.card)):
            return False
    if openly and reads_hidden(m, when.not_):
        return True
    return when.not_ is None or not holds(m, frame, when.not_)
