"""Where one stops: what a line says is on the board there, and an action ends with its own line and picture."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from engine.rulebooks import registry
from events import kinds as k
from events.open import read_games
from replays.view.timeline import Timeline
from tests.golden.make import FOLDER
from tests.moments import PICTURES, check

NOTHING_TO_SEE = {
    k.GameStarted, k.CardsMade, k.Shuffled, k.Rolled, k.CardIdentified, k.IdentityLost, k.ModifierEnded,
    k.Annotated, k.Sealed,
}  # fmt: skip


def timelines(key: str, seat: int | None) -> list[Timeline]:
    games = read_games(FOLDER / f"{key}.jsonl")
    return [Timeline(game.events, game.rulebook, game.card_sets, seat) for game in games]


@pytest.mark.parametrize("seat", [None, 0, 1])
@pytest.mark.parametrize("key", sorted(registry.GAMES))
def test_what_every_line_of_the_golden_games_says_is_on_the_board_at_its_stop(key: str, seat: int | None) -> None:
    counted = sum((check(timeline) for timeline in timelines(key, seat)), start=Counter())
    assert counted["Acted"] and counted["DamageDealt"] and counted["TurnBegan"]


def test_every_kind_of_record_has_a_picture_or_nothing_to_see() -> None:
    kinds = {kind for kind in vars(k).values() if isinstance(kind, type) and issubclass(kind, k.Event)} - {k.Event}
    assert set(PICTURES) | NOTHING_TO_SEE == kinds - {k.RulebookLine, k.CardSet}
    assert not set(PICTURES) & NOTHING_TO_SEE


@pytest.mark.parametrize("key", sorted(registry.GAMES))
def test_no_two_lines_share_a_record_and_stops_go_forward(key: str) -> None:
    for timeline in timelines(key, None):
        moments = timeline.moments
        assert [moment.line for moment in moments] == [n for n, line in enumerate(timeline.lines) if not line.quiet]
        for one, two in pairwise(moments):
            assert one.first <= one.line <= one.stop < two.first
