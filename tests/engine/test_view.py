"""A seat's view holds nothing that the seat cannot know: games that differ only in hidden cards look the same."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, get_args

import pytest
from msgspec import structs

from engine import view as view_module
from engine.core.match import Match
from engine.fold import FOLDS, empty_state, fold, fold_all
from engine.rulebooks import registry
from engine.state import State, sees
from engine.view import view
from events.actions import AnyAction, Choose, Concede, Pass
from events.fields import OPTION_TYPES, UNDECLARED, Code, Holds, Text, changed, declared
from events.kinds import (
    EVENT_KINDS,
    FIRST_ITEM,
    HIDDEN,
    Acted,
    AnyEvent,
    Asked,
    CardIdentified,
    CardMoved,
    CardsMade,
    CardsRevealed,
    Event,
    Frame,
    IdentityLost,
    Parent,
    Seat,
    Shuffled,
    StackPushed,
    TurnBegan,
)
from events.record import encode
from tests.engine.rulebooks.monbattle.position import position
from tests.play import begin, play
from tests.seen import open_cards_have_their_numbers
from tests.twins import pairs, read_in_hands, twin_of

SEEDS = range(25)
GAMES = pytest.mark.parametrize("key", registry.GAMES)


@GAMES
def test_views_fold_and_agree_with_the_table_on_what_is_open(key: str) -> None:
    for seed in SEEDS:
        match = begin(seed, key)
        play(match, seed)
        for seat in (0, 1):
            seen = fold_all(view(match.log, seat, match.game.declared), match.game.declared)
            assert zones(seen, match, seat) == zones(match.state, match, seat)
            assert (seen.turn, seen.phase, seen.result) == (match.state.turn, match.state.phase, match.state.result)


@pytest.mark.parametrize(("key", "count"), [("liveon", 8), ("xcard", 8), ("monbattle", 60)])
def test_a_card_that_lies_open_has_one_number_in_a_view_and_lies_in_its_place(key: str, count: int) -> None:
    for seed in range(count):
        match = begin(seed, key)
        play(match, seed)
        open_cards_have_their_numbers(match.log, match.game.declared)


def zones(state: State, match: Match, seat: int) -> list[list[str | None]]:
    """Codes of the cards that the seat sees in each zone, and how many there are of the others."""
    found: list[list[str | None]] = []
    for side in (0, 1):
        for name, cards in state.zones[side].items():
            zone = match.game.declared.zones[name]
            found.append([
                state.cards[c].code if c != HIDDEN and sees(zone, side, state.cards[c].face_up, seat) else None
                for c in cards
            ])
    return found


@GAMES
def test_a_view_holds_no_question_answer_or_pass_of_the_other_seat(key: str) -> None:
    match = begin(1, key)
    play(match, 1)
    for seat in (0, 1):
        for event in view(match.log, seat, match.game.declared):
            assert not (isinstance(event, Asked) and event.seat != seat)
            assert not (isinstance(event, Acted) and event.seat != seat and isinstance(event.action, (Choose, Pass)))
            assert not (isinstance(event, Shuffled) and event.order)


def test_a_card_that_goes_back_among_hidden_ones_is_met_again_under_another_number() -> None:
    for seed in range(40):
        match = begin(seed)
        play(match, seed)
        seen = view(match.log, 0, match.game.declared)
        numbers = [e.card for e in seen if isinstance(e, CardIdentified)]
        assert len(numbers) == len(set(numbers))
        if any(isinstance(e, CardMoved) and e.card in numbers and e.zone == "deck" for e in seen):
            return
    raise AssertionError("no game in which a known card went back to a deck")


@pytest.mark.parametrize("shown", [1, 2])
def test_which_of_two_copies_in_a_hand_is_played_does_not_show(shown: int) -> None:
    told = set()
    for played, kept in ((0, 1), (1, 0)):
        table = position("""
            0  battle: Elk
            1  battle: Doe   hand: Ram, 2 Ox
        """)
        match, copies = table.match, [table.ids["Ox#1"], table.ids["Ox#2"]]
        match.emit(CardsRevealed(tuple(copies[:shown])))
        match.move(copies[played], 1, "standby", "put")
        match.emit(CardsRevealed((copies[kept],)))
        seen = view(match.log, 0, match.game.declared)
        assert fold_all(seen, match.game.declared).zones[1]["standby"] != [HIDDEN]
        told.add(b"\n".join(map(encode, seen)))
    assert len(told) == 1


HANDS = ("Ram, Ox", "Ram, Ox, Hen", "Ram, 2 Ox", "2 Ox", "Ox")
SHOWN = pytest.mark.parametrize("shown", [(), (0,), (1,), (0, 1), (0, 1, 2)])


@SHOWN
@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("to", ["deck", "standby"])
def test_which_card_leaves_a_hand_unseen_does_not_show_whatever_of_it_was_shown(
    hand: str, shown: tuple[int, ...], to: str
) -> None:
    told = set()
    for moved in range(3):
        table = position(f"""
            0  battle: Elk
            1  battle: Doe   hand: {hand}
        """)
        match, declared = table.match, table.match.game.declared
        held = list(match.state.zones[1]["hand"])
        if moved >= len(held):
            continue
        match.emit(CardsRevealed(tuple(held[n] for n in shown if n < len(held))))
        match.move(held[moved], 1, to, "put", face_up=False)
        seen = view(match.log, 0, declared)
        told.add(b"\n".join(map(encode, seen)))
        state = fold_all(seen, declared)
        lost = [e.card for e in seen if isinstance(e, IdentityLost)]
        codes = {match.state.cards[card].code for card in held}
        known = len({n for n in shown if n < len(held)})
        assert len(lost) == (0 if known == len(held) and len(codes) == 1 else known)
        assert not state.cards.keys() & set(lost)
        assert len(state.zones[1]["hand"]) == len(held) - 1
    assert len(told) == 1


def test_a_card_that_was_lost_among_others_is_met_again_under_another_number() -> None:
    table = position("""
        0  battle: Elk
        1  battle: Doe   hand: Ram, Ox
    """)
    match, ram = table.match, table.ids["Ram#1"]
    match.emit(CardsRevealed((ram,)))
    match.move(table.ids["Ox#1"], 1, "deck", "put", face_up=False)
    match.move(ram, 1, "standby", "put")
    seen = view(match.log, 0, match.game.declared)
    first, second = (e.card for e in seen if isinstance(e, CardIdentified) and e.zone == "hand")
    assert first != second and IdentityLost(first) in [structs.replace(e, back=0) for e in seen]


@GAMES
@pytest.mark.parametrize("seat", [0, 1])
def test_swapping_all_cards_that_a_seat_never_saw_changes_no_byte_of_its_view(key: str, seat: int) -> None:
    compared = 0
    for seed in SEEDS:
        first = begin(seed, key)
        play(first, seed)
        twin = twin_of(first, seat, seed)
        if twin is not None:  # else a recorded decision was impossible with the swapped cards
            compared += 1
            assert lines(first.log, first, seat) == lines(twin.log, twin, seat), f"game {seed}"
    assert compared > len(SEEDS) // 2


def lines(log: list[Event], match: Match, seat: int) -> list[bytes]:
    return [encode(e) for e in view(log, seat, match.game.declared)]


@GAMES
def test_what_a_card_asks_of_a_hand_does_not_show(key: str) -> None:
    """For each shipped card that tells cards of a hand apart: hands that hold such a card, and hands that do not."""
    game = registry.load(key)
    for code, definition in game.cards.items():
        for ability in definition.abilities:
            for paid, found in zip((False, True), read_in_hands(ability), strict=True):
                for select in found:
                    compared = Counter[bool]()
                    for pair in pairs(game, code, select, paid):
                        compared[pair.held] += 1
                        seen = [lines(m.log, m, 1 - pair.seat) for m in (pair.first, pair.other)]
                        assert seen[0] == seen[1], f"{code} tells whether the hand holds such a card"
                        if min(compared[True], compared[False]) >= 3:
                            break
                    assert compared[True] and compared[False], f"{code}: {compared}"


@GAMES
def test_the_numbers_that_cards_have_in_the_full_log_show_in_no_byte_of_a_view(key: str) -> None:
    for seed in range(8):
        match = begin(seed, key)
        play(match, seed)
        again = renumbered(match.log, Random(seed))
        assert again != match.log
        for seat in (0, 1):
            assert lines(again, match, seat) == lines(match.log, match, seat), f"game {seed}"


def renumbered(log: list[Event], random: Random) -> list[Event]:
    """The very same game where the cards of each starting pile bear each other's numbers."""
    numbers: dict[int, int] = {}
    for event in log:
        if isinstance(event, CardsMade):
            ids = range(event.first, event.first + len(event.codes))
            numbers.update(zip(ids, random.sample(ids, len(ids)), strict=True))
    asked: Asked | None = None
    told = []
    for event in log:
        asked = event if isinstance(event, Asked) else asked
        told.append(_renumbered(event, numbers, asked.option_type if asked is not None else ""))
    return told


