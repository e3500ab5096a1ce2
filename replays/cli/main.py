"""The command `cardfold`: the list of its commands, and what becomes of errors.

The modules beside this one hold the commands, which have nothing of their own but words, options and exit codes.
Results go to standard output, progress and messages to standard error. Exit code 0: done, the answer is yes; 1: done,
the answer is no; 2: wrong use, or input that cannot be read; 130: stopped by the user. Never a traceback (`--debug`).
"""

from __future__ import annotations

import signal
import sys
from importlib import import_module
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from events.errors import CardfoldError
from replays.cli.output import say

COMMANDS = {
    "demo": ("demo.demo_command", "Plays games by computer players and shows them."),
    "play": ("play.play_command", "Plays a game in the terminal."),
    "simulate": ("play.simulate_command", "Plays many games between computer players."),
    "ladder": ("ladder.ladder_command", "Rates players by their games against each other."),
    "fit": ("fit.fit_command", "Learns from games what a position is worth."),
    "show": ("games.show_command", "Prints the table at one moment of a game."),
    "watch": ("watch.watch_command", "Opens the replay of a game."),
    "log": ("games.log_command", "Tells a game in words."),
    "verify": ("games.verify_command", "Checks the facts of games against the rules."),
    "notes": ("games.notes_command", "Prints the notes on a game, or adds one."),
    "schema": ("games.schema_command", "Prints the JSON Schema of a line of a log."),
    "import": ("library.import_command", "Takes games into the library."),
    "list": ("library.list_command", "Lists the games of the library."),
    "export": ("library.export_command", "Writes games to a file for others."),
    "remove": ("library.remove_command", "Removes games from the library."),
    "library": ("library.library_command", "Says where the library is, and what is in it."),
    "playlists": ("groups.playlists_app", "Playlists of games: list, add, remove."),
    "families": ("groups.families_app", "Families of decks: list, find, join, drop."),
    "build": ("stats.build_command", "Builds the statistics of the library."),
    "stats": ("stats.stats_command", "Prints one table of statistics."),
    "compare": ("compare.compare_command", "Compares two sets of games by one metric."),
    "sql": ("sql.sql_command", "Answers a question in SQL over the statistics."),
    "lab": ("lab.lab_command", "Says what a change of cards does."),
    "cards": ("cards.cards_app", "Card sets: check one, print the schema of a card."),
    "decks": ("cards.decks_app", "Decks: check one, take one out of a game."),
    "serve": ("watch.serve_command", "Opens the dashboard on the library."),
    "bench": ("bench.bench_command", "Measures how fast this machine plays and reads."),
}
"""Name of a command -> where it is, in this package, and its line in the list of commands."""


class Commands(TyperGroup):
    """The commands by name. The module of one is imported when it is run, so that none waits for another's imports."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Loads the real command; until now only its line of help was known."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, _load(name or ""), rest


def _load(name: str) -> Any:
    """A command, or group of commands, as typer runs it."""
    module, _, inside = COMMANDS[name][0].partition(".")
    found = getattr(import_module(f"replays.cli.{module}"), inside)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name)(found)
        found = alone
    return typer.main.get_command(found)


app = typer.Typer(
    cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None,
    help="Plays, keeps, replays and counts games of trading cards.",
)
for name, (_, line) in COMMANDS.items():
    app.command(name, help=line)(lambda: None)


def main() -> NoReturn:
    """Runs the command; every failure is a sentence and an exit code."""
    debug = "--debug" in sys.argv
    signal.signal(signal.SIGTERM, _stopped)
    arguments = [a for a in sys.argv[1:] if a != "--debug"]
    try:
        code = app(arguments, standalone_mode=False)
    except typer.Abort:
        code = say("Stopped.", 130)
    except KeyboardInterrupt:
        code = say("Stopped.", 130)
    except Exception as problem:
        if debug:
            raise
        code = _failed(problem)
    sys.exit(code if isinstance(code, int) else 0)


def _stopped(number: int, frame: object) -> NoReturn:
    """Being ended from outside is like Ctrl+C: what was begun is tidied up, a server that was started is stopped."""
    raise KeyboardInterrupt


def _failed(problem: Exception) -> int:
    if hasattr(problem, "format_message"):  # wrong use, as typer's parser words it
        return say(f"{problem.format_message()} See --help.", getattr(problem, "exit_code", 2))
    if isinstance(problem, CardfoldError):
        return say(str(problem), problem.exit_code)
    if isinstance(problem, OSError):
        what = f"{problem.filename}: {problem.strerror}" if problem.filename else problem.strerror or problem
        return say(f"Stopped: {what}. What was whole before is still there.", 2)
    kind = type(problem).__name__
    return say(f"Something went wrong inside Cardfold ({kind}: {problem}). Run it again with --debug to see where.", 2)


if __name__ == "__main__":
    main()
