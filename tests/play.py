"""Games for tests: random decks out of all cards, played by computer players, record by record."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.core.match import Match
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from events.game import GameLog
from events.kinds import DeckList, Event, GameStarted, Seat
from events.record import encode


def random_deck(game: Rulebook, size: int, seed: int) -> DeckList:
    """A legal Live On deck with every card equally likely: it reaches abilities that tuned decks leave at home."""
    random = Random(seed)
    codes = list(game.cards)
    cards = {random.choice([c for c in codes if game.cards[c].kind == "fighter"]): 1}
    while sum(cards.values()) < size:
        code = random.choice(codes)
        if sum(n for c, n in cards.items() if game.cards[c].name == game.cards[code].name) < 4:
            cards[code] = cards.get(code, 0) + 1
    return DeckList(f"random {seed}", cards)


def any_deck(game: Rulebook, size: int, seed: int) -> DeckList:
    """A legal deck of any game, with whatever cards; `size` where the game lets one choose."""
    return random_deck(game, size, seed) if game.key == "liveon" else game.trial_deck((), Random(seed).randrange)


def header(seed: int, key: str = "liveon", size: int = 41, player_kind: str = "random") -> GameStarted:
    """The first line of a game between two random decks."""
    game = registry.load(key)
    decks = [any_deck(game, size, 2 * seed + seat) for seat in (0, 1)]
    seats = (Seat("A", player_kind, decks[0]), Seat("B", player_kind, decks[1]))
    return game.header(seats, {}, seed, origin="simulated")


def begin(seed: int, key: str = "liveon", size: int = 41, player_kind: str = "random") -> Match:
    """A match between two random decks, at its first question."""
    return registry.load(key).begin(header(seed, key, size, player_kind))


def answerable(m: Match) -> None:
    """Each question has a legal answer, and everything that is offered is taken."""
    legal = m.legal()
    assert bool(legal) == (m.state.asked is not None), f"nothing is legal: {m.state.asked}"
    for action in legal:
        assert m.refuse(action) is None, f"{action} is offered and refused: {m.refuse(action)}"


def play(
    match: Match,
    seed: int,
    player_kind: str = "random",
    watch: Callable[[Match], None] = lambda m: None,
    bound: int = 5000,
) -> list[Event]:
    """Plays to the end and gives all records; `watch` looks on at every question. An endless game fails."""
    players = [PLAYER_KINDS[player_kind](seed), PLAYER_KINDS[player_kind](seed + 1)]
    for _ in range(bound):
        watch(match)
        asked = match.state.asked
        if asked is None:
            return match.log
        match.act(players[asked.seat](Observation(match)))
    raise AssertionError(f"game {seed} has not ended after {bound} decisions")


def as_log(match: Match, events: list[Event]) -> GameLog:
    """The game as it would be read from a file."""
    text = b"".join(encode(e) + b"\n" for e in events)
    return GameLog(match.game.rulebook, match.game.card_sets, list(events), text, sealed=True)
