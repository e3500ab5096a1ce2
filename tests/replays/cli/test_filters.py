"""Filters of commands: the same ones wherever there are any, and a name that nothing has is a sentence."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from events.game import write_game
from events.kinds import Seat
from events.open import read_games
from replays.cli import filters, library, stats
from replays.stats.metrics import Filters
from replays.store.filters import NAMED, GameFilters
from tests.play import begin, play
from tests.replays.cli.conftest import Run

OPTIONS = {
    "game": "--game", "card_set": "--card-set", "format": "--deck-format", "tags": "--tag", "player": "--player",
    "player_kind": "--player-kind", "deck": "--deck", "reasons": "--reason", "playlist": "--playlist",
}  # fmt: skip
COMMANDS = {"list": ("list",), "export": ("export", "--to", "-"), "stats": ("stats", "endings")}


@pytest.fixture
def two(run: Run, tmp_path: Path) -> list[str]:
    """A counted library of two games: Ann against Bo, tagged `cup`, and Cy against Di; their ids."""
    for number, names, tags in ((3, ("Ann", "Bo"), ("cup",)), (5, ("Cy", "Di"), ())):
        match = begin(number)
        seats = tuple(Seat(name, "human", seat.deck) for name, seat in zip(names, match.log[0].seats, strict=True))  # type: ignore[attr-defined]
        header = match.game.header(seats, {}, number, origin="played", tags=tags)  # type: ignore[arg-type]
        file = tmp_path / f"{number}.jsonl"
        events = play(match.game.begin(header), number)
        file.write_bytes(write_game((match.game.rulebook, match.game.card_sets, events)))
        assert run("import", file)[0] == 0
    assert run("build", "--jobs", "1")[0] == 0
    ids = [line["id"] for line in json.loads(run("list", "--format", "json")[1])]
    assert run("playlists", "add", "best", ids[0])[0] == 0
    return ids


@pytest.mark.parametrize("named", NAMED)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_filter_that_names_nothing_is_a_sentence(run: Run, kept: str, command: str, named: str) -> None:
    assert run("build", "--jobs", "1")[0] == 0
    code, out, err = run(*COMMANDS[command], OPTIONS[named], "nosuch")
    assert (code, out) == (2, "")
    assert err.startswith(f"There is no {NAMED[named]} 'nosuch'; ") and ("; there " in err or "no game has any" in err)


@pytest.mark.parametrize(
    ("options", "which"),
    [
        (("--player", "Ann"), [0]), (("--player", "Di"), [1]), (("--tag", "cup"), [0]), (("--game", "liveon"), [0, 1]),
        (("--card-set", "EMB"), [0, 1]), (("--player-kind", "human"), [0, 1]),
        (("--player", "Ann", "--tag", "cup"), [0]),
        (("--player", "Cy", "--tag", "cup"), []), (("--since", "2099-01-01"), []),
        (("--playlist", "best"), [0]), (("--playlist", "best", "--player", "Di"), []),
    ],
)  # fmt: skip
def test_list_export_and_stats_mean_the_same_games(
    run: Run, two: list[str], tmp_path: Path, options: tuple[str, ...], which: list[int]
) -> None:
    wanted = [two[number] for number in which]
    assert [line["id"] for line in json.loads(run("list", *options, "--format", "json")[1])] == wanted
    file = tmp_path / "out.jsonl"
    assert run("export", *options, "--to", file)[0] == (0 if wanted else 1)
    assert file.exists() == bool(wanted)
    assert [game.header.id for game in (read_games(file) if wanted else [])] == wanted
    counted = json.loads(run("stats", "endings", *options, "--format", "json")[1])
    assert sum(row["games"] for row in counted) == len(wanted)


def test_export_takes_ids_or_filters(run: Run, two: list[str]) -> None:
    for words in (("export", "--to", "-"), ("export", two[0], "--player", "Ann", "--to", "-")):
        code, out, err = run(*words)
        assert (code, out) == (2, "") and "give the ids of games to export, or filters that choose them." in err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["--since", "--until"])
def test_what_is_no_day_is_a_sentence(run: Run, kept: str, command: str, option: str) -> None:
    code, _, err = run(*COMMANDS[command], option, "yesterday")
    assert code == 2 and "'yesterday' is no day; write it as YYYY-MM-DD." in err


@pytest.mark.parametrize(
    ("command", "kind"),
    [(library.list_command, GameFilters), (library.export_command, GameFilters), (stats.stats_command, Filters)],
)
def test_a_command_that_filters_takes_every_filter_as_an_option(
    command: Callable[..., None], kind: type[GameFilters]
) -> None:
    taken = inspect.signature(command).parameters
    assert set(kind.__struct_fields__) <= set(taken) and "filters" not in taken
    assert all(taken[name].annotation == filters.OPTIONS[name] for name in kind.__struct_fields__)
