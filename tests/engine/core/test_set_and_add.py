"""What sets a value comes first and what adds to it is added, whichever of them began earlier; in all games.

The texts of the cards speak of the base value where an effect sets one.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from engine.cards.rules_text import rules_texts
from engine.core import values
from engine.core.match import Match
from engine.effects.abilities import Passive
from engine.effects.kinds.set import SetValue
from engine.rulebooks import registry
from engine.rulebooks.liveon.card import KEYWORDS
from engine.rulebooks.liveon.checks import VOCABULARY as LIVEON
from engine.rulebooks.monbattle.card import CHANGES
from engine.rulebooks.monbattle.checks import vocabulary
from engine.rulebooks.xcard.card import FISTS, SHIELDS
from engine.rulebooks.xcard.checks import VOCABULARY as XCARD
from engine.words import LANGUAGES
from tests.engine.rulebooks.liveon import abilities as lo
from tests.engine.rulebooks.liveon.position import position as liveon
from tests.engine.rulebooks.monbattle import abilities as mb
from tests.engine.rulebooks.monbattle.position import position as monbattle
from tests.engine.rulebooks.xcard import effects as xc
from tests.engine.rulebooks.xcard.position import position as xcard
from tests.table import Table

NUMBERS = {
    "liveon": ("pow",), "xcard": ("atk",),
    "monbattle": ("cost", "atk", "def", "spd", *(name for name in CHANGES if name != "no_attack")),
}
"""Values of cards that are numbers: no words, nothing that is there or not."""
OF_PLAYERS = {"liveon": (), "xcard": ("def", "draws"), "monbattle": ("pp", "level")}


def test_no_value_that_is_a_number_is_left_out() -> None:
    monster = vocabulary(("fire",)).values
    assert LIVEON.values - {*KEYWORDS} == {*NUMBERS["liveon"]}
    assert XCARD.values - {"element", *FISTS, *SHIELDS} == {*NUMBERS["xcard"]}
    assert monster - {"attribute", "no_attack"} == {*NUMBERS["monbattle"]}


def bare(key: str) -> Table:
    """A table with a card called Ox on it."""
    if key == "liveon":
        return liveon("0  A: Ox 3000\n1  A: Wall 3000")
    if key == "xcard":
        return xcard("0  leader: Sun   field: Ox 1400\n1  leader: Moon\nphase after_attack")
    return monbattle("0  battle: Ox 500/200/3\n1  battle: Elk")


def subjects(key: str) -> list[tuple[Match, int, str]]:
    """Each value of a card and of a player, on a table of its own."""
    found = []
    for name in (*NUMBERS[key], *OF_PLAYERS[key]):
        table = bare(key)
        found.append((table.match, 0 if name in OF_PLAYERS[key] else table.find("Ox"), name))
    return found


@pytest.mark.rule("MB-03")
@pytest.mark.parametrize("order", list(permutations((("set", 30), ("add", 7), ("add", -2), ("set", 12)))))
@pytest.mark.parametrize("key", registry.GAMES)
def test_the_value_set_last_and_all_additions_make_the_value(key: str, order: tuple[tuple[str, int], ...]) -> None:
    sets = [n for what, n in order if what == "set"]
    for match, on, name in subjects(key):
        for what, n in order:
            values.apply_modifier(match, on, on, name, "turn", **{"be" if what == "set" else "add": n})
        assert values.effective(match, on, name) == match.value(on, name) == sets[-1] + 5, name
        last = next(e for e in reversed(match.state.modifiers.values()) if e.set is not None)
        values.remove_modifier(match, last.id)
        assert match.value(on, name) == sets[0] + 5, f"{name}: what was set before holds again"


# --- by cards -----------------------------------------------------------------------------------------------


@pytest.mark.rule("MB-03")
@pytest.mark.parametrize("set_first", [True, False])
@pytest.mark.parametrize("setter", ["use Fix", "play Fog"])
@pytest.mark.parametrize("adder", ["use Cheer", "play Boots", "play Axe"])
def test_weapons_items_assists_and_fields_add_to_what_is_set(setter: str, adder: str, set_first: bool) -> None:
    own = mb.cards("standby", of="own")
    table = monbattle("""
        0  standby: Ox fire 500/200/3
        0  hand: Fix assist, Fog field, Cheer assist, Boots item:monster, Axe weapon fire +0/0/7
    """, Fix=mb.effect(mb.be("spd", 30, own)), Fog=mb.passive("spd", what=own, set=30),
        Cheer=mb.effect(mb.add("spd", 7, own)), Boots=mb.passive("spd", what="bearer", add=7))
    table.do(*((setter, adder) if set_first else (adder, setter)))
    assert table.value("Ox", "spd") == 37


@pytest.mark.rule("LO-34")
@pytest.mark.parametrize("set_first", [True, False])
@pytest.mark.parametrize("setter", ["use Fix", "move Fog"])
@pytest.mark.parametrize("adder", ["use Cheer", "move Hill"])
def test_abilities_of_live_on_add_to_what_is_set(setter: str, adder: str, set_first: bool) -> None:
    ox = lo.cards("a", of="own", name="Ox")

    def while_there(name: str, **change: Any) -> dict[str, Any]:
        return lo.passive("pow", what=ox, when={"count": lo.cards("a", of="own", name=name)}, **change)

    table = liveon("""
        0  A: Ox 3000, Fix, Cheer   B: Fog, Hill, Spare
        phase move
    """, Fix=lo.used(lo.do("set", what=ox, name="pow", value=5000)), Fog=while_there("Fog", set=5000),
        Cheer=lo.used(lo.do("add", what=ox, name="pow", n=700)), Hill=while_there("Hill", add=700))
    for step in (setter, adder) if set_first else (adder, setter):
        table.do(step).until("0 move")
    assert table.value("Ox", "pow") == 5700


@pytest.mark.rule("XC-37")
@pytest.mark.parametrize("set_first", [True, False])
@pytest.mark.parametrize("of", ["warrior", "leader"])
def test_items_of_x_card_add_to_what_is_set(of: str, set_first: bool) -> None:
    what, name = (xc.field("own"), "atk") if of == "warrior" else ("own", "def")
    table = xcard("""
        0  leader: Sun holy 1200/1100/2500   field: Ox human 1400   hand: Fix, Cheer, Bell
        1  leader: Moon
        phase after_attack
    """, Fix=xc.effect(xc.do("set", what=what, name=name, value=500)),
        Cheer=xc.effect(xc.do("add", what=what, name=name, n=70)), Bell=xc.BELL)
    table.do(*(("use Fix", "use Cheer") if set_first else ("use Cheer", "use Fix")))
    while not table.events(values.ModifierBegan) or len(table.events(values.ModifierBegan)) < 2:
        table.do("pass")
    assert table.value("Ox" if of == "warrior" else 0, name) == 570


# --- texts --------------------------------------------------------------------------------------------------

BASE = {"en": "base ", "ja": "元々の", "zh-Hans": "原本", "zh-Hant": "原本"}


def sets_a_number(part: object) -> bool:
    """Whether a card's ability or instruction sets a value that is a number."""
    name = getattr(part, "name", None)
    numbers = {n for names in (*NUMBERS.values(), *OF_PLAYERS.values()) for n in names}
    return name in numbers and isinstance(part, (SetValue, Passive)) and not getattr(part, "add", 0)


