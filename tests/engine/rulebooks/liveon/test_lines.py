"""The lines: five cards at most, standing and down (LO-48, LO-49)."""

import pytest

from engine.rulebooks.liveon.lines import production
from events.kinds import Asked, RuleApplied, StackPushed
from tests.engine.rulebooks.liveon.abilities import BELL, cards, do, on, reaction, regenerate, skill, used
from tests.engine.rulebooks.liveon.position import position

CALL = used(do("move", what=cards("hand", of="own", name="New"), zone="b"))


@pytest.mark.rule("LO-48")
def test_a_sixth_card_by_an_effect_and_the_owner_discards_down_to_five():
    table = position("0 B: Call, B2, B3, B4, B5   hand: New\nphase move", Call=CALL, B2=regenerate(),
                     B3=on("destroyed", do("draw"), whose="any"))
    table.do("use Call")
    assert table.waits == "0 overflow"
    assert table.legal() == [f"choose {name}" for name in ("Call", "B2", "B3", "B4", "B5", "New")]
    table.do("choose B2")
    assert table.zone(0, "B") == ["Call", "B3", "B4", "B5", "New"]
    assert table.moves("overflow", "destroyed") == ["B2 overflow"]  # no destruction: nothing saves, nothing hears it
    assert table.story(RuleApplied) == ["overflow B2"]
    assert table.events(StackPushed)[1:] == []


@pytest.mark.rule("LO-48")
def test_the_newcomer_is_among_those_and_when_lived_it_still_counts_as_lived():
    live = used(do("play", what=cards("hand", of="own", name="New")))
    table = position("0 B: Live, B2, B3, B4, B5   hand: New\nphase move", Live=live, New=on("lived", do("draw")))
    table.do("use Live", "choose New")
    assert table.moves("lived", "overflow", "drawn") == ["New lived", "New overflow", table.moves("drawn")[0]]
    assert table.story(StackPushed) == ["ability Live", "trigger New"]


@pytest.mark.rule("LO-48")
def test_the_a_line_too_and_several_at_once():
    pull = skill(do("move", what=cards("discard", of="own"), zone="a"))
    table = position("0 A: A1, A2, A3, A4   hand: Pull   discard: D1, D2, D3", Pull=pull)
    table.do("use Pull", "choose A1", "choose D2")
    assert table.zone(0, "A") == ["A2", "A3", "A4", "D1", "D3"]


@pytest.mark.rule("LO-48", "LO-55")
def test_a_reaction_without_room_is_discarded():
    table = position("0 A: Ox, Idle\n1 B: 5 Elf   deck: Mine, 3 Plain", Mine=reaction(do("play", what="self")))
    table.do("attack Ox deck")
    assert table.moves("lived", "burst", "overflow") == ["Mine burst"]
    table = position("0 A: Ox, Idle\n1 A: 5 Elf (down)   deck: Mine, 3 Plain",
                     Mine=reaction(do("move", what="self", zone="a")))
    table.do("attack Ox deck")
    assert table.moves("put", "burst", "overflow") == ["Mine burst"]


@pytest.mark.rule("LO-49")
def test_a_down_card_neither_attacks_nor_chooses_to_defend():
    table = position("0 A: Ox (down), Idle\n1 A: Wall (down)")
    assert table.refused("attack Ox deck") == "LO-27"
    table.do("attack Idle deck")
    assert [e.question for e in table.events(Asked) if e.seat == 1 and e.question == "defend"] == []
    assert len(table.moves("burst")) == 1


@pytest.mark.rule("LO-49")
def test_a_down_card_uses_abilities_and_produces_as_a_standing_one():
    table = position("0 A: Bell (down), Idle   B: Elf red red (down)   hand: Ox red red, Cat\nphase live", Bell=BELL)
    assert production(table.match, 0)[0] == 2
    table.do("live Ox")
    assert table.waits == "0 window"
    table.do("use Bell")
    assert table.story(StackPushed) == ["ability Bell"]


@pytest.mark.rule("LO-49")
def test_abilities_are_used_on_either_line_and_not_from_hand_or_discard():
    bells = dict.fromkeys(("Bell", "Gong", "Chime", "Horn"), BELL)
    table = position("0 A: Bell, Idle   B: Gong   hand: Chime   discard: Horn", **bells)
    assert [step for step in table.legal() if "use" in step] == ["use Bell", "use Gong"]
    assert table.refused("use Chime") == "LO-49"
    assert table.refused("use Horn") == "LO-49"


@pytest.mark.rule("LO-49")
def test_the_field_is_the_four_lines_together():
    quake = skill(do("damage", what=cards(), n=1000))
    table = position("0 A: Ox, Idle 2000   B: Elf   hand: Quake, Cat\n1 A: Wall   B: Imp   discard: Rat", Quake=quake)
    table.do("use Quake")
    assert sorted(table.moves("destroyed")) == ["Elf destroyed", "Imp destroyed", "Ox destroyed", "Wall destroyed"]


@pytest.mark.rule("LO-49", "LO-28")
def test_cards_on_b_take_no_part_in_battle():
    table = position("0 A: Ox, Idle   B: Elf\n1 B: Imp defender")
    assert table.refused("attack Elf deck") == "LO-27"
    assert table.refused("attack Ox Imp") == "LO-28"
    table.do("attack Ox deck")
    assert table.waits == "0 attack"
