"""What an import looks up of the games that a library has."""

from __future__ import annotations

import pytest

from replays.store.dedupe import KnownGames
from replays.store.entries import Key


def line(key: str, name: str, state: str = "whole", match: str | None = None, view: int | None = None) -> Key:
    return Key(key, name, state, match=match, view=view)


def test_a_game_is_new_once_and_once_more_when_it_comes_whole() -> None:
    known = KnownGames([line("k1", "g1"), line("k2", "g2", "cut")])
    assert not known.is_new("k1", True, "again") and not known.is_new("k1", False)
    assert not known.is_new("k2", False) and known.is_new("k2", True, "other") and not known.is_new("k2", True)
    assert known.is_new("k3", False, "g3") and known.is_new("k3", True) and not known.is_new("k3", True)
    assert [known.name_of(key) for key in ("k1", "k2", "k3", "k4")] == ["g1", "g2", "g3", ""]


def test_the_logs_of_a_live_game_are_known_by_its_match() -> None:
    known = KnownGames([line("k1", "g1", match="m1", view=1), line("k2", "g2", match="m1"), line("k3", "g3")])
    known.add_log("m1", 1)
    known.add_log("", 0)
    known.add_log(None, 0)
    assert known.logs_of("m1") == {1, None}
    assert known.logs_of("m2") == known.logs_of("") == known.logs_of(None) == set()


def test_what_cannot_be_looked_up_is_an_error_of_the_disk() -> None:
    known = KnownGames([])
    known.close()
    with pytest.raises(OSError, match="cannot be looked up"):
        known.name_of("k1")
