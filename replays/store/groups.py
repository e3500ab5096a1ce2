"""Groups that users make and a library keeps: families of decks, whose versions count together; playlists of games.

Both are in one small file, which is written anew as a whole. What is said here of decks is by digest, of games by key,
so a group outlives what is removed and comes in again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec
from msgspec import Struct, structs

from events.errors import CardfoldError
from events.kinds import DeckList
from replays.store.archives import tidy
from replays.store.atomic import write_aside

if TYPE_CHECKING:
    from replays.store.entries import Entry

GROUPS_FILE = "groups.json"
"""The file in a library's folder."""

MOST_CHANGED = 4
"""Cards by which two versions of one deck may differ."""

LONGEST_TITLE = 80
"""Letters of a group's name."""

Alike: TypeAlias = Literal["name", "cards"]
"""What makes decks one family: the same name, or at most MOST_CHANGED cards changed."""


class GroupsError(CardfoldError):
    """A group that there is not, or cannot be; the message is a sentence."""


class Family(Struct, frozen=True):
    """Decks of one game that count as one: their digests, in the order in which they came in."""

    name: str
    game: str
    decks: tuple[str, ...]


class Playlist(Struct, frozen=True):
    """Games by their keys, in the order in which they were added."""

    name: str
    games: tuple[str, ...]


class Groups(Struct, frozen=True):
    """All groups of a library. A deck is in one family at most."""

    families: tuple[Family, ...] = ()
    playlists: tuple[Playlist, ...] = ()


NO_GROUPS = Groups()


def read_groups(library: Path) -> Groups:
    """The groups of the library in a folder. Raises GroupsError where their file is damaged."""
    file = library / GROUPS_FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=Groups)
    except FileNotFoundError:
        return NO_GROUPS
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise GroupsError(f"{file} is damaged ({problem}): put it right, or delete it to have no groups.") from None


def write_groups(library: Path, groups: Groups) -> None:
    """Keeps the groups, all or nothing."""
    write_aside(library / GROUPS_FILE, [msgspec.json.format(msgspec.json.encode(groups), indent=1)])


# --- families -----------------------------------------------------------------------------------------------


def joined(groups: Groups, family: Family) -> Groups:
    """The groups with these decks in the family of this name, which may be new; they leave any other."""
    name = _name(family.name)
    there = next((one.decks for one in groups.families if (one.name, one.game) == (name, family.game)), ())
    new = Family(name, family.game, tuple(dict.fromkeys((*there, *family.decks))))
    others = [one for one in groups.families if (one.name, one.game) != (name, family.game)]
    left = [structs.replace(one, decks=tuple(deck for deck in one.decks if deck not in new.decks)) for one in others]
    return structs.replace(groups, families=(*(one for one in left if one.decks), new))


def dropped(groups: Groups, name: str, game: str | None = None) -> Groups:
    """The groups without the families of this name, of a game or of any; their decks count for themselves again.

    Raises GroupsError where there is none.
    """
    kept = tuple(one for one in groups.families if one.name != name or game not in (None, one.game))
    if len(kept) == len(groups.families):
        said = _there_are(one.name for one in groups.families)
        raise GroupsError(f"There is no family {tidy(name, LONGEST_TITLE)!r}; {said}.")
    return structs.replace(groups, families=kept)


def family_of(groups: Groups) -> dict[str, str]:
    """Digest of a deck -> name of its family."""
    return {deck: family.name for family in groups.families for deck in family.decks}


def families_found(entries: Iterable[Entry], lists: Mapping[str, DeckList] | None = None) -> list[Family]:
    """Families of the decks of these games: of the same name, or where their `lists` are given (by digest), those of
    which each differs from another one by MOST_CHANGED cards at most. A deck without any like it is in none.

    A family is called as most of its games call the deck.
    """
    names: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entry in entries:
        for seat in (0, 1):
            if entry.view in (None, seat):
                names[entry.game, entry.deck_keys[seat]][entry.decks[seat]] += 1
    found = []
    for game in sorted({game for game, _ in names}):
        decks = {deck: called for (of, deck), called in names.items() if of == game}
        together = _of_one_name(decks) if lists is None else _of_like_cards(decks, lists)
        found += [Family(_called(decks, some), game, tuple(some)) for some in together if len(some) > 1]
    return _told_apart(found)


