"""The command lab: what a change of cards does, from the same games played with the cards as printed and changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from replays.cli import output
from replays.cli.arguments import deck_pairs, game_options, load_game, player_pair
from replays.cli.options import CardsOption, FormatOption, JobsOption, LibraryOption
from replays.cli.output import Format, progress_bar, say, tell
from replays.play import lab
from replays.play.simulate import Plan
from replays.store.library import Library


def lab_command(
    game: Annotated[str, typer.Argument(help="The game.")],
    change: Annotated[list[str] | None, typer.Option(
        help="CARD:FIELD=VALUE, like EMB-033:pow=+500; a number with a sign is added to what is printed.")] = None,
    changed: Annotated[Path | None, typer.Option(
        "--set", help="Folder of a card set that changes cards (`extends`), instead of --change.")] = None,
    n: Annotated[int, typer.Option("-n", min=1, help="Games each way; with --until at most so many.")] = 1000,
    until: Annotated[float | None, typer.Option(
        min=0.1, help="Points: end when the win rate of the decks with the change is known within so many.")] = None,
    decks: Annotated[str | None, typer.Option(help="Two in seat order; left out: all with a changed card.")] = None,
    players: Annotated[str, typer.Option(help="In seat order: random, greedy, search:64 …")] = "greedy,greedy",
    seed: Annotated[int, typer.Option(help="The same lab with the same seed plays the same games.")] = 0,
    option: Annotated[list[str] | None, typer.Option(help="An option of the games, NAME=VALUE.")] = None,
    table: Annotated[str | None, typer.Option(help="Print only this table: decks, cards, games or length.")] = None,
    folder: Annotated[Path | None, typer.Option("--out", help="Folder of the lab; left out: in the library.")] = None,
    form: FormatOption = Format.table,
    jobs: JobsOption = None,
    cards: CardsOption = None,
    library: LibraryOption = None,
) -> None:
    """Plays the same games twice, with cards as printed and changed, and prints what the change does.

    Both ways have the same shuffles and the same chance, so the intervals are narrower than those of two sets of games.
    Stopped, the same command goes on from there.
    """
    if bool(change) == bool(changed):
        raise lab.LabError("Say what is changed: with --change, or with a card set as --set, not with both.")
    folders = tuple(cards or ())
    rules = load_game(game, cards)
    plan = Plan(
        game=game, decks=deck_pairs(decks, rules), count=n, player_kinds=player_pair(players), seed=seed,
        options=game_options(option),
    )
    to = folder or lab.lab_folder(Library(library), plan, change or [str(changed)], folders)
    if changed is None:
        new, plan = lab.set_up_lab(plan, change or (), to, folders)
    else:
        new = lab.read_cards(rules, changed)
        lab.refuse_cards(game, folders, new)
        plan = lab.lab_plan(plan, new.codes)
    with progress_bar("Playing both ways") as progress:
        played = lab.play_lab(
            plan, Library(to / "games"), folders, new, jobs=jobs, progress=progress,
            until=None if until is None else until / 100,
        )
    _print(played, table, form, jobs or os.cpu_count() or 1)
    say(f"The games are in {to / 'games'}, a library of its own: its packs can be shared, its statistics looked at.")
    if played.errors:
        say(f"{played.errors} games ended by an error; they do not count.")
        raise typer.Exit(1)


def _print(played: lab.Played, table: str | None, form: Format, jobs: int) -> None:
    from replays.stats.lab import LAB_TABLES, report  # slow to import

    if table is not None and table not in LAB_TABLES:
        raise lab.LabError(f"A lab has no table {table!r}; it has {', '.join(LAB_TABLES)}.")
    for name, found in report(played.library, jobs).items():
        if table in (None, name):
            if table is None:
                tell(f"{name}:")
            output.write_arrow(found, form)
    if played.half is not None:
        say(f"{played.games} games each way; the change for decks that hold a changed card is known within "
            f"{100 * played.half:.1f} points.")
