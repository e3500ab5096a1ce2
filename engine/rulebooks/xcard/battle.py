"""X-Card: the battle: fists and what meets them, reckoning, strikes (XC-28 … XC-37, XC-39, XC-43)."""

from __future__ import annotations

from msgspec import structs

from engine.core.match import Match
from engine.core.tasks import Handler, Task
from engine.core.values import WHILE
from engine.rulebooks.xcard import sortie
from engine.rulebooks.xcard.card import BEATS, DIRECTIONS, ELEMENTS, FISTS, SHIELDS
from engine.rulebooks.xcard.tasks import Battle, Failed, Pairing, Strike
from events.actions import AnyAction, Choose
from events.kinds import AttackMet, DamageCalculated, DamageDealt, ModifierBegan

LEAST_DAMAGE = 100
EDGE = 300
_BEATS = tuple(ELEMENTS.index(BEATS[element]) for element in ELEMENTS)


def battle(m: Match, task: Battle, answer: AnyAction | None) -> None:
    attacker = m.state.active
    m.begin_phase("battle", attacker)
    field = m.state.zones[attacker]["field"]
    m.push(Pairing(tuple((way, card) for way in range(4) for card in field if m.value(card, FISTS[way]))))


def pairing(m: Match, task: Pairing, answer: AnyAction | None) -> None:
    if not task.fists:
        _strikes(m, task)
        return
    way, fist = task.fists[0]
    shielded = None
    if type(answer) is Choose:
        if task.chosen is None:
            task = structs.replace(task, chosen=answer.option)
        else:
            shielded = bool(answer.option)
    if task.chosen is None:
        options = _answers(m, way)
        if len(options) > 1:
            m.ask(
                1 - m.state.active,
                f"answer_{DIRECTIONS[way]}",
                task,
                option_type="card",
                options=options,
                about=(fist,),
            )
            return
        if options:
            task = structs.replace(task, chosen=options[0])
    card = task.chosen
    if card is not None and shielded is None:
        shielded = m.value(card, SHIELDS[way]) > 0
        if shielded and m.value(card, FISTS[way]):
            about = (card, fist)
            m.ask(
                1 - m.state.active, f"shield_{DIRECTIONS[way]}", task, option_type="yes_no", options=(1, 0), about=about
            )
            return
    m.push(_meet(m, task, DIRECTIONS[way], fist, bool(shielded)))


def _answers(m: Match, way: int) -> list[int]:
    """Defending cards that can still answer in this direction: one fist each (XC-32)."""
    used = {met.target for met in m.state.meetings if met.direction == DIRECTIONS[way]}
    return [
        card for card in m.state.zones[1 - m.state.active]["field"]
        if card not in used and (m.value(card, SHIELDS[way]) or m.value(card, FISTS[way]))
    ]


def _meet(m: Match, task: Pairing, direction: str, fist: int, shielded: bool) -> Pairing:
    """One fist meets what answers it; gives the task with what comes of that."""
    card, through, back = task.chosen, task.through, task.back
    if card is None:
        record = m.emit(AttackMet(direction, fist, 1 - m.state.active, "open"))
        through = (*through, (fist, record))
    elif shielded:
        m.emit(AttackMet(direction, fist, card, "blocked"))
    else:
        mine, theirs = reckon(m, fist, card), reckon(m, card, fist)
        outcome = "won" if mine > theirs else "lost" if mine < theirs else "even"
        record = m.emit(AttackMet(direction, fist, card, outcome))
        if outcome == "won":
            through = (*through, (fist, record))
        elif outcome == "lost":
            back = (*back, (card, record))
    return Pairing(task.fists[1:], through, back)


# --- reckoning ----------------------------------------------------------------------------------------------


def reckon(m: Match, source: int, target: int) -> int:
    """ATK of a card against another card, or against the leader of a seat: one record a step (XC-34, XC-36)."""
    value = m.definition(source).stats["atk"]
    m.emit(DamageCalculated(source, target, "base", value))
    effects = [m.state.modifiers[n] for n in m.modifiers_on(source)]
    effects = [e for e in effects if e.name == "atk"]
    if effects:
        becomes = [e for e in effects if e.set is not None]
        for effect in (*becomes[-1:], *(e for e in effects if e.set is None)):
            value = value + effect.add if effect.set is None else effect.set
            m.emit(DamageCalculated(source, target, _step(m, effect), value, effect.card))
    edge = element_edge(m.value(source, "element"), _element(m, target))
    if edge:
        value += edge
        m.emit(DamageCalculated(source, target, "element", value))
    return value


def _step(m: Match, effect: ModifierBegan) -> str:
    """The step that a change of ATK is shown as: effects of cards, or what the rules give a character."""
    if effect.duration != WHILE:
        return "effect"
    return "sortie" if effect.card == effect.on else "own_skill"


def _element(m: Match, target: int) -> int:
    return m.value(sortie.leader(m, target) if target < 2 else target, "element")


def element_edge(mine: int, theirs: int) -> int:
    """What one element gains or loses against another (XC-36)."""
    return EDGE if _BEATS[mine] == theirs else -EDGE if _BEATS[theirs] == mine else 0


# --- strikes ------------------------------------------------------------------------------------------------


def _strikes(m: Match, task: Pairing) -> None:
    """Attackers in the order of sending, then strikes back, then failed sorties (XC-43); each strikes once."""
    attacker = m.state.active
    through, back = dict(reversed(task.through)), dict(reversed(task.back))
    for seat in (1 - attacker, attacker):
        leader = sortie.leader(m, seat)
        if m.value(leader, "band") and leader not in through:
            m.push(Failed(seat))
    for blows, seat in ((back, attacker), (through, 1 - attacker)):
        for card in reversed(m.state.zones[1 - seat]["field"]):
            if card in blows:
                m.caused_by(blows[card])
                m.push(Strike(card, seat))


def strike(m: Match, task: Strike, answer: AnyAction | None) -> None:
    source, seat = task.source, task.seat
    amount = reckon(m, source, seat) - m.value(seat, "def")
    m.emit(DamageCalculated(source, seat, "def", amount, sortie.leader(m, seat)))
    if amount < LEAST_DAMAGE:
        amount = LEAST_DAMAGE
        m.emit(DamageCalculated(source, seat, "least", amount))
    m.emit(DamageDealt(source, seat, amount))
    m.set_counter(seat, "hp", m.value(seat, "hp") - amount)
    m.set_counter(seat, "struck_in", m.state.turn)


HANDLERS: dict[type[Task], Handler] = {Battle: battle, Pairing: pairing, Strike: strike}
