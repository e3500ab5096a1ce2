"""A state as JSON, for tests: to compare all of two states, and to make one that shares nothing with another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Raw

from engine.state import Card, State
from events.kinds import Asked, AttackMet, DamageCalculated, GameEnded, ModifierBegan, StackPushed

TYPES: dict[str, Any] = {
    "cards": dict[int, dict[str, Any]],
    "stack": list[StackPushed],
    "modifiers": dict[int, ModifierBegan],
    "attack": tuple[int | None, int | None],
    "meetings": list[AttackMet],
    "damage_steps": list[DamageCalculated],
    "asked": Asked | None,
    "result": GameEnded | None,
}
"""Of the fields that JSON alone does not tell; here, since a compiled State does not know the types of its fields."""


def to_json(state: State) -> bytes:
    """The whole state, whatever it owns."""
    return msgspec.json.encode(replace(state, owned=None))


def from_json(data: bytes) -> State:
    """The state that `to_json` wrote. Raises msgspec's error for what is none."""
    raw = msgspec.json.decode(data, type=dict[str, Raw])
    fields = {name: msgspec.json.decode(value, type=TYPES.get(name, Any)) for name, value in raw.items()}
    fields["cards"] = {number: Card(**card) for number, card in fields["cards"].items()}
    return State(**fields)
