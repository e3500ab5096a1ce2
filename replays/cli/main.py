"""The command `cardfold`: one function a command, nothing of its own but words, options and exit codes.

Results go to standard output, progress and messages to standard error. Exit code 0: done, the answer is yes; 1: done,
the answer is no; 2: wrong use, or input that cannot be read; 130: stopped by the user. Never a traceback (`--debug`).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine.cards.decks import DeckError, DeckFile, deck_list, names_of, read_deck, write_deck
from engine.cards.files import CardError, read_about
from engine.cards.linter import files_of
from engine.core.match import ContinuationError
from engine.fold import FoldError, fold_all
from engine.players import PLAYER_KINDS
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from engine.state import Declared
from engine.view import view
from engine.words import UnknownLanguage
from events.game import GameLog
from events.kinds import Event, GameStarted, TurnBegan
from events.open import read_games
from events.record import LogError, line_schema
from replays.cli import rows
from replays.cli.bench import bench as measure
from replays.cli.bench import bench_pack, machine
from replays.cli.demo import demo as run_demo
from replays.cli.demo import serve as run_server
from replays.cli.rows import Format
from replays.play import session, terminal, trial, watch
from replays.play.simulate import Plan, PlanError, Stopped, all_pairs, shipped_decks, simulate, simulate_into
from replays.stats.metrics import METRICS, Filters, MetricError, metric
from replays.stats.warehouse import WarehouseError, open_warehouse, update
from replays.store import notes
from replays.store.audit import judge
from replays.store.catalogue import LAYOUT, LibraryError
from replays.store.library import IDLE_DAYS, Library, default_path
from replays.store.notes import NotesError
from replays.store.share import export_games, may_write
from replays.view import narrate
from replays.view.verify import Verdict, verify

app = typer.Typer(
    no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None,
    help="Plays, keeps, replays and counts games of trading cards.",
)
cards_app = typer.Typer(no_args_is_help=True, help="Card sets: check one, or print the schema of a card.")
decks_app = typer.Typer(no_args_is_help=True, help="Decks: check a deck file, or take a deck out of a game.")
app.add_typer(cards_app, name="cards")
app.add_typer(decks_app, name="decks")
messages = Console(stderr=True)

SENTENCES = (
    CardError, DeckError, FoldError, LogError, LibraryError, PlanError, Stopped, MetricError, WarehouseError,
    ContinuationError, registry.UnknownGame, session.BrokenOff, session.CannotGoOn, NotesError,
    watch.NoTerminal, UnknownLanguage,
)
"""What can go wrong with input: said in its own sentence, exit code 2."""

LibraryOption = Annotated[Path | None, typer.Option("--library", help="Folder of the library (else CARDFOLD_HOME).")]
CardsOption = Annotated[list[Path] | None, typer.Option("--cards", help="Folder of a further card set.")]
FormatOption = Annotated[Format, typer.Option(
    "--format", help="How rows are written. In CSV an apostrophe comes before text that looks like a formula.",
)]
SeatOption = Annotated[int | None, typer.Option("--seat", min=0, max=1, help="As this seat saw it.")]
NumberOption = Annotated[int, typer.Option("--game", min=1, help="Which game of the file, counted from 1.")]
LogArgument = Annotated[str, typer.Argument(help="A log file, or the id of a game in the library.")]


def main() -> NoReturn:
    """Runs the command; every failure is a sentence and an exit code."""
    debug = "--debug" in sys.argv
    signal.signal(signal.SIGTERM, _stopped)
    arguments = [a for a in sys.argv[1:] if a != "--debug"]
    try:
        code = app(arguments, standalone_mode=False)
    except typer.Abort:
        code = _say("Stopped.", 130)
    except KeyboardInterrupt:
        code = _say("Stopped.", 130)
    except Exception as problem:
        if debug:
            raise
        code = _failed(problem)
    sys.exit(code if isinstance(code, int) else 0)


def _stopped(number: int, frame: object) -> NoReturn:
    """Being ended from outside is like Ctrl+C: what was begun is tidied up, a server that was started is stopped."""
    raise KeyboardInterrupt


def _failed(problem: Exception) -> int:
    if isinstance(problem, Stopped):
        return _say(str(problem), 130)
    if hasattr(problem, "format_message"):  # wrong use, as typer's parser words it
        return _say(f"{problem.format_message()} See --help.", getattr(problem, "exit_code", 2))
    if isinstance(problem, SENTENCES):
        return _say(str(problem), 2)
    if isinstance(problem, OSError):
        what = f"{problem.filename}: {problem.strerror}" if problem.filename else problem.strerror or problem
        return _say(f"Stopped: {what}. What was whole before is still there.", 2)
    kind = type(problem).__name__
    return _say(f"Something went wrong inside Cardfold ({kind}: {problem}). Run it again with --debug to see where.", 2)


def _say(text: str, code: int = 0) -> int:
    messages.print(text, markup=False, highlight=False, soft_wrap=True)
    return code


@contextmanager
def _progress(what: str) -> Iterator[Any]:
    """A bar on standard error, where that is a terminal; gives the function that moves it."""
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=messages,
        disable=not messages.is_terminal,
    ) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


# --- what arguments mean ------------------------------------------------------------------------------------


def _game(key: str, cards: list[Path] | None) -> Rulebook:
    return registry.load(key, tuple(cards or ()))


def _log(name: str, library: Path | None, number: int = 1) -> GameLog:
    """A game from a file (or standard input), else from the library by its id."""
    if name == "-":
        return _nth(read_games(sys.stdin.buffer, name="standard input"), number, "standard input")
    path = Path(name)
    if path.exists() or path.suffix in (".jsonl", ".zst", ".gz"):
        if not path.is_file():
            raise LogError("there is no such file.", name)
        return _nth(read_games(path), number, name)
    return Library(library).open(name)


def _nth(found: Iterator[GameLog], number: int, name: str) -> GameLog:
    count = 0
    for game in found:
        count += 1
        if count == number:
            if not game.events and game.fault is not None:
                raise game.fault
            return game
    raise LogError(f"has {count} games; there is no game {number}.", name)


def _decks(given: str | None, game: Rulebook) -> list[DeckFile]:
    """Decks by file, or by the name or file name of a shipped one; none given: all shipped ones."""
    shipped = {path.stem: path for path in sorted((game.folder / "decks").glob("*.toml"))}
    names = names_of(d.printed for d in game.cards.values())
    if given is None:
        return shipped_decks(game)
    found = []
    for name in map(str.strip, given.split(",")):
        by_name = next((d for d in shipped_decks(game) if d.name.casefold() == name.casefold()), None)
        if by_name is not None:
            found.append(by_name)
        elif name in shipped:
            found.append(read_deck(shipped[name], names))
        elif Path(name).exists():
            found.append(read_deck(Path(name), names))
        else:
            raise DeckError(f"There is no deck {name!r}: give a file, or one of {', '.join(shipped)}.")
    return found


def _pairs(given: str | None, game: Rulebook) -> tuple[tuple[DeckFile, DeckFile], ...]:
    decks = _decks(given, game)
    if given is not None and len(decks) == 2:
        return ((decks[0], decks[1]),)
    return all_pairs(decks)


def _minds(given: str, allowed: Sequence[str]) -> tuple[str, str]:
    player_kinds = given.split(",")
    player_kinds = player_kinds * 2 if len(player_kinds) == 1 else player_kinds
    for player_kind in player_kinds:
        if player_kind not in allowed:
            raise PlanError(f"There is no player {player_kind!r}; there are {', '.join(allowed)}.")
    if len(player_kinds) != 2:
        raise PlanError(f"Two players are needed, like greedy,random; {given!r} names {len(player_kinds)}.")
    return player_kinds[0], player_kinds[1]


def _options(given: list[str] | None) -> dict[str, int | str | bool]:
    options: dict[str, int | str | bool] = {}
    for option in given or ():
        name, equals, value = option.partition("=")
        if not equals:
            raise PlanError(f"An option is written NAME=VALUE, like max_turns=50; {option!r} is not.")
        options[name] = int(value) if value.lstrip("-").isdecimal() else value == "true" if value in (
            "true", "false") else value
    return options


# --- playing ------------------------------------------------------------------------------------------------


@app.command()
def demo(
    n: Annotated[int, typer.Option("-n", min=1, help="Games in all.")] = 3000,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    port: Annotated[int, typer.Option(help="Port of the dashboard.")] = 8501,
    jobs: Annotated[int | None, typer.Option(help="Processes; left out: one a core.")] = None,
    library: LibraryOption = None,
) -> None:
    """Plays games by computer players, keeps them, and shows them in the dashboard."""
    with _progress("Playing") as progress:
        run_demo(library or default_path(), n, port, not no_browser, jobs, progress, _say)


@app.command("play")
def play_command(
    game: Annotated[str, typer.Argument(help="The game.")] = next(iter(registry.GAMES)),
    players: Annotated[str, typer.Option(help="Who sits where: human or a computer player, like human,greedy.")] = (
        "human,greedy"),
    decks: Annotated[str | None, typer.Option(help="Two decks in seat order; left out: two shipped ones.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, NAME=VALUE.")] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with the game of this match id.")] = None,
    cards: CardsOption = None,
    library: LibraryOption = None,
) -> None:
    """Plays a game in the terminal, against a computer player or two at one keyboard."""
    kept = Library(library)
    if resume is not None:
        match, writer, put_aside = session.resume(kept, resume)
        if put_aside:
            _say(f"The end of the log was torn and has been put aside: {put_aside}")
    else:
        for name in session.unfinished(kept):
            _say(f"A game was broken off. Go on with it by: cardfold play --resume {name}")
        rules = _game(game, cards)
        if decks is not None and decks.count(",") != 1:
            raise DeckError(f"A game is played with two decks, in seat order; {decks!r} names {decks.count(',') + 1}.")
        pair = _pairs(decks, rules)[0]
        options = {**({"format": pair[0].format} if pair[0].format else {}), **_options(option)}
        for problem in rules.option_problems(options):
            raise PlanError(f"No game can be played so: {problem}.")
        for deck in pair:
            for problem in rules.problems(deck, options):
                raise DeckError(f"The deck {deck.name!r} may not be played: {problem}")
        player_kinds = _minds(players, (session.HUMAN, *PLAYER_KINDS))
        match, writer = session.start(kept, rules, player_kinds, [deck_list(d) for d in pair], options)
    header = match.log[0]
    assert isinstance(header, GameStarted)
    written = len(match.log) if resume is not None else 0
    with writer:
        try:
            session.Terminal(match, writer, input, print).run(written)
        except (EOFError, KeyboardInterrupt):
            raise session.BrokenOff(header.match or "") from None
    kept.keep(kept.live(header.match or ""))
    _say(f"The game is in the library as {header.id}.")


@app.command("simulate")
def simulate_command(
    game: Annotated[str, typer.Argument(help="The game.")],
    n: Annotated[int, typer.Option("-n", min=1, help="How many games.")] = 100,
    decks: Annotated[str | None, typer.Option(help="Two in seat order; left out: all pairs of shipped ones.")] = None,
    players: Annotated[str, typer.Option(help="Computer players in seat order.")] = "greedy,greedy",
    seed: Annotated[int, typer.Option(help="The same plan with the same seed gives the same games.")] = 0,
    jobs: Annotated[int | None, typer.Option(help="Processes; left out: one a core.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the games, NAME=VALUE.")] = None,
    day: Annotated[str | None, typer.Option("--date", help="Day that the games are given, YYYY-MM-DD.")] = None,
    out: Annotated[Path | None, typer.Option(help="File, .jsonl or .jsonl.zst; left out: the library.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    cards: CardsOption = None,
    library: LibraryOption = None,
) -> None:
    """Plays many games between computer players."""
    rules = _game(game, cards)
    plan = Plan(
        game=game, decks=_pairs(decks, rules), count=n, player_kinds=_minds(players, tuple(PLAYER_KINDS)), seed=seed,
        options=_options(option), date=day,
    )
    folders = tuple(cards or ())
    with _progress("Playing") as progress:
        if out is not None:
            may_write(out, force)
            done = simulate(plan, out, jobs=jobs, folders=folders, progress=progress)
            said = f"{done.games} games are in {done.path}."
        else:
            done, added = simulate_into(Library(library), plan, jobs=jobs, folders=folders, progress=progress)
            said = f"{added.new} new games are in the library; {added.duplicate} were there already."
    _say(said)
    if done.errors:
        _say(f"{done.errors} of {done.games} games ended by an error; they are kept and marked.")
    if done.errors:
        raise typer.Exit(1)


# --- looking ------------------------------------------------------------------------------------------------


@app.command("show")
def show_command(
    log: LogArgument,
    step: Annotated[int | None, typer.Option(help="After this record.")] = None,
    turn: Annotated[int | None, typer.Option(help="At the end of this turn.")] = None,
    seat: SeatOption = None,
    game: NumberOption = 1,
    library: LibraryOption = None,
) -> None:
    """Prints the table at one moment of a game (left out: at its end)."""
    found = _log(log, library, game)
    declared = Declared(found.rulebook)
    events = found.events[: _steps(found.events, step, turn)]
    if seat is not None and found.header.view is None:
        events = view(events, seat, declared)
    players = [s.player for s in found.header.seats]
    print(terminal.table(fold_all(events, declared), terminal.Names(found.rulebook, found.card_sets), players))
    _fault(found)


def _steps(events: Sequence[Event], step: int | None, turn: int | None) -> int:
    """How many records to fold."""
    if step is not None:
        if not 0 <= step < len(events):
            raise LogError(f"the game has the steps 0 to {len(events) - 1}; there is no step {step}.")
        return step + 1
    if turn is None:
        return len(events)
    begins = [i for i, e in enumerate(events) if isinstance(e, TurnBegan)]
    if not 1 <= turn <= len(begins):
        raise LogError(f"the game has the turns 1 to {len(begins)}; there is no turn {turn}.")
    return begins[turn] if turn < len(begins) else len(events)


def _fault(found: GameLog) -> None:
    if found.fault is not None:
        _say(f"The log is not whole: {found.fault}")


@app.command("watch")
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
    found = _log(log, library, game)
    if text:
        watch.watch_text(watch.TextReplay(found, seat, language))
        return
    if seat is not None:
        raise LogError("--seat goes with --text; in the viewer, choose the seat on the page.")
    file = Path(log) if Path(log).is_file() else None
    path = Library(library).path if file is None else library or default_path()
    address = str(game) if file is not None else log
    raise typer.Exit(watch.watch(path, address, file, port or watch.free_port(), not no_browser, _say))


@app.command("log")
def log_command(
    log: LogArgument,
    seat: SeatOption = None,
    language: Annotated[str, typer.Option(help="en, ja, zh-Hans or zh-Hant.")] = "en",
    game: NumberOption = 1,
    library: LibraryOption = None,
) -> None:
    """Tells a game in words."""
    found = _log(log, library, game)
    events = found.events
    if seat is not None and found.header.view is None:
        events = view(events, seat, Declared(found.rulebook))
    print(narrate.as_text(narrate.narrate(events, found.rulebook, found.card_sets, language)))
    _fault(found)


@app.command("verify")
def verify_command(
    paths: Annotated[list[str], typer.Argument(help="Log files, or ids of games in the library; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a game.")] = False,
    library: LibraryOption = None,
) -> None:
    """Checks whether the facts of games follow from their decisions. Exit code 1 where one does not, or is cut."""
    sound = True
    for name in paths:
        for number, game in enumerate(_all_games(name, library), 1):
            verdict = verify(game)
            sound &= verdict.verdict in ("verified", "whole")
            _print_verdict(name, number, game, verdict, as_json)
    raise typer.Exit(0 if sound else 1)


def _all_games(name: str, library: Path | None) -> Iterator[GameLog]:
    path = Path(name)
    if name == "-":
        yield from read_games(sys.stdin.buffer, name="standard input")
    elif path.is_file():
        yield from read_games(path)
    else:
        yield _log(name, library)


def _print_verdict(name: str, number: int, game: GameLog, verdict: Verdict, as_json: bool) -> None:
    identity = game.header.id if game.events else ""
    if as_json:
        said = {"file": name, "game": number, "id": identity, **msgspec.to_builtins(verdict)}
        print(json.dumps(said, ensure_ascii=False))
        return
    rule = f" [{verdict.rule}]" if verdict.rule else ""
    print(f"{name}: game {number} {identity}: {verdict.verdict}{rule}. {verdict.text}")
    for field, written, right in verdict.differences:
        print(f"    {field}: {written!r} is written, {right!r} is right")


# --- the library --------------------------------------------------------------------------------------------


@app.command("import")
def import_command(
    paths: Annotated[list[str], typer.Argument(help="Logs, packs, archives, folders of them; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="The report as JSON.")] = False,
    library: LibraryOption = None,
) -> None:
    """Takes games into the library; what a file is, its content says. Exit code 1 where anything was refused."""
    sources: list[Path | BinaryIO] = [sys.stdin.buffer if p == "-" else Path(p) for p in paths]
    kept = Library(library)
    with _progress("Importing") as progress:
        report = kept.import_paths(sources, progress)
    with _progress("Checking") as progress:
        verdicts = judge(kept, progress)
    if as_json:
        print(json.dumps({**msgspec.to_builtins(report), "verdicts": verdicts}, ensure_ascii=False))
    else:
        for found in report.found:
            if found.outcome != "new":
                print(f"{found.file}: {found.outcome}: {found.reason or found.id}")
        counts = (f"{report.new} new", f"{report.duplicate} duplicate", f"{report.partial} partial")
        print(f"{', '.join(counts)}, {report.refused} refused")
        if report.notes:
            print(f"notes on {report.notes} games")
        if verdicts:
            print("checked: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    untrue = verdicts.get("altered", 0) + verdicts.get("illegal", 0)
    raise typer.Exit(1 if report.refused or report.partial or untrue else 0)


@app.command("list")
def list_command(
    game: Annotated[str | None, typer.Option(help="Only of this game.")] = None,
    player: Annotated[str | None, typer.Option(help="Only with this player.")] = None,
    deck: Annotated[str | None, typer.Option(help="Only with this deck.")] = None,
    most: Annotated[int, typer.Option("-n", help="At most so many, the newest.")] = 50,
    form: FormatOption = Format.table,
    library: LibraryOption = None,
) -> None:
    """Lists the games of the library."""
    kept = Library(library)
    found = kept.games(game=game, player=player, deck=deck)
    for fault in kept.faults:
        _say(fault)
    columns = ("id", "game", "format", "players", "decks", "winner", "reason", "turns", "date", "state")
    rows.write(columns, [
        (
            e.id, e.game, e.format, " – ".join(e.players), " – ".join(e.decks),
            None if e.winner is None else e.players[e.winner], e.reason, e.turns, e.date, e.state,
        )
        for e in found[-most:]
    ], form)
    if len(found) > most:
        _say(f"These are the newest {most} of {len(found)} games; -n shows more.")


@app.command("export")
def export_command(
    ids: Annotated[list[str], typer.Argument(help="Ids of games, or beginnings of them.")],
    to: Annotated[str | None, typer.Option("--to", help="File, .jsonl or .jsonl.zst; - is standard output.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="File: a replay that opens without any network.")] = None,
    seat: Annotated[int | None, typer.Option("--seat", min=0, max=1, help="What this seat knew and no more.")] = None,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="No names, tags and remarks.")] = False,
    with_notes: Annotated[
        bool, typer.Option("--with-notes", help="Notes: in a .notes.json beside it, or in it.")
    ] = False,
    language: Annotated[str, typer.Option(help="Of the HTML file: en, ja, zh-Hans or zh-Hant.")] = "en",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    library: LibraryOption = None,
) -> None:
    """Writes games of the library to a file for others. Names of decks stay as they are."""
    if (to is None) == (html is None):
        raise LogError("give one file to write to: --to FILE for logs, or --html FILE for a replay.")
    if html is not None:
        _export_html(ids, html, seat, anonymous, with_notes, language, force, library)
        return
    assert to is not None
    count = export_games(
        Library(library), ids, sys.stdout.buffer if to == "-" else Path(to), seat=seat, anonymous=anonymous,
        with_notes=with_notes, replace=force,
    )
    _say("1 game written." if count == 1 else f"{count:,} games written.")


def _export_html(
    ids: list[str], to: Path, seat: int | None, anonymous: bool, with_notes: bool, language: str, force: bool,
    library: Path | None,
) -> None:
    """One game as an HTML file. The viewer is the dashboard's, on which nothing here stands: a process of its own."""
    if len(ids) != 1:
        raise LogError("an HTML file holds one game: give one id.", str(to))
    command = [sys.executable, "-m", "dashboard.export", "--library", str(Library(library).path)]
    command += ["--seat", str(seat)] if seat is not None else []
    wishes = {"--anonymous": anonymous, "--with-notes": with_notes, "--force": force}
    command += ["--language", language, *(name for name, wished in wishes.items() if wished), "--", ids[0], str(to)]
    done = subprocess.run(command, check=False).returncode
    if done:
        raise typer.Exit(done)
    _say(f"The replay is in {to}.")