def parts(of: object) -> list[object]:
    """An ability with all that stands in it."""
    inner = of if isinstance(of, tuple) else [getattr(of, f) for f in getattr(of, "__struct_fields__", ())]
    return [of, *(part for one in inner for part in parts(one))]


@pytest.mark.parametrize("key", registry.GAMES)
def test_the_text_of_a_shipped_card_says_base_where_its_effect_sets_a_number_and_nowhere_else(key: str) -> None:
    game = registry.load(key)
    printed = [d.printed for d in game.cards.values()]
    for language in LANGUAGES:
        texts = rules_texts(printed, language, game.rulebook)
        for card in printed:
            sets = any(sets_a_number(part) for part in parts(card.ability))
            assert any(BASE[language] in line for line in texts[card.code]) == sets, texts[card.code]


def card(**ability: Any) -> Table:
    """A table of a game with one card that has this ability."""
    return monbattle("0  battle: Ox\n1  player: Boss player 6000/30/3", Boss=ability)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("what", "name", "n"), [
    (mb.cards("battle"), "spd", 30), ("own", "level", 4), ("other", "pp", 3), (mb.cards("battle"), "attribute", 2),
])
def test_what_is_set_is_told_with_its_name_its_number_or_word_and_whose_it_is(
    what: Any, name: str, n: int, language: str
) -> None:
    for said in (mb.passive(name, what=what, set=n), mb.skill(mb.be(name, n, what))):
        game = card(**said).match.game
        boss = next(d.printed for d in game.cards.values() if d.name == "Boss")
        text = rules_texts([boss], language, game.rulebook)[boss.code][0]
        assert (BASE[language] in text.lower()) == (name != "attribute"), text
        if name == "attribute":
            word = game.rulebook.counters[[c.name for c in game.rulebook.counters].index(name)].words[n]
            assert word in text and str(n) not in text, text
        else:
            assert str(n) in text, text
        whose = {"own": {"en": "your base"}, "other": {"en": "your opponent's base"}}.get(str(what), {}).get(language)
        assert whose is None or whose in text.lower(), text


def test_every_game_is_looked_at() -> None:
    assert set(NUMBERS) == set(OF_PLAYERS) == set(registry.GAMES)
