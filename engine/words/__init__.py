"""Words by language: what people read, from `words/*.toml` here and in each game's folder. No sentence is in code.

Keys are dotted (`zone.hand`, `say.attack`); placeholders stand in braces by name and are filled in one pass, so that
what is filled in is never read as a pattern. A game's own table wins over the common one; a missing word is English.
What a log's rulebook line declares is called as that line calls it, whatever is installed here: so an old log reads
as it always did. Such words are plain text, and sentences never come from a log.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Set
from functools import cache
from pathlib import Path

from events.errors import CardfoldError
from events.kinds import RulebookLine

LANGUAGES = ("en", "zh-Hans", "zh-Hant", "ja")

SHARED = Path(__file__).parent
"""the words that all games share"""

RULEBOOKS = SHARED.parent / "rulebooks"
_LONGEST = 300
"""Characters that are read of a word that a log brings along."""

_MAX_KEPT = 16
"""Rulebook lines whose words are kept: games of one file share theirs."""

_Table = Mapping[str, str]
_PLACE = re.compile(r"\{(\w+)\}")
_OPTIONAL = ("_one", "_many", "_and")
"""Endings of forms that only some languages need."""

_DECLARED = {
    "zone": "zones",
    "counter": "counters",
    "phase": "phases",
    "move_kind": "move_kinds",
    "question": "questions",
    "attachment": "attachments",
    "direction": "directions",
    "outcome": "outcomes",
    "step": "steps",
    "duration": "durations",
    "rule": "rules",
    "roll": "rolls",
    "reason": "reasons",
}
_NAMES = {"turn", *_DECLARED}


class UnknownLanguage(CardfoldError):
    """A language without words; the message names those that there are."""

    def __init__(self, language: str) -> None:
        super().__init__(f"There are no words in {language!r}; the languages are {', '.join(LANGUAGES)}")


def fill(pattern: str, args: Mapping[str, str | int]) -> str:
    """The pattern with its placeholders filled in; one without a value stays as it is."""

    def value(found: re.Match[str]) -> str:
        told = args.get(found[1], found[0])
        return shown_number(told) if isinstance(told, int) else told

    return _PLACE.sub(value, pattern)


def shown_number(n: int) -> str:
    """A number as people write it: with a minus sign, not a hyphen."""
    return str(n) if n >= 0 else f"−{-n}"


def inside(word: str) -> str:
    """A word as it stands inside a sentence: `Attack phase` -> `attack phase`, `POW` and `A line` as they are."""
    return word[0].lower() + word[1:] if len(word) > 1 and word[1].islower() else word


def clean(text: str, longest: int) -> str:
    """A stranger's text on one line, without control and direction characters, cut to `longest`."""
    kept = "".join(c if c.isprintable() else " " for c in text[: longest * 4])
    kept = " ".join(kept.split())
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


def placeholders(pattern: str) -> list[str]:
    """The names of a pattern's placeholders."""
    return _PLACE.findall(pattern)


class Words:
    """One language's words for one game (or for none)."""

    __slots__ = ("_all", "_english", "_own", "_renamed", "language")

    def __init__(self, language: str, own: _Table, english: _Table) -> None:
        self.language = language
        self._own = own
        self._english = english
        self._all = {**english, **own}
        self._renamed: frozenset[str] = frozenset()

    def under(self, own: _Table, english: _Table) -> Words:
        """These words where a log calls some things by its own: in this language, and in English."""
        if own.items() <= self._own.items() and english.items() <= self._english.items():
            return self
        own, english = _plain(own), _plain(english)
        log = Words(self.language, {**self._own, **own}, {**self._english, **english})
        log._renamed = frozenset(key for key in (*own, *english) if log.pattern(key) != self.pattern(key))
        return log

    def renamed(self, key: str) -> bool:
        """Whether a log calls this otherwise than the words that are installed here."""
        return key in self._renamed

    def own(self, key: str) -> str | None:
        """The pattern in this very language, or None."""
        return self._own.get(key)

    def pattern(self, key: str) -> str | None:
        """The pattern in this language, else in English, else None."""
        return self._all.get(key)

    def first(self, *keys: str) -> str:
        """The first of these keys that has a pattern; the last one if none has."""
        return next((key for key in keys if self.pattern(key) is not None), keys[-1])

    def form(self, key: str, args: Mapping[str, str | int]) -> str:
        """The key, or its form for one where `n` is 1 and the language has such a form."""
        one = f"{key}_one"
        return one if args.get("n") == 1 and self.own(one) is not None else key

    def get(self, key: str, **args: str | int) -> str:
        """The word or sentence, filled in; a key without any is shown as its own last part.

        A log's own word is no pattern: braces in it stay what they are.
        """
        form = self.form(key, args)
        pattern = self.pattern(form)
        if pattern is not None and form in self._renamed:
            return pattern
        return key.rpartition(".")[2].replace("_", " ") if pattern is None else fill(pattern, args)


