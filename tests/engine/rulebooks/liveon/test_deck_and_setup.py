"""Decks and the set-up (LO-13 … LO-17)."""

import pytest

from engine.cards.decks import DeckFile
from events.kinds import Asked, CardFlipped, CardMoved, Rolled, Shuffled, TurnBegan
from tests.engine.rulebooks.liveon.abilities import passive
from tests.engine.rulebooks.liveon.position import new_game, position

GAME = position("0 A: Hero fighter, Ox, Ram, Elf, Imp, Cat, Dog, Owl, Bat, Fox, Newt, Reprint").match.game
CODES = {d.name: d.code for d in GAME.cards.values()}


def problems(count, format="standard", **copies):
    """What is wrong with a deck of so many cards, these among them."""
    cards = {CODES[name]: n for name, n in copies.items()}
    for name, code in CODES.items():
        room = count - sum(cards.values())
        if name not in copies and name != "Reprint" and room > 0:
            cards[code] = min(4, room)
    return [p.rule for p in GAME.problems(DeckFile(cards=cards), {"format": format})]


@pytest.mark.rule("LO-13")
@pytest.mark.parametrize(("format", "count"), [("standard", 41), ("short", 21), ("starter", 19)])
def test_a_deck_has_exactly_the_cards_of_its_format(format, count):
    assert problems(count, format, Hero=1) == []
    assert problems(count - 1, format, Hero=1) == ["LO-13"]
    assert problems(count + 1, format, Hero=1) == ["LO-13"]
    wrong = GAME.problems(DeckFile(cards={CODES["Hero"]: 4}), {"format": format})
    assert "4 cards" in wrong[0].text  # the count is named


@pytest.mark.rule("LO-14")
@pytest.mark.parametrize(("format", "count"), [("standard", 41), ("short", 21), ("starter", 19)])
def test_four_copies_at_most_and_a_fighter_at_least(format, count):
    assert problems(count, format, Hero=1, Ox=4) == []
    assert problems(count, format, Hero=1, Ox=5) == ["LO-14"]
    assert problems(count, format, Hero=0) == ["LO-14", "LO-14"]  # no fighter, and an entry of 0 copies
    assert problems(count, format, Hero=4) == []


@pytest.mark.rule("LO-14")
def test_copies_go_by_name(monkeypatch):
    monkeypatch.setattr(GAME.cards[CODES["Reprint"]], "name", "Ox")
    assert problems(41, Hero=1, Ox=3, Reprint=1) == []
    assert problems(41, Hero=1, Ox=3, Reprint=2) == ["LO-14"]


ONE_HERO = "Hero fighter, 40 Plain"
HEROES = "2 Hero fighter, Maid fighter, 38 Plain"


@pytest.mark.rule("LO-15")
def test_each_player_chooses_a_fighter_from_the_deck_face_down():
    table = new_game(HEROES, HEROES)
    assert table.waits == "0 fighter"
    assert table.legal() == ["choose Maid", "choose Hero"]
    table.do("choose Maid")
    assert table.zone(0, "B") == ["Maid"]
    assert not table.match.card(table.find("Maid")).face_up
    assert table.waits == "1 fighter"
    table.do("choose Hero")
    assert len(table.zone(0, "deck")) == len(table.zone(1, "deck")) == 41 - 1 - 6
    assert [e.seat for e in table.events(Shuffled)] == [0, 1]


@pytest.mark.rule("LO-15")
def test_the_deck_is_shuffled_without_the_fighter():
    table = new_game(ONE_HERO, HEROES).do("choose Hero")
    hero = table.find("Hero")
    assert [hero in e.order for e in table.events(Shuffled)] == [False, False]
    assert [len(e.order) for e in table.events(Shuffled)] == [40, 40]
    assert table.zone(0, "B") == ["Hero"]  # the only fighter: nothing to choose


@pytest.mark.rule("LO-15", "LO-17")
def test_a_fighter_that_lies_face_down_does_nothing_yet():
    table = new_game(HEROES, HEROES, Hero=passive("pow", add=500)).do("choose Hero")
    assert table.pow("Hero") == 1000
    table.do("choose Maid")
    assert table.pow("Hero") == 1500


@pytest.mark.rule("LO-16")
def test_who_begins_is_fixed_by_the_options_or_rolled():
    fixed = [new_game(ONE_HERO, ONE_HERO, options={"first": seat}) for seat in (0, 1)]
    assert [t.match.state.active for t in fixed] == [0, 1]
    assert all(not t.events(Rolled) for t in fixed)
    rolled = [new_game(ONE_HERO, ONE_HERO, seed) for seed in range(12)]
    assert {t.match.state.active for t in rolled} == {0, 1}
    assert all(t.match.state.active == t.events(Rolled)[0].outcome for t in rolled)
    again = new_game(ONE_HERO, ONE_HERO, 7)
    assert again.events() == rolled[7].events()


@pytest.mark.rule("LO-17")
def test_six_cards_each_then_both_fighters_are_turned_up_and_the_game_starts():
    table = new_game(HEROES, HEROES, options={"first": 1}).do("choose Hero", "choose Hero")
    assert len(table.moves("set_up")) == 1 + 1 + 6 + 6
    assert len(table.zone(0, "hand")) == len(table.zone(1, "hand")) == 6
    called = [e for e in table.events() if isinstance(e, (CardMoved, CardFlipped, TurnBegan, Asked))]
    flips = [i for i, e in enumerate(called) if isinstance(e, CardFlipped)]
    assert [called[i].face_up for i in flips] == [True, True]
    assert flips[1] == flips[0] + 1
    assert isinstance(called[flips[1] + 1], TurnBegan)
    assert table.waits == "1 move"  # no mulligan
