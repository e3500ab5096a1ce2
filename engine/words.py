"""Words by language: what people read, from `words/*.toml` here and in each game's folder. No sentence is in code.

Keys are dotted (`zone.hand`, `say.attack`); placeholders stand in braces by name and are filled in one pass, so that
what is filled in is never read as a pattern. A game's own table wins over the common one; a missing word is English.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from engine.cards import LANGUAGES
from events.kinds import Rulebook

ENGINE = Path(__file__).parent
LONGEST = 300
"""Characters that are read of a word that a log brings along."""

Table = Mapping[str, str]
_PLACE = re.compile(r"\{(\w+)\}")
_CARD_TEXT = "text."
"""Words that no log may bring along: a card's text follows from what the card does alone."""
_OPTIONAL = ("_one", "_many", "_and")
"""Endings of forms that only some languages need."""

_DECLARED = {
    "zone": "zones", "counter": "counters", "phase": "phases", "how": "hows", "ask": "asks", "tie": "ties",
    "direction": "directions", "outcome": "outcomes", "step": "steps", "until": "untils", "effect": "effects",
    "roll": "rolls", "reason": "reasons",
}


class UnknownLanguage(ValueError):
    """A language without words; the message names those that there are."""

    def __init__(self, language: str) -> None:
        super().__init__(f"There are no words in {language!r}; the languages are {', '.join(LANGUAGES)}")


def fill(pattern: str, args: Mapping[str, str | int]) -> str:
    """The pattern with its placeholders filled in; one without a value stays as it is."""
    return _PLACE.sub(lambda found: str(args.get(found[1], found[0])), pattern)


def placeholders(pattern: str) -> list[str]:
    """The names of a pattern's placeholders."""
    return _PLACE.findall(pattern)


class Words:
    """One language's words for one game (or for none)."""

    __slots__ = ("_all", "_own", "language")

    def __init__(self, language: str, own: Table, english: Table) -> None:
        self.language = language
        self._own = own
        self._all = {**english, **own}

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
        """The word or sentence, filled in; a key without any is shown as its own last part."""
        pattern = self.pattern(self.form(key, args))
        return key.rpartition(".")[2].replace("_", " ") if pattern is None else fill(pattern, args)


def words(language: str, game: str | None = None, log: Mapping[str, Mapping[str, str]] | None = None) -> Words:
    """The words of a language, with a game's own before the common ones.

    `log`: the words that a log's rulebook line brings along (word -> language -> text), for a game that is not
    installed here. Raises `UnknownLanguage`.
    """
    if language not in LANGUAGES:
        raise UnknownLanguage(language)
    folder = _folder(game) if game else None
    if not log:
        return _installed(language, folder)
    own, english = (
        {
            **_table(ENGINE / "words", name),
            **{k: said[name][:LONGEST] for k, said in log.items() if name in said and not k.startswith(_CARD_TEXT)},
            **_table(folder, name),
        }
        for name in (language, "en")
    )
    return Words(language, own, english)


@cache
def _installed(language: str, folder: Path | None) -> Words:
    own, english = ({**_table(ENGINE / "words", name), **_table(folder, name)} for name in (language, "en"))
    return Words(language, own, english)


def _folder(game: str) -> Path | None:
    """A game's folder of words. The name may come from a stranger's log: only folders that are there are taken."""
    return next((p for p in ENGINE.glob("*/words") if p.parent.name == game), None)


@cache
def _table(folder: Path | None, language: str) -> Table:
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


def declared_keys(book: Rulebook) -> list[str]:
    """The key of each word that a rulebook line declares: zones, counters and their words, phases, hows, asks …"""
    keys = [f"turn.{book.turn}"]
    for kind, field in _DECLARED.items():
        keys += [f"{kind}.{w if isinstance(w, str) else w.name}" for w in getattr(book, field)]
    keys += [f"{c.name}.{word}" for c in book.counters for word in c.words]
    return keys


def declared_words(book: Rulebook, folder: Path) -> dict[str, dict[str, str]]:
    """How people say what the rulebook line declares, for its field `words`: key -> language -> text.

    `folder`: the game's own words.
    """
    found: dict[str, dict[str, str]] = {}
    for key in declared_keys(book):
        said = {name: _installed(name, folder).own(key) for name in LANGUAGES}
        found[key] = {name: text for name, text in said.items() if text is not None}
    return {key: said for key, said in found.items() if said}


def missing(game: str | None = None, book: Rulebook | None = None) -> list[str]:
    """`language: key` for each word that one language has and another lacks, or that the rulebook line declares."""
    folder = _folder(game) if game else ENGINE / "words"
    keys = {key for name in LANGUAGES for key in _table(folder, name) if not key.endswith(_OPTIONAL)}
    keys |= set(declared_keys(book)) if book else set()
    by_language = {name: words(name, game, book.words if book else None) for name in LANGUAGES}
    return [
        f"{name}: {key}" for name, said in by_language.items() for key in sorted(keys) if said.own(key) is None
    ]
