"""The addresses of games that are played: the page of a seat, what it is told, and what it decides.

A request names the game, the place and its secret in the header `Authorization`. The answer to a question for news
waits until something changes for the seat, so that a browser hears of it at once.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from dashboard import viewer
from dashboard.play import position
from dashboard.play.hosting import Host, Hosted, NoSuchGame, NotInLesson, Stale
from dashboard.play.tokens import Tokens
from dashboard.words import ENGLISH, nearest
from engine.core.tasks import Illegal
from engine.words import LANGUAGES
from events.errors import CardfoldError

LIVE_PATH = "/live/"
_WAITS = 20.0
"""Seconds that a browser waits for news before it asks again."""
_OFTEN = 0.05
_MAX_BODY = 512
"""Bytes of a decision: a version and a number."""
_OWN_MACHINE = ("127.0.0.1", "::1")
_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
_FOLDER = Path(__file__).parent
_LOGGER = logging.getLogger("cardfold")


class Decision(msgspec.Struct, forbid_unknown_fields=True):
    """What a browser sends: which question it saw, and the number of its choice where it chooses."""

    version: str
    seat: int
    choice: int = -1


class Seated(NamedTuple):
    """Who asks: at which game, which seats are its own, and whether its browser is on this machine."""

    name: str
    seats: tuple[int, ...]
    own_machine: bool


class Refused(Exception):
    """A request that gets no more than a status and a word."""

    def __init__(self, status: int, word: str) -> None:
        super().__init__(word)
        self.status, self.word = status, word


class LiveRoutes:
    """The routes, on one library's games; `closing`: whether the server is about to stop."""

    def __init__(self, host: Host, tokens: Tokens, closing: Callable[[], bool] = lambda: False) -> None:
        self.host = host
        self.tokens = tokens
        self.closing = closing

    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route(LIVE_PATH, _page, methods=["GET"]),
            Route(f"{LIVE_PATH}state", _guarded(self.state), methods=["GET"]),
            Route(f"{LIVE_PATH}act", _guarded(self.act), methods=["POST"]),
            Route(f"{LIVE_PATH}back", _guarded(self.back), methods=["POST"]),
            Route(f"{LIVE_PATH}concede", _guarded(self.concede), methods=["POST"]),
            Route(f"{LIVE_PATH}again", _guarded(self.again), methods=["POST"]),
        ]

    async def state(self, request: Request) -> Any:
        """The position, as soon as it is another one than the browser has; else that it is the same."""
        seated = self._seated(request)
        language = _language(request)
        has, lifted = request.query_params.get("version", ""), request.query_params.get("seat", "")
        hosted = await self._game(seated)
        if hosted is None:
            return await run_in_threadpool(self._finished, seated, lifted, language)
        until = time.monotonic() + _WAITS
        while (now := _version(hosted, seated)) == has and time.monotonic() < until and not self.closing():
            await asyncio.sleep(_OFTEN)
        if now == has:
            return {"version": now, "same": True}
        return await run_in_threadpool(_told, hosted, seated, lifted, language)

    async def act(self, request: Request) -> Any:
        """Carries out a choice."""
        return await self._decided(request, lambda hosted, one: hosted.act(one.seat, _number(one), one.choice))

    async def back(self, request: Request) -> Any:
        """Takes the last step back."""
        return await self._decided(request, lambda hosted, one: hosted.take_back(one.seat, _number(one)))

    async def concede(self, request: Request) -> Any:
        """Gives the game up."""
        return await self._decided(request, lambda hosted, one: hosted.concede(one.seat, _number(one)))

    async def again(self, request: Request) -> Any:
        """Tries again what could not be done."""
        return await self._decided(request, lambda hosted, one: hosted.again())

    async def _decided(self, request: Request, does: Callable[[Hosted, Decision], None]) -> Any:
        seated = self._seated(request)
        decision = await _decision(request)
        if decision.seat not in seated.seats:
            raise Refused(403, "no_seat")
        hosted = await self._game(seated)
        if hosted is None:
            raise Refused(409, "stale")
        await run_in_threadpool(does, hosted, decision)
        return {"done": True}

    def _seated(self, request: Request) -> Seated:
        """Who asks. Raises Refused where the secret is not right; takes as long whatever is wrong."""
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        name, _, rest = given[:200].partition("/")
        place, _, token = rest.partition("/")
        if not self.tokens.opens(name, place, token) or scheme != "Cardfold":
            raise Refused(403, "no_seat")
        own_machine = request.client is not None and request.client.host in _OWN_MACHINE
        return Seated(name, (0, 1) if place == "screen" else (int(place),), own_machine)

    async def _game(self, seated: Seated) -> Hosted | None:
        """The game; None where it is over and kept. Raises Refused where there is none."""
        try:
            return await run_in_threadpool(self.host.game, seated.name)
        except NoSuchGame:
            if await run_in_threadpool(self.host.finished, seated.name) is None:
                raise Refused(404, "no_game") from None
            return None
        except CardfoldError:
            _LOGGER.exception("The game %s cannot be taken up.", seated.name)
            raise Refused(409, "cannot_go_on") from None

    def _finished(self, seated: Seated, lifted: str, language: str) -> dict[str, Any]:
        log = self.host.library.open(self.host.finished(seated.name) or "")
        seat = seated.seats[-1] if lifted == "1" else seated.seats[0]
        return _for(seated, position.finished_position(log, seat, language))


