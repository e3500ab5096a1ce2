"""The command fit: what a position of a game is worth, learnt from games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from replays.cli import output
from replays.cli.arguments import load_game
from replays.cli.options import CardsOption, FormatOption, LibraryOption
from replays.cli.output import Format, progress_bar, say
from replays.play.fit import Tenth, as_toml, calibration_svg, fit
from replays.store.atomic import written_aside
from replays.store.entries import OWN, PACK
from replays.store.filters import GameFilters
from replays.store.library import Library


def fit_command(
    game: Annotated[str, typer.Argument(help="The game.")],
    per_game: Annotated[int, typer.Option(min=1, help="Positions of each game, both seats seeing each.")] = 4,
    to: Annotated[Path | None, typer.Option(help="File of weights; left out: the game's evaluation.toml.")] = None,
    svg: Annotated[Path | None, typer.Option(help="A file for the calibration as a picture.")] = None,
    form: FormatOption = Format.table,
    cards: CardsOption = None,
    library: LibraryOption = None,
) -> None:
    """Learns what a position is worth from the games that were simulated in the library, for greedy and search.

    Prints the calibration on games that it did not learn from: what was predicted, what came of it, how many positions.
    """
    rules, kept = load_game(game, cards), Library(library)
    own = [entry for entry in kept.games(GameFilters(game=game)) if entry.pack.endswith(OWN + PACK)]
    with progress_bar("Reading") as progress:
        read = iter(range(1, len(own) + 1))
        weights, tenths = fit(rules, map(kept.read, own), per_game, lambda: progress(next(read), len(own)))
    path = to or rules.folder / "evaluation.toml"
    with written_aside(path) as file:
        file.write(as_toml(rules, weights, len(own)).encode())
    if svg is not None:
        with written_aside(svg) as file:
            file.write(calibration_svg(rules, tenths).encode())
    columns = Tenth.__struct_fields__
    output.write_rows(columns, [[getattr(row, name) for name in columns] for row in tenths], form)
    say(f"The weights are in {path}.")
