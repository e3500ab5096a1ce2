"""Carrying effects out: a frame runs over its ability's flat instructions (see `engine.effects`).

After each instruction the frame waits below whatever that instruction pushed, so state checks, replacements and
questions come in between. An instruction that asks is run again, unchanged, with the answer.
"""

from __future__ import annotations

from msgspec import structs

from engine.core.match import Match
from engine.core.tasks import Handler, Run, Task
from engine.effects.instruction import Question
from events.actions import AnyAction


def run(m: Match, task: Run, answer: AnyAction | None) -> None:
    """One instruction; the frame waits below whatever it pushes."""
    frame = task.frame
    program = m.game.cards[frame.code].programs[frame.ability]
    if frame.at >= len(program):
        return
    depth, cause = len(m.agenda), m.cause
    after = program[frame.at].run(m, frame, answer)
    m.caused_by(cause)  # whatever the instruction caused, the effect is the cause of the next one
    if type(after) is Question:
        m.ask(
            after.seat, after.question, Run(after.frame), option_type=after.option_type, options=after.options,
            about=(frame.card,), optional=after.optional,
        )
    elif m.state.result is None:
        m.push_under(depth, Run(structs.replace(frame, at=frame.at + 1) if after is None else after))


HANDLERS: dict[type[Task], Handler] = {Run: run}
