"""What can be seen of a Monster Battle position that tells who will win: numbers, which `evaluation.toml` weighs.

All are one side's minus the other's. A monster that lies face down is known to its owner alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import sub
from typing import Any, TypeAlias

from engine.core.match import Match
from engine.rulebooks.monbattle.attack import twice

FEATURES: tuple[str, ...] = (
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
_KEPT = 4096
"""Results that are remembered of each calculation: positions that are tried are much alike."""

Beats: TypeAlias = tuple[frozenset[int], ...]
"""By the number of an attribute, those that it has the advantage over (MB-05)."""


def features(m: Match, seat: int) -> list[float]:
    """The numbers that FEATURES names, for `seat`."""
    sides = _Side(m, seat, seat), _Side(m, 1 - seat, seat)
    mine, theirs = sides
    share = (mine.lp - theirs.lp) / max(1, mine.lp + theirs.lp)
    return [share, *map(sub, mine.numbers(), theirs.numbers()), *_attacks(m, mine, theirs)]


class _Monster:
    """A monster on the table with its values as they are, and what it takes of the PP once it is sent."""

    __slots__ = ("atk", "attribute", "claim", "damage_in", "damage_out", "defence", "no_attack", "spd", "strength")

    def __init__(self, averages: Mapping[str, float], values: Mapping[str, int], claim: int | None) -> None:
        self.atk = values["atk"]
        self.defence = values["def"]
        self.spd = values["spd"]
        self.attribute = values["attribute"]
        self.damage_out = values["damage_out"]
        self.damage_in = values["damage_in"]
        self.no_attack = values["no_attack"]
        self.claim = values["cost"] if claim is None else claim
        self.strength = (
            0.5 * self.atk / averages["atk"] + 0.3 * self.defence / averages["def"]
            + 0.2 * self.spd / averages["spd"]
        )


def _monsters(m: Match, numbers: Sequence[int]) -> tuple[_Monster, ...]:
    """These monsters as they are now."""
    game, cards, printed = m.game, m.state.cards, m.printed
    found = []
    for number in numbers:
        card = cards[number]
        changed = tuple(card.counters.items()) if card.counters else ()
        claim = stack_cost(m, number) if card.attachments else None
        found.append(_with_values(game, printed[number], changed, claim))
    return tuple(found)


@lru_cache(_KEPT)
def _with_values(game: Any, printed: Any, changed: tuple[tuple[str, int], ...], claim: int | None) -> _Monster:
    """The monster with these values changed; positions are many, monsters in them few."""
    return _Monster(game.averages, {**printed.stats, **dict(changed)}, claim)


def stack_cost(m: Match, monster: int) -> int:
    """COST that a monster takes of the PP: that of its whole stack, or what counts while it stands if that is more
    (MB-25, MB-47).
    """
    cards, printed = m.state.cards, m.printed
    cost: int = printed[monster].stats["cost"]
    for held in cards[monster].attachments:
        if cards[held].attachment == "under":
            cost += printed[held].stats["cost"]
    return max(m.value(monster, "cost"), cost)


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
        battle, standby = zones["battle"], zones["standby"]
        if seat != viewer:
            cards = state.cards
            battle, standby = [c for c in battle if cards[c].face_up], [c for c in standby if cards[c].face_up]
        self.battle, self.standby = _monsters(m, battle), _monsters(m, standby)
        self.room: int = counters.get("pp", 0) - counters.get("stock_cost", 0)
        """PP that neither the stock nor the stage takes"""
        for one in self.battle:
            self.room -= one.claim

    def numbers(self) -> tuple[float, ...]:
        """This side's features."""
        n, best, second, claims, claimed = _ranked(self.standby)
        few, n_more = (n, 0) if n < _FEW else (_FEW, n - _FEW)  # `min` and `max` would take four times as long
        hand, hand_more = (self.hand, 0) if self.hand < _HAND else (_HAND, self.hand - _HAND)
        room, room_more = (self.room, 0) if self.room < _ROOM else (_ROOM, self.room - _ROOM)
        deck = self.deck if self.deck < _ENOUGH else _ENOUGH
        left = self.room - claimed
        within, doom = (0, 0.0) if left >= 0 else (left, _doom(claims, self.room))
        return (
            self.lp / 1000, few, n_more, best, second, hand, hand_more, deck, self.gear, room, room_more, within, -doom
        )


