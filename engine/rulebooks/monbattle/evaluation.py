"""What a Monster Battle position is worth to a seat: a plain sum that `greedy` and `search` use. Larger is better.

Counted in LP: what the attacks of this round and the next will probably deal, monsters on standby, cards in hand and
deck, and how far the PP reach: COST in stock, on the stage and on standby, which has to be sent sooner or later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.match import Match
from engine.rulebooks.monbattle.attack import steps, twice

if TYPE_CHECKING:
    from engine.rulebooks.monbattle.rules import MonBattle

WAITS = (0.1, 0.4, 0.3, 0.2, 0.1)
"""What the monsters on standby are worth in turn, the strongest first, in average monsters; the next round's attack
counts besides.
"""
CARD, SPARE, MANY = 0.3, 0.05, 7
"""A card in hand; beyond so many one is worth less."""
DECK, LAST, FEW = 0.1, 0.4, 10
"""A card in the deck, and what is lost besides for each that is missing to so many: it must not run out."""
GEAR = 0.15
POINT, OVER = 0.3, 3.0
"""A point of PP that nothing claims; one that standby claims and that is not there."""
OPEN = 0.5
"""How much of the damage to a player without a monster still comes where its main phase is to come."""
DEADLY = 8.0


def evaluate(m: Match, seat: int) -> float:
    """Own side minus the other side."""
    game: MonBattle = m.game  # type: ignore[assignment]
    unit = game.averages["atk"]
    total = _side(m, seat, seat, unit) - _side(m, 1 - seat, seat, unit)
    for attacker, loss in enumerate(_expected(m, seat)):
        if loss >= m.value(1 - attacker, "lp") > 0:
            loss += DEADLY * unit
        total += loss if attacker == seat else -loss
    return total


def _side(m: Match, seat: int, viewer: int, unit: float) -> float:
    zones = m.state.zones[seat]
    stand = [c for c in (*zones["battle"], *zones["standby"]) if seat == viewer or m.state.cards[c].face_up]
    claimed = m.value(seat, "stock_cost") + sum(m.value(c, "cost") for c in stand)
    waiting = sorted((strength(m, c) for c in stand if m.state.cards[c].zone == "standby"), reverse=True)
    left = m.value(seat, "pp") - claimed
    hand, deck = len(zones["hand"]), len(zones["deck"])
    if _draws_yet(m, seat):
        hand, deck = hand + 1, deck - 1
    total = sum(share * s for share, s in zip(WAITS, waiting, strict=False))
    total += POINT * left if left >= 0 else OVER * left / (1 + len(waiting))
    total += CARD * min(hand, MANY) + SPARE * max(0, hand - MANY) + GEAR * len(zones["gear"])
    return m.value(seat, "lp") + unit * (total + DECK * deck - LAST * max(0, FEW - deck))


def _draws_yet(m: Match, seat: int) -> bool:
    """Whether the draw of the player's next main phase counts already, so that ending a phase is worth nothing."""
    state = m.state
    return not (state.phase in ("main", "attack") and seat == state.phase_seat == state.active)


def _fills(m: Match, seat: int) -> bool:
    """Whether the player has a main phase, now or to come, before the next monsters are set."""
    return m.state.phase == "main" and (m.state.phase_seat == seat or m.state.phase_seat == m.state.active)


def strength(m: Match, card: int) -> float:
    """A monster against an average one of the cards at hand, which is 1."""
    game: MonBattle = m.game  # type: ignore[assignment]
    average = game.averages
    return (
        0.5 * m.value(card, "atk") / average["atk"] + 0.3 * m.value(card, "def") / average["def"]
        + 0.2 * m.value(card, "spd") / average["spd"]
    )


def _expected(m: Match, viewer: int) -> tuple[float, float]:
    """LP that each player's attacks will take: in this round where they are still to come, and in the next one."""
    first, phase = m.state.active, m.state.phase
    stages = [_seen(m, seat, "battle", viewer) for seat in (0, 1)]
    waiting = [_seen(m, seat, "standby", viewer) for seat in (0, 1)]
    if phase in ("start", "set_up"):
        now, later = [stage or wait for stage, wait in zip(stages, waiting, strict=True)], False
        to_come: tuple[int, ...] = (0, 1)
    else:
        now, later = stages, True
        both = phase == "main" and m.state.phase_seat == first
        to_come = (0, 1) if both else () if phase == "end" else (m.state.phase_seat or 0,)
        if phase == "attack":
            to_come = (1 - first,) if m.state.phase_seat == first else ()
    found = [0.0, 0.0]
    for seat in (0, 1):
        if seat in to_come:
            found[seat] += _average(m, now[seat], now[1 - seat], 1 - seat)
        if later:
            open_ = OPEN if not waiting[1 - seat] and _fills(m, 1 - seat) else 1.0
            found[seat] += open_ * _average(m, waiting[seat], waiting[1 - seat], 1 - seat)
    return found[0], found[1]


def _seen(m: Match, seat: int, zone: str, viewer: int) -> list[int]:
    return [c for c in m.state.zones[seat][zone] if seat == viewer or m.state.cards[c].face_up]


def _average(m: Match, mine: list[int], theirs: list[int], seat: int) -> float:
    """The loss where each monster is as likely to be sent."""
    losses = [_loss(m, card, target) for card in mine for target in theirs or [seat]]
    return sum(losses) / len(losses) if losses else 0.0


def _loss(m: Match, card: int, target: int) -> int:
    if m.value(card, "no_attack"):
        return 0
    damage = max(0, steps(m, card, target)[-1][1])
    return 2 * damage if target > 1 and twice(m.value(card, "spd"), m.value(target, "spd")) else damage
