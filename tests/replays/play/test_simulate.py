"""Simulation: the same plan gives the same bytes however it is played, and no game that goes wrong is lost."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import structs

from engine.cards.decks import DeckFile
from engine.core.chance import splitmix64
from engine.core.match import Match
from engine.fold import fold_all
from engine.players import PLAYER_KINDS, Observation, Player, PlayerError
from engine.rulebooks import registry
from engine.state import Declared
from events.actions import AnyAction
from events.game import GameLog
from events.kinds import NOTHING, Annotated, Asked, GameEnded, GameStarted
from events.open import read_games
from events.pack import pack_index, read_pack, zstd
from events.record import LogError
from replays.play import simulate as module
from replays.play.simulate import Plan, PlanError, Stopped, all_pairs, simulate, simulate_into
from replays.store.filters import GameFilters
from replays.store.library import Library
from replays.view.verify import decide_again
from tests.state_json import from_json, to_json

LIVEON = registry.load("liveon")
DECKS = LIVEON.shipped_decks()
SHORT = [deck for deck in DECKS if deck.format in ("short", "starter")]
PLAN = Plan(game="liveon", decks=all_pairs(SHORT), count=11, seed=3, date="2026-03-01")


@pytest.fixture(autouse=True, scope="module")
def small_chunks() -> Iterator[None]:
    """Chunks of four games, so that a small plan has three."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SMALL_CHUNK", 4)
        yield


