"""What a rulebook gives to the engine: the base of each game's own class.

A game's folder holds all that is its own: rules, `ruleset.toml`, cards, decks, words, board, evaluation. This file
says what the core asks of it, and does what is the same for all.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, Union

import msgspec

from engine.cards.decks import DeckFile, read_deck
from engine.cards.definition import Definition, Printed
from engine.cards.files import NO_TABLES, Tables, card_from, read_sets
from engine.cards.linter import lint, located
from engine.core import destruction, interpreter, stack, triggers
from engine.core.match import Match
from engine.core.rules import ENGINE, ContinuationError, Rules
from engine.core.tasks import Destroy, Handler, PendingTrigger, Place, ResolveStack, Task, Window
from engine.effects.vocabulary import Vocabulary
from engine.fold import empty_state
from engine.problems import Problem
from engine.state import Declared
from engine.words import declared_words
from events.kinds import PROTOCOL, CardSet, DeckList, GameStarted, RulebookLine, Seat
from events.record import ENCODER, edition, game_id

CORE_TASKS: dict[type[Task], Handler] = {
    **destruction.HANDLERS, **stack.HANDLERS, **interpreter.HANDLERS, **triggers.HANDLERS,
}


Options: TypeAlias = dict[str, int | str | bool]
DECKS_KEPT = 64
"""Decks of which a rulebook remembers what is wrong with them."""
SHARED_OPTIONS: Mapping[str, Sequence[int | str | bool]] = {"open_lists": (False, True)}
"""Options that every game has: whether views show the other seat's deck list."""


