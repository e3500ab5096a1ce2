"""The shipped set and decks: what they must hold, that nothing is wrong with them, that their games end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache

import pytest

from engine.cards.decks import DeckFile, deck_digest, deck_list, read_deck
from engine.cards.linter import card_files
from engine.effects.abilities import Effect
from engine.effects.kinds import AnyInstruction
from engine.effects.kinds.add import AddValue
from engine.effects.kinds.set import SetValue
from engine.effects.kinds.special import Special
from engine.effects.language import Select
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks.xcard.card import DIRECTIONS, ELEMENTS, XCardCard
from engine.rulebooks.xcard.rules import XCard
from engine.words import LANGUAGES
from events.kinds import DeckList, GameEnded, Seat

SET = XCard.folder / "cards" / "bel"
DECKS = sorted((XCard.folder / "decks").glob("*.toml"))
WAYS = {f"{what}_{way}" for what in ("fist", "shield") for way in DIRECTIONS}


@cache
def game() -> XCard:
    loaded = XCard.load()
    assert isinstance(loaded, XCard)
    return loaded


@cache
def decks() -> tuple[DeckFile, ...]:
    return tuple(read_deck(path, {}) for path in DECKS)


def cards(kind: str) -> list[XCardCard]:
    return [d.printed for d in game().cards.values() if d.kind == kind]  # type: ignore[misc]


def steps(card: XCardCard) -> list[AnyInstruction]:
    return [step for ability in card.ability if isinstance(ability, Effect) for step in ability.then]


# --- the cards ----------------------------------------------------------------------------------------------


def test_there_are_enough_cards_of_each_kind_and_element() -> None:
    assert Counter(card.element for card in cards("character")) == dict.fromkeys(ELEMENTS, 15)
    assert len(cards("skill")) >= 20 and len(cards("item")) >= 20
    characters = {card.name["en"] for card in cards("character")}
    assert sum(card.own in characters for card in cards("skill")) >= 8


@pytest.mark.parametrize("element", ELEMENTS)
def test_each_element_has_fists_and_shields_in_every_direction_and_both_marks(element: str) -> None:
    printed = [card for card in cards("character") if card.element == element]
    for way in DIRECTIONS:
        assert sum(way in card.fists for card in printed) >= 4
        assert sum(way in card.shields for card in printed) >= 2
    marks = Counter(card.mark for card in printed)
    assert marks["cooperate"] >= 2 and marks["link"] >= 2 and marks[None] >= 5
    assert len({(card.fists, card.shields) for card in printed}) == len(printed)


def test_numbers_are_in_their_ranges() -> None:
    for card in cards("character"):
        assert 1000 <= card.atk <= 1800 and 900 <= card.def_ <= 1300 and 2000 <= card.hp <= 2800, card.code
    assert all(400 <= card.atk <= 900 for card in cards("skill"))


def test_every_card_has_a_name_of_its_own_in_every_language() -> None:
    for language in LANGUAGES:
        assert len({d.printed.name[language] for d in game().cards.values()}) == len(game().cards)


def test_most_cards_have_a_line_of_flavour() -> None:
    assert sum("en" in d.printed.flavour for d in game().cards.values()) > len(game().cards) / 2


def test_the_linter_finds_nothing() -> None:
    assert [str(problem) for problem in game().card_problems(card_files(SET))] == []


def test_the_ban_list_names_cards_of_the_set() -> None:
    bans = game().bans
    named = [name for card_set in game().card_sets for names in card_set.tables["ban"].values() for name in names]
    assert {d.name for code, d in game().cards.items() if code in bans.most or code in bans.leader_only} == set(named)


# --- what effects can do (XC-50) ----------------------------------------------------------------------------


def is_add(step: AnyInstruction, name: str, what: str | None = None) -> bool:
    return isinstance(step, AddValue) and step.name == name and (what is None or step.what == what)


def raises_atk(step: AnyInstruction, limit: Callable[[Select], bool]) -> bool:
    return (
        isinstance(step, AddValue) and step.name == "atk" and isinstance(step.what, Select) and limit(step.what)
    )


def makes(step: AnyInstruction, what: str, value: int, of: str) -> bool:
    return (
        isinstance(step, SetValue) and step.name.startswith(what) and step.value == value
        and isinstance(step.what, Select) and step.what.of == of
    )


EFFECTS: dict[str, Callable[[AnyInstruction], bool]] = {
    "shields taken away": lambda s: makes(s, "shield_", 0, "other"),
    "a fist given": lambda s: makes(s, "fist_", 1, "own"),
    "ATK": lambda s: is_add(s, "atk"),
    "DEF of the leader": lambda s: is_add(s, "def", "own"),
    "draws": lambda s: is_add(s, "draws", "own"),
    "no draw": lambda s: isinstance(s, SetValue) and s.name == "no_draw" and s.what == "other",
    "attack taken over": lambda s: s == Special("take_attack"),
    "formation broken": lambda s: s == Special("break_formation"),
    "ATK in formation": lambda s: raises_atk(s, lambda what: what.at_least == {"formation": 1}),
    "more cards": lambda s: is_add(s, "more_characters", "own") or is_add(s, "more_skills", "own"),
    "for a named card": lambda s: raises_atk(s, lambda what: what.name is not None),
    "for an element": lambda s: raises_atk(s, lambda what: "element" in what.is_),
}


@pytest.mark.rule("XC-50")
@pytest.mark.parametrize("effect", EFFECTS)
def test_each_effect_is_on_at_least_two_cards(effect: str) -> None:
    found = [c.code for kind in ("skill", "item") for c in cards(kind) if any(map(EFFECTS[effect], steps(c)))]
    assert len(found) >= 2


@pytest.mark.rule("XC-50")
def test_shields_go_and_fists_come_in_every_direction() -> None:
    changed = {(s.name, s.value) for kind in ("skill", "item") for c in cards(kind) for s in steps(c)
               if isinstance(s, SetValue) and s.name in WAYS}
    assert changed == {(f"shield_{way}", 0) for way in DIRECTIONS} | {(f"fist_{way}", 1) for way in DIRECTIONS}


# --- the decks ----------------------------------------------------------------------------------------------


def test_there_are_at_least_six_different_decks_which_use_every_card() -> None:
    assert len({deck_digest(deck_list(deck)) for deck in decks()}) == len(decks()) >= 6
    assert len({deck.leader for deck in decks()}) == len(decks())
    assert set(game().cards) == {code for deck in decks() for code in deck.cards}


@pytest.mark.parametrize("deck", decks(), ids=lambda deck: deck.called())
def test_every_deck_is_legal_and_names_a_leader(deck: DeckFile) -> None:
    assert game().problems(deck, {}) == []
    assert deck.leader is not None and deck.game == "xcard"


# --- games with them ----------------------------------------------------------------------------------------


def play(first: DeckList, second: DeckList, player_kind: str, seed: int) -> tuple[GameEnded, int]:
    """How a game ends, and after how many rounds."""
    header = game().header(
        (Seat("A", player_kind, first), Seat("B", player_kind, second)), {}, seed, origin="simulated"
    )
    match = game().begin(header)
    players = [PLAYER_KINDS[player_kind](seed), PLAYER_KINDS[player_kind](seed + 1)]
    while match.state.asked is not None:
        match.act(players[match.state.asked.seat](Observation(match)))
    last = match.log[-1]
    assert isinstance(last, GameEnded)
    return last, match.state.turn


def ring(player_kind: str) -> Iterable[tuple[GameEnded, int]]:
    lists = [deck_list(deck) for deck in decks()]
    return [play(lists[i - 1], deck, player_kind, i + 1) for i, deck in enumerate(lists)]


@pytest.mark.parametrize("player_kind", ["random", "greedy"])
def test_games_between_the_decks_end_with_a_defeated_leader_in_good_time(player_kind: str) -> None:
    games = list(ring(player_kind))
    assert {ended.reason for ended, _ in games} == {"leader_defeated"}
    assert 4 <= sum(rounds for _, rounds in games) / len(games) <= 30
