"""X-Card: the course of a round around the battle (XC-16, XC-23 … XC-27, XC-44 … XC-49). No fist is met here."""

from __future__ import annotations

from engine.core import stack, values
from engine.core.match import Match
from engine.core.tasks import Announce, Handler, ResolveStack, Task, Window
from engine.effects import query
from engine.effects.abilities import Effect
from engine.rulebooks.xcard import sortie
from engine.rulebooks.xcard.drawing import HAND_LIMIT
from engine.rulebooks.xcard.tasks import (
    Battle,
    Clearing,
    Course,
    Draws,
    Form,
    Limit,
    LimitPhase,
    Round,
    RoundEnd,
    Skills,
)
from events.actions import AnyAction
from events.kinds import Frame, RuleApplied

WINDOWS = ("before", "after_attack", "after_defence")
"""The three windows of a round, which are phases of their own (XC-23)."""
STILL = 20
"""Rounds in a row without a strike that end the game (XC-49)."""


def round_(m: Match, task: Round, answer: AnyAction | None) -> None:
    number = m.state.turn + 1
    if number > int(m.state.options.get("max_rounds", 200)):
        m.end(None, "round_limit")  # XC-49
        return
    m.begin_turn(number, task.seat)
    m.push(Course())


def course(m: Match, task: Course, answer: AnyAction | None) -> None:
    attacker = m.state.active
    windows, formed = task.windows, task.formed
    if windows == 0:
        _open(m, task, 1)
    elif attacker not in formed:
        _form_up(m, task, "form_attack", attacker)
    elif len(formed) == 2:
        _open(m, task, 3) if windows < 3 else _to_battle(m)
    elif windows < 2:
        _open(m, task, 2)
    else:
        _form_up(m, task, "form_defence", 1 - attacker)


def _open(m: Match, task: Course, windows: int) -> None:
    """Opens a window; where nobody holds an item, which both players can count, it closes at once."""
    m.push(Course(windows, task.formed))
    printed = m.printed
    for card in m.state.zones[0]["hand"] + m.state.zones[1]["hand"]:
        if not printed[card].warrior:
            m.begin_phase(WINDOWS[windows - 1], m.state.active)
            m.push(Window(m.state.active))
            return


def _form_up(m: Match, task: Course, phase: str, seat: int) -> None:
    m.push(Course(task.windows, (*task.formed, seat)))
    m.begin_phase(phase, seat)
    m.push(Form(seat))


def take_attack(m: Match, frame: Frame) -> None:
    """A special: the owner takes the attack over; roles swap at once (XC-48), if no item used later says otherwise."""
    before = m.state.active
    if m.value(1 - frame.seat, "attack_claim") > frame.item:  # XC-25
        m.emit(RuleApplied("overruled", frame.card))
        return
    m.set_counter(frame.seat, "attack_claim", frame.item)
    if before == frame.seat:
        return
    m.emit_cause(RuleApplied("take_attack", frame.card))
    m.begin_turn(m.state.turn, frame.seat)
    for card in [c for c in m.state.zones[before]["field"] if sortie.is_leader(m, c)]:
        sortie.home(m, card)
        m.set_counter(card, "band", 0)


def _to_battle(m: Match) -> None:
    m.push(Clearing(), Battle())
    attacker = m.state.active
    skills = tuple(
        card for seat in (attacker, 1 - attacker) for card in m.state.zones[seat]["field"]
        if m.definition(card).effect is not None
    )
    if skills:
        m.begin_phase("skills")
        m.push(Skills(skills))


def skills(m: Match, task: Skills, answer: AnyAction | None) -> None:
    card, rest = task.cards[0], task.cards[1:]
    if rest:
        m.push(Skills(rest))
    definition = m.definition(card)
    assert definition.effect is not None
    ability = definition.abilities[definition.effect]
    assert type(ability) is Effect
    frame = Frame(m.card(card).seat, card, definition.effect, code=definition.code)
    if m.card(card).zone == "field" and query.holds(m, frame, ability.when) and stack.payable(m, frame, ability.cost):
        m.push(ResolveStack(quiet=True), Announce(frame, "skill"))


def clearing(m: Match, task: Clearing, answer: AnyAction | None) -> None:
    attacker = m.state.active
    seats = (attacker, 1 - attacker)
    m.begin_phase("discard")
    for seat in seats:
        for card in tuple(m.state.zones[seat]["field"]):
            m.game.discard(m, card, "fought")
        for card in tuple(m.state.zones[seat]["table"]):
            m.move(card, seat, "i_discard", "spent")
        m.set_counter(sortie.leader(m, seat), "band", 0)
    m.begin_phase("draw")
    m.push(RoundEnd(), LimitPhase())
    for seat in reversed(seats):
        m.push(Draws(seat, m.value(seat, "draws")))


def limit_phase(m: Match, task: LimitPhase, answer: AnyAction | None) -> None:
    attacker = m.state.active
    over = [seat for seat in (1 - attacker, attacker) if m.state.count(seat, "hand") > HAND_LIMIT]
    if over:
        m.begin_phase("limit")
        m.push(*(Limit(seat) for seat in over))


def round_end(m: Match, task: RoundEnd, answer: AnyAction | None) -> None:
    values.end_duration(m, "turn")
    if m.state.turn - max(m.value(seat, "struck_in") for seat in (0, 1)) >= STILL:
        m.end(None, "no_progress")
        return
    m.push(Round(1 - m.state.active))


HANDLERS: dict[type[Task], Handler] = {
    Round: round_, Course: course, Skills: skills, Clearing: clearing, LimitPhase: limit_phase, RoundEnd: round_end,
}
