"""What is wrong with the parts of an effect: words that a game does not have, slots not filled, what never matters.

Knows the effect language and no game, whose words come in as a `Vocabulary`. `engine.cards.linter` checks whole cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from engine.effects.language import Quantity, Select, When, Who
from engine.effects.vocabulary import Set, Vocabulary
from engine.problems import Problem, closest


class Known(Struct, frozen=True):
    """Names of the cards that are checked together, and for each printed word what may stand there."""

    names: Set
    words: Mapping[str, Set]


def _or_closest(wrong: str, right: Iterable[str]) -> str:
    near = closest(wrong, right)
    return f"did you mean {near!r}?" if near else f"known are {', '.join(sorted(right))}"


def tag_of(struct: Struct | type[Struct]) -> str:
    """What a kind of instruction or ability is called in card files."""
    return str(struct.__struct_config__.tag)


class Linter:
    """Checks the parts of one card; `found` collects."""

    def __init__(self, code: str, kind: str, known: Known, vocabulary: Vocabulary, found: list[Problem]) -> None:
        self.code, self.kind, self.known, self.vocabulary, self.found = code, kind, known, vocabulary, found
        self.stacked: set[str] = set()
        """slots that hold stack items"""
        self.used: set[str] = set()
        """slots with which something is done"""

    def say(self, rule: str, field: str, text: str) -> None:
        self.found.append(Problem(rule, self.code, text, field))

    def word(self, what: str, wrong: str, right: Iterable[str], field: str) -> None:
        if wrong not in right:
            self.say("unknown-word", field, f"there is no {what} {wrong!r}; {_or_closest(wrong, right)}")

    # --- cards and numbers of an instruction ----------------------------------------------------------------

    def cards(self, what: Who, at: str, filled: Set) -> None:
        """Cards to which something is done where they lie on the table."""
        self.who(what, at, filled)
        if isinstance(what, Select):
            self.on_table(what, at)

    def amount(self, step: Struct, n: Quantity, at: str, filled: Set, signed: bool = False) -> None:
        """How much of something an instruction does; `signed`: it may be less than nothing."""
        self.number(n, at, filled)
        if isinstance(n, int) and (n == 0 or (n < 0 and not signed)):
            self.say("no-effect", at, f"{tag_of(step)} {n} does nothing")

    def seats(self) -> Set:
        """The slots that mean the players, where they have values."""
        return frozenset(("own", "other")) if self.vocabulary.seat_values else frozenset()

    def bearer(self) -> Set:
        return frozenset(("bearer",)) if self.kind in self.vocabulary.bearers else frozenset()

    def values(self, what: Who) -> Set:
        return self.vocabulary.seat_values if what in ("own", "other") else self.vocabulary.values

    def slot(self, name: str, at: str, filled: Set) -> None:
        self.used.add(name)
        if name not in filled:
            known = ", ".join(sorted(filled))
            self.say("slot", at, f"the slot {name!r} is not filled here; filled are {known}")

    def who(self, what: Who, at: str, filled: Set, cancel: bool = False) -> None:
        if isinstance(what, Select):
            self.select(what, at)
            return
        self.slot(what, at, filled | self.seats())
        if what in filled and cancel != (what in self.stacked):
            self.say(
                "slot", at,
                f"cancel takes a target from the zone {self.vocabulary.stack}, not {what!r}" if cancel
                else f"the slot {what!r} holds an item of the stack; it can only be cancelled",
            )

    # --- selections, amounts, conditions ------------------------------------------------------------------

    def select(self, select: Select, at: str, stack: bool = False) -> None:
        for zone in select.zone:
            self.word("zone", zone, self.vocabulary.zones, f"{at}.zone")
        if self.vocabulary.stack in select.zone and (not stack or len(select.zone) > 1):
            self.say("zone", f"{at}.zone", f"the zone {self.vocabulary.stack} is for targets of cancel, alone")
        for word, wanted in select.is_.items():
            self.word("printed word", word, self.vocabulary.words, f"{at}.is")
            if word in self.known.words:
                self.word(word, wanted, self.known.words[word], f"{at}.is.{word}")
        if select.name is not None:
            self.word("card called", select.name, self.known.names, f"{at}.name")
        for bounds in ("at_least", "at_most"):
            for stat in getattr(select, bounds):
                self.word("value", stat, self.vocabulary.stats, f"{at}.{bounds}")

    def seen(self, select: Select, at: str, by: str) -> None:
        """Who chooses must see what there is to choose from."""
        for zone in select.zone:
            see = self.vocabulary.zones.get(zone)
            if see == "none" or (see == "owner" and select.of != by):
                self.say("unseen", at, f"whoever chooses does not see the cards in the zone {zone}")

    def on_table(self, select: Select, at: str) -> None:
        elsewhere = self.vocabulary.zones.keys() - self.vocabulary.table - {self.vocabulary.stack}
        off = [zone for zone in select.zone if zone in elsewhere]
        if off:
            self.say("never-matters", f"{at}.zone", f"this is done to cards on the table; {off[0]} is off it")

    def number(self, n: Quantity, at: str, filled: Set) -> None:
        if isinstance(n, int):
            return
        if n.count is not None:
            self.select(n.count, f"{at}.count")
        if n.value is not None:
            known = self.vocabulary.seat_values if n.of in self.seats() else self.vocabulary.stats
            self.word("value", n.value, known, f"{at}.value")
            self.slot(n.of, f"{at}.of", filled | self.seats())
        if (n.count is None) == (n.value is None):
            self.say("amount", at, "an amount has either `count` or `value`; else write a plain number")
        elif n.times == 0:
            self.say("never-matters", f"{at}.times", "times 0 comes to nothing; write a plain number")

    def when(self, when: When, at: str, filled: Set) -> None:
        if when == When():
            self.say("never-matters", at, "a condition that states nothing always holds")
        if when.phase is not None:
            self.word("phase", when.phase, self.vocabulary.phases, f"{at}.phase")
        if when.count is not None:
            self.select(when.count, f"{at}.count")
        elif when.at_least is not None or when.at_most is not None:
            self.say("never-matters", at, "at_least and at_most are bounds of `count`, which is missing")
        if when.slot is not None:
            self.slot(when.slot, f"{at}.slot", filled)
        if when.fits is not None:
            self.select(when.fits, f"{at}.fits")
            if when.slot is None:
                self.say("never-matters", f"{at}.fits", "`fits` is about the card of `slot`, which is missing")
        if when.not_ is not None:
            self.when(when.not_, f"{at}.not", filled)

    def count(self, n: int, at: str) -> None:
        if n < 1:
            self.say("no-effect", at, f"{n} cards; it takes at least 1")
