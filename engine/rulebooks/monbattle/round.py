"""Monster Battle: the course of a round (MB-13 … MB-24, MB-35, MB-46 … MB-48, MB-52). Attacks are in `attack.py`."""

from __future__ import annotations

from engine.core import choice, stack, values
from engine.core.match import Match
from engine.core.tasks import Handler, ResolveStack, Task
from engine.rulebooks.monbattle import stage
from engine.rulebooks.monbattle.stage import fighter
from engine.rulebooks.monbattle.tasks import AttackPhase, EndPhase, Main, MainPhase, Order, Round, RoundEnd, Setting
from events.actions import AnyAction, Pass, Play, Use
from events.kinds import RuleApplied

MAX_ROUNDS = 200


def round_(m: Match, task: Round, answer: AnyAction | None) -> None:
    number, before = m.state.turn + 1, m.state.active
    if number > int(m.state.options.get("max_rounds", MAX_ROUNDS)):
        m.end(None, "round_limit")  # MB-52
        return
    m.begin_turn(number, before)
    m.push(Order())  # of the round itself: it says whose the round is
    m.begin_phase("start")
    m.push(Setting(1 - before), Setting(before))


def setting(m: Match, task: Setting, answer: AnyAction | None) -> None:
    options = m.state.zones[task.seat]["standby"]
    if not options:
        return  # MB-15
    card = choice.one_of(m, task.seat, "battle_monster", task, answer, options)
    if card is not None:
        m.move(card, task.seat, "battle", "set")
        m.game.trigger(m, "set", card, task.seat)


def order(m: Match, task: Order, answer: AnyAction | None) -> None:
    first, rule = _first(m)
    if m.state.turn == 0:
        m.begin_turn(1, first)
    monster = fighter(m, first)
    m.emit(RuleApplied(rule, m.state.zones[first]["player"][0] if monster is None else monster))
    if first != m.state.active:
        m.begin_turn(m.state.turn, first)
    values.end_duration(m, "order")
    m.push(EndPhase(), AttackPhase(1 - first), MainPhase(1 - first), AttackPhase(first), MainPhase(first))


def _first(m: Match) -> tuple[int, str]:
    """Who is first this round, and by which rule."""
    claims = [seat for seat in (0, 1) if m.value(seat, "claims_first")]
    if len(claims) == 1:
        return claims[0], "first_by_effect"  # MB-19
    speeds = [m.value(card, "spd") for card in (fighter(m, 0), fighter(m, 1)) if card is not None]
    if len(speeds) == 1:  # MB-20
        return int(fighter(m, 0) is None), "first_by_blank"
    if not speeds:
        return (1 - m.state.active, "first_by_turns") if m.state.turn else (m.roll("first", 2), "first_by_lot")
    if speeds[0] == speeds[1]:
        return m.roll("first", 2), "first_by_equal_spd"
    return int(speeds[1] > speeds[0]), "first_by_spd"


def main_phase(m: Match, task: MainPhase, answer: AnyAction | None) -> None:
    seat = task.seat
    values.end_duration(m, "phase")
    m.begin_phase("main", seat)
    if not m.state.count(seat, "deck"):
        m.end(1 - seat, "no_draw")  # MB-50
        return
    m.push(Main(seat))
    m.game.draw(m, seat, 1)
    m.game.trigger(m, "main_began", None, seat)


def main(m: Match, task: Main, answer: AnyAction | None) -> None:
    if answer is None:
        m.ask_freely(task.seat, "main", task, m.game.legal(m, task, task.seat))
    elif type(answer) is Use:
        m.push_back(task)
        m.push(ResolveStack(quiet=True))
        stack.use(m, task.seat, answer)
    elif type(answer) is not Pass:
        assert type(answer) is Play
        m.push_back(task)
        stage.play(m, task.seat, answer.card)


def end_phase(m: Match, task: EndPhase, answer: AnyAction | None) -> None:
    values.end_duration(m, "phase")
    m.begin_phase("end")
    m.push(RoundEnd())
    seats = m.state.active, 1 - m.state.active
    for seat in seats:
        m.game.trigger(m, "end_began", None, seat)
    for seat in seats:
        card = fighter(m, seat)
        if card is not None:
            stage.leave(m, card, "stock", "to_stock")
    for seat in seats:
        stage.drop_gear(m, seat)


def round_end(m: Match, task: RoundEnd, answer: AnyAction | None) -> None:
    m.push(Round())
    for duration in ("phase", "turn"):
        values.end_duration(m, duration)


HANDLERS: dict[type[Task], Handler] = {
    Round: round_, Setting: setting, Order: order, MainPhase: main_phase, Main: main, EndPhase: end_phase,
    RoundEnd: round_end,
}
