"""Commands that play games: play, in the terminal, and simulate, by computer players."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer
from msgspec import structs

from engine.cards.decks import DeckError, deck_list
from engine.rulebooks import registry
from engine.words import words
from events.kinds import GameStarted
from replays.cli.arguments import deck_pairs, game_options, load_game, player_pair, work_runner
from replays.cli.options import CardsOption, JobsOption, LibraryOption, RayOption
from replays.cli.output import progress_bar, say, tell_text
from replays.cli.plan_file import read_plan
from replays.play import session
from replays.play.simulate import Plan, PlanError, Simulated, simulate, simulate_into
from replays.store.library import Library
from replays.store.share import may_write

ALL = "all"
"""Stands for every game, where one is named."""


def play_command(
    game: Annotated[str, typer.Argument(help="The game.")] = next(iter(registry.GAMES)),
    players: Annotated[str, typer.Option(help="Who sits where: human or a computer player, like human,greedy.")] = (
        "human,greedy"),
    decks: Annotated[str | None, typer.Option(help="Two decks in seat order; left out: two shipped ones.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, NAME=VALUE.")] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with the game of this match id.")] = None,
    language: Annotated[str, typer.Option(help="What is said: en, ja, zh-Hans or zh-Hant.")] = "en",
    cards: CardsOption = None,
    library: LibraryOption = None,
) -> None:
    """Plays a game in the terminal, against a computer player or two at one keyboard."""
    words(language)  # an unknown one is refused before a game is begun
    kept = Library(library)
    if resume is not None:
        match, writer, put_aside = session.resume(kept, resume)
        if put_aside:
            say(f"The end of the log was torn and has been put aside: {put_aside}")
    else:
        for name in session.unfinished(kept):
            say(f"A game was interrupted. Resume it with: cardfold play --resume {name}")
        rules = load_game(game, cards)
        if decks is not None and decks.count(",") != 1:
            raise DeckError(f"A game is played with two decks, in seat order; {decks!r} names {decks.count(',') + 1}.")
        pair = deck_pairs(decks, rules)[0]
        options = {**({"format": pair[0].format} if pair[0].format else {}), **game_options(option)}
        for problem in rules.option_problems(options):
            raise PlanError(f"No game can be played so: {problem}.")
        for deck in pair:
            for problem in rules.problems(deck, options):
                raise DeckError(f"The deck {deck.called()!r} may not be played: {problem}")
        player_kinds = player_pair(players, (session.HUMAN,))
        match, writer = session.start(kept, rules, player_kinds, [deck_list(d) for d in pair], options)
    header = match.log[0]
    assert isinstance(header, GameStarted)
    written = len(match.log) if resume is not None else 0
    with writer:
        try:
            session.Terminal(
                match, writer, input, tell_text, written, modules=resume is None, language=language
            ).run()
        except (EOFError, KeyboardInterrupt):
            raise session.BrokenOff(header.match or "") from None
    kept.keep(kept.live(header.match or ""))
    say(f"The game is in the library as {header.id}.")


def simulate_command(
    game: Annotated[str | None, typer.Argument(help="The game, or all of them: all.")] = None,
    n: Annotated[int | None, typer.Option("-n", min=1, help="How many games; left out: 100.")] = None,
    decks: Annotated[str | None, typer.Option(help="Two in seat order; left out: all pairs of shipped ones.")] = None,
    players: Annotated[str | None, typer.Option(
        help="In seat order: random, greedy, search:64, MODULE:ATTRIBUTE …; left out: greedy,greedy.",
    )] = None,
    seed: Annotated[int | None, typer.Option(help="The same plan with the same seed gives the same games.")] = None,
    jobs: JobsOption = None,
    ray: RayOption = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the games, NAME=VALUE.")] = None,
    day: Annotated[str | None, typer.Option("--date", help="Day that the games are given, YYYY-MM-DD.")] = None,
    plan_file: Annotated[Path | None, typer.Option("--plan", help="A TOML file that says all this instead.")] = None,
    annotate: Annotated[bool, typer.Option("--annotate", help="Keep what search saw before each decision.")] = False,
    out: Annotated[Path | None, typer.Option(help="File, .jsonl or .jsonl.zst; left out: the library.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    cards: CardsOption = None,
    library: LibraryOption = None,
) -> None:
    """Plays many games between computer players."""
    said_here = (game, n, decks, players, seed, option, day)
    if plan_file is not None:
        if any(value is not None for value in said_here):
            raise PlanError("A plan file says what is played: leave out the game, -n, --decks, --players, --seed, "
                            "--option and --date.")
        plans = [read_plan(plan_file, cards)]
    elif game is None:
        raise PlanError(f"Which game is to be played? There are {', '.join(registry.GAMES)}; or give a --plan.")
    elif game == ALL and (out is not None or decks is not None):
        raise PlanError("A file holds games of one kind, and decks are of one game: name the game, or leave out --out "
                        "and --decks.")
    else:
        keys = list(registry.GAMES) if game == ALL else [game]
        counts = _shares(100 if n is None else n, len(keys))
        plans = [
            Plan(
                game=key,
                decks=deck_pairs(decks, load_game(key, cards)),
                count=count,
                player_kinds=player_pair(players or "greedy,greedy"),
                seed=seed or 0,
                options=game_options(option),
                date=day,
            )
            for key, count in zip(keys, counts, strict=True) if count
        ]
    began, played = time.monotonic(), []
    for plan in plans:
        played.append(_simulate(structs.replace(plan, annotate=annotate), out, force, library, jobs, ray, cards))
    games, errors = (sum(getattr(done, name) for done in played) for name in ("games", "errors"))
    new, size = (sum(getattr(done, name) for done in played) for name in ("played", "size"))
    say(measured(games, new, size, time.monotonic() - began))
    if errors:
        say(f"{errors} of {games} games ended by an error; they are kept and marked.")
        raise typer.Exit(1)


def _shares(count: int, among: int) -> list[int]:
    """So many games shared out evenly, the first getting what is left over."""
    return [count // among + (n < count % among) for n in range(among)]


def _simulate(
    plan: Plan, out: Path | None, force: bool, library: Path | None, jobs: int | None, ray: str | None,
    cards: list[Path] | None,
) -> Simulated:
    """Plays a plan into a file or the library and says so."""
    folders, run = tuple(cards or ()), work_runner(ray)
    with progress_bar(f"Playing {plan.game}") as progress:
        if out is not None:
            may_write(out, force)
            done = simulate(plan, out, jobs=jobs, folders=folders, progress=progress, run=run)
            said = f"{done.games} games are in {done.path}."
        else:
            done, added = simulate_into(Library(library), plan, jobs=jobs, folders=folders, progress=progress, run=run)
            said = f"{added.new} new games are in the library; {added.duplicate} were there already."
    say(said)
    return done


def measured(games: int, new: int, size: int, seconds: float) -> str:
    """How long games took and how large they are, in words; `new` of them were played in these seconds."""
    minutes, rest = divmod(round(seconds), 60)
    took = f"{minutes:,} min {rest:02} s" if minutes else f"{seconds:.1f} s"
    before = "" if new == games else f" ({games - new:,} of them were there from before)"
    return f"{games:,} games{before} in {took}: {new / seconds:,.1f} a second, {size / games:,.0f} bytes each."
