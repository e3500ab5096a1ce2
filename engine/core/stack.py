"""The stack and its windows: announcing effects, responding, resolving last in, first out. One for all games.

An effect is announced (targets, then costs), pushed on the stack, and waits. Two passes in a row resolve the whole
stack without further windows, except that triggers which fire meanwhile go on top of it and open a window first.
"""

from __future__ import annotations

import itertools

from msgspec import structs

from engine.core.match import Match
from engine.core.tasks import Announce, EndItem, Handler, ResolveStack, Run, Task, Window
from engine.effects import query
from engine.effects.abilities import Activated, Effect, Triggered
from engine.effects.language import Cost, Target
from events.actions import AnyAction, Choose, Pass, Use
from events.kinds import FIRST_ITEM, Frame, StackPopped, StackPushed

MAX_RESOLVED = 200
"""Stack items resolved in one turn before the game is a draw, reason `loop`."""


# --- announcing ---------------------------------------------------------------------------------------------


def use(m: Match, seat: int, action: Use) -> None:
    """A player uses an ability of a card on the table, or a card from the hand."""
    definition = m.definition(action.card)
    from_hand = not m.on_table(action.card)
    what = definition.kind if from_hand else "ability"
    ability = definition.effect if from_hand else action.ability
    assert ability is not None
    m.push(Announce(Frame(seat, action.card, ability, code=definition.code), what))


def announce(m: Match, task: Announce, answer: AnyAction | None) -> None:
    frame = task.frame
    ability = m.game.cards[frame.code].abilities[frame.ability]
    if type(answer) is Choose:
        slot = _open_slot(frame, ability)
        assert slot is not None
        frame = _fill(frame, slot, answer.option)
    elif answer is not None:
        frame = _close(frame, _open_slot(frame, ability))
    targets: tuple[Target, ...] = getattr(ability, "targets", ())
    for number, target in enumerate(targets):
        if _wants(frame, target.slot, target.n):
            _name(m, frame, task.item_kind, targets, number)
            return
    costs: tuple[Cost, ...] = getattr(ability, "cost", ())
    for number, cost in enumerate(costs):
        slot = f"#{number}"
        if cost.pay != "discard" or not _wants(frame, slot, cost.n):
            continue
        missing = cost.n - len(frame.slots.get(slot, ()))
        after = [payers(m, frame, c) for c in costs[number + 1:] if c.pay == "discard" for _ in range(c.n)]
        options = _without_starving(payers(m, frame, cost), missing - 1, after)
        if len(options) == missing:
            frame = structs.replace(frame, slots={**frame.slots, slot: (*frame.slots.get(slot, ()), *options)})
        else:
            m.ask(
                frame.seat,
                "cost",
                Announce(frame, task.item_kind),
                option_type="card",
                options=options,
                about=(frame.card,),
            )
            return
    _put_on_stack(m, frame, task.item_kind, ability)


def _name(m: Match, frame: Frame, what: str, targets: tuple[Target, ...], number: int) -> None:
    """Chooses the next entity for target `number`, asking where there is a choice."""
    target = targets[number]
    named = {e for t in targets for e in frame.slots.get(t.slot, ())}
    options = [e for e in query.cards(m, target.from_, frame.seat, frame.card) if e not in named]
    after = [
        [e for e in query.cards(m, t.from_, frame.seat, frame.card) if e not in named]
        for t in targets[number + 1:] if not t.up_to for _ in range(t.n)
    ]
    missing = 0 if target.up_to else target.n - len(frame.slots.get(target.slot, ()))
    options = _without_starving(options, max(0, missing - 1), after)
    if not options and not frame.slots.get(target.slot) and not target.up_to:
        m.push(EndItem(frame.card, what))  # a trigger without a candidate is not put on the stack
    elif not options:
        m.push(Announce(_close(frame, target.slot), what))
    elif len(options) == 1 and not target.up_to:
        m.push(Announce(_fill(frame, target.slot, options[0]), what))
    else:
        m.ask(
            frame.seat,
            "target",
            Announce(frame, what),
            option_type=_kind(options),
            options=options,
            about=(frame.card,),
            optional=target.up_to,
        )


