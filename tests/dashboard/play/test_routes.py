"""Who may sit where, and what is answered to whom may not, to what is no decision, and to clicks that come too late."""

from __future__ import annotations

import threading

import pytest

from events.kinds import Acted
from tests.dashboard.play.conftest import Server, Sitting, asked, until

ACTIONS = ("act", "back", "concede", "again")


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
