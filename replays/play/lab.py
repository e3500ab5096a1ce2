"""A balance lab: the same games played twice, with the cards as they are and with some of them changed.

Both times the decks, the players, the shuffles and the players' own chance are the same, so that a game differs only by
what the change does. A difference between the two is therefore known from far fewer games than between two sets of
games of which each has chances of its own.

A lab is a folder with the changed cards (a card set, `cards`), and a library of its own with two packs: the games with
the tag `printed` and those with the tag `changed`, in the same order.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import tomli_w
from msgspec import Struct, structs

from engine.cards.decks import DeckFile, names_of
from engine.cards.files import card_from, read_set
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from engine.words import LANGUAGES
from events.errors import CardfoldError
from events.kinds import GameEnded
from events.record import digest
from replays import workers
from replays.play.simulate import Chunks, Plan, PlanError, Stopped, check, join_chunks, plan_key
from replays.store.atomic import write_aside
from replays.store.entries import PACK
from replays.store.library import Library

PRINTED, CHANGED = "printed", "changed"
"""The tags of the games with the cards as they are, and with the changed ones."""

CHUNK = 20
"""Games that are played both ways in one go."""

LEAST = 200
"""Games before a precision is taken for reached: with fewer, an interval is hardly worth its name."""

Z = 1.959963984540054
"""Half the width of a 95 % interval, in standard deviations; in SQL it is `z()`."""

_CHANGE = re.compile(r"\s*(?P<card>.+?)\s*:\s*(?P<field>[a-z_]+(?:\.[a-z_]+)*)\s*=\s*(?P<value>.*?)\s*")


class LabError(CardfoldError):
    """A change that cannot be made, or a lab that says nothing; the message is a sentence."""


class ChangedCards(Struct, frozen=True):
    """A card set that changes cards: its folder, and the codes of its cards."""

    folder: Path
    codes: frozenset[str]


class Played(Struct, frozen=True):
    """What a lab has played: games each way, how many of both ended by an error, and half the width of the interval of
    the change in the win rate of the decks that hold a changed card (None: no game shows it).
    """

    library: Library
    games: int
    errors: int
    half: float | None


# --- what is changed ----------------------------------------------------------------------------------------


def changed_cards(game: Rulebook, changes: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The cards that these changes make, by code, as a card file would say them.

    A change is written CARD:FIELD=VALUE, the card by code or name. A number with a sign is added to what the card has;
    a field in a field is written with a dot (`keywords.burst=2`). Raises LabError and CardError.
    """
    names = names_of(definition.printed for definition in game.cards.values())
    cards: dict[str, dict[str, Any]] = {}
    for change in changes:
        found = _CHANGE.fullmatch(change)
        if found is None:
            raise LabError(f"A change is written CARD:FIELD=VALUE, like EMB-033:pow=+500; {change!r} is not.")
        code = names.get(found["card"], found["card"])
        if code not in game.cards:
            raise LabError(f"The change {change!r}: there is no card {found['card']!r}.")
        card = cards.setdefault(code, msgspec.to_builtins(game.cards[code].printed))
        _set(card, found["field"].split("."), found["value"], change)
        card_from(card, game.card_type, f"The change {change!r}")
    return cards


class Changeable(NamedTuple):
    """A field that a change can set: what is printed there (None: nothing), and what cards of that kind have there."""

    printed: int | str | None
    seen: list[int | str]


def changeable(game: Rulebook, code: str) -> dict[str, Changeable]:
    """The fields of a card that a change can set, as `changed_cards` names them: numbers first, which may be others
    than those seen, and those that are printed on the card before those that are not.
    """
    own = dict(_fields(msgspec.to_builtins(game.cards[code].printed)))
    found: dict[str, set[int | str]] = {}
    for definition in game.cards.values():
        if definition.kind == game.cards[code].kind:
            for path, value in _fields(msgspec.to_builtins(definition.printed)):
                found.setdefault(path, set()).add(value)
    return {
        path: Changeable(own.get(path), sorted(values, key=lambda value: (isinstance(value, str), value)))
        for path, values in sorted(found.items(), key=lambda one: (_is_text(one[1]), one[0] not in own, one[0]))
        if len(values) > 1 or not _is_text(values)
    }


def _is_text(values: Iterable[int | str]) -> bool:
    return all(isinstance(value, str) for value in values)


_NOT_PLAYED = ("code", "number", "kind", "rarity")
"""Fields that a change of the game leaves alone."""