def nameable(m: Match, frame: Frame, targets: tuple[Target, ...]) -> bool:
    """Whether all required targets can be chosen, each a different entity."""
    wanted = []
    for target in targets:
        if not target.up_to:
            found = query.cards(m, target.from_, frame.seat, frame.card)
            if not found:
                return False
            wanted += [found] * target.n
    return matched(wanted)


def _without_starving(options: list[int], more: int, after: list[list[int]]) -> list[int]:
    """The options that leave enough for `more` of them and for later targets; all options, if none does."""
    if not after:
        return options
    wanted = [options] * more + after
    return [e for e in options if matched([[o for o in w if o != e] for w in wanted])] or options


def matched(wanted: list[list[int]]) -> bool:
    """Whether one can take a different entity from each of these lists."""
    if len(wanted) < 2:
        return all(wanted)
    given: dict[int, int] = {}

    def give(number: int, tried: set[int]) -> bool:
        for entity in wanted[number]:
            if entity not in tried:
                tried.add(entity)
                if entity not in given or give(given[entity], tried):
                    given[entity] = number
                    return True
        return False

    return all(give(number, set()) for number in range(len(wanted)))


def _open_slot(frame: Frame, ability: object) -> str | None:
    for target in getattr(ability, "targets", ()):
        if _wants(frame, target.slot, target.n):
            return target.slot
    for number, cost in enumerate(getattr(ability, "cost", ())):
        if cost.pay == "discard" and _wants(frame, f"#{number}", cost.n):
            return f"#{number}"
    return None


def _wants(frame: Frame, slot: str, n: int) -> bool:
    return len(frame.slots.get(slot, ())) < n and f"{slot}." not in frame.slots


def _fill(frame: Frame, slot: str, entity: int) -> Frame:
    return structs.replace(frame, slots={**frame.slots, slot: (*frame.slots.get(slot, ()), entity)})


def _close(frame: Frame, slot: str | None) -> Frame:
    return structs.replace(frame, slots={**frame.slots, f"{slot}.": ()})


def _kind(options: list[int]) -> str:
    return "item" if options[0] >= FIRST_ITEM else "card"


def _put_on_stack(m: Match, frame: Frame, what: str, ability: object) -> None:
    frame = structs.replace(frame, since=m.state.seq)
    if type(ability) is Effect and not m.on_table(frame.card):
        m.move(frame.card, frame.seat, m.game.stack_zone, "announced")
    if type(ability) is Activated:
        m.game.mark_used(m, frame.card, frame.ability)
    for number, cost in enumerate(getattr(ability, "cost", ())):
        pay(m, frame, cost, frame.slots.get(f"#{number}", ()))
    slots = {name: cards for name, cards in frame.slots.items() if not name.startswith("#") and name[-1] != "."}
    item = m.state.next_item
    m.emit(StackPushed(item, what, structs.replace(frame, item=item, slots=slots)))
    if type(ability) is Effect:
        m.game.announced(m, frame)


# --- costs --------------------------------------------------------------------------------------------------


def payers(m: Match, frame: Frame, cost: Cost) -> list[int]:
    """Cards of the player that can be discarded for a cost, without those already chosen for costs."""
    named = {e for name, cards in frame.slots.items() if name.startswith("#") for e in cards}
    assert cost.from_ is not None
    found = query.cards(m, structs.replace(cost.from_, of="own"), frame.seat, frame.card)
    in_hand = not m.on_table(frame.card)
    return [e for e in found if e not in named and not (in_hand and e == frame.card)]


