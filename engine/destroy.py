"""The one door to destruction. Replacements are asked for first, then what hears it is set off, then cards move.

Cards that are destroyed together hear each other leave. A discard, a cost or an overflow is no destruction and does
not come through here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from engine import pile, select
from engine.effects import Cost, Regenerate
from engine.machine import Handler, Task
from events.actions import AnyAction, Choose
from events.kinds import Frame, Resolved

if TYPE_CHECKING:
    from engine.machine import Match


class Destroy(Task, frozen=True):
    """`cards` are about to be destroyed; for those in `doomed` nothing can be done any more."""

    cards: tuple[int, ...]
    doomed: tuple[int, ...] = ()


def destroy(m: Match, task: Destroy, answer: AnyAction | None) -> None:
    cards = [c for c in task.cards if m.on_table(c)]
    doomed = tuple(c for c in task.doomed if m.on_table(c))
    if not cards:
        _leave(m, doomed)
        return
    card, rest = cards[0], tuple(cards[1:])
    number = regeneration(m, card)
    if number is None:
        m.push(Destroy(rest, (*doomed, card)))
        return
    frame, cost = _frame(m, card, number), _cost(m, card, number)
    if answer is None and cost is not None:
        by_card = cost.pay == "discard"
        m.ask(
            frame.seat, "regenerate", structs.replace(task, cards=(card, *rest), doomed=doomed),
            of="card" if by_card else "yes_no", options=pile.payers(m, frame, cost) if by_card else (1, 0),
            about=(card,), may=by_card,
        )
    elif cost is not None and (not isinstance(answer, Choose) or (cost.pay != "discard" and not answer.option)):
        m.push(Destroy(rest, (*doomed, card)))
    else:
        m.push(Destroy(rest, doomed))
        m.emit_cause(Resolved("regenerate", card))
        if cost is not None and isinstance(answer, Choose):
            pile.pay(m, frame, cost, (answer.option,))
        if m.on_table(card):
            m.set_counter(card, "damage", 0)


def regeneration(m: Match, card: int) -> int | None:
    """Number of the ability by which the card can be saved now, if any."""
    if not m.game.may_regenerate(m, card):
        return None
    for number in m.definition(card).regenerate:
        ability = m.definition(card).abilities[number]
        assert isinstance(ability, Regenerate)
        frame = _frame(m, card, number)
        if select.holds(m, frame, ability.when) and pile.payable(m, frame, ability.cost):
            return number
    return None


def _frame(m: Match, card: int, number: int) -> Frame:
    return Frame(m.card(card).seat, card, number, since=m.state.seq)


def _cost(m: Match, card: int, number: int) -> Cost | None:
    """What a regeneration costs: nothing, or one cost of one card (the linter sees to that)."""
    ability = m.definition(card).abilities[number]
    assert isinstance(ability, Regenerate)
    return ability.cost[0] if ability.cost else None


def _leave(m: Match, doomed: tuple[int, ...]) -> None:
    for card in doomed:
        m.game.hear(m, "destroyed", card, m.card(card).seat)
    for card in doomed:
        m.game.discard(m, card, "destroyed")


HANDLERS: dict[type[Task], Handler] = {Destroy: destroy}
