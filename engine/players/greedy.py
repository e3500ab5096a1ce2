"""The greedy player: looks one own decision ahead and takes what the game's valuation likes best.

It never looks at what its seat may not know: hidden cards are dealt anew among the places where they can lie before
it tries anything, and the random outcomes of a try are not those of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.core.match import Match
from events.actions import AnyAction, Choose, Pass

FAR_ENOUGH = 12
"""Answers that a try goes on for after the decision, passing where it can, to see what comes of it."""


def player(seed: int) -> Callable[[Match], AnyAction]:
    """A greedy player; ties are broken at random from the seed."""
    random = Random(seed)
    return lambda match: decide(match, random)


def decide(match: Match, random: Random) -> AnyAction:
    """The best action for the asked seat."""
    actions = match.legal()
    if len(actions) == 1:
        return actions[0]
    asked = match.state.asked
    assert asked is not None
    imagined = imagine(match, asked.seat, random)
    best, most = actions[0], float("-inf")
    for action in actions:
        value = _worth(imagined.fork(), action, asked.seat) + random.random() * 1e-3
        if value > most:
            best, most = action, value
    return best


def imagine(match: Match, seat: int, random: Random) -> Match:
    """The match as it could be for all that `seat` knows: each owner's cards unseen by it change places.

    Where they really lie makes no difference to what is imagined, so a decision cannot follow from it.
    """
    state = match.state
    seed = None if state.seed is None else random.getrandbits(63)
    codes: dict[int, str] = {}
    for alike in unseen(match, seat):
        codes |= _deal(match, alike, random)
    return match.imagined(codes, seed)


def unseen(match: Match, seat: int) -> list[list[int]]:
    """The cards that lie so that `seat` does not see them, in groups that could lie in each other's places.

    Those are cards of one owner whose backs are the same. What the seat is being asked about it sees.
    """
    state, backs = match.state, match.game.backs
    offered = state.asked.options if state.asked is not None else ()
    found: dict[tuple[int, str], list[int]] = {}
    for side, zones in enumerate(state.zones):
        for name, cards in zones.items():
            see = match.declared.zones[name].visible_to
            if see == "all" or (side == seat and see != "none"):
                continue
            for number in cards:
                card = state.cards[number]
                if number not in offered and not (see == "up" and card.face_up):
                    found.setdefault((card.owner, backs[card.code or ""]), []).append(number)
    return [sorted(found[key]) for key in sorted(found)]


def _deal(match: Match, alike: list[int], random: Random) -> dict[int, str]:
    """Gives these cards each other's codes; face down on the table lies what may lie there, a card of that kind."""
    cards = match.state.cards
    codes = sorted(cards[number].code or "" for number in alike)
    codes.sort(key=lambda code: random.random())
    dealt: dict[int, str] = {}
    for number in alike:
        if match.on_table(number):
            kind = match.definition(number).kind
            at = next(n for n, code in enumerate(codes) if match.game.cards[code].kind == kind)
            dealt[number] = codes.pop(at)
    rest = [number for number in alike if number not in dealt]
    dealt.update(zip(rest, reversed(codes), strict=True))
    return dealt


def _worth(trial: Match, action: AnyAction, seat: int) -> float:
    """What the position is worth once the action's consequences have played out."""
    turn = trial.state.turn
    trial.carry_out(action)
    for _ in range(FAR_ENOUGH):
        asked = trial.state.asked
        if asked is None or trial.state.turn != turn or (not asked.options and not trial.state.stack):
            break
        trial.carry_out(Pass() if not asked.options or asked.optional else Choose(asked.options[0]))
    result = trial.state.result
    if result is not None:
        return 0.0 if result.winner is None else 1e6 if result.winner == seat else -1e6
    return trial.game.evaluate(trial, seat)
