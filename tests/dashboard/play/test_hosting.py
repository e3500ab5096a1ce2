"""Games of a server: nothing is lost or done twice, over restarts, failures and concessions."""

from __future__ import annotations

import json
import logging
import threading
from random import Random
from typing import Any
from unittest.mock import ANY

import pytest

from engine.rulebooks import registry
from events.kinds import Acted, GameEnded
from replays.play.lesson import lesson_of
from replays.view.verify import verify
from tests.dashboard.play.conftest import Server, Sitting, asked, short, until


def test_ten_browsers_at_once_lose_nothing(served: Server) -> None:
    """Ten games against computer players at the same time: each decision that was answered is in its log, once."""
    keys = list(registry.GAMES)
    games = [served.begin(keys[n % 3], ("human", "random" if n % 2 else "greedy")) for n in range(10)]
    done: dict[str, int] = dict.fromkeys(games, 0)
    problems: list[object] = []

    def clicks(game: str) -> None:
        random, sitting = Random(game), Sitting(served, game, "0")
        try:
            while done[game] < 6:
                told = sitting.state()
                if told["over"]:
                    return
                if told["question"] is not None:
                    status, answer = sitting.send("act", told, random.randrange(len(told["question"]["choices"])))
                    assert status == 200, answer
                    done[game] += 1
        except BaseException as problem:
            problems.append(problem)

    browsers = [threading.Thread(target=clicks, args=(game,)) for game in games]
    for browser in browsers:
        browser.start()
    for browser in browsers:
        browser.join()
    assert problems == []
    for game in games:
        log = served.library.open(game)
        assert sum(isinstance(event, Acted) and event.seat == 0 for event in log.events) == done[game]


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_game_with_restarts_ends_in_the_library_whole_and_verified(served: Server, key: str) -> None:
    """A person by chance against a computer player; the server is stopped and started while it goes on."""
    game = served.begin(key, ("human", "random"), short(key))
    sitting, random, decided = Sitting(served, game, "0"), Random(1), 0
    while not (told := sitting.state())["over"]:
        if told["question"] is None:
            continue
        decided += 1
        assert sitting.send("act", told, random.randrange(len(told["question"]["choices"])))[0] == 200
        if decided in (2, 9):
            served.restart()
    kept = until(lambda: not served.library.live(game).exists() and served.library.open(game))
    assert kept.sealed and verify(kept).verdict == "verified"
    for _ in range(2):
        after = Sitting(served, game, "0").state()
        assert after["over"] and after["replay"] == f"/replay?game={kept.header.id}" and after["game"]["steps"] > 20
        served.restart()
    status, answer = sitting.send("act", told, 0)
    assert status == 409 and answer["word"] == "stale"


