"""Games that were interrupted resume where they stopped, under a newer engine too, or say why they cannot."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import pytest
from msgspec import Raw, structs

from engine.cards.decks import deck_list
from engine.core import match as match_module
from engine.core.match import Match
from engine.core.rules import ENGINE, ContinuationError
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks import registry
from events.kinds import Asked, CardMoved, Event, RulebookLine
from events.live import LogWriter
from events.open import read_games
from events.record import LogError, edition
from replays.play import session
from replays.store.library import Library
from replays.store.share import Kept, as_seen, nameless
from replays.view.verify import verify
from tests.play import begin
from tests.state_json import from_json, to_json

Broken: TypeAlias = tuple[str, list[Event]]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")


@pytest.fixture(params=registry.GAMES)
def broken_off(request: pytest.FixtureRequest, library: Library) -> Broken:
    """The match id of a game that stopped after some decisions, and its records."""
    rules = registry.load(request.param)
    deck = rules.shipped_decks()[0]
    options: dict[str, int | str | bool] = {"format": deck.format} if "format" in rules.options else {}
    match, writer = session.start(library, rules, ("random", "random"), [deck_list(deck)] * 2, options)
    players = [PLAYER_KINDS["random"](seat) for seat in (0, 1)]
    written = 0
    with writer:
        for _ in range(12):
            writer.append(match.log[written:])
            written = len(match.log)
            assert match.state.asked is not None
            match.act(players[match.state.asked.seat](Observation(match)), ms=1000 + written)
        writer.append(match.log[written:])
    return match.log[0].match, match.log  # type: ignore[attr-defined]


def finish(library: Library, match: Match, writer: LogWriter) -> None:
    written = len(match.log)
    with writer:
        while match.state.asked is not None:
            match.act(PLAYER_KINDS["random"](len(match.log))(Observation(match)))
        writer.append(match.log[written:])
    header = match.log[0]
    library.keep(library.live(header.match))  # type: ignore[attr-defined]
    kept = library.open(header.match)  # type: ignore[attr-defined]
    assert kept.sealed and verify(kept).verdict == "verified", verify(kept).text


def test_a_game_goes_on_where_it_stopped(library: Library, broken_off: Broken) -> None:
    name, events = broken_off
    assert session.unfinished(library) == [name]
    match, writer, aside = session.resume(library, name)
    assert session.unfinished(library) == []
    assert (match.log, aside) == (events, "")
    finish(library, match, writer)


def test_a_torn_decision_is_put_aside_and_the_game_goes_on(library: Library, broken_off: Broken) -> None:
    name, events = broken_off
    path = library.live(name)
    data = path.read_bytes()
    path.write_bytes(data[:-40])
    match, writer, aside = session.resume(library, name)
    assert f"put aside in {path.name}.torn" in aside and match.log == events[: len(match.log)]
    assert isinstance(match.log[-1], Asked)
    finish(library, match, writer)


def test_a_game_that_was_cut_before_its_first_question_begins_again(library: Library, broken_off: Broken) -> None:
    name, events = broken_off
    path = library.live(name)
    first = next(n for n, event in enumerate(events) if isinstance(event, Asked))
    lines = path.read_bytes().splitlines(keepends=True)
    begin = len(lines) - len(events)
    for cut in (begin + 1, begin + 2, begin + first):
        path.write_bytes(b"".join(lines[:cut]) + lines[cut][:-9])
        match, writer, aside = session.resume(library, name)
        writer.close()
        assert match.log == events[: first + 1] and (aside == "") == (cut == begin + 1 and not lines[cut][:-9].strip())
        assert library.open(name).events == events[: first + 1]
    finish(library, *session.resume(library, name)[:2])


def test_under_a_newer_engine_the_decisions_are_done_again(
    library: Library, broken_off: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, events = broken_off
    monkeypatch.setattr(match_module, "ENGINE", "another")
    match, writer, _ = session.resume(library, name)
    assert match.log == events and match.state.asked is not None
    finish(library, match, writer)


def rewritten(path: Path, events: list[Event], rulebook: RulebookLine | None = None) -> None:
    """The log of these records instead."""
    (old,) = read_games(path)
    book = rulebook or old.rulebook
    events = [structs.replace(events[0], rulebook=edition(book)), *events[1:]]
    path.unlink()
    with LogWriter(path, book, old.card_sets) as writer:
        writer.append(events)


def test_a_continuation_of_another_shape_is_another_version(library: Library, broken_off: Broken) -> None:
    name, events = broken_off
    path = library.live(name)
    strange = [structs.replace(e, continuation=Raw(b'{"engine":"0"}')) if isinstance(e, Asked) else e for e in events]
    rewritten(path, strange)
    match, writer, _ = session.resume(library, name)
    finish(library, match, writer)


@pytest.mark.parametrize(("rest", "said"), [
    (b'["?",[{"new":1}],[],4]', rf"under engine version \?; this is version {ENGINE}"),
    (f'["{ENGINE}",[[0,{{"kind":"unheard"}}]],[]]'.encode(), f"under engine version {ENGINE}, and where cannot"),
    (b"[]", "under engine version unknown"), (b'{"engine":"0"}', "under engine version unknown"),
    (b'[["2"]]', "under engine version unknown"), (b"[" * 900 + b"]" * 900, "under engine version unknown"),
])
def test_a_match_from_a_continuation_of_another_shape_is_a_sentence(rest: bytes, said: str) -> None:
    match = begin(1, size=19)
    assert match.state.asked is not None
    state = from_json(to_json(match.state))
    state.asked = structs.replace(match.state.asked, continuation=Raw(rest))
    with pytest.raises(ContinuationError, match=f"This game stopped {said}"):
        Match(match.game, state)


def test_a_game_that_comes_out_differently_can_be_watched_only(
    library: Library, broken_off: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, events = broken_off
    at = next(n for n, e in enumerate(events) if isinstance(e, CardMoved))
    path = library.live(name)
    rewritten(path, [*events[:at], structs.replace(events[at], face_up=not events[at].face_up), *events[at + 1 :]])  # type: ignore[attr-defined]
    monkeypatch.setattr(match_module, "ENGINE", "another")
    before = path.read_bytes()
    why = rf"comes out differently: Record {at} .* can be watched \(cardfold log"
    with pytest.raises(session.CannotGoOn, match=why):
        session.resume(library, name)
    assert path.read_bytes() == before and session.unfinished(library) == [name]
    assert library.open(name).fault is None


def test_a_game_under_another_rulebook_version_can_be_watched_only(
    library: Library, broken_off: Broken
) -> None:
    name, events = broken_off
    (old,) = read_games(library.live(name))
    rewritten(library.live(name), events, structs.replace(old.rulebook, version="0.9"))
    with pytest.raises(session.CannotGoOn, match=r"begun under rulebook version 0\.9; at hand is"):
        session.resume(library, name)


def test_a_game_that_is_being_played_is_not_resumed(library: Library, broken_off: Broken) -> None:
    name, _ = broken_off
    _, writer, _ = session.resume(library, name)
    with writer, pytest.raises(LogError, match="being written by another process"):
        session.resume(library, name)


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_game_that_people_play_has_a_seed_of_64_random_bits_and_no_shared_copy_has_it(
    library: Library, key: str
) -> None:
    rules, seeds = registry.load(key), []
    deck = rules.shipped_decks()[0]
    options: dict[str, int | str | bool] = {"format": deck.format} if "format" in rules.options else {}
    for _ in range(64):
        match, writer = session.start(library, rules, ("human", "random"), [deck_list(deck)] * 2, options)
        with writer:
            writer.append(match.log)
        assert match.state.seed is not None
        seeds.append(match.state.seed)
    assert all({seed >> bit & 1 for seed in seeds} == {0, 1} for bit in range(64))
    (log,) = read_games(library.live(match.log[0].match))  # type: ignore[attr-defined]
    for copy in (as_seen(log, 0), as_seen(log, 1), next(nameless([log])), next(nameless([log], list(Kept)))):
        assert copy.header.seed is None and str(log.header.seed).encode() not in copy.text
