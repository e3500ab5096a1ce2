"""Makes a log of each ending of each game, the shortest found: `python -m tests.golden.endings`. Read it as a diff.

Most endings come up among random games; what a shipped set hardly does, the cards in `cards/` do, and a game that is
broken off by an error is made by a player that fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from engine import games
from engine.game import Game
from engine.machine import Match
from engine.players import MINDS
from events.actions import AnyAction, Choose, Play, Use
from events.kinds import Event, GameEnded, Seat
from events.log import game_lines, shared_lines
from replays.narrate import as_text, narrate
from replays.simulate import play_game
from tests.golden.make import FOLDER, tries

TRIED = 400
"""Random games among which endings are looked for."""

SOUGHT = 60
"""Games with each of the cards in `cards/`."""


def fails(match: Match) -> AnyAction:
    """A player that fails at its sixth decision."""
    if match.state.turn > 1:
        raise ZeroDivisionError("one over none")
    return MINDS["random"](match.state.seq)(match)


def eager(code: str, seed: int) -> object:
    """A player that plays and uses cards of this code whenever it can, and else whatever comes."""
    inner = MINDS["random"](seed)

    def decide(match: Match) -> AnyAction:
        for action in match.legal():
            card = getattr(action, "card", getattr(action, "option", None) if isinstance(action, Choose) else None)
            held = match.state.cards.get(card) if isinstance(action, Play | Use | Choose) and card is not None else None
            if held is not None and held.code == code:
                return action
        return inner(match)

    return decide


def candidates(key: str) -> Iterator[tuple[Game, list[Event]]]:
    """Games of all endings."""
    shipped = games.load(key)
    for events in islice(tries(shipped), TRIED):
        yield shipped, events
    random = Random(1)
    decks = [shipped.trial_deck((), random.randrange) for _ in (0, 1)]
    seats = (Seat("Ada", "random", decks[0]), Seat("Bo", "random", decks[1]))
    header = shipped.header(seats, {}, 1, origin="simulated")
    yield shipped, play_game(shipped, header, [fails, fails])
    folder = FOLDER / "cards" / key
    if not folder.is_dir():
        return
    game = games.load(key, (folder,))
    for code in sorted(code for code in game.cards if code.startswith("ENDS")):
        for seed in range(SOUGHT):
            random = Random(seed)
            decks = [game.trial_deck([code], random.randrange) for _ in (0, 1)]
            seats = (Seat("Ada", "random", decks[0]), Seat("Bo", "random", decks[1]))
            header = game.header(seats, {}, seed, origin="simulated")
            yield game, play_game(game, header, [eager(code, seed), eager(code, seed + 1)])  # type: ignore[list-item]


def shortest(key: str) -> dict[str, tuple[Game, list[Event]]]:
    """Reason -> the shortest game that ended so, in the order in which the rulebook declares them."""
    found: dict[str, tuple[Game, list[Event]]] = {}
    for game, events in candidates(key):
        end = events[-1]
        assert isinstance(end, GameEnded)
        if end.reason not in found or len(events) < len(found[end.reason][1]):
            found[end.reason] = (game, events)
    return {reason: found[reason] for reason in games.load(key).rulebook.reasons if reason in found}


def write() -> None:
    """All games' endings as one log, and in words."""
    lines: list[bytes] = []
    told: list[str] = []
    for key in games.GAMES:
        found = shortest(key)
        for game, events in found.values():
            for line in shared_lines(events[0], game.rulebook, game.card_sets):  # type: ignore[arg-type]
                if line not in lines:
                    lines.append(line)
            lines += game_lines(events)
            told.append(as_text(narrate(events, game.rulebook, game.card_sets)))
        print(f"{key}: {', '.join(found)}")
    (FOLDER / "endings.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    (FOLDER / "endings.txt").write_text("\n\n".join(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
