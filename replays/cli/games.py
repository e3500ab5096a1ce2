"""Commands that read one game, wherever it lies: show, log, verify, notes; and the schema of a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from engine.fold import fold_all
from engine.state import Declared
from engine.view import view
from events.errors import CardfoldError
from events.game import GameLog
from events.kinds import Event, TurnBegan
from events.protocol import line_schema
from events.record import LogError
from replays.cli.logs import all_logs, chosen_seat, open_log
from replays.cli.options import LibraryOption, LogArgument, NumberOption, SeatOption
from replays.cli.output import say, tell, tell_json, tell_text
from replays.play import terminal
from replays.store import notes
from replays.store.library import Library
from replays.store.notes import NotesError
from replays.view import narrate
from replays.view.verify import LABELS, Verdict, verify


def show_command(
    log: LogArgument,
    step: Annotated[int | None, typer.Option(help="After this record.")] = None,
    turn: Annotated[int | None, typer.Option(help="At the end of this turn.")] = None,
    seat: SeatOption = None,
    game: NumberOption = 1,
    library: LibraryOption = None,
) -> None:
    """Prints the table at one moment of a game (left out: at its end)."""
    found = open_log(log, library, game)
    declared = Declared(found.rulebook)
    events = found.events[: _steps(found.events, step, turn)]
    seen = chosen_seat(found, seat)
    if seen is not None and found.header.view is None:
        events = view(events, seen, declared)
    players = [s.player for s in found.header.seats]
    names = terminal.Names(found.rulebook, found.card_sets, players=players)
    tell_text(terminal.table_text(terminal.table_sections(fold_all(events, declared), names)))
    say_fault(found)


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


def say_fault(found: GameLog) -> None:
    if found.fault is not None:
        say(f"The log is not whole: {found.fault}")


def log_command(
    log: LogArgument,
    seat: SeatOption = None,
    language: Annotated[str, typer.Option(help="en, ja, zh-Hans or zh-Hant.")] = "en",
    game: NumberOption = 1,
    library: LibraryOption = None,
) -> None:
    """Tells a game in words."""
    found = open_log(log, library, game)
    events = found.events
    seen = chosen_seat(found, seat)
    if seen is not None and found.header.view is None:
        events = view(events, seen, Declared(found.rulebook))
    tell_text(narrate.log_text(narrate.narrate(events, found.rulebook, found.card_sets, language)))
    say_fault(found)


def verify_command(
    paths: Annotated[list[str], typer.Argument(help="Log files, or ids of games in the library; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a game.")] = False,
    library: LibraryOption = None,
) -> None:
    """Checks whether the facts of games follow from their decisions. Exit code 1 where that is not so, or not known.

    2 where a file cannot be read; the others are checked all the same. Of several games the last line is the sum.
    """
    code, found = 0, Counter[str]()
    for name in paths:
        try:
            for number, game in enumerate(all_logs(name, library), 1):
                verdict = verify(game)
                code = max(code, 0 if verdict.verdict == "verified" and game.fault is None else 1)
                found[verdict.verdict] += 1
                _print_verdict(name, number, game, verdict, as_json)
        except CardfoldError as problem:
            code = max(code, say(str(problem), problem.exit_code))
    if found.total() > 1 and not as_json:
        said = (f"{found[verdict]:,} {label}" for verdict, label in LABELS.items() if found[verdict])
        tell(f"{found.total():,} games: {'; '.join(said)}")
    raise typer.Exit(code)


def _print_verdict(name: str, number: int, game: GameLog, verdict: Verdict, as_json: bool) -> None:
    identity = game.header.id if game.events else ""
    if as_json:
        said = {"file": name, "game": number, "id": identity, **msgspec.to_builtins(verdict)}
        tell_json(said)
        return
    rule = f" [{verdict.rule}]" if verdict.rule else ""
    tell(f"{name}: game {number} {identity}: {LABELS[verdict.verdict]}{rule}. {verdict.text}")
    for field, written, right in verdict.differences:
        tell(f"    {field}: {written!r} is written, {right!r} is right")
    if verdict.verdict == "verified" and game.fault is not None:
        tell(f"    the file is damaged there: {game.fault}")


def notes_command(
    log: LogArgument,
    add: Annotated[str | None, typer.Option("--add", help="The text of a new note.")] = None,
    record: Annotated[int, typer.Option(help="The record that it is about.")] = 0,
    by: Annotated[str, typer.Option(help="Who writes it.")] = "",
    mark: Annotated[notes.NoteMark, typer.Option(help="What it thinks of the decision.")] = "",
    take_back: Annotated[str | None, typer.Option("--take-back", help="Id of a note that is taken back.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    game: NumberOption = 1,
    library: LibraryOption = None,
) -> None:
    """Prints the notes on a game, or adds one. Notes on a file are beside it, in .notes.json."""
    found = open_log(log, library, game)
    name = notes.notes_name(found)
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
    for note in notes.current_notes(held):
        if as_json:
            tell_json(msgspec.to_builtins(note))
        else:
            about = " ".join(filter(None, (note.by, note.mark, note.at[:10])))
            tell(f"{note.id}  record {note.record}  {about}: {note.text}")


def schema_command() -> None:
    """Prints the JSON Schema of a line of a log."""
    tell_json(line_schema(), indent=2)
