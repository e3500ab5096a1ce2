"""Old versions of the log to the present one: one function a version, one record (as a dict) to one record.

Nothing here reads lines or knows today's structs: an upcast knows only the two versions that it joins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

VERSIONS = ("0", "0.1")
"""All versions of the protocol, oldest first; the last one is what is written."""


def upcast(record: dict[str, Any], version: str) -> dict[str, Any]:
    """The record of that version, a shared line included, as one of the last version."""
    for step in VERSIONS[VERSIONS.index(version) : -1]:
        record = UPCASTS[step](record)
    return record


# --- 0 to 0.1: the names of kinds, fields and words ----------------------------------------------------------

_KINDS = {
    "card_turned": "card_exhausted", "card_tied": "card_attached", "shown": "cards_revealed", "queued": "stack_pushed",
    "unqueued": "stack_popped", "aimed": "attack_set", "met": "attack_met", "reckoned": "damage_calculated",
    "struck": "damage_dealt", "resolved": "rule_applied", "lasting_began": "modifier_began",
    "lasting_ended": "modifier_ended", "known": "card_identified", "noted": "annotated",
}
_FIELDS = {
    "rulebook": {
        "hows": "move_kinds", "asks": "questions", "ties": "attachments", "untils": "durations", "effects": "rules",
    },
    "card_moved": {"how": "move_kind", "up": "face_up", "was": "came_from"},
    "card_turned": {"down": "exhausted"},
    "card_flipped": {"up": "face_up"},
    "card_tied": {"tie": "attachment"},
    "asked": {"what": "question", "of": "option_type", "may": "optional", "rest": "continuation"},
    "queued": {"what": "item_kind"},
    "unqueued": {"how": "outcome"},
    "aimed": {"card": "attacker"},
    "resolved": {"effect": "rule"},
    "lasting_began": {"until": "duration", "be": "set"},
}
"""kind -> its fields that have another name now"""
_ZONE = {
    "see": "visible_to", "values": "table", "ties": "attachments", "cap": "capacity", "pile": "ordered",
}
_COUNTER = {"least": "minimum", "most": "maximum"}
_SORTS = {"how": "move_kind", "ask": "question", "tie": "attachment", "until": "duration", "effect": "rule"}
"""first part of a word's key"""
_EFFECT = {"until": "duration", "down": "exhausted", "be": "set"}
_INSTRUCTION = {"be": "set", "show": "reveal", "turn": "exhaust"}


def _from_0(record: dict[str, Any]) -> dict[str, Any]:
    kind = record["kind"]
    new = _renamed(record, _FIELDS.get(kind, {}))
    new["kind"] = _KINDS.get(kind, kind)
    if kind == "game_started":
        new["protocol"] = "0"  # a game keeps the version that it was written in; its numbers were integers
        new["seats"] = [_renamed(seat, {"mind": "player_kind"}) for seat in record["seats"]]
    elif kind == "rulebook":
        new["zones"] = [{**_renamed(zone, _ZONE), "name": _zone(zone["name"])} for zone in record["zones"]]
        new["counters"] = [_renamed(counter, _COUNTER) for counter in record["counters"]]
        new["words"] = {_word(key): said for key, said in record.get("words", {}).items()}
    elif kind == "card_set":
        new["cards"] = {code: _card(card) for code, card in record["cards"].items()}
    elif kind == "unqueued" and record["how"] == "settled":
        new["outcome"] = "resolved"
    if "zone" in new:
        new["zone"] = _zone(new["zone"])
    if new.get("came_from"):
        seat, zone = new["came_from"]
        new["came_from"] = [seat, _zone(zone)]
    return new


def _renamed(table: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in table.items()}


def _zone(name: str) -> str:
    """The zone of the cards whose effects wait was called after a pile."""
    return "stack" if name == "pile" else name


def _word(key: str) -> str:
    sort, dot, word = key.partition(".")
    return f"{_SORTS.get(sort, sort)}{dot}{_zone(word) if sort == 'zone' else word}"


def _card(card: dict[str, Any]) -> dict[str, Any]:
    return {**card, "ability": _effect(card["ability"])} if "ability" in card else card


def _effect(part: Any) -> Any:
    """An ability, or any part of it, in today's words of the effect language."""
    if isinstance(part, list):
        return [_effect(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    new = {_EFFECT.get(name, name): _effect(value) for name, value in part.items()}
    if "do" in part:
        new["do"] = _INSTRUCTION.get(part["do"], part["do"])
    if part.get("pay") == "down":
        new["pay"] = "exhaust"
    if isinstance(part.get("zone"), list):
        new["zone"] = [_zone(name) for name in part["zone"]]
    return new


UPCASTS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {"0": _from_0}
"""version -> what makes a record of it one of the next version; shared lines too"""
