"""Short ways to write abilities as a card file has them. For tests."""

from __future__ import annotations

from typing import Any

Table = dict[str, Any]


def do(instruction: str, /, **fields: Any) -> Table:
    """An instruction: `do("add", what="self", name="atk", n=100)`."""
    return {"do": instruction, **fields}


def cards(*zones: str, **fields: Any) -> Table:
    """A selection of cards: `cards("battle", of="other")`; `kind` and `attribute` are printed words."""
    words = {word: fields.pop(word) for word in ("kind", "attribute") if word in fields}
    return {"zone": list(zones), **fields, **({"is": words} if words else {})}


def target(*zones: str, slot: str = "target", n: int = 1, up_to: bool = False, **fields: Any) -> Table:
    """What is named when the ability is announced."""
    return {"from": cards(*zones, **fields), "slot": slot, "n": n, "up_to": up_to}


def choose(*zones: str, n: int = 1, **fields: Any) -> Table:
    """The instruction that lets the owner choose cards into the slot `chosen`."""
    return {"do": "choose", "from": cards(*zones, **fields), "n": n}


def discard(n: int = 1) -> Table:
    """A cost: cards of the own hand."""
    return {"pay": "discard", "from": cards("hand"), "n": n}


def effect(*then: Table, **fields: Any) -> Table:
    """What an assist does."""
    return {"ability": "effect", "then": list(then), **fields}


def skill(*then: Table, **fields: Any) -> Table:
    """A skill to be used."""
    return {"ability": "activated", "then": list(then), **fields}


def on(moment: str, /, *then: Table, **fields: Any) -> Table:
    """A triggered ability."""
    return {"ability": "triggered", "on": moment, "then": list(then), **fields}


def passive(name: str, /, **fields: Any) -> Table:
    return {"ability": "passive", "name": name, **fields}


def add(name: str, n: int, what: Any = "self", **fields: Any) -> Table:
    return do("add", name=name, n=n, what=what, **fields)


def be(name: str, value: int, what: Any = "self", **fields: Any) -> Table:
    return do("set", name=name, value=value, what=what, **fields)


def lp(n: int, who: str = "own") -> Table:
    """LP gained or lost."""
    return do("change", name="lp", n=n, who=who)