def words(language: str, game: str | None = None, book: RulebookLine | None = None) -> Words:
    """The words of a language, with a game's own before the common ones.

    `book`: the rulebook line of the log that is shown. What it declares is called as it says; a word that it lacks in
    this language is the installed one, else the line's English one, else the installed English one. Raises
    `UnknownLanguage`.
    """
    if language not in LANGUAGES:
        raise UnknownLanguage(language)
    installed = _installed(language, _folders().get(game) if game else None)
    if book is None or not book.words:
        return installed
    place = (language, game, id(book))
    found = _kept.get(place)
    if found is None:
        brought = list(_brought(book))
        own, english = ({key: said[name] for key, said in brought if name in said} for name in (language, "en"))
        if len(_kept) >= _MAX_KEPT:
            _kept.clear()
        found = _kept[place] = (book, installed.under(own, english))  # kept alive: the id stays its own
    return found[1]


_kept: dict[tuple[str, str | None, int], tuple[RulebookLine, Words]] = {}


def _brought(book: RulebookLine) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The words that a rulebook line brings along for what it declares, by language.

    A counter may be called as a sort of sentences is (`say`, `text` …): what its words are called is left out then.
    """
    sentences = _sentences()
    for key in declared_keys(book):
        said = book.words.get(key)
        if said is not None and key.partition(".")[0] not in sentences:
            yield key, said


@cache
def _sentences() -> Set[str]:
    """The sorts of the common words that are no names of what a rulebook declares."""
    return {key.partition(".")[0] for key in _table(SHARED, "en")} - _NAMES


def _plain(told: _Table) -> _Table:
    """Words of a log as one may show them; those of which nothing is left are missing."""
    cleaned = {key: clean(word, _LONGEST) for key, word in told.items()}
    return {key: word for key, word in cleaned.items() if word}


@cache
def _installed(language: str, folder: Path | None) -> Words:
    own, english = ({**_table(SHARED, name), **_table(folder, name)} for name in (language, "en"))
    return Words(language, own, english)


@cache
def _folders() -> dict[str, Path]:
    """Each game's folder of words. A name may come from a stranger's log: only folders that are there are taken."""
    return {path.parent.name: path for path in RULEBOOKS.glob("*/words")}


@cache
def _table(folder: Path | None, language: str) -> _Table:
    if folder is None:
        return {}
    path = folder / f"{language}.toml"
    return dict(_flat("", tomllib.loads(path.read_text(encoding="utf-8")))) if path.exists() else {}


def _flat(prefix: str, table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield prefix + name, str(value)


# --- what must be there -------------------------------------------------------------------------------------


def declared_keys(book: RulebookLine) -> list[str]:
    """The key of each word that a rulebook line declares: zones, counters and their words, phases, hows, asks …"""
    keys = [f"turn.{book.turn}"]
    for kind, field in _DECLARED.items():
        keys += [f"{kind}.{w if isinstance(w, str) else w.name}" for w in getattr(book, field)]
    keys += [f"{c.name}.{word}" for c in book.counters for word in c.words]
    return keys


def declared_words(book: RulebookLine, folder: Path) -> dict[str, dict[str, str]]:
    """How people say what the rulebook line declares, for its field `words`: key -> language -> text.

    `folder`: the game's own words.
    """
    found: dict[str, dict[str, str]] = {}
    for key in declared_keys(book):
        said = {name: _installed(name, folder).own(key) for name in LANGUAGES}
        found[key] = {name: text for name, text in said.items() if text is not None}
    return {key: said for key, said in found.items() if said}


def missing(game: str | None = None, book: RulebookLine | None = None) -> list[str]:
    """`language: key` for each word that one language has and another lacks, or that the rulebook line declares."""
    folder = _folders().get(game) if game else SHARED
    keys = {key for name in LANGUAGES for key in _table(folder, name) if not key.endswith(_OPTIONAL)}
    keys |= set(declared_keys(book)) if book else set()
    by_language = {name: words(name, game, book) for name in LANGUAGES}
    return [
        f"{name}: {key}" for name, said in by_language.items() for key in sorted(keys) if said.own(key) is None
    ]
