"""Forming up (XC-17 … XC-22) and broken formations (XC-42)."""

from __future__ import annotations

import pytest

from events.actions import Attack, Use
from events.kinds import AttackMet, DamageCalculated, ModifierBegan, ModifierEnded
from tests.engine.rulebooks.xcard.effects import BELL, BREAK, atk, do, effect, field, player, target
from tests.engine.rulebooks.xcard.position import position

SNIPE = effect(do("destroy", what="target"), targets=[target()])


@pytest.mark.rule("XC-17")
def test_a_side_sends_at_most_2_characters_and_1_skill() -> None:
    table = position("0  hand: Ox link, Ram, Cow, Whip skill, Lash skill")
    table.do("send Ox", "send Ram")
    assert table.refused("send Cow") == "XC-17"
    assert table.do("send Whip").waits == "0 draw" and table.zone(0, "hand") == ["Cow", "Lash"]


@pytest.mark.rule("XC-17")
def test_a_second_skill_is_refused_while_a_character_may_still_follow() -> None:
    table = position("0  hand: Ox link, Ram, Whip skill, Lash skill").do("send Ox", "send Whip")
    assert table.legal() == ["pass", "send Ram"] and table.refused("send Lash") == "XC-17"


@pytest.mark.rule("XC-17")
def test_a_leader_on_sortie_is_not_counted() -> None:
    table = position("0  hp: 900  hand: Ox link, Ram, Cow, Whip skill").do("sortie", "send Ox", "send Ram")
    assert table.legal() == ["pass", "send Whip"]


@pytest.mark.rule("XC-17", "XC-50")
def test_an_effect_can_allow_more_characters_and_skills() -> None:
    table = position(
        "0  hand: Horn, Drum, Ox link, Ram, Cow, Hen, Whip skill, Lash skill\nphase before",
        Horn=effect(player("own", "more_characters", 1)), Drum=effect(player("own", "more_skills", 1)),
    )
    table.do("use Horn", "use Drum", "send Ox", "send Ram", "send Cow", "send Whip")
    assert table.legal() == ["pass", "send Lash"] and table.refused("send Hen") == "XC-17"
    table.do("send Lash")
    assert [table.zone(0, zone) for zone in ("hand", "w_discard")] == [["Hen"], ["Lash", "Whip", "Cow", "Ram", "Ox"]]
    assert [table.value(0, f"more_{what}") for what in ("characters", "skills")] == [1, 1]
    table.until("form_attack", "leader")
    assert [table.value(0, f"more_{what}") for what in ("characters", "skills")] == [0, 0]


@pytest.mark.rule("XC-18")
def test_a_skill_needs_a_character_of_its_side_on_the_field() -> None:
    table = position("0  hand: Ox, Whip skill\n1  field: Wall S:u")
    assert table.legal() == ["pass", "send Ox"] and table.refused("send Whip") == "XC-18"
    assert "send Whip" in table.do("send Ox").legal()


@pytest.mark.rule("XC-18", "XC-42")
@pytest.mark.parametrize("way", ["destroyed", "broken"])
def test_a_skill_whose_character_has_gone_stays_fights_and_has_its_effect(way: str) -> None:
    table = position(
        "0  field: Ox 1400 link, Ram 1000, Whip 1500 human F:u\n1  hand: Axe\nphase after_attack",
        Axe=effect(BREAK if way == "broken" else do("destroy", what=field("other", kind="character"))),
        Whip=effect(player("own", "draws", 1), atk(100)),
    ).do("use Axe")
    assert table.moves(way) == [f"Ox {way}", f"Ram {way}"]
    assert table.story(AttackMet) == ["up: Whip open seat 1"] and table.value(0, "draws") == 3
    assert table.story(DamageCalculated)[:2] == ["Whip base 1500", "Whip effect 1600"]


@pytest.mark.rule("XC-18")
def test_a_leader_on_sortie_is_a_character_for_a_skill() -> None:
    table = position("0  hp: 900  hand: Whip skill F:u").do("sortie")
    assert table.legal() == ["pass", "send Whip"]
    assert table.do("send Whip").zone(0, "w_discard") == ["Whip"]


