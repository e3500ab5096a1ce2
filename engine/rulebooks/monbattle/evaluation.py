"""What can be seen of a Monster Battle position that tells who will win: numbers, which `evaluation.toml` weighs.

All are one side's minus the other's. A monster that lies face down is known to its owner alone.
"""

from __future__ import annotations

import math
from typing import Any

from engine.core.match import Match
from engine.rulebooks.monbattle.attack import twice

FEATURES = (
    "lp_share", "lp", "standby", "standby_more", "best", "second", "hand", "hand_spare", "deck_enough", "gear", "room",
    "room_spare", "within", "payable", "strikes", "strikes_share", "deadly", "next_strikes", "next_deadly",
)
"""LP as a share of both players', and in thousands; monsters on standby up to _FEW, and beyond; the two strongest
there, against an average one; cards in hand up to _HAND, and beyond; cards of deck up to _ENOUGH; weapons and items;
PP that neither stock nor stage takes up to _ROOM, and beyond; minus the PP that standby claims and that are not
there; minus how near cost over is; LP that the attacks of this round will probably take from the other side in
thousands, the same as a share of the LP that are left, and whether they end the game; LP of the next round's attacks,
and whether these do.
"""
_FEW, _HAND, _ENOUGH, _ROOM = 2, 7, 8, 6


def features(m: Match, seat: int) -> list[float]:
    """The numbers that FEATURES names, for `seat`."""
    sides = _Side(m, seat, seat), _Side(m, 1 - seat, seat)
    mine, theirs = sides
    found = [own - other for own, other in zip(mine.numbers(), theirs.numbers(), strict=True)]
    share = (mine.lp - theirs.lp) / max(1, mine.lp + theirs.lp)
    return [share, *found, *_attacks(m, mine, theirs)]


class _Monster:
    """A monster on the table with its values as they are, and what it takes of the PP once it is sent."""

    __slots__ = ("atk", "attribute", "claim", "damage_in", "damage_out", "defence", "no_attack", "spd", "strength")

    def __init__(self, m: Match, number: int) -> None:
        game: Any = m.game  # MonBattle, which stands above this module
        card, stats, average = m.state.cards[number], m.printed[number].stats, game.averages
        if card.counters:
            stats = {**stats, **card.counters}
        self.atk: int = stats["atk"]
        self.defence: int = stats["def"]
        self.spd: int = stats["spd"]
        self.attribute: int = stats["attribute"]
        self.damage_out: int = stats["damage_out"]
        self.damage_in: int = stats["damage_in"]
        self.no_attack: int = stats["no_attack"]
        self.claim: int = stats["cost"]
        if card.attachments:
            self.claim = stack_cost(m, number)
        self.strength = (
            0.5 * self.atk / average["atk"] + 0.3 * self.defence / average["def"] + 0.2 * self.spd / average["spd"])


def _monster(m: Match, number: int) -> _Monster:
    """The monster as it is now; those that nothing has changed are worked out once for each code."""
    card = m.state.cards[number]
    if card.counters or card.attachments:
        return _Monster(m, number)
    game: Any = m.game
    found: _Monster | None = game.unchanged.get(card.code)
    if found is None:
        found = game.unchanged[card.code] = _Monster(m, number)
    return found


def stack_cost(m: Match, monster: int) -> int:
    """COST that a monster takes of the PP: that of its whole stack, or what counts while it stands if that is more
    (MB-25, MB-47).
    """
    cards = m.state.cards
    under = [card for card in cards[monster].attachments if cards[card].attachment == "under"]
    return max(m.value(monster, "cost"), sum([m.printed[card].stats["cost"] for card in (monster, *under)]))


class _Side:
    """What one player has, as the viewer sees it."""

    __slots__ = ("battle", "deck", "draws_yet", "gear", "hand", "lp", "room", "seat", "standby")

    def __init__(self, m: Match, seat: int, viewer: int) -> None:
        state = m.state
        zones, counters = state.zones[seat], state.counters[seat]
        self.seat = seat
        self.lp: int = counters.get("lp", 0)
        self.hand, self.deck, self.gear = len(zones["hand"]), len(zones["deck"]), len(zones["gear"])
        self.draws_yet = not (state.phase in ("main", "attack") and (seat == state.phase_seat or seat == state.active))
        if self.draws_yet:  # so that ending a phase is worth nothing
            self.hand, self.deck = self.hand + 1, self.deck - 1
        self.battle, self.standby = (
            [_monster(m, card) for card in zones[zone] if seat == viewer or state.cards[card].face_up]
            for zone in ("battle", "standby")
        )
        self.room: int = counters.get("pp", 0) - counters.get("stock_cost", 0)
        """PP that neither the stock nor the stage takes"""
        for one in self.battle:
            self.room -= one.claim

    def numbers(self) -> tuple[float, ...]:
        """This side's features."""
        strengths = sorted([one.strength for one in self.standby], reverse=True)
        claims = sorted([one.claim for one in self.standby])
        left = self.room - sum(claims)
        n = len(strengths)
        return (
            self.lp / 1000, min(n, _FEW), max(0, n - _FEW), strengths[0] if n else 0.0, strengths[1] if n > 1 else 0.0,
            min(self.hand, _HAND), max(0, self.hand - _HAND), min(_ENOUGH, self.deck), self.gear,
            min(self.room, _ROOM), max(0, self.room - _ROOM), min(0, left), -_doom(claims, left, self.room),
        )


