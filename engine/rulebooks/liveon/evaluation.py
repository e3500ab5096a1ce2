"""What can be seen of a Live On position that tells who will win: numbers, which `evaluation.toml` weighs.

All are one side's minus the other's, so that both seats read the same table.
"""

from __future__ import annotations

from operator import sub

from engine.core.match import Match

FEATURES: tuple[str, ...] = ("deck", "deck_enough", "cards")
"""Cards of deck; the first _ENOUGH of them; what the cards in hand and on the lines stand for: to attack with, to move
up, to live others by.
"""
_ENOUGH, _HAND, _SYMBOLS = 8, 7, 5
_IN_HAND = 0.6
_HALF = 0.5
"""Of the draw of the turn, which the active player has had and the other one has not: so much is taken back, so that
ending the turn is worth nothing by itself.
"""


def features(m: Match, seat: int) -> list[float]:
    """The numbers that FEATURES names, for `seat`."""
    return [*map(sub, _side(m, seat, seat), _side(m, 1 - seat, seat))]


def _side(m: Match, seat: int, viewer: int) -> tuple[float, ...]:
    zones, cards, printed = m.state.zones[seat], m.state.cards, m.printed
    active = m.state.active == seat
    attack = power = 0.0
    for number in zones["a"]:
        card, stats = cards[number], printed[number].stats
        changed = card.counters
        attack += 1.2 + (changed["pow"] if "pow" in changed else stats["pow"]) * 0.00035
        burst = changed["burst"] if "burst" in changed else stats["burst"]
        if burst:
            attack += 0.5 * burst
        if active and not card.exhausted:
            attack += 0.4
    symbols = colours = 0
    for number in zones["b"]:
        card, definition = cards[number], printed[number]
        if seat != viewer and not card.face_up:
            continue  # a first fighter before it is turned up
        changed = card.counters
        power += 0.9 + (changed["pow"] if "pow" in changed else definition.stats["pow"]) * 0.00015
        symbols += definition.made
        colours |= definition.colours
    deck, hand = float(len(zones["deck"])), float(len(zones["hand"]))
    if active:
        deck, hand = deck + _HALF, hand - _HALF
    source = 1.1 * (symbols if symbols < _SYMBOLS else _SYMBOLS) + 0.3 * colours.bit_count() + 0.05 * symbols
    enough, held = deck if deck < _ENOUGH else _ENOUGH, hand if hand < _HAND else _HAND
    return deck, enough, attack + power + source + _IN_HAND * held
