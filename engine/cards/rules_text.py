"""A card's rules text, made from its effect data by templates of each language; it cannot say what the card does not.

The templates are in `words/*.toml` under `text`; a game's own words give zones, moments and keywords. Nothing here
decides what an effect does, and no sentence is written here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import structs

from engine.cards.definition import Printed
from engine.effects import steps
from engine.effects.abilities import Ability, Activated, Effect, Passive, Reaction, Regenerate, Triggered
from engine.effects.language import Cost, Quantity, Select
from engine.effects.writer import NotIntroduced, Phrase, Translations, Writer
from engine.words import Words, inside, words
from events.kinds import RulebookLine

_ARTICLE = re.compile(r"\ba\(n\) (\W*)(\w)")
_SPACES = re.compile(r"  +")


def rules_text(
    printed: Printed, language: str, said: Translations | None = None, book: RulebookLine | None = None
) -> list[str]:
    """The lines of a card's rules text: one for each keyword, printed mark and ability; none for a plain card.

    `said` (see `glossary`) gives other cards' names and printed words in the language; without it they are English.
    `book`: a log's rulebook line, which has words of its own for what it declares (some the card sets': attributes).
    Raises `engine.words.UnknownLanguage`.
    """
    writer = CardWriter(_words_for(printed, language, book), {**(said or {}), **glossary([printed])}, book)
    return writer.lines(printed)


def rules_texts(
    cards: Iterable[Printed], language: str, book: RulebookLine | None = None
) -> dict[str, list[str]]:
    """Code -> lines of rules text, for cards of one game that may name each other; see `rules_text`."""
    cards = list(cards)
    if not cards:
        return {}
    said, spoken = glossary(cards), _words_for(cards[0], language, book)
    return {card.code: CardWriter(spoken, {**said, **glossary([card])}, book).lines(card) for card in cards}


def cost_text(printed: Printed, ability: int, language: str, book: RulebookLine | None = None) -> str:
    """What is paid to use an ability of a card, as it stands in the card's rules text; empty where that is nothing.

    `ability` counts from 0. Raises `engine.words.UnknownLanguage`.
    """
    used = printed.ability[ability]
    if not isinstance(used, Activated | Effect) or not used.cost:
        return ""
    return CardWriter(_words_for(printed, language, book), glossary([printed]), book).cost(used)


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


class CardWriter(Writer):
    """Writes whole cards: keywords, printed marks, abilities."""

    # --- the card ---------------------------------------------------------------------------------------------

    def lines(self, card: Printed) -> list[str]:
        found = [self.keyword(name, n) for name, n in getattr(card, "keywords", {}).items() if n]
        for field in type(card).__struct_fields__:
            value = getattr(card, field)
            if value and self.words.pattern(f"printed.{field}") is not None:
                known = self.words.pattern(f"{field}.{value}")
                found.append(self.t(f"printed.{field}", value=known or self.translated(str(value))))
        return found + [self.ability(ability) for ability in card.ability]


    def ability(self, ability: Ability) -> str:
        """The line of one ability. Choices are told where they are first used, unless that would be too late."""
        told: set[str] = set()
        while True:
            try:
                return self._sentences(getattr(self, f"_{type(ability).__name__.lower()}")(ability, told))
            except NotIntroduced as problem:
                told.add(problem.slot)

    def cost(self, ability: Activated | Effect) -> str:
        """What is paid for an ability, without what comes of it."""
        self._begin(ability, set())
        return _tidy(self._costs(ability.cost))

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
            self.introduce(target.slot, phrase, target.n)
            if target.slot in told:
                first.append(self.t("text.choose", what=self.fresh.pop(target.slot).text))
        return first

    def _activated(self, a: Activated, told: set[str]) -> list[str]:
        sentences = self._paid(a, told)
        return [*sentences, self.t("text.once")] if a.once_a_turn else sentences

    def _effect(self, a: Effect, told: set[str]) -> list[str]:
        return self._paid(a, told)

    def _paid(self, a: Activated | Effect, told: set[str]) -> list[str]:
        first = self._begin(a, told)
        sentences = first + steps.sentences(self, a.then)
        if a.cost:
            sentences[0] = self.t("text.paid", cost=self._costs(a.cost), effect=sentences[0])
        return self._after(self.conditions(a.when), sentences)

    def _triggered(self, a: Triggered, told: set[str]) -> list[str]:
        whose = "any" if a.whose == "self" else a.whose
        kind = structs.replace(a.fits or Select(), of=whose)
        it = Phrase(self.t("text.slot.it"), whose) if a.whose != "self" else None
        first = self._begin(a, told, it)
        subject = self.some(kind).text if it else self.t("text.self")
        key = self.words.first(f"text.moment.{a.on}_{a.whose}", f"text.moment.{a.on}", "text.moment.any")
        if a.fits is not None and not key.endswith(a.on):
            key = self.words.first(f"text.moment.{a.on}", "text.moment.any")
        moment = self.t(key, it=subject, moment=a.on)
        return self._after([moment, *self.conditions(a.when)], first + steps.sentences(self, a.then))

    def _passive(self, a: Passive, told: set[str]) -> list[str]:
        self._begin(a, told)
        what = self.what(a.what).text
        if a.what in ("own", "other") and a.set is None and isinstance(a.add, int):
            more, whose = "more" if a.add > 0 else "less", self.whose(str(a.what), "each")
            sentence = self.t(f"text.has.{more}", whose=whose, name=inside(self.value_name(a.name)), n=abs(a.add))
        elif a.set is None:
            sentence = self._has(what, a.name, a.add)
        elif not self.is_keyword(a.name):
            key, args = self.set_value(a.what, a.name, a.set)
            sentence = self.t(f"text.has.{key}", what=what, **args)
        elif a.set:
            sentence = self.t("text.has.gains", what=what, gains=self.keyword(a.name, a.set))
        else:
            sentence = self.t("text.has.not", what=what, name=self.value_name(a.name))
        return self._after(self.conditions(a.when, "while"), [sentence])

    def _has(self, what: str, name: str, n: Quantity) -> str:
        own = f"text.has.{name}_{'less' if isinstance(n, int) and n < 0 else 'more'}"
        if isinstance(n, int) and self.words.pattern(own) is not None:
            return self.t(own, what=what, n=abs(n))
        gains, per = self.gain(name, n)
        return self.t("text.has.gains_per" if per else "text.has.gains", what=what, gains=gains, per=per)

    def _reaction(self, a: Reaction, told: set[str]) -> list[str]:
        first = self._begin(a, told)
        self.slots["self"] = self.slots["it"] = self.slots["self"]._replace(zones=("deck",))
        sentences = first + steps.sentences(self, a.then)
        return [self.t("text.reaction", effect=sentences[0]), *sentences[1:]]

    def _regenerate(self, a: Regenerate, told: set[str]) -> list[str]:
        self._begin(a, told)
        terms = [*self.conditions(a.when), *([self._costs(a.cost)] if a.cost else [])]
        if not terms:
            return [self.t("text.regenerate")]
        return [self.t("text.regenerate_if", terms=self.t("text.comma").join(terms))]

    def _costs(self, costs: tuple[Cost, ...]) -> str:
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


def _tidy(sentence: str) -> str:
    """Articles chosen, double spaces gone."""
    chosen = _ARTICLE.sub(lambda f: f"{'an' if f[2].lower() in 'aeiou' else 'a'} {f[1]}{f[2]}", sentence)
    return _SPACES.sub(" ", chosen).replace(" ,", ",").replace(" :", ":").replace(" )", ")").strip()
