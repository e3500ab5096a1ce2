"""What the pages and the viewer say, by language, from word files; words of the games are `engine.words`' affair."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from engine.words import LANGUAGES

PAGES = Path(__file__).with_name("words.toml")
MORE_PAGES = sorted(Path(__file__).with_name("page_words").glob("*.toml"))
"""Words of pages that need many, a file for those that belong together."""

VIEWS_FOLDER = Path(__file__).with_name("views")

ENGLISH = "en"


def by_language(file: Path) -> dict[str, dict[str, str]]:
    """The words of a file by language; one that a language lacks is English."""
    own = own_words(file)
    return {name: {**own[ENGLISH], **own.get(name, {})} for name in LANGUAGES}


@cache
def own_words(file: Path) -> dict[str, dict[str, str]]:
    """The words of a file as they stand there."""
    found: dict[str, dict[str, str]] = tomllib.loads(file.read_text(encoding="utf-8"))
    return found


def missing_words(file: Path) -> list[str]:
    """`language: word` for each word that one language of the file has and another lacks."""
    own = own_words(file)
    keys = {key for said in own.values() for key in said}
    return [f"{name}: {key}" for name in LANGUAGES for key in sorted(keys) if key not in own.get(name, {})]


@cache
def page_words(language: str) -> dict[str, str]:
    """What the pages say in a language."""
    return {key: said for file in (PAGES, *MORE_PAGES) for key, said in by_language(file)[language].items()}


def menu() -> list[str]:
    """The names of the pages: the files of `views/`, in the order in which `words.toml` has their titles."""
    return [name for name in page_words(ENGLISH) if (VIEWS_FOLDER / f"{name}.py").is_file()]


def nearest(wanted: str | None) -> str:
    """The language that is nearest to a browser's locale (`zh-TW`, `ja-JP` …); English where none is near."""
    first, _, rest = (wanted or "").lower().partition("-")
    if first == "zh":
        return "zh-Hant" if rest.startswith(("hant", "tw", "hk", "mo")) else "zh-Hans"
    return next((name for name in LANGUAGES if name == first), ENGLISH)


DAY = {ENGLISH: "D MMM YYYY", "ja": "YYYY年M月D日", "zh-Hans": "YYYY年M月D日", "zh-Hant": "YYYY年M月D日"}
"""How a language writes a day, in the letters that columns of tables take."""
