"""What the engine asks of a rulebook: the base of `engine.rulebooks.rulebook.Rulebook`. `m` is always the match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Raw

from engine.core.tasks import Handler, Illegal, PendingTrigger, Task
from engine.state import Declared
from events.actions import AnyAction, Use
from events.errors import CardfoldError
from events.kinds import CardSet, Frame, RuleApplied, RulebookLine

ENGINE = "4"
"""Version of continuations. A game that was asked under another version is replayed from its decisions."""


MAX_LOG_ODDS = 30.0
"""Log odds of a win chance are kept within this and its negative."""


class ContinuationError(CardfoldError):
    """The question was asked by another engine version: the game has to be replayed from its decisions."""

    def __init__(self, version: str) -> None:
        super().__init__(f"This game stopped under engine version {version}; this is version {ENGINE}")


class Rules:
    """One rulebook with the cards that are known to it; it holds no state of a match."""

    field: ClassVar[tuple[str, ...]]
    """zones that a selection means when it names none"""
    fighting: ClassVar[tuple[str, ...] | None] = None
    """zones where cards attack and can be attacked; None: all of the table"""
    keywords: ClassVar[frozenset[str]] = frozenset()
    """counters that are keywords: the greatest number given counts, and 0 removes the keyword"""
    deck_zone: ClassVar[str] = "deck"
    stack_zone: ClassVar[str] = "stack"
    spent_as: ClassVar[Mapping[str, str]] = {}
    """kind of stack item -> kind of move by which its card leaves after resolving; default `spent`"""
    question_rules: ClassVar[dict[str, str]]
    """question -> the rule that an impossible answer breaks"""
    specials: ClassVar[dict[str, Callable[[Any, Frame], None]]] = {}

    rulebook: RulebookLine
    card_sets: tuple[CardSet, ...]
    declared: Declared
    cards: Mapping[str, Any]
    """code -> the rulebook's own sort of Definition"""
    backs: Mapping[str, str]
    """code -> what the card's back tells of it"""
    handlers: Mapping[type[Task], Handler]
    feature_names: ClassVar[Sequence[str]] = ()
    """what is seen of a position to tell who will win, by name"""
    turn_questions: ClassVar[frozenset[str]] = frozenset()
    """optional questions about options that belong to no effect and no attack: where nothing that was begun is open"""
    foresight: ClassVar[int] = 0
    """turns after the present one that a searching player plays out"""
    fitted_phases: ClassVar[frozenset[str]] = frozenset()
    """phases at whose beginning the weights are fitted; empty: all"""

    @property
    def known_decks(self) -> Sequence[tuple[Mapping[str, int], int]]:
        """Decks that an unknown one is likely to be like: code -> copies, a leader's too, and how many in all."""
        raise NotImplementedError

    def decode_continuation(self, continuation: Raw) -> tuple[str, list[tuple[int, Task]], list[PendingTrigger]]:
        """The continuation that `asked` carries. Raises ContinuationError for one of another shape."""
        raise NotImplementedError

    def place_before(self, m: Any, task: Task) -> bool:
        """Places pending triggers on the stack before `task` runs, in a window if players may respond.

        Returns False if all of them have to wait.
        """
        raise NotImplementedError

    def trigger(self, m: Any, moment: str, card: int | None, seat: int) -> None:
        """Fires the triggers of this moment."""
        raise NotImplementedError

    def legal(self, m: Any, task: Task, seat: int) -> Iterable[AnyAction]:
        """All free decisions that are legal for `seat` at `task`."""
        raise NotImplementedError

    def refuse(self, m: Any, task: Task, seat: int, action: AnyAction) -> Illegal | None:
        """Why a free decision is illegal, or None."""
        raise NotImplementedError

    def usable(self, m: Any, seat: int) -> Iterable[Use]:
        """What `seat` may use now: abilities on the table, cards from the hand."""
        raise NotImplementedError

    def answers(self, m: Any) -> bool:
        """Whether players may respond to what is placed on the stack now; otherwise it resolves at once."""
        raise NotImplementedError

    def check(self, m: Any, touched: set[int]) -> None:
        """The state check after every instruction: pushes what the rules make of the touched cards and seats."""
        raise NotImplementedError

    def draw(self, m: Any, seat: int, n: int) -> None:
        """Draws up to n cards."""
        raise NotImplementedError

    def mill(self, m: Any, seat: int, n: int, move_kind: str) -> None:
        """Puts up to n cards from the top of the deck into the discard pile."""
        raise NotImplementedError

    def burst(self, m: Any, seat: int, n: int) -> None:
        """Bursts n cards of the deck of `seat`."""
        raise NotImplementedError

    def discard(self, m: Any, card: int, move_kind: str) -> None:
        """Puts a card where its owner's used cards go."""
        raise NotImplementedError

    def put(self, m: Any, card: int, zone: str, at: str) -> None:
        """An effect puts a card into a zone."""
        raise NotImplementedError

    def play(self, m: Any, seat: int, card: int) -> None:
        """An effect plays a card by the rules of playing it, if they allow it."""
        raise NotImplementedError

    def destroy(self, m: Any, cards: tuple[int, ...]) -> None:
        """Destroys cards, unless something saves them."""
        raise NotImplementedError

    def cancel(self, m: Any, item: int) -> None:
        """Takes an item off the stack; it does nothing."""
        raise NotImplementedError

    def end_attack(self, m: Any) -> None:
        """An effect ends the attack under way: nothing (more) comes of it."""
        attacker = m.state.attack[0]
        if attacker is not None:
            m.emit_cause(RuleApplied("end_attack", attacker))
            m.set_attack()

    def mark_used(self, m: Any, card: int, ability: int) -> None:
        """Remembers that an ability was used, where it may be used only so often."""
        raise NotImplementedError

    def announced(self, m: Any, frame: Frame) -> None:
        """A card from the hand has been put on the stack."""

    def may_regenerate(self, m: Any, card: int) -> bool:
        """Whether a replacement can save the card at all."""
        return True

    def seat_value(self, m: Any, seat: int, name: str) -> int:
        """A player's value before modifiers."""
        return 0

    def works(self, m: Any, card: int) -> bool:
        """Whether a card's passive abilities work where it is now."""
        return True

    def settable(self, m: Any, frame: Frame, cards: Sequence[int], name: str) -> Sequence[int]:
        """The cards (or seats) among these whose value the effect may set now."""
        return cards

    def has_word(self, m: Any, entity: int, definition: Any, word: str, wanted: str) -> bool:
        """Whether this is a current word of this sort (kind, colour …) of a card, or of a stack item's card."""
        return bool(definition.words.get(word, "") == wanted)

    @property
    def weights(self) -> Sequence[float]:
        """What each of the features adds to the log odds of winning."""
        return ()

    def features(self, m: Any, seat: int) -> Sequence[float]:
        """The features of the position for `seat`, in their order; they tell nothing that the seat does not know."""
        raise NotImplementedError

    def evaluate(self, m: Any, seat: int) -> float:
        """The log odds of `seat` winning from here, for computer players: the more, the better."""
        total = 0.0  # added one by one: `sum` rounds otherwise from Python 3.12 on
        for weight, feature in zip(self.weights, self.features(m, seat), strict=True):
            total += weight * feature
        return total

    def win_chance(self, m: Any, seat: int) -> float:
        """How likely `seat` is to win from here, 0 to 1."""
        return logistic(self.evaluate(m, seat))


def logistic(log_odds: float) -> float:
    """The chance that has these log odds. By arithmetic alone, so that it is the same on every machine: the last digit
    of what `exp` gives depends on the C library.
    """
    step = max(-MAX_LOG_ODDS, min(MAX_LOG_ODDS, log_odds)) / 1024
    odds = 1 - step + step * step / 2 - step * step * step / 6
    for _ in range(10):
        odds *= odds
    return 1 / (1 + odds)
