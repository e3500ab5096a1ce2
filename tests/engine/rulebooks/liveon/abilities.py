"""Short ways to write abilities as a card file has them. For tests."""

from __future__ import annotations

from typing import Any

Table = dict[str, Any]


def do(instruction: str, /, **fields: Any) -> Table:
    """An instruction: `do("damage", what="target", n=1000)`."""
    return {"do": instruction, **fields}


def cards(*zones: str, **fields: Any) -> Table:
    """A selection of cards: `cards("a", of="other")`; `kind` and `colour` are printed words."""
    words = {word: fields.pop(word) for word in ("kind", "colour", "race") if word in fields}
    return {"zone": list(zones), **fields, **({"is": words} if words else {})}


def target(*zones: str, slot: str = "target", n: int = 1, up_to: bool = False, **fields: Any) -> Table:
    """What is named when the ability is announced."""
    return {"from": cards(*zones, **fields), "slot": slot, "n": n, "up_to": up_to}


def discard(*zones: str, n: int = 1, **fields: Any) -> Table:
    """A cost: own cards from these zones."""
    return {"pay": "discard", "from": cards(*zones, **fields), "n": n}


DOWN = {"pay": "exhaust"}


def skill(*then: Table, **fields: Any) -> Table:
    return {"ability": "effect", "then": list(then), **fields}


def used(*then: Table, **fields: Any) -> Table:
    """An activated ability."""
    return {"ability": "activated", "then": list(then), **fields}


def on(moment: str, /, *then: Table, **fields: Any) -> Table:
    """A triggered ability."""
    return {"ability": "triggered", "on": moment, "then": list(then), **fields}


def passive(name: str, /, **fields: Any) -> Table:
    return {"ability": "passive", "name": name, **fields}


def reaction(*then: Table, **fields: Any) -> Table:
    return {"ability": "reaction", "then": list(then), **fields}


def regenerate(*cost: Table, **fields: Any) -> Table:
    return {"ability": "regenerate", "cost": list(cost), **fields}


BELL = used(do("draw", n=0))
"""Does nothing, but its owner is asked wherever abilities can be used."""

ZAP = skill(do("damage", what="target", n=1000), targets=[target("a", "b")])
"""1000 damage to any card on the field."""

KILL = skill(do("destroy", what="target"), targets=[target("a", "b")])
