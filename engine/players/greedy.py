"""The greedy player: looks one own decision ahead and takes what the game's valuation likes best.

It never looks at what its seat may not know: hidden cards are dealt anew among the places where they can lie before
it tries anything, and the random outcomes of a try are not those of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.core.match import Match
from engine.rulebooks.rulebook import Rulebook
from engine.state import Card, State, copy, sees
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
    imagined = Match(match.game, imagine(match, asked.seat, random))
    best, most = actions[0], float("-inf")
    for action in actions:
        value = _worth(imagined.fork(), action, asked.seat) + random.random() * 1e-3
        if value > most:
            best, most = action, value
    return best


def imagine(match: Match, seat: int, random: Random) -> State:
    """The table as it could be for all that `seat` knows: each owner's cards unseen by it change places.

    Where they really lie makes no difference to what is imagined, so a decision cannot follow from it.
    """
    state = copy(match.state)
    if state.seed is not None:
        state.seed = random.getrandbits(63)
    zones = match.game.declared.zones
    offered = state.asked.options if state.asked is not None else ()
    for owner in (0, 1):
        backs: dict[str, list[Card]] = {}
        for number, card in state.cards.items():
            if (
                card.owner == owner
                and number not in offered
                and not sees(zones[card.zone], card.seat, card.face_up, seat)
            ):
                backs.setdefault(match.game.back(match.game.cards[card.code]), []).append(card)  # type: ignore[index]
        for alike in backs.values():
            _deal(match.game, alike, random)
    return state


def _deal(game: Rulebook, alike: list[Card], random: Random) -> None:
    """Gives these cards each other's faces; face down on the table lies what may lie there, a card of that kind."""
    codes = sorted(str(card.code) for card in alike)
    random.shuffle(codes)
    table = game.declared.table
    for card in sorted(alike, key=lambda c: c.zone not in table):
        at = -1
        if card.zone in table:
            kind = game.cards[str(card.code)].kind
            at = next(n for n, code in enumerate(codes) if game.cards[code].kind == kind)
        card.code = codes.pop(at)


def _worth(trial: Match, action: AnyAction, seat: int) -> float:
    """What the position is worth once the action's consequences have played out."""
    turn = trial.state.turn
    trial.act(action)
    for _ in range(FAR_ENOUGH):
        asked = trial.state.asked
        if asked is None or trial.state.turn != turn or (not asked.options and not trial.state.stack):
            break
        trial.act(Pass() if not asked.options or asked.optional else Choose(asked.options[0]))
    result = trial.state.result
    if result is not None:
        return 0.0 if result.winner is None else 1e6 if result.winner == seat else -1e6
    return trial.game.evaluate(trial, seat)
