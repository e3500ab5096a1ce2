"""The card linter: what is wrong with cards that are well formed. Knows the effect language and no game.

The words of a game (zones, values, moments …) come in as a `Vocabulary`; what only that game can say about
its printed fields, it checks itself (`engine/<game>/checks.py`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, structs

from engine.cards import hidden_information
from engine.cards.decks import closest
from engine.cards.files import Definition
from engine.effects import language as fx

Set: TypeAlias = AbstractSet[str]


class Problem(Struct, frozen=True, omit_defaults=True):
    """Something wrong with a deck or a card: a rule id or the linter's name for it, the card, a sentence.

    `card` is a code, `field` the place in the card (`ability[0].then[1].what`), `file` the card file.
    """

    rule: str
    card: str | None
    text: str
    field: str = ""
    file: str = ""

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, self.card, self.field) if part)
        return f"{place + ': ' if place else ''}{self.text} ({self.rule})"


class Vocabulary(Struct, frozen=True, kw_only=True):
    """The words that a game's cards may use, and what the linter must know of their meaning."""

    zones: dict[str, str]
    """zone -> who sees a card there: all, owner, none, up"""
    table: Set
    """zones where cards have values and abilities"""
    targets: Set
    """zones into which effects may put cards"""
    spent: str
    """the zone into which costs go"""
    values: Set
    """what can be added to or set"""
    stats: Set
    """what can be looked at: the values, and more"""
    seat_values: Set = frozenset()
    """what the players themselves have: the slots `own` and `other`"""
    moments: dict[str, Set]
    """moment -> the slots that it fills"""
    slots: Set
    """slots that the game fills by itself at some times, besides `self`"""
    bearers: Set = frozenset()
    """kinds of card that hang on another one: theirs is the slot `bearer`"""
    phases: Set
    durations: Set
    words: dict[str, Set | None]
    """what `is` may ask -> the possible answers; None: whatever stands on some card"""
    kinds: dict[str, Set]
    """kind of card -> kinds of ability that mean something on it"""
    wants: dict[str, str] = {}
    """kind of card -> the kind of ability without which it does nothing"""
    sets_off: dict[str, Set] = {}
    """instruction -> the moments that it may bring about; `move` only into a zone of the table"""
    activated: int = 3
    """an activated ability stands among the first so many of its card"""
    instructions: Set | None = None
    """instructions that mean something in the game; None: all"""
    specials: Set = frozenset()
    stack: str = "stack"
    hand: str = "hand"
    deck: str = "deck"


def lint(
    definitions: Mapping[str, Definition], words: Vocabulary, files: Mapping[str, str] | None = None
) -> list[Problem]:
    """Everything that can be seen to be wrong with these cards, which know each other by name.

    `files` (see `files_of`) says in which file a card stands.
    """
    known = _Known(definitions, words)
    found: list[Problem] = []
    for definition in definitions.values():
        _Card(definition, known, words, found).check()
    return located(found + _cycles(definitions, words), files or {})


def located(problems: Iterable[Problem], files: Mapping[str, str]) -> list[Problem]:
    """The problems with the card file of each, where `files` (see `files_of`) knows it."""
    return [structs.replace(p, file=files.get(p.card or "", p.file)) for p in problems]


def files_of(folder: Path) -> dict[str, str]:
    """Code -> card file, for a set's folder (which `engine.cards.files.read_set` has accepted)."""
    return {
        str(card["code"]): str(path)
        for path in sorted(folder.glob("*.toml"))
        for card in tomllib.loads(path.read_text(encoding="utf-8")).get("card", ())
    }


class _Known:
    """Names and printed words of the cards checked together."""

    def __init__(self, definitions: Mapping[str, Definition], words: Vocabulary) -> None:
        self.names = {d.name for d in definitions.values()}
        self.words: dict[str, Set] = {
            word: possible if possible is not None
            else frozenset(d.words[word] for d in definitions.values() if d.words.get(word))
            for word, possible in words.words.items()
        }


