"""Many random games, each checked at every step: `python -m tests.soak GAME -n 10000 [--first N] [--jobs J]`.

Prints a report. A game is known by its number, so that a long run can be done in parts: `--first` has the next one's.

None may raise or be endless; every question has a legal answer, and what is offered is taken; each log folds to the
live state, verifies, and has each card in exactly one place at every step; in both seats' logs each card that lies open
is known, in its place, by one number. A smaller number of the same runs in the test suite.
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random

from engine.cards.decks import deck_list
from engine.fold import empty_state, fold
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks import registry
from engine.state import State
from events.kinds import Acted, GameEnded, Seat, TurnBegan
from events.record import decode, encode
from replays.play.simulate import all_pairs
from replays.view.verify import verify
from tests.play import answerable, as_log
from tests.seen import open_cards_have_their_numbers
from tests.state_json import to_json

BOUND = 5000
"""Decisions after which a game counts as endless."""


def check(key: str, seed: int, player_kind: str) -> tuple[str, int, int, int | None]:
    """Plays and checks game number `seed`; gives its ending, decisions, turns and winner. Raises on any fault."""
    game = registry.load(key)
    random = Random(seed)
    if seed % 2:
        decks = [game.trial_deck(random.sample(list(game.cards), 9), random.randrange) for _ in (0, 1)]
        options: dict[str, int | str | bool] = {}
    else:
        pairs = all_pairs(game.shipped_decks())
        pair = pairs[seed // 2 % len(pairs)]
        options = {"format": pair[0].format} if pair[0].format else {}
        decks = [deck_list(deck) for deck in pair]
    seats = (Seat("A", player_kind, decks[0]), Seat("B", player_kind, decks[1]))
    match = game.begin(game.header(seats, options, seed, origin="simulated"))
    players = [PLAYER_KINDS[player_kind](seed), PLAYER_KINDS[player_kind](seed + 1)]
    decisions = 0
    while match.state.asked is not None:
        decisions += 1
        assert decisions < BOUND, f"game {seed} has not ended after {BOUND} decisions"
        answerable(match)
        match.act(players[match.state.asked.seat](Observation(match)))
    state = empty_state(game.declared)
    for event in match.log:
        fold(state, decode(encode(event)), game.declared)  # type: ignore[arg-type]
        one_place(state, seed)
    assert to_json(state) == to_json(match.state), f"game {seed}: folding its log gives another state"
    open_cards_have_their_numbers(match.log, game.declared)
    verdict = verify(as_log(match, match.log))
    assert verdict.verdict == "verified", f"game {seed}: {verdict.text}"
    last = match.log[-1]
    assert isinstance(last, GameEnded)
    turns = sum(isinstance(e, TurnBegan) for e in match.log)
    return last.reason, sum(isinstance(e, Acted) for e in match.log), turns, last.winner


def one_place(state: State, seed: int) -> None:
    """Each card lies in exactly one zone, the one that it says."""
    lying = sum(len(cards) for side in state.zones for cards in side.values())
    assert lying == len(state.cards), f"game {seed}: {lying} places for {len(state.cards)} cards"
    for side in state.zones:
        for name, cards in side.items():
            for card in cards:
                assert state.cards[card].zone == name, f"game {seed}: card {card} says it is elsewhere"


def main() -> None:
    """Runs the check and prints how the games ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=registry.GAMES)
    parser.add_argument("-n", type=int, default=10_000, help="how many games")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--player", choices=list(PLAYER_KINDS), default="random")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    endings: Counter[str] = Counter()
    decisions: list[int] = []
    turns: list[int] = []
    with ProcessPoolExecutor(given.jobs, get_context("spawn")) as pool:
        numbers = range(given.first, given.first + given.n)
        found = pool.map(check, [given.game] * given.n, numbers, [given.player] * given.n, chunksize=50)
        for number, (reason, decided, length, _) in enumerate(found, 1):
            endings[reason] += 1
            decisions.append(decided)
            turns.append(length)
            if number % 500 == 0:
                print(f"{number} games", flush=True)
    turns.sort()
    print(f"{given.n} games of {given.game} by {given.player}: none raised, none endless, all answerable, all verify")
    print(f"endings: {dict(endings)}; decisions: mean {sum(decisions) / given.n:.0f}, most {max(decisions)}")
    print(f"turns: median {turns[given.n // 2]}, from {turns[0]} to {turns[-1]}")


if __name__ == "__main__":
    main()
