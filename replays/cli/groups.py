"""Commands on groups: families of decks, whose versions count together, and playlists of games."""

from __future__ import annotations

from typing import Annotated

import typer

from replays.cli import output
from replays.cli.filters import with_filters
from replays.cli.options import FormatOption, LibraryOption
from replays.cli.output import Format, say
from replays.store import groups
from replays.store.entries import Entry
from replays.store.filters import EVERY_GAME, GameFilters, meant, rows_of
from replays.store.groups import Alike, Family, GroupsError
from replays.store.library import Library

families_app = typer.Typer(
    add_completion=False, rich_markup_mode=None,
    help="Families of decks, whose versions count together with --families; lists them.",
)
playlists_app = typer.Typer(
    add_completion=False, rich_markup_mode=None,
    help="Playlists of games, which --playlist chooses; lists them.",
)


@families_app.callback(invoke_without_command=True)
def families_list(context: typer.Context, form: FormatOption = Format.table, library: LibraryOption = None) -> None:
    """Lists the families of decks."""
    if context.invoked_subcommand is None:
        _print(Library(library).groups().families, form)


def _print(families: tuple[Family, ...] | list[Family], form: Format = Format.table) -> None:
    rows = [(one.name, one.game, len(one.decks), " ".join(deck[:8] for deck in one.decks)) for one in families]
    output.write_rows(("family", "game", "versions", "decks"), rows, form)


@families_app.command("find")
def families_find(
    alike: Annotated[Alike, typer.Argument(help=(
        f"What versions have in common: their name, or all cards but {groups.MOST_CHANGED} at most."))],
    game: Annotated[str | None, typer.Option("--game", help="Only decks of this game.")] = None,
    library: LibraryOption = None,
) -> None:
    """Makes families of the decks in the library that are versions of one another, and prints them."""
    kept = Library(library)
    entries = kept.games(GameFilters(game=game))
    found = groups.families_found(entries, kept.deck_lists(entries) if alike == "cards" else None)

    def change(old: groups.Groups) -> groups.Groups:
        for family in found:
            old = groups.joined(old, family)
        return old

    kept.change_groups(change)
    _print(found)


@families_app.command("join")
def families_join(
    name: Annotated[str, typer.Argument(help="Of the family, new or not.")],
    decks: Annotated[list[str], typer.Argument(help="Decks by name, or by digest or its beginning.")],
    game: Annotated[str | None, typer.Option("--game", help="Only decks of this game.")] = None,
    library: LibraryOption = None,
) -> None:
    """Joins decks to a family, which is made where there is none of this name; they leave any other."""
    kept = Library(library)
    rows = {row for entry in kept.games(GameFilters(game=game)) for row in rows_of(entry, "deck")}
    digests = {deck for named in decks for deck in meant(GameFilters(deck=named), lambda _: rows)["deck"] or ()}
    games = {of for deck, _, of in rows if deck in digests}
    if len(games) > 1:
        raise GroupsError(f"These are decks of {' and '.join(sorted(games))}: say which with --game.")
    family = Family(name, games.pop(), tuple(sorted(digests)))
    made = kept.change_groups(lambda old: groups.joined(old, family)).families[-1]
    say(f"{made.name} has {len(made.decks)} versions.")


@families_app.command("drop")
def families_drop(
    name: Annotated[str, typer.Argument(help="The family.")],
    library: LibraryOption = None,
) -> None:
    """Forgets a family: its decks count each for itself again."""
    Library(library).change_groups(lambda old: groups.dropped(old, name))
    say(f"The family {name} is forgotten.")


@playlists_app.callback(invoke_without_command=True)
def playlists_list(context: typer.Context, form: FormatOption = Format.table, library: LibraryOption = None) -> None:
    """Lists the playlists, with how many of their games are in the library."""
    if context.invoked_subcommand is None:
        kept = Library(library)
        there = {entry.key for entry in kept.games()}
        rows = [(one.name, len(one.games), len(there.intersection(one.games))) for one in kept.groups().playlists]
        output.write_rows(("playlist", "games", "here"), rows, form)


@playlists_app.command("add")
@with_filters
def playlists_add(
    filters: GameFilters,
    name: Annotated[str, typer.Argument(help="Of the playlist, new or not.")],
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of games, or beginnings; or filters instead.")] = None,
    library: LibraryOption = None,
) -> None:
    """Adds games to a playlist, which is made where there is none of this name."""
    kept = Library(library)
    games = [entry.key for entry in _chosen(kept, ids, filters)]
    made = kept.change_groups(lambda old: groups.listed(old, name, games)).playlists[-1]
    say(f"{made.name} has {len(made.games)} games.")


@playlists_app.command("remove")
@with_filters
def playlists_remove(
    filters: GameFilters,
    name: Annotated[str, typer.Argument(help="The playlist.")],
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of games; neither they nor filters: all of it.")] = None,
    library: LibraryOption = None,
) -> None:
    """Takes games off a playlist, or forgets the whole of it. The games themselves stay in the library."""
    kept = Library(library)
    if not ids and filters == EVERY_GAME:
        kept.change_groups(lambda old: groups.unlisted(old, name))
        say(f"The playlist {name} is forgotten; its games stay in the library.")
        return
    games = [entry.key for entry in _chosen(kept, ids, filters)]
    made = kept.change_groups(lambda old: groups.unlisted(old, name, games)).playlists[-1]
    say(f"{made.name} has {len(made.games)} games.")


def _chosen(kept: Library, ids: list[str] | None, filters: GameFilters) -> list[Entry]:
    """The games of these ids, or those that the filters choose. Raises GroupsError for both or neither."""
    if bool(ids) == (filters != EVERY_GAME):
        raise GroupsError("Give the ids of games, or filters that choose them.")
    return [kept.find(one) for one in ids] if ids else kept.games(filters)
