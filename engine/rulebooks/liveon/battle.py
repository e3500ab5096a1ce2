"""Live On: one attack, from its declaration to its damage (LO-27 … LO-38, LO-56 … LO-60)."""

from __future__ import annotations

from engine.core import triggers
from engine.core.match import Match
from engine.core.tasks import Handler, Task, Window
from engine.rulebooks.liveon.tasks import AttackOver, Battle, Damage, StrikeBack
from events.actions import AnyAction, Choose
from events.kinds import DamageDealt


def battle(m: Match, task: Battle, answer: AnyAction | None) -> None:
    attacker, target = m.state.attack
    if attacker is None:
        return
    if target is None:  # LO-32: being turned down may have destroyed the attacker
        m.push(AttackOver())
        return
    seat = 1 - m.card(attacker).seat
    at_deck = target < 2
    if answer is None and not m.value(attacker, "stealth"):  # LO-60
        options = [
            c for c in m.state.zones[seat]["a"]
            if not m.card(c).exhausted and (at_deck or (c != target and m.value(c, "defender")))
        ]
        if options:
            m.ask(
                seat,
                "defend" if at_deck else "step_in",
                task,
                option_type="card",
                options=options,
                about=(attacker,),
                optional=True,
            )
            return
    defender = answer.option if type(answer) is Choose else None if at_deck else target
    m.push(AttackOver())
    m.push(Damage(target if at_deck else None))
    m.push(Window(m.state.active))
    if defender is not None:
        if defender != target:
            m.set_attack(attacker, defender)
        m.exhaust(defender, True)  # LO-29, LO-30, LO-56
        m.game.trigger(m, "defends", defender, seat)


def damage(m: Match, task: Damage, answer: AnyAction | None) -> None:
    attacker, defender = m.state.attack
    if attacker is None:
        return
    if defender is None or defender < 2:
        if task.deck is not None:  # LO-31, LO-32
            _burst_deck(m, attacker, task.deck)
        return
    first = m.value(attacker, "first_strike_attack") > 0
    second = m.value(defender, "first_strike_defence") > 0
    if first and not second:
        _strikes_first(m, attacker, defender)
    elif second and not first:
        _strikes_first(m, defender, attacker)
    else:
        powers = m.value(attacker, "pow"), m.value(defender, "pow")
        deal_damage(m, attacker, defender, powers[0])
        deal_damage(m, defender, attacker, powers[1])


def _burst_deck(m: Match, attacker: int, seat: int) -> None:
    n = min(max(1, m.value(attacker, "burst")), m.state.count(seat, "deck"))  # LO-36
    m.game.trigger(m, "bursts", attacker, m.card(attacker).seat)
    m.emit(DamageDealt(attacker, seat, n))
    m.game.burst(m, seat, n)


def _strikes_first(m: Match, striker: int, struck: int) -> None:
    m.push(StrikeBack(struck, striker))
    deal_damage(m, striker, struck, m.value(striker, "pow"))


def strike_back(m: Match, task: StrikeBack, answer: AnyAction | None) -> None:
    if {task.striker, task.struck} == set(m.state.attack):
        deal_damage(m, task.striker, task.struck, m.value(task.striker, "pow"))


def deal_damage(m: Match, source: int, target: int, amount: int) -> None:
    """Deals damage from one card to another; damage adds up over the turn and does not lower POW (LO-34, LO-35)."""
    m.emit(DamageDealt(source, target, amount))
    m.set_counter(target, "damage", m.value(target, "damage") + amount)


def attack_over(m: Match, task: AttackOver, answer: AnyAction | None) -> None:
    if m.state.attack != (None, None):
        triggers.remember_attack(m)
        m.set_attack()


HANDLERS: dict[type[Task], Handler] = {Battle: battle, Damage: damage, StrikeBack: strike_back, AttackOver: attack_over}
