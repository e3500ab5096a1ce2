"""Forged copies of a game: whatever is changed, and however it is made uncheckable, none counts or takes its place."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from engine.rulebooks import registry
from events import kinds as k
from events.actions import Concede, Pass
from events.game import game_lines, write_game
from events.kinds import Event
from events.record import digest, encode
from replays.stats.metrics import Filters, metric
from replays.stats.warehouse import open_warehouse, update
from replays.store.library import Library
from tests.play import header, play

Log = list[Event]
GAME = registry.load("liveon")


@cache
def true(live: str | None = "m1") -> tuple[Event, ...]:
    """A small game with a bit of everything. It calls itself played: what follows from its id protects nothing.

    `live`: its match id, if it is to be one that was played live.
    """
    for seed in range(50):
        start = structs.replace(header(seed, size=21), options={"format": "short"})
        match = GAME.begin(structs.replace(start, origin="played", id="g1", match=live))
        play(match, seed)
        kinds = {type(event) for event in match.log}
        if {k.DamageDealt, k.StackPushed, k.CounterSet, k.AttackSet, k.ModifierBegan} <= kinds and len(match.log) < 900:
            return tuple(match.log)
    raise AssertionError("no such game")


def change(kind: type[Event], nth: int = 0, **fields: Callable[[Any], Any]) -> Callable[[Log], Log]:
    """What changes fields of the nth record of a kind, each by a function of the record."""

    def changed(log: Log) -> Log:
        at = [n for n, event in enumerate(log) if isinstance(event, kind)][nth]
        told = structs.replace(log[at], **{name: of(log[at]) for name, of in fields.items()})
        assert told != log[at]
        return [*log[:at], told, *log[at + 1 :]]

    return changed


def without(kind: type[Event], nth: int = 0) -> Callable[[Log], Log]:
    def changed(log: Log) -> Log:
        at = [n for n, event in enumerate(log) if isinstance(event, kind)][nth]
        return log[:at] + log[at + 1 :]

    return changed


def twice(kind: type[Event], nth: int = 0) -> Callable[[Log], Log]:
    def changed(log: Log) -> Log:
        at = [n for n, event in enumerate(log) if isinstance(event, kind)][nth]
        return [*log[: at + 1], structs.replace(log[at], back=0), *log[at + 1 :]]

    return changed


def ended_early(log: Log) -> Log:
    at = [n for n, event in enumerate(log) if isinstance(event, k.Asked)][-8]
    asked = log[at]
    assert isinstance(asked, k.Asked)
    return [*log[: at + 1], k.Acted(asked.seat, Concede()), k.GameEnded(asked.seat, "conceded")]


def fewer_cards(e: Any) -> Any:
    deck = e.seats[0].deck
    code, count = next((code, n) for code, n in deck.cards.items() if n > 1)
    return (structs.replace(e.seats[0], deck=structs.replace(deck, cards={**deck.cards, code: count - 1})), e.seats[1])


def continued(e: Any) -> msgspec.Raw:
    version, agenda, pending = msgspec.json.decode(e.continuation)
    return msgspec.Raw(msgspec.json.encode([version, agenda[1:], pending]))


WAYS: dict[str, Callable[[Log], Log]] = {
    "another winner": change(k.GameEnded, winner=lambda e: 1 - e.winner if e.winner is not None else 0),
    "a draw": change(k.GameEnded, winner=lambda e: None if e.winner is not None else 1),
    "another reason": change(k.GameEnded, reason=lambda e: "conceded" if e.reason != "conceded" else "deck_out"),
    "an early end": ended_early,
    "another decision": change(k.Acted, 5, action=lambda e: Pass() if not isinstance(e.action, Pass) else Concede()),
    "whose decision": change(k.Acted, 3, seat=lambda e: 1 - e.seat),
    "a decision less": without(k.Acted, 4),
    "a decision more": twice(k.Acted, 4),
    "another zone": change(k.CardMoved, 9, zone=lambda e: "deck" if e.zone != "deck" else "hand"),
    "another kind of move": change(k.CardMoved, 9, move_kind=lambda e: "destroyed"),
    "another card": change(k.CardMoved, 9, card=lambda e: e.card + 1),
    "another face": change(k.CardMoved, 9, face_up=lambda e: not e.face_up),
    "a move less": without(k.CardMoved, -1),
    "another counter": change(k.CounterSet, 0, value=lambda e: e.value + 1000),
    "another order": change(k.Shuffled, 0, order=lambda e: e.order[::-1]),
    "other cards": change(k.CardsMade, 0, codes=lambda e: e.codes[::-1]),
    "another turn": change(k.TurnBegan, 2, turn=lambda e: e.turn + 1),
    "whose turn": change(k.TurnBegan, 1, seat=lambda e: 1 - e.seat),
    "a phase less": without(k.PhaseBegan, 3),
    "another cause": change(k.PhaseBegan, 3, back=lambda e: e.back + 1),
    "another question": change(k.Asked, 6, optional=lambda e: not e.optional),
    "another continuation": change(k.Asked, 6, continuation=continued),
    "another damage": change(k.DamageDealt, 0, amount=lambda e: e.amount + 500),
    "another deck": change(k.GameStarted, seats=fewer_cards),
    "another option": change(k.GameStarted, options=lambda e: {**e.options, "max_turns": 5}),
    "another seed": change(k.GameStarted, seed=lambda e: e.seed + 1),
}
"""Each makes another log of a true one, which is then sealed anew."""


def sealed(log: Log, book: bytes | None = None, sets: list[bytes] | None = None) -> bytes:
    """The file of a log, whose header names these shared lines."""
    shared = [encode(GAME.rulebook) if book is None else book]
    shared += [encode(line) for line in GAME.card_sets] if sets is None else sets
    return b"\n".join([*shared, *game_lines(log), b""])


def another_version(log: Log) -> bytes:
    book = structs.replace(GAME.rulebook, version="0.0.1")
    line = encode(book)
    named = edition_of(book.key, book.version, line)
    return sealed([structs.replace(log[0], rulebook=named), *log[1:]], line)


def edition_of(key: str, version: str, line: bytes) -> Any:
    return structs.replace(true()[0].rulebook, key=key, version=version, digest=digest(line))  # type: ignore[attr-defined]


def other_cards(log: Log) -> bytes:
    """The card set is another one by the name of the shipped one, and the header names it so."""
    line = encode(GAME.card_sets[0]).replace(b'"pow":', b'"pow":1', 1)
    named = edition_of(GAME.card_sets[0].key, GAME.card_sets[0].version, line)
    return sealed([structs.replace(log[0], card_sets=(named,)), *log[1:]], sets=[line])


COVERS: dict[str, Callable[[Log], bytes]] = {
    "as it is": sealed,
    "a byte of the card set changed": lambda log: sealed(
        log, sets=[encode(line).replace(b'"en":"', b'"en":"X', 1) for line in GAME.card_sets]
    ),
    "no card set": lambda log: sealed(log, sets=[]),
    "cards of that name": other_cards,
    "another id": lambda log: sealed([structs.replace(log[0], id=""), *log[1:]]),
    "no seed": lambda log: sealed([structs.replace(log[0], seed=None), *log[1:]]),
    "transcribed": lambda log: sealed([structs.replace(log[0], origin="transcribed"), *log[1:]]),
    "another version": another_version,
    "an error": lambda log: sealed([*log[:-1], k.Annotated(text="it raised"), k.GameEnded(None, "error")]),
}
"""Ways to write a log so that it cannot be checked whether it is true."""


def forgeries(way: str) -> Iterator[bytes]:
    log = WAYS[way](list(true()))
    return (cover(log) for cover in COVERS.values())


def test_the_true_game_counts(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    report = library.import_paths([io.BytesIO(sealed(list(true())))])
    assert report.verdicts == {"verified": 1} and library.left_out() == []
    assert len(WAYS) >= 25


def only_the_true_one_counts(library: Library, game: bytes, names: tuple[str, ...]) -> None:
    """Of all copies in the library this one counts, and is what these names, and its key, stand for."""
    left = {(pack, offset) for pack, offset, _ in library.left_out()}
    counted = [
        entry for entry in library.entries()
        if (entry.pack.removeprefix("packs/").removesuffix(".jsonl.zst"), entry.offset) not in left
    ]
    assert [write_game(library.read(entry)) for entry in counted] == [game]
    for called in (*names, counted[0].key):
        assert write_game(library.open(called)) == game, called
    assert library.import_paths([io.BytesIO(game)]).duplicate == 1


@pytest.mark.parametrize("way", WAYS)
def test_no_forged_copy_counts_or_takes_the_true_ones_place(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each way, alone and with each cover, imported before the true one and after it, in one file and in two."""
    monkeypatch.setattr(os, "fsync", lambda number: None)
    log = list(true(live=None))
    game, changed = sealed(log), WAYS[way](log)
    for name, cover in COVERS.items():
        forged = cover(changed)
        for number, files in enumerate(([forged, game], [game, forged], [forged + game], [game + forged])):
            library = Library(tmp_path / f"{name} {number}")
            found = library.import_paths([io.BytesIO(data) for data in files]).found
            beside = [line for line in found if line.outcome == "duplicate" or "it stands beside" in line.reason]
            assert len(beside) == 1 or name == "another id", (name, number, found)
            only_the_true_one_counts(library, game, ("g1",))


