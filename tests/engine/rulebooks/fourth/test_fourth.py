"""A fourth game by a folder alone: played, logged, verified, replayed and counted by what is there for all games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.cards.rules_text import rules_text
from engine.core.match import Match
from engine.fold import fold_all
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from engine.view import view
from engine.words import LANGUAGES
from events.game import GameLog
from events.kinds import HIDDEN, CardMoved, GameEnded, StackPushed
from events.open import read_games
from events.record import encode
from replays.play.simulate import Plan, all_pairs, simulate, simulate_into
from replays.stats.metrics import metric
from replays.stats.warehouse import open_warehouse, update
from replays.store.library import Library
from replays.view.narrate import log_text, narrate
from replays.view.timeline import Timeline
from replays.view.verify import verify
from tests.state_json import from_json, to_json

HERE = Path(__file__).parent
ROOT = HERE.parents[3]


@pytest.fixture(scope="module")
def summit() -> Iterator[Rulebook]:
    """The game, in the list of games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry.GAMES, "summit", "tests.engine.rulebooks.fourth.rules")
        yield registry.load("summit")


def plan(game: Rulebook, **more: object) -> Plan:
    return Plan(game="summit", decks=all_pairs(game.shipped_decks()), count=12, seed=5, date="2026-05-01", **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def played(summit: Rulebook, tmp_path_factory: pytest.TempPathFactory) -> list[GameLog]:
    """Twelve games between random and greedy players, read back from the file."""
    out = tmp_path_factory.mktemp("summit") / "games.jsonl"
    made = simulate(plan(summit, player_kinds=("random", "greedy")), out, jobs=1)
    assert (made.games, made.errors) == (12, 0)
    return list(read_games(out))


def test_the_fourth_game_is_small_and_nothing_else_knows_of_it() -> None:
    assert len([line for line in (HERE / "rules.py").read_text("utf-8").splitlines() if line.strip()]) < 150
    for folder in ("events", "engine", "replays", "dashboard"):
        for path in (ROOT / folder).rglob("*.py"):
            assert "tests.engine.rulebooks.fourth" not in path.read_text("utf-8")


def test_its_cards_are_sound_and_its_decks_legal(summit: Rulebook) -> None:
    assert summit.card_problems() == []
    assert [deck.name for deck in summit.shipped_decks()] == ["Rope", "Snow"]
    assert all(not summit.problems(deck, {}) for deck in summit.shipped_decks())


def test_its_games_are_played_logged_and_verified(played: list[GameLog]) -> None:
    assert [verify(log).verdict for log in played] == ["verified"] * 12
    ends = {log.events[-2].reason for log in played if isinstance(log.events[-2], GameEnded)}
    assert ends <= {"summit", "no_draw"}
    moves = {event.move_kind for log in played for event in log.events if isinstance(event, CardMoved)}
    assert moves == {"set_up", "drawn", "climbed", "announced", "spent", "fell"}
    assert {event.item_kind for log in played for event in log.events if isinstance(event, StackPushed)} == {
        "charm",
        "trigger",
    }


def test_a_game_goes_on_from_its_state_alone(summit: Rulebook, played: list[GameLog]) -> None:
    log = played[0]
    match = summit.begin(log.header)
    while match.state.asked is not None:
        again = Match(summit, from_json(to_json(match.state)))
        action = match.legal()[-1]
        before = len(match.log)
        match.act(action)
        again.act(action)
        assert [encode(e) for e in again.log] == [encode(e) for e in match.log[before:]]


def test_its_games_are_replayed_and_told_in_every_language(summit: Rulebook, played: list[GameLog]) -> None:
    log = played[0]
    timeline = Timeline(log.events, log.rulebook, log.card_sets)
    assert timeline.fault is None and timeline.steps == len(log.events)
    assert [line.zone for line in timeline.board.lines] == ["slope"], "its own board"
    for language in LANGUAGES:
        text = log_text(narrate(log.events, log.rulebook, log.card_sets, language))
        assert "Goat" in text or "ヤギ" in text
    assert log.rulebook.words["zone.slope"] == {"en": "Slope", "ja": "斜面"}


def test_one_seat_sees_no_hidden_card(summit: Rulebook, played: list[GameLog]) -> None:
    log = played[0]
    seen = view(log.events, 0, summit.declared)
    drawn = [e.card for e in seen if isinstance(e, CardMoved) and e.zone == "hand" and e.seat == 1]
    assert drawn and set(drawn) == {HIDDEN}
    assert fold_all(seen, summit.declared).result == fold_all(log.events, summit.declared).result


def test_its_games_are_counted(summit: Rulebook, tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    simulate_into(library, plan(summit), jobs=1)
    assert update(library.path) == []
    rates = metric(open_warehouse(library.path), "play_rate").to_pylist()
    assert {row["code"] for row in rates if row["game"] == "summit"} == {f"SMT-00{n}" for n in range(1, 6)}


def test_its_rules_text_is_made_from_its_cards(summit: Rulebook) -> None:
    line, = rules_text(summit.cards["SMT-005"].printed, "en", None, summit.rulebook)
    assert "Height" in line and "100" in line and "draw" in line.lower()
