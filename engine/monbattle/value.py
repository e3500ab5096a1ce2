"""What a Monster Battle position is worth to a seat: a plain sum that `greedy` and `search` use. Larger is better.

Counted in LP: what the attacks still to come this round will deal, monsters on standby, cards in hand, and how far
the PP reach: COST in stock, on the stage and on standby, which has to be sent sooner or later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.machine import Match
from engine.monbattle.attack import steps, twice
from engine.monbattle.stage import fighter

if TYPE_CHECKING:
    from engine.monbattle.rules import MonBattle

WAITS = (0.8, 0.6, 0.35, 0.2, 0.1)
"""What the monsters on standby are worth in turn, the strongest first, in average monsters."""
CARD, SPARE, MANY = 0.3, 0.05, 7
"""A card in hand; beyond so many one is worth less."""
POINT, OVER = 0.3, 1.5
"""A point of PP that nothing claims; the worth lost where standby cannot be sent without a cost over."""
DEADLY = 8.0


def worth(m: Match, seat: int) -> float:
    """Own side minus the other side."""
    unit = m.game.averages["atk"]  # type: ignore[attr-defined]
    total = _side(m, seat, seat, unit) - _side(m, 1 - seat, seat, unit)
    for attacker in _to_come(m):
        loss = _expected(m, attacker, seat)
        if loss >= m.value(1 - attacker, "lp") > 0:
            loss += DEADLY * unit
        total += loss if attacker == seat else -loss
    return total


def _side(m: Match, seat: int, viewer: int, unit: float) -> float:
    zones = m.state.zones[seat]
    stand = [c for c in (*zones["battle"], *zones["standby"]) if seat == viewer or m.state.cards[c].up]
    claimed = m.value(seat, "stock_cost") + sum(m.value(c, "cost") for c in stand)
    waiting = sorted((strength(m, c) for c in stand if m.state.cards[c].zone == "standby"), reverse=True)
    total = float(m.value(seat, "lp"))
    total += unit * sum(share * s for share, s in zip(WAITS, waiting, strict=False))
    if not waiting:
        total -= 0.5 * unit
    hand, deck = len(zones["hand"]), len(zones["deck"])
    total += unit * (CARD * min(hand, MANY) + SPARE * max(0, hand - MANY) + 0.15 * len(zones["gear"]))
    left = m.value(seat, "pp") - claimed
    total += unit * (POINT * left if left >= 0 else OVER * left * 2 / (1 + len(waiting)))
    return total - (unit * (3 - deck) if deck < 3 else 0.0)


def strength(m: Match, card: int) -> float:
    """A monster against an average one of the cards at hand, which is 1."""
    game: MonBattle = m.game  # type: ignore[assignment]
    average = game.averages
    return (
        0.5 * m.value(card, "atk") / average["atk"] + 0.3 * m.value(card, "def") / average["def"]
        + 0.2 * m.value(card, "spd") / average["spd"]
    )


def _to_come(m: Match) -> tuple[int, ...]:
    """Whose attacks are still to come in this round."""
    first, phase = m.state.active, m.state.phase
    if phase == "start" or m.state.turn == 0:
        return 0, 1
    if phase == "main":
        return (0, 1) if m.state.phase_seat == first else (1 - first,)
    return (1 - first,) if phase == "attack" and m.state.phase_seat == first else ()


def _expected(m: Match, attacker: int, viewer: int) -> float:
    """LP that the player's attack will take. While a side has not set, each monster it could set is as likely."""
    mine, theirs = _fighters(m, attacker, viewer), _fighters(m, 1 - attacker, viewer)
    if not mine:
        return 0.0
    losses = [_loss(m, card, target) for card in mine for target in theirs or [1 - attacker]]
    return sum(losses) / len(losses)


def _fighters(m: Match, seat: int, viewer: int) -> list[int]:
    card = fighter(m, seat)
    cards = [card] if card is not None else []
    if not cards and m.state.phase == "start":
        cards = m.state.zones[seat]["standby"]
    return [c for c in cards if seat == viewer or m.state.cards[c].up]


def _loss(m: Match, card: int, target: int) -> int:
    if m.value(card, "no_attack"):
        return 0
    damage = max(0, steps(m, card, target)[-1][1])
    return 2 * damage if target > 1 and twice(m.value(card, "spd"), m.value(target, "spd")) else damage