def _or_closest(wrong: str, right: Iterable[str]) -> str:
    near = closest(wrong, right)
    return f"did you mean {near!r}?" if near else f"known are {', '.join(sorted(right))}"


class _Card:
    """Checks one card; `found` collects."""

    def __init__(
        self, definition: Definition, known: _Known, words: Vocabulary, found: list[Problem]
    ) -> None:
        self.definition, self.known, self.words, self.found = definition, known, words, found
        self.stacked: set[str] = set()
        """slots that hold stack items"""
        self.used: set[str] = set()

    def say(self, rule: str, field: str, text: str) -> None:
        self.found.append(Problem(rule, self.definition.code, text, field))

    def word(self, what: str, wrong: str, right: Iterable[str], field: str) -> None:
        if wrong not in right:
            self.say("unknown-word", field, f"there is no {what} {wrong!r}; {_or_closest(wrong, right)}")

    # --- abilities ----------------------------------------------------------------------------------------

    def check(self) -> None:
        kind, abilities = self.definition.kind, self.definition.abilities
        meaning = self.words.kinds.get(kind, frozenset())
        tags = [_tag(a) for a in abilities]
        for number, (tag, ability) in enumerate(zip(tags, abilities, strict=True)):
            at = f"ability[{number}]"
            if tag not in meaning:
                allowed = ", ".join(sorted(meaning))
                self.say("never-matters", at, f"the ability {tag} means nothing on a {kind}; known is {allowed}")
            if tag in ("effect", "reaction") and tag in tags[:number]:
                self.say("never-matters", at, f"a card has one {tag}; a second one is never carried out")
            if tag == "activated" and number >= self.words.activated:
                self.say("place", at, f"an activated ability stands among the first {self.words.activated}")
            self.ability(ability, number, at)
            for field, text in hidden_information.told(ability, at, self.words.zones):
                self.say("unseen", field, text)
        if (wanted := self.words.wants.get(kind)) is not None and wanted not in tags:
            self.say("no-effect", "ability", f"a {kind} without an ability {wanted} does nothing")

    def ability(self, ability: fx.AnyAbility, number: int, at: str) -> None:
        self.stacked, self.used = set(), set()
        filled = {"self"} | self.words.slots | self.bearer()
        if isinstance(ability, fx.Triggered):
            filled |= self.trigger(ability, at)
        if (when := getattr(ability, "when", None)) is not None:
            self.when(when, f"{at}.when", filled)
        if isinstance(ability, fx.Passive):
            self.passive(ability, at)
            return
        targets: tuple[fx.Target, ...] = getattr(ability, "targets", ())
        for i, target in enumerate(targets):
            filled.add(self.target(target, f"{at}.targets[{i}]", filled))
        self.costs(getattr(ability, "cost", ()), at, isinstance(ability, fx.Regenerate))
        if isinstance(ability, fx.Regenerate):
            return
        if not ability.then:
            self.say("no-effect", f"{at}.then", "no instructions; the ability does nothing")
        self.steps(ability.then, f"{at}.then", filled)
        for i, target in enumerate(targets):
            if target.slot not in self.used:
                self.say("unused", f"{at}.targets[{i}]", f"nothing is done with the slot {target.slot!r}")
        if isinstance(ability, fx.Activated):
            self.activated_cycle(ability, at)

    def trigger(self, ability: fx.Triggered, at: str) -> Set:
        self.word("moment", ability.on, self.words.moments, f"{at}.on")
        slots = self.words.moments.get(ability.on, frozenset())
        if ability.fits is not None:
            self.select(ability.fits, f"{at}.fits")
            if "it" not in slots:
                self.say("never-matters", f"{at}.fits", f"the moment {ability.on} is of no card: none fits")
        return slots

    def passive(self, ability: fx.Passive, at: str) -> None:
        """A passive ability may not look at current values: what it gives would change what it looks at."""
        self.word("value", ability.name, self.values(ability.what), f"{at}.name")
        if isinstance(ability.what, fx.Select):
            self.select(ability.what, f"{at}.what")
            self.on_table(ability.what, f"{at}.what")
            self.circular(ability.what, f"{at}.what", ability.name)
        elif ability.what != "self":
            self.slot(ability.what, f"{at}.what", self.seats() | self.bearer())
        self.number(ability.add, f"{at}.add", {"self"})
        if isinstance(ability.add, fx.Amount):
            self.circular(ability.add.count, f"{at}.add.count", ability.name)
            if ability.add.value is not None:
                self.say("circular", f"{at}.add.value", "a passive ability may not look at current values")
        if ability.add == 0 and ability.set is None:
            self.say("no-effect", at, "neither `add` nor `be`; the ability does nothing")
        if ability.add != 0 and ability.set is not None:
            self.say("never-matters", f"{at}.add", "only `be` counts; put `add` into an ability of its own")
        when, field = ability.when, f"{at}.when"
        while when is not None:
            self.circular(when.count, f"{field}.count", ability.name)
            self.circular(when.fits, f"{field}.fits", ability.name)
            when, field = when.not_, f"{field}.not"

    def circular(self, select: fx.Select | None, field: str, name: str) -> None:
        if select is not None and (select.at_least or select.at_most or name in select.is_):
            self.say("circular", field, "a passive ability may not select by current values")

    def target(self, target: fx.Target, at: str, filled: set[str]) -> str:
        if target.slot in filled:
            self.say("slot", f"{at}.slot", f"the slot {target.slot!r} is taken; name another one")
        self.count(target.n, f"{at}.n")
        self.select(target.from_, f"{at}.from", stack=True)
        self.seen(target.from_, f"{at}.from", "own")
        if self.words.stack in target.from_.zone:
            self.stacked.add(target.slot)
        return target.slot

    def costs(self, costs: tuple[fx.Cost, ...], at: str, regenerate: bool) -> None:
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

    # --- instructions -------------------------------------------------------------------------------------

    def steps(self, steps: tuple[fx.AnyInstruction, ...], at: str, filled: set[str]) -> set[str]:
        """Checks the instructions in turn; gives the slots that are filled after them."""
        filled = set(filled)
        for i, step in enumerate(steps):
            filled = self.step(step, f"{at}[{i}]", filled)
        return filled

    def step(self, step: fx.AnyInstruction, at: str, filled: set[str]) -> set[str]:
        if self.words.instructions is not None:
            self.word("instruction of this game", _tag(step), self.words.instructions, f"{at}.do")
        if (what := getattr(step, "what", None)) is not None:
            self.who(what, f"{at}.what", filled, cancel=isinstance(step, fx.Cancel))
        if isinstance(step, (fx.Damage, fx.Destroy, fx.Exhaust, fx.AddValue, fx.SetValue)) and isinstance(
            what, fx.Select
        ):
            self.on_table(what, f"{at}.what")
        if isinstance(step, (fx.Draw, fx.Burst, fx.Mill, fx.Damage, fx.AddValue, fx.Change)):
            self.number(step.n, f"{at}.n", filled)
            signed = isinstance(step, (fx.AddValue, fx.Change))
            if isinstance(step.n, int) and (step.n == 0 or (step.n < 0 and not signed)):
                self.say("no-effect", f"{at}.n", f"{_tag(step)} {step.n} does nothing")
        if isinstance(step, (fx.AddValue, fx.SetValue)):
            self.word("value", step.name, self.values(step.what), f"{at}.name")
            self.word("duration", step.duration, self.words.durations, f"{at}.duration")
        if isinstance(step, fx.Change):
            self.word("value of players", step.name, self.words.seat_values, f"{at}.name")
        if isinstance(step, fx.Move):
            self.word("zone for cards to be put into,", step.zone, self.words.targets, f"{at}.zone")
        if isinstance(step, fx.Special):
            self.word("special", step.name, self.words.specials, f"{at}.name")
        if isinstance(step, fx.ChooseCards):
            self.count(step.n, f"{at}.n")
            self.select(step.from_, f"{at}.from")
            self.seen(step.from_, f"{at}.from", step.by)
            return filled | {step.slot}
        if isinstance(step, (fx.Each, fx.If, fx.May)) and not step.then:
            self.say("no-effect", f"{at}.then", "no instructions; nothing is done")
        if isinstance(step, fx.Each):
            self.steps(step.then, f"{at}.then", filled | {step.slot})
        if isinstance(step, (fx.If, fx.May)):
            if isinstance(step, fx.If):
                self.when(step.when, f"{at}.when", filled)
            after = self.steps(step.then, f"{at}.then", filled)
            return filled | (after & self.steps(step.otherwise, f"{at}.otherwise", filled))
        return filled

    def seats(self) -> Set:
        """The slots that mean the players, where they have values."""
        return frozenset(("own", "other")) if self.words.seat_values else frozenset()

    def bearer(self) -> Set:
        return frozenset(("bearer",)) if self.definition.kind in self.words.bearers else frozenset()

    def values(self, what: fx.Who) -> Set:
        return self.words.seat_values if what in ("own", "other") else self.words.values

    def slot(self, name: str, at: str, filled: Set) -> None:
        self.used.add(name)
        if name not in filled:
            known = ", ".join(sorted(filled))
            self.say("slot", at, f"the slot {name!r} is not filled here; filled are {known}")

    def who(self, what: fx.Who, at: str, filled: Set, cancel: bool = False) -> None:
        if isinstance(what, fx.Select):
            self.select(what, at)
            return
        self.slot(what, at, filled | self.seats())
        if what in filled and cancel != (what in self.stacked):
            self.say(
                "slot", at,
                f"cancel takes a target from the zone {self.words.stack}, not {what!r}" if cancel
                else f"the slot {what!r} holds an item of the pile; it can only be cancelled",
            )

    # --- selections, amounts, conditions ------------------------------------------------------------------

    def select(self, select: fx.Select, at: str, stack: bool = False) -> None:
        for zone in select.zone:
            self.word("zone", zone, self.words.zones, f"{at}.zone")
        if self.words.stack in select.zone and (not stack or len(select.zone) > 1):
            self.say("zone", f"{at}.zone", f"the zone {self.words.stack} is for targets of cancel, alone")
        for word, wanted in select.is_.items():
            self.word("printed word", word, self.words.words, f"{at}.is")
            if word in self.known.words:
                self.word(word, wanted, self.known.words[word], f"{at}.is.{word}")
        if select.name is not None:
            self.word("card called", select.name, self.known.names, f"{at}.name")
        for bounds in ("at_least", "at_most"):
            for stat in getattr(select, bounds):
                self.word("value", stat, self.words.stats, f"{at}.{bounds}")

    def seen(self, select: fx.Select, at: str, by: str) -> None:
        """Who chooses must see what there is to choose from."""
        for zone in select.zone:
            see = self.words.zones.get(zone)
            if see == "none" or (see == "owner" and select.of != by):
                self.say("unseen", at, f"whoever chooses does not see the cards in the zone {zone}")

    def on_table(self, select: fx.Select, at: str) -> None:
        elsewhere = self.words.zones.keys() - self.words.table - {self.words.stack}
        off = [zone for zone in select.zone if zone in elsewhere]
        if off:
            self.say("never-matters", f"{at}.zone", f"this is done to cards on the table; {off[0]} is off it")

    def number(self, n: fx.Number, at: str, filled: Set) -> None:
        if isinstance(n, int):
            return
        if n.count is not None:
            self.select(n.count, f"{at}.count")
        if n.value is not None:
            of_players = n.of in self.seats()
            self.word("value", n.value, self.words.seat_values if of_players else self.words.stats, f"{at}.value")
            self.slot(n.of, f"{at}.of", filled | self.seats())
        if (n.count is None) == (n.value is None):
            self.say("amount", at, "an amount has either `count` or `value`; else write a plain number")
        elif n.times == 0:
            self.say("never-matters", f"{at}.times", "times 0 comes to nothing; write a plain number")

    def when(self, when: fx.When, at: str, filled: Set) -> None:
        if when == fx.When():
            self.say("never-matters", at, "a condition that states nothing always holds")
        if when.phase is not None:
            self.word("phase", when.phase, self.words.phases, f"{at}.phase")
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

    # --- cycles of one ability ----------------------------------------------------------------------------

    def activated_cycle(self, ability: fx.Activated, at: str) -> None:
        pays = {cost.pay for cost in ability.cost}
        if "exhaust" in pays and any(
            isinstance(step, fx.Exhaust) and not step.exhausted and self.may_mean_itself(step.what, ability)
            for step in all_steps(ability.then)
        ):
            self.say("cycle", at, "the cost turns the card down and the effect can stand it up again")
        taken = self.taken_from(ability)
        if ability.once or not taken:
            return
        back: set[str] = set()
        for step in all_steps(ability.then):
            if isinstance(step, (fx.Move, fx.Play)) and self.words.spent in _zones(step.what, ability, self.words):
                back |= {step.zone} if isinstance(step, fx.Move) else self.words.table
        if back & taken:
            self.say(
                "cycle", at, "its effect can bring back what its cost takes away, as often as one likes; "
                "`once = true` limits it to once a turn",
            )

    def taken_from(self, ability: fx.Activated) -> set[str]:
        taken: set[str] = set()
        for cost in ability.cost:
            if cost.pay == "mill":
                taken.add(self.words.deck)
            elif cost.pay == "discard" and cost.from_ is not None:
                taken |= set(cost.from_.zone) or self.words.table
        return taken

    def may_mean_itself(self, what: fx.Who, ability: fx.Activated) -> bool:
        return what == "self" or any(
            not s.another and s.of != "other" and s.exhausted is not False
            and (not s.zone or self.words.table & set(s.zone))
            and _printed_fits(s, self.definition, exact=False)
            for s in _selections(what, ability)
        )


