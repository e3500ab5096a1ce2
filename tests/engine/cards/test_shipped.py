"""What is shipped, in all games: it uses each kind of instruction, and its names and flavour are in every language."""

from itertools import product

import pytest

from engine.effects.kinds import EFFECT_KINDS
from engine.effects.steps import all_steps
from engine.rulebooks import registry
from engine.words import LANGUAGES
from tests.twins import selections

CHARACTERS = {"en": "cp1252", "ja": "euc_jis_2004", "zh-Hans": "gb2312", "zh-Hant": "big5"}
"""A character set in which what is written in a language can be written, and hardly anything in the next one."""
RARE = {"zh-Hant": "獁"}
"""Its characters that the set lacks."""
CARDS = [(key, code) for key in registry.GAMES for code in registry.load(key).cards]
DECKS = [(key, number) for key in registry.GAMES for number in range(len(registry.load(key).shipped_decks()))]


def in_every_language(texts: dict[str, str]) -> None:
    """All four are there, none empty, none the English one again, and each in the characters of its language."""
    assert set(texts) == set(LANGUAGES) and all(text.strip() for text in texts.values())
    assert all(texts[language] != texts["en"] for language in LANGUAGES if language != "en")
    for language, text in texts.items():
        "".join(c for c in text if c not in RARE.get(language, "")).encode(CHARACTERS[language])


@pytest.mark.parametrize(("key", "code"), CARDS)
def test_a_card_has_name_and_flavour_in_every_language(key: str, code: str) -> None:
    printed = registry.load(key).cards[code].printed
    in_every_language(printed.name)
    in_every_language(printed.flavour)


def test_each_kind_of_instruction_is_on_some_card() -> None:
    cards = [d for key in registry.GAMES for d in registry.load(key).cards.values()]
    abilities = [ability for definition in cards for ability in definition.abilities]
    assert {type(step) for a in abilities for step in all_steps(getattr(a, "then", ()))} == set(EFFECT_KINDS.values())


@pytest.mark.parametrize("key", registry.GAMES)
def test_no_line_of_flavour_stands_on_two_cards_of_a_game(key: str) -> None:
    for language in LANGUAGES:
        lines = [d.printed.flavour[language] for d in registry.load(key).cards.values()]
        assert len(set(lines)) == len(lines)


@pytest.mark.parametrize(("key", "number"), DECKS)
def test_a_deck_is_called_so_in_every_language(key: str, number: int) -> None:
    deck = registry.load(key).shipped_decks()[number]
    assert isinstance(deck.name, dict)
    in_every_language(deck.name)
    for language in LANGUAGES:
        assert registry.deck_name(key, deck.name["en"], language) == deck.called(language) == deck.name[language]


@pytest.mark.parametrize(("key", "language"), [*product(registry.GAMES, LANGUAGES)])
def test_no_two_decks_of_a_game_share_a_name(key: str, language: str) -> None:
    names = [deck.called(language) for deck in registry.load(key).shipped_decks()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("key", "language"), [*product([*registry.GAMES, "", "no such game"], LANGUAGES)])
def test_a_deck_of_another_s_own_keeps_its_name(key: str, language: str) -> None:
    for name in ("", "My first one", "山猫", "__class__"):
        assert registry.deck_name(key, name, language) == name


@pytest.mark.parametrize(("key", "number"), DECKS)
def test_each_card_that_a_card_of_a_deck_names_is_in_the_deck(key: str, number: int) -> None:
    """Else it would be dead there: a Live Change, an own skill, an evolution, an effect on a card by name."""
    game = registry.load(key)
    deck = game.shipped_decks()[number]
    names = {game.cards[code].name for code in deck.cards}
    for code in deck.cards:
        printed = game.cards[code].printed
        named = {getattr(printed, field, None) for field in ("live_change", "own", "evolves")}
        named |= {select.name for select in selections(printed.ability) if select.of != "other"}
        assert named - {None} <= names, f"{deck.called()}: {game.cards[code].name}"


@pytest.mark.parametrize("key", registry.GAMES)
def test_every_format_of_a_shipped_deck_has_a_name_in_each_language(key: str) -> None:
    formats = {deck.format for deck in registry.load(key).shipped_decks() if deck.format}
    for name in formats:
        said = [registry.format_name(key, name, language) for language in LANGUAGES]
        assert name not in said and said[0] != said[-1]
    assert registry.format_name(key, "unheard of", "ja") == "unheard of"
    assert registry.format_name("nothing", "standard", "ja") == "standard"