@pytest.mark.parametrize("way", WAYS)
def test_nor_do_all_of_them_together_of_a_live_game(tmp_path: Path, way: str) -> None:
    game, forged = sealed(list(true())), list(forgeries(way))
    for name, files in {"before": [*forged, game], "after, in one file": [b"".join([game, *forged])]}.items():
        library = Library(tmp_path / name)
        library.import_paths([io.BytesIO(data) for data in files])
        only_the_true_one_counts(library, game, ("g1", "m1"))


def test_the_numbers_are_those_of_the_true_game_alone(tmp_path: Path) -> None:
    alone, among = Library(tmp_path / "alone"), Library(tmp_path / "among")
    game = sealed(list(true()))
    alone.import_paths([io.BytesIO(game)])
    among.import_paths([io.BytesIO(b"".join(forgeries(way))) for way in list(WAYS)[::3]])
    among.import_paths([io.BytesIO(game)])
    for library in (alone, among):
        update(library.path)
    for name in ("endings", "gp_wr", "deck_win_rate", "course", "work_done", "lengths"):
        tables = [metric(open_warehouse(library.path), name, Filters()).to_pylist() for library in (alone, among)]
        assert tables[0] == tables[1] and tables[0], name


@pytest.mark.parametrize("first", [0, 1])
def test_of_two_copies_that_differ_in_claims_or_in_what_changes_nothing_one_counts(tmp_path: Path, first: int) -> None:
    log = list(true())
    start = log[0]
    assert isinstance(start, k.GameStarted)
    seats = tuple(structs.replace(seat, player=f"Champion {seat.player}", player_kind="human") for seat in start.seats)
    claims = {"date": "2020-01-01", "tags": ("final",), "id": "", "match": "m2", "origin": "simulated"}
    options = {**start.options, "max_turns": 190}
    other = sealed([structs.replace(start, seats=seats, options=options, **claims), *log[1:]])
    files = [sealed(log), other]
    library = Library(tmp_path / "library")
    report = library.import_paths([io.BytesIO(files[first]), io.BytesIO(files[1 - first])])
    assert (report.new, report.duplicate) == (1, 1) and library.left_out() == []
