"""The filters of commands, written once: every command that filters games takes all of them as options."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Literal, TypeVar

from msgspec import structs
from typer import Option

from replays.store.filters import FilterError, GameFilters


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise FilterError(f"{text!r} is no day; write it as YYYY-MM-DD.") from None


OPTIONS: dict[str, Any] = {
    "game": Annotated[str | None, Option("--game", help="Only of this game.")],
    "card_set": Annotated[str | None, Option("--card-set", help="Only with this card set: EMB, or 'EMB 1.0'.")],
    "format": Annotated[str | None, Option("--deck-format", help="Only of this format of the game.")],
    "since": Annotated[date | None, Option("--since", parser=_day, metavar="DAY", help="From YYYY-MM-DD on.")],
    "until": Annotated[date | None, Option("--until", parser=_day, metavar="DAY", help="Up to YYYY-MM-DD.")],
    "tags": Annotated[list[str], Option("--tag", help="Only with this tag.")],
    "player": Annotated[str | None, Option("--player", help="Only with the player of this name.")],
    "player_kind": Annotated[str | None, Option("--player-kind", help="Only with this kind: human, greedy …")],
    "deck": Annotated[str | None, Option("--deck", help="Only with this deck: its name or digest.")],
    "least_turns": Annotated[int | None, Option("--least-turns", help="Only of at least so many turns.")],
    "most_turns": Annotated[int | None, Option("--most-turns", help="Only of at most so many turns.")],
    "reasons": Annotated[list[str], Option("--reason", help="Only that ended so.")],
    "seat": Annotated[Literal["first", "second"] | None, Option("--seat", help="Only of who goes first, or second.")],
    "playlist": Annotated[str | None, Option("--playlist", help="Only games of this playlist.")],
    "families": Annotated[bool, Option("--families", help="Decks of one family count as one.")],
    "unchecked": Annotated[bool, Option("--unchecked", help="Also games whose facts cannot be checked here.")],
}
"""Field of GameFilters, or of a struct built on it -> the option of commands that fills it."""


_SWITCHES = ("families", "unchecked")
"""Filters that are there or not."""


def with_filters(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer runs it: its first parameter, a struct of filters, is one option for each field."""
    first, *others = inspect.signature(command, eval_str=True).parameters.values()
    fields = structs.fields(first.annotation)

    @functools.wraps(command)
    def with_options(**given: Any) -> None:
        asked = {field.name: given.pop(field.name) for field in fields}
        lists = {name: tuple(value) for name, value in asked.items() if isinstance(value, list)}
        command(first.annotation(**asked | lists), **given)

    options = [first.replace(name=f.name, annotation=OPTIONS[f.name], default=f.default) for f in fields]
    seen: Any = with_options
    alone = inspect.Parameter.KEYWORD_ONLY  # so that an argument without a default may follow an option with one
    seen.__signature__ = inspect.Signature([one.replace(kind=alone) for one in (*options, *others)])
    seen.__annotations__ = {parameter.name: parameter.annotation for parameter in (*options, *others)}
    return with_options


F = TypeVar("F", bound=GameFilters)


def narrowed(filters: F, text: str) -> F:
    """The filters with those that a text names besides, like "tag=cup,since=2026-01-01". Raises FilterError."""
    names = {_option(field)[2:]: field for field in OPTIONS if field in type(filters).__struct_fields__}
    given: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        option, _, value = (piece.strip() for piece in part.partition("="))
        if option not in names or not (value or names[option] in _SWITCHES):
            raise FilterError(f"{part!r} is no filter; write NAME=VALUE with one of {', '.join(names)}.")
        field = names[option]
        if isinstance(getattr(filters, field), tuple):
            given[field] = (*given.get(field, getattr(filters, field)), value)
        else:
            given[field] = _value(field, value)
    return structs.replace(filters, **given)


def _option(field: str) -> str:
    """How the option of a filter is written."""
    made = OPTIONS[field].__metadata__[0]
    return str((made.param_decls or (made.default,))[0])  # in Annotated, typer takes the first name for a default


def _value(field: str, text: str) -> Any:
    if field in ("since", "until"):
        return _day(text)
    if field in _SWITCHES:
        return True
    if field in ("least_turns", "most_turns"):
        if not text.isdecimal():
            raise FilterError(f"{text!r} is no number of turns.")
        return int(text)
    return text
