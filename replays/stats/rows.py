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
    index: Number


class GameRow(Row, kw_only=True, gc=False):
    """One row a game, readable or not; `fault` says what is wrong with it."""

    offset: Big
    game_id: str | None = None
    game_key: str | None = None
    game: str | None = None
    rulebook: str | None = None
    card_sets: list[str] | None = None
    format: str | None = None
    origin: str | None = None
    match: str | None = None
    day: date | None = None
    at: datetime | None = None
    """UTC, without a zone"""
    tags: list[str] | None = None
    turns: Number | None = None
    first_seat: Small | None = None
    winner: Small | None = None
    reason: str | None = None
    records: Number | None = None
    decisions: Number | None = None
    ended: bool
    sealed: bool
    view: Small | None = None
    fault: str | None = None


class SeatRow(Row, kw_only=True, gc=False):
    """One row a game and seat; `w` is 1, 0 or a half (draw), null where the game has no result."""

    seat: Small
    player: str
    player_kind: str
    deck: str | None
    deck_name: str
    first: bool | None
    w: float | None
    life: Number | None
    redrawn: Number
    """opening hands that were sent back and drawn anew"""


class CardRow(Row, kw_only=True, gc=False):
    """One row a game, seat and card: copies by what became of them (the seven after `deck` add up to it), where the
    last shuffle of set-up put them, and the work that they did.
    """

    seat: Small
    code: str
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
    pile: str
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
    card_set: str
    version: str
    code: str
    language: str
    name: str


class TurnRow(Row, kw_only=True, gc=False):
    """One row a game and turn: what both seats had at its end."""

    turn: Number
    seat: Small
    life_0: Number | None
    life_1: Number | None
    deck_0: Number
    deck_1: Number
    hand_0: Number
    hand_1: Number


class StrikeRow(Row, kw_only=True, gc=False):
    """One row a strike; a null target code is the player."""

    record: Number
    turn: Number
    source_seat: Small | None
    source_code: str | None
    target_seat: Small
    target_code: str | None
    amount: Number


class DecisionRow(Row, kw_only=True, gc=False):
    """One row a decision; `options` is null where the question does not list its answers."""

    record: Number
    turn: Number
    seat: Small
    what: str | None
    did: str
    options: Number | None


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
