"""Carrying effects out: a frame runs over its ability's flat instructions, one function for each kind.

After each instruction the frame goes back under what that set off, so state checks, replacements and questions come
in between. An instruction that asks puts the frame back unchanged and is done again with the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import structs

from engine.core import query, stack, values
from engine.core.destruction import Destroy
from engine.core.match import Match
from engine.core.stack import Run
from engine.core.tasks import Handler, Task
from engine.effects import language as fx
from events.actions import AnyAction, Choose, Pass
from events.kinds import CardsRevealed, DamageDealt, Frame

Carry: TypeAlias = "Callable[[Match, Frame, Any, AnyAction | None], Frame | None]"


def run(m: Match, task: Run, answer: AnyAction | None) -> None:
    """One instruction; the frame waits below whatever it pushes."""
    frame = task.frame
    program = m.game.cards[frame.code].programs[frame.ability]
    if frame.at >= len(program):
        return
    depth, cause = len(m.agenda), m.cause
    instruction = program[frame.at]
    after = CARRY[type(instruction)](m, frame, instruction, answer)
    m.caused_by(cause)  # whatever rule the instruction brought about, the next one is the effect's again
    if after is not None and m.state.result is None:
        m.push_under(depth, Run(after))


def on(frame: Frame) -> Frame:
    """The frame, one instruction further."""
    return structs.replace(frame, at=frame.at + 1)


def _table(m: Match, frame: Frame, what: fx.Who) -> list[int]:
    return [card for card in query.who(m, frame, what) if m.on_table(card)]


def draw(m: Match, frame: Frame, i: fx.Draw, answer: AnyAction | None) -> Frame:
    for seat in _seats(i.who, frame):
        m.game.draw(m, seat, query.number(m, frame, i.n))
    return on(frame)


def burst(m: Match, frame: Frame, i: fx.Burst, answer: AnyAction | None) -> Frame:
    for seat in _seats(i.who, frame):
        n = min(query.number(m, frame, i.n), m.state.count(seat, m.game.deck_zone))
        if n > 0:
            m.emit(DamageDealt(frame.card, seat, n))
            m.game.burst(m, seat, n)
    return on(frame)


def mill(m: Match, frame: Frame, i: fx.Mill, answer: AnyAction | None) -> Frame:
    for seat in _seats(i.who, frame):
        m.game.mill(m, seat, query.number(m, frame, i.n), "milled")
    return on(frame)


def _seats(side: fx.Side, frame: Frame) -> tuple[int, ...]:
    return query.sides(side, frame.seat)


def damage(m: Match, frame: Frame, i: fx.Damage, answer: AnyAction | None) -> Frame:
    n = query.number(m, frame, i.n)
    for card in _table(m, frame, i.what):
        if n > 0:
            m.emit(DamageDealt(frame.card, card, n))
            m.set_counter(card, "damage", m.value(card, "damage") + n)
    return on(frame)


def destroy(m: Match, frame: Frame, i: fx.Destroy, answer: AnyAction | None) -> Frame:
    cards = _table(m, frame, i.what)
    if cards:
        m.push(Destroy(tuple(cards)))
    return on(frame)


def move(m: Match, frame: Frame, i: fx.Move, answer: AnyAction | None) -> Frame:
    cards, slots = query.who(m, frame, i.what), _meant(m, frame)
    for card in cards:
        m.game.put(m, card, i.zone, i.at)
    return structs.replace(on(frame), since=m.state.seq, slots=slots)


def play(m: Match, frame: Frame, i: fx.Play, answer: AnyAction | None) -> Frame:
    cards, slots = query.who(m, frame, i.what), _meant(m, frame)
    for card in cards:
        m.game.play(m, frame.seat, card)
    return structs.replace(on(frame), since=m.state.seq, slots=slots)


def _meant(m: Match, frame: Frame) -> dict[str, tuple[int, ...]]:
    """The slots without what has gone by now: what the effect itself then moves is still meant by it."""
    slots = {name: tuple(e for e in held if not query.gone(m, e, frame.since)) for name, held in frame.slots.items()}
    if not query.who(m, frame, "self"):
        slots["self"] = ()
    return slots


def turn(m: Match, frame: Frame, i: fx.Exhaust, answer: AnyAction | None) -> Frame:
    for card in _table(m, frame, i.what):
        m.exhaust(card, i.exhausted)
    return on(frame)


def add(m: Match, frame: Frame, i: fx.AddValue, answer: AnyAction | None) -> Frame:
    n = query.number(m, frame, i.n)
    for card in _table(m, frame, i.what):
        if n:
            values.begin(m, frame.card, card, i.name, i.duration, add=n, ability=frame.ability)
    return on(frame)


def be(m: Match, frame: Frame, i: fx.SetValue, answer: AnyAction | None) -> Frame:
    for card in m.game.settable(m, frame, _table(m, frame, i.what), i.name):
        values.begin(m, frame.card, card, i.name, i.duration, be=i.value, ability=frame.ability)
    return on(frame)


def change(m: Match, frame: Frame, i: fx.Change, answer: AnyAction | None) -> Frame:
    n = query.number(m, frame, i.n)
    for seat in _seats(i.who, frame):
        m.set_counter(seat, i.name, values.within(m, i.name, m.value(seat, i.name) + n))
    return on(frame)


def choose(m: Match, frame: Frame, i: fx.ChooseCards, answer: AnyAction | None) -> Frame | None:
    # Without an answer it has just begun: what an earlier round of a loop has left in the slot is forgotten.
    chosen = () if answer is None else frame.slots.get(i.slot, ())
    if isinstance(answer, Choose):
        chosen = (*chosen, answer.option)
    frame = structs.replace(frame, slots={**frame.slots, i.slot: chosen})
    if isinstance(answer, Pass):
        return on(frame)
    left = [e for e in query.cards(m, i.from_, frame.seat, frame.card) if e not in chosen]
    if len(chosen) >= i.n or not left:
        return structs.replace(on(frame), slots={**frame.slots, i.slot: chosen})
    if len(left) <= i.n - len(chosen) and not i.up_to:
        return structs.replace(on(frame), slots={**frame.slots, i.slot: (*chosen, *left)})
    seat = frame.seat if i.by == "own" else 1 - frame.seat
    m.ask(seat, "choose", Run(frame), option_type="card", options=left, about=(frame.card,), optional=i.up_to)
    return None


def cancel(m: Match, frame: Frame, i: fx.Cancel, answer: AnyAction | None) -> Frame:
    for item in frame.slots.get(i.what, ()):
        if not query.gone(m, item, frame.since):
            stack.cancel(m, item)
    return on(frame)


def end_attack(m: Match, frame: Frame, i: fx.EndAttack, answer: AnyAction | None) -> Frame:
    m.game.end_attack(m)
    return on(frame)


def show(m: Match, frame: Frame, i: fx.Reveal, answer: AnyAction | None) -> Frame:
    cards = tuple(query.who(m, frame, i.what))
    if cards:
        m.emit(CardsRevealed(cards))
    return on(frame)


def shuffle(m: Match, frame: Frame, i: fx.Shuffle, answer: AnyAction | None) -> Frame:
    for seat in _seats(i.who, frame):
        m.shuffle(seat, m.game.deck_zone)
    return on(frame)


def special(m: Match, frame: Frame, i: fx.Special, answer: AnyAction | None) -> Frame:
    m.game.specials[i.name](m, frame)
    return on(frame)


def jump(m: Match, frame: Frame, i: fx.Jump, answer: AnyAction | None) -> Frame:
    return structs.replace(frame, at=i.to)


def unless(m: Match, frame: Frame, i: fx.Unless, answer: AnyAction | None) -> Frame:
    return on(frame) if query.holds(m, frame, i.when) else structs.replace(frame, at=i.to)


def ask(m: Match, frame: Frame, i: fx.Ask, answer: AnyAction | None) -> Frame | None:
    if not isinstance(answer, Choose):
        m.ask(frame.seat, "may", Run(frame), option_type="yes_no", options=(1, 0), about=(frame.card,))
        return None
    return on(frame) if answer.option else structs.replace(frame, at=i.to)


def next_(m: Match, frame: Frame, i: fx.Next, answer: AnyAction | None) -> Frame:
    rest = frame.slots.get(i.rest)
    if rest is None:
        rest = tuple(query.who(m, frame, i.what))
    slots = {name: held for name, held in frame.slots.items() if name not in (i.rest, i.slot)}
    for at, card in enumerate(rest):
        if not query.gone(m, card, frame.since):
            return structs.replace(on(frame), slots={**slots, i.slot: (card,), i.rest: rest[at + 1:]})
    return structs.replace(frame, at=i.to, slots=slots)


CARRY: dict[type[fx.Instruction], Carry] = {
    fx.Draw: draw,
    fx.Burst: burst,
    fx.Mill: mill,
    fx.Damage: damage,
    fx.Destroy: destroy,
    fx.Move: move,
    fx.Play: play,
    fx.Exhaust: turn,
    fx.AddValue: add,
    fx.SetValue: be,
    fx.Change: change,
    fx.ChooseCards: choose,
    fx.Cancel: cancel,
    fx.EndAttack: end_attack,
    fx.Reveal: show,
    fx.Shuffle: shuffle,
    fx.Special: special,
    fx.Jump: jump,
    fx.Unless: unless,
    fx.Ask: ask,
    fx.Next: next_,
}
HANDLERS: dict[type[Task], Handler] = {Run: run}
