"""The command ladder: how strong players are against each other."""

from __future__ import annotations

from typing import Annotated

import typer

from replays.cli import output
from replays.cli.arguments import deck_pairs, game_options, load_game, work_runner
from replays.cli.options import CardsOption, FormatOption, JobsOption, LibraryOption, RayOption
from replays.cli.output import Format, progress_bar, say
from replays.play.ladder import Rating, Score, ladder, ratings, scores
from replays.play.simulate import Plan
from replays.store.library import Library


def ladder_command(
    game: Annotated[str, typer.Argument(help="The game.")],
    players: Annotated[str, typer.Option(help="Two or more players, like random,greedy,search:64.")] = "random,greedy",
    n: Annotated[int, typer.Option("-n", min=2, help="Games of each pair of players; an even number.")] = 100,
    decks: Annotated[str | None, typer.Option(help="Two in seat order; left out: all pairs of shipped ones.")] = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="Print what came of each pair, not the ratings.")] = False,
    seed: Annotated[int, typer.Option(help="The same ladder with the same seed plays the same games.")] = 0,
    option: Annotated[list[str] | None, typer.Option(help="An option of the games, NAME=VALUE.")] = None,
    form: FormatOption = Format.table,
    jobs: JobsOption = None,
    ray: RayOption = None,
    cards: CardsOption = None,
    library: LibraryOption = None,
) -> None:
    """Plays every player against every other and prints their ratings, in Elo points with 95 % intervals.

    Each deal is played twice, with the players' seats swapped. Stopped, the same command goes on from there.
    """
    rules = load_game(game, cards)
    plan = Plan(game=game, decks=deck_pairs(decks, rules), count=n, seed=seed, options=game_options(option))
    named = [name.strip() for name in players.split(",") if name.strip()]
    with progress_bar("Playing") as progress:
        deals = ladder(
            plan, named, Library(library), jobs=jobs, folders=tuple(cards or ()), progress=progress,
            run=work_runner(ray),
        )
    rows: list[Rating] | list[Score] = scores(deals, seed) if pairs else ratings(deals, seed)
    kind = Score if pairs else Rating
    output.write_rows(kind.__struct_fields__, [[getattr(row, f) for f in kind.__struct_fields__] for row in rows], form)
    errors = sum(points is None for deal in deals for points in deal.points)
    if errors:
        say(f"{errors} of {2 * len(deals)} games ended by an error; they do not count.")
        raise typer.Exit(1)
