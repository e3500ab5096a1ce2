"""Commands that open the dashboard: serve, on a library, and watch, on one game (or that game as text)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from events.record import LogError
from replays.cli import dashboard
from replays.cli.logs import chosen_seat, open_log
from replays.cli.options import LibraryOption, LogArgument, NumberOption, SeatOption
from replays.play.watch import TextReplay, watch_text
from replays.store.library import Library, default_path


def serve_command(
    port: Annotated[int, typer.Option(help="Port on this machine.")] = 8501,
    host: Annotated[str, typer.Option(
        help="This machine's address in your network, such as 192.168.1.7: others there can then open the links to "
        "games that you play with them, and nothing else. Left out: nobody can.",
    )] = "",
    library: LibraryOption = None,
) -> None:
    """Opens the dashboard on the library; Ctrl+C stops it."""
    raise typer.Exit(dashboard.run_dashboard(Library(library).path, port, host))


def watch_command(
    log: LogArgument,
    text: Annotated[bool, typer.Option("--text", help="As text in the terminal, with the arrow keys.")] = False,
    seat: SeatOption = None,
    language: Annotated[str, typer.Option(help="Of the text: en, ja, zh-Hans or zh-Hant.")] = "en",
    game: NumberOption = 1,
    port: Annotated[int | None, typer.Option(help="Port of the viewer; left out: a free one.")] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    library: LibraryOption = None,
) -> None:
    """Opens the replay of a game, out of the library or of a file, which is not taken into the library."""
    if log == "-":
        raise LogError("the replay is of a file or a game in the library, not of standard input.")
    found = open_log(log, library, game)
    if text:
        watch_text(TextReplay(found, chosen_seat(found, seat), language))
        return
    if seat is not None:
        raise LogError("--seat goes with --text; in the viewer, choose the seat on the page.")
    file = Path(log) if Path(log).is_file() else None
    path = Library(library).path if file is None else library or default_path()
    address = str(game) if file is not None else log
    raise typer.Exit(dashboard.watch_game(path, address, file, port or dashboard.free_port(), not no_browser))
