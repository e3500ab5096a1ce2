"""Monster Battle: an attack and the reckoning of its damage, step by step (MB-38 … MB-45)."""

from __future__ import annotations

from typing import Any

from engine.core import values
from engine.core.match import Match
from engine.core.tasks import Handler, Task
from engine.rulebooks.monbattle.stage import fighter, mark_gear
from engine.rulebooks.monbattle.tasks import Again, AttackOver, AttackPhase, Declare, Strike
from events.actions import AnyAction
from events.kinds import DamageCalculated, DamageDealt


def attack_phase(m: Match, task: AttackPhase, answer: AnyAction | None) -> None:
    values.end_duration(m, "phase")
    attacker = fighter(m, task.seat)
    if attacker is not None:
        m.begin_phase("attack", task.seat)
        m.push(Declare(attacker))


def declare(m: Match, task: Declare, answer: AnyAction | None) -> None:
    attacker, seat = task.attacker, m.card(task.attacker).seat
    if m.value(attacker, "no_attack"):
        return
    m.push(AttackOver(), Strike(attacker))
    m.set_attack(attacker, _target(m, attacker))
    mark_gear(m, attacker)
    m.game.trigger(m, "attacks", attacker, seat)


def _target(m: Match, attacker: int) -> int:
    """The opposing battle monster, or the seat of a blank player."""
    seat = 1 - m.card(attacker).seat
    monster = fighter(m, seat)
    return seat if monster is None else monster


def strike(m: Match, task: Strike, answer: AnyAction | None) -> None:
    attacker = task.attacker
    if not _attacks(m, attacker):
        return
    target, seat = _target(m, attacker), m.card(attacker).seat
    if m.state.attack[1] != target:
        m.push(task)
        m.set_attack(attacker, target)  # a new target has its values as the one attacked (MB-39)
        return
    amount = 0
    for step, amount, by in steps(m, attacker, target):
        m.emit(DamageCalculated(attacker, target, step, amount, by))
    amount = max(amount, 0)
    m.emit(DamageCalculated(attacker, target, "dealt", amount))
    if not amount:
        return  # MB-44
    if not task.dealt:
        m.push(Again(attacker, amount))
    m.emit(DamageDealt(attacker, 1 - seat, amount))
    m.set_counter(1 - seat, "lp", m.value(1 - seat, "lp") - amount)
    m.game.trigger(m, "hits", attacker, seat)


def _attacks(m: Match, attacker: int) -> bool:
    """Whether the attack is still under way."""
    return m.state.attack[0] == attacker and m.state.cards[attacker].zone == "battle"


def steps(m: Match, attacker: int, target: int) -> list[tuple[str, int, int | None]]:
    """The reckoning: (step, damage after it, card that changed it), with the steps that change the damage alone.

    It ends at the step that brings it to 0 or below (MB-44).
    """
    value = m.value(attacker, "atk")
    if target < 2:
        return [("blank", value, None)]  # MB-45
    found: list[tuple[str, int, int | None]] = [("atk", value, None)]
    for step, by in (("def", target), ("attacker", attacker), ("attribute", target), ("defender", target)):
        changed = _after(m, step, attacker, target, value)
        if changed != value:
            value = changed
            found.append((step, value, by))
        if value <= 0:
            break
    return found


def _after(m: Match, step: str, attacker: int, target: int, damage: int) -> int:
    if step == "def":
        return damage - m.value(target, "def")
    if step == "attacker":
        return damage + m.value(attacker, "damage_out")
    if step == "attribute":
        return _by_attribute(m, attacker, target, damage)
    return damage + m.value(target, "damage_in")


def _by_attribute(m: Match, attacker: int, target: int, damage: int) -> int:
    game: Any = m.game  # MonBattle, which stands above this module
    mine, theirs = m.value(attacker, "attribute"), m.value(target, "attribute")
    if theirs in game.beats[mine]:
        return damage * 2
    return damage // 2 if mine in game.beats[theirs] else damage


def again(m: Match, task: Again, answer: AnyAction | None) -> None:
    attacker = task.attacker
    if not _attacks(m, attacker):
        return
    target = _target(m, attacker)
    if target < 2 or not twice(m.value(attacker, "spd"), m.value(target, "spd")):
        return
    m.emit(DamageCalculated(attacker, target, "again", task.dealt, attacker))
    m.push(Strike(attacker, task.dealt))


def twice(mine: int, theirs: int) -> bool:
    """Whether this SPD attacks twice against that one; 0 against 0 does not (MB-43)."""
    return mine > 0 and mine >= 2 * theirs


def attack_over(m: Match, task: AttackOver, answer: AnyAction | None) -> None:
    if m.state.attack != (None, None):
        m.set_attack()


HANDLERS: dict[type[Task], Handler] = {
    AttackPhase: attack_phase, Declare: declare, Strike: strike, Again: again, AttackOver: attack_over,
}