def _renumbered(event: Event, numbers: dict[int, int], option_type: str) -> Event:
    if isinstance(event, CardsMade):
        codes = dict(zip((numbers[event.first + i] for i in range(len(event.codes))), event.codes, strict=True))
        return structs.replace(event, codes=tuple(codes[number] for number in sorted(codes)))

    def renumber(holds: Holds, value: Any) -> Any:
        what = OPTION_TYPES[option_type] if holds.what == "option" else holds.what
        return numbers.get(value, value) if what in ("card", "entity") else value

    return changed(event, renumber, {"back": event.back})


@GAMES
def test_whatever_a_view_names_is_known_there_or_hidden_and_what_is_chosen_from_is_known(key: str) -> None:
    for seed in range(8):
        match = begin(seed, key)
        play(match, seed)
        for seat in (0, 1):
            state = empty_state(match.game.declared)
            for event in view(match.log, seat, match.game.declared):
                if isinstance(event, Asked) and event.option_type == "card":
                    assert set(event.options) <= state.cards.keys()
                known = set(state.cards)
                fold(state, event, match.game.declared)
                known.update(state.cards)
                for entity in _named(event):
                    assert entity in known or entity in (HIDDEN, 0, 1) or entity >= FIRST_ITEM, f"game {seed}: {event}"


