"""Who attacks and who is attacked: for how long, and that whoever asks is told the same (LO-28, LO-32, LO-33)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from events.kinds import DamageDealt, StackPopped
from tests.engine.rulebooks.liveon.abilities import do, on, passive, reaction, skill, target, used
from tests.engine.rulebooks.liveon.position import Table, position

Abilities = dict[str, Any]


def push(*steps: Abilities) -> Abilities:
    """A skill that does these things to a card on an A line."""
    return skill(*steps, targets=[target("a")])


def to(zone: str) -> Abilities:
    return do("move", what="target", zone=zone)


class End(NamedTuple):
    """How an attack comes to its end: what Ox attacks, what seat 1 does in the window then, the cards for it."""

    at: str
    steps: str
    abilities: Abilities


ENDS = {
    "its deck has been burst": End("deck", "pass", {"Mine": reaction(do("draw", n=0))}),
    "its damage is dealt": End("Cow", "pass", {"Widow": on("destroyed", do("draw", n=0), whose="any")}),
    "the attacker is on B": End("deck", "use Push, choose Ox, pass", {"Push": push(to("b"))}),
    "the attacker is in the hand": End("deck", "use Push, choose Ox, pass", {"Push": push(to("hand"))}),
    "the attacker has been on B": End("deck", "use Push, choose Ox, pass", {"Push": push(to("b"), to("a"))}),
    "the attacker has been away": End("deck", "use Push, choose Ox, pass", {"Push": push(to("hand"), to("a"))}),
    "an effect has ended it": End("deck", "use Push, choose Ox, pass", {"Push": push(do("end_attack"))}),
}
CALM = used(do("end_attack"), when={"slot": "attacker"})
"""Can be used while a card attacks."""
RAGE = passive("pow", add=100, when={"slot": "attacker"})
GONG = used(do("draw", n=0))


def attacked(at: str, abilities: Abilities) -> Table:
    """Ox attacks; seat 1, who holds these cards and has others to use, has the word."""
    names = {name: f", {name}" for name in abilities}
    return position(f"""
        0 A: Ox 5000, Idle
        1 A: Cow (down)   B: Calm, Rage, Gong{names.get("Widow", "")}
        1 hand: Cat{names.get("Push", "")}{names.get("Spear", "")}
        1 deck: {"Mine, " if "Mine" in names else ""}5 Plain
    """, Calm=CALM, Rage=RAGE, Gong=GONG, **abilities).do(f"attack Ox {at}")


@pytest.mark.rule("LO-33", "LO-32")
@pytest.mark.parametrize("end", ENDS)
def test_when_an_attack_is_over_nobody_attacks_for_conditions_and_passive_abilities(end: str) -> None:
    table = attacked(ENDS[end].at, ENDS[end].abilities)
    assert (table.waits, table.pow("Rage")) == ("1 window", 1100)
    assert "use Calm" in table.legal()
    table.do(*ENDS[end].steps.split(", "))
    assert table.waits == "1 window"  # of what the end has set off, or the attack's own that is open again
    assert table.match.state.attack == (None, None)
    assert table.refused("use Calm") == "LO-10"
    assert table.pow("Rage") == 1000


@pytest.mark.rule("LO-33", "LO-32")
@pytest.mark.parametrize("end", [name for name, end in ENDS.items() if "Push" in end.abilities])
def test_an_effect_that_waits_finds_no_attacker_any_more(end: str) -> None:
    spear = skill(do("damage", what="attacker", n=1000))
    table = attacked(ENDS[end].at, {**ENDS[end].abilities, "Spear": spear})
    table.do("use Spear", *ENDS[end].steps.split(", ")).settle()
    assert table.story(StackPopped) == ["Push resolved", "Spear resolved"]
    assert table.events(DamageDealt) == []


@pytest.mark.rule("LO-33", "LO-55")
@pytest.mark.parametrize("end", ["its deck has been burst", "its damage is dealt"])
def test_what_an_attack_has_set_off_can_speak_of_its_cards_when_it_is_over(end: str) -> None:
    (name, ability), = ENDS[end].abilities.items()
    ability = {**ability, "then": [do("damage", what="attacker", n=1000)]}
    table = attacked(ENDS[end].at, {name: ability}).do("pass").settle()
    assert table.story(DamageDealt)[-1] == f"{name} strikes Ox 1000"


@pytest.mark.rule("LO-33", "LO-55")
def test_but_not_of_an_attacker_that_has_left_the_field_since() -> None:
    mine = reaction(do("damage", what="attacker", n=1000))
    table = attacked("deck", {"Mine": mine, "Push": push(to("hand"), to("a"))})
    table.do("pass", "use Push", "choose Ox").settle()
    assert table.story(DamageDealt) == ["Ox strikes seat 1 1"]


AWAY = {"left the line": [to("b")], "been on B": [to("b"), to("a")], "been off the field": [to("hand"), to("a")]}


@pytest.mark.rule("LO-28", "LO-32")
@pytest.mark.parametrize("away", AWAY)
@pytest.mark.parametrize(("at", "defends", "comes"), [
    ("Cow", "", []),  # the attacked card: nothing comes of the attack
    ("Cow", "Guard", []),  # a Defender that has stepped in
    ("deck", "Guard", ["Ox strikes seat 1 1"]),  # whoever defends the deck: it is burst
])
def test_who_has_left_its_line_is_no_longer_attacked(at: str, defends: str, comes: list[str], away: str) -> None:
    lance = skill(do("damage", what="attacked", n=100))
    table = position("""
        0 A: Ox 5000, Idle   hand: Push, Lance
        1 A: Cow 9000, Guard 9000 defender   deck: 5
    """, Push=push(*AWAY[away]), Lance=lance)
    table.do(f"attack Ox {at}", f"choose {defends}" if defends else "pass")
    table.do("use Lance", "use Push", f"choose {defends or at}").settle()
    assert table.story(DamageDealt) == comes
