"""Starts the dashboard on this machine, for this machine only; games that are played may be for one's own network too.

The one place that knows how Streamlit is started.
"""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import logging
import os
import socket
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
import uvicorn
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.web import bootstrap

from dashboard.i18n import t
from dashboard.play.hosting import host_of
from dashboard.play.routes import LIVE_PATH, LiveRoutes
from dashboard.play.tokens import Tokens
from engine.rulebooks import registry
from events.errors import CardfoldError
from replays.cli.output import say
from replays.store.library import default_path

WATCHED = "CARDFOLD_WATCH"
"""Environment variable with the file that the dashboard is started on. No address of a page can name a file."""

HOST = "CARDFOLD_HOST"
"""Environment variable with the address and port at which links to games that are played lead here."""

_LOG = "dashboard.log"

APP = Path(__file__).parent / "app.py"

ADDRESS = "127.0.0.1"
OWN_HOSTS = ("localhost", ADDRESS)

SERVER: dict[str, Any] = {
    "ws": "websockets-sansio",
    "ws_per_message_deflate": False,
    "access_log": False,
    "log_level": "warning",
    "timeout_graceful_shutdown": 3,
}
"""Uvicorn would wait for a browser that does not answer any more until it does."""

SETTINGS = {
    "server.address": ADDRESS,
    "server.headless": True,
    "server.maxUploadSize": 64,
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "none",
    "client.toolbarMode": "minimal",
    "logger.hideWelcomeMessage": True,
    "logger.enableRich": False,
    "logger.level": "warning",
    "runner.magicEnabled": False,
    "runner.postScriptGC": False,
}
"""Streamlit's own defaults listen to the whole network, report usage, and look through all objects after each run."""

_COLOURS = {
    "theme.font": "sans-serif",
    "theme.paddingTop": "2rem",
    "theme.headingFontSizes": ["1.75rem", "1.4rem", "1.2rem"],
    "theme.baseRadius": "8px",
    "theme.light.primaryColor": "#1A5BA8",
    "theme.light.backgroundColor": "#FFFFFF",
    "theme.light.secondaryBackgroundColor": "#F2F4F5",
    "theme.light.textColor": "#14181F",
    "theme.light.linkColor": "#1A5BA8",
    "theme.light.borderColor": "#D0D6DD",
    "theme.light.sidebar.backgroundColor": "#E9ECEF",
    "theme.light.sidebar.secondaryBackgroundColor": "#D9DEE3",
    "theme.dark.primaryColor": "#4C8FDB",
    "theme.dark.backgroundColor": "#171B20",
    "theme.dark.secondaryBackgroundColor": "#0E1114",
    "theme.dark.textColor": "#EDF1F5",
    "theme.dark.linkColor": "#7FB6F5",
    "theme.dark.borderColor": "#2B333C",
    "theme.dark.sidebar.backgroundColor": "#0E1114",
    "theme.dark.sidebar.secondaryBackgroundColor": "#22282F",
}


