"""The numbered rules of a game as a page: from RULES.md and terms.toml in the game's folder, each rule with an anchor.

All of it is the project's own text; yet it is escaped like any other, and what one searches for is no markup either.
"""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import msgspec
from msgspec import Struct

from dashboard.i18n import literal
from engine.rulebooks import registry
from engine.words import words

_RULE = re.compile(r"- \*\*([A-Z]{2}-\d\d)\*\* (.+)")
_ID = re.compile(r"\b[A-Z]{2}-\d\d\b")
_SHOWN = 260
"""Letters of a rule that are told of a term on hover."""

_MARKS = (
    (re.compile(r"\*\*(.+?)\*\*"), "\ue000", "\ue001", '<span class="ruling">', "</span>"),
    (re.compile(r"\*(.+?)\*"), "\ue002", "\ue003", "<em>", "</em>"),
    (re.compile(r"`(.+?)`"), "\ue004", "\ue005", "<code>", "</code>"),
)
"""Markup of RULES.md: how it looks there, letters that stand for it meanwhile, and tags."""

STYLE = """<style>
.rules { max-width: 860px; line-height: 1.55; }
.rules h3 { margin: 1.6rem 0 .4rem; font-size: 1.15rem; }
.rules .rule { display: grid; grid-template-columns: 4.4rem 1fr; gap: .2rem .8rem; padding: .45rem .5rem;
  border-top: 1px solid rgba(118,128,142,.28); scroll-margin: 4.5rem; }
.rules .rule.now, .rules .rule:target { background: rgba(242,176,30,.20); outline: 2px solid #F2B01E; }
.rules .rule p { margin: 0; }
.rules .id { font-weight: 600; font-variant-numeric: tabular-nums; }
.rules .ruling { color: inherit; border-left: 3px solid #3F7FC4; padding-left: .35rem; }
.rules .term { position: relative; text-decoration: underline dotted; text-underline-offset: 3px; cursor: help; }
.rules .term:is(:hover, :focus)::after { content: attr(data-said); position: absolute; left: 0; top: 1.6em; z-index: 9;
  width: max-content; max-width: min(360px, 70vw); padding: .5rem .7rem; border-radius: 6px; font-size: .85rem;
  line-height: 1.4; background: #14181F; color: #FFFFFF; box-shadow: 0 4px 16px rgba(0,0,0,.35); }
.rules table { border-collapse: collapse; margin: .4rem 0 1rem; }
.rules td { padding: .2rem 1.2rem .2rem 0; text-align: left; border-bottom: 1px solid rgba(118,128,142,.28); }
.rules a { color: inherit; text-underline-offset: 3px; }
@media (max-width: 640px) { .rules .rule { grid-template-columns: 1fr; } }
</style>"""


class NumberedRule(NamedTuple):
    """A rule of a rulebook, as RULES.md has it."""

    id: str
    text: str


class RuleSection(NamedTuple):
    """A heading of a rulebook with what stands under it."""

    title: str
    rules: tuple[NumberedRule, ...]


class GameTerm(Struct, frozen=True, rename={"zh_hans": "zh-Hans", "zh_hant": "zh-Hant"}):
    """A word of the rules: the rule that says what it means, its other forms, and its name in each language."""

    rule: str
    en: str
    ja: str
    zh_hans: str
    zh_hant: str
    forms: tuple[str, ...] = ()

    def called(self, language: str) -> str:
        """Its name in a language."""
        return str(getattr(self, language.lower().replace("-", "_")))


@cache
def sections(game: str) -> tuple[RuleSection, ...]:
    """The rules of a game under their headings; none where its folder has no RULES.md."""
    found: list[tuple[str, list[NumberedRule]]] = [("", [])]
    for line in _file(game, "RULES.md").splitlines():
        if line.startswith("## "):
            found.append((line[3:], []))
        elif (rule := _RULE.fullmatch(line)) is not None:
            found[-1][1].append(NumberedRule(*rule.groups()))
    return tuple(RuleSection(title, tuple(rules)) for title, rules in found if rules)


def _file(game: str, name: str) -> str:
    """A text file of the game's folder; nothing where there is none."""
    path = registry.game_type(game).folder / name
    return path.read_text("utf-8") if path.is_file() else ""


@cache
def rule_texts(game: str) -> Mapping[str, str]:
    """Each rule of a game by its id."""
    return {rule.id: rule.text for section in sections(game) for rule in section.rules}


