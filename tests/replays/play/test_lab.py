"""Balance labs: both ways a game is the same but for the change, and a recount finds what is said of the change."""

from __future__ import annotations

from collections import defaultdict
from math import isclose, sqrt
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.cards.files import CardError
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from events.game import GameLog
from events.kinds import GameEnded, GameStarted
from events.pack import read_pack
from replays.play import lab
from replays.play.simulate import Plan, PlanError, Stopped, all_pairs
from replays.stats.lab import report
from replays.stats.metrics import Filters, metric
from replays.stats.warehouse import open_warehouse
from replays.store.library import Library

LIVEON = registry.load("liveon")
STRONGER = "EMB-062:pow=+3000"  # a card that few decks have


def plan(game: Rulebook, count: int, codes: frozenset[str], players: str = "random") -> Plan:
    pairs = all_pairs(game.shipped_decks())
    return lab.lab_plan(Plan(game=game.key, decks=pairs, count=count, player_kinds=(players, players)), codes)


def changed(game: Rulebook, folder: Path, *changes: str) -> lab.ChangedCards:
    return lab.write_cards(game, lab.changed_cards(game, changes), changes, folder / "cards")


def played(game: Rulebook, folder: Path, count: int, *changes: str, **more: Any) -> lab.Played:
    new = changed(game, folder, *changes)
    return lab.play_lab(plan(game, count, new.codes), Library(folder / "games"), (), new, **{"jobs": 1, **more})


def ways(done: lab.Played) -> tuple[list[GameLog], list[GameLog]]:
    """The games of both ways, in order."""
    by_tag: dict[str, list[GameLog]] = defaultdict(list)
    for pack in done.library.packs():
        for game in read_pack(pack):
            by_tag[game.header.tags[-1]].append(game)
    return by_tag[lab.PRINTED], by_tag[lab.CHANGED]


def number_field(game: Rulebook) -> str:
    """A card of a shipped deck and one of its numbers, as a change names it."""
    for deck in game.shipped_decks():
        for code in deck.cards:
            for field, value in msgspec.to_builtins(game.cards[code].printed).items():
                if type(value) is int:
                    return f"{code}:{field}"
    raise AssertionError


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_change_that_changes_nothing_leaves_every_game_as_it_was(key: str, tmp_path: Path) -> None:
    game = registry.load(key)
    done = played(game, tmp_path, 12, f"{number_field(game)}=+0")
    printed, new = ways(done)
    assert len(printed) == len(new) == 12
    for before, after in zip(printed, new, strict=True):
        assert isinstance(after.events[0], GameStarted)
        assert before.events[1:-1] == after.events[1:-1]
    for name, table in report(done.library).items():
        for row in table.to_pylist():
            assert row.get("difference", row.get("turns_change")) in (0, None), (name, row)


def test_what_is_said_of_a_change_is_what_a_recount_of_its_games_finds(tmp_path: Path) -> None:
    done = played(LIVEON, tmp_path, 60, STRONGER)
    printed, new = ways(done)
    results: dict[str, list[float]] = defaultdict(list)
    lengths = []
    for before, after in zip(printed, new, strict=True):
        decks = [seat.deck.name for seat in before.header.seats]
        lengths.append(turns(after) - turns(before))
        for seat, name in enumerate(decks):
            if decks[0] != decks[1]:
                results[name].append(result(after, seat) - result(before, seat))
    tables = {name: table.to_pylist() for name, table in report(done.library).items()}
    rows = {row["deck_name"]: row for row in tables["decks"]}
    assert rows.keys() == results.keys()
    for name, differences in results.items():
        n, s, ss = len(differences), sum(differences), sum(d * d for d in differences)
        row, half = rows[name], lab.paired_half(n, s, ss)
        assert row["games"] == n
        assert isclose(row["difference"], s / n, abs_tol=1e-12)
        assert isclose(row["low"], max(min(s / (n + 2) - half, s / n), -1), abs_tol=1e-12)
        assert isclose(row["high"], min(max(s / (n + 2) + half, s / n), 1), abs_tol=1e-12)
    (length,) = tables["length"]
    assert isclose(length["turns_change"], sum(lengths) / 60)
    mean = sum(lengths) / 60
    half = lab.Z * sqrt(sum((d - mean) ** 2 for d in lengths) / 59 / 60)
    assert isclose(length["high"] - length["turns_change"], half)
    assert rows["Candle Court"]["narrower"] > 1
    assert sum(row["printed"] for row in tables["games"] if row["measure"] == "ending") == pytest.approx(1)
    codes = {row["code"]: row for row in tables["cards"]}
    held = {code for game in printed for seat in game.header.seats for code in seat.deck.cards}
    assert codes.keys() == held
    warehouse = open_warehouse(done.library.path)
    effects = [
        {row["code"]: row["effect"] for row in metric(warehouse, "draw_effect", Filters(tags=(tag,))).to_pylist()}
        for tag in (lab.PRINTED, lab.CHANGED)
    ]
    for code, row in codes.items():
        assert row["effect"] == pytest.approx(effects[0][code], abs=1e-9)
        assert row["changed_effect"] == pytest.approx(effects[1][code], abs=1e-9)


