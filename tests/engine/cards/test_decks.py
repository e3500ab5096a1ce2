"""Deck files, pasted lists, digests, Live On's deck rules, and the shipped decks."""

from collections import Counter
from pathlib import Path

import pytest
from msgspec import structs

from engine.cards.decks import (
    MAX_DECK_BYTES,
    DeckError,
    DeckFile,
    deck_digest,
    deck_list,
    names_of,
    read_deck,
    write_deck,
)
from engine.cards.files import read_set
from engine.rulebooks.liveon import deck as liveon
from engine.rulebooks.liveon.card import LiveOnCard, LiveOnDefinition
from events.kinds import DeckList

HERE = Path(liveon.__file__).parent
CARDS = {code: LiveOnDefinition(card) for code, card in read_set(HERE / "cards" / "emb", LiveOnCard)[1].items()}
NAMES = names_of(d.printed for d in CARDS.values())
FILES = sorted((HERE / "decks").glob("*.toml"))
SHIPPED = {path.stem: read_deck(path, NAMES) for path in FILES}


# --- the shipped decks --------------------------------------------------------------------------------------


def test_there_are_decks_enough_of_every_format():
    formats = Counter(deck.format for deck in SHIPPED.values())
    assert formats["standard"] >= 6
    assert formats["short"] >= 2
    assert formats["starter"] == 2
    assert len({deck.called() for deck in SHIPPED.values()}) == len(SHIPPED)
    assert len({deck_digest(deck_list(deck)) for deck in SHIPPED.values()}) == len(SHIPPED)


@pytest.mark.rule("LO-13", "LO-14")
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_deck_is_legal(name):
    deck = SHIPPED[name]
    assert deck.game == "liveon"
    assert liveon.problems(deck, CARDS, deck.format) == []
    assert sum(n for code, n in deck.cards.items() if CARDS[code].kind == "fighter") >= 3


def test_every_card_is_in_some_deck_and_the_decks_differ():
    played = {code for deck in SHIPPED.values() for code in deck.cards}
    assert set(CARDS) == played
    standard = [deck for deck in SHIPPED.values() if deck.format == "standard"]
    assert {frozenset(CARDS[c].words["colour"] for c in deck.cards) for deck in standard} >= {
        frozenset(("red",)), frozenset(("white",)), frozenset(("blue",)), frozenset(("black",)),
        frozenset(("red", "black")), frozenset(("white", "blue")),
    }


def test_the_starter_decks_hold_no_skills():
    for deck in SHIPPED.values():
        if deck.format == "starter":
            assert [code for code in deck.cards if CARDS[code].kind == "skill"] == []


# --- deck rules ---------------------------------------------------------------------------------------------

FULL = SHIPPED["kiln_rush"].cards


def found(cards, format="standard"):
    return [(p.rule, p.card, p.text) for p in liveon.problems(DeckFile(cards=cards), CARDS, format)]


@pytest.mark.rule("LO-13")
def test_a_deck_of_forty_is_told_its_number():
    forty = dict(FULL)
    forty["EMB-019"] -= 1
    assert found(forty) == [("LO-13", None, "the deck has 40 cards; standard asks for exactly 41")]
    assert found(FULL, "short") == [("LO-13", None, "the deck has 41 cards; short asks for exactly 21")]
    assert found(FULL, "long") == [
        ("LO-13", None, "there is no format 'long'; known are standard, short, starter"),
    ]


@pytest.mark.rule("LO-14")
def test_five_copies_by_name():
    five = {**FULL, "EMB-001": 5, "EMB-009": 1}
    assert found(five) == [
        ("LO-14", "EMB-001", "5 copies of Tessa Quarrykin (EMB-001); at most 4 of one name are allowed"),
    ]


@pytest.mark.rule("LO-14")
def test_a_reprint_counts_as_the_same_card(monkeypatch):
    reprint = LiveOnDefinition(CARDS["EMB-009"].printed)
    reprint.code = "EMB-900"
    monkeypatch.setitem(CARDS, "EMB-900", reprint)
    cards = {**FULL, "EMB-900": 1, "EMB-019": FULL["EMB-019"] - 1}
    assert found(cards) == [
        ("LO-14", "EMB-009", "5 copies of Slag Boar (EMB-009, EMB-900); at most 4 of one name are allowed"),
    ]


@pytest.mark.rule("LO-14")
def test_a_deck_without_a_fighter():
    monsters = [code for code, d in CARDS.items() if d.kind == "monster"][:11]
    cards = dict.fromkeys(monsters[:10], 4) | {monsters[10]: 1}
    assert found(cards) == [("LO-14", None, "the deck has no fighter; it needs at least one to start with")]


@pytest.mark.rule("LO-14")
def test_an_unknown_card_and_no_or_negative_copies():
    cards = {**FULL, "EMB-19": 1, "EMB-021": 0, "EMB-022": -1}
    assert found(cards) == [
        ("LO-14", "EMB-19", "there is no card 'EMB-19'; the closest is EMB-019"),
        ("LO-14", "EMB-021", "0 copies of EMB-021; leave it out, or give 1 to 4"),
        ("LO-14", "EMB-022", "-1 copies of EMB-022; leave it out, or give 1 to 4"),
    ]


# --- files --------------------------------------------------------------------------------------------------

DECK = DeckFile(name='The "Ox"\n\x7f 牛', game="liveon", format="short", leader="L-1", cards={"B-2": 1, "A-1": 4})


def test_a_written_deck_is_read_back():
    assert read_deck(write_deck(DECK), {}) == DECK
    assert all(read_deck(write_deck(deck), {}) == deck for deck in SHIPPED.values())


