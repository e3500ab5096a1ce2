"""The small set that these tests play whole games with, and random decks of it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from engine.cards.files import read_sets
from engine.core.match import Match
from engine.rulebooks.monbattle.card import MonBattleCard, MonBattleDefinition
from engine.rulebooks.monbattle.rules import MonBattle
from events.kinds import DeckList, Seat

FOLDER = Path(__file__).parent / "set"


def load() -> MonBattle:
    """The game with the cards of the small set alone."""
    sets, cards = read_sets([FOLDER], MonBattleCard, MonBattle.key, MonBattle.set_tables)
    printed: list[Any] = list(cards.values())
    return MonBattle(sets, [MonBattleDefinition(card) for card in printed])


GAME = load()


def random_deck(game: MonBattle, seed: int) -> DeckList:
    """A legal deck with every card equally likely, and a few COST 1 monsters to begin with."""
    random = Random(seed)
    codes = [code for code, card in game.cards.items() if card.kind != "player"]
    deck = dict.fromkeys(random.sample([c for c in codes if game.cards[c].starter], 3), 2)
    while sum(deck.values()) < game.limits.deck_size:
        code = random.choice(codes)
        if deck.get(code, 0) < game.limits.copies:
            deck[code] = deck.get(code, 0) + 1
    leaders = [code for code, card in game.cards.items() if card.kind == "player"]
    return DeckList(f"random {seed}", deck, random.choice(leaders))


def begin(seed: int, player_kind: str = "random", game: MonBattle = GAME, **options: int | str) -> Match:
    """A match between two random decks, at its first question."""
    seats = Seat("A", player_kind, random_deck(game, 2 * seed)), Seat("B", player_kind, random_deck(game, 2 * seed + 1))
    return game.begin(game.header(seats, dict(options), seed, origin="simulated"))
