"""What a Live On position is worth to a seat: a plain sum that `greedy` and `search` use. Larger is better."""

from __future__ import annotations

from engine.core.match import Match

DECK, HAND, ON_A, ON_B = 3.0, 0.6, 0.35, 0.15

LOG_ODDS = 14.0
"""The worth at which the odds of winning are e to 1, by logistic regression over games of greedy with all decks."""


def evaluate(m: Match, seat: int) -> float:
    """Own side minus the other side, in cards of deck."""
    return _side(m, seat) - _side(m, 1 - seat)


def _side(m: Match, seat: int) -> float:
    zones = m.state.zones[seat]
    total = DECK * len(zones["deck"]) + HAND * min(len(zones["hand"]), 7)
    ready = m.state.active == seat
    if ready:
        total += (DECK - HAND) / 2  # the draw that each turn costs: so that ending the turn is worth nothing by itself
    for card in zones["a"]:
        power = m.value(card, "pow") / 1000
        total += (
            1.2 + ON_A * power + 0.5 * m.value(card, "burst") + (0.4 if not m.card(card).exhausted and ready else 0)
        )
    colours: set[int] = set()
    symbols = 0
    for card in zones["b"]:
        total += 0.9 + ON_B * m.value(card, "pow") / 1000
        made = m.definition(card).symbols
        symbols += sum(made)
        colours.update(i for i, n in enumerate(made) if n)
    return total + 1.1 * min(symbols, 5) + 0.3 * len(colours) + 0.05 * symbols
