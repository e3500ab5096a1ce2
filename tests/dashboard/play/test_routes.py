"""Games that are played over HTTP: who may sit where, that nothing is lost or done twice, and what is sent to whom."""

from __future__ import annotations

import io
import json
import logging
import re
import subprocess
import threading
from random import Random
from typing import Any
from unittest.mock import ANY

import msgspec
import pytest

from dashboard.play import hosting, thinking
from dashboard.play.thinking import answer_all, asked_of
from engine.core.match import Match
from engine.fold import fold_all
from engine.rulebooks import registry
from engine.rulebooks.registry import from_sets
from events.kinds import Acted, CardIdentified, CardsMade, Event, GameEnded, GameStarted
from replays.play.lesson import lesson_of
from replays.view.verify import verify
from tests.dashboard.play.conftest import Server, Sitting, short, until

ACTIONS = ("act", "back", "concede", "again")


def asked(hosted: hosting.Hosted, sitting: list[Sitting]) -> tuple[Sitting, dict[str, Any]]:
    """The one who is asked, and what is told to it."""
    seat = hosted.live.asked
    assert seat is not None
    return sitting[seat], sitting[seat].state()


# --- who may sit where --------------------------------------------------------------------------------------


def test_only_the_secret_of_a_place_opens_it(served: Server) -> None:
    """Every wrong secret at every door is refused alike, and nothing is done."""
    one, two = (served.begin("liveon", ("human", "human")) for _ in range(2))
    token = served.tokens.token
    wrong = [
        Sitting(served, one, "0", ""), Sitting(served, one, "0", token(one, "1")),
        Sitting(served, one, "0", token(two, "0")),
        Sitting(served, one, "1", token(one, "screen")), Sitting(served, one, "2", token(one, "2")),
        Sitting(served, one, "0", token(one, "0")[:-1]), Sitting(served, one, "0", token(one, "0") + "A"),
        Sitting(served, one, "0", token(one, "0").swapcase()), Sitting(served, two, "0", token(one, "0")),
        Sitting(served, f"../live/{one}", "0", token(one, "0")), Sitting(served, "0" * 400, "0", token(one, "0")),
    ]  # fmt: skip
    before = {name: served.library.live(name).read_bytes() for name in (one, two)}
    told = Sitting(served, one, "0").state()
    for sitting in wrong:
        assert sitting.request("GET", "state")[0] == 403
        for what in ACTIONS:
            assert sitting.send(what, told, 0)[0] == 403
    right = Sitting(served, one, "0")
    for header in ("", "Cardfold", f"Bearer {one}/0/{right.secret}", f"Cardfold {one}/0", "Cardfold \xff/0/\xff"):
        assert right.request("GET", "state", Authorization=header)[0] == 403
    assert {name: served.library.live(name).read_bytes() for name in (one, two)} == before


def test_a_secret_of_a_game_that_is_not_there_leads_nowhere(served: Server) -> None:
    for name in ("0" * 16, "../../etc/passwd", "", "a/b"):
        sitting = Sitting(served, name, "0")
        assert sitting.request("GET", "state")[0] in (403, 404)
        assert sitting.request("POST", "act", b'{"version":"1","seat":0,"choice":0}')[0] in (403, 404)


def test_a_seat_decides_for_itself_alone(served: Server) -> None:
    """Whoever sits at a seat cannot decide for the other one, nor for a computer player."""
    game = served.begin("liveon", ("human", "human"))
    hosted = served.host.game(game)
    sitting = [Sitting(served, game, place) for place in "01"]
    right, told = asked(hosted, sitting)
    before = len(hosted.live.match.log)
    for what in ("act", "concede", "back"):
        other = sitting[1 - told["seat"]]
        assert other.send(what, told, 0)[0] == 403
        assert other.send(what, told, 0, seat=1 - told["seat"])[0] == 409
    assert len(hosted.live.match.log) == before
    assert right.send("act", told, 0)[0] == 200
    computer = served.begin("liveon", ("greedy", "human"))
    told = until(lambda: (found := Sitting(served, computer, "1").state())["question"] and found)
    for seat in (0, 7, -1):
        assert Sitting(served, computer, "1").send("act", told, 0, seat=seat)[0] == 403
    assert Sitting(served, computer, "screen").send("act", told, 0, seat=0)[0] == 409


BODIES = (
    b"", b"null", b"[]", b"{", b'"x"', b'{"version":1,"seat":0}', b'{"version":"1"}', b'{"version":"1","seat":"0"}',
    b'{"version":"1","seat":0,"choice":"0"}', b'{"version":"1","seat":0,"more":1}', b"\xff\xfe", b"[" * 400,
    b'{"version":"' + b"9" * 300 + b'","seat":0,"choice":0}', b'{"version":"-1","seat":0,"choice":0}',
    b'{"version":"1","seat":0,"choice":99999999999999999999}', b"x" * 600, b"x" * 3_000_000,
)  # fmt: skip


