"""What an import looks up of the games that a library has."""

from __future__ import annotations

import pytest

from replays.store.dedupe import KnownGames
from replays.store.entries import Key
from replays.store.verdicts import trust

VERIFIED, UNCHECKED, CUT, ALTERED = (trust(word, True) for word in ("verified", "unchecked", "cut", "altered"))


def copy(key: str, name: str, digest: str, terms: str = "e", seen: tuple[str, ...] = ()) -> Key:
    return Key(key, name, "whole", digest=digest, terms=terms, seen=seen)


def test_a_game_is_wanted_until_as_good_a_copy_of_it_is_there() -> None:
    known = KnownGames()
    order = [ALTERED, CUT, UNCHECKED, VERIFIED]
    for number, worth in enumerate(order):
        this = copy("k1", f"g{number}", f"d{number}")
        assert known.wants(this, worth)
        known.add(this, worth)
        assert (known.trust("k1"), known.name_of("k1")) == (worth, f"g{number}")
        assert not any(known.wants(copy("k1", "again", "dx"), other) for other in order[: number + 1])
    known.add(copy("k1", "late", "d9"), ALTERED)
    assert (known.trust("k1"), known.name_of("k1")) == (VERIFIED, "g3")
    assert [known.has_copy(digest) for digest in ("d0", "d3", "d9", "dx")] == [True, True, True, False]
    assert (known.trust("k2"), known.name_of("k2")) == (None, "")


def test_of_games_that_nobody_can_check_those_under_other_terms_stand_beside_each_other() -> None:
    known = KnownGames()
    known.add(copy("k1", "g1", "d1", "e1"), UNCHECKED)
    assert known.wants(copy("k1", "g2", "d2", "e2"), UNCHECKED)
    known.add(copy("k1", "g2", "d2", "e2"), UNCHECKED)
    assert not known.wants(copy("k1", "g3", "d3", "e1"), UNCHECKED)
    known.add(copy("k1", "g3", "d3", "e1"), VERIFIED)
    assert not known.wants(copy("k1", "g4", "d4", "e3"), VERIFIED)


def test_one_seat_logs_are_known_by_the_logs_that_hold_all_of_them_and_can_be_trusted() -> None:
    known = KnownGames()
    known.add(copy("k1", "g1", "d1", seen=("s0", "s1")), VERIFIED)
    known.add(copy("k2", "g2", "d2", seen=("s2",)), ALTERED)
    assert [known.is_seen(key) for key in ("s0", "s1", "s2", "k1")] == [True, True, False, False]


def test_what_cannot_be_looked_up_is_an_error_of_the_disk() -> None:
    known = KnownGames()
    known.close()
    with pytest.raises(OSError, match="cannot be looked up"):
        known.name_of("k1")
