"""The objects that are nested in records: what a header names, who sat there, an effect on its way."""

from __future__ import annotations

from msgspec import Struct

from events.fields import CardId, Code, ItemId, NamedId, OpenInt, RecordId, SeatId, Secret, Text


class Edition(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Names a shared line."""

    key: Text
    """its `key`"""
    version: Text
    """its `version`"""
    digest: Text
    """digest of its line (see *Digests*); this alone decides which line is meant"""


class DeckList(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A deck."""

    name: Text = ""
    """a label, nothing more"""
    cards: dict[Text, OpenInt] = {}
    """code → number of copies"""
    leader: Text | None = None
    """code of the leader or player card, where the game has one"""


class Seat(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Who sat there."""

    player: Text
    """the player's name"""
    player_kind: Text = "human"
    """what decided: `human`, or the name of a computer player"""
    deck: Secret[DeckList] = DeckList()
    """what the player brought"""


class Parent(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The game that a game branches off from."""

    digest: Text
    """its game key (see *Digests*)"""
    record: OpenInt
    """number of the last record that both games have"""


class Frame(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """An effect on its way. A viewer needs `seat`, `card` and `ability`; the rest is for the engine, and tells what was
    chosen.
    """

    seat: SeatId
    """whose effect"""
    card: CardId
    """card that it comes from"""
    ability: OpenInt = 0
    """number of the card's ability, from 0"""
    at: OpenInt = 0
    """next instruction of the ability"""
    since: Secret[RecordId] = 0
    """number of the record at which the effect was announced: cards that have moved on or off the table since are gone
    for it (0 in one-seat logs)"""
    item: ItemId = 0
    """the stack item that carries it, or 0"""
    code: Code = ""
    """code of the card, which may have left since; absent where the seat of a one-seat log does not know the card"""
    slots: dict[Text, tuple[NamedId, ...]] = {}
    """chosen entities, by name"""
