"""The only way in which cards are destroyed: replacements are offered first, then triggers fire, then the cards move.

Cards destroyed together see each other leave. A discard, a cost or an overflow is not destruction and does not come
through here.
"""

from __future__ import annotations

from engine.core import stack
from engine.core.match import Match
from engine.core.tasks import Destroy, Handler, Save, Task
from engine.effects import query
from engine.effects.abilities import Regenerate
from engine.effects.language import Cost
from events.actions import AnyAction, Choose
from events.kinds import Frame, RuleApplied


def destroy(m: Match, task: Destroy, answer: AnyAction | None) -> None:
    """Deals with the next card, the turn player's first; owners choose the order of their cards that can be saved."""
    cards = sorted((c for c in task.cards if m.on_table(c)), key=lambda c: m.card(c).seat != m.state.active)
    doomed = tuple(c for c in task.doomed if m.on_table(c))
    if not cards:
        _leave(m, doomed)
        return
    card = answer.option if type(answer) is Choose else cards[0]
    if regeneration(m, card) is None:
        m.push(Destroy(tuple(cards[1:]), (*doomed, card)))
        return
    if answer is None and len(cards) > 1:
        seat = m.card(card).seat
        own = [c for c in cards if m.card(c).seat == seat and regeneration(m, c) is not None]
        if len(own) > 1:
            m.ask(seat, "order", Destroy(tuple(cards), doomed), option_type="card", options=own)
            return
    m.push(Save(card, tuple(c for c in cards if c != card), doomed))


def save(m: Match, task: Save, answer: AnyAction | None) -> None:
    card, number = task.card, regeneration(m, task.card)
    assert number is not None
    frame, cost = _frame(m, card, number), _cost(m, card, number)
    if answer is None and cost is not None:
        by_card = cost.pay == "discard"
        m.ask(
            frame.seat, "regenerate", task, option_type="card" if by_card else "yes_no",
            options=stack.payers(m, frame, cost) if by_card else (1, 0), about=(card,), optional=by_card,
        )
    elif cost is not None and (type(answer) is not Choose or (cost.pay != "discard" and not answer.option)):
        m.push(Destroy(task.cards, (*task.doomed, card)))
    else:
        m.push(Destroy(task.cards, task.doomed))
        m.emit_cause(RuleApplied("regenerate", card))
        if cost is not None and type(answer) is Choose:
            stack.pay(m, frame, cost, (answer.option,))
        if m.on_table(card):
            m.set_counter(card, "damage", 0)


def waiting(m: Match) -> set[int]:
    """Cards whose destruction is already being decided."""
    found: set[int] = set()
    for _, task in m.agenda:
        if isinstance(task, (Destroy, Save)):
            found.update(task.cards, task.doomed)
    return found


def regeneration(m: Match, card: int) -> int | None:
    """Number of the ability that can save the card now, or None."""
    if not m.game.may_regenerate(m, card):
        return None
    for number in m.definition(card).regenerate:
        ability = m.definition(card).abilities[number]
        assert type(ability) is Regenerate
        frame = _frame(m, card, number)
        if query.holds(m, frame, ability.when) and stack.payable(m, frame, ability.cost):
            return number
    return None


def _frame(m: Match, card: int, number: int) -> Frame:
    return Frame(m.card(card).seat, card, number, since=m.state.seq)


def _cost(m: Match, card: int, number: int) -> Cost | None:
    """The cost of a regeneration: none, or one cost of one card (the linter allows no more)."""
    ability = m.definition(card).abilities[number]
    assert type(ability) is Regenerate
    return ability.cost[0] if ability.cost else None


def _leave(m: Match, doomed: tuple[int, ...]) -> None:
    for card in doomed:
        m.game.trigger(m, "destroyed", card, m.card(card).seat)
    for card in doomed:
        m.game.discard(m, card, "destroyed")


HANDLERS: dict[type[Task], Handler] = {Destroy: destroy, Save: save}