def result(game: GameLog, seat: int) -> float:
    end = next(event for event in reversed(game.events) if isinstance(event, GameEnded))
    return 0.5 if end.winner is None else float(end.winner == seat)


def turns(game: GameLog) -> int:
    return sum(event.__struct_config__.tag == "turn_began" for event in game.events)


@pytest.mark.parametrize("until", [None, 0.15])
def test_a_lab_is_the_same_stopped_and_resumed_and_with_any_number_of_workers(
    until: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "LEAST", 10)
    monkeypatch.setattr(lab, "CHUNK", 5)
    whole = played(LIVEON, tmp_path / "whole", 40, STRONGER, until=until)
    steps = [0]
    with pytest.raises(Stopped):
        played(LIVEON, tmp_path / "stopped", 40, STRONGER, until=until,
               progress=lambda done, of: steps.__setitem__(0, done), stop=lambda: steps[0] >= 22)
    resumed = played(LIVEON, tmp_path / "stopped", 40, STRONGER, until=until)
    two = played(LIVEON, tmp_path / "two", 40, STRONGER, until=until, jobs=2)
    assert whole.games == resumed.games == two.games
    assert whole.games < 40 if until else whole.games == 40
    assert until is None or (whole.half is not None and whole.half <= until)
    packs = [[pack.read_bytes() for pack in done.library.packs()] for done in (whole, resumed, two)]
    assert packs[0] == packs[1] == packs[2]


def test_a_card_set_of_ones_own_may_stand_for_the_change(tmp_path: Path) -> None:
    new = changed(LIVEON, tmp_path, STRONGER)
    assert lab.read_cards(LIVEON, new.folder) == new
    (card,) = registry.load("liveon", (new.folder,)).cards.keys() & new.codes
    printed: Any = LIVEON.cards[card].printed
    stronger: Any = registry.load("liveon", (new.folder,)).cards[card].printed
    assert stronger.pow == printed.pow + 3000
    assert msgspec.structs.replace(stronger, pow=printed.pow) == printed


@pytest.mark.parametrize(("change", "wrong"), [
    ("pow=+500", "CARD:FIELD=VALUE"),
    ("EMB-062", "CARD:FIELD=VALUE"),
    ("EMB-999:pow=+500", "no card 'EMB-999'"),
    ("EMB-062:pwo=500", "no field `pwo`"),
    ("EMB-062:pow=strong", "expected `int`"),
    ("EMB-062:colour=+1", "nothing can be added"),
    ("EMB-062:pow.red=1", "pow holds no fields"),
    ("EMB-062:colour=purple", "invalid enum value"),
])
def test_a_change_that_cannot_be_made_is_a_sentence(change: str, wrong: str) -> None:
    with pytest.raises((lab.LabError, CardError), match=wrong.replace("`", ".")):
        lab.changed_cards(LIVEON, [change])


def test_several_changes_of_one_card_add_up_and_a_card_may_be_called_by_its_name() -> None:
    cards = lab.changed_cards(LIVEON, [
        "Vesna Bonepiper:pow=+500", "EMB-062:keywords.burst=2", "EMB-062:power.black=-1", "EMB-061:pow=1000",
    ])
    assert cards["EMB-062"]["pow"] == 3000
    assert cards["EMB-062"]["keywords"] == {"burst": 2}
    assert cards["EMB-062"]["power"] == {"black": 1}
    assert cards["EMB-061"]["pow"] == 1000


def test_decks_without_a_changed_card_are_not_played_and_there_must_be_one_with_it(tmp_path: Path) -> None:
    codes = changed(LIVEON, tmp_path, STRONGER).codes
    for pair in plan(LIVEON, 10, codes).decks:
        assert any(codes & deck.cards.keys() for deck in pair)
    with pytest.raises(PlanError, match="No deck holds"):
        plan(LIVEON, 10, frozenset({"EMB-999"}))