@pytest.mark.parametrize("what", ACTIONS[:3])
def test_what_is_no_decision_does_nothing_and_is_answered_by_a_sentence(served: Server, what: str) -> None:
    game = served.begin("liveon", ("human", "human"))
    sitting = [Sitting(served, game, place) for place in "01"]
    right, told = asked(served.host.game(game), sitting)
    before = served.library.live(game).read_bytes()
    statuses = set()
    for body in BODIES:
        try:
            status, answer = right.request("POST", what, body)
        except (BrokenPipeError, ConnectionResetError):
            continue  # it was not read to its end
        statuses.add(status)
        assert status in (400, 403, 409, 413) and answer["problem"][-1] in ".。", body[:40]
    assert {400, 413} <= statuses
    for choice in (-1, len(told["question"]["choices"]), 10**9):
        assert right.send("act", told, choice)[0] == 409
    assert served.library.live(game).read_bytes() == before


def test_a_double_click_and_a_stale_page_do_nothing(served: Server) -> None:
    """Of twenty clicks at once one counts; a page that shows an older question decides nothing."""
    game = served.begin("monbattle", ("human", "human"))
    sitting = [Sitting(served, game, place) for place in "01"]
    right, told = asked(served.host.game(game), sitting)
    before = sum(isinstance(event, Acted) for event in served.host.game(game).live.match.log)
    statuses: list[int] = []
    clicks = [threading.Thread(target=lambda: statuses.append(right.send("act", told, 0)[0])) for _ in range(20)]
    for click in clicks:
        click.start()
    for click in clicks:
        click.join()
    assert sorted(statuses) == [200] + [409] * 19
    assert sum(isinstance(event, Acted) for event in served.host.game(game).live.match.log) == before + 1
    served.restart()
    log = served.library.live(game).read_bytes()
    for what in ("act", "back", "concede"):
        status, answer = right.send(what, told, 0)
        assert status == 409 and answer["word"] == "stale"
    assert served.library.live(game).read_bytes() == log


# --- nothing is lost ----------------------------------------------------------------------------------------


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
    hosted.live.players[1] = lambda seen: thought.wait(20) and player(seen)  # type: ignore[assignment, return-value]
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


# --- first steps --------------------------------------------------------------------------------------------


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


