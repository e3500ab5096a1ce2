"""A card's rules text, made from its effect data by templates of each language; it cannot say what the card does not.

The templates are in `words/*.toml` under `text`; a game's own words give zones, moments and keywords. Nothing here
decides what an effect does, and no sentence is written here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import structs

from engine.cards.files import Printed
from engine.effects import language as fx
from engine.words import Words, inside, number, words
from events.kinds import RulebookLine

Said = Mapping[str, Mapping[str, str]]
"""English word as a card file has it (a card's name, a race) -> language -> word"""

_ARTICLE = re.compile(r"\ba\(n\) (\W*)(\w)")
_SPACES = re.compile(r"  +")


class Phrase(NamedTuple):
    """Cards in words: how they are called, whose they are (own, other, any), where they come from."""

    text: str
    of: str = "any"
    zones: tuple[str, ...] = ()
    taken: str = ""
    """how they are called where they are taken away: `a card from your hand`"""

    @property
    def away(self) -> str:
        return self.taken or self.text


def rules_text(
    printed: Printed, language: str, said: Said | None = None, book: RulebookLine | None = None
) -> list[str]:
    """The lines of a card's rules text: one for each keyword, printed mark and ability; none for a plain card.

    `said` (see `glossary`) gives other cards' names and printed words in the language; without it they are English.
    `book`: a log's rulebook line, which has words of its own for what it declares (some the card sets': attributes).
    Raises `engine.words.UnknownLanguage`.
    """
    writer = _Writer(_words_for(printed, language, book), {**(said or {}), **glossary([printed])}, book)
    return writer.lines(printed)


def rules_texts(
    cards: Iterable[Printed], language: str, book: RulebookLine | None = None
) -> dict[str, list[str]]:
    """Code -> lines of rules text, for cards of one game that may name each other; see `rules_text`."""
    cards = list(cards)
    if not cards:
        return {}
    said, spoken = glossary(cards), _words_for(cards[0], language, book)
    return {card.code: _Writer(spoken, {**said, **glossary([card])}, book).lines(card) for card in cards}


def _words_for(printed: Printed, language: str, book: RulebookLine | None) -> Words:
    return words(language, type(printed).__module__.split(".")[-2], book)


def glossary(cards: Iterable[Printed]) -> dict[str, dict[str, str]]:
    """What cards print in several languages (names, races …), by the English word."""
    found: dict[str, dict[str, str]] = {}
    for card in cards:
        for field in type(card).__struct_fields__:
            value = getattr(card, field)
            if field != "flavour" and isinstance(value, dict) and isinstance(value.get("en"), str):
                found.setdefault(value["en"], value)
    return found


class _Early(Exception):
    """A chosen card is spoken of before its choice has been told: it must be told first."""

    def __init__(self, slot: str) -> None:
        self.slot = slot


class _Writer:
    def __init__(self, said_in: Words, said: Said, book: RulebookLine | None) -> None:
        self.words = said_in
        self.said = said
        self.named = {c.name: c.words for c in book.counters if c.words} if book is not None else {}
        """values that are words (an attribute …) -> their words, by number"""
        self.slots: dict[str, Phrase] = {}
        """chosen cards as they are called from now on"""
        self.fresh: dict[str, Phrase] = {}
        """chosen cards that no sentence has told of yet"""

    # --- the card ---------------------------------------------------------------------------------------------

    def lines(self, card: Printed) -> list[str]:
        found = [self.keyword(name, n) for name, n in getattr(card, "keywords", {}).items() if n]
        for field in type(card).__struct_fields__:
            value = getattr(card, field)
            if value and self.words.pattern(f"printed.{field}") is not None:
                known = self.words.pattern(f"{field}.{value}")
                found.append(self.t(f"printed.{field}", value=known or self.translated(str(value))))
        return found + [self.ability(ability) for ability in card.ability]

    def keyword(self, name: str, n: int = 1) -> str:
        """A keyword as printed, with its number where it has one."""
        numbered = f"keyword.{name}_n"
        return self.t(numbered, n=n) if self.words.pattern(numbered) is not None else self.t(f"keyword.{name}")

    def ability(self, ability: fx.Ability) -> str:
        """The line of one ability. Choices are told where they are first used, unless that would be too late."""
        told: set[str] = set()
        while True:
            try:
                return self._sentences(getattr(self, f"_{type(ability).__name__.lower()}")(ability, told))
            except _Early as early:
                told.add(early.slot)

    def _begin(self, ability: Any, told: set[str], it: Phrase | None = None) -> list[str]:
        """Sets the slots up; the sentences that tell of targets before anything else."""
        this = Phrase(self.t("text.self"), "own")
        self.slots, self.fresh = {"self": this, "it": it or this}, {}
        for name in ("attacker", "attacked", "own", "other"):
            self.slots[name] = Phrase(self.t(f"text.slot.{name}"))
        self.slots["bearer"] = Phrase(self.t("text.slot.bearer"), "own")
        first = []
        for target in getattr(ability, "targets", ()):
            phrase = self.some(target.from_, target.n, target.up_to)
            self._meet(target.slot, phrase, target.n)
            if target.slot in told:
                first.append(self.t("text.choose", what=self.fresh.pop(target.slot).text))
        return first

    def _activated(self, a: fx.Activated, told: set[str]) -> list[str]:
        sentences = self._paid(a, told)
        return [*sentences, self.t("text.once")] if a.once or not a.cost else sentences

    def _effect(self, a: fx.Effect, told: set[str]) -> list[str]:
        return self._paid(a, told)

    def _paid(self, a: fx.Activated | fx.Effect, told: set[str]) -> list[str]:
        first = self._begin(a, told)
        sentences = first + self.steps(a.then)
        if a.cost:
            sentences[0] = self.t("text.paid", cost=self._costs(a.cost), effect=sentences[0])
        return self._after(self.conditions(a.when), sentences)

    def _triggered(self, a: fx.Triggered, told: set[str]) -> list[str]:
        whose = "any" if a.whose == "self" else a.whose
        kind = structs.replace(a.fits or fx.Select(), of=whose)
        it = Phrase(self.t("text.slot.it"), whose) if a.whose != "self" else None
        first = self._begin(a, told, it)
        subject = self.some(kind).text if it else self.t("text.self")
        key = self.words.first(f"text.moment.{a.on}_{a.whose}", f"text.moment.{a.on}", "text.moment.any")
        if a.fits is not None and not key.endswith(a.on):
            key = self.words.first(f"text.moment.{a.on}", "text.moment.any")
        moment = self.t(key, it=subject, moment=a.on)
        return self._after([moment, *self.conditions(a.when)], first + self.steps(a.then))

    def _passive(self, a: fx.Passive, told: set[str]) -> list[str]:
        self._begin(a, told)
        what = self.what(a.what).text
        if a.what in ("own", "other") and a.set is None and isinstance(a.add, int):
            more, whose = "more" if a.add > 0 else "less", self.whose(str(a.what), "each")
            sentence = self.t(f"text.has.{more}", whose=whose, name=inside(self.value_name(a.name)), n=abs(a.add))
        elif a.set is None:
            sentence = self._has(what, a.name, a.add)
        elif not self.is_keyword(a.name):
            key, args = self._set(a.what, a.name, a.set)
            sentence = self.t(f"text.has.{key}", what=what, **args)
        elif a.set:
            sentence = self.t("text.has.gains", what=what, gains=self.keyword(a.name, a.set))
        else:
            sentence = self.t("text.has.not", what=what, name=self.value_name(a.name))
        return self._after(self.conditions(a.when, "while"), [sentence])

    def _has(self, what: str, name: str, n: fx.Number) -> str:
        gains, per = self.gain(name, n)
        return self.t("text.has.gains_per" if per else "text.has.gains", what=what, gains=gains, per=per)

    def _reaction(self, a: fx.Reaction, told: set[str]) -> list[str]:
        first = self._begin(a, told)
        self.slots["self"] = self.slots["it"] = self.slots["self"]._replace(zones=("deck",))
        sentences = first + self.steps(a.then)
        return [self.t("text.reaction", effect=sentences[0]), *sentences[1:]]

    def _regenerate(self, a: fx.Regenerate, told: set[str]) -> list[str]:
        self._begin(a, told)
        terms = [*self.conditions(a.when), *([self._costs(a.cost)] if a.cost else [])]
        if not terms:
            return [self.t("text.regenerate")]
        return [self.t("text.regenerate_if", terms=self.t("text.comma").join(terms))]

    def _costs(self, costs: tuple[fx.Cost, ...]) -> str:
        told = []
        for cost in costs:
            what = self.some(structs.replace(cost.from_, of="own"), cost.n).away if cost.from_ else ""
            told += self.line(f"pay.{cost.pay}", "_and" if cost is not costs[-1] else "", cost.n, what=what)
        return self.t("text.comma").join(told)

    def _after(self, before: list[str], sentences: list[str]) -> list[str]:
        """Puts what must come first (a moment, a condition) before the first sentence."""
        if not before:
            return sentences
        joined = self.t("text.comma").join(before)
        return [self.t("text.after", before=joined, effect=sentences[0]), *sentences[1:]]

    def _sentences(self, sentences: Sequence[str]) -> str:
        stop = self.t("text.stop")
        return self.t("text.gap").join(s[0].upper() + s[1:] + stop for s in map(_tidy, sentences))

    # --- instructions -----------------------------------------------------------------------------------------

    def steps(self, then: Sequence[fx.Instruction]) -> list[str]:
        """The instructions as sentences without their stops."""
        return [s for step in self._grouped(then) for s in self.step(step)]

    def inner(self, then: Sequence[fx.Instruction]) -> str:
        """The instructions as one clause: `draw a card, discard it and burst …`."""
        groups = self._grouped(then)
        if any(isinstance(g[0], (fx.If, fx.May, fx.Each)) for g in groups[:-1]):
            return self.t("text.stop").join(s for g in groups for s in self.step(g))
        told = [s for g in groups[:-1] for s in self.step(g, "_and")]
        last = self.step(groups[-1])
        told.append(last[0])
        clause = self.listed(told, "clauses")
        return (self.t("text.stop") + self.t("text.gap")).join([clause, *last[1:]])

    def listed(self, parts: Sequence[str], what: str) -> str:
        """`a, b and c`, of words or clauses."""
        start = self.t(f"text.comma_{what}").join(parts[:-1])
        return f"{start}{self.t(f'text.and_{what}')}{parts[-1]}" if start else parts[-1]

    def _grouped(self, then: Sequence[fx.Instruction]) -> list[list[fx.Instruction]]:
        """Instructions that one sentence tells: a choice with its use, gifts to the same cards."""
        groups: list[list[fx.Instruction]] = []
        for step in then:
            before = groups[-1] if groups else []
            if before and (self._used_at_once(before[-1], step) or self._given_together(before[-1], step)):
                before.append(step)
            else:
                groups.append([step])
        return groups

    @staticmethod
    def _used_at_once(before: fx.Instruction, step: fx.Instruction) -> bool:
        return isinstance(before, fx.ChooseCards) and before.by == "own" and getattr(step, "what", None) == before.slot

    def _given_together(self, before: fx.Instruction, step: fx.Instruction) -> bool:
        return _same_gift(before, step) and self._own_gift(before) is None and self._own_gift(step) is None

    def step(self, group: list[fx.Instruction], form: str = "") -> list[str]:
        """The sentences of one group; `form` "_and": another clause follows."""
        if isinstance(group[0], fx.ChooseCards) and len(group) > 1:
            choice = group.pop(0)
            assert isinstance(choice, fx.ChooseCards)
            self._meet(choice.slot, self.some(choice.from_, choice.n, choice.up_to), choice.n)
        if isinstance(group[0], (fx.AddValue, fx.SetValue)):
            return self._gifts(group, form)
        return getattr(self, f"do_{type(group[0]).__name__.lower()}")(group[0], form)

    def line(self, key: str, form: str, number: fx.Number | None = None, **args: str) -> list[str]:
        """One sentence from `text.{key}`, in its form for an amount, for one, and for going on."""
        values: dict[str, str | int] = dict(args)
        if isinstance(number, fx.Amount):
            key += "_by"
            values["n"] = self.amount(number)
        elif number is not None:
            values["n"] = number
        going_on = f"text.{key}{form}"
        key = going_on if form and self.words.own(going_on) is not None else f"text.{key}"
        return [self.t(key, **values)]

    def do_draw(self, i: fx.Draw, form: str) -> list[str]:
        if i.who == "own":
            return self.line("draw", form, i.n)
        return self.line("draw_they", form, i.n, who=self.t(f"text.who.{i.who}"))

    def do_burst(self, i: fx.Burst, form: str) -> list[str]:
        return self.line("burst", form, i.n, whose=self.whose(i.who, "each"))

    def do_mill(self, i: fx.Mill, form: str) -> list[str]:
        return self.line("mill", form, i.n, whose=self.whose(i.who, "each"))

    def do_damage(self, i: fx.Damage, form: str) -> list[str]:
        what = self.what(i.what).text
        return self.line("damage", form, i.n, what=what)

    def do_destroy(self, i: fx.Destroy, form: str) -> list[str]:
        return self.line("destroy", form, what=self.what(i.what).text)

    def do_move(self, i: fx.Move, form: str) -> list[str]:
        what = self.what(i.what)
        keys = [f"put.{i.zone}_from_{zone}" for zone in what.zones if len(what.zones) == 1] + [f"put.{i.zone}"]
        if i.at == "bottom":
            keys.insert(0, f"put.{i.zone}_bottom")
        key = self.words.first(*(f"text.{k}" for k in keys), "text.move").removeprefix("text.")
        zone = inside(self.t(f"zone.{i.zone}"))
        return self.line(key, form, what=what.away, whose=self.whose(what.of, "owner"), zone=zone)

    def do_play(self, i: fx.Play, form: str) -> list[str]:
        return self.line("play", form, what=self.what(i.what).away)

    def do_exhaust(self, i: fx.Exhaust, form: str) -> list[str]:
        return self.line("exhaust" if i.exhausted else "ready", form, what=self.what(i.what).text)

    def _own_gift(self, step: fx.Instruction) -> str | None:
        """The key of the game's own sentence for what this does to a value: `add.def`, `be.no_draw_1`."""
        key = ""
        if isinstance(step, fx.AddValue) and isinstance(step.n, int) and step.n > 0:
            key = f"add.{step.name}"
        elif isinstance(step, fx.SetValue):
            key = f"sets.{step.name}_{step.value}"
        return key if key and self.words.pattern(f"text.{key}") is not None else None

    def _gifts(self, group: list[Any], form: str) -> list[str]:
        what = self.what(group[0].what)
        duration = inside(
            self.t(self.words.first(f"text.duration.{group[0].duration}", f"duration.{group[0].duration}"))
        )
        own = self._own_gift(group[0])
        if own is not None:
            whose = self.whose(str(group[0].what), "each") if group[0].what in ("own", "other") else ""
            return self.line(own, form, getattr(group[0], "n", None), what=what.text, whose=whose, duration=duration)
        gains = [g for step in group for g in self._gains(step)]
        if gains:
            joined, per = self.listed([gain for gain, _ in gains], "words"), gains[0][1]
            key = "give_per" if per else "give_to" if what.taken else "give"
            return self.line(key, form, what=what.text, duration=duration, gains=joined, per=per)
        be, name = group[0], self.value_name(group[0].name)
        if self.is_keyword(be.name):
            return self.line("take", form, what=what.text, duration=duration, name=name)
        key, args = self._set(be.what, be.name, be.value)
        return self.line(key, form, None, what=what.text, duration=duration, **args)

    def _set(self, what: fx.Who, name: str, value: int) -> tuple[str, dict[str, str]]:
        """The key of setting a value, and what fills it: what a card is has a word, and all else is the base to which
        additions are added.
        """
        words = self.named.get(name, ())
        if 0 <= value < len(words):
            word = inside(self.t(f"{name}.{words[value]}"))
            return "set_word", {"name": inside(self.value_name(name)), "word": word}
        args = {"name": self.value_name(name), "n": number(value)}
        if what in ("own", "other"):
            return "set_of_player", {**args, "whose": self.whose(str(what), "each")}
        return "set", args

    def _gains(self, step: fx.AddValue | fx.SetValue) -> list[tuple[str, str]]:
        if isinstance(step, fx.AddValue):
            return [self.gain(step.name, step.n)]
        return [(self.keyword(step.name, step.value), "")] if _gives(step) and self.is_keyword(step.name) else []

    def do_change(self, i: fx.Change, form: str) -> list[str]:
        key, n = "change_up", i.n
        if isinstance(n, int) and n < 0:
            key, n = "change_down", -n
        name = inside(self.value_name(i.name))
        return self.line(key, form, n, whose=self.whose(i.who, "each"), name=name)

    def do_choosecards(self, i: fx.ChooseCards, form: str) -> list[str]:
        side = "their" if i.by == "other" and i.from_.of == "other" else ""
        phrase = self.some(i.from_, i.n, i.up_to, side)
        self._meet(i.slot, phrase, i.n)
        self.fresh.pop(i.slot)
        return self.line("choose" if i.by == "own" else "choose_they", form, what=phrase.text)

    def do_each(self, i: fx.Each, form: str) -> list[str]:
        what = self.what(i.what)
        alone = i.then[0] if len(i.then) == 1 else None
        self.slots[i.slot] = what._replace(text=self.t("text.slot.it"), taken="")
        if getattr(alone, "what", None) == i.slot and not isinstance(alone, fx.Each):
            self.fresh[i.slot] = what
            return self.steps(i.then)
        return self.line("each", form, what=what.text, then=self.inner(i.then))

    def do_if(self, i: fx.If, form: str) -> list[str]:
        when = self.t("text.comma").join(self.conditions(i.when))
        told = self.line("if", form, when=when, then=self.inner(i.then))
        return told + self.line("otherwise", form, then=self.inner(i.otherwise)) if i.otherwise else told

    def do_may(self, i: fx.May, form: str) -> list[str]:
        told = self.line("may", form, then=self.inner(i.then))
        return told + self.line("may_not", form, then=self.inner(i.otherwise)) if i.otherwise else told

    def do_cancel(self, i: fx.Cancel, form: str) -> list[str]:
        return self.line("cancel", form, what=self.what(i.what).text)

    def do_endattack(self, i: fx.EndAttack, form: str) -> list[str]:
        return self.line("end_attack", form)

    def do_reveal(self, i: fx.Reveal, form: str) -> list[str]:
        return self.line("reveal", form, what=self.what(i.what).text)

    def do_shuffle(self, i: fx.Shuffle, form: str) -> list[str]:
        return self.line("shuffle", form, whose=self.whose(i.who, "each"))

    def do_special(self, i: fx.Special, form: str) -> list[str]:
        key = self.words.first(f"text.special.{i.name}", "text.special.any").removeprefix("text.")
        return self.line(key, form, name=i.name.replace("_", " "))

    # --- cards ------------------------------------------------------------------------------------------------

    def _meet(self, slot: str, phrase: Phrase, n: int) -> None:
        later = self.t("text.slot.it" if n == 1 else "text.slot.many")
        self.slots[slot], self.fresh[slot] = phrase._replace(text=later, taken=""), phrase

    def what(self, what: fx.Who) -> Phrase:
        """The cards that an instruction speaks of; a choice is told in full at its first mention."""
        if isinstance(what, fx.Select):
            return self.some(what, None)
        return self.fresh.pop(what, None) or self.slots.get(what) or Phrase(self.t("text.slot.it"))

    def mention(self, slot: str) -> str:
        """A slot beside what an instruction does: a choice must have been told of before."""
        if slot in self.fresh:
            raise _Early(slot)
        return self.slots[slot].text if slot in self.slots else self.t("text.slot.it")

    def some(self, select: fx.Select, n: int | None = 1, up_to: bool = False, side: str = "") -> Phrase:
        """Selected cards: n or up to n of them, or (None) each."""
        number = "each" if n is None else "up_to" if up_to else "one" if n == 1 else "n"
        many = n is not None and n > 1
        text, taken = (self.cards(select, number, n or 1, side, many, place) for place in ("in", "out"))
        return Phrase(text, select.of, select.zone, taken)

    def cards(
        self, select: fx.Select, number: str, n: int = 1, side: str = "", many: bool = False, place: str = "in"
    ) -> str:
        """Selected cards by the template `text.some.{number}`; `place` out: as cards that are taken from there."""
        unit = self.words.first(*(f"text.unit.{zone}" for zone in select.zone), "text.unit.any")
        key = f"text.some.{number}" + ("_other" if select.another else "")
        where = self.where(select, side, place) if number != "kind" else ""
        values = "".join(self.values(select)) if not self.t("text.space") else " ".join(self.values(select))
        return self.t(
            key, n=n, unit=self.t(unit), where=where, rest=self.rest(select, many), **{"with": values}
        )

    def rest(self, select: fx.Select, many: bool) -> str:
        """Adjectives and noun."""
        parts = (
            []
            if select.exhausted is None
            else [self.t("text.is.exhausted" if select.exhausted else "text.is.standing")]
        )
        for sort, word in select.is_.items():
            if sort != "kind":
                shown = self.words.pattern(f"{sort}.{word}")
                shown = self.translated(word) if shown is None else inside(shown)
                parts.append(self.t(self.words.first(f"text.is.{sort}", "text.is.any"), word=shown))
        noun = self.noun(select, many)
        if select.name is not None:
            name = self.t("join.card_name", name=self.translated(select.name))
            noun = self.t("text.noun.named", noun=noun, name=name) if name == self.translated(select.name) else name
        return self.t("text.space").join([*parts, noun])

    def noun(self, select: fx.Select, many: bool) -> str:
        kind = select.is_.get("kind")
        keys = [f"text.noun.{kind}"] if kind else [f"text.noun.in_{zone}" for zone in select.zone]
        key = self.words.first(*keys, f"kind.{kind}", "text.noun.card")
        if many and self.words.own(f"{key}_many") is not None:
            key += "_many"
        return inside(self.t(key))

    def where(self, select: fx.Select, side: str = "", place: str = "in") -> str:
        whose = self.whose(side or select.of, "any")
        zones = select.zone or ("area" if self.words.pattern("text.in.area") is not None else "field",)
        together = f"text.in.{'_'.join(zones)}"
        if len(zones) > 1 and self.words.pattern(together) is not None:
            return self.t(together, whose=whose)
        found = []
        for zone in zones:
            keys = [f"text.{place}.{zone}", f"text.in.{zone}_{select.of}", f"text.in.{zone}", "text.in.any"]
            key = self.words.first(*(keys if place == "out" else keys[1:]))
            found.append(self.t(key, whose=whose, zone=inside(self.t(f"zone.{zone}"))))
        return self.t("text.or_words").join(found)

    def values(self, select: fx.Select) -> list[str]:
        found = []
        for bound, values in (("at_least", select.at_least), ("at_most", select.at_most)):
            for name, n in values.items():
                if self.is_keyword(name) and (bound, n) in (("at_least", 1), ("at_most", 0)):
                    key = "text.with.keyword" if bound == "at_least" else "text.with.no_keyword"
                else:
                    key = f"text.with.{bound}"
                key = self.words.first(f"{key}_{name}", key)
                found.append(self.t(key, name=self.value_name(name), n=n))
        return found

    def whose(self, side: str, anyone: str) -> str:
        """`your`, `your opponent's`, or the word for anyone's: any, each, owner."""
        return self.t(f"text.whose.{anyone if side == 'any' else side}")

    # --- numbers and conditions -------------------------------------------------------------------------------

    def is_keyword(self, name: str) -> bool:
        return any(self.words.pattern(f"keyword.{name}{end}") is not None for end in ("", "_n"))

    def value_name(self, name: str) -> str:
        return self.t(self.words.first(f"counter.{name}", f"keyword.{name}"))

    def gain(self, name: str, n: fx.Number) -> tuple[str, str]:
        """What is gained, and for each of what: `+500 POW`, `for each …` (or nothing)."""
        shown = self.value_name(name)
        if isinstance(n, int):
            return self.t("text.gain.number", n=_signed(n), name=shown), ""
        if n.count is None or n.plus:
            return self.t("text.gain.number_by", n=self.amount(n), name=shown), ""
        return self.t("text.gain.number", n=_signed(n.times), name=shown), self.cards(n.count, "per")

    def amount(self, n: fx.Amount) -> str:
        """`500 × the number of … + 1`."""
        if n.count is not None:
            told = self.t("text.amount.count", many=self.cards(n.count, "many", many=True))
        elif n.value is not None:
            told = self.t("text.amount.value", name=self.value_name(n.value), of=self.mention(n.of))
        else:
            return str(n.times + n.plus)
        if n.times != 1:
            told = self.t("text.amount.times", times=number(n.times), amount=told)
        if n.plus:
            told = self.t(f"text.amount.{'plus' if n.plus > 0 else 'minus'}", amount=told, plus=abs(n.plus))
        return told

    def conditions(self, when: fx.When | None, joint: str = "if") -> list[str]:
        """What must hold, as parts of a sentence: `in the attack phase`, `if there is a card in your hand`."""
        if when is None:
            return []
        if when.not_ is not None:
            when = _turned(when)
        told = []
        if when.phase is not None:
            key = self.words.first(f"text.when.phase_{when.turn}", "text.when.phase")
            told.append(self.t(key, phase=inside(self.t(f"phase.{when.phase}"))))
        if when.turn is not None and (when.phase is None or not key.endswith(when.turn)):
            told.append(self.t(f"text.when.turn_{when.turn}"))
        if when.not_ is not None and when.not_ == fx.When(phase=when.not_.phase):
            told.append(self.t("text.when.not_phase", phase=inside(self.t(f"phase.{when.not_.phase}"))))
            when = structs.replace(when, not_=None)
        clauses = self._clauses(when)
        if clauses:
            told.append(self.t(f"text.when.{joint}", clause=self.t("text.when.clause_and").join(clauses)))
        return told

    def _clauses(self, when: fx.When) -> list[str]:
        clauses = []
        if when.count is not None:
            clauses.append(self._count(when))
        if when.slot is not None:
            clauses.append(self._slot(when))
        if when.not_ is not None:
            clauses.append(self._denied(when.not_))
        return clauses

    def _denied(self, when: fx.When) -> str:
        """What must not hold, where turning it round was not possible."""
        if when == fx.When(slot=when.slot, fits=when.fits) and when.slot is not None:
            return self._slot(when, "not_", "is_not")
        parts = [*self.conditions(structs.replace(when, count=None, slot=None, fits=None)), *self._clauses(when)]
        return self.t("text.when.not", clause=self.t("text.comma").join(parts))

    def _count(self, when: fx.When) -> str:
        assert when.count is not None
        least, most = when.at_least, when.at_most
        if least is None and most is None:
            least = 1
        if most == 0:
            key = "none"
        elif least == most:
            key = "exactly"
        elif most is None:
            key = "some" if least == 1 else "least"
        else:
            key = "between" if least else "most"
        n = most if key == "most" else least
        unit = self.t(self.words.first(*(f"text.unit.{zone}" for zone in when.count.zone), "text.unit.any"))
        return self.t(
            f"text.when.count_{key}", n=n or 0, most=most or 0, unit=unit, one=self.cards(when.count, "one"),
            none=self.cards(when.count, "none"), there=self.cards(when.count, "there", many=n != 1),
            where=self.where(when.count),
        )

    def _slot(self, when: fx.When, not_: str = "", is_: str = "is") -> str:
        assert when.slot is not None
        fits = when.fits
        if fits is None:
            if when.slot in self.fresh:
                raise _Early(when.slot)
            return self.t(self.words.first(f"text.when.{not_}slot_{when.slot}", f"text.when.{not_}slot"))
        what = self.mention(when.slot)
        if fits == fx.Select(exhausted=fits.exhausted) and fits.exhausted is not None:
            key = "is_exhausted" if fits.exhausted == (is_ == "is") else "is_not_exhausted"
            return self.t(f"text.when.{key}", what=what)
        if fits == fx.Select(zone=fits.zone, of=fits.of) and fits.zone:
            side = self.slots[when.slot].of if when.slot in self.slots and fits.of == "any" else fits.of
            return self.t(f"text.when.{is_}_in", what=what, where=self.where(structs.replace(fits, of=side)))
        kind = self.cards(fits, "kind") if fits.of == "any" and not fits.zone else self.cards(fits, "one")
        return self.t(f"text.when.{is_}", what=what, kind=kind)

    # --- words ------------------------------------------------------------------------------------------------

    def t(self, key: str, **args: str | int) -> str:
        return self.words.get(key, **args)

    def translated(self, word: str) -> str:
        """A word from a card file in the language, if some card prints it so."""
        return self.said.get(word, {}).get(self.words.language, word)


def _turned(when: fx.When) -> fx.When:
    """A plain `not` as the opposite: not at least 3 is at most 2."""
    no = when.not_
    assert no is not None
    if when.count is None and no.count is not None and no == fx.When(count=no.count, at_least=no.at_least):
        return structs.replace(when, not_=None, count=no.count, at_most=(no.at_least or 1) - 1)
    if when.count is None and no.count is not None and no == fx.When(count=no.count, at_most=no.at_most):
        return structs.replace(when, not_=None, count=no.count, at_least=(no.at_most or 0) + 1)
    if when.turn is None and no.turn in ("own", "other") and no == fx.When(turn=no.turn):
        return structs.replace(when, not_=None, turn="other" if no.turn == "own" else "own")
    return when


def _gives(step: fx.Instruction) -> bool:
    return isinstance(step, fx.AddValue) or (isinstance(step, fx.SetValue) and step.value > 0)


def _same_gift(before: fx.Instruction, step: fx.Instruction) -> bool:
    """Whether both give something (a keyword or a number, no amount) to the same cards for as long."""
    if not (isinstance(before, (fx.AddValue, fx.SetValue)) and isinstance(step, (fx.AddValue, fx.SetValue))):
        return False
    if not (_gives(before) and _gives(step)) or before.duration != step.duration or before.what != step.what:
        return False
    return all(isinstance(s, fx.SetValue) or isinstance(s.n, int) for s in (before, step))


def _signed(n: int) -> str:
    return f"+{n}" if n >= 0 else number(n)


def _tidy(sentence: str) -> str:
    """Articles chosen, double spaces gone."""
    chosen = _ARTICLE.sub(lambda f: f"{'an' if f[2].lower() in 'aeiou' else 'a'} {f[1]}{f[2]}", sentence)
    return _SPACES.sub(" ", chosen).replace(" ,", ",").replace(" :", ":").replace(" )", ")").strip()
