"""What a deck may hold (XC-08 … XC-12): each fault with its rule and card."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine.cards.decks import DeckFile
from engine.cards.files import read_sets
from engine.rulebooks.xcard.card import XCardCard, XCardDefinition
from engine.rulebooks.xcard.rules import XCard
from tests.engine.rulebooks.xcard.effects import atk, effect
from tests.engine.rulebooks.xcard.position import Cards, new_game

W24 = ", ".join(f"3 W{i}" for i in range(8))
I5 = "3 I0 item, 2 I1 item"
SET = Path(__file__).parent / "set"


def the_set() -> XCard:
    """X-Card with the test set alone."""
    sets, cards = read_sets([SET], XCardCard, "xcard", XCard.set_tables)
    return XCard(sets, [XCardDefinition(card) for card in cards.values()])  # type: ignore[arg-type]


def faults(
    text: str, leader: str | None = None, ban: dict[str, tuple[str, ...]] | None = None
) -> list[tuple[str, str | None]]:
    """Rule and card of what is wrong with a deck of so many copies of these cards."""
    cards = Cards({}, ban)
    copies: dict[str, int] = {}
    for entry in text.split(","):
        number, *words = entry.split()
        copies[cards.code(cards.name(words))] = int(number)
    game = cards.game()
    code = cards.code(leader) if leader in cards.raw else leader
    deck = DeckFile(name="D", game="xcard", leader=code, cards=copies)
    names = {d.code: d.name for d in game.cards.values()}
    found = game.problems(deck, {})
    assert all(p.text for p in found)
    return [(p.rule, names.get(p.card or "", p.card)) for p in found]


@pytest.mark.rule("XC-08")
def test_at_least_25_warriors_and_5_to_15_items_the_leader_among_them() -> None:
    assert faults(f"{W24}, 1 Ox, {I5}") == []
    assert faults(f"{W24}, 1 Ox, {I5}", leader="Ox") == []
    assert faults(f"{W24}, {I5}") == [("XC-08", None)]
    assert faults(f"{W24}, 1 Whip skill, 3 I0 item, 1 I1 item") == [("XC-08", None)]
    fifteen = ", ".join(f"3 I{i} item" for i in range(5))
    assert faults(f"{W24}, 1 Ox, {fifteen}") == []
    assert faults(f"{W24}, 1 Ox, {fifteen}, 1 J item") == [("XC-08", None)]


@pytest.mark.rule("XC-09")
def test_at_most_3_copies_of_any_card_leader_included() -> None:
    assert faults(f"{W24}, 3 Ox, {I5}", leader="Ox") == []
    assert faults(f"{W24}, 4 Ox, {I5}", leader="Ox") == [("XC-09", "Ox")]
    assert faults(f"{W24}, 1 Ox, 4 Horn item, 1 I0 item") == [("XC-09", "Horn")]


@pytest.mark.rule("XC-09")
def test_a_reprint_under_another_number_is_the_same_card() -> None:
    cards = Cards({})
    deck = {}
    for entry in f"{W24}, 2 Ox, {I5}".split(","):
        number, *words = entry.split()
        deck[cards.code(cards.name(words))] = int(number)
    cards.raw["again"] = {**cards.raw["Ox"], "code": "T-999"}
    deck["T-999"] = 2
    found = cards.game().problems(DeckFile(cards=deck), {})
    assert [(p.rule, p.card) for p in found] == [("XC-09", cards.code("Ox"))] and "T-999" in found[0].text


def test_unknown_cards_and_impossible_numbers() -> None:
    game = Cards({}).game()
    assert ("XC-09", "T-1") in [(p.rule, p.card) for p in game.problems(DeckFile(cards={"T-1": 3}), {})]
    assert ("XC-09", "W9") in faults(f"{W24}, 1 Ox, 0 W9, {I5}")


@pytest.mark.rule("XC-10")
def test_at_most_7_cooperate_and_5_link_cards_the_leaders_mark_counts() -> None:
    seven = "3 A cooperate, 3 B cooperate, 1 C skill cooperate"
    assert faults(f"{W24}, {seven}, {I5}", leader="C") == [("XC-12", "C")]
    assert faults(f"{W24}, {seven}, {I5}") == []
    assert faults(f"{W24}, {seven}, 1 D cooperate, {I5}", leader="D") == [("XC-10", "D")]
    five = "3 A link, 2 B link"
    assert faults(f"{W24}, {five}, {I5}", leader="A") == []
    assert faults(f"{W24}, {five}, 1 C link, {I5}", leader="C") == [("XC-10", "C")]


@pytest.mark.rule("XC-11")
def test_banned_limited_and_semi_limited_cards() -> None:
    ban = {"banned": ("Ox",), "limited": ("Ram",), "semi_limited": ("Horn",)}
    assert faults(f"{W24}, 1 Ox, {I5}", ban=ban) == [("XC-11", "Ox")]
    assert faults(f"{W24}, 1 Ram, {I5}", ban=ban) == []
    assert faults(f"{W24}, 2 Ram, {I5}", ban=ban) == [("XC-11", "Ram")]
    assert faults(f"{W24}, 1 Ow, 2 Horn item, 3 I0 item", ban=ban) == []
    assert faults(f"{W24}, 1 Ow, 3 Horn item, 3 I0 item", ban=ban) == [("XC-11", "Horn")]


@pytest.mark.rule("XC-11")
def test_a_leader_only_card_is_the_leader_and_a_deck_has_one_at_most() -> None:
    ban: dict[str, tuple[str, ...]] = {"leader_only": ("Mother", "Queen", "Whip")}
    assert faults(f"{W24}, 1 Mother, {I5}", leader="Mother", ban=ban) == []
    assert faults(f"{W24}, 1 Mother, {I5}", ban=ban) == []
    assert faults(f"{W24}, 1 Mother, {I5}", leader="W0", ban=ban) == [("XC-11", "Mother")]
    assert faults(f"{W24}, 2 Mother, {I5}", leader="Mother", ban=ban) == [("XC-11", "Mother")]
    assert faults(f"{W24}, 2 Mother, {I5}", ban=ban) == [("XC-11", "Mother")]
    assert faults(f"{W24}, 1 Mother, 1 Queen, {I5}", ban=ban) == [("XC-11", "Queen")]
    assert faults(f"{W24}, 1 Mother, 1 Queen, {I5}", leader="Queen", ban=ban) == [("XC-11", "Mother")]
    assert faults(f"{W24}, 1 Whip skill, {I5}", ban=ban) == [("XC-11", "Whip")], "no character, so never a leader"


@pytest.mark.rule("XC-11", "XC-12")
def test_a_leader_only_card_is_chosen_where_the_deck_names_no_leader() -> None:
    deck = f"1 Mother, 3 Ox, {I5}"
    assert new_game(deck, deck).waits == "0 leader"
    table = new_game(deck, deck, ban={"leader_only": ("Mother",)})
    assert table.zone(0, "leader") == ["Mother"] and table.zone(1, "leader") == ["Mother#2"]


@pytest.mark.rule("XC-11")
def test_a_leader_only_card_cannot_be_sent_as_a_warrior() -> None:
    deck = f"4 Mother, {I5}"  # which no check would let through
    table = new_game(deck, deck, options={"first": 0}, ban={"leader_only": ("Mother",)})
    assert table.zone(0, "hand").count("Mother#2") == 1
    assert table.waits == "0 draw", "neither side can send anything"
    assert "round 1 of 0" in table.story()


@pytest.mark.rule("XC-11", "XC-19")
def test_a_skill_that_is_leader_only_is_no_mark_that_can_still_come() -> None:
    deck = f"leader: Sun  1 Sun, 1 Ox human, 1 Ram beast, 1 Whip skill holy link, {I5}"
    wanted = {"Ox", "Ram", "Whip"}
    for seed in range(1, 30):
        table = new_game(deck, deck, seed, options={"first": 0}, ban={"leader_only": ("Whip",)})
        if wanted <= {name.split("#")[0] for name in table.zone(0, "hand")}:
            break
    assert "send Ox" in table.legal() and table.refused("send Whip") == "XC-11"
    assert table.do("send Ox").waits != "0 form_attack", "no second character, for no mark can come"
    assert table.moves("sent") == ["Ox sent"]


@pytest.mark.rule("XC-11")
@pytest.mark.parametrize(("kind", "wrong"), [("", False), ("skill", True), ("item", True)])
@pytest.mark.parametrize("word", ["banned", "limited", "semi_limited", "leader_only"])
def test_the_linter_checks_a_ban_list_for_the_kinds_of_its_cards(word: str, kind: str, wrong: bool) -> None:
    cards = Cards({"Ox": effect(atk(300))} if kind == "item" else {}, {word: ("Ox",)})
    cards.name(["Ox", *filter(None, [kind])])
    found = [(p.rule, p.field, p.file) for p in cards.game().card_problems()]
    assert found == ([("XC-11", "leader_only", "ban.toml")] if wrong and word == "leader_only" else [])


@pytest.mark.rule("XC-11")
def test_the_printed_ban_list_is_a_file_beside_the_cards_and_goes_by_the_cards_own_names() -> None:
    game = the_set()
    names = {code: d.name for code, d in game.cards.items()}
    banned = {names[code]: game.bans.most[code] for code in game.bans.most}
    assert banned == {
        "Diamond Necklace": ("banned", 0), "Life Vest": ("limited", 1), "Holy Mother": ("limited", 1),
    }
    assert {names[code] for code in game.leader_only} == {"Holy Mother"}
    again = XCard.from_sets(game.card_sets)
    assert isinstance(again, XCard) and again.bans.most == game.bans.most, "the list travels with the log"


@pytest.mark.rule("XC-12")
def test_a_leader_is_a_character_of_the_deck() -> None:
    assert faults(f"{W24}, 1 Whip skill, {I5}", leader="Whip") == [("XC-12", "Whip")]
    assert faults(f"{W24}, 1 Ox, {I5}", leader="I0") == [("XC-12", "I0")]
    assert faults(f"{W24}, 1 Ox, {I5}", leader="T-99") == [("XC-12", "T-99")]
    skills = ", ".join(f"3 S{i} skill" for i in range(9))
    assert faults(f"{skills}, {I5}") == [("XC-12", None)]
    cards = Cards({})
    copies = {}
    for entry in f"{W24}, 1 Ox, {I5}".split(","):
        number, *words = entry.split()
        copies[cards.code(cards.name(words))] = int(number)
    cards.name(["Ram"])
    found = cards.game().problems(DeckFile(cards=copies, leader=cards.code("Ram")), {})
    assert [(p.rule, p.card) for p in found] == [("XC-12", cards.code("Ram"))]


def test_decks_made_for_trying_cards_are_legal_and_hold_the_cards() -> None:
    game = the_set()
    codes = [c for c, d in game.cards.items() if isinstance(d, XCardDefinition) and d.name != "Diamond Necklace"]
    for seed in range(60):
        random = Random(seed)
        wanted = random.sample(codes, 5)
        deck = game.trial_deck(wanted, random.randrange)
        assert game.problems(DeckFile(cards=deck.cards, leader=deck.leader), {}) == []
        only = set(wanted) & game.leader_only
        assert set(wanted) <= set(deck.cards) and (not only or deck.leader in (*only, None))