@app.command("remove")
def remove_command(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of games, or beginnings of them.")] = None,
    purge: Annotated[bool, typer.Option("--purge", help="Delete all removed games for good.")] = False,
    restore: Annotated[bool, typer.Option("--restore", help="Take these games back.")] = False,
    library: LibraryOption = None,
) -> None:
    """Removes games from the library. Until they are purged they are kept, and can be taken back."""
    kept = Library(library)
    if restore:
        _say(f"{len(kept.restore(ids or ()))} games are back.")
        return
    if not ids and not purge:
        for line in kept.removed():
            print(f"{line.id}  removed {line.at}")
        _say(f"{len(kept.removed())} games are removed and not purged.")
        return
    if ids:
        gone = kept.remove(ids)
        names = ", ".join(entry.id for entry in gone[:20])
        _say(f"{len(gone)} games removed: {names}. --restore takes them back, --purge deletes them for good.")
    if purge:
        _say(f"{kept.purge()} games are deleted for good.")


@app.command("library")
def library_command(
    tidy: Annotated[bool, typer.Option("--tidy", help="Delete stopped simulations that nobody resumed.")] = False,
    form: FormatOption = Format.table,
    library: LibraryOption = None,
) -> None:
    """Says where the library is, how many games are in it, and how much room its parts take."""
    kept = Library(library)
    if tidy:
        _say(f"{kept.forget()} stopped simulations and imports are deleted.")
    rows.write(("part", "count", "bytes"), kept.summary(), form)
    for fault in kept.faults:
        _say(fault)
    if forgotten := kept.forgotten():
        _say(f"{len(forgotten)} stopped simulations lie there for {IDLE_DAYS} days and more: --tidy deletes them.")
    _say(f"The library is {kept.path} (layout {LAYOUT}).")


