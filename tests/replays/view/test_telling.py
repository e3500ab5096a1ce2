"""Whole games as they are told: hidden cards, words of strangers, real games."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from msgspec import structs

from engine.fold import empty_state, fold
from engine.rulebooks import registry
from engine.state import Declared
from engine.view import view
from engine.words import LANGUAGES, UnknownLanguage, clean, words
from events import kinds as k
from events.actions import Play
from events.kinds import HIDDEN, CardSet, Event, Seat
from replays.view.names import LONGEST_NAME
from replays.view.narrate import Line, narrate
from tests.play import begin, play
from tests.replays.view.test_narrate import (
    BEAR,
    BOOK,
    CARDS,
    OWL,
    header,
    opening,
    sent,
    told,
)

# --- hidden cards, strangers ------------------------------------------------------------------------------------


def seat_log(*events: Event) -> list[Line]:
    """Ann's view: Bo's hand of two is hidden."""
    first = [
        header(view=0),
        k.CardsMade(seat=0, zone="hand", first=2, codes=("DU-1",)),
        k.CardsMade(seat=1, zone="hand", first=HIDDEN, codes=(None, None)),
        k.TurnBegan(turn=1, seat=1),
    ]
    lines = narrate([*first, *events], BOOK, [CARDS])
    assert len(lines) == 4 + len(events)
    return lines[4:]


def test_hidden_cards_are_called_so() -> None:
    drawn = k.CardMoved(card=HIDDEN, seat=1, zone="deck", move_kind="felled", came_from=(1, "hand"))
    assert [line.text for line in seat_log(drawn)] == ["a hidden card: hand → deck (felled)"]
    two = [k.CardMoved(card=HIDDEN, seat=1, zone="hand", move_kind="drawn", came_from=(1, "hand"))] * 2
    lines = seat_log(*two)
    assert [(line.text, line.quiet) for line in lines] == [("Bo draws a card", True), ("Bo draws 2 cards", False)]


def test_a_hidden_card_that_is_played_is_named_once_it_is_known() -> None:
    lines = seat_log(
        k.Acted(seat=1, action=Play(HIDDEN)),
        k.CardIdentified(card=7, code="DU-2", seat=1, zone="hand", back=1),
        sent(7, 1),
    )
    assert [(line.text, line.quiet) for line in lines] == [
        ("Owl: hand → ring (sent)", False),
        ("Owl is known now", True),
        ("Owl: hand → ring (sent)", True),
    ]
    assert seat_log(k.Acted(seat=1, action=Play(HIDDEN)))[0].text == "Bo plays a hidden card"


def test_the_lines_end_before_a_record_that_cannot_be_folded() -> None:
    broken = [*opening(), sent(BEAR), sent(77), sent(OWL)]
    assert len(narrate(broken, BOOK, [CARDS])) == 6
    strange = [*opening(), k.CounterSet(entity=BEAR, name="wealth", value=1)]
    assert len(narrate(strange, BOOK, [CARDS])) == 5


def test_names_of_strangers_stay_text_on_one_line() -> None:
    hostile = "<b>\x1b[31m{player}\u202e\n" + "x" * 100
    lines = narrate([header(seats=(Seat(hostile), Seat("Bo")))], BOOK, [])
    assert lines[0].text.startswith("duel begins: <b> [31m{player} xxx") and "\x1b" not in lines[0].text
    assert len(clean(hostile, LONGEST_NAME)) == LONGEST_NAME
    cards = CardSet("DU", "1", "duel", {"DU-1": {"name": {"en": "Be{to}ar\r\n"}}, "DU-2": {"name": 5, "might": "x"}})
    assert told(sent(BEAR), cards=cards)[0].text == "Be{to}ar: hand → ring (sent)"
    assert told(k.CounterSet(entity=OWL, name="might", value=1), cards=cards)[0].text == "DU-2: Might 0 → 1"


def test_a_stranger_s_words_stay_words() -> None:
    hostile = {"zone.ring": {"en": "{card}\x1b[2J{how}" + "y" * 1000}, "move_kind.sent": {"en": "{player}{to}"}}
    book = structs.replace(BOOK, words={**hostile, "say.move_kind.any": {"en": "{player} has {n}"}})
    text = narrate([*opening(), sent(BEAR)], book, [CARDS])[-1].text
    assert text.startswith("Bear: hand → {card} [2J{how}yyy") and text.endswith("yyy… ({player}{to})")
    assert len(text) < 400


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UnknownLanguage):
        narrate(opening(), BOOK, [CARDS], "tlh")


# --- real games -------------------------------------------------------------------------------------------------


@cache
def game(key: str, seed: int) -> tuple[Event, ...]:
    return tuple(play(begin(seed, key), seed))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", registry.GAMES)
def test_a_random_game_reads_in_every_language(key: str, language: str) -> None:
    loaded = registry.load(key)
    said = words(language, key)
    for seed in (1, 2):
        events = game(key, seed)
        lines = narrate(events, loaded.rulebook, loaded.card_sets, language)
        assert [line.record for line in lines] == list(range(len(events)))
        for line in lines:
            assert line.text.strip() and not re.search(r"[{}]|say\.|\?", line.text), line
            assert said.own(line.template) is not None, line
            assert not lines[line.line].quiet and (line.quiet or line.line == line.record)


@cache
def mirror(key: str, seed: int) -> tuple[Event, ...]:
    """A game of a deck against itself, so that cards of one name meet."""
    rules = registry.load(key)
    deck = rules.trial_deck((), Random(seed).randrange)
    seats = Seat("Ada", "random", deck), Seat("Bob", "random", deck)
    return tuple(play(rules.begin(rules.header(seats, {}, seed, origin="simulated")), seed))


def spoken_of(event: Event) -> set[int]:
    """Cards that a record, its decision or its effect is about."""
    parts = [event, getattr(event, "action", None), getattr(event, "frame", None)]
    fields = ("card", "source", "target", "attacker", "entity", "to", "on", "option", "by")
    found = {getattr(part, field, None) for part in parts for field in fields}
    return {entity for entity in found if isinstance(entity, int) and entity >= k.FIRST_CARD}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", registry.GAMES)
def test_of_two_cards_of_one_name_on_the_table_it_is_said_whose_is_meant(key: str, language: str) -> None:
    rules = registry.load(key)
    declared, told = Declared(rules.rulebook), 0
    for seed in range(3):
        events = mirror(key, seed)
        lines = narrate(events, rules.rulebook, rules.card_sets, language)
        state = empty_state(declared)
        for event, line in zip(events, lines, strict=True):
            on_table = {n: card for n, card in state.cards.items() if card.zone in declared.table and card.code}
            there = {(card.seat, card.code) for card in on_table.values()}
            spoken = [on_table[n] for n in spoken_of(event) & on_table.keys() if not line.quiet]
            for code in {card.code for card in spoken if (1 - card.seat, card.code) in there}:
                name = rules.cards[str(code)].printed.name
                if (name.get(language) or name["en"]) in line.text:
                    owners = {("Ada", "Bob")[card.seat] for card in spoken if card.code == code}
                    assert any(owner in line.text for owner in owners), line
                    told += 1
            fold(state, event, declared)
    assert told > 5


@pytest.mark.parametrize("seat", [0, 1])
def test_a_one_seat_log_reads_too_and_names_no_card_that_the_seat_does_not_know(seat: int) -> None:
    loaded = registry.load("liveon")
    events = view(game("liveon", 1), seat, Declared(loaded.rulebook))
    lines = narrate(events, loaded.rulebook, loaded.card_sets)
    assert len(lines) == len(events)
    assert not [line for line in lines if re.search(r"[{}]", line.text)]
    codes = {e.code for e in events if isinstance(e, k.CardIdentified)}
    codes |= {c for e in events if isinstance(e, k.CardsMade) for c in e.codes}
    unknown = {d.name for code, d in loaded.cards.items() if code not in codes} - {
        d.name for code, d in loaded.cards.items() if code in codes
    }
    assert not [line for line in lines for name in unknown if name in line.text]


def test_live_on_reads_as_its_players_speak() -> None:
    loaded = registry.load("liveon")
    lines = [line for line in narrate(game("liveon", 1), loaded.rulebook, loaded.card_sets) if not line.quiet]
    told = [line.text for line in lines]
    assert told[0] == "Live On begins: A against B"
    shapes = [
        r"[AB] puts .+ face down on the B line",
        r"[AB]'s deck is shuffled",
        r"[AB] goes first",
        r"[AB] draws 6 cards: .+; .+; .+; .+; .+; .+",
        r"Live On! [AB] turns up .+",
        r"Turn 2: [AB]",
        r"Attack phase",
        r"[AB] lives .+",
        r"[AB] moves .+ to the A line",
        r".+ attacks [AB]'s deck",
        r"[AB]'s deck is burst for \d: \d+ → \d+ \(.+\)",
        r".+ deals \d+ damage to .+",
        r".+ \(\d+\) (crushes|destroys) .+",
        r"[AB] wins: .+ left: \d+ against \d+",
    ]
    assert [shape for shape in shapes if not any(re.fullmatch(shape, text) for text in told)] == []
