"""Writer: the parts of an effect in words, which are cards, numbers and conditions, by templates of each language.

The templates are in `words/*.toml` under `text`; a game's own words give zones, moments and keywords. Each kind of
instruction writes its own sentence with these; `engine.cards.rules_text` writes whole cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import structs

from engine.effects.language import Amount, Quantity, Select, When, Who
from engine.words import Words, inside, shown_number
from events.kinds import RulebookLine

Translations: TypeAlias = Mapping[str, Mapping[str, str]]
"""English word as a card file has it (a card's name, a race) -> language -> word"""


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


class NotIntroduced(Exception):
    """A chosen card is spoken of before its choice has been told: it must be told first."""

    def __init__(self, slot: str) -> None:
        self.slot = slot


class Writer:
    """Writes the lines of one card; it remembers which chosen cards it has told of."""

    def __init__(self, said_in: Words, said: Translations, book: RulebookLine | None) -> None:
        self.words = said_in
        self.said = said
        self.named = {c.name: c.words for c in book.counters if c.words} if book is not None else {}
        """values that are words (an attribute …) -> their words, by number"""
        self.slots: dict[str, Phrase] = {}
        """chosen cards as they are called from now on"""
        self.fresh: dict[str, Phrase] = {}
        """chosen cards that no sentence has told of yet"""

    # --- sentences --------------------------------------------------------------------------------------------

    def line(self, key: str, form: str, number: Quantity | None = None, **args: str) -> list[str]:
        """One sentence from `text.{key}`, in its form for an amount, for one, and for going on."""
        values: dict[str, str | int] = dict(args)
        if isinstance(number, Amount):
            key += "_by"
            values["n"] = self.amount(number)
        elif number is not None:
            values["n"] = number
        going_on = f"text.{key}{form}"
        key = going_on if form and self.words.own(going_on) is not None else f"text.{key}"
        return [self.t(key, **values)]

    def listed(self, parts: Sequence[str], what: str) -> str:
        """`a, b and c`, of words or clauses."""
        start = self.t(f"text.comma_{what}").join(parts[:-1])
        return f"{start}{self.t(f'text.and_{what}')}{parts[-1]}" if start else parts[-1]

    def keyword(self, name: str, n: int = 1) -> str:
        """A keyword as printed, with its number where it has one."""
        numbered = f"keyword.{name}_n"
        return self.t(numbered, n=n) if self.words.pattern(numbered) is not None else self.t(f"keyword.{name}")

    def introduce(self, slot: str, phrase: Phrase, n: int) -> None:
        """Cards are chosen into a slot: the next sentence that speaks of them tells so."""
        later = self.t("text.slot.it" if n == 1 else "text.slot.many")
        self.slots[slot], self.fresh[slot] = phrase._replace(text=later, taken=""), phrase

    def what(self, what: Who) -> Phrase:
        """The cards that an instruction speaks of; a choice is told in full at its first mention."""
        if isinstance(what, Select):
            return self.some(what, None)
        return self.fresh.pop(what, None) or self.slots.get(what) or Phrase(self.t("text.slot.it"))

    def mention(self, slot: str) -> str:
        """A slot beside what an instruction does: a choice must have been told of before."""
        if slot in self.fresh:
            raise NotIntroduced(slot)
        return self.slots[slot].text if slot in self.slots else self.t("text.slot.it")

    def some(self, select: Select, n: int | None = 1, up_to: bool = False, side: str = "") -> Phrase:
        """Selected cards: n or up to n of them, or (None) each."""
        number = "each" if n is None else "up_to" if up_to else "one" if n == 1 else "n"
        many = n is not None and n > 1
        text, taken = (self.cards(select, number, n or 1, side, many, place) for place in ("in", "out"))
        return Phrase(text, select.of, select.zone, taken)

    def cards(
        self, select: Select, number: str, n: int = 1, side: str = "", many: bool = False, place: str = "in"
    ) -> str:
        """Selected cards by the template `text.some.{number}`; `place` out: as cards that are taken from there."""
        unit = self.words.first(*(f"text.unit.{zone}" for zone in select.zone), "text.unit.any")
        key = f"text.some.{number}" + ("_other" if select.another else "")
        where = self.where(select, side, place) if number != "kind" else ""
        joint = self.t("text.and_words") if self.t("text.space") else ""
        values = joint.join(self.values(select))
        return self.t(
            key, n=n, unit=self.t(unit), where=where, rest=self.rest(select, many), **{"with": values}
        )

    def rest(self, select: Select, many: bool) -> str:
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

    def noun(self, select: Select, many: bool) -> str:
        kind = select.is_.get("kind")
        keys = [f"text.noun.{kind}"] if kind else [f"text.noun.in_{zone}" for zone in select.zone]
        key = self.words.first(*keys, f"kind.{kind}", "text.noun.card")
        if many and self.words.own(f"{key}_many") is not None:
            key += "_many"
        return inside(self.t(key))

    def where(self, select: Select, side: str = "", place: str = "in") -> str:
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

    def values(self, select: Select) -> list[str]:
        found = [
            self.t("text.with.between", name=self.value_name(name), n=n, most=select.at_most[name])
            for name, n in select.at_least.items() if name in select.at_most
        ]
        for bound, values in (("at_least", select.at_least), ("at_most", select.at_most)):
            for name, n in values.items():
                if name in select.at_least and name in select.at_most:
                    continue
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

    def set_value(self, what: Who, name: str, value: int) -> tuple[str, dict[str, str]]:
        """The key of setting a value, and what fills it: what a card is has a word, and all else is the base to which
        additions are added.
        """
        words = self.named.get(name, ())
        if 0 <= value < len(words):
            word = inside(self.t(f"{name}.{words[value]}"))
            return "set_word", {"name": inside(self.value_name(name)), "word": word}
        args = {"name": self.value_name(name), "n": shown_number(value)}
        if what in ("own", "other"):
            return "set_of_player", {**args, "whose": self.whose(str(what), "each")}
        return "set", args

    def gain(self, name: str, n: Quantity) -> tuple[str, str]:
        """What is gained, and for each of what: `+500 POW`, `for each …` (or nothing)."""
        shown = self.value_name(name)
        if isinstance(n, int):
            return self.t("text.gain.number", n=_signed(n), name=shown), ""
        if n.count is None or n.plus:
            return self.t("text.gain.number_by", n=self.amount(n), name=shown), ""
        return self.t("text.gain.number", n=_signed(n.times), name=shown), self.cards(n.count, "per")

    def amount(self, n: Amount) -> str:
        """`500 × the number of … + 1`."""
        if n.count is not None:
            told = self.t("text.amount.count", many=self.cards(n.count, "many", many=True))
        elif n.value is not None:
            told = self.t("text.amount.value", name=self.value_name(n.value), of=self.mention(n.of))
        else:
            return str(n.times + n.plus)
        if n.times != 1:
            told = self.t("text.amount.times", times=shown_number(n.times), amount=told)
        if n.plus:
            told = self.t(f"text.amount.{'plus' if n.plus > 0 else 'minus'}", amount=told, plus=abs(n.plus))
        return told

    def conditions(self, when: When | None, joint: str = "if") -> list[str]:
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
        if when.not_ is not None and when.not_ == When(phase=when.not_.phase):
            told.append(self.t("text.when.not_phase", phase=inside(self.t(f"phase.{when.not_.phase}"))))
            when = structs.replace(when, not_=None)
        clauses = self._clauses(when)
        if clauses:
            told.append(self.t(f"text.when.{joint}", clause=self.t("text.when.clause_and").join(clauses)))
        return told

    def _clauses(self, when: When) -> list[str]:
        clauses = []
        if when.count is not None:
            clauses.append(self._count(when))
        if when.slot is not None:
            clauses.append(self._slot(when))
        if when.not_ is not None:
            clauses.append(self._denied(when.not_))
        return clauses

    def _denied(self, when: When) -> str:
        """What must not hold, where turning it round was not possible."""
        if when == When(slot=when.slot, fits=when.fits) and when.slot is not None:
            return self._slot(when, "not_", "is_not")
        parts = [*self.conditions(structs.replace(when, count=None, slot=None, fits=None)), *self._clauses(when)]
        return self.t("text.when.not", clause=self.t("text.comma").join(parts))

    def _count(self, when: When) -> str:
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

    def _slot(self, when: When, not_: str = "", is_: str = "is") -> str:
        assert when.slot is not None
        fits = when.fits
        if fits is None:
            if when.slot in self.fresh:
                raise NotIntroduced(when.slot)
            return self.t(self.words.first(f"text.when.{not_}slot_{when.slot}", f"text.when.{not_}slot"))
        what = self.mention(when.slot)
        if fits == Select(exhausted=fits.exhausted) and fits.exhausted is not None:
            key = "is_exhausted" if fits.exhausted == (is_ == "is") else "is_not_exhausted"
            return self.t(f"text.when.{key}", what=what)
        if fits == Select(zone=fits.zone, of=fits.of) and fits.zone:
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


def _turned(when: When) -> When:
    """A plain `not` as the opposite: not at least 3 is at most 2."""
    no = when.not_
    assert no is not None
    if when.count is None and no.count is not None and no == When(count=no.count, at_least=no.at_least):
        return structs.replace(when, not_=None, count=no.count, at_most=(no.at_least or 1) - 1)
    if when.count is None and no.count is not None and no == When(count=no.count, at_most=no.at_most):
        return structs.replace(when, not_=None, count=no.count, at_least=(no.at_most or 0) + 1)
    if when.turn is None and no.turn in ("own", "other") and no == When(turn=no.turn):
        return structs.replace(when, not_=None, turn="other" if no.turn == "own" else "own")
    return when


def _signed(n: int) -> str:
    return f"+{n}" if n >= 0 else shown_number(n)