def game_of(rule: str) -> str | None:
    """The game that has a rule of this id."""
    return next((game for game in registry.GAMES if rule in rule_texts(game)), None)


@cache
def game_terms(game: str) -> Mapping[str, GameTerm]:
    """The words of a game's rules."""
    return msgspec.convert(tomllib.loads(_file(game, "terms.toml")), dict[str, GameTerm])


def linked(text: str) -> str:
    """A sentence as Markdown in which each rule id leads to its rule."""

    def link(found: re.Match[str]) -> str:
        rule = found[0].replace("\\", "")
        return f"[{found[0]}](/rules?rule={rule})" if game_of(rule) else found[0]

    return re.sub(r"\b[A-Z]{2}\\-\d\d\b", link, literal(text))


# --- the page -----------------------------------------------------------------------------------------------


def page_html(game: str, language: str, search: str = "", asked: str = "") -> str:
    """The rules that have all words of a search, as HTML; the rule that was asked for is marked."""
    wanted = search.casefold().split()
    parts = []
    for title, rules in sections(game):
        shown = [rule for rule in rules if all(word in f"{rule.id} {rule.text}".casefold() for word in wanted)]
        if shown:
            parts += [f"<h3>{html.escape(title)}</h3>", *(_rule_html(rule, game, language, asked) for rule in shown)]
    return f'{STYLE}<div class="rules" lang="en">{"".join(parts)}</div>' if parts else ""


def _rule_html(rule: NumberedRule, game: str, language: str, asked: str) -> str:
    marked = " now" if rule.id == asked else ""
    return (
        f'<article class="rule{marked}" id="{rule.id}"><a class="id" href="?rule={rule.id}">{rule.id}</a>'
        f"<p>{_text_html(rule, game, language)}</p></article>"
    )


def _text_html(rule: NumberedRule, game: str, language: str) -> str:
    text = html.escape(rule.text)
    for pattern, begin, end, _, _ in _MARKS:
        text = pattern.sub(rf"{begin}\1{end}", text)
    said: set[str] = set()

    def dress(found: re.Match[str]) -> str:
        if _ID.fullmatch(found[0]):
            return f'<a href="#{found[0]}">{found[0]}</a>' if found[0] in rule_texts(game) else found[0]
        key = _forms(game)[1][found[0].casefold()]
        if key in said or game_terms(game)[key].rule == rule.id:
            return found[0]
        said.add(key)
        told = html.escape(_term_said(game, key, language))
        return f'<span class="term" tabindex="0" data-said="{told}">{found[0]}</span>'

    text = _forms(game)[0].sub(dress, text)
    for _, begin, end, open_tag, close_tag in _MARKS:
        text = text.replace(begin, open_tag).replace(end, close_tag)
    return text


@cache
def _forms(game: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """What is looked for in the text of a rule, ids and words; and which word each form is of."""
    known = {
        html.escape(form).casefold(): key
        for key, term in game_terms(game).items()
        for form in (term.en, *term.forms)
    }
    either = [_ID.pattern, *(rf"(?<![\w-]){re.escape(form)}(?![\w-])" for form in sorted(known, key=len, reverse=True))]
    return re.compile("|".join(either), re.IGNORECASE), known


def _term_said(game: str, key: str, language: str) -> str:
    """What is told of a word on hover: its name in the reader's language, and the rule that says what it means."""
    term = game_terms(game)[key]
    text = re.sub(r"[*`]", "", rule_texts(game)[term.rule])
    text = text if len(text) <= _SHOWN else text[: _SHOWN - 1].rsplit(" ", 1)[0] + " …"
    return f"{term.called(language)} · {term.rule}: {text}"


def terms_html(game: str, language: str) -> str:
    """The words of a game's rules as a table: in English, in the reader's language, and the rule."""
    title = words(language, game).pattern("term.title") or game
    rows = "".join(
        f'<tr><td lang="en">{html.escape(term.en)}</td><td>{html.escape(term.called(language))}</td>'
        f'<td><a href="#{term.rule}">{term.rule}</a></td></tr>'
        for term in sorted(game_terms(game).values(), key=lambda term: term.en.casefold())
    )
    return f'<div class="rules"><table aria-label="{html.escape(title)}">{rows}</table></div>'
