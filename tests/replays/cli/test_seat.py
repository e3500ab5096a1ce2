"""--seat is 0 or 1 or a player's name, in every command that has it, and it is said which seat that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.replays.cli.conftest import Run

COMMANDS = {
    "show": ("show", "{log}"), "log": ("log", "{log}"), "export": ("export", "{id}", "--to", "-"),
    "decks export": ("decks", "export", "{log}"),
}  # fmt: skip


def words(command: str, log: Path, kept: str) -> list[str]:
    return [word.format(log=log, id=kept) for word in COMMANDS[command]]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("seat", "name"), [(0, "A"), (1, "B")])
def test_a_seat_is_meant_by_its_number_and_by_who_sits_there(
    run: Run, log: Path, kept: str, command: str, seat: int, name: str
) -> None:
    by_number, by_name, low = (run(*words(command, log, kept), "--seat", given) for given in (seat, name, name.lower()))
    assert by_number[0] == 0 and by_number == by_name == low
    other = run(*words(command, log, kept), "--seat", 1 - seat)
    assert other[0] == 0 and other[1] != by_number[1]
    if command != "decks export":
        assert f"As seat {seat} ({name}) saw it." in by_number[2]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("wrong", ["2", "-1", "first", "", "Bo", "AB"])
def test_a_seat_that_is_not_there_is_a_sentence(run: Run, log: Path, kept: str, command: str, wrong: str) -> None:
    code, out, err = run(*words(command, log, kept), f"--seat={wrong}")
    assert code == 2 and out == "" and f"there is no seat {wrong!r}; there are 0 ('A') and 1 ('B')." in err
