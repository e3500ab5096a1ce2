"""A tiny invented game and its logs: high card, a draw of one card each and a choice. For the tests here."""

from __future__ import annotations

from msgspec import Raw

from events.actions import Choose, Pass
from events.kinds import (
    PROTOCOL,
    Acted,
    Asked,
    CardMoved,
    CardSet,
    CardsMade,
    Counter,
    CounterSet,
    DeckList,
    Event,
    GameEnded,
    GameStarted,
    Phase,
    PhaseBegan,
    RulebookLine,
    Seat,
    Shuffled,
    TurnBegan,
    Zone,
)
from events.record import edition

RULEBOOK = RulebookLine(
    key="highcard",
    version="1.0",
    zones=(
        Zone("deck", "none", ordered=True, life=True),
        Zone("hand", "owner"),
        Zone("table", "all", table=True),
    ),
    counters=(Counter("score", "seat"),),
    phases=(Phase("draw", quiet=True), Phase("choice")),
    move_kinds=("drawn", "played"),
    questions=("keep",),
    reasons=("points", "conceded"),
    words={"zone.deck": {"en": "deck", "ja": "山札"}},
)
CARDS = CardSet(key="HC", version="1", game="highcard", cards={"HC-001": {"rank": 7}, "HC-002": {"rank": 9}})
SHARED = (RULEBOOK, (CARDS,))


def header(**changes: object) -> GameStarted:
    """The first record of a game."""
    deck = DeckList(name="Sevens", cards={"HC-001": 2, "HC-002": 1})
    fields: dict = {
        "protocol": PROTOCOL,
        "game": "highcard",
        "rulebook": edition(RULEBOOK),
        "card_sets": (edition(CARDS),),
        "seats": (Seat("Ann", deck=deck), Seat("Bo 桜", "random", deck)),
        "id": "g1",
        "seed": 5,
    }
    return GameStarted(**{**fields, **changes})


def game(rounds: int = 1, winner: int | None = 0, **changes: object) -> list[Event]:
    """A finished game (without its seal) of so many turns. Another seed makes other scores: another game."""
    first = header(**changes)
    luck = (5 if first.seed is None else first.seed) - 5
    events: list[Event] = [
        first,
        CardsMade(seat=0, zone="deck", first=2, codes=("HC-001", "HC-002", "HC-001")),
        CardsMade(seat=1, zone="deck", first=5, codes=("HC-002", "HC-001", "HC-001")),
        Shuffled(seat=0, zone="deck", order=(3, 2, 4)),
    ]
    for turn in range(1, rounds + 1):
        seat = (turn - 1) % 2
        events += [
            TurnBegan(turn=turn, seat=seat, back=0 if turn == 1 else 2),
            PhaseBegan(phase="draw", back=1),
            CardMoved(card=4, seat=0, zone="hand", move_kind="drawn"),
            Asked(
                seat=seat,
                question="keep",
                option_type="yes_no",
                options=(1, 0),
                continuation=Raw(b'{"at":[1,{"n":"a\\"]"}]}'),
            ),
            Acted(seat=seat, action=Choose(1) if turn % 2 else Pass(), ms=1200),
            CounterSet(entity=seat, name="score", value=turn + luck),
        ]
    return [*events, GameEnded(winner=winner, reason="points")]
