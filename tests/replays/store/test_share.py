"""Export: lines come out as they are kept, whole or not at all under the file's name."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from events.game import GameLog, write_game
from events.kinds import Acted, Annotated, DeckList, Event, GameStarted, Parent, Seat
from events.open import read_games
from events.pack import PackWriter, pack_index
from events.record import LogError, causes, game_key
from replays.store import notes
from replays.store.library import Entry, Library, LibraryError
from replays.store.share import Kept, export_games
from replays.view.narrate import log_text, narrate
from replays.view.timeline import Timeline
from replays.view.verify import verify
from tests.events.highcard import SHARED, game
from tests.play import begin, play
from tests.twins import twin_of


def told(turns: int, name: str) -> bytes:
    return write_game((*SHARED, game(turns, id=name)))


@pytest.fixture
def library(tmp_path: Path) -> Library:
    library = Library(tmp_path / "library")
    library.import_paths([io.BytesIO(told(n, f"g{n}")) for n in range(1, 6)])
    return library


def test_one_game_as_plain_lines_is_the_file_it_came_from(library: Library, tmp_path: Path) -> None:
    assert export_games(library, ["g3"], tmp_path / "x.jsonl") == 1
    assert (tmp_path / "x.jsonl").read_bytes() == told(3, "g3")


def test_several_games_share_their_shared_lines(library: Library, tmp_path: Path) -> None:
    to = tmp_path / "x.jsonl"
    assert export_games(library, ["g5", "g1"], to) == 2
    shared = told(5, "g5").split(b"\n")[:2]
    assert to.read_bytes() == told(5, "g5") + b"".join(told(1, "g1").partition(shared[1] + b"\n")[2:])
    assert [found.header.id for found in read_games(to)] == ["g5", "g1"]


def test_a_pack_holds_the_same_lines(library: Library, tmp_path: Path) -> None:
    to = tmp_path / "x.jsonl.zst"
    export_games(library, ["g2", "g4"], to)
    assert [entry.kind for entry in pack_index(to)] == ["rulebook", "card_set", "game_started", "game_started"]
    assert [found.lines for found in read_games(to)] == [library.open(name).lines for name in ("g2", "g4")]
    assert all(found.sealed for found in read_games(to))


def test_an_open_stream_gets_plain_lines(library: Library) -> None:
    stream = io.BytesIO()
    export_games(library, ["g2"], stream)
    assert stream.getvalue() == told(2, "g2")


def test_a_cut_game_is_exported_as_far_as_it_goes(library: Library, tmp_path: Path) -> None:
    cut = write_game((*SHARED, game(3, id="cut", seed=9)))[:-250]
    library.import_paths([io.BytesIO(cut)])
    export_games(library, ["cut"], tmp_path / "x.jsonl")
    kept = (tmp_path / "x.jsonl").read_bytes()
    assert kept == cut[: cut.rindex(b"\n") + 1]


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.zst"])
def test_an_unknown_game_leaves_no_file(library: Library, tmp_path: Path, name: str) -> None:
    with pytest.raises(LibraryError, match="There is no game 'nobody'"):
        export_games(library, ["g1", "nobody"], tmp_path / name)
    assert [file.name for file in tmp_path.iterdir()] == ["library"]


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.zst"])
def test_an_export_that_fails_midway_leaves_the_old_file(
    library: Library, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_games(library, ["g1"], tmp_path / name)
    before = (tmp_path / name).read_bytes()
    read = library.read

    def goes_after_one(entry: Entry) -> GameLog:
        library.packs()[0].rename(library.path / "packs" / ".gone")
        return read(entry)

    monkeypatch.setattr(library, "read", goes_after_one)
    with pytest.raises(LibraryError, match="cannot be read"):
        export_games(library, ["g1", "g2"], tmp_path / name)
    assert (tmp_path / name).read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} == {"library", name}


def test_a_name_that_says_neither_plain_nor_packed_is_refused(library: Library, tmp_path: Path) -> None:
    for name in ("x.json", "x.zst", "x"):
        with pytest.raises(LogError, match=r"must end with \.jsonl"):
            export_games(library, ["g1"], tmp_path / name)
    with pytest.raises(LogError, match="No such file or directory"):
        export_games(library, ["g1"], tmp_path / "absent" / "x.jsonl")
    with pytest.raises(LogError, match="No such file or directory"):
        export_games(library, ["g1"], tmp_path / "absent" / "x.jsonl.zst")


def test_what_is_exported_is_taken_in_elsewhere(library: Library, tmp_path: Path) -> None:
    to = tmp_path / "x.jsonl.zst"
    export_games(library, [f"g{n}" for n in range(1, 6)], to)
    other = Library(tmp_path / "other")
    assert other.import_paths([to]).new == 5
    assert [entry.key for entry in other.games()] == [entry.key for entry in library.games()]
    assert library.import_paths([to]).duplicate == 5


def test_a_pack_that_was_joined_by_appending_is_taken_in(library: Library, tmp_path: Path) -> None:
    parts = []
    for name in ("m1", "m2"):
        path = tmp_path / f"{name}.jsonl.zst"
        with PackWriter(path) as pack:
            pack.add(*SHARED, game(2, id=name, seed=int(name[1])))
        parts.append(path.read_bytes())
    (tmp_path / "joined").write_bytes(b"".join(parts))
    assert library.import_paths([tmp_path / "joined"]).new == 2


# --- as one seat saw it -------------------------------------------------------------------------------------

GAMES = pytest.mark.parametrize("key", registry.GAMES)


@GAMES
@pytest.mark.parametrize("seat", [0, 1])
def test_games_that_differ_in_what_a_seat_cannot_know_give_the_same_bytes(tmp_path: Path, key: str, seat: int) -> None:
    """Hidden cards, their order and numbers, the other's deck, options, seed, id, times and remarks all differ."""
    compared = 0
    for number in range(12):
        first = begin(number, key)
        play(first, number)
        twin = twin_of(first, seat, number)
        if twin is None:
            continue
        compared += 1
        told = exported(tmp_path, first.game, first.log, seat)
        assert told == exported(tmp_path, first.game, disguised(twin.log, seat), seat)
        (one,) = read_games(told)
        assert (one.fault, one.sealed, one.header.view) == (None, first.state.result is not None, seat)
    assert compared > 5