@lru_cache(_KEPT)
def _ranked(standby: tuple[_Monster, ...]) -> tuple[int, float, float, list[int], int]:
    """How many there are, the strength of the best and the second, what each claims from the least on, and in all."""
    strengths = sorted([one.strength for one in standby], reverse=True)
    claims = sorted([one.claim for one in standby])
    n = len(standby)
    return n, strengths[0] if n else 0.0, strengths[1] if n > 1 else 0.0, claims, sum(claims)


def _doom(claims: list[int], room: int) -> float:
    """How near cost over is where not all `claims`, which begin with the least, find room: 1 where it comes with the
    next monster that must be set (MB-13, MB-47), half of it where one can be set before, and so on.
    """
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
    beats: Beats = m.game.beats  # type: ignore[attr-defined]  # MonBattle, which stands above this module
    state = m.state
    now = [0.0, 0.0]
    following = (0, 0)
    stages = [side.battle for side in sides]
    if state.phase in ("start", "set_up"):
        stages = [side.battle or side.standby for side in sides]
    else:
        first = state.active
        following = _next_round(beats, sides[first].standby, sides[1 - first].standby)
        if first:
            following = following[::-1]
    for seat in _to_come(m):
        now[seat] = _average(beats, stages[seat], stages[1 - seat])
    return [sign * number for number in (*_weighed(now, sides), *_weighed(following, sides)[::2])]


def _weighed(dealt: Sequence[float], sides: tuple[_Side, _Side]) -> tuple[float, float, float]:
    """Of what each deals the other: LP in thousands, as a share of what is left, and whether that ends the game."""
    one, other = dealt
    if not one and not other:
        return 0.0, 0.0, 0.0
    first, second = max(1, sides[0].lp), max(1, sides[1].lp)
    return (
        (one - other) / 1000, min(1.0, one / second) - min(1.0, other / first),
        float(one >= second) - float(other >= first),
    )


def _to_come(m: Match) -> tuple[int, ...]:
    """Whose attacks this round still has."""
    first, seat, phase = m.state.active, m.state.phase_seat, m.state.phase
    if phase in ("start", "set_up") or (phase == "main" and seat == first):
        return 0, 1
    return (1 - first,) if phase == "main" or (phase == "attack" and seat == first) else ()


@lru_cache(_KEPT)
def _next_round(beats: Beats, first: tuple[_Monster, ...], second: tuple[_Monster, ...]) -> tuple[int, int]:
    """LP that the first, who sets before the other (MB-13), and the second take from each other next round: the first
    sets what is best against the best answer.
    """
    ours: Sequence[_Monster | None] = first or (None,)
    answers: Sequence[_Monster | None] = second or (None,)
    best, found = -math.inf, (0, 0)
    for mine in ours:
        worst, exchange = math.inf, (0, 0)
        for theirs in answers:
            dealt, taken = _loss(beats, mine, theirs), _loss(beats, theirs, mine)
            margin = float(dealt - taken)
            if margin < worst:
                worst, exchange = margin, (dealt, taken)
                if worst <= best:
                    break  # another one is as good already
        if worst > best:
            best, found = worst, exchange
    return found


@lru_cache(_KEPT)
def _average(beats: Beats, mine: tuple[_Monster, ...], theirs: tuple[_Monster, ...]) -> float:
    """The loss where each monster is as likely to be sent."""
    against: Sequence[_Monster | None] = theirs or (None,)
    total = 0
    for one in mine:
        for other in against:
            total += _loss(beats, one, other)
    return total / (len(mine) * len(against)) if mine else 0.0


def _loss(beats: Beats, one: _Monster | None, target: _Monster | None) -> int:
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