def _of_one_name(decks: Mapping[str, Counter[str]]) -> list[list[str]]:
    together: dict[str, list[str]] = defaultdict(list)
    for deck, called in decks.items():
        name = called.most_common(1)[0][0].casefold()
        if name:
            together[name].append(deck)
    return list(together.values())


def _of_like_cards(decks: Iterable[str], lists: Mapping[str, DeckList]) -> list[list[str]]:
    """The decks in sets: each is like another one of its set, and like none of any other."""
    counts = {deck: Counter(_cards(lists[deck])) for deck in decks if deck in lists and lists[deck].cards}
    places: dict[object, list[str]] = defaultdict(list)
    sets: dict[str, list[str]] = {}
    for deck, cards in counts.items():
        sets[deck] = [deck]
        near = dict.fromkeys(other for part in _parts(cards) for other in places[part])
        for other in near:
            if sets[other] is not sets[deck] and cards_changed(counts[other], cards) <= MOST_CHANGED:
                whole = sets[other] + sets[deck]
                sets.update(dict.fromkeys(whole, whole))
        for part in _parts(cards):
            places[part].append(deck)
    return list({id(some): some for some in sets.values()}.values())


def cards_changed(one: Counter[str], other: Counter[str]) -> int:
    """How many cards of one deck must be replaced, added or taken out to make the other of it."""
    return max((one - other).total(), (other - one).total())


def _cards(deck: DeckList) -> dict[str, int]:
    """The cards of a deck with its leader or player card."""
    return {**deck.cards, f"leader {deck.leader}": 1}


def _parts(cards: Mapping[str, int]) -> Iterator[tuple[int, frozenset[tuple[str, int]]]]:
    """The cards in more parts than MOST_CHANGED changes can reach: of two decks that are like, one part is the same."""
    parts = 2 * MOST_CHANGED + 1
    for number in range(parts):
        yield number, frozenset(item for item in cards.items() if sum(item[0].encode()) % parts == number)


def _called(decks: Mapping[str, Counter[str]], some: Iterable[str]) -> str:
    counts: Counter[str] = Counter()
    for deck in some:
        counts += decks[deck]
    return next((name for name, _ in counts.most_common() if name), "") or next(iter(some))[:8]


def _told_apart(families: Iterable[Family]) -> list[Family]:
    """The families, with a number behind a name that another one of the game has already."""
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for family in families:
        seen[family.game, family.name] += 1
        number = seen[family.game, family.name]
        found.append(structs.replace(family, name=f"{family.name} ({number})") if number > 1 else family)
    return found


# --- playlists ----------------------------------------------------------------------------------------------


def listed(groups: Groups, name: str, games: Iterable[str]) -> Groups:
    """The groups with these games, by key, at the end of the playlist of this name, which may be new."""
    name = _name(name)
    there = next((one.games for one in groups.playlists if one.name == name), ())
    new = Playlist(name, tuple(dict.fromkeys((*there, *games))))
    return structs.replace(groups, playlists=(*(one for one in groups.playlists if one.name != name), new))


def unlisted(groups: Groups, name: str, games: Iterable[str] | None = None) -> Groups:
    """The groups without these games in the playlist, or without the whole of it. Raises GroupsError."""
    old = playlist(groups, name)
    gone = set(old.games if games is None else games)
    new = Playlist(old.name, tuple(game for game in old.games if game not in gone))
    others = (one for one in groups.playlists if one.name != old.name)
    return structs.replace(groups, playlists=(*others, new) if games is not None else tuple(others))


def playlist(groups: Groups, name: str) -> Playlist:
    """The playlist of this name. Raises GroupsError."""
    found = next((one for one in groups.playlists if one.name == name), None)
    if found is None:
        said = _there_are(one.name for one in groups.playlists)
        raise GroupsError(f"There is no playlist {tidy(name, LONGEST_TITLE)!r}; {said}.")
    return found


def _name(given: str) -> str:
    name = tidy(given.strip(), LONGEST_TITLE)
    if not name:
        raise GroupsError("A group needs a name.")
    return name


def _there_are(names: Iterable[str]) -> str:
    said = ", ".join(map(repr, names))
    return f"there are {said}" if said else "there are none yet"