def _version(hosted: Hosted, seated: Seated) -> str:
    """What the browser has, and is told again only when it is another one."""
    return "-".join(str(hosted.version(seat)) for seat in seated.seats)


def _told(hosted: Hosted, seated: Seated, lifted: str, language: str) -> dict[str, Any]:
    """The position; at one screen a curtain, unless it is lifted for the seat that is asked."""
    version = _version(hosted, seated)
    seat = seated.seats[0]
    if len(seated.seats) == 2:
        asked = hosted.live.asked
        seat = (int(lifted) if lifted in ("0", "1") else 0) if asked is None else asked
        if asked is not None and lifted != str(seat):
            players = [one.player[:80] for one in hosted.live.header.seats]
            return {"version": version, "curtain": seat, "player": players[seat], "says": position.play_words(language)}
    told = position.position_of(hosted, seat, language)
    return _for(seated, {**told, "question_version": told["version"], "version": version})


def _for(seated: Seated, told: dict[str, Any]) -> dict[str, Any]:
    """With the ways to the replay and the rules, which are open to browsers on this machine alone."""
    replay = f"/replay?game={told['id']}" if told["id"] and seated.own_machine else None
    rules = "/rules" if seated.own_machine else None
    return {"question_version": "", **told, "id": None, "replay": replay, "rules": rules}


def _number(decision: Decision) -> int:
    return int(decision.version) if decision.version.isdecimal() and len(decision.version) < 30 else -1


async def _decision(request: Request) -> Decision:
    """What was sent. Raises Refused for what is too long or no decision; no more than that is read."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MAX_BODY:
            raise Refused(413, "not_understood")
    try:
        return msgspec.json.decode(body, type=Decision)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused(400, "not_understood") from None


def _language(request: Request) -> str:
    """As the page asks for it, else the browser's."""
    wanted = request.query_params.get("language", "")
    return wanted if wanted in LANGUAGES else nearest(request.headers.get("accept-language", "")[:40].partition(",")[0])


def _guarded(does: Callable[[Request], Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
    """Answers with JSON; what goes wrong is a sentence to the user, and its details are in the log file."""

    async def answer(request: Request) -> Response:
        try:
            return _json(await does(request), 200)
        except Refused as refused:
            status, word = refused.status, refused.word
        except NotInLesson:
            status, word = 409, "not_in_lesson"
        except (Stale, Illegal):
            status, word = 409, "stale"
        except Exception:
            _LOGGER.exception("%s %s has failed.", request.method, request.url.path)
            status, word = 500, "failed"
        return _json({"problem": position.play_words(_language(request))[word], "word": word}, status)

    return answer


def _json(told: Any, status: int) -> Response:
    return Response(msgspec.json.encode(told), status, _HEADERS, "application/json")


# --- the page -----------------------------------------------------------------------------------------------


async def _page(request: Request) -> Response:
    text, policy = live_page()
    return HTMLResponse(text, headers={**_HEADERS, "Content-Security-Policy": policy})


@cache
def live_page() -> tuple[str, str]:
    """The page of a seat, the same for all games, and what it may load: nothing but what it asks of this server."""
    script = f"{viewer.javascript()}\n{_text('play.js')}"
    style = f"{viewer.css()}\n{_text('play.css')}"
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    text = (
        f'<!DOCTYPE html>\n<html lang="{ENGLISH}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Cardfold</title>\n'
        '<link rel="icon" href="data:,">\n'
        f"<style>{style}</style>\n</head>\n<body>\n{viewer.html()}\n<noscript>This page needs JavaScript.</noscript>\n"
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )
    return text, policy


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