def _tag(struct: Struct) -> str:
    return str(struct.__struct_config__.tag)


def all_steps(steps: Iterable[fx.AnyInstruction]) -> Iterable[fx.AnyInstruction]:
    """All instructions of an effect, those inside others too."""
    for step in steps:
        yield step
        if isinstance(step, (fx.Each, fx.If, fx.May)):
            yield from all_steps((*step.then, *getattr(step, "otherwise", ())))


def _selections(what: fx.Who, ability: fx.AnyAbility) -> list[fx.Select]:
    """The selections from which the cards of a slot (or the selection itself) come."""
    if isinstance(what, fx.Select):
        return [what]
    found = [t.from_ for t in getattr(ability, "targets", ()) if t.slot == what]
    for step in all_steps(getattr(ability, "then", ())):
        if isinstance(step, fx.ChooseCards) and step.slot == what:
            found.append(step.from_)
        if isinstance(step, fx.Each) and step.slot == what != step.what:
            found += _selections(step.what, ability)
    return found


def _zones(what: fx.Who, ability: fx.AnyAbility, words: Vocabulary) -> Set:
    """Zones from which the cards may come; `self` and a trigger's `it` may lie on the table or be spent."""
    if what in ("self", "it"):
        return words.table | {words.spent}
    zones: set[str] = set()
    for select in _selections(what, ability):
        zones |= set(select.zone) or words.table
    return frozenset(zones)


