"""One card out of several: the only one that there is, or the one that a player chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from engine.core.match import Match
from engine.core.tasks import Task
from events.actions import AnyAction, Choose


def first_of_each(cards: Iterable[int], key: Callable[[int], str]) -> list[int]:
    """The first card of each key, such as a name: choosing between equal cards would be no choice."""
    found: dict[str, int] = {}
    for card in cards:
        found.setdefault(key(card), card)
    return list(found.values())


def one_of(
    m: Match, seat: int, question: str, task: Task, answer: AnyAction | None, options: Sequence[int],
    about: tuple[int, ...] = (),
) -> int | None:
    """The card that the seat chose in `answer`, or the only option; None where the seat is now asked."""
    if type(answer) is Choose:
        return answer.option
    if len(options) == 1:
        return options[0]
    m.ask(seat, question, task, option_type="card", options=options, about=about)
    return None
