"""`docs/CARDS.md`: the reference of the effect language, written from its modules and from the words of each rulebook.

A struct says what it is by its docstring, its fields by the texts below them, and an example by `example`. The rules
text that stands beside an example is made from it, by the first rulebook whose linter has nothing to say against it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from msgspec import Struct, structs

from engine.cards.linter import lint
from engine.cards.rules_text import rules_text
from engine.effects import abilities, language
from engine.effects.abilities import Ability
from engine.effects.instruction import Instruction
from engine.effects.kinds import EFFECT_KINDS
from engine.effects.language import EffectPart
from engine.effects.linter import tag_of
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from engine.words import words

BEGINNING = Path(__file__).parent / "reference.md"
"""what stands before the parts that are generated"""

TYPES = {
    "int": "number", "str": "word", "bool": "true or false", "dict[str, str]": "table of words",
    "dict[str, int]": "table of numbers", "tuple[str, ...]": "list of words", "Few": "number, at most 99",
    "Quantity": "number or [amount](#amount)", "Who": "[cards](#cards)", "Side": "own, other, any",
    "Select": "[selection](#select)", "When": "[condition](#when)", "Steps": "[instructions](#instructions)",
    "tuple[AnyInstruction, ...]": "[instructions](#instructions)", "tuple[Cost, ...]": "[costs](#cost)",
    "tuple[Target, ...]": "[targets](#target)",
}
"""annotation -> what a designer writes there"""

WORDS = (
    ("zones", "zone", "Zones"), ("values", "counter", "Values"), ("seat_values", "counter", "Values of players"),
    ("moments", "", "Moments"), ("phases", "phase", "Phases"), ("durations", "duration", "Durations"),
    ("specials", "text.special", "Specials"),
)
"""field of a Vocabulary, sort of words, heading"""


def reference() -> str:
    """The whole text of `docs/CARDS.md`."""
    parts = [kind for kind in vars(language).values() if _is(kind, EffectPart)]
    kinds = [kind for kind in vars(abilities).values() if _is(kind, Ability)]
    return "\n".join([
        BEGINNING.read_text(encoding="utf-8"),
        "# Abilities\n", *(line for kind in kinds for line in _entry(kind, tag_of(kind))),
        "# Instructions\n", *(line for tag, kind in sorted(EFFECT_KINDS.items()) for line in _entry(kind, tag)),
        "# What they are made of\n", *(line for kind in parts for line in _entry(kind, kind.__name__.lower())),
        "# The words of each game\n", *(line for key in registry.GAMES for line in _words(registry.load(key))),
    ])


def _is(kind: object, base: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, base) and kind is not base


def _entry(kind: type[Any], name: str) -> Iterator[str]:
    """One struct: what it is, its fields, its example and the rules text of that."""
    yield f"## {name}\n"
    yield f"{inspect.getdoc(kind)}\n"
    if known := _games_with(kind):
        yield f"In: {', '.join(known)}.\n"
    rows = list(_fields(kind))
    if rows:
        yield "| field | what stands there | left out | meaning |\n| --- | --- | --- | --- |"
        yield from (f"| {' | '.join(row)} |" for row in rows)
        yield ""
    yield f"```toml\n{kind.example}\n```\n"
    yield from (f"> {line}" for line in example_text(kind))
    yield ""


def _games_with(kind: type[Any]) -> list[str]:
    """The games in which an instruction or ability means something; none where that is all of them."""
    games = [registry.load(key) for key in registry.GAMES]
    if issubclass(kind, Instruction):
        found = [g for g in games if kind.known_to(g.vocabulary)]
    elif issubclass(kind, Ability):
        found = [g for g in games if any(tag_of(kind) in meaning for meaning in g.vocabulary.kinds.values())]
    else:
        found = games
    return [] if len(found) == len(games) else [_called(game) for game in found]


def _called(game: Rulebook) -> str:
    return words("en", game.key).get("term.title")


def _fields(kind: type[Struct]) -> Iterator[tuple[str, str, str, str]]:
    told = dict(_told(kind))
    for field in structs.fields(kind):
        type_, meaning = told[field.name]
        yield f"`{field.encode_name}`", type_, _default(field), meaning


def _default(field: structs.FieldInfo) -> str:
    if field.required:
        return "required"
    factory: Any = field.default_factory
    value = factory() if field.default is msgspec.NODEFAULT else field.default
    return "" if value in (None, (), {}) else f"`{msgspec.json.encode(value).decode()}`"


def _told(kind: type) -> Iterator[tuple[str, tuple[str, str]]]:
    """Field -> what stands there, and the text below it. Raises KeyError for an annotation that is not in TYPES."""
    body = _classes(inspect.getmodule(kind))[kind.__name__].body
    for node, below in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            text = below.value.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else ""
            yield node.target.id, (_type(ast.unparse(node.annotation)), " ".join(str(text).split()))


@cache
def _classes(module: ModuleType | None) -> dict[str, ast.ClassDef]:
    assert module is not None
    found = ast.parse(inspect.getsource(module)).body
    return {node.name: node for node in found if isinstance(node, ast.ClassDef)}


def _type(annotation: str) -> str:
    annotation = annotation.removesuffix(" | None")
    if annotation.startswith("Literal["):
        return annotation.removeprefix("Literal[").removesuffix("]").replace("'", "")
    return TYPES[annotation]


# --- examples -----------------------------------------------------------------------------------------------


def example_text(kind: type[Any]) -> list[str]:
    """The rules text, in English, of a struct's example. Raises ValueError where no game accepts it."""
    ability = {"ability": "effect", **tomllib.loads(kind.example)}
    against = []
    for key in registry.GAMES:
        game = registry.load(key)
        card, problems = _card(game, ability)
        if card is not None and not problems:
            return rules_text(card, "en", book=game.rulebook)[-1:]
        against += [f"{key}: {problem}" for problem in problems]
    raise ValueError(f"the example of {kind.__name__}: " + textwrap.shorten("; ".join(against), 2000))


def _card(game: Rulebook, ability: Mapping[str, Any]) -> tuple[Any, list[str]]:
    """A shipped card with this ability instead of its own, and what the linter has against it."""
    meaning = game.vocabulary.kinds
    bearers = [d for d in game.cards.values() if ability["ability"] in meaning.get(d.kind, ())]
    if not bearers:
        return None, [f"no card has {ability['ability']}"]
    printed = structs.replace(bearers[0].printed, ability=(msgspec.convert(ability, abilities.AnyAbility),))
    definition = game.definition_type(printed)
    return printed, [str(problem) for problem in lint({definition.code: definition}, game.vocabulary)]


# --- words --------------------------------------------------------------------------------------------------


def _words(game: Rulebook) -> Iterator[str]:
    """What the cards of a game may name."""
    vocabulary, spoken = game.vocabulary, words("en", game.key, game.rulebook)
    yield f"## {_called(game)}\n"
    for field, sort, heading in WORDS:
        if found := getattr(vocabulary, field):
            told = (_word(name, spoken.pattern(f"{sort}.{name}")) for name in sorted(found))
            yield f"- {heading}: {', '.join(told)}"
    for word, answers in vocabulary.words.items():
        yield f"- Printed word `{word}`: {_listed(answers) if answers is not None else 'as some card has it'}"
    for kind, meaning in vocabulary.kinds.items():
        yield f"- Abilities of the kind `{kind}`: {_listed(meaning)}"
    yield f"- Zones into which effects put cards: {_listed(vocabulary.targets)}\n"


def _word(name: str, said: str | None) -> str:
    return f"`{name}`" if said is None else f"`{name}` ({said})"


def _listed(found: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in sorted(found)) or "none"
