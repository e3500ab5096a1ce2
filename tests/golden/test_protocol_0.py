"""Logs of protocol 0 open for ever: they are read as today's, told in today's words, and verified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.rulebooks import registry
from events.game import GameLog
from events.kinds import PROTOCOL, Annotated, Asked, CardIdentified, Event, Sealed
from events.open import read_games
from events.record import decode
from events.upcasts import upcast
from replays.view.narrate import log_text, narrate
from replays.view.verify import same, verify

FOLDER = Path(__file__).parent / "protocol_0"
FILES = [*registry.GAMES, "endings"]


def old(name: str) -> list[GameLog]:
    return list(read_games(FOLDER / f"{name}.jsonl"))


@pytest.mark.parametrize("name", FILES)
def test_games_of_protocol_0_are_whole_and_know_no_old_name(name: str) -> None:
    for game in old(name):
        assert (game.fault, game.sealed, game.header.protocol) == (None, True, "0")
        assert '"protocol":0' in game.lines[0].decode(), "their bytes stay as they are"
        assert not {zone.name for zone in game.rulebook.zones} & {"pile"}


@pytest.mark.parametrize("name", FILES)
def test_games_of_protocol_0_are_told_in_today_s_words(name: str) -> None:
    told = [log_text(narrate(g.events[:-1], g.rulebook, g.card_sets)) for g in old(name)]
    assert "\n\n".join(told) + "\n" == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FILES)
def test_games_of_protocol_0_are_verified_under_the_rules_that_they_name(name: str) -> None:
    for game in old(name):
        found = verify(game)
        ours = registry.load(game.header.game).rulebook.version
        if game.header.rulebook.version == ours:
            assert found.verdict == "verified" or found.reason == "program_error", found.text
        else:
            assert found.verdict == "unchecked" and found.reason in ("other_version", "program_error"), found.text


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_game_of_protocol_0_is_the_same_game_as_it_is_written_today(key: str) -> None:
    """Until the rules change, the golden games of today are those of protocol 0 in other words."""
    today = list(read_games(FOLDER.parent / f"{key}.jsonl"))
    if today[0].header.rulebook.version != old(key)[0].header.rulebook.version:
        pytest.skip("the rules have changed since: other games are golden now")
    for before, now in zip(old(key), today, strict=True):
        assert now.header.protocol == PROTOCOL and now.header.seed == before.header.seed
        pairs = list(zip(before.events[1:], now.events[1:], strict=True))
        assert all(same(a, b, continuations=False) for a, b in pairs if not isinstance(a, Sealed))
        assert any(isinstance(a, Asked) for a, _ in pairs)


@pytest.mark.parametrize(("line", "today"), [
    ({"kind": "noted", "text": "hm", "seat": 1, "back": 3}, Annotated(text="hm", seat=1, back=3)),
    ({"kind": "noted", "text": "hm"}, Annotated(text="hm")),
    ({"kind": "known", "card": 4, "code": "X-1", "seat": 1, "zone": "pile"}, CardIdentified(4, "X-1", 1, "stack")),
])
def test_records_that_no_golden_game_has_become_today_s(line: dict[str, Any], today: Event) -> None:
    assert decode(msgspec.json.encode(upcast(line, "0"))) == today
