"""X-Card: drawing from the two decks, and the hand limit (XC-45 … XC-47)."""

from __future__ import annotations

from engine.core.match import Match
from engine.core.tasks import Handler, Task
from engine.rulebooks.xcard.tasks import Draws, Limit
from events.actions import AnyAction, Choose
from events.kinds import RuleApplied

DISCARDS = {"warriors": "w_discard", "items": "i_discard"}
HAND_LIMIT = 7
DRAWS = 2
"""Cards that may be drawn each round, effects apart."""


def draws(m: Match, task: Draws, answer: AnyAction | None) -> None:
    seat, left = task.seat, task.left
    if type(answer) is Choose:
        draw(m, seat, m.declared.zone_names[answer.option])
        left -= 1
    elif answer is not None:
        return
    if left < 1 or m.value(seat, "no_draw"):
        return
    zones, index = m.state.zones[seat], m.declared.zone_names.index
    options = []
    if zones["warriors"] or zones["w_discard"]:  # used warriors come back as a deck, used items do not (XC-46)
        options.append(index("warriors"))
    if zones["items"]:
        options.append(index("items"))
    if options:
        m.ask(seat, "draw", Draws(seat, left), option_type="zone", options=options, optional=True)


def draw(m: Match, seat: int, deck: str, move_kind: str = "drawn") -> None:
    """Draws one card, which must be there; an empty warrior deck is first refilled from its discard pile."""
    zones = m.state.zones[seat]
    if not zones[deck]:
        cause = m.cause
        m.emit_cause(RuleApplied("reshuffle"))
        for card in zones["w_discard"][::-1]:
            m.move(card, seat, deck, "reshuffled", face_up=False)
        m.shuffle(seat, deck)
        m.caused_by(cause)
    m.move(zones[deck][-1], seat, "hand", move_kind)


def limit(m: Match, task: Limit, answer: AnyAction | None) -> None:
    hand = m.state.zones[task.seat]["hand"]
    if type(answer) is Choose:
        m.push(task)
        m.game.discard(m, answer.option, "limit")
    elif len(hand) > HAND_LIMIT:
        one_of_each = {m.definition(card).code: card for card in reversed(hand)}
        if len(one_of_each) > 1:
            options = sorted(one_of_each.values(), key=hand.index)
            m.ask(task.seat, "limit", task, option_type="card", options=options)
        else:
            m.push(task)
            m.game.discard(m, hand[0], "limit")


HANDLERS: dict[type[Task], Handler] = {Draws: draws, Limit: limit}
