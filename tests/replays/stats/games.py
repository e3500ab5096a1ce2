"""The games of these tests: short ones of Live On, and one for each reason to be left out."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from engine.cards.decks import deck_digest
from engine.core.match import Match
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks import registry
from events.actions import Concede
from events.game import GameLog
from events.kinds import Annotated, GameEnded, Seat
from events.open import read_games
from replays.stats.metrics import Filters, metric
from replays.stats.shards import stem
from replays.stats.warehouse import Warehouse
from tests.play import random_deck

GAME = registry.load("liveon")
DECKS = [random_deck(GAME, 21, seed) for seed in (1, 2, 3)]
CLOSE = 1e-9


def begin(number: int) -> Match:
    """A short game; every third one ends as a draw by turn limit unless it is over before."""
    decks = [DECKS[number % 3], DECKS[number // 3 % 3]]
    player_kinds = ("random", "random") if number % 2 else ("random", "other")
    seats = (Seat("A", player_kinds[0], decks[0]), Seat("B", player_kinds[1], decks[1]))
    options = {"format": "short", "max_turns": 9 if number % 3 == 0 else 200}
    more = {"origin": "simulated", "tags": ("cup",) if number % 4 == 0 else ()}
    day = f"2026-05-{number % 20 + 1:02}" if number % 5 else None
    return GAME.begin(GAME.header(seats, options, number, date=day, **more))


def finish(match: Match, number: int) -> list[Any]:
    players = [PLAYER_KINDS["random"](number), PLAYER_KINDS["random"](number + 1)]
    while match.state.asked is not None:
        late = number % 10 == 7 and match.state.turn == 6
        match.act(Concede() if late else players[match.state.asked.seat](Observation(match)))
    return match.log


def odd_games() -> list[list[Any]]:
    """One game for each reason to be left out that a log can have."""
    cut = finish(begin(901), 901)[:-20]
    short = begin(902)
    short.act(Concede())
    error = [*finish(begin(903), 903)[:-1], Annotated("it raised", back=1), GameEnded(None, "error")]
    view = finish(begin(904), 904)
    return [cut, short.log, error, [structs.replace(view[0], view=1), *view[1:]]]


def all_games(library: Path) -> list[GameLog]:
    return [game for pack in sorted(library.glob("packs/*.zst")) for game in read_games(pack)]


def rows(warehouse: Warehouse, name: str, filters: Filters | None = None) -> list[dict[str, Any]]:
    return metric(warehouse, name, filters or Filters()).to_pylist()


def by_code(found: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["code"]: row for row in found}


def alike(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """Both are the same rows, but for the last digits of sums of fractions: these depend on the order of adding."""
    assert [row.keys() for row in found] == [row.keys() for row in expected]
    for one, other in zip(found, expected, strict=True):
        for name, value in one.items():
            both = pytest.approx(other[name], rel=1e-9, abs=1e-12) if isinstance(value, float) else other[name]
            assert value == both, (name, one, other)


def same(row: dict[str, Any], expected: dict[str, Any] | None) -> None:
    """Every expected number is the row's, to 1e-9; nothing expected is null."""
    if expected is None:
        assert row["rate"] is None and row["low"] is None and row["shrunk"] is None and row["thin"] is None
        return
    for name, value in expected.items():
        assert row[name] == pytest.approx(value, abs=CLOSE, rel=CLOSE), (row, name, value)


def copy_packs(library: Path, to: Path, names: dict[str, str] | None = None) -> None:
    (to / "packs").mkdir(parents=True)
    for pack in library.glob("packs/*.zst"):
        (to / "packs" / f"{(names or {}).get(stem(pack), stem(pack))}.jsonl.zst").write_bytes(pack.read_bytes())


FILTERS = {
    "none": (Filters(), lambda u: True),
    "player_kind": (Filters(player_kind="other"), lambda u: u["player_kind"] == "other"),
    "player": (Filters(player="B"), lambda u: u["player"] == "B"),
    "deck": (Filters(deck=DECKS[0].name), lambda u: u["deck"] == deck_digest(DECKS[0])),
    "deck digest": (Filters(deck=deck_digest(DECKS[1])), lambda u: u["deck"] == deck_digest(DECKS[1])),
    "card set": (Filters(card_set="emb", format="short", game="liveon"), lambda u: True),
    "second": (Filters(seat="second"), lambda u: not u["first"]),
    "tags": (Filters(tags=("cup",)), lambda u: "cup" in u["tags"]),
    "days": (
        Filters(since=date(2026, 5, 3), until=date(2026, 5, 11)),
        lambda u: u["date"] is not None and "2026-05-03" <= u["date"] <= "2026-05-11",
    ),
    "length and reason": (
        Filters(least_turns=5, most_turns=12, reasons=("burst", "turn_limit")),
        lambda u: 5 <= u["turns"] <= 12 and u["reason"] in ("burst", "turn_limit"),
    ),
}
