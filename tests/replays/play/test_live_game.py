"""A game that is being played: its log at every moment, and when the last step may be taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engine.core.match import Match
from engine.core.tasks import Illegal
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks import registry
from engine.view import view
from events import kinds as k
from events.actions import AnyAction, Move
from events.kinds import Acted, Annotated, Asked, Event, Seat
from events.live import LogWriter
from events.record import LogError, encode
from replays.play import session
from replays.play.choices import choices_of, refused_cards
from replays.play.live_game import CONCEDES, LiveGame
from replays.play.terminal import Names
from replays.store.library import Library
from replays.view.verify import verify
from tests import play

GAMES = 2
DECISIONS = 120
DEALS = 3


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")


def begin(library: Library, key: str, seed: int) -> LiveGame:
    """A game of two persons with any decks."""
    rules = registry.load(key)
    decks = [play.any_deck(rules, 41, 2 * seed + seat) for seat in (0, 1)]
    first, second = (Seat(name, "human", deck) for name, deck in zip("AB", decks, strict=True))
    match = rules.begin(rules.header((first, second), {}, seed, origin="played", match=f"{seed:016x}"))
    return LiveGame(match, LogWriter(library.live(f"{seed:016x}"), rules.rulebook, rules.card_sets))


def steps(live: LiveGame, seed: int) -> Iterator[AnyAction]:
    """Decisions by chance for whichever seat is asked, before each is taken."""
    players = [PLAYER_KINDS["random"](seed + seat) for seat in (0, 1)]
    for _ in range(DECISIONS):
        if live.asked is None:
            return
        yield players[live.asked](Observation(live.match))


def bare(event: Event) -> object:
    """A record without the time that was taken, and without what the engine keeps in it for itself."""
    if isinstance(event, Asked):
        return event.seat, event.question, event.option_type, event.options, event.about, event.optional
    return (event.seat, event.action) if isinstance(event, Acted) else encode(event)


def comes_of(match: Match, action: AnyAction) -> list[object]:
    """What comes of a decision in a match whose hidden cards are imagined."""
    match.carry_out(action)
    return [bare(event) for event in match.log]


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_step_that_is_taken_back_has_never_been_and_told_nothing(library: Library, key: str) -> None:
    """Random games: each step that may be taken back is. The log, the match and both views are then as before; the
    same step leads to the same; and it would have, whatever cards lie hidden."""
    taken = Counter[str]()
    for seed in range(GAMES):
        live = begin(library, key, seed)
        path = library.live(live.name)
        for action in steps(live, seed):
            seat, count = live.asked, len(live.match.log)
            before = path.read_bytes(), list(live.match.log), [list(seen.events) for seen in live.seats]
            deals = [Observation(live.match).imagine(Random(deal)) for deal in range(DEALS)]
            live.act(action)
            assert seat is not None
            if not live.may_take_back(seat):
                continue
            done = [bare(event) for event in live.match.log[count:]]
            told = [comes_of(deal, action) for deal in deals]
            assert all(one == told[0] for one in told), (action, told)
            taken[type(action).__name__] += 1
            assert not live.may_take_back(1 - seat)
            live.take_back(seat)
            assert (path.read_bytes(), live.match.log, [seen.events for seen in live.seats]) == before
            assert live.asked == seat and live.match.refuse(action) is None
            live.act(action)
            assert [bare(event) for event in live.match.log[count:]] == done
        live.writer.close()
        assert list(live.seats[1].events) == view(live.match.log, 1, live.match.declared)
    assert taken, "no step could be taken back"


@pytest.mark.parametrize("key", registry.GAMES)
def test_nothing_is_taken_back_once_something_was_learned_or_decided_elsewhere(library: Library, key: str) -> None:
    """Of every step of random games: one by which a card was seen, chance or the other seat decided, or the turn or
    phase went on, stays; only its own seat may take back, and only while nothing came after that stays."""
    kept = Counter[str]()
    stay = (k.Rolled, k.Shuffled, k.CardsRevealed, k.CardsMade, k.TurnBegan, k.PhaseBegan, k.AttackMet, k.DamageDealt,
            k.StackPopped, k.GameEnded)  # fmt: skip
    for seed in range(GAMES):
        live = begin(library, key, 50 + seed)
        for action in steps(live, seed):
            seat, count = live.asked, len(live.match.log)
            held = [len(seen.view.numbers) for seen in live.seats]
            live.act(action)
            came = [type(event).__name__ for event in live.match.log[count:] if isinstance(event, stay)]
            came += ["seen"] if held != [len(seen.view.numbers) for seen in live.seats] else []
            came += ["other"] if live.asked != seat else []
            for what in came:
                kept[what] += 1
                for one in (0, 1):
                    assert not live.may_take_back(one)
                    with pytest.raises(LookupError, match="cannot be taken back"):
                        live.take_back(one)
        live.writer.close()
    assert {"other", "seen", "PhaseBegan"} <= set(kept), kept


def test_steps_are_taken_back_one_by_one(library: Library) -> None:
    live = begin(library, "liveon", 3)
    path = library.live(live.name)
    states = [path.read_bytes()]
    for action in steps(live, 3):
        seat = live.asked
        assert seat is not None
        moves = [one for one in live.match.legal() if isinstance(one, Move)]
        live.act(moves[0] if moves else action)
        if not live.may_take_back(seat):
            states = [path.read_bytes()]
        elif len(states := [*states, path.read_bytes()]) == 4:
            break
    for data in reversed(states[:-1]):
        assert live.asked is not None
        live.take_back(live.asked)
        assert path.read_bytes() == data
    assert live.asked is not None and not live.may_take_back(live.asked)
    live.writer.close()


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_game_with_steps_taken_back_and_an_interruption_is_whole_and_verified(library: Library, key: str) -> None:
    live = begin(library, key, 9)
    random = Random(9)
    back = 0
    while live.asked is not None:
        seat = live.asked
        live.act(random.choice(live.match.legal()))
        if live.may_take_back(seat) and random.random() < 0.7:
            live.take_back(seat)
            back += 1
        if random.random() < 0.05 and live.asked is not None:
            live.writer.close()
            live = LiveGame(*resumed(library, live.name))
            assert not live.may_take_back(0) and not live.may_take_back(1)
    live.writer.close()
    library.keep(library.live(live.name))
    kept = library.open(live.name)
    assert kept.sealed and kept.events[:-1] == live.match.log
    assert verify(kept).verdict == "verified", verify(kept).text
    assert back or key != "liveon"


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("key", registry.GAMES)
def test_a_seat_concedes_at_any_moment_which_is_on_record_at_once_and_ends_the_game_at_its_next_question(
    library: Library, key: str, own: bool, restart: bool
) -> None:
    live = begin(library, key, 5)
    random = Random(5)
    for _ in range(12):
        live.act(random.choice(live.match.legal()))
    assert live.asked is not None
    seat = live.asked if own else 1 - live.asked
    live.concede(seat)
    live.concede(seat)  # a second time changes nothing
    if not own:
        assert live.asked == 1 - seat and live.conceding == {seat} and not live.may_take_back(1 - seat)
        written = library.live(live.name).read_bytes()
        assert written.count(b'"concedes"') == 1
        if restart:
            live.writer.close()
            live = LiveGame(*resumed(library, live.name))
            assert live.conceding == {seat} and library.live(live.name).read_bytes() == written
    while live.asked is not None:
        assert live.asked == 1 - seat, "the seat that has given up is asked nothing more"
        live.act(random.choice(live.match.legal()))
        if live.may_take_back(1 - seat):
            live.take_back(1 - seat)
            assert live.conceding == {seat}
            live.act(live.match.legal()[-1])
    assert live.match.state.result is not None
    winner, reason = live.match.state.result.winner, live.match.state.result.reason
    assert (winner, reason) == (1 - seat, "conceded")
    live.writer.close()
    library.keep(library.live(live.name))
    kept = library.open(live.name)
    assert kept.sealed and verify(kept).verdict == "verified", verify(kept).text


def test_a_game_that_stopped_between_the_question_and_the_concession_ends_when_it_is_taken_up(library: Library) -> None:
    live = begin(library, "xcard", 5)
    while live.asked != 1:
        live.act(live.match.legal()[0])
    live.writer.append([Annotated(text="", seat=1, data=dict(CONCEDES))])
    live.writer.close()
    live = LiveGame(*resumed(library, live.name))
    assert live.asked is None and live.match.state.result is not None
    assert live.match.state.result.reason == "conceded"
    live.writer.close()


def resumed(library: Library, name: str) -> tuple[Match, LogWriter, int]:
    match, writer, _ = session.resume(library, name)
    return match, writer, len(match.log)


def test_where_the_log_cannot_be_written_nothing_has_happened(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = begin(library, "liveon", 1)
    before = list(live.match.log), library.live(live.name).read_bytes()
    action = live.match.legal()[0]

    def full(*_: object) -> None:
        raise LogError("cannot be written: no space left on device.", "x")

    with monkeypatch.context() as patched:
        patched.setattr(live.writer, "append", full)
        with pytest.raises(LogError, match="no space"):
            live.act(action)
        with pytest.raises(LogError, match="no space"):
            live.concede(1 - (live.asked or 0))
    assert (live.match.log, library.live(live.name).read_bytes()) == before and not live.conceding
    live.act(action)
    assert len(live.match.log) > len(before[0])
    live.writer.close()


def test_an_action_that_is_not_legal_is_refused_and_leaves_all_as_it_was(library: Library) -> None:
    live = begin(library, "liveon", 1)
    before = library.live(live.name).read_bytes()
    with pytest.raises(Illegal):
        live.act(Move(999))
    assert library.live(live.name).read_bytes() == before
    assert live.asked is not None
    live.concede(live.asked)
    assert live.asked is None and live.match.state.result is not None
    assert live.match.state.result.reason == "conceded"
    live.writer.close()


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("key", registry.GAMES)
def test_what_may_be_chosen_is_said_of_what_the_seat_sees_alone(library: Library, key: str, language: str) -> None:
    """Choices and refusals come in the order of the rules; each entity is one that the seat's own table has."""
    live = begin(library, key, 4)
    rules = live.match.game
    names = Names(rules.rulebook, rules.card_sets, language, ["Ada", "Bo"])
    whys = 0
    for action in steps(live, 4):
        assert live.asked is not None
        seen = live.seats[live.asked]
        told = choices_of(live.match, seen.view, seen.state, names)
        assert [one.action for one in told] == live.match.legal()
        nothing = refused_cards(live.match, seen.view, seen.state, names)
        whys += len(nothing)
        assert all(one.action is None and one.why is not None and one.why.rule and one.text for one in nothing)
        for one in (*told, *nothing):
            assert one.text and all(n < 2 or n in seen.state.cards or n >= k.FIRST_ITEM for n in one.entities), one
        live.act(action)
    live.writer.close()
    assert whys
