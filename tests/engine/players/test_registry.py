"""Players by name: those here, those of installed packages, and those in a module, which a log cannot choose."""

from __future__ import annotations

import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from engine.players import Observation, PlayerError, make_player, registry
from replays.cli import main
from tests.play import begin

DOCS = (Path(__file__).parents[3] / "docs/PLAYERS.md").read_text("utf-8")


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The players that the documentation shows, in a module in the current folder."""
    code = "\n".join(re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL))
    (tmp_path / "mine.py").write_text(code + "\n\ndef broken(seed):\n    raise ValueError('no luck')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    return "mine"


@pytest.mark.parametrize("name", ["Fast", "careful"])
def test_a_player_in_a_module_of_the_current_folder_plays(name: str, written: str) -> None:
    match = begin(1)
    players = [make_player(f"{written}:{name}", seat, modules=True) for seat in (0, 1)]
    for _ in range(12):
        assert match.state.asked is not None
        match.act(players[match.state.asked.seat](Observation(match)))


def test_the_entry_points_of_packages_are_players_and_may_take_a_setting(
    written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = EntryPoint("fast", "mine:Fast", registry.GROUP)
    other = EntryPoint("set", "builtins:divmod", registry.GROUP)
    monkeypatch.setattr(registry, "_installed", lambda: {"fast": entry, "set": other})
    monkeypatch.setattr(sys, "path", [".", *sys.path])
    match = begin(1)
    assert make_player("fast", 1)(Observation(match)) in match.legal()
    with pytest.raises(PlayerError, match="unsupported operand"):  # the seed and the setting came there
        make_player("set:7", 1)


@pytest.mark.parametrize(("name", "modules", "why"), [
    ("clever", True, "There is no player 'clever'; there are .*random.*, and MODULE:ATTRIBUTE for one of your own"),
    ("mine:Fast", False, "There is no player 'mine:Fast'"),
    ("mine:Slow", True, "cannot be loaded: module 'mine' has no attribute 'Slow'"),
    ("nowhere_at_all:Slow", True, "cannot be loaded: No module named 'nowhere_at_all'"),
    ("mine:broken", True, "cannot be made: no luck"),
    ("mine:Random.choice", True, "cannot be loaded"),
    ("os:abort", True, "cannot be made from a seed alone"),
    ("random:5", True, "takes no setting, so it is 'random' alone"),
])
def test_a_player_that_there_is_not_is_a_sentence(name: str, modules: bool, why: str, written: str) -> None:
    with pytest.raises(PlayerError, match=why):
        make_player(name, 1, modules=modules)
    assert written not in sys.modules or modules


def test_simulate_plays_a_player_of_ones_own(written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["cardfold", "simulate", "liveon", "-n", "2", "--players", "mine:Fast,random", "--out", "games.jsonl"]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit) as stopped:
        main.main()
    assert stopped.value.code == 0
    assert Path("games.jsonl").read_bytes().count(b'"player_kind":"mine:Fast"') == 2
