"""The card linter: what is wrong with cards that are well formed. Knows the effect language and no game.

The words of a game (zones, values, moments …) come in as a `Vocabulary`; what only that game can say about
its printed fields, it checks itself (`engine/<game>/checks.py`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import structs

from engine.cards import cycles
from engine.cards.definition import Definition
from engine.effects.abilities import Activated, AnyAbility, Passive, Regenerate, Triggered
from engine.effects.hidden_information import HiddenInformation, HiddenSlots, Leaks
from engine.effects.language import Amount, Cost, Select, Target
from engine.effects.linter import Known, Linter, tag_of
from engine.effects.steps import leaks, lint_steps
from engine.effects.vocabulary import Set, Vocabulary
from engine.problems import Problem


def lint(
    definitions: Mapping[str, Definition], words: Vocabulary, files: Mapping[str, str] | None = None
) -> list[Problem]:
    """Everything that can be seen to be wrong with these cards, which know each other by name.

    `files` (see `card_files`) says in which file a card stands.
    """
    names = frozenset(d.name for d in definitions.values())
    known = Known(names, {word: _possible(word, answers, definitions) for word, answers in words.words.items()})
    found: list[Problem] = []
    for definition in definitions.values():
        CardLinter(definition, known, words, found).check()
    return located(found + cycles.cycles(definitions, words), files or {})


def _possible(word: str, answers: Set | None, definitions: Mapping[str, Definition]) -> Set:
    """What a card may be asked to have printed under this word: what the game says, else what some card has."""
    return frozenset(d.words[word] for d in definitions.values() if d.words.get(word)) if answers is None else answers


def located(problems: Iterable[Problem], files: Mapping[str, str]) -> list[Problem]:
    """The problems with the card file of each, where `files` (see `card_files`) knows it."""
    return [structs.replace(p, file=files.get(p.card or "", p.file)) for p in problems]


def card_files(folder: Path) -> dict[str, str]:
    """Code -> card file, for a set's folder (which `engine.cards.files.read_set` has accepted)."""
    return {
        str(card["code"]): str(path)
        for path in sorted(folder.glob("*.toml"))
        for card in tomllib.loads(path.read_text(encoding="utf-8")).get("card", ())
    }