@pytest.fixture(scope="module")
def once(small_chunks: None, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The plan's pack, as one process makes it."""
    return simulate(PLAN, tmp_path_factory.mktemp("once") / "p.jsonl.zst", jobs=1).path.read_bytes()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl.zst"


def stop_after(games: int) -> tuple[Callable[[int, int], None], Callable[[], bool]]:
    """A progress callback, and a `stop` that says yes once so many games are done."""
    done = [0]
    return (lambda n, total: done.__setitem__(0, n)), (lambda: done[0] >= games)


def failing(after: int) -> Callable[[int], Player]:
    """A player that raises at its decision of this number."""

    def made(seed: int) -> Player:
        inner, decisions = PLAYER_KINDS["random"](seed), [0]

        def decide(observation: Observation) -> AnyAction:
            decisions[0] += 1
            if decisions[0] > after:
                raise ZeroDivisionError("one over none")
            return inner(observation)

        return decide

    return made


def headers(path: Path) -> list[GameStarted]:
    return [game.header for game in read_games(path)]


def test_two_workers_give_the_bytes_of_one(once: bytes, out: Path) -> None:
    told: list[tuple[int, int]] = []
    made = simulate(PLAN, out, jobs=2, progress=lambda done, total: told.append((done, total)))
    assert (made.games, made.errors) == (11, 0)
    assert out.read_bytes() == once
    assert told[0] == (0, 11) and told[-1] == (11, 11) and told == sorted(told)
    assert list(out.parent.iterdir()) == [out]


def test_a_pack_of_many_chunks_holds_each_shared_line_once(once: bytes, out: Path) -> None:
    out.write_bytes(once)
    kinds = Counter(entry.kind for entry in pack_index(out))
    assert kinds == {"game_started": 11, "rulebook": 1, "card_set": len(LIVEON.card_sets)}
    assert all(game.sealed and game.fault is None for game in read_pack(out))


def test_a_plain_file_is_the_pack_unpacked(once: bytes, tmp_path: Path) -> None:
    plain = simulate(PLAN, tmp_path / "games.jsonl", jobs=1).path
    (tmp_path / "p.zst").write_bytes(once)
    with zstd.open(tmp_path / "p.zst") as packed:
        assert plain.read_bytes() == packed.read()


def test_no_question_carries_a_continuation_and_a_game_can_be_gone_on_with_from_each(once: bytes) -> None:
    game = next(read_games(once))
    asked = [number for number, event in enumerate(game.events) if isinstance(event, Asked)]
    assert {bytes(event.continuation) for event in game.events if isinstance(event, Asked)} == {b"null"}
    for number in (asked[0], asked[20], asked[-1]):
        verdict, match = decide_again(game, game.events[: number + 1], continuations=False)
        assert verdict.verdict == "verified" and match is not None and match.state.asked is not None
        assert structs.replace(match.state.asked, continuation=NOTHING) == game.events[number]
        assert Match(match.game, from_json(to_json(match.state))).legal() == match.legal()


def test_another_seed_gives_other_games(once: bytes, out: Path) -> None:
    simulate(structs.replace(PLAN, seed=4), out, jobs=1)
    assert out.read_bytes() != once
    assert len({header.seed for header in headers(out)}) == 11


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_stopped_simulation_goes_on_where_it_stopped(once: bytes, out: Path, jobs: int) -> None:
    progress, stop = stop_after(4 if jobs == 1 else 0)
    with pytest.raises(Stopped, match="of 11 games; the same command goes on from there") as stopped:
        simulate(PLAN, out, jobs=jobs, progress=progress, stop=stop)
    assert not out.exists()
    told: list[int] = []
    simulate(PLAN, out, jobs=1, progress=lambda done, total: told.append(done))
    assert told[0] == stopped.value.done and told[-1] == 11
    assert out.read_bytes() == once and list(out.parent.iterdir()) == [out]


def test_an_interrupt_keeps_the_finished_chunks(once: bytes, out: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        if done == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(PLAN, out, jobs=1, progress=interrupt)
    told: list[int] = []
    simulate(PLAN, out, jobs=1, progress=lambda done, total: told.append(done))
    assert told[0] == 4 and out.read_bytes() == once


def test_a_plan_that_is_killed_in_the_middle_gives_the_bytes_of_one_that_was_not(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("killed.jsonl.zst", "whole.jsonl.zst")]
    words = (sys.executable, "-m", "replays.cli.main", "simulate", "liveon", "-n", "100", "--players", "random",
             "--jobs", "1", "--out")
    process = subprocess.Popen([*words, files[0]], stderr=subprocess.DEVNULL)
    while process.poll() is None and not list(tmp_path.glob(".killed*/0000.jsonl.zst")):
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert not files[0].exists() and list(tmp_path.glob(".killed*/0000*"))
    for file in files:
        subprocess.run([*words, file], check=True, stderr=subprocess.DEVNULL)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_kept_chunk_that_is_damaged_is_played_again(once: bytes, out: Path) -> None:
    progress, stop = stop_after(9)
    with pytest.raises(Stopped):
        simulate(PLAN, out, jobs=1, progress=progress, stop=stop)
    chunks = sorted(out.parent.glob(".games*/*.jsonl.zst"))
    assert len(chunks) == 2
    data = bytearray(chunks[0].read_bytes())
    data[len(data) // 2] ^= 0x55
    chunks[0].write_bytes(data)
    chunks[1].write_bytes(chunks[1].read_bytes()[:-9])
    simulate(PLAN, out, jobs=1)
    assert out.read_bytes() == once


def test_another_plan_does_not_take_up_the_chunks_of_a_stopped_one(out: Path) -> None:
    progress, stop = stop_after(5)
    with pytest.raises(Stopped):
        simulate(PLAN, out, jobs=1, progress=progress, stop=stop)
    told: list[int] = []
    simulate(structs.replace(PLAN, seed=9, count=2), out, jobs=1, progress=lambda done, total: told.append(done))
    assert told == [0, 1, 2]


def test_the_header_says_all_that_the_plan_says(once: bytes, out: Path) -> None:
    out.write_bytes(once)
    header = headers(out)[1]
    assert (header.origin, header.date, header.at, header.match) == ("simulated", "2026-03-01", None, None)
    assert header.options == {"format": PLAN.decks[1][0].format}
    assert [(s.player_kind, s.player, s.deck.name) for s in header.seats] == [
        ("random", f"random {number}", deck.called()) for number, deck in enumerate(PLAN.decks[1], 1)
    ]


def test_all_pairs_meet_in_both_seats_and_evenly(once: bytes, out: Path) -> None:
    out.write_bytes(once)
    met = Counter((h.seats[0].deck.name, h.seats[1].deck.name) for h in headers(out))
    assert set(met) == {(a.called(), b.called()) for a in SHORT for b in SHORT if a.format == b.format}
    assert set(met) == {(b, a) for a, b in met}
    assert max(met.values()) - min(met.values()) <= 1


def test_a_plan_of_more_games_begins_with_the_same_ones(once: bytes, out: Path) -> None:
    out.write_bytes(once)
    fewer = simulate(structs.replace(PLAN, count=7), out.with_name("few.jsonl.zst"), jobs=1).path
    assert headers(fewer) == headers(out)[:7]


def test_into_the_library_only_new_games_come(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    few = structs.replace(PLAN, count=5)
    made, added = simulate_into(library, few, jobs=1)
    assert (made.games, added.new, added.duplicate) == (5, 5, 0)
    assert (simulate_into(library, few, jobs=1)[1].new, len(library.games())) == (0, 5)
    _, added = simulate_into(library, structs.replace(few, count=8), jobs=1)
    assert (added.new, added.duplicate) == (3, 5)
    assert {entry.state for entry in library.games(GameFilters(format="short"))} == {"whole"}
    assert list(library.making.iterdir()) == []


# --- games that go wrong ------------------------------------------------------------------------------------


def ends_by_error(log: GameLog) -> str:
    """The remark on what was raised, of a game that must have ended by an error."""
    *_, noted, ended, _ = log.events
    assert isinstance(noted, Annotated) and ended == GameEnded(winner=None, reason="error") and log.sealed
    return noted.text


def test_a_game_that_raises_ends_by_an_error_and_is_counted(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYER_KINDS, "failing", failing(after=6))
    made = simulate(structs.replace(PLAN, player_kinds=("random", "failing"), count=3), out, jobs=1)
    assert made.errors == 3
    for log in read_games(out):
        assert ends_by_error(log) == "ZeroDivisionError: one over none"
        state = fold_all(log.events, Declared(log.rulebook))
        assert state.result and state.result.reason == "error" and state.turn >= 1


def test_errors_of_kept_chunks_are_counted_too(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYER_KINDS, "failing", failing(after=0))
    plan = structs.replace(PLAN, player_kinds=("failing", "random"), count=6)
    progress, stop = stop_after(5)
    with pytest.raises(Stopped):
        simulate(plan, out, jobs=1, progress=progress, stop=stop)
    assert simulate(plan, out, jobs=1).errors == 6


def test_an_endless_game_is_an_error(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_DECISIONS", 4)
    assert simulate(structs.replace(PLAN, count=1), out, jobs=1).errors == 1
    assert "goes on after 4 decisions" in ends_by_error(next(read_games(out)))


def test_a_game_that_cannot_even_begin_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    seats = tuple(structs.replace(seat) for seat in header_of_one().seats)
    broken = structs.replace(seats[0], deck=structs.replace(seats[0].deck, cards={"XXX-404": 19}))
    header = LIVEON.header((broken, seats[1]), {}, 1, origin="simulated")
    events = module.play_game(LIVEON, header, [PLAYER_KINDS["random"](1), PLAYER_KINDS["random"](2)])
    assert events[0] == header and events[-1] == GameEnded(winner=None, reason="error")
    assert isinstance(events[1], Annotated) and "XXX-404" in events[1].text


def header_of_one() -> GameStarted:
    return module.header_and_players(PLAN, LIVEON, 0)[0]


# --- plans that cannot be played ----------------------------------------------------------------------------


def changed(**changes: object) -> Plan:
    return structs.replace(PLAN, **changes)


STANDARD = next(deck for deck in DECKS if deck.format == "standard")
FOREIGN = DeckFile(name="Far", game="elsewhere", format="short", cards={})


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (changed(count=0), "at least one game"),
        (changed(date="29.11.2026"), "written YYYY-MM-DD, not '29.11.2026'"),
        (changed(decks=()), "needs two decks"),
        (changed(player_kinds=("random", "greddy")), "no player 'greddy'; there are .*random"),
        (changed(decks=((SHORT[0], STANDARD),)), "of two formats do not play each other"),
        (changed(decks=((FOREIGN, FOREIGN),)), "'Far' is for elsewhere, not for liveon"),
        (changed(decks=((STANDARD, STANDARD),), options={"format": "short"}), "has 41 cards.*LO-13"),
        (changed(options={"max_turns": "many"}), "max_turns is 'many'; it may be 1 to 10000"),
        (changed(options={"max_turn": 5}), "no option 'max_turn'; liveon knows first, format, max_turns"),
    ],
)
def test_a_plan_that_cannot_be_played_is_a_sentence(out: Path, plan: Plan, said: str) -> None:
    with pytest.raises((PlanError, PlayerError), match=said):
        simulate(plan, out, jobs=1)
    assert list(out.parent.iterdir()) == []


def test_a_file_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"must end with \.jsonl"):
        simulate(PLAN, tmp_path / "games.txt", jobs=1)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(LogError, match="cannot be made"):
        simulate(PLAN, tmp_path / "file" / "games.jsonl", jobs=1)
    with pytest.raises(registry.UnknownGame, match="the games are liveon"):
        simulate(changed(game="chess"), tmp_path / "games.jsonl", jobs=1)


@pytest.mark.parametrize("seed", [0, 1, 7, module.SMALL_SEED - 1])
@pytest.mark.parametrize("index", [0, 5, 99_999])
def test_a_small_seed_of_a_plan_is_found_again_from_a_game_of_it(seed: int, index: int) -> None:
    assert module.small_plan_seed(splitmix64(seed, 3 * index) >> 11) == seed


@pytest.mark.parametrize("seed", [module.SMALL_SEED, 0x7F3A_95C1_0B6D_E284])
def test_a_large_one_is_not(seed: int) -> None:
    assert module.small_plan_seed(splitmix64(seed, 3) >> 11) is None
