"""Live On: one attack, from its declaration to its damage (LO-27 … LO-38, LO-56 … LO-60)."""

from __future__ import annotations

from typing import ClassVar

from engine.core.match import Handler, Match, Task
from engine.core.stack import Window
from events.actions import AnyAction, Choose
from events.kinds import DamageDealt


class Battle(Task, frozen=True):
    """An attack has been declared; now it may be defended.

    `since`: record of the declaration; a card that has come to or left the table after it is another card.
    """

    attacker: int
    target: int
    since: int


class Damage(Task, frozen=True):
    """The words after attack and defence are over; damage is settled. `defender` is null where the deck is open."""

    safe: ClassVar[bool] = True
    attacker: int
    defender: int | None
    deck: int | None
    since: int


class StrikeBack(Task, frozen=True):
    """One had First Strike; the other, if it is still there, deals its damage now (LO-58, LO-59)."""

    striker: int
    struck: int
    since: int


class AttackOver(Task, frozen=True):
    """Nothing is aimed at any more. What the attack has set off comes first: it may speak of the attacker."""

    safe: ClassVar[bool] = True


def battle(m: Match, task: Battle, answer: AnyAction | None) -> None:
    if m.state.attack[0] != task.attacker:
        return
    seat = 1 - m.card(task.attacker).seat
    at_deck = task.target < 2
    if not at_deck and not _still_there(m, task.target, task.since):  # LO-32: turning the attacker down can do that
        m.push(AttackOver())
        return
    if answer is None and not m.value(task.attacker, "stealth"):  # LO-60
        options = [
            c for c in m.state.zones[seat]["a"]
            if not m.card(c).exhausted and (at_deck or (c != task.target and m.value(c, "defender")))
        ]
        if options:
            m.ask(
                seat,
                "defend" if at_deck else "step_in",
                task,
                option_type="card",
                options=options,
                about=(task.attacker,),
                optional=True,
            )
            return
    defender = answer.option if isinstance(answer, Choose) else None if at_deck else task.target
    m.push(AttackOver())
    m.push(Damage(task.attacker, defender, task.target if at_deck else None, task.since))
    m.push(Window(m.state.active))
    if defender is not None:
        if defender != task.target:
            m.set_attack(task.attacker, defender)
        m.exhaust(defender, True)  # LO-29, LO-30, LO-56
        m.game.trigger(m, "defends", defender, seat)


def damage(m: Match, task: Damage, answer: AnyAction | None) -> None:
    if not _still_there(m, task.attacker, task.since) or m.state.attack[0] != task.attacker:
        return
    if task.defender is None or not _still_there(m, task.defender, task.since):
        if task.deck is not None:  # LO-31, LO-32
            _burst_deck(m, task.attacker, task.deck)
        return
    first = m.value(task.attacker, "first_strike_attack") > 0
    second = m.value(task.defender, "first_strike_defence") > 0
    if first and not second:
        _strikes_first(m, task.attacker, task.defender, task.since)
    elif second and not first:
        _strikes_first(m, task.defender, task.attacker, task.since)
    else:
        powers = m.value(task.attacker, "pow"), m.value(task.defender, "pow")
        strike(m, task.attacker, task.defender, powers[0])
        strike(m, task.defender, task.attacker, powers[1])


def _still_there(m: Match, card: int, since: int) -> bool:
    """Still on its A line since the attack was declared (LO-32)."""
    return m.card(card).zone == "a" and m.card(card).since < since


def _burst_deck(m: Match, attacker: int, seat: int) -> None:
    n = min(max(1, m.value(attacker, "burst")), m.state.count(seat, "deck"))  # LO-36
    m.game.trigger(m, "bursts", attacker, m.card(attacker).seat)
    m.emit(DamageDealt(attacker, seat, n))
    m.game.burst(m, seat, n)


def _strikes_first(m: Match, striker: int, struck: int, since: int) -> None:
    m.push(StrikeBack(struck, striker, since))
    strike(m, striker, struck, m.value(striker, "pow"))


def strike_back(m: Match, task: StrikeBack, answer: AnyAction | None) -> None:
    if _still_there(m, task.striker, task.since) and _still_there(m, task.struck, task.since):
        strike(m, task.striker, task.struck, m.value(task.striker, "pow"))


def strike(m: Match, source: int, target: int, amount: int) -> None:
    """Damage from one card to another; it adds up over the turn and lowers no POW (LO-34, LO-35)."""
    m.emit(DamageDealt(source, target, amount))
    m.set_counter(target, "damage", m.value(target, "damage") + amount)


def attack_over(m: Match, task: AttackOver, answer: AnyAction | None) -> None:
    if m.state.attack != (None, None):
        m.set_attack()


HANDLERS: dict[type[Task], Handler] = {Battle: battle, Damage: damage, StrikeBack: strike_back, AttackOver: attack_over}
