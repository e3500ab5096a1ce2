"""Families of decks and playlists of games: what is kept, what belongs together, and what is wrong in a sentence."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.kinds import DeckList
from replays.store import groups
from replays.store.entries import Entry
from replays.store.groups import Family, Groups, GroupsError, Playlist
from replays.store.library import Library

WORDS = st.sampled_from(["a", "b", "c", "d"])
FAMILIES = st.builds(Family, st.sampled_from(["one", "two"]), st.sampled_from(["x", "y"]), st.lists(WORDS).map(tuple))


def entry(one: tuple[str, str], other: tuple[str, str], game: str = "toy", view: int | None = None) -> Entry:
    """A game of two decks, each a digest and a name."""
    return Entry(
        id="g", key="k", game=game, rulebook="1", players=("", ""), player_kinds=("", ""), records=1, origin="played",
        state="whole", decks=(one[1], other[1]), deck_keys=(one[0], other[0]), view=view,
    )


@given(st.lists(FAMILIES))
def test_a_deck_is_in_one_family_at_most_and_the_last_wish_counts(wishes: list[Family]) -> None:
    found = Groups()
    for wish in wishes:
        if wish.decks:
            found = groups.joined(found, wish)
            (made,) = [one for one in found.families if (one.name, one.game) == (wish.name, wish.game)]
            assert set(wish.decks) <= set(made.decks)
            every = [deck for one in found.families for deck in one.decks]
            assert len(set(every)) == len(every) and all(one.decks for one in found.families)


@given(st.lists(st.tuples(st.booleans(), st.lists(WORDS))))
def test_a_playlist_has_each_game_once_in_the_order_in_which_it_came(steps: list[tuple[bool, list[str]]]) -> None:
    found, expected = groups.listed(Groups(), "best", []), []
    for add, games in steps:
        found = groups.listed(found, "best", games) if add else groups.unlisted(found, "best", games)
        expected = [*dict.fromkeys(expected + games)] if add else [game for game in expected if game not in games]
        assert found.playlists == (Playlist("best", tuple(expected)),)
    assert groups.unlisted(found, "best").playlists == ()


def test_groups_are_kept_as_they_were_and_damage_is_a_sentence(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    family = Family("斧", "toy", ("d",))
    made = library.change_groups(lambda old: groups.listed(groups.joined(old, family), "b/../c", ["k"]))
    assert Library(tmp_path / "library").groups() == made == library.groups()
    for data in (b"", b"{", b"\xff", b'{"families": [{"name": 1}]}', b"[]"):
        (library.path / groups.GROUPS_FILE).write_bytes(data)
        with pytest.raises(GroupsError, match=r"groups.json is damaged .* put it right, or delete it"):
            library.groups()
        with pytest.raises(GroupsError):
            library.change_groups(lambda old: groups.listed(old, "new", ["k"]))
        assert (library.path / groups.GROUPS_FILE).read_bytes() == data, "nothing is lost by trying"


def test_what_is_not_there_or_has_no_name_is_a_sentence() -> None:
    made = groups.listed(groups.joined(Groups(), Family("one", "toy", ("d",))), "best", ["k"])
    with pytest.raises(GroupsError, match="There is no family 'two'; there are 'one'"):
        groups.dropped(made, "two")
    with pytest.raises(GroupsError, match="There is no playlist 'two'; there are 'best'"):
        groups.unlisted(made, "two")
    with pytest.raises(GroupsError, match="there are none yet"):
        groups.playlist(Groups(), "two")
    with pytest.raises(GroupsError, match="needs a name"):
        groups.listed(made, "  ", ["k"])
    assert len(groups.listed(Groups(), "x" * 500, ["k"]).playlists[0].name) == groups.LONGEST_TITLE


def test_a_family_is_forgotten_in_one_game_or_in_all() -> None:
    both = groups.joined(groups.joined(Groups(), Family("one", "toy", ("d",))), Family("one", "other", ("e",)))
    assert [one.game for one in groups.dropped(both, "one", "toy").families] == ["other"]
    assert groups.dropped(both, "one").families == ()
    with pytest.raises(GroupsError, match="There is no family 'one'"):
        groups.dropped(both, "one", "third")


def test_decks_of_one_name_are_a_family_in_their_game_alone() -> None:
    games = [entry(("a", "Kiln"), ("b", "kiln")), entry(("c", "Kiln"), ("d", "")), entry(("e", ""), ("f", "Cold"))]
    found = groups.families_found([*games, entry(("g", "Kiln"), ("h", "Cold"), "other")])
    assert found == [Family("Kiln", "toy", ("a", "b", "c"))], "a deck without a name, or alone with its own, is in none"
    assert groups.families_found([entry(("a", "Kiln"), ("b", "Kiln"), view=0)]) == [], "the other's list is not known"


def test_decks_of_like_cards_are_a_family_through_those_between() -> None:
    lists = {
        "a": DeckList("", {"x": 30, "y": 20}), "b": DeckList("", {"x": 26, "y": 24}),
        "c": DeckList("", {"x": 22, "y": 28}), "d": DeckList("", {"x": 17, "y": 33}),
        "e": DeckList("", {"x": 30, "y": 20, "z": 5}),
        "f": DeckList("", {"x": 30, "y": 20}, "other leader"), "g": DeckList("", {}), "h": DeckList("", {}),
    }  # fmt: skip
    games = [entry((one, "Kiln" if one in "ab" else "Late"), ("g", "")) for one in "aaabcdefh"]
    assert groups.families_found(games, lists) == [Family("Kiln", "toy", ("a", "b", "c", "f"))]


@given(st.integers(0, 2**32), st.integers(2, 30))
def test_families_by_cards_are_those_that_comparing_all_with_all_finds(seed: int, many: int) -> None:
    rng = random.Random(seed)
    decks = [Counter({f"c{n}": rng.randint(1, 4) for n in range(15)}) for _ in range(3)]
    while len(decks) < many:
        new = Counter(rng.choice(decks))
        for _ in range(rng.randint(1, 6)):
            new[rng.choice(list(new))] -= 1
            new[f"c{rng.randint(0, 30)}"] += 1
        decks.append(+new)
    lists = {f"d{n}": DeckList("", dict(deck)) for n, deck in enumerate(decks)}
    games = [entry((deck, "N"), (deck, "N")) for deck in lists]
    found = {deck: number for number, one in enumerate(groups.families_found(games, lists)) for deck in one.decks}
    sets = {deck: {deck} for deck in lists}
    for one in lists:
        for other in lists:
            a, b = Counter(lists[one].cards), Counter(lists[other].cards)
            if max((a - b).total(), (b - a).total()) <= groups.MOST_CHANGED:
                whole = sets[one] | sets[other]
                sets.update(dict.fromkeys(whole, whole))
    for one in lists:
        family = {other for other in lists if one in found and found.get(other) == found[one]}
        assert family | {one} == sets[one]


def test_families_that_are_found_under_one_name_are_told_apart() -> None:
    lists = {deck: DeckList("", {"x": n}) for deck, n in zip("abcd", (1, 2, 20, 21), strict=True)}
    games = [entry(("a", "Kiln"), ("b", "Kiln")), entry(("c", "Kiln"), ("d", "Kiln"))]
    assert [(one.name, one.decks) for one in groups.families_found(games, lists)] == [
        ("Kiln", ("a", "b")), ("Kiln (2)", ("c", "d"))]