@app.command("notes")
def notes_command(
    log: LogArgument,
    add: Annotated[str | None, typer.Option("--add", help="The text of a new note.")] = None,
    record: Annotated[int, typer.Option(help="The record that it is about.")] = 0,
    by: Annotated[str, typer.Option(help="Who writes it.")] = "",
    mark: Annotated[notes.Mark, typer.Option(help="What it thinks of the decision.")] = "",
    take_back: Annotated[str | None, typer.Option("--take-back", help="Id of a note that is taken back.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    game: NumberOption = 1,
    library: LibraryOption = None,
) -> None:
    """Prints the notes on a game, or adds one. Notes on a file are beside it, in .notes.json."""
    found = _log(log, library, game)
    name = notes.name_of(found)
    beside = notes.beside(Path(log)) if Path(log).is_file() else None
    if beside is None and log == "-":
        raise NotesError("Notes are beside a file: give one, or the id of a game in the library.")
    store = beside or Library(library).notes_file(name)
    held = notes.read_notes(store).get(name, ())
    new: list[notes.Note] = []
    if add is not None or mark:
        new.append(notes.new_note(record, add or "", by, found.header.view, mark=mark))
        notes.check_record(new[-1], found)
    if take_back is not None:
        old = next((note for note in held if note.id == take_back), None)
        if old is None:
            raise NotesError(f"There is no note {take_back!r} on this game.")
        new.append(notes.new_note(old.record, "", old.by, old.view, old))
    if new:
        held = notes.add_notes(store, {name: new})[name]
    for note in notes.standing(held):
        if as_json:
            print(msgspec.json.encode(note).decode())
        else:
            about = " ".join(filter(None, (note.by, note.mark, note.at[:10])))
            print(f"{note.id}  record {note.record}  {about}: {note.text}")


@app.command("schema")
def schema_command() -> None:
    """Prints the JSON Schema of a line of a log."""
    print(json.dumps(line_schema(), indent=2, ensure_ascii=False))


@app.command("build")
def build_command(
    jobs: Annotated[int | None, typer.Option(help="Processes; left out: one a core.")] = None,
    library: LibraryOption = None,
) -> None:
    """Builds the statistics of the library; only new packs are read."""
    kept = Library(library)
    with _progress("Gathering facts") as progress:
        problems = update(kept.path, jobs or os.cpu_count() or 1, progress)
    for problem in problems:
        _say(str(problem))
    _say(f"The statistics of {len(kept.packs())} packs are built.")
    raise typer.Exit(1 if problems else 0)


@app.command("stats")
def stats_command(
    name: Annotated[str | None, typer.Argument(metavar="METRIC", help="Left out: which there are.")] = None,
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    card_set: Annotated[str | None, typer.Option(help="Only this card set: key and version.")] = None,
    format: Annotated[str | None, typer.Option("--deck-format", help="Only this format of the game.")] = None,
    since: Annotated[str | None, typer.Option(help="From this day on, YYYY-MM-DD.")] = None,
    until: Annotated[str | None, typer.Option(help="Up to this day, YYYY-MM-DD.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only games with this tag.")] = None,
    player_kind: Annotated[str | None, typer.Option("--player", help="Only seats of this kind of player.")] = None,
    deck: Annotated[str | None, typer.Option(help="Only seats with this deck (its digest).")] = None,
    seat: Annotated[Literal["first", "second"] | None, typer.Option(help="Only this seat.")] = None,
    least_turns: Annotated[int | None, typer.Option(help="Only games of at least so many turns.")] = None,
    most_turns: Annotated[int | None, typer.Option(help="Only games of at most so many turns.")] = None,
    reason: Annotated[list[str] | None, typer.Option(help="Only games that ended so.")] = None,
    form: FormatOption = Format.table,
    library: LibraryOption = None,
) -> None:
    """Prints one table of statistics, every number with its n and interval."""
    if name is None:
        rows.write(("metric", "of", "shows"), [(m.name, m.of, m.shows) for m in METRICS.values()], form)
        return
    if name not in METRICS:
        raise MetricError(f"There is no metric {name!r}; there are {', '.join(METRICS)}.")
    filters = Filters(
        game=game,
        card_set=card_set,
        format=format,
        since=_day(since),
        until=_day(until),
        tags=tuple(tag or ()),
        player_kind=player_kind,
        deck=deck,
        seat=seat,
        least_turns=least_turns,
        most_turns=most_turns,
        reasons=tuple(reason or ()),
    )
    rows.write_arrow(metric(open_warehouse(Library(library).path), name, filters), form)


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise MetricError(f"{text!r} is no day; write it as YYYY-MM-DD.") from None


# --- cards and decks ----------------------------------------------------------------------------------------


@cards_app.command("check")
def cards_check(
    folder: Annotated[Path, typer.Argument(help="Folder of a card set: set.toml and card files.")],
    most: Annotated[int, typer.Option("-n", help="At most so many games to try the cards in.")] = 500,
) -> None:
    """Checks a card set: types, the linter, then games until every ability has been used."""
    about = read_about(folder)
    rules = registry.load(about.game, (folder,))
    files = files_of(folder)
    problems = [p for p in rules.card_problems(files) if p.card is None or p.card in files]
    for problem in problems:
        print(problem)
    if problems:
        _say(f"{len(problems)} problems; the cards are not tried in games until they are mended.")
        raise typer.Exit(1)
    with _progress("Trying the cards") as progress:
        tried = trial.try_cards(rules, sorted(files), most, progress)
    for error in tried.errors:
        print(f"An error in a game: {error}")
    if tried.unused:
        _say(f"Not used in {tried.games} games: {', '.join(tried.unused)}.")
    _say(f"{len(files)} cards checked, {tried.games} games played.")
    raise typer.Exit(1 if tried.errors else 0)


@cards_app.command("schema")
def cards_schema(game: Annotated[str, typer.Argument(help="The game.")] = next(iter(registry.GAMES))) -> None:
    """Prints the JSON Schema of a game's cards, for editors."""
    print(json.dumps(msgspec.json.schema(registry.game_type(game).card_type), indent=2, ensure_ascii=False))


@decks_app.command("check")
def decks_check(
    file: Annotated[Path, typer.Argument(help="A deck file.")],
    game: Annotated[str | None, typer.Option(help="The game, where the file does not say it.")] = None,
    format: Annotated[str | None, typer.Option("--deck-format", help="The format, if not the file's.")] = None,
    cards: CardsOption = None,
) -> None:
    """Checks a deck against the rules. Exit code 1 where it may not be played."""
    rules = _game(game or next(iter(registry.GAMES)), cards)
    deck = read_deck(file, names_of(d.printed for d in rules.cards.values()))
    if deck.game and deck.game != rules.key:
        rules = _game(deck.game, cards)
    wanted = format or deck.format
    problems = rules.problems(deck, {"format": wanted} if wanted else {})
    for problem in problems:
        print(f"{file}: {problem}")
    if not problems:
        _say(f"{deck.name or file.name}: {sum(deck.cards.values())} cards, may be played.")
    raise typer.Exit(1 if problems else 0)


@decks_app.command("export")
def decks_export(
    log: LogArgument,
    seat: Annotated[int, typer.Option("--seat", min=0, max=1, help="Whose deck.")],
    game: NumberOption = 1,
    library: LibraryOption = None,
) -> None:
    """Prints the deck that a seat played, as a deck file."""
    header = _log(log, library, game).header
    deck = header.seats[seat].deck
    if not deck.cards:
        raise LogError(f"the log does not tell the deck of seat {seat}.", log)
    print(write_deck(DeckFile(
        name=deck.name, game=header.game, format=str(header.options.get("format", "")), leader=deck.leader,
        cards=deck.cards,
    )), end="")


# --- the dashboard and figures ------------------------------------------------------------------------------


@app.command("serve")
def serve_command(
    port: Annotated[int, typer.Option(help="Port on this machine.")] = 8501,
    library: LibraryOption = None,
) -> None:
    """Opens the dashboard on the library; Ctrl+C stops it."""
    raise typer.Exit(run_server(Library(library).path, port))


@app.command("bench")
def bench_command(
    game: Annotated[list[str] | None, typer.Option(help="Only this game.")] = None,
    seconds: Annotated[float, typer.Option(help="Time for each figure.")] = 3.0,
    pack: Annotated[int | None, typer.Option(min=10, help="Instead: one pack of so many games.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Measures how fast this machine plays, reads and checks games."""
    for key in game or ():
        registry.load(key)
    said = (lambda what: None) if as_json else messages.print
    keys = tuple(game or registry.GAMES)
    figures = measure(keys, seconds, said) if pack is None else bench_pack(keys[0], pack, said)
    if as_json:
        print(json.dumps({**machine(), "figures": figures}))
        return
    for name, value in machine().items():
        print(f"{name:<12}{value}")
    for name, figure in figures.items():
        print(f"{name:<48}{figure:>14,.1f}")


if __name__ == "__main__":
    main()