def _printed_fits(select: fx.Select, definition: Definition, exact: bool) -> bool:
    """Whether a selection can mean such a card; `exact`: by printed values too (it lies off the table)."""
    if select.name is not None and select.name != definition.name:
        return False
    # A card may count as more than one kind (a Live Change), so a kind excludes none.
    if any(definition.words.get(word) != wanted for word, wanted in select.is_.items() if word != "kind"):
        return False
    return not exact or (
        all(definition.stats.get(name, 0) >= n for name, n in select.at_least.items())
        and all(definition.stats.get(name, 0) <= n for name, n in select.at_most.items())
    )


# --- cycles of triggered abilities --------------------------------------------------------------------------

_Node: TypeAlias = tuple[str, int]


def _cycles(definitions: Mapping[str, Definition], words: Vocabulary) -> list[Problem]:
    """Triggered abilities that can set each other off for ever.

    An edge leads from an ability to one that its effect can set off. A cycle in which every step takes a card
    from hand, deck or table, and none gives one back, ends by itself and is no problem.
    """
    edges: dict[_Node, dict[_Node, bool]] = {}
    for card in definitions.values():
        for listener in card.listeners:
            edges[card.code, listener.ability] = _sets_off(card, listener.trigger, definitions, words)
    found = []
    for group in _components({node: set(out) for node, out in edges.items()}):
        inside = [spends for node in group for to, spends in edges[node].items() if to in group]
        if not inside or (all(inside) and not any(_gives_back(definitions[c], n, words) for c, n in group)):
            continue
        names = ", ".join(sorted({definitions[code].name for code, _ in group}))
        code, number = min(group)
        found.append(
            Problem(
                "cycle", code, f"this can set itself off for ever (through: {names}); let it take a card away",
                f"ability[{number}]",
            )
        )
    return found