def disguised(log: list[Event], seat: int) -> list[Event]:
    """The log with all else changed that the seat cannot know; a remark at the end shifts no record."""
    header = log[0]
    assert isinstance(header, GameStarted)
    seats = list(header.seats)
    seats[1 - seat] = structs.replace(seats[1 - seat], deck=DeckList("Another", {"X-001": 60}))
    header = structs.replace(header, seed=99, id="feed", at="2026-05-05T05:05:05Z", seats=tuple(seats))
    timed = [structs.replace(e, ms=7 * n) if isinstance(e, Acted) else e for n, e in enumerate(log[1:])]
    return [header, *timed, Annotated(text="he held nothing but fighters")]


def exported(tmp_path: Path, game: Rulebook, log: list[Event], seat: int) -> bytes:
    library = Library(tmp_path / f"library {len(list(tmp_path.iterdir()))}")
    library.import_paths([io.BytesIO(write_game((game.rulebook, game.card_sets, log)))])
    out = io.BytesIO()
    export_games(library, [library.games()[0].id], out, seat=seat)
    return out.getvalue()


@GAMES
def test_a_one_seat_log_opens_everywhere(tmp_path: Path, key: str) -> None:
    match = begin(3, key)
    play(match, 3)
    (seen,) = read_games(exported(tmp_path, match.game, match.log, 1))
    assert verify(seen).verdict == "unchecked" and "as seat 1 saw it" in verify(seen).text
    told = log_text(narrate(seen.events, seen.rulebook, seen.card_sets))
    assert told.count("\n") > 20
    timeline = Timeline(seen.events, seen.rulebook, seen.card_sets)
    assert timeline.fault is None and timeline.steps == len(seen.events)
    assert timeline.viewer_data()["steps"] == len(seen.events)
    library = Library(tmp_path / "library 0")
    assert [entry.view for entry in library.games()] == [None]
    taken = library.import_paths([io.BytesIO(b"\n".join([*seen.shared, *seen.lines]))])
    assert taken.new == 1 and [entry.view for entry in library.games()] == [None, 1]
    with pytest.raises(LogError, match="as seat 1 saw it: what seat 0 knew does not stand in it"):
        export_games(library, [library.games()[1].id], io.BytesIO(), seat=0)
    again = io.BytesIO()
    export_games(library, [library.games()[1].id], again, seat=1)
    assert next(read_games(again.getvalue())).lines == seen.lines


def test_a_changed_one_seat_log_is_found_out(tmp_path: Path) -> None:
    match = begin(3)
    play(match, 3)
    text = exported(tmp_path, match.game, match.log, 0)
    (changed,) = read_games(text.replace(b'"turn":2', b'"turn":7', 1))
    assert verify(changed).verdict == "altered"
    lines = text.splitlines(keepends=True)
    (cut,) = read_games(b"".join(lines[:-1]))
    assert verify(cut).verdict == "cut"
    first = next(n for n, line in enumerate(lines) if b'"kind":"card_moved"' in line)
    (gap,) = read_games(b"".join(lines[:first] + lines[first + 20 :]))
    verdict = verify(gap)
    assert verdict.verdict == "altered"