class Rulebook(Rules):
    """One rulebook with the cards that are known to it. Subclasses are the games; they hold no state of a match."""

    key: ClassVar[str]
    folder: ClassVar[Path]
    card_type: ClassVar[type[Printed]]
    definition_type: ClassVar[Any]
    """makes a Definition of a printed card"""
    vocabulary: Vocabulary
    """the words of its cards, for the linter"""
    set_tables: ClassVar[Tables] = NO_TABLES
    """what a set of this game may define besides its cards"""
    in_order: ClassVar[bool] = False
    """what is set off together, and cannot be answered, is resolved in the order in which it is placed"""
    tasks: ClassVar[dict[type[Task], Handler]]
    """the game's own tasks and who does them"""
    options: ClassVar[Mapping[str, Sequence[int | str | bool]]] = {}
    """the game's own options and what each may be"""

    def __init__(self, card_sets: Sequence[CardSet], definitions: Iterable[Definition]) -> None:
        self.card_sets = tuple(card_sets)
        self.rulebook = self.ruleset()
        self.declared = Declared(self.rulebook)
        self.editions = edition(self.rulebook), tuple(edition(s) for s in self.card_sets)
        self.cards = {d.code: d for d in definitions}
        self.backs = {code: self.back(definition) for code, definition in self.cards.items()}
        self.handlers = {**CORE_TASKS, **self.tasks}
        tasks: Any = Union[tuple(self.handlers)]  # noqa: UP007
        self._deck_problems = lru_cache(DECKS_KEPT)(self._problems_of)
        self._decode = msgspec.json.Decoder(tuple[str, list[tuple[int, tasks]], list[PendingTrigger]]).decode

    @classmethod
    def load(cls, folders: Sequence[Path] = ()) -> Rulebook:
        """The game with its shipped card sets and those in these folders. Raises CardError."""
        shipped = sorted(path.parent for path in (cls.folder / "cards").glob("*/set.toml"))
        sets, cards = read_sets([*shipped, *folders], cls.card_type, cls.key, cls.set_tables)
        return cls(sets, [cls.definition_type(card) for card in cards.values()])

    @classmethod
    def from_sets(cls, sets: Iterable[CardSet]) -> Rulebook:
        """The game with exactly the cards of these sets, as a log carries them. Raises CardError."""
        kept = tuple(sets)
        raw = {code: card for s in kept for code, card in s.cards.items()}
        cards = [card_from(card, cls.card_type, f"card {code} of the log") for code, card in raw.items()]
        return cls(kept, [cls.definition_type(card) for card in cards])

    @classmethod
    @cache
    def shipped_decks(cls) -> tuple[DeckFile, ...]:
        """The decks that come with the game, by file name. Raises DeckError."""
        return tuple(read_deck(path, {}) for path in sorted((cls.folder / "decks").glob("*.toml")))

    @cached_property
    def known_decks(self) -> Sequence[tuple[Mapping[str, int], int]]:
        """The shipped decks of which all cards are known here. Raises DeckError."""
        decks = [{**({deck.leader: 1} if deck.leader else {}), **deck.cards} for deck in self.shipped_decks()]
        return [(deck, sum(deck.values())) for deck in decks if deck.keys() <= self.cards.keys()]

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """Of its features, as `evaluation.toml` in its folder has them (`cardfold fit` writes it)."""
        given = tomllib.loads((self.folder / "evaluation.toml").read_text(encoding="utf-8"))["weights"]
        return tuple(float(given[name]) for name in self.feature_names)

    def ruleset(self) -> RulebookLine:
        """The rulebook line; where words of it are the card sets' affair, the game fills them in."""
        return read_ruleset(self.folder)

    def card_problems(self, files: Mapping[str, str] | None = None) -> list[Problem]:
        """What the linter and the game's own checks find wrong with its cards; `files`: code -> file, if known."""
        return located([*lint(self.cards, self.vocabulary), *self.printed_problems()], files or {})

    # --- a match ------------------------------------------------------------------------------------------

    def header(
        self, seats: tuple[Seat, Seat], options: Options, seed: int, **more: Any
    ) -> GameStarted:
        """The first line of a game between these players; its id follows from it where it is simulated."""
        book, sets = self.editions
        header = GameStarted(PROTOCOL, self.key, book, sets, seats, options=options, seed=seed, **more)
        return msgspec.structs.replace(header, id=header.id or game_id(header))

    def begin(self, header: GameStarted, resumable: bool = True) -> Match:
        """Sets a game up and runs it to its first question. `resumable`: whether questions carry a continuation."""
        match = Match(self, empty_state(self.declared))
        match.resumable = resumable
        match.emit(header)
        self.set_up(match, header)
        match.run()
        return match

    def option_problems(self, options: Options) -> list[Problem]:
        """What is wrong with the options of a game; empty if it may be played so."""
        known = {**SHARED_OPTIONS, **self.options}
        found = []
        for name, value in options.items():
            if name not in known:
                text = f"there is no option {name!r}; {self.key} knows {', '.join(sorted(known))}"
                found.append(Problem("options", None, text))
            elif value not in known[name] or isinstance(value, bool) != isinstance(known[name][0], bool):
                found.append(Problem("options", None, f"{name} is {value!r}; it may be {_listed(known[name])}"))
        return found

    def unplayable(self, header: GameStarted) -> list[Problem]:
        """Why no game may begin with this line: options that mean nothing, decks that the rules refuse."""
        found = self.option_problems(header.options)
        for seat in header.seats:
            found += self._deck_problems(ENCODER.encode((seat.deck, header.options)))
        return found

    def _problems_of(self, played: bytes) -> list[Problem]:
        """What the rules find wrong with a deck under these options, both as JSON: many games are played with one."""
        deck, options = msgspec.json.decode(played, type=tuple[DeckList, Options])
        return self.problems(DeckFile(name=deck.name, game=self.key, leader=deck.leader, cards=deck.cards), options)

    def decode_continuation(self, rest: msgspec.Raw) -> tuple[str, list[tuple[int, Task]], list[PendingTrigger]]:
        """The continuation that `asked` carries. Raises ContinuationError for one of another shape."""
        try:
            return self._decode(rest)
        except (msgspec.MsgspecError, RecursionError):
            raise ContinuationError(_version_of(rest)) from None

    def place_before(self, m: Match, task: Task) -> bool:
        """Places what was set off before `task` goes on, in a window where there may be one.

        Gives False where all of it has to wait.
        """
        waiting = triggers.take_due(m)
        if not waiting:
            return False
        if type(task) is ResolveStack:
            m.push(task, Place(waiting, self.in_order)) if task.quiet else m.push(Place(waiting))
            return True
        if type(task) is not Window:
            m.push(task)
        if self.answers(m):
            m.push(Window(m.state.active), Place(waiting))
        else:
            m.push(ResolveStack(quiet=True), Place(waiting, self.in_order))
        return True

    def trigger(self, m: Match, moment: str, card: int | None, seat: int) -> None:
        """Sets off what listens to this moment."""
        if m.listeners.get(moment):
            triggers.trigger(m, moment, card, seat)

    def destroy(self, m: Match, cards: tuple[int, ...]) -> None:
        """Cards are about to be destroyed, unless something saves them."""
        m.push(Destroy(cards))

    def cancel(self, m: Match, item: int) -> None:
        """Takes an item off the stack; it does nothing."""
        stack.cancel(m, item)

    # --- what each game says ------------------------------------------------------------------------------

    def problems(self, deck: DeckFile, options: Options) -> list[Problem]:
        """What is wrong with a deck under the rules and options, each with its rule id; empty if it may be played."""
        raise NotImplementedError

    def printed_problems(self) -> list[Problem]:
        """What is wrong with the fields that only cards of this game have."""
        return []

    def trial_deck(self, codes: Sequence[str], below: Callable[[int], int]) -> DeckList:
        """A legal deck with as many copies as may be of these cards and what they need, else filled at random."""
        raise NotImplementedError

    def set_up(self, m: Match, header: GameStarted) -> None:
        """Emits the starting piles and pushes the first task."""
        raise NotImplementedError

    def back(self, definition: Definition) -> str:
        """What a card's back tells of it: hidden cards with the same back could change places unnoticed."""
        return ""


def continuation_version(rest: msgspec.Raw) -> str | None:
    """The engine version that a continuation names, whatever else its shape is; None where it names none."""
    try:
        first = msgspec.json.decode(rest, type=list)[0]
    except (msgspec.MsgspecError, RecursionError, IndexError):
        return None
    return first if isinstance(first, str) else None


def _version_of(rest: msgspec.Raw) -> str:
    """What a sentence calls a continuation that cannot be read."""
    version = continuation_version(rest)
    if version is None:
        return "unknown"
    return f"{version[:40]}, and where cannot be read" if version == ENGINE else version[:40]


def _listed(values: Sequence[int | str | bool]) -> str:
    if isinstance(values, range):
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(repr, values))


@cache
def read_ruleset(folder: Path) -> RulebookLine:
    """A game's `ruleset.toml` and its words for what it declares, as the line that its logs carry."""
    book = msgspec.convert(tomllib.loads((folder / "ruleset.toml").read_text(encoding="utf-8")), RulebookLine)
    return msgspec.structs.replace(book, words=declared_words(book, folder / "words"))