# --- players that think long --------------------------------------------------------------------------------


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_searching_player_decides_in_another_process_as_it_would_here(served: Server, key: str) -> None:
    game = served.begin(key, ("search:4", "search:2"), short(key))
    kept = until(lambda: not served.library.live(game).exists() and served.library.open(game), 60)
    assert verify(kept).verdict == "verified" and kept.sealed
    rules = from_sets(kept.header.game, kept.card_sets)
    places = [n for n, event in enumerate(kept.events) if isinstance(event, Acted)]
    for place in places[3:: max(1, len(places) // 3)]:
        match = Match(rules, fold_all(kept.events[:place], rules.declared))
        match.log[:] = kept.events[:place]
        line, log = asked_of(match)
        answers = io.BytesIO()
        answer_all(io.BytesIO(2 * (line + log)), answers)
        first, second = map(json.loads, answers.getvalue().splitlines())
        assert first == second == {"action": msgspec.to_builtins(kept.events[place].action)}  # type: ignore[attr-defined]


def test_a_process_that_ends_is_replaced_and_the_game_goes_on(
    served: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    thinkers = thinking.Thinkers()
    monkeypatch.setattr(hosting, "THINKERS", thinkers)
    begun, kinds = thinking._begun, [["false"], None]
    monkeypatch.setattr(
        thinking, "_begun",
        lambda: subprocess.Popen(kind, stdin=-1, stdout=-1) if kinds and (kind := kinds.pop(0)) else begun(),
    )  # fmt: skip
    game = served.begin("monbattle", ("search:2", "human"))
    hosted = served.host.game(game)
    until(lambda: hosted.problem)
    assert hosted.problem == "computer_failed" and "A computer player's process has ended" in caplog.text
    hosted.again()
    until(lambda: hosted.live.asked == 1)
    for process in thinkers._free:
        process.kill()
    hosted.act(1, hosted.version(1), 0)
    until(lambda: hosted.problem or hosted.live.asked in (1, None))


# --- what is sent to whom -----------------------------------------------------------------------------------


def identities(events: list[Event]) -> set[str]:
    """Codes of the cards that a seat's own records tell of."""
    text = b"".join(repr(event).encode() for event in events if not isinstance(event, GameStarted)).decode()
    codes = {code for event in events if isinstance(event, CardsMade) for code in event.codes if code}
    codes |= {event.code for event in events if isinstance(event, CardIdentified)}
    return codes | set(re.findall(r"code='([^']+)'", text))


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_browser_gets_what_its_seat_may_know_and_no_more(served: Server, key: str) -> None:
    """Whole games of two persons by chance: in nothing that was sent to a seat is a card that it has not seen, by code
    or by name in any language, the seed, how much goes on unseen, or the secret of another place."""
    rules = registry.load(key)
    checked = 0
    for seed in range(2):
        game = served.begin_any(key, seed)
        hosted = served.host.game(game)
        sitting, random = [Sitting(served, game, place) for place in "01"], Random(seed)
        for n in range(48):
            if hosted.live.asked is None:
                break
            if n % 4:  # in between without a look
                seat = hosted.live.asked
                hosted.act(seat, hosted.version(seat), random.randrange(len(hosted.live.match.legal())))
                continue
            right, told = asked(hosted, sitting)
            assert told["question"], told
            right.send("act", told, random.randrange(len(told["question"]["choices"])))
        for one in sitting:
            one.version = ""
            for language in ("ja", "zh-Hans", "zh-Hant", "en"):
                one.request("GET", f"state?language={language}")
        header = hosted.live.header
        for seat, one in enumerate(sitting):
            sent = b"\n".join(one.received).decode()
            known = identities(hosted.live.seats[seat].events)
            texts = json.dumps([rules.cards[code].printed.name for code in known], ensure_ascii=False)
            texts += "\n".join(told_texts(one))
            for code in {code for side in header.seats for code in side.deck.cards} - known:
                assert f'"{code}"' not in sent, (seat, code)
                for name in rules.cards[code].printed.name.values():
                    assert name in texts or name not in sent, (seat, code, name)
                checked += 1
            assert str(header.seed) not in sent and "continuation" not in sent and '"full":null' in sent
            assert all(served.tokens.token(game, place) not in sent for place in ("0", "1", "screen"))
            assert all(one.secret.encode() not in file.read_bytes() for file in served.library.path.rglob("*.*"))
    assert checked > 20


def told_texts(sitting: Sitting) -> set[str]:
    """Rules texts of cards that were sent: they may name cards that are not seen."""
    found: set[str] = set()
    for data in sitting.received:
        if data.startswith(b'{"') and (game := json.loads(data).get("game")):
            found.update(line for face in game["cards"].values() for line in [*face["text"], face["flavour"]])
    return found


@pytest.mark.parametrize("key", registry.GAMES)
def test_that_the_other_seat_decides_unseen_shows_nowhere(served: Server, key: str) -> None:
    """A seat's version, which says that there is something new, changes exactly when what is sent to it does."""
    game = served.begin_any(key, 5)
    hosted, random = served.host.game(game), Random(5)
    unseen = 0
    for _ in range(150):
        seat = hosted.live.asked
        if seat is None:
            break
        other = 1 - seat
        before = hosted.version(other), hosting_view(hosted, other)
        hosted.act(seat, hosted.version(seat), random.randrange(len(hosted.live.match.legal())))
        if hosted.live.asked is not None:
            assert (hosted.version(other) != before[0]) == (hosting_view(hosted, other) != before[1])
            unseen += hosted.version(other) == before[0]
    assert unseen or key != "liveon"


def hosting_view(hosted: hosting.Hosted, seat: int) -> object:
    """All that may be sent to a seat."""
    live = hosted.live
    return list(live.seats[seat].events), live.asked == seat, live.may_take_back(seat)


def test_at_one_screen_a_curtain_hides_the_table_until_the_next_one_is_there(served: Server) -> None:
    """Without being lifted for the seat that is asked, nothing of the table is sent."""
    game = served.begin("monbattle", ("human", "human"))
    screen, random = Sitting(served, game, "screen"), Random(3)
    seats = set()
    for _ in range(12):
        hosted = served.host.game(game)
        seat = hosted.live.asked
        if seat is None:
            break
        for lifted in ("", str(1 - seat), "2", "x"):
            screen.version = ""
            curtain = screen.state(lifted)
            assert set(curtain) == {"version", "curtain", "player", "says"} and curtain["curtain"] == seat
        screen.version = ""
        told = screen.state(str(seat))
        assert told["seat"] == seat == told["game"]["game"]["view"]
        assert screen.send("act", told, random.randrange(len(told["question"]["choices"])))[0] == 200
        seats.add(seat)
    assert seats == {0, 1}


def test_a_step_is_taken_back_through_the_browser(served: Server) -> None:
    game = served.begin("liveon", ("human", "human"))
    hosted, sitting, random = served.host.game(game), [Sitting(served, game, place) for place in "01"], Random(2)
    back = 0
    for _ in range(60):
        if hosted.live.asked is None or back == 3:
            break
        right, told = asked(hosted, sitting)
        before = served.library.live(game).read_bytes()
        assert right.send("act", told, random.randrange(len(told["question"]["choices"])))[0] == 200
        if hosted.live.asked == told["seat"] and (now := right.state())["may_take_back"]:
            assert sitting[1 - told["seat"]].send("back", now)[0] == 403
            assert right.send("back", now)[0] == 200
            assert served.library.live(game).read_bytes() == before
            again = right.state()
            assert again["game"]["patches"] == told["game"]["patches"] and again["question"] == told["question"]
            assert right.send("back", now)[0] == 409
            right.version = ""
            back += 1
        else:
            right.version = ""
    assert back == 3
