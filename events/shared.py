"""The lines that several games of one file share: the rulebook and the card sets. PROTOCOL.md has the same texts."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from events.fields import Int


class Zone(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A place for cards."""

    name: str
    """the word that records use"""
    visible_to: str
    """who knows a card that lies there: `all`; `owner` (the seat whose zone it is); `none`; `up` (the owner, and
    everybody while it lies face up)"""
    table: bool = False
    """counters, and being exhausted, survive a move between two such zones; these zones together are the table"""
    attachments: bool = False
    """what is attached to what survives a move between two such zones"""
    capacity: Int = 0
    """the most cards that the rules let lie there, 0 for no limit; readers do not enforce it"""
    ordered: bool = False
    """cards lie on each other, the last one is the top"""
    life: bool = False
    """the number of cards here is what the game is about (a deck that must not run out)"""
    shared: bool = False
    """one for both seats; it is kept as seat 0's"""
    early: Int = 0
    """of a shuffled pile, how many cards from its top statistics call early: about as many as a player has seen when
    hardly any game has ended; 0: not said"""


class Counter(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A number on a card or on a seat."""

    name: str
    """the word that records use"""
    of: str = "card"
    """`card` or `seat`"""
    life: bool = False
    """it is what the game is about (life points)"""
    minimum: Int | None = None
    """values below are taken for this one"""
    maximum: Int | None = None
    """values above are taken for this one"""
    words: tuple[str, ...] = ()
    """where there are any, the value is an index into these words"""
    quiet: bool = False
    """bookkeeping of the rules, which a viewer need not show"""


class Phase(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A phase of the turn."""

    name: str
    """the word that records use"""
    quiet: bool = False
    """a step of the rules that a viewer may skip"""


class RulebookLine(
    Struct, frozen=True, tag_field="kind", tag="rulebook", omit_defaults=True, forbid_unknown_fields=True
):
    """Everything that a log of this game may name. A record that uses a word which its rulebook does not declare cannot
    be read further.
    """

    key: str
    """name of the game, for programs"""
    version: str
    """version of its rules"""
    zones: tuple[Zone, ...]
    """the places for cards; each seat has every one of them, but for the shared ones"""
    counters: tuple[Counter, ...]
    """the numbers on cards and seats"""
    phases: tuple[Phase, ...]
    """the phases of a turn"""
    turn: str = "turn"
    """the word for what `turn_began` begins (turn, round …)"""
    move_kinds: tuple[str, ...] = ()
    """words for `move_kind` of `card_moved`"""
    questions: tuple[str, ...] = ()
    """words for `question` of `asked`"""
    attachments: tuple[str, ...] = ()
    """words for `attachment` of `card_attached`"""
    directions: tuple[str, ...] = ()
    """words for `direction` of `attack_met`"""
    outcomes: tuple[str, ...] = ()
    """words for `outcome` of `attack_met`"""
    steps: tuple[str, ...] = ()
    """words for `step` of `damage_calculated`"""
    durations: tuple[str, ...] = ()
    """words for `duration` of `modifier_began`"""
    rules: tuple[str, ...] = ()
    """words for `rule` of `rule_applied`"""
    rolls: tuple[str, ...] = ()
    """words for `roll` of `rolled`"""
    reasons: tuple[str, ...] = ()
    """words for `reason` of `game_ended`"""
    words: dict[str, dict[str, str]] = {}
    """key of a word → language tag (BCP 47) → how people say it. A word's key is its sort and the word: `zone.deck`,
    `counter.…`, `phase.…`, `move_kind.…`, `turn.…` and so on; of a counter's `words`, the counter's name and the
    word. Other keys mean nothing. See *Words for people*"""
    roles: dict[str, str] = {}
    """word of `move_kinds` → what statistics count such a move as: `drawn` (a plain draw), `played` (a card takes
    effect from the hand), `turned_up` (off an ordered zone, face up, by the rules) or `destroyed`; other moves are told
    apart by their zones"""

    def __post_init__(self) -> None:
        """Raises ValueError where a word is declared twice: which of them is meant could not be told."""
        for sort in self.__struct_fields__:
            declared = getattr(self, sort)
            if isinstance(declared, tuple):
                names = [word if isinstance(word, str) else word.name for word in declared]
                twice = next((name for name in names if names.count(name) > 1), None)
                if twice is not None:
                    raise ValueError(f"{twice[:60]!r} stands twice in `{sort}`")


EVERY_RULEBOOK: dict[str, tuple[str, ...]] = {
    "move_kinds": ("announced", "spent", "cost", "milled", "destroyed"),
    "questions": ("order", "target", "cost", "choose", "may", "window", "regenerate"),
    "durations": ("while",),
    "rules": ("end_attack", "regenerate"),
    "reasons": ("conceded", "loop", "error"),
}
"""List of a rulebook line -> words that every rulebook has in it, whether its line names them or not: those of the
effects of cards, of conceding, and of games that cannot go on.
"""


class CardSet(
    Struct, frozen=True, tag_field="kind", tag="card_set", omit_defaults=True, forbid_unknown_fields=True
):
    """The full definitions of a set's cards, so that an old game is shown with the cards it was played with."""

    key: str
    """name of the set"""
    version: str
    """version of the set"""
    game: str
    """`key` of the rulebook that it is for"""
    cards: dict[str, dict[str, Any]]
    """code → the card as the set's files define it; what stands in it is the game's affair"""
    tables: dict[str, Any] = {}
    """what the set lays down besides its cards (a ban list …): name → the table as the set's files define it"""
