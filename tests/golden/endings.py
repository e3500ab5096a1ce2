"""Makes a log of each ending of each game, the shortest found: `python -m tests.golden.endings`. Read it as a diff.

Most endings come up among random games; what a shipped set hardly does, the sets in `cards/` do, and a game that is
interrupted by an error is made by a player that fails.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from random import Random

from engine.players import PLAYER_KINDS, Observation, Player
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from events.actions import AnyAction, Choose, Play, Use
from events.game import game_lines, shared_lines
from events.kinds import Event, GameEnded, Seat
from replays.play.simulate import play_game
from replays.view.narrate import log_text, narrate
from tests.golden.make import FOLDER, tries

TRIED = 400
"""Random games among which endings are looked for."""

SOUGHT = 60
"""Games for each ending that needs cards of its own."""

RARE = {
    "liveon": {"loop": ("ends", {"ENDS-001"}), "both": ("ends", {"ENDS-002"})},
    "xcard": {"loop": ("ends", {f"ENDS-{n:03d}" for n in range(1, 37)})},
    "monbattle": {"loop": ("ends", {"ENDS-001"}), "both": ("ends", {"ENDS-002"})},
}
"""Game -> ending -> the set in `cards/` that leads there, and its cards that the decks hold."""


def fails(observation: Observation) -> AnyAction:
    """A player that fails at its sixth decision."""
    if observation.state.turn > 1:
        raise ZeroDivisionError("one over none")
    return PLAYER_KINDS["random"](observation.state.seq)(observation)


def eager(codes: Collection[str], seed: int) -> Player:
    """A player that plays, uses and chooses cards of these codes whenever it can, draws what it may, and else does
    whatever comes.
    """
    inner = PLAYER_KINDS["random"](seed)

    def decide(observation: Observation) -> AnyAction:
        legal, cards = observation.legal, observation.state.cards
        if observation.question.question == "draw":
            return legal[0]
        for action in legal:
            card = getattr(action, "card", getattr(action, "option", None) if isinstance(action, Choose) else None)
            held = cards.get(card) if isinstance(action, Play | Use | Choose) and card is not None else None
            if held is not None and held.code in codes:
                return action
        return inner(observation)

    return decide


def candidates(key: str) -> Iterator[tuple[Rulebook, list[Event]]]:
    """Games with the shipped cards, one that is interrupted among them."""
    shipped = registry.load(key)
    for events in islice(tries(shipped), TRIED):
        yield shipped, events
    random = Random(1)
    decks = [shipped.trial_deck((), random.randrange) for _ in (0, 1)]
    seats = (Seat("Ada", "random", decks[0]), Seat("Bo", "random", decks[1]))
    header = shipped.header(seats, {}, 1, origin="simulated")
    yield shipped, play_game(shipped, header, [fails, fails])


def staged(key: str, folder: str, codes: Collection[str]) -> Iterator[tuple[Rulebook, list[Event]]]:
    """Games in which both players are eager for these cards of a set in `cards/`."""
    game = registry.load(key, (FOLDER / "cards" / key / folder,))
    for seed in range(SOUGHT):
        random = Random(seed)
        decks = [game.trial_deck(sorted(codes), random.randrange) for _ in (0, 1)]
        seats = (Seat("Ada", "random", decks[0]), Seat("Bo", "random", decks[1]))
        header = game.header(seats, {}, seed, origin="simulated")
        yield game, play_game(game, header, [eager(codes, seed), eager(codes, seed + 1)])


def shortest(key: str) -> dict[str, tuple[Rulebook, list[Event]]]:
    """Reason -> the shortest game that ended so, in the order in which the rulebook declares them."""
    found: dict[str, tuple[Rulebook, list[Event]]] = {}
    rare = RARE[key]
    reasons = registry.load(key).rulebook.reasons
    sources = [(reasons, candidates(key)), *((rare, staged(key, folder, codes)) for folder, codes in rare.values())]
    for wanted, source in sources:
        for game, events in source:
            end = events[-1]
            assert isinstance(end, GameEnded)
            if end.reason in wanted and (end.reason not in found or len(events) < len(found[end.reason][1])):
                found[end.reason] = (game, events)
    return {reason: found[reason] for reason in reasons if reason in found}


def write() -> None:
    """All games' endings as one log, and in words."""
    lines: list[bytes] = []
    told: list[str] = []
    for key in registry.GAMES:
        found = shortest(key)
        for game, events in found.values():
            for line in shared_lines(events[0], game.rulebook, game.card_sets):  # type: ignore[arg-type]
                if line not in lines:
                    lines.append(line)
            lines += game_lines(events)
            told.append(log_text(narrate(events, game.rulebook, game.card_sets)))
        print(f"{key}: {', '.join(found)}")
    (FOLDER / "endings.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    (FOLDER / "endings.txt").write_text("\n\n".join(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