@pytest.mark.rule("XC-19")
@pytest.mark.parametrize(
    ("first", "second", "may"),
    [
        ("human", "human", False), ("human link", "beast", True), ("human", "beast link", True),
        ("human cooperate", "human", True), ("human", "human cooperate", True), ("human cooperate", "beast", False),
        ("human", "beast cooperate", False), ("beast cooperate", "human link", True),
    ],
)
def test_a_second_character_needs_link_or_cooperate_with_its_element(first: str, second: str, may: bool) -> None:
    table = position(f"0  hand: Ox {first}, Ram {second}, Whip skill holy").do("send Ox")
    assert ("send Ram" in table.legal()) == may
    if not may:
        assert table.refused("send Ram") == "XC-19"


@pytest.mark.rule("XC-19")
def test_without_a_mark_one_character_and_one_skill_go_together() -> None:
    table = position("0  hand: Ox, Whip skill beast").do("send Ox", "send Whip")
    assert table.zone(0, "w_discard") == ["Whip", "Ox"]


@pytest.mark.rule("XC-19")
@pytest.mark.parametrize("mark", ["human cooperate", "link"])
def test_the_set_decides_a_skill_may_bring_its_mark_last(mark: str) -> None:
    table = position(f"0  hp: 900  hand: Ox human, Ram beast, Whip skill {mark}, Lash skill holy cooperate")
    table.do("send Ox", "send Ram")
    assert table.legal() == ["send Whip", "sortie"], "what is out may not stay so without its mark"
    assert table.refused("pass") == table.refused("send Lash") == "XC-19"
    assert "pass" in table.do("send Whip").legal()


@pytest.mark.rule("XC-19")
def test_a_mark_that_alone_can_follow_is_sent_without_a_question() -> None:
    table = position("0  hand: Ox human, Ram beast, Whip skill link").do("send Ox", "send Ram")
    assert table.moves("sent") == ["Ox sent", "Ram sent", "Whip sent"] and table.waits == "0 draw"


@pytest.mark.rule("XC-19")
def test_an_extra_card_that_an_effect_allows_needs_no_mark() -> None:
    table = position(
        "0  hand: Horn, Ox human, Ram beast, Cow holy, Hen human cooperate\nphase before",
        Horn=effect(player("own", "more_characters", 1)),
    ).do("use Horn", "send Ox", "send Ram")
    assert "pass" in table.legal() and table.refused("send Cow") == "XC-19"
    assert "send Hen" in table.legal()


@pytest.mark.rule("XC-19", "XC-40")
@pytest.mark.parametrize(("leader", "sent"), [
    ("human link", "human"), ("human cooperate", "human"), ("human", "human cooperate"), ("beast link", "beast"),
])
def test_a_leader_on_sortie_joins_nobody_by_its_mark_nor_by_its_element(leader: str, sent: str) -> None:
    table = position(f"0  hp: 900 leader: Sun {leader} F:u  hand: Ox {sent}, Ram beast, Whip skill holy")
    assert table.do("sortie", "send Ox").legal() == ["pass", "send Whip"] and table.refused("send Ram") == "XC-19"


@pytest.mark.rule("XC-20")
def test_where_no_hand_card_fits_the_mark_there_is_no_second_character() -> None:
    table = position("0  hand: Ox human cooperate, Ram beast, Cow holy").do("send Ox")
    assert table.waits == "0 draw" and table.zone(0, "w_discard") == ["Ox"]


@pytest.mark.rule("XC-21")
def test_the_defender_may_send_nothing_and_is_struck_directly() -> None:
    table = position("0  field: Ox 1400 F:u\n1  hand: Wall S:u\nphase form_defence")
    assert table.waits == "1 form_defence" and "pass" in table.legal()
    assert table.do("pass").story(AttackMet) == ["up: Ox open seat 1"] and table.hp == (2000, 1600)


