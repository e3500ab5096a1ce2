"""Short ways to write effects as a card file has them. For tests."""

from __future__ import annotations

from typing import Any

Table = dict[str, Any]


def do(instruction: str, /, **fields: Any) -> Table:
    """An instruction: `do("draw", n=2)`."""
    return {"do": instruction, **fields}


def effect(*then: Table, **fields: Any) -> Table:
    """What an item or a skill does."""
    return {"ability": "effect", "then": list(then), **fields}


def field(of: str = "any", **fields: Any) -> Table:
    """Warriors on the field; `kind`, `element` and `mark` are words."""
    words = {word: fields.pop(word) for word in ("kind", "element", "mark") if word in fields}
    return {"zone": ["field"], "of": of, **fields, **({"is": words} if words else {})}


def target(of: str = "any", slot: str = "target", **fields: Any) -> Table:
    """A warrior on the field, named when the card is used."""
    return {"from": field(of, **fields), "slot": slot}


def atk(n: int, of: str = "own", **fields: Any) -> Table:
    """Adds to the ATK of warriors for this round."""
    return do("add", what=field(of, **fields), name="atk", n=n)


def be(value_name: str, value: int, of: str, /, **fields: Any) -> Table:
    """Makes a value of warriors this for this round."""
    return do("set", what=field(of, **fields), name=value_name, value=value)


def player(who: str, name: str, n: int) -> Table:
    """Adds to a value of a player (own, other) for this round."""
    return do("add", what=who, name=name, n=n)


NO_DRAW = do("set", what="other", name="no_draw", value=1)
TAKE = do("special", name="take_attack")
BREAK = do("special", name="break_formation")
BELL = effect(do("draw", n=0))
"""Does nothing, but its owner is asked in every window."""
