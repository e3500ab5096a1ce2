"""A game of more than 3,000 records, by decks that are much too large."""

from __future__ import annotations

from events.game import GameLog, write_game
from events.open import read_games
from tests import play


def long_game() -> GameLog:
    """The same game every time. Its decks may not be played by the rules; it can be watched."""
    match = play.begin(5, size=200)
    events = play.play(match, 5)
    return next(read_games(write_game((match.game.rulebook, match.game.card_sets, events))))
