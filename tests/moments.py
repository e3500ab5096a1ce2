"""What a line says is on the board where one stops for it: `python -m tests.moments [GAME ...] -n 100` plays and looks.

For each kind of line what its picture is; checked for every line of a game, and every action. The same runs over all
golden games in the test suite.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from msgspec import Struct

from engine.rulebooks import registry
from events import actions as act
from events import kinds as k
from events.kinds import Event
from replays.view.patches import FrameData, apply_patch
from replays.view.stops import Moment
from replays.view.timeline import KEYFRAME_STEPS, Timeline
from tests import play


class Seen(Struct):
    """A line where one stops for it: the board before its first record, at its stop, and what each record touched."""

    event: Any
    was: FrameData
    frame: FrameData
    touched: set[int]
    moved: dict[int, str]
    """card -> the last kind of move"""
    events: Sequence[Event]


def look(timeline: Timeline) -> list[tuple[Moment, Seen]]:
    """Every line of a game as the viewer shows it: frames by patches alone."""
    keys, patches = timeline.frames()
    frames = []
    for step, patch in enumerate(patches):
        frame = deepcopy(keys[step // KEYFRAME_STEPS] if step % KEYFRAME_STEPS == 0 else frames[-1])
        if step % KEYFRAME_STEPS:
            apply_patch(frame, patch)
        frames.append(frame)
    found = []
    for moment in timeline.moments:
        window = range(moment.first, moment.stop + 1)
        seen = Seen(timeline.events[moment.line], frames[max(0, moment.first - 1)], frames[moment.stop], set(), {},
                    [timeline.events[n] for n in window])  # fmt: skip
        for step in window:
            seen.touched |= set(frames[step]["now"]["cards"])
            for card in frames[step]["now"]["cards"] if "move_kind" in frames[step]["now"] else ():
                seen.moved[card] = frames[step]["now"]["move_kind"]
        found.append((moment, seen))
    return found


def value(frame: FrameData, entity: int, name: str) -> int | None:
    if entity < k.FIRST_CARD:
        return frame["seats"][entity].get(name)
    return frame["cards"][str(entity)].get("counters", {}).get(name)


def moved(s: Seen) -> bool:
    e = s.event
    if e.card == k.HIDDEN or str(e.card) not in s.frame["cards"]:  # nobody may know which card it is
        return bool(s.was["zones"] != s.frame["zones"])
    there = e.card in s.frame["zones"][e.seat][e.zone]
    lay = str(e.card) not in s.was["cards"] or e.card not in s.was["zones"][e.seat][e.zone]
    return s.moved.get(e.card) == e.move_kind and there and lay


def hurt(s: Seen) -> bool:
    """The number that the blow changed has changed."""
    e = s.event
    if e.target >= k.FIRST_CARD:
        card = str(e.target)
        return s.was["cards"][card].get("counters") != s.frame["cards"][card].get("counters")
    life = [(side["seats"][e.target], side["zones"][e.target]) for side in (s.was, s.frame)]
    return e.amount == 0 or life[0] != life[1]


def decided(s: Seen) -> bool:
    """What was decided has been done: the attack is set, the card moved, the effect announced, the choice marked."""
    e, action = s.event, s.event.action
    match action:
        case act.Attack():
            return s.frame["attack"] is not None and s.frame["attack"][0] == action.card
        case act.Move() | act.Play():
            cleared = any(isinstance(event, k.RuleApplied) for event in s.events) and action.card in s.touched
            return action.card == k.HIDDEN or action.card in s.moved or cleared  # a rule may first clear its place
        case act.Use():
            return action.card == k.HIDDEN or action.card in s.touched
        case act.Choose():
            asked = s.was["asked"]
            marked = asked["of"] != "card" or action.option == k.HIDDEN or action.option in s.touched
            return bool(marked or (s.frame["attack"] is not None and action.option in s.frame["attack"]))
    return s.frame["asked"] is None or s.frame["asked"]["seat"] != e.seat or s.frame["asked"] != s.was["asked"]


def attached(s: Seen) -> bool:
    return s.frame["cards"][str(s.event.card)].get("to") == s.event.to


PICTURES: dict[type, Callable[[Seen], bool]] = {
    k.CardMoved: moved,
    k.CardExhausted: lambda s: s.frame["cards"][str(s.event.card)].get("exhausted", False) == s.event.exhausted,
    k.CardFlipped: lambda s: s.frame["cards"][str(s.event.card)].get("face_up", True) == s.event.face_up,
    k.CardAttached: attached,
    k.CounterSet: lambda s: value(s.frame, s.event.entity, s.event.name) == s.event.value,
    k.CardsRevealed: lambda s: {c for c in s.event.cards if c != k.HIDDEN} <= s.touched,
    k.TurnBegan: lambda s: (s.frame["turn"], s.frame["active"]) == (s.event.turn, s.event.seat),
    k.PhaseBegan: lambda s: s.frame["phase"] == s.event.phase,
    k.Asked: lambda s: s.frame["asked"]["seat"] == s.event.seat,
    k.Acted: decided,
    k.StackPushed: lambda s: s.event.item in {item["item"] for item in s.frame["stack"]},
    k.StackPopped: lambda s: s.event.item not in {item["item"] for item in s.frame["stack"]},
    k.AttackSet: lambda s: s.frame["attack"] == [s.event.attacker, s.event.target],
    k.AttackMet: lambda s: [s.event.direction, s.event.source, s.event.target, s.event.outcome] in s.frame["meetings"],
    k.DamageCalculated: lambda s: s.event.value in [step[3] for step in s.frame["damage_steps"]],
    k.DamageDealt: hurt,
    k.RuleApplied: lambda s: s.event.card is None or s.event.card < k.FIRST_CARD or s.event.card in s.touched,
    k.ModifierBegan: lambda s: str(s.event.id) in s.frame["modifiers"],
    k.GameEnded: lambda s: s.frame["result"]["winner"] == s.event.winner,
}  # fmt: skip
"""Kind of record -> whether what its line says is to be seen. Of the others (a draw by lot, a note) nothing is."""


def check(timeline: Timeline) -> Counter[str]:
    """Looks at every line and action of a game; gives how many lines of each kind. Raises on the first fault."""
    counted: Counter[str] = Counter()
    for moment, seen in look(timeline):
        kind = type(seen.event)
        counted[kind.__name__] += 1
        told = f"{timeline.lines[moment.line].text!r} ({kind.__name__} {moment})"
        assert kind not in PICTURES or PICTURES[kind](seen), f"not on the board: {told}"
        crossed = [card for card, how in seen.moved.items() if timeline.board.marks.get(how) == "cross"]
        assert all(str(card) in seen.was["cards"] for card in crossed), f"a card that nobody has seen: {told}"
    actions_hold(timeline)
    return counted


def actions_hold(timeline: Timeline) -> None:
    """Actions lie end to end, each with a line of its own, and end before its picture does."""
    events, lines = timeline.events, {moment.line: moment for moment in timeline.moments}
    ends = [-1, *(action.last for action in timeline.actions)]
    assert [action.first for action in timeline.actions] == [end + 1 for end in ends[:-1]]
    assert ends[-1] == timeline.steps - 1
    for action in timeline.actions:
        assert action.first <= action.head <= action.stop <= action.last and action.head in lines, action
        after = [type(events[n]) for n in range(action.head + 1, action.stop + 1)]
        if not isinstance(events[action.head], k.TurnBegan | k.GameStarted):
            assert k.PhaseBegan not in after and k.TurnBegan not in after, f"a phase is swallowed: {action}"
        decided = [n for n in range(action.first, action.last + 1) if n in lines and isinstance(events[n], k.Acted)]
        assert len({events[n].seat for n in decided}) < 2, f"the other seat's decision is swallowed: {action}"


def main() -> None:
    """Random games of each rulebook."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=sorted(registry.GAMES), metavar="GAME")
    parser.add_argument("-n", type=int, default=100)
    count = parser.parse_args().n
    for key in parser.parse_args().games:
        counted: Counter[str] = Counter()
        for seed in range(count):
            match = play.begin(seed, key)
            events = play.play(match, seed)
            for seat in (None, 0, 1):
                counted += check(Timeline(events, match.game.rulebook, match.game.card_sets, seat))
        print(f"{key}: {count} games, {sum(counted.values())} lines, {dict(counted)}")


if __name__ == "__main__":
    main()
