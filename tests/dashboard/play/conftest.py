"""A server with the routes of games that are played, and what a program without a screen does there."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette

from dashboard.play.hosting import Host, Hosted
from dashboard.play.routes import LIVE_PATH, LiveRoutes
from dashboard.play.tokens import Tokens
from engine.cards.decks import deck_list
from engine.rulebooks import registry
from events.kinds import DeckList
from replays.store.library import Library
from tests import play

Options = dict[str, int | str | bool]


def shipped(key: str) -> tuple[list[DeckList], Options]:
    """Two shipped decks of one format, and that format as an option."""
    rules = registry.load(key)
    decks = rules.shipped_decks()
    pair = [deck for deck in decks if deck.format == decks[0].format][:2]
    return [deck_list(deck) for deck in pair], {"format": pair[0].format} if pair[0].format else {}


def short(key: str) -> Options:
    """Options by which a game is over soon."""
    rules = registry.load(key)
    return {name: n for name, n in (("max_turns", 6), ("max_rounds", 4)) if name in rules.options}


class Server:
    """The routes on a library, over HTTP; `restart` is what happens when the server is stopped and started again."""

    def __init__(self, library: Path) -> None:
        self.library = Library(library)
        self.tokens = Tokens(library)
        self.up()

    def up(self) -> None:
        self.host = Host(self.library)
        routes = LiveRoutes(self.host, self.tokens, lambda: self.server.should_exit).routes()
        config = uvicorn.Config(Starlette(routes=routes), port=0, log_level="warning", lifespan="off")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        self.port: int = self.server.servers[0].sockets[0].getsockname()[1]

    def down(self) -> None:
        self.server.should_exit = True
        self.thread.join()
        for thread in threading.enumerate():  # in a real server they end with it
            if thread.name.startswith("game "):
                thread.join()
        for hosted in self.host._games.values():
            hosted.live.writer.close()

    def restart(self) -> None:
        self.down()
        self.up()

    def begin(self, key: str, player_kinds: Sequence[str], options: Options | None = None) -> str:
        """A new game between two shipped decks."""
        decks, given = shipped(key)
        return self.host.start(registry.load(key), player_kinds, decks, {**given, **(options or {})}, ("Ann", "Bo"))

    def begin_any(self, key: str, seed: int) -> str:
        """A new game between any two decks."""
        rules = registry.load(key)
        decks = [play.any_deck(rules, 41, 2 * seed + seat) for seat in (0, 1)]
        return self.host.start(rules, ("human", "human"), decks, {}, ("Ann", "Bo"))


class Sitting:
    """Someone at a place of a game; keeps all that was sent there."""

    def __init__(self, server: Server, name: str, place: str, secret: str | None = None) -> None:
        self.server = server
        self.name = name
        self.place = place
        self.secret = server.tokens.token(name, place) if secret is None else secret
        self.received: list[bytes] = []
        self.version = ""

    def request(self, method: str, what: str, body: bytes | None = None, **headers: str) -> tuple[int, Any]:
        """Status and answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        given = {"Authorization": f"Cardfold {self.name}/{self.place}/{self.secret}", **headers}
        connection.request(method, f"{LIVE_PATH}{what}", body, given)
        answer = connection.getresponse()
        data = answer.read()
        self.received += [data, repr(answer.getheaders()).encode()]
        connection.close()
        return answer.status, json.loads(data)

    def state(self, seat: str = "") -> dict[str, Any]:
        """The position, as soon as it is another one than that which was had last."""
        while True:
            status, told = self.request("GET", f"state?version={self.version}&seat={seat}")
            assert status == 200, told
            if not told.get("same"):
                self.version = told["version"]
                return dict(told)

    def send(self, what: str, told: dict[str, Any], choice: int | None = None, **more: Any) -> tuple[int, Any]:
        """Sends a decision at this position."""
        sent = {"version": told["question_version"], "seat": told["seat"], **more}
        return self.request("POST", what, json.dumps(sent | ({} if choice is None else {"choice": choice})).encode())


def asked(hosted: Hosted, sitting: list[Sitting]) -> tuple[Sitting, dict[str, Any]]:
    """The one who is asked, and what is told to it."""
    seat = hosted.live.asked
    assert seat is not None
    return sitting[seat], sitting[seat].state()


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server on an empty library, whose games have always the same seeds."""
    monkeypatch.setattr("replays.play.session.secrets.randbits", Random(7).getrandbits)
    server = Server(tmp_path / "library")
    yield server
    server.down()


def until(what: Callable[[], Any], seconds: float = 20) -> Any:
    """What `what` gives as soon as that is something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.02)
    raise AssertionError("it has not come about")
