"""The commands families and playlists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from events.game import write_game
from events.kinds import DeckList, Seat
from tests.play import begin, play
from tests.replays.cli.conftest import Run


@pytest.fixture
def versions(run: Run, tmp_path: Path) -> list[str]:
    """A counted library of three games with versions of two decks, which go by many names; their ids."""
    match = begin(3)
    one, other = (seat.deck for seat in match.log[0].seats)  # type: ignore[attr-defined]
    for number, names in enumerate((("Kiln", "Cold"), ("Kiln", "Cold 2"), ("Last", "Cold"))):
        cards = dict(one.cards)
        if number == 1:  # two cards more of one kind, two less of another
            fewer, more = sorted(code for code, n in cards.items() if n == 2)[:2]
            cards |= {fewer: 0, more: 4}
        decks = DeckList(names[0], {c: n for c, n in cards.items() if n}, one.leader), DeckList(names[1], other.cards)
        seats = tuple(Seat(player, "human", deck) for player, deck in zip(("Ann", "Bo"), decks, strict=True))
        header = match.game.header(seats, {}, number, origin="played")
        events = play(match.game.begin(header), number)
        (tmp_path / f"{number}.jsonl").write_bytes(write_game((match.game.rulebook, match.game.card_sets, events)))
        assert run("import", tmp_path / f"{number}.jsonl")[0] == 0
    assert run("build", "--jobs", "1")[0] == 0
    return [line["id"] for line in told(run, "list")]


def told(run: Run, *words: str) -> list[dict[str, object]]:
    code, out, _ = run(*words, "--format", "json")
    assert code == 0
    return list(json.loads(out))


@pytest.mark.parametrize("alike", ["name", "cards"])
def test_versions_of_a_deck_are_found_counted_together_and_apart_again(
    run: Run, versions: list[str], alike: str
) -> None:
    assert len(told(run, "stats", "deck_win_rate")) == 3
    code, out, _ = run("families", "find", alike)
    assert code == 0 and "Kiln" in out
    (family,) = told(run, "families")
    assert (family["family"], family["game"], family["versions"]) == ("Kiln", "liveon", 2)
    counted = {row["deck_name"]: row["games"] for row in told(run, "stats", "deck_win_rate", "--families")}
    assert counted == {"Kiln": 3, "Cold": 3}
    assert len(told(run, "stats", "deck_win_rate", "--families", "--games", "deck=Kiln")) == 3
    for command in ("list", "stats"):
        words = (command, "deck_win_rate") if command == "stats" else (command,)
        assert len(told(run, *words, "--deck", "Kiln")) == (2 if command == "stats" else 3)
    assert len(told(run, "stats", "deck_win_rate")) == 3, "only where it is asked for"
    assert run("compare", "families,seat=first", "families,seat=second", "--metric", "deck_win_rate")[0] == 0
    assert run("families", "drop", "Kiln")[0] == 0 and told(run, "families") == []


def test_decks_are_joined_by_hand(run: Run, versions: list[str]) -> None:
    code, _, err = run("families", "join", "all of them", "Kiln", "Last", "Cold")
    assert code == 0 and "all of them has 3 versions." in err
    assert [row["deck_name"] for row in told(run, "stats", "deck_win_rate", "--families")] == ["all of them"]
    for words, said in (
        (("families", "join", "x", "Nosuch"), "There is no deck 'Nosuch'"),
        (("families", "drop", "x"), "There is no family 'x'; there are 'all of them'"),
        (("families", "join", " ", "Kiln"), "A group needs a name"), (("families", "find", "luck"), "luck"),
    ):  # fmt: skip
        code, out, err = run(*words)
        assert code == 2 and said in err and out == ""


def test_a_playlist_is_added_to_listed_exported_and_forgotten(
    run: Run, versions: list[str], tmp_path: Path
) -> None:
    assert "best has 2 games." in run("playlists", "add", "best", versions[0], versions[1])[2]
    assert "best has 3 games." in run("playlists", "add", "best", "--player", "Ann")[2]
    assert "best has 2 games." in run("playlists", "remove", "best", versions[1])[2]
    assert told(run, "playlists") == [{"playlist": "best", "games": 2, "here": 2}]
    assert [line["id"] for line in told(run, "list", "--playlist", "best")] == [versions[0], versions[2]]
    assert run("export", "--playlist", "best", "--to", tmp_path / "best.jsonl")[0] == 0
    assert sum(row["games"] for row in told(run, "stats", "endings", "--playlist", "best")) == 2
    assert run("remove", versions[0])[0] == 0
    assert told(run, "playlists") == [{"playlist": "best", "games": 2, "here": 1}]
    for words, said in (
        (("playlists", "add", "best"), "Give the ids of games, or filters that choose them."),
        (("playlists", "add", "best", "nosuch"), "There is no game"), (("playlists", "remove", "worst"), "no playlist"),
        (("playlists", "add", " ", versions[1]), "A group needs a name"),
        (("list", "--playlist", "worst"), "There is no playlist 'worst'; there is 'best'."),
    ):  # fmt: skip
        code, out, err = run(*words)
        assert code == 2 and said in err and out == ""
    assert "forgotten" in run("playlists", "remove", "best")[2] and told(run, "playlists") == []
    assert len(told(run, "list")) == 2, "its games stay"
