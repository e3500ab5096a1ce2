"""Who decides: a player is a function from what its seat observes to one of the legal actions."""

from engine.players.observation import Observation
from engine.players.registry import PLAYER_KINDS, Player, PlayerError, make_player, make_players

__all__ = ["PLAYER_KINDS", "Observation", "Player", "PlayerError", "make_player", "make_players"]
