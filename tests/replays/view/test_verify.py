"""Verdicts: each of the five, with the record, and what a stranger's file cannot make of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import msgspec
import pytest
from msgspec import structs

from engine.rulebooks import registry
from events.actions import Choose, Play
from events.game import GameLog, game_lines, write_game
from events.kinds import NOTHING, Acted, Annotated, Asked, CardMoved, Event, GameEnded, GameStarted, Sealed
from events.open import read_games
from events.record import encode, seal
from replays.view.narrate import log_text, narrate
from replays.view.timeline import Timeline
from replays.view.verify import REASONS, Verdict, verify
from tests.events.highcard import SHARED
from tests.events.highcard import game as invented
from tests.play import begin, play


@dataclasses.dataclass
class Told:
    """A whole game, its records (without the seal) and its file."""

    events: list[Event]
    text: bytes
    rulebook: bytes
    card_sets: list[bytes]

    def again(self, events: list[Event]) -> bytes:
        """A file of these records instead, with a right seal where they end."""
        return b"\n".join([self.rulebook, *self.card_sets, *game_lines(events)]) + b"\n"


@pytest.fixture(scope="module", params=registry.GAMES)
def told(request: pytest.FixtureRequest) -> Told:
    match = begin(2, request.param)
    events = play(match, 2)
    game = match.game
    return Told(
        events, write_game((game.rulebook, game.card_sets, events)), encode(game.rulebook),
        [encode(cards) for cards in game.card_sets],
    )


def read(data: bytes) -> GameLog:
    (one,) = read_games(data, name="x.jsonl")
    return one


def verdict(data: bytes) -> Verdict:
    found = verify(read(data))
    assert set(found.about) == set(REASONS[found.reason]), "what its sentence is filled with in any language"
    return found


def test_a_true_game_is_verified_whole_or_cut_where_it_is_cut(told: Told) -> None:
    assert verdict(told.text).verdict == "verified"
    lines = told.text.splitlines(keepends=True)
    unsealed = verdict(b"".join(lines[:-1]))
    assert unsealed.verdict == "verified"
    cut = verdict(b"".join(lines[:-3]))
    assert (cut.verdict, cut.record) == ("cut", len(told.events) - 2)
    torn = verdict(told.text[:-200])
    assert torn.verdict == "cut" and "x.jsonl, game 0, record" in torn.text


def test_notes_inside_the_log_are_no_difference(told: Told) -> None:
    at = next(n for n, e in enumerate(told.events) if isinstance(e, Acted))
    later = [
        structs.replace(e, back=e.back + 1) if e.back > n else e for n, e in enumerate(told.events[at:])
    ]
    found = verdict(told.again([*told.events[:at], Annotated("hm", "greedy", 0, at - 1, {"chance": 0.5}), *later]))
    assert found.verdict in ("verified", "altered")  # an announced effect tells the record at which it was
    if found.verdict == "altered":
        assert {name for name, _, _ in found.differences} <= {"frame", "back", "continuation"}


def test_a_sealed_lie_is_altered_at_its_first_record_field_by_field(told: Told) -> None:
    at = next(n for n, e in enumerate(told.events) if isinstance(e, CardMoved))
    moved = told.events[at]
    assert isinstance(moved, CardMoved)
    lie = structs.replace(moved, move_kind="destroyed", index=moved.index + 1)
    found = verdict(told.again([*told.events[:at], lie, *told.events[at + 1 :]]))
    assert (found.verdict, found.record) == ("altered", at)
    assert {name: (written, right) for name, written, right in found.differences} == {
        "move_kind": ("destroyed", moved.move_kind), "index": (moved.index + 1, moved.index),
    }


def test_another_winner_is_altered(told: Told) -> None:
    found = verdict(told.again(lied(told)))
    assert (found.verdict, found.record, found.differences[0][0]) == ("altered", len(told.events) - 1, "winner")


def test_a_game_with_a_wrong_seal_is_altered_even_where_all_follows(told: Told) -> None:
    assert verdict(told.text.replace(b'"player":"A"', b'"player":"Z"', 1)).verdict == "altered"
    found = verdict(told.text.replace(b'"seal":"', b'"seal":"0'))
    assert found.verdict == "altered" and "seal does not match" in found.text


def test_records_that_follow_from_no_decision_are_altered(told: Told) -> None:
    at = next(n for n, e in enumerate(told.events) if isinstance(e, Acted))
    extra = CardMoved(card=2, seat=0, zone="hand", move_kind="drawn")
    found = verdict(told.again([*told.events[:at], extra, *told.events[at:]]))
    assert (found.verdict, found.record) == ("altered", at) and "follows from no decision" in found.text


@pytest.mark.parametrize("action", [Play(99), Play(-1), Play(2**62), Choose(-5), Choose(2**63 - 1)])
@pytest.mark.parametrize("seat", [0, 1, 7])
def test_a_decision_that_breaks_the_rules_is_illegal_whoever_takes_it(told: Told, action: Play, seat: int) -> None:
    decisions = [n for n, e in enumerate(told.events) if isinstance(e, Acted)]
    for at in decisions[:: max(1, len(decisions) // 8)]:
        found = verdict(told.again([*told.events[:at], Acted(seat=seat, action=action)]))
        assert (found.verdict, found.record) == ("illegal", at)


def test_a_header_that_no_game_can_begin_with_is_a_verdict(told: Told) -> None:
    header = told.events[0]
    assert isinstance(header, GameStarted)
    deck = structs.replace(header.seats[0].deck, cards={"NONE-001": 40}, leader="NONE-002")
    for changed in (
        structs.replace(header, seats=(structs.replace(header.seats[0], deck=deck), header.seats[1])),
        structs.replace(header, options={"format": 7, "max_turns": "many"}),
        structs.replace(header, seed=-1),
        structs.replace(header, seed=2**63 - 1),
    ):
        assert verdict(told.again([changed, *told.events[1:]])).verdict in ("altered", "illegal")


def test_without_rulebook_or_card_set_line_a_game_is_whole_and_says_which(told: Told) -> None:
    lines = told.text.splitlines(keepends=True)
    for gone, word in ((lines[0], "rulebook"), (lines[1], "card set")):
        text = b"".join(line for line in lines if line != gone)
        found = verdict(text)
        assert found.verdict == "unchecked" and f"the line of its {word}" in found.text
        assert verdict(text.replace(b'"seal":"', b'"seal":"0')).verdict == "altered"
        assert verdict(b"".join(text.splitlines(keepends=True)[:-1])).verdict == "cut"


def test_under_another_rulebook_version_a_game_is_whole_and_says_so(told: Told) -> None:
    header = told.events[0]
    assert isinstance(header, GameStarted)
    other = told.rulebook.replace(header.rulebook.version.encode(), b"0.0.1", 1)
    named = structs.replace(header.rulebook, version="0.0.1", digest=seal([other]))
    events = [structs.replace(header, rulebook=named), *told.events[1:]]
    found = verdict(b"\n".join([other, *told.card_sets, *game_lines(events)]))
    assert found.verdict == "unchecked" and "under rulebook version 0.0.1" in found.text


def test_a_game_of_an_unknown_rulebook_is_whole_where_it_is_sealed() -> None:
    text = write_game((*SHARED, invented(2)))
    assert verdict(text).verdict == "unchecked" and "'highcard' is not at hand" in verdict(text).text
    assert verdict(b"\n".join(text.splitlines()[:-1])).verdict == "cut"
    wrong = [*invented(2)[:5], CardMoved(card=77, seat=0, zone="hand", move_kind="drawn"), *invented(2)[5:]]
    found = verdict(write_game((*SHARED, wrong)))
    assert (found.verdict, found.record) == ("altered", 5)


def header_of(told: Told) -> GameStarted:
    header = told.events[0]
    assert isinstance(header, GameStarted)
    return header


def lied(told: Told) -> list[Event]:
    """The game with another winner."""
    end = told.events[-1]
    assert isinstance(end, GameEnded)
    return [*told.events[:-1], structs.replace(end, winner=None if end.winner is not None else 1)]


def test_a_game_without_a_seed_cannot_be_checked(told: Told) -> None:
    found = verdict(told.again([structs.replace(header_of(told), seed=None), *told.events[1:]]))
    assert found.verdict == "unchecked" and "no seed" in found.text


def test_a_transcribed_game_is_verified_or_cannot_be_checked(told: Told) -> None:
    header = structs.replace(header_of(told), origin="transcribed")
    assert verdict(told.again([header, *told.events[1:]])).verdict == "verified", "where it comes from is a claim"
    found = verdict(told.again([header, *lied(told)[1:]]))
    assert (found.verdict, found.reason) == ("unchecked", "transcribed")


def test_a_game_that_ended_by_an_error_is_checked_up_to_there(told: Told) -> None:
    ending = [Annotated(text="it raised", back=1), GameEnded(winner=None, reason="error")]
    for cut in (len(told.events) // 2, len(told.events) - 1):
        found = verdict(told.again([*told.events[:cut], *ending]))
        assert (found.verdict, found.reason) == ("unchecked", "program_error")
    at = next(n for n, e in enumerate(told.events) if isinstance(e, CardMoved))
    moved = structs.replace(told.events[at], move_kind="destroyed")
    found = verdict(told.again([*told.events[:at], moved, *told.events[at + 1 : -1], *ending]))
    assert (found.verdict, found.record) == ("altered", at)


@pytest.mark.parametrize(
    ("field", "wanted"), [(b'"en":"', "other_cards"), (b'"ja":"', "follows"), (b'"flavour":{"en":"', "follows")]
)
def test_cards_that_call_themselves_a_shipped_set_are_not_taken_for_it(told: Told, field: bytes, wanted: str) -> None:
    header = header_of(told)
    sets = [line.replace(field, field + b"Fine ", 1) for line in told.card_sets]
    assert sets != told.card_sets
    named = zip(header.card_sets, sets, strict=True)
    editions = tuple(structs.replace(e, digest=seal([line])) for e, line in named)
    changed = structs.replace(header, card_sets=editions, id="")
    found = verdict(b"\n".join([told.rulebook, *sets, *game_lines([changed, *told.events[1:]])]))
    assert (found.verdict, found.reason) == ("verified" if wanted == "follows" else "unchecked", wanted)


def test_a_continuation_that_differs_from_the_one_worked_out_is_altered(told: Told) -> None:
    at = [n for n, e in enumerate(told.events) if isinstance(e, Asked)][3]
    asked = told.events[at]
    assert isinstance(asked, Asked)
    version, agenda, pending = msgspec.json.decode(asked.continuation)
    without = [structs.replace(e, continuation=NOTHING) if isinstance(e, Asked) else e for e in told.events]
    assert verdict(told.again(without)).verdict == "verified"
    for changed, wanted in (
        ([version, agenda[:-1], pending], "altered"),
        ([version, agenda, [*pending, 0]], "altered"),
        ([version], "altered"),
        (["0", [], []], "verified"),  # another engine's: nobody goes on from it
        (None, "verified"),
    ):
        other = structs.replace(asked, continuation=msgspec.Raw(msgspec.json.encode(changed)))
        for rest in (told.events, without):  # the others carry theirs, or none
            found = verdict(told.again([*rest[:at], other, *rest[at + 1 :]]))
            assert found.verdict == wanted
            if wanted == "altered":
                assert (found.record, found.differences[0][0]) == (at, "continuation")


def test_of_a_file_with_no_game_there_is_a_verdict_too() -> None:
    assert verify(GameLog()).verdict == "cut"
    assert verify(GameLog(events=[Sealed(seal="")])).verdict == "cut"


def _decided(told: Told, change: Callable[[Acted], Acted]) -> bytes:
    return told.again([change(e) if isinstance(e, Acted) else e for e in told.events])


def test_a_decision_of_the_other_seat_is_illegal(told: Told) -> None:
    found = verdict(_decided(told, lambda e: structs.replace(e, seat=1 - e.seat)))
    assert found.verdict == "illegal" and "is asked" in found.text


def test_an_old_log_is_shown_with_its_own_cards(told: Told) -> None:
    """What a set says today changes nothing of how its older version is shown."""
    header = told.events[0]
    assert isinstance(header, GameStarted)
    sets = [line.replace(b'"en":"', b'"en":"Anno ') for line in told.card_sets]
    editions = zip(header.card_sets, sets, strict=True)
    named = structs.replace(
        header, card_sets=tuple(structs.replace(edition, digest=seal([line])) for edition, line in editions)
    )
    one = read(b"\n".join([told.rulebook, *sets, *game_lines([named, *told.events[1:]])]))
    assert one.fault is None and one.sealed
    assert "Anno " in log_text(narrate(one.events, one.rulebook, one.card_sets))
    data = Timeline(one.events, one.rulebook, one.card_sets).viewer_data()
    assert data["fault"] is None and all(card["name"].startswith("Anno ") for card in data["cards"].values())
    today = read(told.text)
    shown = Timeline(today.events, today.rulebook, today.card_sets).viewer_data()["cards"]
    assert not any(card["name"].startswith("Anno ") for card in shown.values())