def test_a_name_by_language_is_written_read_back_and_told_in_each_or_in_english():
    deck = structs.replace(DECK, name={"en": 'The "Ox"', "zh-Hans": "牛"})
    assert read_deck(write_deck(deck), {}) == deck
    assert [deck.called(language) for language in ("en", "zh-Hans", "ja")] == ['The "Ox"', "牛", 'The "Ox"']
    assert [DECK.called(language) for language in ("en", "ja")] == [DECK.name, DECK.name]
    assert deck_list(deck) == structs.replace(deck_list(DECK), name='The "Ox"')


def test_a_pasted_list_takes_names_of_any_language_and_codes():
    text = """\ufeffName: Mine
        Format: short\r
        # fighters
        3 Tessa Quarrykin
        2x marl, kiln runner
        1 鉄床のオリン
        1 石切りのテッサ

        // the rest
        4 EMB-009
        1 emb-010
    """
    assert read_deck(text, NAMES) == DeckFile(
        name="Mine", format="short",
        cards={"EMB-001": 4, "EMB-003": 2, "EMB-002": 1, "EMB-009": 4, "EMB-010": 1},
    )


def test_a_pasted_list_in_a_file_is_called_as_the_file(tmp_path):
    path = tmp_path / "oxen.txt"
    path.write_text("4 Slag Boar\nleader: Ridge Ram\n", "utf-8")
    assert read_deck(path, NAMES) == DeckFile(name="oxen", leader="EMB-010", cards={"EMB-009": 4})


def test_names_of_gives_a_reprint_the_first_code():
    ram = CARDS["EMB-010"].printed
    reprint = type(ram)(code="EMB-900", name=ram.name, kind="monster", colour="red", power={"red": 1}, rarity="C")
    assert set(names_of([ram, reprint]).values()) == {"EMB-010"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4 Slag Boer", "the pasted deck, line 1: no card is called 'Slag Boer'; the closest is 'Slag Boar'"),
        ("\n4 qqqqqqqq", "the pasted deck, line 2: no card is called 'qqqqqqqq'"),
        ("Slag Boar", "the pasted deck, line 1: 'Slag Boar' is not copies and a card, e.g. 4 Name or 4 EMB-001"),
        ("-1 Slag Boar", "the pasted deck, line 1: '-1 Slag Boar' is not copies and a card, e.g. 4 Name or 4 EMB-001"),
        ("", "the pasted deck: no cards; a deck is a TOML file or lines like 4 Name"),
        ("leader: Nobody at all\n1 Slag Boar", "the pasted deck, leader: no card is called 'Nobody at all'"),
        ('name = "x"\n', "the pasted deck: the table `cards` is missing, e.g. cards = { \"EMB-001\" = 4 }"),
        ("[cards]\nA = 1\n", 'the pasted deck: the field `game` is missing, e.g. game = "…"'),
        ('game = "liveon"\n[cards]\nA = 1\n', 'the pasted deck: the field `format` is missing, e.g. format = "…"'),
        (
            'nmae = "x"\n[cards]\nA = 1\n',
            "the pasted deck: a deck has no field `nmae`; it has name, game, format, leader, cards",
        ),
        *(
            (
                f'name = {name}\ngame = "liveon"\nformat = "short"\n[cards]\nA = 1\n',
                'the pasted deck: `name`: by language it has an English one too, e.g. name = { en = "…" }',
            )
            for name in ("{}", '{ ja = "牛" }', '{ en = "", ja = "牛" }')
        ),
        ('[cards]\nA = "four"\n', "the pasted deck: `cards[...]`: expected `int`, got `str`"),
    ],
)
def test_a_deck_that_cannot_be_read_is_a_sentence(text, sentence):
    with pytest.raises(DeckError) as caught:
        read_deck(text, NAMES)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "hostile",
    [
        "cards = " + "[" * 20_000, "[cards]\nA = " + "9" * 10_000, "[cards\n", "a" * (MAX_DECK_BYTES + 1),
        "4 " + "x" * 60_000, "\x00", "4 \x1b[31m", "[cards]\nA = 1\nA = 2\n", "=\n", "\ud800",
    ],
)
def test_hostile_text_is_refused_with_a_sentence(hostile):
    with pytest.raises(DeckError) as caught:
        read_deck(hostile, NAMES)
    assert len(str(caught.value)) < 300


def test_a_file_that_is_not_there_or_no_text_is_refused_with_its_name(tmp_path):
    with pytest.raises(DeckError, match=r"none\.toml: there is no such file"):
        read_deck(tmp_path / "none.toml", NAMES)
    with pytest.raises(DeckError, match=": cannot be read: "):
        read_deck(tmp_path, NAMES)
    (tmp_path / "raw.toml").write_bytes(b"4 \xff")
    with pytest.raises(DeckError, match=r"raw\.toml: byte 2 is not UTF-8 text"):
        read_deck(tmp_path / "raw.toml", NAMES)


# --- digests ------------------------------------------------------------------------------------------------


def test_a_deck_is_its_list_and_leader_whatever_its_name_and_order():
    digest = deck_digest(DeckList("One", {"A-1": 4, "B-2": 1}))
    assert len(digest) == 32
    assert deck_digest(DeckList("Two", {"B-2": 1, "A-1": 4, "C-3": 0})) == digest
    assert deck_digest(DeckList("One", {"A-1": 4, "B-2": 2})) != digest
    assert deck_digest(DeckList("One", {"A-1": 4, "B-2": 1}, "L-1")) != digest


def test_the_header_carries_the_sorted_list():
    assert list(deck_list(DECK).cards.items()) == [("A-1", 4), ("B-2", 1)]
    assert deck_list(DECK).leader == "L-1"