@pytest.mark.rule("XC-21")
def test_the_attacker_may_send_only_its_leader_or_nothing() -> None:
    table = position("0  hp: 900 leader: Sun holy 1200/1100/2500 F:u  hand: Ox")
    assert table.legal() == ["pass", "send Ox", "sortie"]
    assert table.do("sortie", "pass").story(AttackMet) == ["up: Sun open seat 1"]
    table = position("0  hand: Ox F:u").do("pass")
    assert table.story(AttackMet) == [] and table.waits == "0 draw"


@pytest.mark.rule("XC-22")
def test_an_own_skill_has_500_more_atk_from_the_moment_both_stand_on_the_field() -> None:
    table = position("0  hand: Ox 1400, Whip skill beast 600 own:Ox, Lash skill 600 own:Ram, Ram link")
    table.do("send Ox", "send Whip")
    assert (table.value("Ox", "atk"), table.value("Whip", "atk")) == (1400, 1100), "the skill's ATK rises"
    table = position("0  hand: Ram, Ox link, Whip skill 600 own:Ox").do("send Ram", "send Whip")
    assert table.value("Whip", "atk") == 600
    assert table.do("send Ox").events(ModifierBegan)[0].add == 500


@pytest.mark.rule("XC-22")
def test_the_500_come_once_and_last_while_a_copy_of_the_character_stands() -> None:
    table = position(
        """
        0  field: 2 Ox link 1000 F:u, Whip skill 600 own:Ox F:u
        1  hand: 2 Bow, Bell
        phase after_defence
        """, Bow=SNIPE, Bell=BELL,
    )
    table.match.game.check(table.match, {0})  # what stands there was laid out, not sent
    assert table.value("Whip", "atk") == 1100
    table.do("use Bow", "choose Ox", "pass")
    assert table.value("Whip", "atk") == 1100, "the second copy is enough"
    table.do("use Bow", "choose Ox#2", "pass")
    assert table.value("Whip", "atk") == 600 and len(table.events(ModifierEnded)) == 2


@pytest.mark.rule("XC-22")
def test_a_leader_on_sortie_counts_as_the_character() -> None:
    table = position("0  hp: 900 leader: Sun holy 1200/1100/2500  hand: Whip skill 600 own:Sun, Lash skill")
    table.do("sortie", "send Whip")
    assert [table.tell(e) for e in table.events(ModifierBegan)] == ["Sun atk +400", "Whip atk +500"]
    assert position("0  leader: Sun  hand: Ox, Whip skill 600 own:Sun").do("send Ox", "send Whip").events(
        ModifierBegan) == [], "a leader at its place is not on the field"


# --- XC-42 --------------------------------------------------------------------------------------------------

PAIR = """
    0  field: Ox 1400 link F:u, Ram 1000 F:u, Whip skill 600 F:u
    1  hand: Axe, Bell
    phase after_attack
"""


@pytest.mark.rule("XC-42")
def test_a_broken_formation_leaves_only_the_highest_atk() -> None:
    table = position(PAIR, Axe=effect(BREAK), Bell=BELL).do("use Axe", "pass")
    assert table.zone(0, "field") == ["Ox"] and table.zone(0, "w_discard") == ["Whip", "Ram"]
    assert table.moves("broken") == ["Ram broken", "Whip broken"]
    table.until("draw")
    assert table.story(AttackMet) == ["up: Ox open seat 1"]


@pytest.mark.rule("XC-42")
def test_the_current_atk_counts_without_element_and_a_skill_may_be_the_highest() -> None:
    table = position(
        PAIR.replace("Whip skill 600 F:u", "Whip skill 1000 F:u own:Ox"),
        Axe=effect(BREAK), Bell=BELL,
    )
    table.match.game.check(table.match, {0})
    table.do("use Axe", "pass")
    assert table.zone(0, "field") == ["Whip"] and table.value("Whip", "atk") == 1000, "it stands alone now"


@pytest.mark.rule("XC-42")
def test_of_two_that_are_highest_their_owner_chooses() -> None:
    table = position(PAIR.replace("Ram 1000", "Ram 1400"), Axe=effect(BREAK), Bell=BELL).do("use Axe", "pass")
    assert table.waits == "0 keep" and table.legal() == ["choose Ox", "choose Ram"]
    assert table.do("choose Ram").zone(0, "field") == ["Ram"]