def _named(event: Event) -> list[int]:
    """The cards, seats and items that the record names, the options of a question apart."""
    found: list[int] = []

    def see(holds: Holds, value: Any) -> Any:
        if holds.what in ("card", "entity"):
            found.append(value)
        return value

    changed(event, see)
    return found


def test_the_header_of_a_view_tells_no_seed_no_list_of_the_other_and_no_time() -> None:
    match = begin(5)
    header = match.log[0]
    match.log[0] = structs.replace(header, at="2026-01-01T00:00:00Z", parent=Parent("f" * 32, 7))
    seen = view(match.log, 1, match.game.declared)[0]
    assert (seen.seed, seen.at, seen.id, seen.parent, seen.view) == (None, None, "", None, 1)
    assert seen.seats[0].deck.cards == {} and seen.seats[1].deck == match.log[0].seats[1].deck


# --- what a view does not know how to show ----------------------------------------------------------------------


class Whispered(Event, frozen=True):
    """A kind that the test adds."""

    text: Text


class Marked(Event, frozen=True):
    """A kind with a field of which nothing says what it holds."""

    seat: int = 0
    note: str = ""
    text: Text = ""


class Written(Event, frozen=True):
    """A kind with such a field, which must be there."""

    note: str


class Drawn(Event, frozen=True):
    """A kind that names a face."""

    code: Code


@pytest.mark.parametrize(("event", "known", "seen"), [
    (Whispered(text="ace"), False, None),
    (Whispered(text="ace"), True, Whispered(text="ace")),
    (Marked(seat=1, note="ace", text="open"), True, Marked(text="open")),
    (Written(note="ace"), True, None),
    (Drawn(code="ace"), True, None),
])
def test_a_kind_or_field_that_a_view_does_not_know_how_to_show_is_withheld(
    event: Event, known: bool, seen: Event | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FOLDS, type(event), lambda *folded: None)
    if known:
        monkeypatch.setattr(view_module, "EVENT_KINDS", EVENT_KINDS | {type(event)})
    match = begin(1)
    log = match.log[:1]
    for seat in (0, 1):
        got = view([*log, event, TurnBegan(turn=1, seat=0, back=1)], seat, match.game.declared)
        turn = TurnBegan(turn=1, seat=0, back=0 if seen is None else 1)
        assert got[1:] == ([turn] if seen is None else [seen, turn])


@pytest.mark.parametrize("option_type", [*OPTION_TYPES, "an unknown one"])
def test_options_are_renumbered_where_they_are_cards_and_withheld_where_nobody_knows_what_they_are(
    option_type: str,
) -> None:
    table = position("""
        0  battle: Elk   hand: Ram, Ox
        1  battle: Doe   hand: Hen
    """)
    match, mine, far = table.match, table.ids["Hen#1"], table.ids["Ram#1"]
    asked = Asked(seat=1, question="choose", option_type=option_type, options=(mine,), about=(far,))
    seen = view([*match.log, asked, Acted(1, Choose(mine))], 1, match.game.declared)
    if option_type not in OPTION_TYPES:
        assert seen[-1] == structs.replace(asked, options=(), about=(HIDDEN,), back=seen[-1].back)
        return
    renumbered = OPTION_TYPES[option_type] in ("card", "entity")
    state = fold_all(view(match.log, 1, match.game.declared), match.game.declared)
    (option,), (about,) = seen[-2].options, seen[-2].about
    assert about == HIDDEN and seen[-1].action == Choose(option)
    assert (option == mine) != renumbered
    assert not renumbered or state.cards[option].code == match.state.cards[mine].code


@pytest.mark.parametrize("shown", [False, True])
def test_the_effect_of_a_card_that_the_seat_does_not_know_tells_no_code(shown: bool) -> None:
    table = position("""
        0  battle: Elk
        1  battle: Doe   hand: Ram
    """)
    match, ram = table.match, table.ids["Ram#1"]
    if shown:
        match.emit(CardsRevealed((ram,)))
    code = match.state.cards[ram].code
    match.emit(StackPushed(1000, "skill", Frame(1, ram, code=code, slots={"it": (ram,)})))
    frame = view(match.log, 0, match.game.declared)[-1].frame
    assert frame.code == (code if shown else "")
    assert (frame.card == HIDDEN) == (frame.slots["it"] == (HIDDEN,)) != shown


def test_an_action_is_seen_by_the_other_seat_only_where_it_says_so() -> None:
    assert {action for action in get_args(AnyAction) if not action.public} == {Choose, Pass}
    assert Concede.public


STRUCTS = [*get_args(AnyEvent), *get_args(AnyAction), Frame, Seat]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_each_field_says_what_it_holds(struct: type) -> None:
    assert not [field for field, holds in declared(struct).items() if UNDECLARED in holds]
