"""The checks that every position of the three games goes through fail where they must."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.core.match import Match
from engine.state import State
from events import kinds as k
from tests import table as tables
from tests.engine.rulebooks.liveon.position import position as liveon_position
from tests.engine.rulebooks.monbattle.position import position as monbattle_position
from tests.engine.rulebooks.xcard.position import position as xcard_position
from tests.state_json import from_json
from tests.table import Table


def liveon_table() -> Table:
    return liveon_position("0 A: Ox 2000, Ram\n1 A: Elk\nphase attack")


def xcard_table() -> Table:
    return xcard_position("0 hand: Ox, Ram\nphase form_attack")


def monbattle_table() -> Table:
    return monbattle_position("0 standby: Ox   hand: Ram\n1 standby: Elk")


GAMES = pytest.mark.parametrize(("make", "value"), [
    (liveon_table, "pow"), (xcard_table, "atk"), (monbattle_table, "spd"),
])


@GAMES
def test_a_value_that_is_not_what_lasts_on_the_card_is_found(make: Callable[[], Table], value: str) -> None:
    table = make()
    card = next(number for number in table.match.state.cards if table.match.on_table(number))
    table.match.emit(k.CounterSet(card, value, table.match.value(card, value) + 1))
    with pytest.raises(AssertionError):
        table.check()


@GAMES
def test_a_state_that_the_log_does_not_fold_to_is_found(make: Callable[[], Table], value: str) -> None:
    table = make()
    del table.match.log[-1]
    with pytest.raises(AssertionError, match="folds to another state"):
        table.check()


@GAMES
def test_a_game_that_goes_on_differently_from_its_json_or_in_a_fork_is_found(
    make: Callable[[], Table], value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other_turn(data: bytes) -> State:
        state = from_json(data)
        state.turn += 1
        return state

    def other_fork(match: Match) -> Match:
        fork = true_fork(match)
        fork.state.turn += 1
        return fork

    true_fork = Match.fork
    with monkeypatch.context() as patch:
        patch.setattr(tables, "from_json", other_turn)
        with pytest.raises(AssertionError):
            make().do("pass")
    with monkeypatch.context() as patch:
        patch.setattr(Match, "fork", other_fork)
        with pytest.raises(AssertionError):
            make().do("pass")
    make().do("pass")


@GAMES
def test_something_offered_that_is_refused_is_found(
    make: Callable[[], Table], value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make()
    with pytest.raises(AssertionError, match="is allowed"):
        table.refused("pass")
    table = make()
    monkeypatch.setattr(Match, "refuse", lambda match, action: "no")
    with pytest.raises(AssertionError, match="offered is refused"):
        table.check()


def test_a_card_is_defined_once() -> None:
    monbattle_position("0 standby: 2 Ox fire, Ox, Ox fire")
    with pytest.raises(ValueError, match="Ox is defined in two ways"):
        monbattle_position("0 standby: Ox fire, Ox water")
    with pytest.raises(ValueError, match="stands before any place"):
        monbattle_position("0 Ox fire")
    with pytest.raises(ValueError, match="'furious' says nothing about a card"):
        liveon_position("0 A: Ox furious")
    with pytest.raises(ValueError, match="does not name"):
        xcard_position("0 hand: Ox", Horn={"ability": "effect"})
