"""What can be seen of an X-Card position that tells who will win: numbers, which `evaluation.toml` weighs.

All are one side's minus the other's, so that both seats read the same table.
"""

from __future__ import annotations

from operator import sub

from engine.core.match import Match
from engine.rulebooks.xcard import sortie
from engine.rulebooks.xcard.battle import LEAST_DAMAGE, element_edge
from engine.rulebooks.xcard.card import FISTS, SHIELDS

FEATURES: tuple[str, ...] = ("hp", "hp_enough", "defence", "strikes", "deadly", "next_attack")
"""HP in thousands, with what the hand stands for; HP alone up to _ENOUGH; the leader's DEF in thousands; HP in
thousands that the battle under way will probably take from the other side; whether that ends the game; who attacks
next.
"""
_ENOUGH = 800
_WARRIOR, _ITEM, _DRAW, _SENT = 0.1, 0.05, 0.05, 0.03
"""Thousands of HP that a card in hand stands for, one that may be drawn, and one more than usual that may be sent."""
_WARRIORS, _ITEMS, _SPARE = 5, 3, 0.3
"""What a round or two use of the hand; a card beyond stands for so much less."""
_SETTLES = 0.06
"""Thousands of HP that an effect of a skill on the field stands for, before it is carried out."""
_MEETS = 0.15
"""How likely each card in the defender's hand is to answer a fist in a given direction."""
_BEFORE = frozenset(("before", "form_attack", "after_attack", "form_defence", "after_defence", "skills"))
"""Phases in which the battle of the round is still to come."""
_FORMED = frozenset(("form_defence", "after_defence", "skills"))
"""Phases in which the attacker has formed up and the defender's hand no longer counts."""


def features(m: Match, seat: int) -> list[float]:
    """The numbers that FEATURES names, for `seat`."""
    found = [*map(sub, _side(m, seat), _side(m, 1 - seat))]
    attacker, before = m.state.active, m.state.phase in _BEFORE
    ours = 1.0 if attacker == seat else -1.0
    found += [ours * number for number in _battle(m, attacker)] if before else (0.0, 0.0)
    found.append(ours if before else -ours)
    return found


def _side(m: Match, seat: int) -> tuple[float, ...]:
    zones, counters, printed = m.state.zones[seat], m.state.counters[seat], m.printed
    if m.state.turn:
        hp, defence = counters.get("hp", 0), counters.get("def", 0)
    else:
        leader = printed[zones["leader"][0]] if zones["leader"] else None
        hp, defence = (leader.hp, leader.defence) if leader else (0, 0)
    warriors = sum([printed[number].warrior for number in zones["hand"]])
    items = len(zones["hand"]) - warriors
    hand = _WARRIOR * (warriors if warriors <= _WARRIORS else _WARRIORS + _SPARE * (warriors - _WARRIORS))
    hand += _ITEM * (items if items <= _ITEMS else _ITEMS + _SPARE * (items - _ITEMS))
    hand += _DRAW * (0 if counters.get("no_draw") else counters.get("draws", 0))
    hand += _SENT * (counters.get("more_characters", 0) + counters.get("more_skills", 0))
    return hp / 1000 + hand, (hp if hp < _ENOUGH else _ENOUGH) / 1000, defence / 1000


class _Fighter:
    """A warrior on the field with its values as they are."""

    __slots__ = ("atk", "element", "fists", "shields", "strikes_back", "through")

    def __init__(self, m: Match, number: int) -> None:
        definition, changed = m.printed[number], m.state.cards[number].counters
        stats = definition.stats
        self.atk: int = changed.get("atk", stats["atk"])
        self.element: int = changed.get("element", stats["element"])
        self.fists, self.shields = definition.fists, definition.shields
        if changed:
            self.fists = [changed.get(name, stats[name]) for name in FISTS]
            self.shields = [changed.get(name, stats[name]) for name in SHIELDS]
        self.through = 0.0
        """how likely it gets through somewhere"""
        self.strikes_back = False


def _battle(m: Match, attacker: int) -> tuple[float, float]:
    """What the battle will probably take from the defender, minus what it will cost the attacker, in thousands of HP;
    and whether that ends the game.
    """
    defender, zones = 1 - attacker, m.state.zones
    if not zones[attacker]["field"]:
        return _SETTLES * -_effects(m, defender), 0.0
    attack = [_Fighter(m, number) for number in zones[attacker]["field"]]
    answers = [_Fighter(m, number) for number in zones[defender]["field"]]
    # As long as the defender can still form up, its hand stands for what may yet meet a fist.
    hidden = 0 if m.state.phase in _FORMED else min(2, len(zones[defender]["hand"]))
    open_chance = (1.0, 1.0 - _MEETS, (1.0 - _MEETS) * (1.0 - _MEETS))[hidden]
    for way in range(4):
        left = [one for one in answers if one.shields[way] or one.fists[way]]
        for one in attack:
            if one.fists[way]:
                chance = _meets(one, way, left) if left else open_chance
                one.through = 1.0 - (1.0 - one.through) * (1.0 - chance)
    dealt = _strikes(m, defender, [(one, one.through) for one in attack if one.through])
    taken = _strikes(m, attacker, [(one, 1.0) for one in answers if one.strikes_back])
    leader = zones[attacker]["leader"]
    if not leader:
        number = sortie.leader(m, attacker)
        place = zones[attacker]["field"].index(number)
        taken += sortie.PENALTY[m.value(number, "band")] * (1.0 - attack[place].through)
    effects = _effects(m, attacker) - _effects(m, defender)
    ends = float(dealt >= m.value(defender, "hp")) - float(taken >= m.value(attacker, "hp"))
    return (dealt - taken) / 1000 + _SETTLES * effects, ends


def _effects(m: Match, seat: int) -> int:
    """Warriors of a side on the field that have an effect."""
    return sum([m.printed[number].effect is not None for number in m.state.zones[seat]["field"]])


def _meets(fist: _Fighter, way: int, left: list[_Fighter]) -> float:
    """Whether the fist gets through; the defender answers with what serves it best, which is then used up."""
    answer = left[0] if len(left) == 1 else max(
        left, key=lambda one: (one.atk if one.fists[way] else 0, not one.shields[way]))
    left.remove(answer)
    if not answer.fists[way]:
        return 0.0
    mine = fist.atk + element_edge(fist.element, answer.element)
    theirs = answer.atk + element_edge(answer.element, fist.element)
    if answer.shields[way] and mine >= theirs:
        return 0.0
    if theirs > mine:
        answer.strikes_back = True
    return 1.0 if mine > theirs else 0.0


def _strikes(m: Match, seat: int, fighters: list[tuple[_Fighter, float]]) -> float:
    """HP that these take from the leader of `seat`, each as likely as is said."""
    if not fighters:
        return 0.0
    defence, element = m.value(seat, "def"), m.value(sortie.leader(m, seat), "element")
    total = 0.0
    for one, chance in fighters:
        total += chance * max(LEAST_DAMAGE, one.atk + element_edge(one.element, element) - defence)
    return total
