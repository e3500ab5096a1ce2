"""Options and arguments that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from replays.cli.output import Format

LibraryOption = Annotated[Path | None, typer.Option("--library", help="Folder of the library (else CARDFOLD_HOME).")]
CardsOption = Annotated[list[Path] | None, typer.Option("--cards", help="Folder of a further card set.")]
FormatOption = Annotated[Format, typer.Option(
    "--format", help="How rows are written. In CSV an apostrophe comes before text that looks like a formula.",
)]
JobsOption = Annotated[int | None, typer.Option("--jobs", min=1, help="Processes; left out: one a core.")]
SeatOption = Annotated[str | None, typer.Option("--seat", help="As this seat saw it: 0 or 1, or the player's name.")]
NumberOption = Annotated[int, typer.Option("--game", min=1, help="Which game of the file, counted from 1.")]
LogArgument = Annotated[str, typer.Argument(help="A log file, or the id of a game in the library.")]

GameOption = Annotated[str | None, typer.Option("--game", help="Only of this game.")]
CardSetOption = Annotated[str | None, typer.Option("--card-set", help="Only with this card set: EMB, or 'EMB 1.0'.")]
DeckFormatOption = Annotated[str | None, typer.Option("--deck-format", help="Only of this format of the game.")]
SinceOption = Annotated[str | None, typer.Option("--since", help="From this day on, YYYY-MM-DD.")]
UntilOption = Annotated[str | None, typer.Option("--until", help="Up to this day, YYYY-MM-DD.")]
TagOption = Annotated[list[str] | None, typer.Option("--tag", help="Only with this tag.")]
PlayerOption = Annotated[str | None, typer.Option("--player", help="Only with the player of this name.")]
PlayerKindOption = Annotated[str | None, typer.Option("--player-kind", help="Only with this kind: human, greedy …")]
DeckOption = Annotated[str | None, typer.Option("--deck", help="Only with this deck: its name or digest.")]
LeastTurnsOption = Annotated[int | None, typer.Option("--least-turns", help="Only of at least so many turns.")]
MostTurnsOption = Annotated[int | None, typer.Option("--most-turns", help="Only of at most so many turns.")]
ReasonOption = Annotated[list[str] | None, typer.Option("--reason", help="Only that ended so.")]
