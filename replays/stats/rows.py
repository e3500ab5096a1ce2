"""The rows in which the facts of games are kept: one struct a table; its fields are the columns, by name and type.

What the rows amount to is said in SQL. Integers are as wide as their columns: Small, Number and Big.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, TypeAlias

from msgspec import Struct

Small: TypeAlias = Annotated[int, "int8"]
Number: TypeAlias = Annotated[int, "int32"]
Big: TypeAlias = Annotated[int, "int64"]


class Row(Struct, kw_only=True, gc=False):
    """What every row begins with: the pack's stem, and the game's number in the pack."""

    pack: str
    """name of the pack, without its ending"""
    index: Number
    """place of the game in the pack, from 0"""


class GameRow(Row, kw_only=True, gc=False):
    """One row a game, readable or not; `fault` says what is wrong with it."""

    offset: Big
    """where its lines begin in the pack, in bytes"""
    game_id: str | None = None
    """its short name"""
    game_key: str | None = None
    """digest of its content: copies of one game have the same"""
    game: str | None = None
    """the rulebook"""
    rulebook: str | None = None
    """version of the rulebook"""
    card_sets: list[str] | None = None
    """the card sets, each as name and version"""
    format: str | None = None
    """its format"""
    origin: str | None = None
    """played, simulated or transcribed"""
    match: str | None = None
    """random name of a live game, the same in all its views"""
    day: date | None = None
    """its day, in UTC where it has a time"""
    at: datetime | None = None
    """UTC, without a zone"""
    tags: list[str] | None = None
    """free labels"""
    turns: Number | None = None
    """number of the last turn"""
    first_seat: Small | None = None
    """the seat that went first"""
    winner: Small | None = None
    """the seat that won; null for a draw, or no result"""
    reason: str | None = None
    """why it ended"""
    records: Number | None = None
    """records of the log"""
    decisions: Number | None = None
    """decisions of both players"""
    ended: bool
    """whether it came to its end"""
    sealed: bool
    """whether the log has a seal"""
    view: Small | None = None
    """in a one-seat log, that seat"""
    fault: str | None = None
    """what is wrong with the log"""


class SeatRow(Row, kw_only=True, gc=False):
    """One row a game and seat; `w` is 1, 0 or a half (draw), null where the game has no result."""

    seat: Small
    """0 or 1"""
    player: str
    """name of the player"""
    player_kind: str
    """human, or the kind of computer player"""
    deck: str | None
    """digest of the deck list with leader or player card; null where the list is not known"""
    deck_name: str
    """the label of the deck"""
    first: bool | None
    """whether this seat went first"""
    w: float | None
    """the result: 1, 0 or ½"""
    life: Number | None
    """what was left of its life at the end, in the game's own measure"""
    redrawn: Number
    """opening hands that were sent back and drawn anew"""


class CardRow(Row, kw_only=True, gc=False):
    """One row a game, seat and card: copies by what became of them (the seven after `deck` add up to it), where the
    last shuffle of set-up put them, and the work that they did.
    """

    seat: Small
    """whose"""
    code: str
    """the card"""
    deck: Number
    """copies of it, those that began outside the piles too"""
    opening: Number
    """copies in the hand with which the game began"""
    drawn: Number
    """copies that came by a plain draw later"""
    fetched: Number
    """copies that an effect chose out of their pile"""
    started: Number
    """copies that began outside the piles"""
    turned_up: Number
    """copies that the rules turned up from their pile"""
    milled: Number
    """copies that an effect sent away from their pile"""
    unseen: Number
    """copies that never left their pile"""
    pile: str | None
    """the pile in which they began"""
    places: list[Number] | None
    """where the last shuffle of set-up put the copies that were in it, from 1, the top, in rising order; null where
    there were none, or the order is not known"""
    redrawn: Number
    """opening hands with a copy that were sent back and drawn anew"""
    played: Number
    """copies that were played from the hand"""
    held_played: Number
    """of the copies that were in the opening hand, drawn or fetched, those that were played"""
    first_turn: Number | None
    """turn of the first play"""
    turns_held: Big | None
    """turns from entering the hand to being played, of all `held_played` copies together"""
    uses: Number
    """times that a copy came to the table or took effect"""
    damage_cards: Big
    """damage dealt to the opponent's cards"""
    damage_player: Big
    """damage dealt to the opponent, in the game's own measure"""
    drew: Big
    """cards drawn for its owner"""
    destroyed: Big
    """cards of the opponent destroyed"""


class PileRow(Row, kw_only=True, gc=False):
    """One row a game, seat and pile that was shuffled in set-up, where the order is known."""

    seat: Small
    """whose"""
    pile: str
    """the zone"""
    size: Number
    """cards of the last shuffle of set-up, the hand dealt from it included"""
    early: Number
    """cards from the top that the rulebook calls early; 0: it does not say"""
    life: bool
    """whether the number of cards there is what the game is about"""
    seen: Number
    """cards that had left it by the end of the game"""


class NameRow(Row, kw_only=True, gc=False):
    """One row a card and language, as the logs of these games name the card; given once for many games."""

    game: str
    """the rulebook"""
    card_set: str
    """the card set"""
    version: str
    """its version"""
    code: str
    """the card"""
    language: str
    """language tag"""
    name: str
    """what the card is called"""


class TurnRow(Row, kw_only=True, gc=False):
    """One row a game and turn: what both seats had at its end."""

    turn: Number
    """its number"""
    seat: Small
    """whose turn it was"""
    life_0: Number | None
    """life of seat 0; null in a game without such a thing"""
    life_1: Number | None
    """life of seat 1"""
    deck_0: Number
    """cards in seat 0's piles"""
    deck_1: Number
    """cards in seat 1's piles"""
    hand_0: Number
    """cards in seat 0's hand"""
    hand_1: Number
    """cards in seat 1's hand"""


class StrikeRow(Row, kw_only=True, gc=False):
    """One row a strike; a null target code is the player."""

    record: Number
    """record of the log"""
    turn: Number
    """the turn"""
    source_seat: Small | None
    """whose card struck"""
    source_code: str | None
    """that card"""
    target_seat: Small
    """who was struck, or whose card"""
    target_code: str | None
    """the card that was struck; null: the player"""
    amount: Number
    """how much damage"""


class DecisionRow(Row, kw_only=True, gc=False):
    """One row a decision; `options` is null where the question does not list its answers."""

    record: Number
    """record of the log"""
    turn: Number
    """the turn"""
    seat: Small
    """who decided"""
    what: str | None
    """the question"""
    did: str
    """kind of action"""
    options: Number | None
    """how many answers there were; null where the question does not list them"""


class LeftOutRow(Struct, kw_only=True, gc=False):
    """One row a game that statistics leave out whatever its facts say, and why; of the library, not of a shard."""

    pack: str
    offset: Big
    why: str


TABLES: dict[str, type[Row]] = {
    "games": GameRow, "seats": SeatRow, "cards": CardRow, "piles": PileRow, "names": NameRow, "turns": TurnRow,
    "strikes": StrikeRow, "decisions": DecisionRow,
}
"""Name of a table -> its rows."""

Rows: TypeAlias = dict[str, list[Row]]
"""Rows by table."""
