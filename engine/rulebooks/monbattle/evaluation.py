"""What a Monster Battle position is worth to a seat: a plain sum that `greedy` and `search` use. Larger is better.

Counted in LP: what the attacks of this round and the next will probably deal, monsters on standby, cards in hand and
deck, and how far the PP reach: COST in stock, on the stage and on standby, which has to be sent sooner or later. The
weights were found by playing the shipped decks against each other.
"""

from __future__ import annotations

from typing import Any

from engine.core.match import Match
from engine.rulebooks.monbattle.attack import steps, twice

WAITS = (0.3, 0.4, 0.3, 0.2, 0.1)
"""What the monsters on standby are worth in turn, the strongest first, in average monsters; the next round's attack
counts besides.
"""
CARD, SPARE, MANY = 0.1, 0.05, 7
"""A card in hand; beyond so many one is worth less."""
DECK, LAST, FEW = 0.05, 0.4, 10
"""A card in the deck, and what is lost besides for each that is missing to so many: it must not run out."""
GEAR = 0.15
POINT, OVER = 0.3, 2.0
"""A point of PP that nothing claims, as far as rounds are left to send for it; one that standby claims and that is
not there.
"""
DEADLY = 8.0
"""What certainly loses the game, or wins it."""

LOG_ODDS = 1200.0
"""The worth at which the odds of winning are e to 1, by logistic regression over games of greedy with all decks."""


def evaluate(m: Match, seat: int) -> float:
    """Own side minus the other side."""
    game: Any = m.game  # MonBattle, which stands above this module
    unit = game.averages["atk"]
    rounds = 1 + max(0, min(m.value(0, "lp"), m.value(1, "lp"))) / unit
    total = _side(m, seat, seat, unit, rounds) - _side(m, 1 - seat, seat, unit, rounds)
    for attacker, loss in enumerate(_expected(m, seat)):
        if loss >= m.value(1 - attacker, "lp") > 0:
            loss += DEADLY * unit
        total += loss if attacker == seat else -loss
    return total


def _side(m: Match, seat: int, viewer: int, unit: float, rounds: float) -> float:
    """One side's worth; the game lasts about so many `rounds` more."""
    zones = m.state.zones[seat]
    standby = _seen(m, seat, "standby", viewer)
    waiting = sorted((strength(m, card) for card in standby), reverse=True)
    hand, deck = len(zones["hand"]), len(zones["deck"])
    if _draws_yet(m, seat):
        hand, deck = hand + 1, deck - 1
    total = sum(share * s for share, s in zip(WAITS, waiting, strict=False))
    total += _reach(m, seat, _seen(m, seat, "battle", viewer), standby, rounds)
    total += CARD * min(hand, MANY) + SPARE * max(0, hand - MANY) + GEAR * len(zones["gear"])
    return m.value(seat, "lp") + unit * (total + DECK * deck - LAST * max(0, FEW - deck))


def _reach(m: Match, seat: int, sent: list[int], waiting: list[int], rounds: float) -> float:
    """What the PP are still worth, in average monsters: cost over that can no longer be helped is nearly a loss."""
    claims = [stack_cost(m, card) for card in waiting]
    room = m.value(seat, "pp") - m.value(seat, "stock_cost") - sum(stack_cost(m, card) for card in sent)
    left = room - sum(claims)
    worth = POINT * min(left, rounds) if left >= 0 else OVER * left / (1 + len(claims))
    lost = room < 0 or (claims and min(claims) > room)  # MB-47, MB-13: one that waits must be set
    return worth - DEADLY if lost and m.state.turn else worth


def stack_cost(m: Match, monster: int) -> int:
    """COST that a monster takes of the PP: that of its whole stack, or what counts while it stands if that is more
    (MB-25, MB-47).
    """
    cards = m.state.cards
    under = [card for card in cards[monster].attachments if cards[card].attachment == "under"]
    return max(m.value(monster, "cost"), sum(m.printed[card].stats["cost"] for card in (monster, *under)))


def _draws_yet(m: Match, seat: int) -> bool:
    """Whether the draw of the player's next main phase counts already, so that ending a phase is worth nothing."""
    state = m.state
    return not (state.phase in ("main", "attack") and seat == state.phase_seat == state.active)


def strength(m: Match, card: int) -> float:
    """A monster against an average one of the cards at hand, which is 1."""
    game: Any = m.game  # MonBattle, which stands above this module
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
    found = [0.0, 0.0]
    now, to_come = stages, _attacks_to_come(m)
    if phase in ("start", "set_up"):
        now = [stage or wait for stage, wait in zip(stages, waiting, strict=True)]
    else:
        found[first], found[1 - first] = _next_round(m, waiting)
    for seat in to_come:
        found[seat] += _average(m, now[seat], now[1 - seat], 1 - seat)
    return found[0], found[1]


def _attacks_to_come(m: Match) -> tuple[int, ...]:
    """Whose attacks this round still has."""
    first, seat = m.state.active, m.state.phase_seat
    if m.state.phase in ("start", "set_up") or (m.state.phase == "main" and seat == first):
        return 0, 1
    if m.state.phase == "main":
        return (1 - first,)
    return (1 - first,) if m.state.phase == "attack" and seat == first else ()


def _next_round(m: Match, waiting: list[list[int]]) -> tuple[int, int]:
    """LP that the first and the other take from each other next round: the first, who sets before the other (MB-13),
    sets what is best against the best answer.
    """
    first = m.state.active
    ours, answers = (_or_nobody(waiting[seat]) for seat in (first, 1 - first))
    exchanges = [min((_exchange(m, mine, theirs, first) for theirs in answers), key=_gain) for mine in ours]
    return max(exchanges, key=_gain)


def _or_nobody(waiting: list[int]) -> list[int | None]:
    return [*waiting] or [None]


def _exchange(m: Match, mine: int | None, theirs: int | None, seat: int) -> tuple[int, int]:
    """LP that two monsters take from the other's player, each None where a player is blank."""
    dealt = 0 if mine is None else _loss(m, mine, 1 - seat if theirs is None else theirs)
    return dealt, 0 if theirs is None else _loss(m, theirs, seat if mine is None else mine)


def _gain(exchange: tuple[int, int]) -> int:
    return exchange[0] - exchange[1]


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