class CardLinter(Linter):
    """Checks one card; `found` collects."""

    def __init__(
        self, definition: Definition, known: Known, vocabulary: Vocabulary, found: list[Problem]
    ) -> None:
        super().__init__(definition.code, definition.kind, known, vocabulary, found)
        self.definition = definition

    # --- abilities ----------------------------------------------------------------------------------------

    def check(self) -> None:
        kind, abilities = self.definition.kind, self.definition.abilities
        meaning = self.vocabulary.kinds.get(kind, frozenset())
        tags = [tag_of(a) for a in abilities]
        for number, (tag, ability) in enumerate(zip(tags, abilities, strict=True)):
            at = f"ability[{number}]"
            if tag not in meaning:
                allowed = ", ".join(sorted(meaning))
                self.say("never-matters", at, f"the ability {tag} means nothing on a {kind}; known is {allowed}")
            if tag in ("effect", "reaction") and tag in tags[:number]:
                self.say("never-matters", at, f"a card has one {tag}; a second one is never carried out")
            if tag == "activated" and number >= self.vocabulary.activated:
                self.say("place", at, f"an activated ability stands among the first {self.vocabulary.activated}")
            self.ability(ability, number, at)
            for field, text in _leaks(ability, at, self.vocabulary.zones):
                self.say("unseen", field, text)
        if (wanted := self.vocabulary.wants.get(kind)) is not None and wanted not in tags:
            self.say("no-effect", "ability", f"a {kind} without an ability {wanted} does nothing")

    def ability(self, ability: AnyAbility, number: int, at: str) -> None:
        self.stacked, self.used = set(), set()
        filled = {"self"} | self.vocabulary.slots | self.bearer()
        if isinstance(ability, Triggered):
            filled |= self.trigger(ability, at)
        if (when := getattr(ability, "when", None)) is not None:
            self.when(when, f"{at}.when", filled)
        if isinstance(ability, Passive):
            self.passive(ability, at)
            return
        targets: tuple[Target, ...] = getattr(ability, "targets", ())
        for i, target in enumerate(targets):
            filled.add(self.target(target, f"{at}.targets[{i}]", filled))
        self.costs(getattr(ability, "cost", ()), at, isinstance(ability, Regenerate))
        if isinstance(ability, Regenerate):
            return
        if not ability.then:
            self.say("no-effect", f"{at}.then", "no instructions; the ability does nothing")
        lint_steps(self, ability.then, f"{at}.then", filled)
        for i, target in enumerate(targets):
            if target.slot not in self.used:
                self.say("unused", f"{at}.targets[{i}]", f"nothing is done with the slot {target.slot!r}")
        if isinstance(ability, Activated):
            for text in cycles.own_cycles(self.definition, ability, self.vocabulary):
                self.say("cycle", at, text)

    def trigger(self, ability: Triggered, at: str) -> Set:
        self.word("moment", ability.on, self.vocabulary.moments, f"{at}.on")
        slots = self.vocabulary.moments.get(ability.on, frozenset())
        if ability.fits is not None:
            self.select(ability.fits, f"{at}.fits")
            if "it" not in slots:
                self.say("never-matters", f"{at}.fits", f"the moment {ability.on} is of no card: none fits")
        return slots

    def passive(self, ability: Passive, at: str) -> None:
        """A passive ability may not look at current values: what it gives would change what it looks at."""
        self.word("value", ability.name, self.values(ability.what), f"{at}.name")
        if isinstance(ability.what, Select):
            self.select(ability.what, f"{at}.what")
            self.on_table(ability.what, f"{at}.what")
            self.circular(ability.what, f"{at}.what", ability.name)
        elif ability.what != "self":
            self.slot(ability.what, f"{at}.what", self.seats() | self.bearer())
        self.number(ability.add, f"{at}.add", {"self"})
        if isinstance(ability.add, Amount):
            self.circular(ability.add.count, f"{at}.add.count", ability.name)
            if ability.add.value is not None:
                self.say("circular", f"{at}.add.value", "a passive ability may not look at current values")
        if ability.add == 0 and ability.set is None:
            self.say("no-effect", at, "neither `add` nor `set`; the ability does nothing")
        if ability.add != 0 and ability.set is not None:
            self.say("never-matters", f"{at}.add", "only `set` counts; put `add` into an ability of its own")
        when, field = ability.when, f"{at}.when"
        while when is not None:
            self.circular(when.count, f"{field}.count", ability.name)
            self.circular(when.fits, f"{field}.fits", ability.name)
            when, field = when.not_, f"{field}.not"

    def circular(self, select: Select | None, field: str, name: str) -> None:
        if select is not None and (select.at_least or select.at_most or name in select.is_):
            self.say("circular", field, "a passive ability may not select by current values")

    def target(self, target: Target, at: str, filled: set[str]) -> str:
        if target.slot in filled:
            self.say("slot", f"{at}.slot", f"the slot {target.slot!r} is taken; name another one")
        self.count(target.n, f"{at}.n")
        self.select(target.from_, f"{at}.from", stack=True)
        self.seen(target.from_, f"{at}.from", "own")
        if self.vocabulary.stack in target.from_.zone:
            self.stacked.add(target.slot)
        return target.slot

    def costs(self, costs: tuple[Cost, ...], at: str, regenerate: bool) -> None:
        for i, cost in enumerate(costs):
            field = f"{at}.cost[{i}]"
            self.count(cost.n, f"{field}.n")
            if cost.pay == "discard":
                if cost.from_ is None:
                    self.say("cost", field, 'a cost of cards says whence, e.g. from = { zone = ["hand"] }')
                else:
                    self.select(cost.from_, f"{field}.from")
                    self.seen(structs.replace(cost.from_, of="own"), f"{field}.from", "own")
                    if cost.from_.of == "other":
                        self.say("cost", f"{field}.from.of", "costs are paid with own cards")
            elif cost.from_ is not None:
                self.say("never-matters", f"{field}.from", f"the cost {cost.pay} looks at no selection")
            if cost.pay == "exhaust" and cost.n != 1:
                self.say("never-matters", f"{field}.n", "the card itself goes down, once")
            if regenerate and cost.pay == "discard" and cost.n != 1:
                self.say("cost", f"{field}.n", "a regeneration costs one card at most")
        if regenerate and len(costs) > 1:
            self.say("cost", f"{at}.cost", "a regeneration has one cost at most")


def _leaks(ability: AnyAbility, at: str, zones: Mapping[str, str]) -> Leaks:
    """What the ability, which stands at `at` in its card, tells of hidden cards; `zones`: who sees a card there."""
    reader = HiddenInformation(zones)
    yield from reader.condition(getattr(ability, "when", None), f"{at}.when", {})
    if isinstance(ability, Passive):
        yield from reader.number(ability.add, f"{at}.add", {})
    slots: HiddenSlots = {}
    for i, target in enumerate(getattr(ability, "targets", ())):
        if reader.tells_apart(target.from_):
            yield f"{at}.targets[{i}].from", (
                "a target is named before everybody and would tell that there is such a card; "
                "let a choice among the instructions find it"
            )
        elif reader.hidden(target.from_):
            slots[target.slot] = False
    yield from leaks(reader, getattr(ability, "then", ()), f"{at}.then", slots)
