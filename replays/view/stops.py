"""Where one stops in a game: the moment of each line, and the actions.

A line stops at the last record of what it tells, before the next thing begins or the picture of it is over: an attack
with its target set, damage with the counter changed, a question that has just been asked with it open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from events import kinds as k
from events.actions import Choose, Pass
from events.kinds import Event
from replays.view.narrate import Line

FIGHT = (k.AttackSet, k.AttackMet, k.DamageCalculated, k.DamageDealt)
STRUCK = (k.AttackMet, k.DamageDealt)
ENDS_PICTURE = (k.TurnBegan, k.PhaseBegan, k.StackPopped, k.GameEnded, k.Sealed)
_HEADINGS = (k.PhaseBegan, k.TurnBegan, k.GameStarted)


class Moment(NamedTuple):
    """A line's records: it tells of `first` to `stop`, where one stops; `line` is the one whose number it bears."""

    first: int
    line: int
    stop: int
    folds: bool = False
    """it is part of a reckoning, and folded away under its action"""


class ActionSpan(NamedTuple):
    """What one press of a key goes on by: records `first` to `last`, told by the line `head`, with one stop.

    A free decision, or what the other seat does about it, with what follows at once; of what nobody decides, the
    beginning of a turn, a phase in which something happens, one attack, clash or strike, the end.
    """

    first: int
    last: int
    seat: int | None
    """who decided"""
    head: int
    stop: int


def moments(events: Sequence[Event], lines: Sequence[Line]) -> list[Moment]:
    """The moment of each line that is shown, in order; no two share a record."""
    found: list[Moment] = []
    first: int | None = None
    for number, line in enumerate(lines):
        if line.line > number and first is None:
            first = number
        if not line.quiet:
            begun = number if first is None else first
            found.append(Moment(begun, number, _stop(events, lines, number), line.folds))
            first = None
    return found


def _stop(events: Sequence[Event], lines: Sequence[Line], number: int) -> int:
    """The last record told by this line's: it ends before the picture does, and before the other seat decides."""
    stop = number
    if isinstance(events[number], k.TurnBegan | k.GameStarted | k.GameEnded):
        return stop
    told = events[number]
    for later in range(number + 1, len(lines)):
        event = events[later]
        if lines[later].line != number or _ends_picture(event) or _is_cleared(told, event):
            break
        if isinstance(told, k.Acted) and not isinstance(event, k.Asked) and _follows_a_phase(events, lines[later]):
            break
        if isinstance(event, k.Acted):
            if not isinstance(told, k.Acted) or event.seat != told.seat or isinstance(event.action, Pass):
                break
        elif not isinstance(event, k.CardIdentified):
            stop = later
    return stop


def _ends_picture(event: Event) -> bool:
    if isinstance(event, k.AttackSet):
        return event.target is None
    return isinstance(event, ENDS_PICTURE)


def _follows_a_phase(events: Sequence[Event], line: Line) -> bool:
    """Nobody's decision brought it about."""
    return isinstance(events[line.cause], k.TurnBegan | k.PhaseBegan)


def _is_cleared(told: Event, event: Event) -> bool:
    """The value that is told changes again, or its card goes away and takes it along."""
    if not isinstance(told, k.CounterSet):
        return False
    again = isinstance(event, k.CounterSet) and (event.entity, event.name) == (told.entity, told.name)
    return again or (isinstance(event, k.CardMoved) and event.card == told.entity)


class _Stretch(Struct):
    """An action in the making."""

    first: int
    seat: int | None
    fights: bool = False
    struck: bool = False
    headings: list[Moment] = []
    told: list[Moment] = []


def actions(events: Sequence[Event], lines: Sequence[Line], told: Sequence[Moment]) -> list[ActionSpan]:
    """The actions of a game, one after another without a gap. What has no line of its own belongs to the one before."""
    moment = {found.line: found for found in told}
    stretches = [_Stretch(0, None)]
    for number, line in enumerate(lines):
        event = events[number]
        if number and _begins(stretches[-1], events, line):
            stretches.append(_Stretch(number, event.seat if isinstance(event, k.Acted) else None))
        now = stretches[-1]
        now.fights = now.fights or isinstance(event, FIGHT)
        now.struck = now.struck or isinstance(event, STRUCK)
        if not line.quiet:
            (now.headings if isinstance(event, _HEADINGS) else now.told).append(moment[number])
    return _joined(events, lines, stretches)


def _begins(now: _Stretch, events: Sequence[Event], line: Line) -> bool:
    """Whether a record begins something new, in view of the stretch so far."""
    event = events[line.record]
    match event:
        case k.TurnBegan() | k.GameEnded():
            return True
        case k.PhaseBegan():
            return bool(now.told)
        case k.Acted(action=Pass()):
            return not line.quiet and event.seat != now.seat
        case k.Acted(action=Choose()):
            return event.seat != now.seat
        case k.Acted():
            return True
    if not isinstance(event, FIGHT) or isinstance(events[line.cause], k.Acted | k.StackPopped):
        return False
    if isinstance(event, k.AttackSet) and (line.quiet or event.target is None):
        return False
    return now.struck if now.fights else bool(now.headings)


def _joined(events: Sequence[Event], lines: Sequence[Line], stretches: Sequence[_Stretch]) -> list[ActionSpan]:
    found: list[ActionSpan] = []
    kept = [s for n, s in enumerate(stretches) if n == 0 or s.told or _opens(s, events)]
    for number, stretch in enumerate(kept):
        last = kept[number + 1].first - 1 if number + 1 < len(kept) else len(lines) - 1
        head = _head(events, stretch)
        stop = stretch.told[-1].stop if stretch.told else head.stop
        found.append(ActionSpan(stretch.first, last, stretch.seat, head.line, stop))
    return found


def _opens(stretch: _Stretch, events: Sequence[Event]) -> bool:
    return any(isinstance(events[heading.line], k.TurnBegan) for heading in stretch.headings)


def _head(events: Sequence[Event], stretch: _Stretch) -> Moment:
    """The line that stands for an action: its heading or decision; of a reckoning, what came of it."""
    if stretch.headings and stretch.seat is None and not stretch.fights:
        return stretch.headings[0]
    plain = [one for one in stretch.told if not isinstance(events[one.line], k.DamageCalculated)]
    return [*plain, *stretch.told, *stretch.headings, Moment(0, 0, 0)][0]
