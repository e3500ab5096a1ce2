"""Golden logs: old games that must open, tell the same and verify for as long as their versions are read.

They are remade by `python -m tests.golden.make` only, and read as a diff. Together they use everything that a
rulebook knows but what random play cannot reach; that is named here and has a scenario of its own. Endings have logs
of their own (`test_endings.py`).
"""

from __future__ import annotations

import functools

import pytest

from engine.effects.abilities import AnyAbility
from engine.effects.kinds import AnyInstruction
from engine.fold import fold_all
from engine.rulebooks import registry
from engine.state import Declared
from events.game import GameLog
from events.kinds import Asked
from events.open import read_games
from replays.view.narrate import log_text, narrate
from replays.view.verify import verify
from tests.golden.make import FOLDER, covered

UNREACHED = {
    "liveon": {
        "do change",
        "do special",  # Live On's players have no numbers, its cards need no special
    },
    "xcard": {
        "ability activated",
        "ability triggered",
        "ability reaction",  # nothing works by itself, all is used once
        "do burst",
        "do mill",
        "do damage",
        "do exhaust",
        "do play",
        "do end_attack",
        "do shuffle",
        "do change",  # no such
        "do draw",
        "do move",
        "move_kind removed",
        "do choose",
        "asked choose",
        "do each",
        "do if",
        "do may",
        "asked may",
        "do reveal",
        "asked cost",
        "move_kind cost",  # the shipped set does without them; scenarios have them
    },
    "monbattle": {
        "ability reaction",
        "do burst",
        "do cancel",
        "do damage",
        "do special",
        "do exhaust",  # no such in this game
        "rule first_by_lot",  # nobody is blank in round 1 but by effects that the shipped set does without
        "move_kind put",  # no card of the shipped set brings a monster to standby but by playing it
    },
}
UNUSED_KINDS = {
    "liveon": {"attack_met", "damage_calculated", "annotated", "card_identified", "identity_lost"},
    "xcard": {"attack_set", "card_exhausted", "card_attached", "cards_revealed", "annotated", "card_identified",
              "identity_lost"},
    "monbattle": {"attack_met", "card_exhausted", "annotated", "card_identified", "identity_lost"},
}
"""Event kinds that the rulebook does not write; the hand-written log has them."""


@functools.cache
def golden(key: str) -> list[GameLog]:
    return list(read_games(FOLDER / f"{key}.jsonl"))


@pytest.mark.parametrize("key", registry.GAMES)
def test_every_golden_game_is_whole_and_verifies(key: str) -> None:
    assert len(golden(key)) > 3
    for game in golden(key):
        assert game.fault is None and game.sealed
        assert verify(game).verdict == "verified", verify(game).text


@pytest.mark.parametrize("key", registry.GAMES)
def test_golden_games_are_told_as_they_were(key: str) -> None:
    told = [log_text(narrate(g.events[:-1], g.rulebook, g.card_sets)) for g in golden(key)]
    assert "\n\n".join(told) + "\n" == (FOLDER / f"{key}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", registry.GAMES)
def test_golden_games_use_everything_that_the_rulebook_knows(key: str) -> None:
    game = registry.load(key)
    shown = set().union(*(covered(game, g.events) for g in golden(key)))
    book = game.rulebook
    wanted = {f"asked {word}" for word in book.questions} | {f"move_kind {word}" for word in book.move_kinds}
    wanted |= {f"rule {word}" for word in book.rules}
    wanted |= {f"do {kind.__struct_config__.tag}" for kind in AnyInstruction.__args__}
    wanted |= {f"ability {kind.__struct_config__.tag}" for kind in AnyAbility.__args__} - {"ability regenerate"}
    wanted |= {f"keyword {k}" for d in game.cards.values() for k in getattr(d.printed, "keywords", ())}
    kinds = {f"kind {kind.__struct_config__.tag}" for kind in kinds_of_the_log()}
    wanted |= kinds - {f"kind {word}" for word in UNUSED_KINDS[key]}
    assert wanted - shown == UNREACHED[key]


def kinds_of_the_log() -> tuple[type, ...]:
    from events.kinds import AnyEvent

    return tuple(AnyEvent.__args__)


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_golden_game_goes_on_from_any_question(key: str) -> None:
    """The continuation of a stored question is read by today's engine, and is what today's engine would write."""
    game = golden(key)[0]
    declared = Declared(game.rulebook)
    rules = registry.from_sets(key, game.card_sets)
    stops = [i for i, e in enumerate(game.events) if isinstance(e, Asked)]
    for stop in stops[:: max(1, len(stops) // 12)]:
        state = fold_all(game.events[: stop + 1], declared)
        assert state.asked is not None
        version, agenda, _ = rules.decode_continuation(state.asked.continuation)
        assert version and agenda
