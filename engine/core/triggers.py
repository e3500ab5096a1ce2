"""Triggered abilities: what fires at which moment of a game, and how it gets onto the stack."""

from __future__ import annotations

from msgspec import structs

from engine.core.match import Match
from engine.core.tasks import Announce, Handler, PendingTrigger, Place, ResolveStack, Task
from engine.effects import query
from engine.effects.abilities import Triggered
from events.actions import AnyAction, Choose
from events.kinds import Frame

TRIGGER, REACTION = "trigger", "reaction"
AT_PLACING = ("destroyed",)
"""Moments at which triggers fire before the cards move: they mean the cards where these end up."""


def trigger(m: Match, moment: str, card: int | None, seat: int) -> None:
    """Fires the triggers of this moment, which concerns `card` (or the player `seat`)."""
    listening = m.listeners.get(moment)
    if not listening:
        return
    for source, ability in listening:
        definition, owner = m.printed[source], m.state.cards[source].seat
        trigger: Triggered = definition.abilities[ability]
        if not _concerns(trigger.whose, source, owner, card, seat):
            continue
        if trigger.fits is not None and (card is None or not query.matches(m, card, trigger.fits, owner, source)):
            continue
        if trigger.when is not None:
            frame = Frame(owner, source, ability, since=m.state.seq, slots={} if card is None else {"it": (card,)})
            if not query.holds(m, frame, trigger.when, openly=True):  # what is placed tells nothing of hidden cards
                continue
        since = None if moment in AT_PLACING else m.state.seq
        m.set_off(PendingTrigger(TRIGGER, owner, source, definition.code, ability, m.cause, since, card))


def take_due(m: Match) -> tuple[PendingTrigger, ...]:
    """Removes and returns the triggers to be placed now: reactions at once; everything else waits until no reaction
    is on the stack.
    """
    reactions = tuple(t for t in m.pending if t.item_kind == REACTION)
    if reactions:
        m.pending = [t for t in m.pending if t.item_kind != REACTION]
        return reactions
    if any(q.item_kind == REACTION for q in m.state.stack):
        return ()
    due, m.pending = tuple(m.pending), []
    return due


def remember_attack(m: Match) -> None:
    """Called just before an attack ends: triggers that came from it and still wait can refer to its cards."""
    attack = (*m.state.attack, m.state.seq)
    m.pending = [
        structs.replace(t, attack=attack) if t.attack is None and t.ability in m.game.cards[t.code].of_attack else t
        for t in m.pending
    ]


def _concerns(whose: str, source: int, owner: int, card: int | None, seat: int) -> bool:
    if whose == "self":
        return source == card or (card is None and owner == seat)
    return whose == "any" or (owner == seat) == (whose == "own")


def place(m: Match, task: Place, answer: AnyAction | None) -> None:
    """Puts the next trigger on the stack; its owner chooses where there is more than one."""
    group = _next_group(m, task.waiting)
    seat = group[0].seat
    if type(answer) is Choose:
        first = group[answer.option]
    elif len({(t.code, t.ability, t.it) for t in group}) > 1:
        cards = tuple(t.card for t in group)
        m.ask(seat, "order", task, option_type="number", options=range(len(group)), about=cards)
        return
    else:
        first = group[0]
    rest = list(task.waiting)
    rest.remove(first)
    if rest:
        m.push(structs.replace(task, waiting=tuple(rest)))
    if task.in_order:
        m.push(ResolveStack(quiet=True))
    m.caused_by(first.cause)
    frame = Frame(first.seat, first.card, first.ability, since=m.state.seq, code=first.code, slots=_slots(m, first))
    m.push(Announce(frame, first.item_kind))


def _slots(m: Match, trigger: PendingTrigger) -> dict[str, tuple[int, ...]]:
    """The slots of the ability: cards that have left since it fired are no longer meant."""
    slots: dict[str, tuple[int, ...]] = {}
    lost = trigger.since is not None and trigger.item_kind == TRIGGER
    if trigger.it is not None:
        slots["it"] = () if lost and query.gone(m, trigger.it, trigger.since or 0) else (trigger.it,)
    if lost and query.gone(m, trigger.card, trigger.since or 0):
        slots["self"] = ()
    if trigger.attack is not None:
        *cards, over = trigger.attack
        for name, card in zip(("attacker", "attacked"), cards, strict=True):
            slots[name] = (card,) if card is not None and card > 1 and not query.gone(m, card, over) else ()
    return slots


def _next_group(m: Match, waiting: tuple[PendingTrigger, ...]) -> list[PendingTrigger]:
    own = [t for t in waiting if t.seat == m.state.active]
    return own or list(waiting)


HANDLERS: dict[type[Task], Handler] = {Place: place}
