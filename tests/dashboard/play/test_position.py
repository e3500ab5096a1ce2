"""What is sent to whom: a browser gets what its seat may know and no more."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from dashboard.play import hosting
from engine.rulebooks import registry
from events.kinds import CardIdentified, CardsMade, Event, GameStarted
from tests.dashboard.play.conftest import Server, Sitting, asked


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