def _doom(claims: list[int], left: int, room: int) -> float:
    """How near cost over is: 1 where it comes with the next monster that must be set (MB-13, MB-47), half of it where
    one can be set before, and so on; `claims` begin with the least.
    """
    if left >= 0:
        return 0.0
    rounds = 1
    for claim in claims:
        room -= claim
        if room < 0:
            break
        rounds += 1
    return 1.0 / rounds


def _attacks(m: Match, mine: _Side, theirs: _Side) -> list[float]:
    """What the attacks of this round and the next will probably bring, as differences."""
    sides = (mine, theirs) if mine.seat == 0 else (theirs, mine)
    sign = 1.0 if mine.seat == 0 else -1.0
    beats: Any = m.game.beats  # type: ignore[attr-defined]  # MonBattle, which stands above this module
    state = m.state
    now = [0.0, 0.0]
    following = (0.0, 0.0)
    stages = [side.battle for side in sides]
    if state.phase in ("start", "set_up"):
        stages = [side.battle or side.standby for side in sides]
    else:
        following = _next_round(beats, sides, state.active)
    for seat in _to_come(m):
        now[seat] = _average(beats, stages[seat], stages[1 - seat])
    return [sign * number for number in (*_weighed(now, sides), *_weighed(following, sides)[::2])]


def _weighed(dealt: Any, sides: tuple[_Side, _Side]) -> tuple[float, float, float]:
    """Of what each deals the other: LP in thousands, as a share of what is left, and whether that ends the game."""
    first, second = max(1, sides[0].lp), max(1, sides[1].lp)
    return (
        (dealt[0] - dealt[1]) / 1000, min(1.0, dealt[0] / second) - min(1.0, dealt[1] / first),
        float(dealt[0] >= second) - float(dealt[1] >= first),
    )


def _to_come(m: Match) -> tuple[int, ...]:
    """Whose attacks this round still has."""
    first, seat, phase = m.state.active, m.state.phase_seat, m.state.phase
    if phase in ("start", "set_up") or (phase == "main" and seat == first):
        return 0, 1
    return (1 - first,) if phase == "main" or (phase == "attack" and seat == first) else ()


def _next_round(beats: Any, sides: tuple[_Side, _Side], first: int) -> tuple[float, float]:
    """LP that seat 0 and seat 1 take from each other next round: the first, who sets before the other (MB-13), sets
    what is best against the best answer.
    """
    ours: list[_Monster | None] = [*sides[first].standby] or [None]
    answers: list[_Monster | None] = [*sides[1 - first].standby] or [None]
    best, found = -math.inf, (0, 0)
    for mine in ours:
        worst, exchange = math.inf, (0, 0)
        for theirs in answers:
            dealt, taken = _loss(beats, mine, theirs), _loss(beats, theirs, mine)
            if dealt - taken < worst:
                worst, exchange = dealt - taken, (dealt, taken)
                if worst <= best:
                    break  # another one is as good already
        if worst > best:
            best, found = worst, exchange
    return found if first == 0 else found[::-1]


def _average(beats: Any, mine: list[_Monster], theirs: list[_Monster]) -> float:
    """The loss where each monster is as likely to be sent."""
    against: list[_Monster | None] = [*theirs] or [None]
    total = 0
    for one in mine:
        for other in against:
            total += _loss(beats, one, other)
    return total / (len(mine) * len(against)) if mine else 0.0


def _loss(beats: Any, one: _Monster | None, target: _Monster | None) -> int:
    """LP that one monster takes from the other's player, each None where a player is blank (MB-38 … MB-45)."""
    if one is None or one.no_attack:
        return 0
    if target is None:
        return one.atk
    damage = one.atk - target.defence
    if damage > 0:
        damage += one.damage_out
    if damage > 0:
        if target.attribute in beats[one.attribute]:
            damage *= 2
        elif one.attribute in beats[target.attribute]:
            damage //= 2
    if damage > 0:
        damage += target.damage_in
    if damage <= 0:
        return 0
    return 2 * damage if twice(one.spd, target.spd) else damage
