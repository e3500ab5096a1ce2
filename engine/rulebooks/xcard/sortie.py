"""X-Card: the leader, at its place and on sortie (XC-38 … XC-41)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import values
from engine.core.match import Match
from engine.core.tasks import Handler, Illegal, Task
from engine.rulebooks.xcard.tasks import Failed
from events.actions import AnyAction
from events.kinds import RuleApplied

if TYPE_CHECKING:
    from engine.rulebooks.xcard.card import XCardDefinition

SORTIE_MAX_HP = 1000
WEAK, WEAKER = 1, 2
"""Bands of HP: 501 to 1000, 1 to 500."""
BONUS = {WEAK: 400, WEAKER: 600}
PENALTY = {WEAK: 300, WEAKER: 400}


def leader(m: Match, seat: int) -> int:
    """The leader card of a player: at its place, or on the field while it is on sortie."""
    zones = m.state.zones[seat]
    at_home = zones["leader"]
    return at_home[0] if at_home else next(card for card in zones["field"] if m.value(card, "band"))


def is_leader(m: Match, card: int) -> bool:
    return m.card(card).zone == "leader" or m.value(card, "band") > 0


def defence(m: Match, seat: int) -> int:
    """DEF of a player's leader before effects."""
    printed: XCardDefinition = m.definition(leader(m, seat))
    return printed.defence


def refuse_sortie(m: Match, seat: int, card: int) -> Illegal | None:
    """Why `card` cannot go on sortie while its side forms up, or None."""
    if card not in m.state.zones[seat]["leader"]:
        return Illegal("XC-38", "Only the leader goes on sortie, from its place")
    if m.state.phase != "form_attack":
        return Illegal("XC-38", "A leader on sortie attacks; it never defends")
    if m.value(seat, "hp") > SORTIE_MAX_HP:
        return Illegal("XC-38", f"A leader goes on sortie while its HP is {SORTIE_MAX_HP} or less")
    return None


def go(m: Match, seat: int) -> None:
    """The leader goes out; its band of HP is fixed now."""
    card = m.state.zones[seat]["leader"][0]
    band = WEAK if m.value(seat, "hp") > 500 else WEAKER
    m.emit_cause(RuleApplied("sortie", card))
    m.move(card, seat, "field", "sortie")
    m.set_counter(card, "band", band)
    values.apply_modifier(m, card, card, "atk", values.WHILE, add=BONUS[band])


def home(m: Match, card: int) -> None:
    """The leader goes back to its place. Its band lasts until its attack has been resolved."""
    m.move(card, m.card(card).seat, "leader", "home")
    for number in m.modifiers_on(card):
        if m.state.modifiers[number].duration == values.WHILE:
            values.remove_modifier(m, number)


def failed(m: Match, task: Failed, answer: AnyAction | None) -> None:
    card = leader(m, task.seat)
    m.emit_cause(RuleApplied("sortie_failed", card))
    m.set_counter(task.seat, "hp", m.value(task.seat, "hp") - PENALTY[m.value(card, "band")])


HANDLERS: dict[type[Task], Handler] = {Failed: failed}
