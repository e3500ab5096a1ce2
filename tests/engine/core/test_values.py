"""Passive abilities are brought up to date where something changed that they look at, and nowhere else."""

from __future__ import annotations

from engine.core import values
from engine.core.match import Match
from events.kinds import ModifierBegan, ModifierEnded
from tests.engine.rulebooks.liveon.abilities import cards, passive
from tests.engine.rulebooks.liveon.position import position
from tests.engine.rulebooks.monbattle.abilities import be, skill
from tests.engine.rulebooks.monbattle.abilities import cards as of_attribute
from tests.engine.rulebooks.monbattle.position import position as duel
from tests.table import Table

DRUM = passive("pow", what=cards("a", of="own", another=True), add=1000)


def changed(match: Match) -> list[type]:
    """What passive abilities begin and end now."""
    before = len(match.log)
    stale, match.stale = match.stale, set()
    values.refresh(match, stale)
    return [type(e) for e in match.log[before:] if isinstance(e, ModifierBegan | ModifierEnded)]


def number(table: Table, name: str) -> int:
    return next(n for n in table.match.state.cards if table.match.printed[n].name == name)


def test_a_move_on_the_line_that_it_looks_at_is_noticed_and_no_other() -> None:
    table = position("""
        0 A: Drum, Ox 3000   B: Elf 2000
        1 A: Wall 3000   B: Ram 2000
    """, Drum=DRUM)
    match = table.match
    match.move(number(table, "Ram"), 1, "a", "moved")
    assert not match.stale, "the other side's line is not looked at"
    match.move(number(table, "Elf"), 0, "a", "moved")
    assert match.stale and changed(match) == [ModifierBegan]
    assert (table.pow("Elf"), table.pow("Ram")) == (3000, 2000)


def test_a_card_that_changes_sides_looks_from_the_other_one() -> None:
    table = position("""
        0 A: Drum, Ox 3000
        1 A: Wall 3000   B: Ram 2000
    """, Drum=DRUM)
    match = table.match
    assert (table.pow("Ox"), table.pow("Wall")) == (4000, 3000)
    match.move(number(table, "Drum"), 1, "a", "put")
    assert changed(match) == [ModifierEnded, ModifierBegan]
    assert (table.pow("Ox"), table.pow("Wall")) == (3000, 4000)
    match.move(number(table, "Ram"), 1, "a", "moved")
    assert changed(match) == [ModifierBegan] and table.pow("Ram") == 3000


def test_a_card_that_becomes_another_sort_is_noticed() -> None:
    table = duel("""
        0  player: Boss player 6000/30/3   battle: Ox stone 700/300/4   standby: Imp
        1  battle: Wall stone 400/600/1
    """, Boss=skill(be("attribute", 0, of_attribute("battle", of="own"))),
        Imp=passive("atk", what=of_attribute("battle", attribute="fire"), add=200))
    ox = number(table, "Ox")
    assert table.match.value(ox, "atk") == 700
    table.do("use Boss")
    assert table.match.value(ox, "atk") == 900, "a stone monster that became one of fire"
