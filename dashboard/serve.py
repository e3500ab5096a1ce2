"""Starts the dashboard on this machine, for this machine only. The one place that knows how Streamlit is started."""

from __future__ import annotations

import argparse
import os
import socket
import sys
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

from replays.cli.output import say
from replays.store.library import default_path

WATCHED = "CARDFOLD_WATCH"
"""Environment variable with the file that the dashboard is started on. No address of a page can name a file."""

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
    "logger.level": "warning",
    "runner.magicEnabled": False,
}
"""Streamlit's own defaults listen to the whole network and report usage."""

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
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or _is_own(Headers(scope=scope)):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it was accepted: answered with 403
        else:
            await PlainTextResponse("This page is for this machine alone.\n", 403)(scope, receive, send)


def _is_own(headers: Headers) -> bool:
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    if len(hosts) != 1 or len(origins) > 1:
        return False
    name = hosts[0].partition(":")[0]
    return name in OWN_HOSTS and all(urlsplit(origin).netloc == hosts[0] for origin in origins)


def serve(library: Path, port: int, watched: Path | None = None) -> None:
    """Serves the dashboard of a library, or the viewer on one file, at this port until stopped.

    Exits with a sentence where the port is not free.
    """
    os.environ["CARDFOLD_HOME"] = str(library)
    if watched is not None:
        os.environ[WATCHED] = str(watched)
    bootstrap.load_config_options({**SETTINGS, **_COLOURS, "server.port": port})
    app = st.App(APP, middleware=[Middleware(SameOrigin)])
    try:
        door = socket.create_server((ADDRESS, port))
    except OSError as error:
        sys.exit(say(f"The dashboard cannot listen at port {port}: {error.strerror}. Choose another one by --port.", 2))
    with door:
        if watched is None:  # else who began it says where
            say(f"Cardfold's dashboard is at http://{ADDRESS}:{port}")
        uvicorn.Server(uvicorn.Config(app, **SERVER)).run([door])


def main() -> None:
    """`python -m dashboard.serve --library DIR --port P`."""
    parser = argparse.ArgumentParser(prog="dashboard.serve", description="Opens the dashboard on a library.")
    parser.add_argument("--library", type=Path, default=None, help="folder of the library (else CARDFOLD_HOME)")
    parser.add_argument("--port", type=int, default=8501, help="port, 8501 if left out")
    parser.add_argument("--watch", type=Path, default=None, help="only the viewer, on this file")
    chosen = parser.parse_args()
    serve((chosen.library or default_path()).resolve(), chosen.port, chosen.watch and chosen.watch.resolve())


if __name__ == "__main__":
    main()