@pytest.mark.rule("XC-42")
def test_breaking_works_on_two_characters_not_on_a_character_with_a_skill() -> None:
    table = position(
        "0  field: Ox 1400 link F:u, Whip skill 600 F:u\n1  hand: Axe, Bell\nphase after_attack",
        Axe=effect(BREAK), Bell=BELL,
    ).do("use Axe", "pass")
    assert table.zone(0, "field") == ["Ox", "Whip"]


@pytest.mark.rule("XC-42")
def test_a_formation_of_which_one_character_is_left_is_none_any_more() -> None:
    table = position(PAIR.replace("hand: Axe, Bell", "hand: Bow, Axe, Bell"), Axe=effect(BREAK), Bow=SNIPE, Bell=BELL)
    table.do("use Bow", "choose Ram", "pass", "use Axe", "pass")
    assert table.zone(0, "field") == ["Ox", "Whip"] and table.value("Ox", "formation") == 0


@pytest.mark.rule("XC-42", "XC-19")
@pytest.mark.parametrize("more", [0, 1, 2])
@pytest.mark.parametrize(("first", "second", "skill", "joined"), [
    ("human", "beast", "holy", False), ("human", "human", "holy", False), ("human cooperate", "beast", "holy", False),
    ("human cooperate", "human", "holy", True), ("human", "human cooperate", "holy", True),
    ("human link", "beast", "holy", True), ("human", "beast link", "holy", True),
    ("human", "beast", "human cooperate", True), ("human", "beast", "holy link", True),
])
def test_characters_that_a_mark_joins_are_a_formation_also_where_they_needed_none(
    first: str, second: str, skill: str, joined: bool, more: int
) -> None:
    table = position(
        f"0  hand: Horn, Song, Ox {first} 1400, Ram {second} 1000, Whip skill {skill} 600\n1  hand: Axe, Bell"
        "\nphase before", Horn=effect(player("own", "more_characters", more)), Axe=effect(BREAK), Bell=BELL,
        Song=effect(atk(400, at_least={"formation": 1})),
    ).do("use Horn").until("form_attack").do("send Ox")
    if not joined and not more:
        assert table.refused("send Ram") == "XC-19"
        return
    table.do("send Ram")
    if table.waits == "0 form_attack":
        table.do("send Whip")
    table.do("use Song", "pass")
    assert table.value("Ox", "atk") == 1400 + 400 * joined
    table.do("use Axe", "pass")
    assert table.zone(0, "field") == (["Ox"] if joined else ["Ox", "Ram", "Whip"])


@pytest.mark.rule("XC-42")
def test_a_leader_on_sortie_is_not_part_of_the_formation() -> None:
    table = position(
        """
        0  hp: 900 leader: Sun holy 900/1100/2500 F:u   hand: Ox 1400 link F:u, Ram 1000 F:u
        1  hand: Axe, Bell
        """, Axe=effect(BREAK), Bell=BELL,
    ).do("sortie", "send Ox", "send Ram", "use Axe", "pass")
    assert table.zone(0, "field") == ["Sun", "Ox"]


def test_while_a_side_forms_up_nothing_else_is_done() -> None:
    table = position("0  hand: Ox, Horn  warriors: Ram\n1  hand: Elk", Horn=effect(atk(300)))
    asked = table.match
    assert table.refused("use Horn") == "XC-23"
    assert asked.refuse(Attack(table.find("Ox"), 1)).rule == "XC-23"  # type: ignore[union-attr]
    assert "not this player's" in str(asked.refuse(Use(table.find("Elk"))))
    assert "no card 900" in str(asked.refuse(Use(900)))


def test_the_reckoning_of_a_formation_names_what_it_adds() -> None:
    table = position("0  hand: Ox 1400 F:u, Whip skill 600 F:u own:Ox").do("send Ox", "send Whip")
    assert table.story(DamageCalculated) == [
        "Ox base 1400", "Ox def 400", "Whip base 600", "Whip own_skill 1100", "Whip def 100",
    ]
    step = table.events(DamageCalculated)[3]
    assert (step.step, step.by) == ("own_skill", table.find("Ox"))