def test_a_computer_player_that_fails_is_said_and_tried_again(
    served: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = served.begin("liveon", ("human", "human"))
    hosted = served.host.game(game)
    broken = True

    def player(observation: Any) -> Any:
        if broken:
            raise RuntimeError("no idea")
        return observation.legal[0]

    monkeypatch.setattr(logging.getLogger("cardfold"), "propagate", True)
    other = 1 - int(hosted.live.asked or 0)
    hosted.live.players[other] = player
    sitting = Sitting(served, game, str(1 - other))
    told = sitting.state()
    while not told["problem"]:
        if told["question"]:
            sitting.send("act", told, len(told["question"]["choices"]) - 1)
        told = sitting.state()
    assert told["problem"].startswith("The computer player cannot decide.") and "no idea" in caplog.text
    assert "no idea" not in json.dumps(told) and "Traceback" not in json.dumps(told)
    broken = False
    assert sitting.send("again", told, version="0")[0] == 200
    until(lambda: not hosted.problem and hosted.live.asked != other)


@pytest.mark.parametrize("key", registry.GAMES)
def test_conceding_at_one_s_own_question_ends_the_game(served: Server, key: str) -> None:
    game = served.begin(key, ("human", "human"))
    sitting = [Sitting(served, game, place) for place in "01"]
    right, told = asked(served.host.game(game), sitting)
    assert right.send("concede", told)[0] == 200
    kept = until(lambda: not served.library.live(game).exists() and served.library.open(game))
    end = next(event for event in kept.events if isinstance(event, GameEnded))
    assert (end.winner, end.reason, kept.sealed) == (1 - told["seat"], "conceded", True)


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("key", registry.GAMES)
def test_one_may_concede_while_the_other_is_asked_and_the_game_ends_with_the_next_own_question(
    served: Server, key: str, restart: bool
) -> None:
    game = served.begin(key, ("human", "human"))
    hosted = served.host.game(game)
    sitting = [Sitting(served, game, place) for place in "01"]
    right, told = asked(hosted, sitting)
    other, before = sitting[1 - told["seat"]], len(hosted.live.match.log)
    waits = other.state()
    assert not waits["question"] and not waits["conceding"]
    assert other.send("concede", waits)[0] == 200
    assert len(hosted.live.match.log) == before + 1 and other.state()["conceding"]
    told = right.state()
    assert told["other_concedes"] and not told["conceding"], "the other one hears of it at once"
    if restart:
        served.restart()
        right, other = (Sitting(served, game, sitting[n].place) for n in (told["seat"], 1 - told["seat"]))
        told = right.state()
        assert told["other_concedes"] and other.state()["conceding"]
    random = Random(3)
    while not told["over"]:
        assert told["seat"] == int(right.place) and not told["conceding"]
        right.send("act", told, random.randrange(len(told["question"]["choices"])))
        told = right.state()
    kept = until(lambda: not served.library.live(game).exists() and served.library.open(game))
    end = next(event for event in kept.events if isinstance(event, GameEnded))
    assert (end.winner, end.reason) == (int(right.place), "conceded") and verify(kept).verdict == "verified"


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("key", registry.GAMES)
def test_one_may_concede_while_the_computer_thinks(served: Server, key: str, restart: bool) -> None:
    game = served.begin(key, ("human", "random"), {"first": 1} if key == "liveon" else {})
    hosted = served.host.game(game)
    thought, player = threading.Event(), hosted.live.players[1]
    sitting = Sitting(served, game, "0")
    told = until(lambda: (found := sitting.state())["question"] and found)
    longest = 5 if restart else 20  # a server that goes down waits here for its threads
    hosted.live.players[1] = lambda seen: thought.wait(longest) and player(seen)  # type: ignore[assignment, return-value]
    while told["question"]:
        sitting.send("act", told, 0)
        told = sitting.state()
    assert told["waits"] == "computer" and sitting.send("concede", told)[0] == 200
    assert sitting.state()["conceding"]
    if restart:
        served.restart()  # the thought is lost, the concession is not
        sitting = Sitting(served, game, "0")
        sitting.state()
    thought.set()
    told = until(lambda: (found := sitting.state())["over"] and found)
    kept = until(lambda: not served.library.live(game).exists() and served.library.open(game))
    assert next(e for e in kept.events if isinstance(e, GameEnded)) == GameEnded(1, "conceded", back=ANY)
    assert verify(kept).verdict == "verified"
    assert sitting.send("concede", told)[0] == 409


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_lesson_is_gone_through_step_by_step_over_a_restart_and_goes_on_as_a_game(served: Server, key: str) -> None:
    game = served.host.teach(key, "Ann")
    lesson = lesson_of(key)
    assert lesson is not None
    place = [Sitting(served, game, "0")]

    def asked_now() -> dict[str, Any]:
        return until(lambda: (found := place[-1].state())["question"] and found)

    for number in range(lesson.own_steps):
        told, sitting = asked_now(), place[-1]
        guide = told["lesson"]
        assert (guide["step"], guide["of"]) == (number + 1, lesson.own_steps)
        assert guide["text"] and "{" not in guide["text"]
        others = [n for n in range(len(told["question"]["choices"])) if n != guide["choice"]]
        if others:
            status, answer = sitting.send("act", told, others[0])
            assert status == 409 and answer["word"] == "not_in_lesson"
        assert sitting.send("act", told, guide["choice"])[0] == 200
        if number == 4:
            served.restart()
            place.append(Sitting(served, game, "0"))
    told = asked_now()
    assert told["lesson"]["choice"] is None and "your game" in told["lesson"]["text"]
    assert place[-1].send("act", told, len(told["question"]["choices"]) - 1)[0] == 200, "any choice from here on"
    told = asked_now()
    assert told["lesson"] is None
    assert place[-1].send("concede", told)[0] == 200
    kept = until(lambda: not served.library.live(game).exists() and served.library.open(game))
    assert verify(kept).verdict == "verified", verify(kept)