def _fields(card: Mapping[str, Any], way: str = "") -> Iterator[tuple[str, int | str]]:
    for name, value in card.items():
        if isinstance(value, dict) and not value.keys() & set(LANGUAGES):
            yield from _fields(value, f"{way}{name}.")
        elif isinstance(value, int | str) and name not in _NOT_PLAYED:
            yield way + name, value


def write_cards(
    game: Rulebook, cards: Mapping[str, dict[str, Any]], changes: Sequence[str], folder: Path
) -> ChangedCards:
    """Writes the changed cards as a card set that extends the one of the first of them. Raises LabError."""
    extends = next(s.key for s in reversed(game.card_sets) if next(iter(cards)) in s.cards)
    about = {
        "key": "lab", "version": "; ".join(changes), "game": game.key, "extends": extends,
        "name": {"en": f"Changed: {'; '.join(changes)}"},
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_aside(folder / "set.toml", [tomli_w.dumps(about).encode()])
        write_aside(folder / "cards.toml", [tomli_w.dumps({"card": list(cards.values())}).encode()])
    except OSError as error:
        raise LabError(f"{folder} cannot be written: {error.strerror}.") from None
    return ChangedCards(folder, frozenset(cards))


def lab_folder(library: Library, plan: Plan, what: Sequence[str], folders: tuple[Path, ...] = ()) -> Path:
    """Where a lab is kept if nobody says: a folder of the library for this plan, this change and these card sets."""
    return library.labs / f"{plan.game}-{digest(repr(([*what], folders, plan)).encode())[:12]}"


def set_up_lab(
    plan: Plan, changes: Sequence[str], folder: Path, folders: tuple[Path, ...] = ()
) -> tuple[ChangedCards, Plan]:
    """Writes the cards that these changes make into the lab's folder; with the plan as far as it has to do with them.

    Raises LabError for cards that the linter refuses too, CardError and PlanError.
    """
    rules = registry.load(plan.game, folders)
    new = write_cards(rules, changed_cards(rules, changes), changes, folder / "cards")
    refuse_cards(plan.game, folders, new)
    return new, lab_plan(plan, new.codes)


def refuse_cards(game: str, folders: tuple[Path, ...], new: ChangedCards) -> None:
    """Raises LabError for changed cards that the linter refuses."""
    for problem in registry.load(game, (*folders, new.folder)).card_problems():
        if problem.card in new.codes:
            raise LabError(f"This change makes a card that cannot be: {problem}")


def read_cards(game: Rulebook, folder: Path) -> ChangedCards:
    """The changed cards of a card set of the designer's own, which `extends` another. Raises CardError."""
    _, cards = read_set(folder, game.card_type, game.set_tables)
    return ChangedCards(folder, frozenset(cards))


def _set(card: dict[str, Any], path: list[str], text: str, change: str) -> None:
    *way, field = path
    for step in way:
        card = card.setdefault(step, {})
        if not isinstance(card, dict):
            raise LabError(f"The change {change!r}: {step} holds no fields.")
    before = card.get(field, 0)
    if re.fullmatch(r"[+-]\d{1,9}", text):
        if not isinstance(before, int) or isinstance(before, bool):
            raise LabError(f"The change {change!r}: {'.'.join(path)} is {before!r}, to which nothing can be added.")
        card[field] = before + int(text)
    elif re.fullmatch(r"\d{1,9}", text):
        card[field] = int(text)
    else:
        card[field] = {"true": True, "false": False}.get(text, text)


# --- playing ------------------------------------------------------------------------------------------------


def holders(plan: Plan, changed: Iterable[str]) -> list[int | None]:
    """For each pair of decks of a plan the one seat that holds a changed card; None where both or neither do."""
    codes = set(changed)
    seats = ([n for n, deck in enumerate(pair) if _holds(deck, codes)] for pair in plan.decks)
    return [found[0] if len(found) == 1 else None for found in seats]


def _holds(deck: DeckFile, codes: set[str]) -> bool:
    return bool(codes & {*deck.cards, deck.leader})


def play_lab(
    plan: Plan,
    library: Library,
    folders: tuple[Path, ...],
    changed: ChangedCards,
    *,
    until: float | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    stop: Callable[[], bool] | None = None,
) -> Played:
    """Plays the plan both ways into the lab's own library, with the changed cards besides the sets in `folders`.

    `until`: ends as soon as half the width of the interval (see Played) is no more than this, after at least LEAST
    games; the number of games is of the plan and this alone, however many workers there are. Raises what `simulate`
    does; what was played is kept for the next time.
    """
    work = _both(plan, library, folders, changed.folder)
    kept = {n: ends for n in range(work.printed.count) if (ends := work.kept(n)) is not None}
    missing = [n for n in range(work.printed.count) if n not in kept]
    done, total = 2 * work.printed.games_in(kept), 2 * plan.count
    progress(done, total)
    outcomes = _Outcomes(holders(plan, changed.codes))
    numbers = []
    running = workers.run_work(work.play, missing, jobs, lambda new: progress(done + new, total), stop)
    try:
        with closing(running):
            for number in range(work.printed.count):
                ends = kept[number] if number in kept else next(running)[1]
                outcomes.add(work.printed.games_of(number), ends)
                numbers.append(number)
                if until is not None and outcomes.games >= LEAST and (outcomes.half or 1) <= until:
                    break
    except workers.WorkHalted:
        whole = [n for n in range(work.printed.count) if n in kept or work.kept(n) is not None]
        raise Stopped(work.printed.games_in(whole), plan.count) from None
    work.take_in(library, numbers)
    return Played(library, outcomes.games, outcomes.errors, outcomes.half)


class _Both(Struct):
    """Both ways of playing a plan."""

    printed: Chunks
    changed: Chunks

    def play(self, number: int, step: workers.Step) -> list[tuple[GameEnded, GameEnded]]:
        return list(zip(self.printed.play(number, step), self.changed.play(number, step), strict=True))

    def kept(self, number: int) -> list[tuple[GameEnded, GameEnded]] | None:
        """How the games of a chunk ended each way; None where it was not played both ways."""
        printed, changed = self.printed.kept(number), self.changed.kept(number)
        return None if printed is None or changed is None else list(zip(printed, changed, strict=True))

    def take_in(self, library: Library, numbers: Sequence[int]) -> None:
        """Moves the games of these chunks into the library, those of each way as one pack."""
        for chunks in (self.printed, self.changed):
            out = library.scratch(PACK)
            join_chunks([chunks.path(n) for n in numbers], out)
            library.add_pack(out, own=True)
            shutil.rmtree(chunks.folder)


class _Outcomes:
    """Sums over games played both ways, of the seat that alone holds a changed card."""

    def __init__(self, seats: Sequence[int | None]) -> None:
        self.seats = seats
        self.games = self.errors = self.n = 0
        self.sum = self.squares = 0.0

    def add(self, games: Iterable[int], ends: Iterable[tuple[GameEnded, GameEnded]]) -> None:
        for number, pair in zip(games, ends, strict=True):
            self.games += 1
            wrong = sum(end.reason == "error" for end in pair)
            self.errors += wrong
            seat = self.seats[number % len(self.seats)]
            if seat is None or wrong:
                continue
            before, after = (0.5 if end.winner is None else float(end.winner == seat) for end in pair)
            self.n += 1
            self.sum += after - before
            self.squares += (after - before) ** 2

    @property
    def half(self) -> float | None:
        return paired_half(self.n, self.sum, self.squares) if self.n else None


def paired_half(n: int, s: float, ss: float) -> float:
    """Half the width of the 95 % interval of a mean of n differences of results with the sum s and the sum of squares
    ss: Wald's, with one game more of each sign counted half (Agresti and Min 2005), so that it never has width 0.
    """
    m = n + 2
    return Z * sqrt(((ss + 1) / m - (s / m) ** 2) / m)


def _both(plan: Plan, library: Library, folders: tuple[Path, ...], changed: Path) -> _Both:
    arms = []
    for tag, more in ((PRINTED, ()), (CHANGED, (changed,))):
        arm = structs.replace(plan, tags=(*plan.tags, tag))
        game = registry.load(plan.game, (*folders, *more))
        check(arm, game)
        # without the count, so that a lab that is asked for more games goes on with those it has
        key = plan_key(structs.replace(arm, count=1), game)[:12]
        arms.append(Chunks(arm, (*folders, *more), library.making / f".{key}", CHUNK))
        arms[-1].make_folder()
    return _Both(*arms)


def lab_plan(plan: Plan, changed: Iterable[str]) -> Plan:
    """The plan with only those pairs of decks of which one or both hold a changed card. Raises PlanError."""
    codes = set(changed)
    pairs = tuple(pair for pair in plan.decks if any(_holds(deck, codes) for deck in pair))
    if not pairs:
        raise PlanError(f"No deck holds {' or '.join(sorted(codes))}: give --decks that do.")
    return structs.replace(plan, decks=pairs)
