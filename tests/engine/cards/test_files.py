"""Card files and set folders: what cannot be used is a sentence with file, card and field."""

from pathlib import Path

import pytest

from engine.cards.files import CardError, read_set, read_sets
from engine.rulebooks import registry
from engine.rulebooks.liveon.card import LiveOnCard

SET = 'key = "T"\nversion = "1"\ngame = "liveon"\nname = { en = "Test" }\n'
CARD = """[[card]]
code = "T-001"
name = { en = "Ox" }
kind = "monster"
colour = "red"
power = { red = 1 }
pow = 1000
rarity = "C"
"""


def error(folder, cards, about=SET):
    (folder / "set.toml").write_text(about, "utf-8")
    (folder / "cards.toml").write_text(cards, "utf-8")
    with pytest.raises(CardError) as caught:
        read_set(folder, LiveOnCard)
    return str(caught.value)


def test_a_misspelt_effect_field_is_named_with_file_card_and_field(tmp_path):
    ability = '[[card.ability]]\nability = "triggered"\non = "lived"\nthen = [{ do = "draw", number = 2 }]\n'
    assert error(tmp_path, CARD + ability) == (
        f"{tmp_path / 'cards.toml'}: card T-001: ability[0].then[0] has no field `number`; "
        "check its spelling against the schema (`cardfold cards schema`)"
    )


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (CARD.replace('"red"', '"green"'), "card T-001: colour: invalid enum value 'green'"),
        (CARD.replace("pow = 1000", 'pow = "1000"'), "card T-001: pow: expected `int`, got `str`"),
        (CARD.replace('rarity = "C"\n', ""), "card T-001: the card itself: object missing required field `rarity`"),
        (CARD.replace('en = "Ox"', 'ja = "Ox"'), "card T-001: `name` needs at least the language en"),
        (CARD.replace('en = "Ox"', 'en = "Ox", fr = "Bœuf"'), "`name` has the language 'fr'"),
        (CARD + CARD, "the code T-001 stands twice"),
        (CARD + '[[card.ability]]\nability = "haste"\n', "card T-001: ability[0].ability: invalid value 'haste'"),
        ("[[cards]]\n", "a card file holds [[card]] tables and nothing else"),
        ("card = 3\n", "a card file holds [[card]] tables and nothing else"),
        ("[[card]\n", "cannot be read as TOML"),
        ("card = " + "[" * 20_000, "cannot be read as TOML"),
        ("card = " + "9" * 10_000, "cannot be read as TOML"),
        ("", "a card file holds [[card]] tables and nothing else"),
    ],
)
def test_a_card_file_that_cannot_be_used_is_a_sentence(tmp_path, cards, words):
    text = error(tmp_path, cards)
    assert text.startswith(str(tmp_path / "cards.toml"))
    assert words in text


def test_a_set_without_its_own_file_or_without_cards_is_a_sentence(tmp_path):
    with pytest.raises(CardError, match=r"set\.toml: there is no such file"):
        read_set(tmp_path, LiveOnCard)
    (tmp_path / "set.toml").write_text(SET, "utf-8")
    with pytest.raises(CardError, match="no cards"):
        read_set(tmp_path, LiveOnCard)
    assert "has no field `vesion`" in error(tmp_path, CARD, SET + 'vesion = "2"\n')


def test_a_set_that_is_named_twice_is_read_once_and_two_sets_have_two_keys(tmp_path, monkeypatch):
    for name, about in (("one", SET), ("two", SET), ("three", SET.replace('"T"', '"U"'))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "set.toml").write_text(about, "utf-8")
        (tmp_path / name / "cards.toml").write_text(CARD, "utf-8")
    monkeypatch.chdir(tmp_path)
    sets, cards = read_sets([tmp_path / "one", Path("one"), Path("two", "..", "one")], LiveOnCard, "liveon")
    assert [s.key for s in sets] == ["T"] and list(cards) == ["T-001"]
    with pytest.raises(CardError, match=r"two.set\.toml: there is a set 'T' already; give this one its own key"):
        read_sets([Path("one"), Path("two")], LiveOnCard, "liveon")
    with pytest.raises(CardError, match=r"three: the code T-001 is another set's"):
        read_sets([Path("one"), Path("three")], LiveOnCard, "liveon")


@pytest.mark.parametrize("key", registry.GAMES)
def test_the_folder_of_a_shipped_set_may_be_named_as_well(key):
    shipped = registry.load(key)
    folders = tuple(path.parent for path in (shipped.folder / "cards").glob("*/set.toml"))
    assert registry.load(key, folders).card_sets == shipped.card_sets
