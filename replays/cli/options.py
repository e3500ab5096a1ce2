"""Options and arguments that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from replays.cli.output import Format
from replays.store.bucket import library_folder

LibraryOption = Annotated[Path | None, typer.Option(
    "--library", parser=library_folder, metavar="PLACE",
    help="Folder of the library, or address of one in a bucket, s3://… (else CARDFOLD_HOME).",
)]
CardsOption = Annotated[list[Path] | None, typer.Option("--cards", help="Folder of a further card set.")]
FormatOption = Annotated[Format, typer.Option(
    "--format", help="How rows are written. In CSV an apostrophe comes before text that looks like a formula.",
)]
JobsOption = Annotated[int | None, typer.Option("--jobs", min=1, help="Processes; left out: one a core.")]
RayOption = Annotated[str | None, typer.Option(
    "--ray", metavar="ADDRESS", help="Do the work on this Ray cluster, or on one of this machine: local.",
)]
SeatOption = Annotated[str | None, typer.Option("--seat", help="As this seat saw it: 0 or 1, or the player's name.")]
NumberOption = Annotated[int, typer.Option("--game", min=1, help="Which game of the file, counted from 1.")]
LogArgument = Annotated[str, typer.Argument(help="A log file, or the id of a game in the library.")]
