"""A rulebook of one file gets everything that all rulebooks get: play, logs, views, checks, words, a board."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import engine
from engine.core import match as match_module
from engine.core import values
from engine.core.match import Match
from engine.fold import fold_all
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from engine.state import Declared
from engine.view import view
from engine.words import LANGUAGES, words
from events.actions import Concede
from events.game import GameLog, write_game
from events.kinds import HIDDEN, CardsMade, GameEnded, Seat
from events.open import read_games
from events.shared import EVERY_RULEBOOK
from replays.play.simulate import play_game
from replays.view.narrate import log_text, narrate
from replays.view.timeline import Timeline
from replays.view.verify import verify
from tests.state_json import to_json

FILE = Path(__file__).with_name("highest.py")


@pytest.fixture(scope="module")
def highest() -> Iterator[Rulebook]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry.GAMES, "highest", "tests.engine.rulebooks.highest")
        yield registry.load("highest")


def played(game: Rulebook, kinds: tuple[str, str], seed: int, concede_at: int | None = None) -> GameLog:
    """A game between computer players, written and read back."""
    random = Random(seed)
    first, second = (game.trial_deck((), random.randrange) for _ in (0, 1))
    header = game.header((Seat("Ann", kinds[0], first), Seat("Bo", kinds[1], second)), {}, seed, origin="simulated")
    assert game.unplayable(header) == []
    match = game.begin(header)
    players = [PLAYER_KINDS[kind](seed + seat) for seat, kind in enumerate(kinds)]
    decisions = 0
    while match.state.asked is not None:
        match.act(Concede() if decisions == concede_at else players[match.state.asked.seat](Observation(match)))
        decisions += 1
    assert to_json(fold_all(match.log, Declared(game.rulebook))) == to_json(match.state)
    (log,) = read_games(write_game((game.rulebook, game.card_sets, match.log)))
    return log


def test_a_game_is_one_short_file() -> None:
    assert len(FILE.read_text(encoding="utf-8").splitlines()) < 120


@pytest.mark.parametrize("kinds", [("random", "random"), ("greedy", "random"), ("greedy", "greedy")])
def test_its_games_are_logged_verified_told_and_stepped_through(kinds: tuple[str, str], highest: Rulebook) -> None:
    for seed in range(5):
        log = played(highest, kinds, seed)
        assert (log.fault, log.sealed, verify(log).verdict) == (None, True, "verified")
        told = log_text(narrate(log.events[:-1], log.rulebook, log.card_sets))
        assert "Number" in told and "Ann" in told
        timeline = Timeline(log.events, log.rulebook, log.card_sets, None)
        assert timeline.viewer_data("en")["turns"]


def test_a_seat_does_not_see_the_other_hand(highest: Rulebook) -> None:
    log = played(highest, ("random", "random"), 3)
    seen = view(log.events, 0, Declared(log.rulebook))
    hands = [event for event in seen if isinstance(event, CardsMade)]
    assert [hand.first == HIDDEN for hand in hands] == [False, True]


def test_words_of_the_core_need_no_declaration(highest: Rulebook) -> None:
    log = played(highest, ("random", "random"), 1, concede_at=2)
    assert any(isinstance(event, GameEnded) and event.reason == "conceded" for event in log.events)
    assert (log.fault, verify(log).verdict) == (None, "verified")


def test_a_game_without_end_and_one_that_fails_need_no_declaration(
    highest: Rulebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = highest.trial_deck((), Random(1).randrange)
    header = highest.header((Seat("Ann", "random", deck), Seat("Bo", "random", deck)), {}, 1)
    with monkeypatch.context() as patch:
        patch.setattr(match_module, "MAX_STEPS", 0)
        assert highest.begin(header).state.result == GameEnded(None, "loop")
    monkeypatch.setattr(Match, "run", lambda match: 1 // 0)
    told = play_game(highest, header, [PLAYER_KINDS["random"](seat) for seat in (0, 1)])
    assert fold_all(told, Declared(highest.rulebook)).result == GameEnded(None, "error")


SAID_AS = {
    "move": (3, "move_kinds"), "mill": (3, "move_kinds"), "discard": (2, "move_kinds"), "ask": (1, "questions"),
    "end": (1, "reasons"), "GameEnded": (1, "reasons"), "RuleApplied": (0, "rules"),
}  # fmt: skip
"""What is called -> which argument is a word, and of which sort"""


def test_what_all_rulebooks_share_says_only_words_that_every_rulebook_has() -> None:
    said: dict[str, set[str]] = {"durations": {values.WHILE}, **{sort: set() for _, sort in SAID_AS.values()}}
    root = Path(engine.__file__).parents[1]
    for file in [*(root / "engine" / "core").rglob("*.py"), *(root / "engine" / "effects").rglob("*.py"),
                 root / "replays" / "play" / "simulate.py"]:
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call):
                name = getattr(call.func, "attr", getattr(call.func, "id", ""))
                place, sort = SAID_AS.get(name, (0, ""))
                named = [key.value for key in call.keywords if key.arg and f"{key.arg}s" == sort]
                for part in ast.walk(ast.Tuple([*call.args[place : place + 1], *named])) if sort else ():
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        said[sort].add(part.value)
    assert said["reasons"] == {"conceded", "loop", "error"} and {"announced", "destroyed"} <= said["move_kinds"]
    assert [found - set(EVERY_RULEBOOK[sort]) for sort, found in said.items()] == [set()] * 5


def test_every_word_that_is_declared_for_all_has_words_in_every_language() -> None:
    sorts = {"move_kinds": "move_kind", "questions": "question", "durations": "duration", "rules": "rule",
             "reasons": "reason"}  # fmt: skip
    assert EVERY_RULEBOOK.keys() == sorts.keys()
    for language in LANGUAGES:
        said = words(language)
        missing = [w for kind, ws in EVERY_RULEBOOK.items() for w in ws if said.own(f"{sorts[kind]}.{w}") is None]
        assert missing == [], language
