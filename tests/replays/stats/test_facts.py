"""What is read out of a game: of a hand-written one of an invented game, and of hostile ones."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest
from msgspec import structs

from engine.rulebooks.registry import GAMES, load
from engine.state import Declared
from events.actions import Attack, Pass, Use
from events.game import GameLog
from events.kinds import (
    PROTOCOL,
    Acted,
    Asked,
    CardMoved,
    CardSet,
    CardsMade,
    Counter,
    CounterSet,
    DamageDealt,
    DeckList,
    Event,
    Frame,
    GameEnded,
    GameStarted,
    Phase,
    PhaseBegan,
    RulebookLine,
    Seat,
    Shuffled,
    StackPopped,
    StackPushed,
    TurnBegan,
    Zone,
)
from events.record import edition, encode
from replays.stats.extract import WAYS, early_here, game_rows, name_rows
from replays.stats.rows import GameRow
from replays.view.timeline import Timeline

BOOK = RulebookLine(
    key="toy",
    version="1",
    zones=(
        Zone("leader", "all"), Zone("deck", "none", ordered=True), Zone("hand", "owner"),
        Zone("field", "all", table=True), Zone("stack", "all"), Zone("grave", "all", ordered=True),
    ),
    counters=(Counter("lp", "seat", life=True),),
    phases=(Phase("draw"), Phase("main")),
    move_kinds=("dealt", "back", "draws", "plays", "casts", "flips", "sends", "takes", "dies"),
    roles={"draws": "drawn", "casts": "played", "flips": "turned_up", "dies": "destroyed"},
    questions=("main",),
    reasons=("lp", "conceded"),
)
CARDS = CardSet("TOY", "2", "toy", cards={})
LEADER, FIRST, BACK, DRAWN, FETCHED, FLIPPED, MILLED, UNSEEN, SPELL = range(2, 11)
OTHER = 11


def header(**changes: Any) -> GameStarted:
    deck = DeckList("Toys", {"T-1": 2})
    seats = (Seat("Ann", "human", deck), Seat("Bo", "random"))
    named = {"options": {"format": "open"}, "id": "g1", **changes}
    sets = (edition(CARDS),)
    return GameStarted(protocol=PROTOCOL, game="toy", rulebook=edition(BOOK), card_sets=sets, seats=seats, **named)


def moved(card: int, zone: str, how: str, back: int = 0, seat: int = 0) -> CardMoved:
    return CardMoved(card=card, seat=seat, zone=zone, move_kind=how, back=back)


def told(*during: Event, before: tuple[Event, ...] = (), **changes: Any) -> list[Event]:
    """A game of two turns; each of `during` happens in the second, in which seat 0 is asked."""
    codes = ("first", "back", "drawn", "fetched", "flipped", "milled", "unseen", "spell")
    return [
        header(**changes),
        CardsMade(seat=0, zone="leader", first=LEADER, codes=("leader",)),
        CardsMade(seat=0, zone="deck", first=FIRST, codes=codes),
        CardsMade(seat=1, zone="deck", first=OTHER, codes=("other", "other")),
        CounterSet(entity=0, name="lp", value=20),
        CounterSet(entity=1, name="lp", value=20),
        moved(FIRST, "hand", "dealt"),
        moved(OTHER, "hand", "dealt", seat=1),
        *before,
        TurnBegan(turn=1, seat=1),
        moved(OTHER, "field", "plays", seat=1),
        TurnBegan(turn=2, seat=0),
        PhaseBegan(phase="main", back=1),
        Asked(seat=0, question="main"),
        Acted(seat=0, action=Pass()),
        *during,
        GameEnded(winner=0, reason="lp"),
    ]


def rows(events: list[Event]) -> dict[str, list[dict[str, Any]]]:
    """What game_rows gives, as dicts without what names the game."""
    lines = [encode(e) for e in events]
    found = game_rows(GameLog(BOOK, (CARDS,), events, lines, index=4), "p", Declared(BOOK))
    return {name: [structs.asdict(row) for row in some] for name, some in found.items()}


@pytest.mark.parametrize(("counter", "zone", "left"), [(True, True, (13, 20)), (True, False, (13, 20)),
                                                       (False, True, (7, 1)), (False, False, (None, None))])
def test_viewer_and_statistics_agree_on_what_is_left_of_a_life(
    counter: bool, zone: bool, left: tuple[int | None, int | None]
) -> None:
    zones = tuple(structs.replace(z, life=zone and z.name == "deck") for z in BOOK.zones)
    book = structs.replace(BOOK, zones=zones, counters=(Counter("lp", "seat", life=counter),))
    named = structs.replace(header(), rulebook=edition(book))
    events = [named, *told(CounterSet(entity=0, name="lp", value=13))[1:]]
    found = game_rows(GameLog(book, (CARDS,), events, b""), "p", Declared(book))
    at_end = [row.life for row in found["seats"]]
    lives = Timeline(events, book, (CARDS,)).lives
    assert tuple(at_end) == left == tuple(seen[-1][1] if seen else None for seen in lives)


def card(events: list[Event], code: str) -> dict[str, int]:
    """The numbers of a card that are not 0."""
    row = next(row for row in rows(events)["cards"] if row["code"] == code)
    return {name: n for name, n in row.items() if n and name not in ("pack", "index", "seat", "code", "pile", "places")}


def test_copies_are_classed_by_how_they_first_left_their_pile() -> None:
    events = told(
        moved(DRAWN, "hand", "draws"), moved(FETCHED, "hand", "takes"), moved(FLIPPED, "grave", "flips"),
        moved(MILLED, "grave", "sends"),
        before=(moved(BACK, "hand", "dealt"), moved(BACK, "deck", "back")),
    )
    ways = {row["code"]: [way for way in WAYS if row[way]] for row in rows(events)["cards"] if row["seat"] == 0}
    assert ways == {
        "leader": ["started"], "first": ["opening"], "back": ["unseen"], "drawn": ["drawn"], "fetched": ["fetched"],
        "flipped": ["turned_up"], "milled": ["milled"], "unseen": ["unseen"], "spell": ["unseen"],
    }
    assert card(events, "other") == {
        "deck": 2, "opening": 1, "unseen": 1, "played": 1, "held_played": 1, "first_turn": 1, "uses": 1,
    }


def test_a_card_that_is_put_back_before_the_first_turn_is_not_opening_but_one_played_in_it_is() -> None:
    assert card(told(before=(moved(FIRST, "deck", "back"),)), "first") == {"deck": 1, "unseen": 1}
    played = card(told(before=(moved(FIRST, "field", "plays"),)), "first")
    assert (played["opening"], played["held_played"], played["first_turn"]) == (1, 1, 1)


def test_what_becomes_of_a_turned_up_card_afterwards_does_not_change_its_class() -> None:
    found = card(told(moved(FLIPPED, "hand", "flips"), moved(FLIPPED, "field", "plays")), "flipped")
    assert found == {"deck": 1, "turned_up": 1, "played": 1, "first_turn": 2, "uses": 1}


def test_a_card_that_comes_back_to_the_hand_does_not_enter_it_again() -> None:
    found = card(
        told(
            moved(DRAWN, "hand", "draws"), moved(DRAWN, "field", "plays"), moved(DRAWN, "hand", "takes"),
            TurnBegan(turn=3, seat=1), moved(DRAWN, "field", "plays"),
        ),
        "drawn",
    )
    assert found == {"deck": 1, "drawn": 1, "played": 1, "held_played": 1, "first_turn": 2, "uses": 2}


def test_turns_held_are_counted_from_the_first_turn_for_the_opening_hand() -> None:
    assert card(told(moved(FIRST, "field", "plays")), "first")["turns_held"] == 1
    late = told(moved(DRAWN, "hand", "draws"), TurnBegan(turn=5, seat=0), moved(DRAWN, "field", "plays"))
    assert card(late, "drawn")["turns_held"] == 3


def test_an_effect_from_the_hand_is_a_play_and_one_use() -> None:
    cast = (
        moved(SPELL, "hand", "draws"), moved(SPELL, "stack", "casts"),
        StackPushed(item=1000, item_kind="spell", frame=Frame(0, SPELL)), StackPopped(item=1000, outcome="resolved"),
    )
    assert card(told(*cast, moved(SPELL, "grave", "sends")), "spell") == {
        "deck": 1, "drawn": 1, "played": 1, "held_played": 1, "first_turn": 2, "uses": 1,
    }
    assert card(told(*cast, moved(SPELL, "field", "plays")), "spell")["uses"] == 1


def test_a_discarded_card_is_not_played() -> None:
    assert "played" not in card(told(moved(FIRST, "grave", "sends")), "first")


def test_work_is_the_source_s_or_that_of_the_card_one_hop_behind() -> None:
    events = told(
        moved(FIRST, "field", "plays"),
        Acted(seat=0, action=Attack(FIRST, OTHER), back=1),
        DamageDealt(source=FIRST, target=OTHER, amount=300, back=1),
        DamageDealt(source=OTHER, target=FIRST, amount=200),
        moved(OTHER, "grave", "dies", seat=1),
        moved(FIRST, "grave", "dies"),
        DamageDealt(source=FIRST, target=1, amount=5),
        DamageDealt(source=FIRST, target=0, amount=7),
    )
    assert {n: v for n, v in card(events, "first").items() if n in ("damage_cards", "damage_player", "destroyed")} == {
        "damage_cards": 300, "damage_player": 5, "destroyed": 1,
    }
    assert card(events, "other")["destroyed"] == 1 and card(events, "other")["damage_cards"] == 200
    strikes = [(row["source_code"], row["target_code"], row["target_seat"]) for row in rows(events)["strikes"]]
    assert strikes[:3] == [("first", "other", 1), ("other", "first", 0), ("first", None, 1)]


def test_cards_drawn_and_destroyed_by_an_effect_are_its_card_s_and_plain_draws_nobody_s() -> None:
    events = told(
        moved(UNSEEN, "hand", "draws"),
        Acted(seat=0, action=Use(LEADER), back=1),
        StackPushed(item=1000, item_kind="ability", frame=Frame(0, LEADER), back=1),
        StackPopped(item=1000, outcome="resolved"),
        moved(DRAWN, "hand", "draws", back=1),
        moved(OTHER, "grave", "dies", seat=1),
    )
    assert card(events, "leader") == {"deck": 1, "started": 1, "drew": 1, "destroyed": 1}
    assert sum(row["drew"] for row in rows(events)["cards"]) == 1


def test_a_game_s_row_and_its_seats() -> None:
    found = rows(told(at="2026-05-01T23:30:00-02:00", tags=("cup",)))
    (game,) = found["games"]
    expected = {
        "pack": "p", "index": 4, "game_id": "g1", "game": "toy", "card_sets": ["TOY 2"], "format": "open",
        "day": date(2026, 5, 2), "at": datetime(2026, 5, 2, 1, 30), "tags": ["cup"], "turns": 2, "first_seat": 1,
        "winner": 0, "reason": "lp", "decisions": 1, "ended": True, "view": None, "fault": None,
    }
    assert {name: game[name] for name in expected} == expected
    ann, bo = found["seats"]
    assert (ann["player"], ann["player_kind"], ann["deck_name"], ann["first"], ann["w"], ann["life"]) == (
        "Ann", "human", "Toys", False, 1.0, 20,
    )
    assert (bo["first"], bo["w"], bo["deck"]) == (True, 0.0, None) and ann["deck"] is not None
    assert [row["w"] for row in rows([*told()[:-1], GameEnded(None, "lp")])["seats"]] == [0.5, 0.5]


def test_turns_tell_what_both_seats_had_at_their_end() -> None:
    events = told(CounterSet(entity=1, name="lp", value=3), moved(DRAWN, "hand", "draws"))
    told_turns = [list(row.values())[2:] for row in rows(events)["turns"]]
    assert told_turns == [[1, 1, 20, 20, 7, 1, 1, 0], [2, 0, 20, 3, 6, 1, 2, 0]]


@pytest.mark.parametrize("when", ["", "yesterday", "2026-13-01", "0001-01-01T00:00:00+14:00", "01/02/2026"])
def test_a_time_that_cannot_be_read_is_no_date(when: str) -> None:
    (game,) = rows(told(at=when, date=when))["games"]
    assert game["day"] is None and game["at"] is None


@pytest.mark.parametrize(
    "bad",
    [
        DamageDealt(source=FIRST, target=1, amount=2**70),
        TurnBegan(turn=10**30, seat=0),
        TurnBegan(turn=3, seat=0, back=0),
        CounterSet(entity=1, name="lp", value=-(2**40)),
        CounterSet(entity=1, name="mana", value=1),
        moved(99, "hand", "draws"),
        Acted(seat=-1, action=Pass()),
    ],
    ids=repr,
)
def test_a_game_that_makes_no_sense_has_a_fault_and_no_facts(bad: Event) -> None:
    events = told(bad)
    fine = isinstance(bad, TurnBegan) and bad.turn == 3
    found = rows(events)
    assert (found["games"][0]["fault"] is None) == fine
    assert bool(found["cards"]) == bool(found["turns"]) == fine
    assert len(found["seats"]) == 2


def test_a_game_of_which_nothing_can_be_read_has_a_row() -> None:
    (row,) = game_rows(GameLog(index=7, offset=12), "p", None)["games"]
    assert isinstance(row, GameRow)
    assert (row.index, row.offset, row.game_id, row.ended) == (7, 12, None, False)


def test_a_long_code_and_an_unknown_one() -> None:
    events = told()
    made = events[2]
    assert isinstance(made, CardsMade)
    events[2] = structs.replace(made, codes=("x" * 500, None, *made.codes[2:]))
    codes = [row["code"] for row in rows(events)["cards"] if row["seat"] == 0]
    assert "x" * 200 in codes and None not in codes and len(codes) == 8


# --- where the last shuffle of set-up put the copies --------------------------------------------------------


def shuffled(*order: int, seat: int = 0) -> Shuffled:
    return Shuffled(seat=seat, zone="deck", order=order)


def places(events: list[Event]) -> dict[str, list[int] | None]:
    return {row["code"]: row["places"] for row in rows(events)["cards"] if row["seat"] == 0}


def with_order(*before: Event, during: tuple[Event, ...] = ()) -> list[Event]:
    """The game of `told` without its deals; these records of set-up in their place."""
    events = told(*during)
    begins = next(n for n, e in enumerate(events) if isinstance(e, TurnBegan))
    kept = [e for n, e in enumerate(events) if not (n < begins and isinstance(e, CardMoved))]
    begins = next(n for n, e in enumerate(kept) if isinstance(e, TurnBegan))
    after = [e for e in kept[begins:] if not (isinstance(e, CardMoved) and e.card == OTHER)]
    return [*kept[:begins], *before, *after]


ALL = (FIRST, BACK, DRAWN, FETCHED, FLIPPED, MILLED, UNSEEN, SPELL)


def test_places_are_counted_from_the_top_with_the_hand_that_is_dealt_from_it() -> None:
    found = places(with_order(shuffled(*reversed(ALL)), moved(FIRST, "hand", "dealt"), moved(BACK, "hand", "dealt")))
    assert found == {
        "leader": None, "first": [1], "back": [2], "drawn": [3], "fetched": [4], "flipped": [5], "milled": [6],
        "unseen": [7], "spell": [8],
    }


def test_after_a_redraw_the_last_shuffle_counts_and_the_hand_that_went_back_is_known() -> None:
    events = with_order(
        shuffled(*reversed(ALL)), moved(FIRST, "hand", "dealt"), moved(BACK, "hand", "dealt"),
        moved(FIRST, "deck", "back"), moved(BACK, "deck", "back"), shuffled(*ALL), moved(SPELL, "hand", "dealt"),
    )
    found = rows(events)
    assert places(events)["first"] == [8] and places(events)["spell"] == [1]
    cards = {row["code"]: row for row in found["cards"] if row["seat"] == 0}
    assert [code for code, row in cards.items() if row["redrawn"]] == ["first", "back"]
    assert [row["redrawn"] for row in found["seats"]] == [1, 0]
    assert [code for code, row in cards.items() if row["opening"]] == ["spell"]


def test_a_copy_kept_back_from_a_redraw_has_no_place() -> None:
    events = with_order(
        shuffled(*reversed(ALL)), moved(FIRST, "hand", "dealt"), moved(BACK, "hand", "dealt"),
        moved(BACK, "deck", "back"), shuffled(BACK, *ALL[2:]),
    )
    assert places(events)["first"] is None and places(events)["back"] == [7]
    assert rows(events)["piles"][0]["size"] == 7


def test_a_shuffle_after_set_up_changes_no_place_and_no_order_is_no_place() -> None:
    later = with_order(shuffled(*reversed(ALL)), during=(shuffled(*ALL),))
    assert places(later)["first"] == [1]
    assert rows(told())["piles"] == [] and places(told())["first"] is None


def test_a_pile_says_how_many_of_its_cards_had_left_it() -> None:
    events = with_order(shuffled(*reversed(ALL)), moved(FIRST, "hand", "dealt"),
                        during=(moved(BACK, "hand", "draws"), moved(DRAWN, "grave", "flips")))
    (pile,) = rows(events)["piles"]
    assert {n: pile[n] for n in ("seat", "pile", "size", "early", "life", "seen")} == {
        "seat": 0, "pile": "deck", "size": 8, "early": 0, "life": False, "seen": 3,
    }


@pytest.mark.parametrize("key", GAMES)
def test_a_log_that_does_not_say_what_is_early_has_it_from_the_rulebook_at_hand(key: str) -> None:
    declared = {zone.name: zone.early for zone in load(key).rulebook.zones if zone.early}
    assert early_here(key) == declared and declared and early_here("toy") == {}


def test_names_are_those_that_the_log_carries_and_what_is_no_name_is_passed_over() -> None:
    cards = CardSet("TOY", "2", "toy", cards={
        "a": {"name": {"en": "Ann", "ja": "アン"}}, "b": {"name": "Bo"}, "c": {}, "d": {"name": {"en": 5}},
        "e": {"name": 3},
    })  # fmt: skip
    found = [(row.code, row.language, row.name) for row in name_rows(cards, "p", 0)]
    assert found == [("a", "en", "Ann"), ("a", "ja", "アン"), ("b", "en", "Bo")]