def test_a_one_seat_log_is_no_second_game_beside_the_log_that_holds_all_of_it(tmp_path: Path) -> None:
    match = begin(5)
    play(match, 5)
    log = [structs.replace(match.log[0], match="table7", origin="played"), *match.log[1:]]
    seen = [exported(tmp_path, match.game, log, seat) for seat in (0, 1)]
    whole = write_game((match.game.rulebook, match.game.card_sets, log))
    library = Library(tmp_path / "library")
    assert [library.import_paths([io.BytesIO(data)]).new for data in seen] == [1, 1]
    assert [(e.view, e.match) for e in library.games()] == [(0, "table7"), (1, "table7")]
    assert library.import_paths([io.BytesIO(seen[1])]).duplicate == 1
    assert library.import_paths([io.BytesIO(whole)]).new == 1
    assert [(e.view, e.match) for e in library.games()] == [(None, "table7")]
    assert library.find("table7").view is None and len(list(library.entries())) == 3
    other = Library(tmp_path / "other")
    other.import_paths([io.BytesIO(whole)])
    late = other.import_paths([io.BytesIO(seen[0])])
    assert late.duplicate == 1 and "has the whole log" in late.found[0].reason
    assert len(list(other.entries())) == 1


def test_a_log_that_only_calls_itself_the_same_match_takes_no_one_seat_logs_place(tmp_path: Path) -> None:
    logs = []
    for number in (5, 6):
        match = begin(number)
        play(match, number)
        logs.append([structs.replace(match.log[0], match="table7", origin="played"), *match.log[1:]])
    shared = (match.game.rulebook, match.game.card_sets)
    seen = exported(tmp_path, match.game, logs[0], 0)
    library = Library(tmp_path / "library")
    assert library.import_paths([io.BytesIO(write_game((*shared, logs[1]))), io.BytesIO(seen)]).new == 2
    assert [e.view for e in library.games()] == [None, 0]
    with pytest.raises(LibraryError, match="2 games are meant by 'table7'"):
        library.find("table7")


# --- without names ------------------------------------------------------------------------------------------


def test_an_anonymous_copy_tells_no_name_tag_or_remark_and_is_the_same_game(library: Library, tmp_path: Path) -> None:
    deck = game()[0].seats[0].deck  # type: ignore[attr-defined]
    for name, seats, note in (
        ("m1", (Seat("Zoë", deck=deck), Seat("山田", deck=deck)), "Zoë was nervous"),
        ("m2", (Seat("山田", deck=deck), Seat("Kim", deck=deck)), ""),
    ):
        from_cup = {"tags": ("cup of Zoë",), "parent": Parent("cup", 3)}
        events = game(3, id=name, seats=seats, match=name, seed=int(name[1]), **from_cup)
        if note:
            events[9:9] = [Annotated(text=note, by="Zoë", seat=0, about=3, data={"by": "Kim"})]
            events[10:] = [structs.replace(e, back=e.back + 1) if e.back > 1 else e for e in events[10:]]
        library.import_paths([io.BytesIO(write_game((*SHARED, events)))])
    to = tmp_path / "x.jsonl"
    export_games(library, ["m1", "m2"], to, anonymous=True)
    text = to.read_text(encoding="utf-8")
    assert not any(word in text for word in ("Zoë", "山田", "Kim", "cup", "nervous"))
    told = list(read_games(to))
    players = [[seat.player for seat in one.header.seats] for one in told]
    assert players == [["Player 1", "Player 2"], ["Player 2", "Player 3"]]
    originals = [library.open(name) for name in ("m1", "m2")]
    assert all(one.sealed and one.fault is None for one in told)
    for one, original in zip(told, originals, strict=True):
        assert game_key(one.events) == game_key(original.events) and causes(one.events) == causes(original.events)
        assert one.header.id not in ("", original.header.id)
    assert library.import_paths([to]).duplicate == 2
    fresh = Library(tmp_path / "fresh")
    assert fresh.import_paths([to]).new == 2
    late = fresh.import_paths([io.BytesIO(write_game(originals[0]))])
    assert late.duplicate == 1 and f"it is here as {told[0].header.id}" in late.found[0].reason


@GAMES
def test_an_anonymous_copy_verifies(tmp_path: Path, key: str) -> None:
    match = begin(2, key)
    play(match, 2)
    library = Library(tmp_path / "library")
    library.import_paths([io.BytesIO(write_game((match.game.rulebook, match.game.card_sets, match.log)))])
    out = io.BytesIO()
    export_games(library, [library.games()[0].id], out, anonymous=True)
    (one,) = read_games(out.getvalue())
    assert verify(one).verdict == "verified"


TOLD = {"date": b"2026-05-0", "match": b"table7", "times": b'"ms":', "decks": b"Secret plan"}
"""What may be kept -> how it shows in the file."""


