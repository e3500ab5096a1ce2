"""The command bench: which figures there are, with and without the yardstick. None of them is judged."""

from __future__ import annotations

import pytest

from replays.cli import bench
from replays.cli.yardstick import MISSING, measure_chess


def test_chess_is_played_and_read() -> None:
    pytest.importorskip("chess")
    assert all(figure > 0 for figure in measure_chess(0).values())


@pytest.mark.parametrize("installed", [True, False])
def test_there_are_ratios_to_chess_where_it_is_installed(installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "has_chess", lambda: installed)
    chess = {"chess.random.moves_per_s": 1.0, "chess.read.moves_per_s": 2.0}
    monkeypatch.setattr(bench, "measure_chess", lambda seconds: chess)
    said: list[str] = []
    figures = bench.measure(("monbattle",), 0, said.append)
    assert (MISSING in said) != installed
    assert installed == (figures.get("ratio.monbattle.random") == figures["selfplay.monbattle.random.decisions_per_s"])
    assert figures["facts.monbattle.events_per_s"] > 0 and ("ratio.monbattle.read" in figures) == installed
