"""What players put on record of their decisions: the game is the same without, and no seat reads the other's.

And the frozen digest of a small plan: it is the same on every version of Python and every machine.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs, to_builtins

from engine.rulebooks import registry
from engine.view import view
from events.game import GameLog
from events.kinds import Acted, Annotated, Asked
from events.open import read_games
from events.record import digest, encode, game_key, unannotated
from replays.play.simulate import Plan, all_pairs, simulate
from replays.store.share import as_seen
from replays.view.verify import verify


def plan(key: str, **more: object) -> Plan:
    decks = all_pairs(registry.load(key).shipped_decks())
    return structs.replace(
        Plan(game=key, decks=decks[1:3], count=2, player_kinds=("search:2", "greedy"), seed=3), **more)


def played(tmp_path: Path, key: str, **more: object) -> list[GameLog]:
    return list(read_games(simulate(plan(key, **more), tmp_path / f"{len(more)}.jsonl", jobs=1).path))


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_log_without_its_annotations_is_the_same_game(tmp_path: Path, key: str) -> None:
    plain, annotated = played(tmp_path, key), played(tmp_path, key, annotate=True)
    for one, other in zip(plain, annotated, strict=True):
        remarks = [e for e in other.events if isinstance(e, Annotated)]
        assert remarks and not any(isinstance(e, Annotated) for e in one.events)
        assert game_key(one.events) == game_key(other.events)
        assert list(map(encode, unannotated(other.events[:-1]))) == list(map(encode, one.events[:-1]))
        assert verify(one).verdict == verify(other).verdict == "verified"


def test_an_annotation_stands_before_the_decision_that_it_is_about(tmp_path: Path) -> None:
    (log, _) = played(tmp_path, "monbattle", annotate=True)
    seen = 0
    for number, event in enumerate(log.events):
        if isinstance(event, Annotated):
            asked, acted = log.events[number - 1], log.events[number + 1]
            assert isinstance(asked, Asked) and isinstance(acted, Acted)
            assert (event.by, event.seat, event.about) == ("search:2", asked.seat, number - 1)
            weighed = event.data["actions"]
            assert len(weighed) > 1 and all(one["visits"] >= 1 and 0 <= one["chance"] <= 1 for one in weighed)
            chosen = next(one for one in weighed if one["action"] == to_builtins(acted.action))
            assert (chosen["visits"], chosen["chance"]) == max((one["visits"], one["chance"]) for one in weighed)
            seen += 1
    assert seen > 5


@pytest.mark.parametrize("seat", [0, 1])
def test_what_one_seat_saw_has_no_annotation_and_is_the_same_bytes(tmp_path: Path, seat: int) -> None:
    plain, annotated = played(tmp_path, "liveon"), played(tmp_path, "liveon", annotate=True)
    for one, other in zip(plain, annotated, strict=True):
        shown = as_seen(other, seat)
        assert not any(isinstance(e, Annotated) for e in shown.events)
        assert shown.text == as_seen(one, seat).text
        assert view(other.events[:-1], seat, registry.load("liveon").declared)


FROZEN = {
    "liveon": "96eb2258e7eae390f695196ffbc969b5",
    "xcard": "676a183fadf4fd3ee90726b6f9ea77b2",
    "monbattle": "feb1038e5d9dd0f5b0e1f30dad169c54",
}
"""Digests of the keys of the games that the small plan gives, made on Python 3.11."""


@pytest.mark.parametrize("key", registry.GAMES)
def test_the_same_plan_gives_the_same_games_on_every_python(tmp_path: Path, key: str) -> None:
    """Players, weights, rules and cards change this on purpose; a version of Python or a machine must not."""
    keys = [game_key(log.events) for log in played(tmp_path, key)]
    assert digest(" ".join(keys).encode()) == FROZEN[key]