class SameOrigin:
    """Refuses what is not asked of this machine under its own name, and what another page's script asks.

    A page of any other origin, another local port too, could otherwise open the WebSocket of a session; a foreign host
    name that points here would make its own page an origin of ours. A request without an origin comes from no script.
    Other machines, where `host` is the address that this one has for them, get the games that are played, which ask for
    a secret, and nothing else.
    """

    def __init__(self, app: ASGIApp, host: str = "") -> None:
        self.app = app
        self.host = host

    def allows(self, scope: Scope) -> bool:
        """Whether a request is answered."""
        headers = Headers(scope=scope)
        if scope["client"] and scope["client"][0] == ADDRESS and _is_own(headers, OWN_HOSTS):
            return True
        played = scope["type"] == "http" and scope["path"].startswith(LIVE_PATH)
        return bool(self.host) and played and _is_own(headers, (self.host,))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self.allows(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it was accepted: answered with 403
        else:
            await PlainTextResponse("This page is for this machine alone.\n", 403)(scope, receive, send)


def _is_own(headers: Headers, names: Sequence[str]) -> bool:
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    if len(hosts) != 1 or len(origins) > 1:
        return False
    name = hosts[0].partition(":")[0]
    return name in names and all(urlsplit(origin).netloc == hosts[0] for origin in origins)


def serve(library: Path, port: int, watched: Path | None = None, host: str = "") -> None:
    """Serves the dashboard of a library, or the viewer on one file, at this port until stopped.

    `host`: the IPv4 address that this machine has in one's own network; others there can then open links to games that
    are played. Exits with a sentence where the port is not free.
    """
    os.environ["CARDFOLD_HOME"] = str(library)
    os.environ[HOST] = f"{host or ADDRESS}:{port}"
    if watched is not None:
        os.environ[WATCHED] = str(watched)
    bootstrap.load_config_options({**SETTINGS, **_COLOURS, "server.port": port})
    servers: list[uvicorn.Server] = []
    routes = []
    if watched is None:  # else nothing is written, and nothing played
        keep_log(library)
        routes = LiveRoutes(host_of(library), Tokens(library), lambda: any(s.should_exit for s in servers)).routes()
        threading.Thread(target=get_ready, daemon=True).start()
    app = st.App(APP, routes=routes, middleware=[Middleware(SameOrigin, host=host)], on_script_error=say_failure)
    with contextlib.ExitStack() as open_doors:
        doors = [open_doors.enter_context(_door(address, port)) for address in (ADDRESS, host) if address]
        if watched is None:  # else who began it says where
            say(f"Cardfold's dashboard is at http://{ADDRESS}:{port}")
        if host:
            say(f"Others in your network can open links to games that are played, at http://{host}:{port}{LIVE_PATH}")
        servers.append(uvicorn.Server(uvicorn.Config(app, **SERVER)))
        servers[0].run(doors)


def get_ready() -> None:
    """Imports what pages need and reads games and rulebooks while the first page is looked at: it takes seconds."""
    # else Streamlit says that there is no page here
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").setLevel(logging.ERROR)
    for name in ("replays.stats.fits", "pandas", "plotly.tools", "plotly.io", "dashboard.stats.page"):
        import_module(name)
    with contextlib.suppress(CardfoldError):  # the pages say what is wrong
        import_module("dashboard.data").listing()
    parts = [{"type": "scatter", "error_x": {}, "error_y": {}}, {"type": "bar"}]
    import_module("plotly.graph_objects").Figure(parts, {"shapes": [{}]})  # which imports them
    for game in registry.GAMES:
        registry.load(game)


def _door(address: str, port: int) -> socket.socket:
    try:
        if address != ADDRESS and ipaddress.IPv4Address(address).is_unspecified:
            sys.exit(say("--host takes one address of this machine, such as 192.168.1.7, not all of them.", 2))
        return socket.create_server((address, port))
    except ipaddress.AddressValueError:
        sys.exit(say(f"--host takes an IPv4 address of this machine, such as 192.168.1.7; {address!r} is none.", 2))
    except OSError as error:
        where = f"port {port}" if address == ADDRESS else f"{address}, port {port}"
        sys.exit(say(f"The dashboard cannot listen at {where}: {error.strerror}. Choose another one by --port.", 2))


def say_failure(problem: Exception) -> bool:
    """What a page shows where it has failed: a sentence. The details are in the log file."""
    logging.getLogger("cardfold").error("A page has failed.", exc_info=problem)
    st.error(t("page_failed"))
    return True


def keep_log(library: Path) -> None:
    """What goes wrong is written to `dashboard.log` in the library, the last megabyte of it."""
    library.mkdir(parents=True, exist_ok=True)
    handler = RotatingFileHandler(library / _LOG, maxBytes=1 << 20, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logging.getLogger("cardfold").addHandler(handler)
    logging.getLogger("cardfold").propagate = False


def main() -> None:
    """`python -m dashboard.serve --library DIR --port P`."""
    parser = argparse.ArgumentParser(prog="dashboard.serve", description="Opens the dashboard on a library.")
    parser.add_argument("--library", type=Path, default=None, help="folder of the library (else CARDFOLD_HOME)")
    parser.add_argument("--port", type=int, default=8501, help="port, 8501 if left out")
    parser.add_argument("--host", default="", help="this machine's address in one's own network, to play with others")
    parser.add_argument("--watch", type=Path, default=None, help="only the viewer, on this file")
    chosen = parser.parse_args()
    serve((chosen.library or default_path()).resolve(), chosen.port, chosen.watch and chosen.watch.resolve(),
          chosen.host)


if __name__ == "__main__":
    main()
