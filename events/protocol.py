"""What the structs of a log's lines say, as the tables of PROTOCOL.md and as a JSON Schema.

`python -m events.protocol` writes the chapters of PROTOCOL.md that list kinds, actions and objects anew, from the
docstrings, fields and types in the modules beside this one. The other chapters are written by hand.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import sys
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from events.actions import AnyAction
from events.kinds import AnyEvent, Asked, CardSet, RulebookLine

PAGE = Path(__file__).parent / "PROTOCOL.md"
_PLAIN = {int: "int", str: "text", bool: "bool", type(None): "null", Any: "any", msgspec.Raw: "any"}
SHARED_LINES = (RulebookLine, CardSet)


def fields(struct: Any) -> dict[str, tuple[str, str]]:
    """Field -> its type in the words of PROTOCOL.md, and its value if absent, or `must`."""
    hints, found = get_type_hints(struct), {}
    for field in msgspec.structs.fields(struct):
        absent = "must"
        if not field.required:
            made: Any = field.default_factory
            value = made() if field.default is msgspec.NODEFAULT else field.default
            absent = f"`{msgspec.json.encode(value).decode()}`"
        if field.name != "back":
            found[field.name] = (_word(hints[field.name]), absent)
    return found


@cache
def field_docs(struct: Any) -> dict[str, str]:
    """Field that the struct itself adds -> the docstring below it, on one line. Raises ValueError for one without."""
    declared: Any = ast.parse(inspect.getsource(struct)).body[0]
    body = declared.body
    docs = {
        ast.unparse(field.target): " ".join(str(ast.literal_eval(doc.value)).split())
        for field, doc in itertools.pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(doc, ast.Expr)
    }
    added = [ast.unparse(field.target) for field in body if isinstance(field, ast.AnnAssign)]
    missing = [name for name in added if not docs.get(name)]
    if missing:
        raise ValueError(f"{struct.__name__}: the fields {', '.join(missing)} have no docstring.")
    return docs


def objects() -> list[Any]:
    """The structs that are nested in lines, in the order in which they are met there."""
    found: dict[Any, None] = {}
    for line in (*SHARED_LINES, *get_args(AnyEvent)):
        for struct in _nested(line):
            found[struct] = None
    return list(found)


def with_tables(text: str) -> str:
    """PROTOCOL.md with its listing chapters written anew."""
    kinds = get_args(AnyEvent)
    chapters = {"Shared lines": SHARED_LINES, "The kinds of records": kinds, "Objects inside lines": objects()}
    for title, structs in chapters.items():
        head, chapter, tail = _chapter(text, title)
        intro = chapter.partition("### ")[0]
        text = "".join((head, intro, "\n".join(map(_part, structs)), tail))
    head, chapter, tail = _chapter(text, "Actions")
    return "".join((head, chapter.partition("| ")[0], _actions(), tail))


def line_schema() -> dict[str, Any]:
    """The JSON Schema of a line, as PROTOCOL.md describes it: a record of a game or a shared line."""
    told = [_asked() if line is Asked else line for line in (*get_args(AnyEvent), *SHARED_LINES)]
    schema = msgspec.json.schema(Union[tuple(told)])  # noqa: UP007
    for struct in (*get_args(AnyEvent), *SHARED_LINES, *objects()):
        properties = schema["$defs"][struct.__name__]["properties"]
        for name, doc in field_docs(struct).items():
            properties[name] = {**properties[name], "description": doc}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A line of a log", **schema}


def _asked() -> Any:
    """Asked with a continuation that is any JSON: of Raw, msgspec makes no schema."""
    hints = get_type_hints(Asked, include_extras=True)
    told: list[Any] = []
    for field in msgspec.structs.fields(Asked):
        if field.name == "continuation":
            told.append((field.name, Any, None))
        elif field.required:
            told.append((field.name, hints[field.name]))
        else:
            told.append((field.name, hints[field.name], field.default))
    return msgspec.defstruct(
        "Asked", told, tag="asked", tag_field="kind", kw_only=True, forbid_unknown_fields=True,
        namespace={"__doc__": Asked.__doc__},
    )


def _word(hint: Any) -> str:
    """The type as PROTOCOL.md writes it."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if hint == AnyAction:
        return "action"
    origin, args = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, Union):
        return " or ".join(map(_word, args))
    if origin is dict:
        return f"{{{_word(args[0])}: {_word(args[1])}}}"
    if origin is tuple:
        return f"[{_word(args[0])} …]" if args[-1] is ... else f"[{', '.join(map(_word, args))}]"
    return str(hint.__name__)


def _nested(hint: Any) -> Iterator[Any]:
    """The structs inside this one, or inside this type."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        for inner in get_type_hints(hint).values():
            if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
                yield inner
            yield from _nested(inner)
    elif hint != AnyAction:
        for part in get_args(hint):
            if isinstance(part, type) and issubclass(part, msgspec.Struct):
                yield part
            yield from _nested(part)


def _chapter(text: str, title: str) -> tuple[str, str, str]:
    """What comes before the chapter, the chapter, and what comes after it."""
    head, found, rest = text.partition(f"## {title}\n")
    if not found:
        raise ValueError(f"PROTOCOL.md has no chapter {title!r}.")
    chapter, next_one, tail = rest.partition("\n## ")
    return head + found, chapter, next_one + tail


def _part(struct: Any) -> str:
    """What is said of one kind or object: its docstring, and a table of its fields."""
    tag = struct.__struct_config__.tag
    title = struct.__name__ if tag is None else f"`{tag}`"
    docs = field_docs(struct)
    rows = [f"| `{name}` | {kind} | {absent} | {docs[name]} |" for name, (kind, absent) in fields(struct).items()]
    head = ["| field | type | if absent | meaning |", "| --- | --- | --- | --- |"] if rows else []
    return "\n".join([f"### {title}", "", _prose(struct), *([""] if rows else []), *head, *rows, ""])


def _prose(struct: Any) -> str:
    """A docstring, each paragraph on one line."""
    return "\n\n".join(" ".join(part.split()) for part in str(inspect.getdoc(struct)).split("\n\n"))


def _actions() -> str:
    rows = ["| `do` | fields | meaning |", "| --- | --- | --- |"]
    for action in get_args(AnyAction):
        told = [
            f"`{name}` ({kind})" if absent == "must" else f"`{name}` ({kind}, may be absent: {absent})"
            for name, (kind, absent) in fields(action).items()
        ]
        meaning = _prose(action).removesuffix(".")
        rows.append(f"| `{action.__struct_config__.tag}` | {'; '.join(told) or '—'} | {meaning} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name} is written.\n")
