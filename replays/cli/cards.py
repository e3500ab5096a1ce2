"""Commands for designers: check a card set or a deck, print the schema of cards, take a deck out of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from engine.cards.decks import DeckFile, names_of, read_deck, write_deck
from engine.cards.files import read_about
from engine.cards.linter import card_files
from engine.rulebooks import reference, registry
from events.record import LogError
from replays.cli.arguments import load_game
from replays.cli.logs import open_log
from replays.cli.options import CardsOption, LibraryOption, LogArgument, NumberOption
from replays.cli.output import progress_bar, say, tell, tell_json, tell_text
from replays.play import trial
from replays.store.share import seat_of

cards_app = typer.Typer(
    no_args_is_help=True, add_completion=False, rich_markup_mode=None,
    help="Card sets: check one, print the schema of a card or the reference of what cards can say.",
)
decks_app = typer.Typer(
    no_args_is_help=True, add_completion=False, rich_markup_mode=None,
    help="Decks: check a deck file, or take a deck out of a game.",
)


@cards_app.command("check")
def cards_check(
    folder: Annotated[Path, typer.Argument(help="Folder of a card set: set.toml and card files.")],
    most: Annotated[int, typer.Option("-n", help="At most so many games to try the cards in.")] = 500,
) -> None:
    """Checks a card set: types, the linter, then games until every ability has been used."""
    about = read_about(folder)
    rules = registry.load(about.game, (folder,))
    files = card_files(folder)
    problems = [p for p in rules.card_problems(files) if p.card is None or p.card in files]
    for problem in problems:
        tell(str(problem))
    if problems:
        say(f"{len(problems)} problems; the cards are not tried in games until they are mended.")
        raise typer.Exit(1)
    with progress_bar("Trying the cards") as progress:
        tried = trial.try_cards(rules, sorted(files), most, progress)
    for error in tried.errors:
        tell(f"An error in a game: {error}")
    if tried.unused:
        say(f"Not used in {tried.games} games: {', '.join(tried.unused)}.")
    say(f"{len(files)} cards checked, {tried.games} games played.")
    raise typer.Exit(1 if tried.errors else 0)


@cards_app.command("schema")
def cards_schema(game: Annotated[str, typer.Argument(help="The game.")] = next(iter(registry.GAMES))) -> None:
    """Prints the JSON Schema of a game's cards, for editors."""
    tell_json(msgspec.json.schema(registry.game_type(game).card_type), indent=2)


@cards_app.command("reference")
def cards_reference() -> None:
    """Prints docs/CARDS.md, the reference of what cards can say, with an example of everything and its rules text."""
    tell_text(reference.reference())


@decks_app.command("check")
def decks_check(
    file: Annotated[Path, typer.Argument(help="A deck file.")],
    game: Annotated[str | None, typer.Option(help="The game, where the file does not say it.")] = None,
    format: Annotated[str | None, typer.Option("--deck-format", help="The format, if not the file's.")] = None,
    cards: CardsOption = None,
) -> None:
    """Checks a deck against the rules. Exit code 1 where it may not be played."""
    rules = load_game(game or next(iter(registry.GAMES)), cards)
    deck = read_deck(file, names_of(d.printed for d in rules.cards.values()))
    if deck.game and deck.game != rules.key:
        rules = load_game(deck.game, cards)
    wanted = format or deck.format
    problems = rules.problems(deck, {"format": wanted} if wanted else {})
    for problem in problems:
        tell(f"{file}: {problem}")
    if not problems:
        say(f"{deck.called() or file.name}: {sum(deck.cards.values())} cards, may be played.")
    raise typer.Exit(1 if problems else 0)


@decks_app.command("export")
def decks_export(
    log: LogArgument,
    seat: Annotated[str, typer.Option("--seat", help="Whose deck: 0 or 1, or the player's name.")],
    game: NumberOption = 1,
    library: LibraryOption = None,
) -> None:
    """Prints the deck that a seat played, as a deck file."""
    found = open_log(log, library, game)
    header = found.header
    deck = header.seats[seat_of(found, seat)].deck
    if not deck.cards:
        raise LogError(f"the log does not tell the deck of seat {seat}.", log)
    tell_text(write_deck(DeckFile(
        name=deck.name, game=header.game, format=str(header.options.get("format", "")), leader=deck.leader,
        cards=deck.cards,
    )))