def _sets_off(
    definition: Definition, trigger: fx.Triggered, definitions: Mapping[str, Definition], words: Vocabulary
) -> dict[_Node, bool]:
    """Abilities that this one can set off -> whether every way of doing so takes a card away."""
    out: dict[_Node, bool] = {}
    for step in all_steps(trigger.then):
        moments = words.sets_off.get(_tag(step), frozenset())
        if not moments or (isinstance(step, fx.Move) and step.zone not in words.table):
            continue
        what: fx.Who = step.what  # type: ignore[union-attr]
        zones = _zones(what, trigger, words)
        enters = isinstance(step, (fx.Move, fx.Play))
        spends = not enters or (bool(zones) and zones <= {words.hand, words.deck})
        for card in definitions.values():
            if not _may_be(what, trigger, definition, card, exact=enters and not zones & words.table):
                continue
            for listener in definitions.values():
                for heard in listener.listeners:
                    if heard.trigger.on in moments and _hears(listener, heard.trigger, card):
                        node = listener.code, heard.ability
                        out[node] = out.get(node, True) and spends
    return out


def _may_be(
    what: fx.Who, trigger: fx.Triggered, definition: Definition, card: Definition, exact: bool
) -> bool:
    if what in ("own", "other"):
        return False
    if what == "self":
        return card is definition
    if what == "it":
        if trigger.whose == "self":
            return card is definition
        return trigger.fits is None or _printed_fits(trigger.fits, card, exact=False)
    selections = _selections(what, trigger)
    return not selections or any(_printed_fits(s, card, exact) for s in selections)


def _hears(listener: Definition, trigger: fx.Triggered, card: Definition) -> bool:
    if trigger.whose == "self":
        return listener is card
    return trigger.fits is None or _printed_fits(trigger.fits, card, exact=False)


def _gives_back(definition: Definition, number: int, words: Vocabulary) -> bool:
    ability = definition.abilities[number]
    return any(
        isinstance(step, fx.Move) and step.zone in (words.hand, words.deck)
        for step in all_steps(getattr(ability, "then", ()))
    )


def _components(edges: Mapping[_Node, set[_Node]]) -> list[set[_Node]]:
    """Groups of nodes that reach each other, those of one node included."""
    reach: dict[_Node, set[_Node]] = {}
    for start in edges:
        seen: set[_Node] = set()
        ahead = list(edges[start])
        while ahead:
            node = ahead.pop()
            if node not in seen:
                seen.add(node)
                ahead += edges[node]
        reach[start] = seen
    groups: list[set[_Node]] = []
    for node in edges:
        group = {node} | {other for other in reach[node] if node in reach[other]}
        if group not in groups:
            groups.append(group)
    return groups
