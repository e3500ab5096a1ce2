"""What checking has found of the copies of games in a library, and which of two copies of one game is to be trusted.

A library keeps verdicts by the digest of each copy, so that they outlive the catalogue. One that other rules or cards
at hand might change is asked for again when these have changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec
from msgspec import Struct

from engine.core.match import ENGINE
from engine.rulebooks import registry
from events.record import digest
from replays.store.entries import OWN, PACK, Entry, Key
from replays.view.verify import Verdict

UNTRUE = ("altered", "illegal")
TRUST = {"altered": 0, "illegal": 0, "cut": 2, "unchecked": 4, "verified": 6}
"""Verdict -> how far a copy is to be trusted. A copy that was not checked yet is worth as much as one that is cut."""


class Judged(Struct, frozen=True, omit_defaults=True):
    """What checking a copy of a game has found; see `replays.view.verify`."""

    digest: str
    verdict: str
    text: str = ""
    record: int | None = None
    rule: str | None = None
    by: str = ""
    """the rules and cards at hand then, see `at_hand`"""


JUDGED_DECODER = msgspec.json.Decoder(Judged)


@cache
def at_hand() -> str:
    """What a verdict depends on besides the log: a digest of this program's rulebooks, card sets and engine."""
    editions = [registry.load(key).editions for key in registry.GAMES]
    return digest(msgspec.json.encode([ENGINE, editions]))[:16]


def judged(copy: str, found: Verdict) -> Judged:
    """A verdict as it is kept, of the copy with this digest."""
    text = "" if found.verdict == "verified" else found.text[:400]
    return Judged(copy, found.verdict, text, found.record, found.rule, at_hand())


def may_have_changed(verdict: Judged) -> bool:
    """Whether the same check could find another thing today."""
    return verdict.verdict != "verified" and verdict.by != at_hand()


def is_own(pack: str) -> bool:
    """Whether the games of a pack were simulated here."""
    return pack.endswith(f"{OWN}{PACK}")


def trust(verdict: str, whole: bool) -> int:
    """How far a copy with this verdict is to be trusted, for comparing it with another copy of the same game."""
    return TRUST[verdict] + whole


def trust_in(copy: Key | Entry, verdicts: Mapping[str, Judged]) -> int:
    """How far a copy that is in the library is to be trusted."""
    found = verdicts.get(copy.digest)
    return trust(found.verdict if found else "verified" if is_own(copy.pack) else "cut", copy.state == "whole")


def standing(entry: Entry, verdicts: Mapping[str, Judged]) -> str:
    """What is known of a game, in a word: its verdict, or why it has none."""
    found = verdicts.get(entry.digest)
    if found is not None:
        return found.verdict
    if entry.state == "live":
        return "live"
    if entry.reason is None:
        return "cut"
    return "own" if is_own(entry.pack) else "waiting"