def payable(m: Match, frame: Frame, costs: tuple[Cost, ...]) -> bool:
    """Whether all of the costs can be paid now."""
    wanted: list[list[int]] = []
    for cost in costs:
        if cost.pay == "exhaust" and m.card(frame.card).exhausted:
            return False
        if cost.pay == "mill" and m.state.count(frame.seat, m.game.deck_zone) < cost.n:
            return False
        if cost.pay == "discard":
            wanted += [payers(m, frame, cost)] * cost.n
    return matched(wanted)


def pay(m: Match, frame: Frame, cost: Cost, cards: tuple[int, ...]) -> None:
    """Pays one cost; `cards` are those chosen for it."""
    if cost.pay == "exhaust":
        m.exhaust(frame.card, True)
    elif cost.pay == "mill":
        m.game.mill(m, frame.seat, cost.n, "cost")
    else:
        for card in cards:
            m.game.discard(m, card, "cost")


# --- windows and resolving ----------------------------------------------------------------------------------


def window(m: Match, task: Window, answer: AnyAction | None) -> None:
    seat, passes = m.state.active if task.speaker is None else task.speaker, task.passes
    if type(answer) is Use:
        m.push(Window(1 - seat))
        use(m, seat, answer)
        return
    if answer is not None:
        seat, passes = 1 - seat, passes + 1
    while passes < 2:
        usable = iter(m.game.usable(m, seat))
        for first in usable:
            m.ask(seat, "window", Window(seat, passes), offers=itertools.chain((Pass(), first), usable))
            return
        seat, passes = 1 - seat, passes + 1
    if m.state.stack:
        m.push(Window(None), ResolveStack())


def resolve_stack(m: Match, task: ResolveStack, answer: AnyAction | None) -> None:
    if not m.state.stack:
        return
    if m.state.resolved >= MAX_RESOLVED:
        m.end(None, "loop")
        return
    m.push(task)
    top = m.state.stack[-1]
    frame = _still_meant(m, top.frame)
    m.emit_cause(StackPopped(top.item, "fizzled" if frame is None else "resolved"))
    m.push(EndItem(top.frame.card, top.item_kind))
    if frame is not None and _comes_true(m, frame):
        m.push(Run(frame))


def _comes_true(m: Match, frame: Frame) -> bool:
    """Whether a trigger that was placed regardless of a condition on hidden cards meets that condition."""
    ability = m.game.cards[frame.code].abilities[frame.ability]
    if type(ability) is not Triggered or not query.reads_hidden(m, ability.when):
        return True
    return query.holds(m, frame, ability.when)


def _still_meant(m: Match, frame: Frame) -> Frame | None:
    """The frame with the targets that are still legal; None if it had targets and none of them is.

    An effect whose targets are all gone or illegal does nothing.
    """
    targets: tuple[Target, ...] = getattr(m.game.cards[frame.code].abilities[frame.ability], "targets", ())
    named = {t.slot: frame.slots.get(t.slot, ()) for t in targets}
    meant = {
        t.slot: tuple(
            e for e in named[t.slot]
            if not query.gone(m, e, frame.since) and query.matches(m, e, t.from_, frame.seat, frame.card)
        )
        for t in targets
    }
    if any(named.values()) and not any(meant.values()):
        return None
    return frame if meant == named else structs.replace(frame, slots={**frame.slots, **meant})


def cancel(m: Match, item: int) -> None:
    """Takes an item off the stack without effect; its card is used up."""
    waiting = next(one for one in m.state.stack if one.item == item)
    m.emit(StackPopped(item, "cancelled"))
    m.push(EndItem(waiting.frame.card, waiting.item_kind))


def end_item(m: Match, task: EndItem, answer: AnyAction | None) -> None:
    if task.item_kind not in ("ability", "trigger") and m.card(task.card).zone == m.game.stack_zone:
        m.game.discard(m, task.card, m.game.spent_as.get(task.item_kind, "spent"))


HANDLERS: dict[type[Task], Handler] = {
    Announce: announce,
    Window: window,
    ResolveStack: resolve_stack,
    EndItem: end_item,
}