@GAMES
@pytest.mark.parametrize("kept", [None, *Kept])
def test_an_anonymous_copy_tells_nothing_of_when_where_and_by_whom_but_what_is_kept(
    tmp_path: Path, key: str, kept: Kept | None
) -> None:
    match = begin(3, key)
    play(match, 3)
    start = match.log[0]
    assert isinstance(start, GameStarted)
    seats = tuple(
        structs.replace(seat, player=f"Zoë {n}", deck=structs.replace(seat.deck, name=f"Secret plan {n}"))
        for n, seat in enumerate(start.seats)
    )
    seed = 0x7F3A_95C1_0B6D_E284
    start = structs.replace(
        start, seats=seats, origin="played", match="table7", at="2026-05-05T05:05:05Z", tags=("cup",), seed=seed,
    )
    log = [start, *(structs.replace(e, ms=7 * n) if isinstance(e, Acted) else e for n, e in enumerate(match.log[1:]))]
    library = Library(tmp_path / "library")
    library.import_paths([io.BytesIO(write_game((match.game.rulebook, match.game.card_sets, log)))])
    out = io.BytesIO()
    export_games(library, [library.games()[0].id], out, anonymous=True, keep=[kept] if kept else [])
    text = out.getvalue()
    for name, shown in TOLD.items():
        assert (shown in text) == (name == kept), name
    assert not any(word in text for word in ("Zoë".encode(), b"05:05", b'"cup"', str(seed).encode()))
    (one,) = read_games(text)
    assert one.sealed and game_key(one.events) == game_key(log) and one.header.seed is None
    for seat in (0, 1):
        out = io.BytesIO()
        export_games(library, [library.games()[0].id], out, seat=seat)
        assert str(seed).encode() not in out.getvalue()


def test_what_is_to_be_kept_is_asked_of_anonymous_copies_alone(library: Library) -> None:
    with pytest.raises(LogError, match="--keep goes with --anonymous"):
        export_games(library, ["g1"], io.BytesIO(), keep=[Kept.date])


@pytest.mark.parametrize("how", [{"seat": 0}, {"anonymous": True}])
def test_a_changed_game_gets_no_new_seal(library: Library, how: dict[str, Any]) -> None:
    changed = write_game((*SHARED, game(2, id="odd", seed=8))).replace(b'"value":4', b'"value":9')
    library.import_paths([io.BytesIO(changed)])
    with pytest.raises(LogError, match="only its lines as they are can be exported"):
        export_games(library, ["odd"], io.BytesIO(), **how)
    out = io.BytesIO()
    export_games(library, ["odd"], out)
    assert out.getvalue() == changed and next(read_games(out.getvalue())).altered
    assert write_game(library.open("odd")) == changed


def test_a_game_that_was_never_sealed_gets_no_seal(library: Library) -> None:
    unsealed = b"\n".join(write_game((*SHARED, game(2, id="odd", seed=8))).splitlines()[:-1]) + b"\n"
    library.import_paths([io.BytesIO(unsealed)])
    out = io.BytesIO()
    export_games(library, ["odd"], out, anonymous=True)
    (one,) = read_games(out.getvalue())
    assert one.ended and not one.sealed and b'"kind":"sealed"' not in out.getvalue()


def test_a_file_that_is_there_is_replaced_only_when_asked_to(library: Library, tmp_path: Path) -> None:
    to = tmp_path / "x.jsonl"
    to.write_text("mine")
    with pytest.raises(LogError, match="is there already: choose another name, or --force"):
        export_games(library, ["g1"], to, replace=False)
    assert to.read_text() == "mine"
    export_games(library, ["g1"], to)
    assert to.read_bytes() == told(1, "g1")


def test_notes_go_beside_the_log_and_come_back_with_it(library: Library, tmp_path: Path) -> None:
    entry = library.find("g2")
    note, gone = notes.new_note(3, "a strong draw", "Ann"), notes.new_note(4, "no", "Ann")
    library.add_notes({entry.key: [note, gone]})
    library.add_notes({entry.key: [notes.new_note(4, "", "Ann", change=gone)]})
    to = tmp_path / "x.jsonl.zst"
    export_games(library, ["g1", "g2"], to, with_notes=True)
    assert notes.read_notes(tmp_path / "x.notes.json") == {entry.key: (note,)}
    other = Library(tmp_path / "other")
    report = other.import_paths([tmp_path / "x.notes.json", to])
    assert (report.new, report.notes, report.refused) == (2, 1, 0)
    assert other.notes(other.find("g2")) == {entry.key: (note,)} and other.notes(other.find("g1")) == {}
    for how in ({"seat": 0}, {"anonymous": True}):
        with pytest.raises(LogError, match="leave out --with-notes"):
            export_games(library, ["g2"], to, with_notes=True, **how)  # type: ignore[arg-type]
    with pytest.raises(LogError, match="give a file, not standard output"):
        export_games(library, ["g2"], io.BytesIO(), with_notes=True)
