"""What a person is asked and shown in the terminal."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.cards.decks import deck_list
from engine.fold import empty_state
from engine.players import PLAYER_KINDS
from engine.rulebooks import registry
from engine.state import Card, Declared
from engine.words import LANGUAGES, words
from events.actions import Choose, Move, Pass
from events.kinds import FIRST_CARD, Asked
from replays.play import session, terminal
from replays.play.terminal import Names, TableSection, choice, question
from replays.store.library import Library


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("key", registry.GAMES)
def test_every_question_of_a_game_is_asked_in_its_words(key: str, language: str) -> None:
    rules = registry.load(key)
    said = words(language, key)
    state = empty_state(Declared(rules.rulebook))
    names = Names(rules.rulebook, rules.card_sets, language)
    for asks in rules.rulebook.questions:
        state.asked = Asked(0, asks)
        assert question(state, names) == said.own(f"question.{asks}"), asks


Typed = Callable[[session.Terminal, list[str]], str]


def played(key: str, library: Library, answer: Typed, decisions: int = 30, language: str = "en") -> list[str]:
    """What a person who answers so has read by the end, or when so many answers have been given."""
    rules = registry.load(key)
    deck = rules.shipped_decks()[0]
    options: dict[str, int | str | bool] = {"format": deck.format} if "format" in rules.options else {}
    match, writer = session.start(library, rules, ("human", "random"), [deck_list(deck)] * 2, options)
    written: list[str] = []
    left: Iterator[int] = iter(range(decisions))

    def read(prompt: str) -> str:
        return answer(person, written) if next(left, None) is not None else "q"

    person = session.Terminal(match, writer, read, written.append, language=language)
    person.players[1] = PLAYER_KINDS["random"](5)
    with writer, contextlib.suppress(session.BrokenOff):
        person.run()
    return written


def anything(person: session.Terminal, written: list[str]) -> str:
    """A choice by chance: by what has been written so far."""
    return str(len("".join(written)) % len(person.match.legal()) + 1)


@pytest.mark.parametrize("key", registry.GAMES)
def test_who_may_stop_ends_the_phase_by_its_name(key: str, tmp_path: Path) -> None:
    seen = set()

    def look(person: session.Terminal, written: list[str]) -> str:
        state = person.match.state
        if Pass() in person.match.legal() and state.asked is not None and state.asked.question == state.phase:
            ends = words("en", key).get("choice.end", phase=person.names.word("phase", state.phase))
            seen.add(any(line.endswith(f"  {ends}") for line in written[-40:]))
        return anything(person, written)

    played(key, Library(tmp_path), look)
    assert seen == {True}


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
@pytest.mark.parametrize("key", registry.GAMES)
def test_a_game_is_played_in_any_language(key: str, language: str, tmp_path: Path) -> None:
    """Nothing is left in English but the rule that forbids a card, and what a player wrote."""
    typed = iter(["?", "t", "? 1", "?99", "u"])
    answer: Typed = lambda person, told: next(typed, None) or anything(person, told)  # noqa: E731
    written = played(key, Library(tmp_path), answer, 12, language)
    said = "\n".join(line for text in written for line in text.split("\n") if not re.match(r" +\d+  –", line))
    for word in ("help", "no_step_back", "hint"):
        assert words(language, key).own(f"terminal.{word}") in said  # type: ignore[operator]
    assert set(re.findall(r"[A-Za-z]*[a-z]{2,}", said)) <= {"Player", "random", "Live"}  # Live is a word of the game


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_card_that_cannot_be_played_says_by_which_rule_and_can_be_read(key: str, tmp_path: Path) -> None:
    told: list[tuple[str, int]] = []
    typed: list[str] = []

    def ask(person: session.Terminal, written: list[str]) -> str:
        line = written[-1]
        if typed:
            return typed.pop()
        if len(told) < 6 and (found := re.match(r" +(\d+)  – ", line)):
            told.append((line[found.end() :], len(written)))
            typed.append(f"? {found[1]}")
            return found[1]
        return anything(person, written)

    written = played(key, Library(tmp_path), ask)
    del told[len(told) - len(typed) :]  # the last answer may have named a card before it could be asked about
    assert told
    for line, at in told:
        cards, why = line.split(": ", 1)
        assert re.search(r"\([A-Z]{2}-\d+\)$", why)
        assert written[at] == f"That cannot be done now. {why}."
        assert cards.split(", ")[0] in written[at + 1]


def test_a_step_is_taken_back_where_it_may_be_and_else_it_is_said_why_not(tmp_path: Path) -> None:
    taken: list[int] = []
    refused: list[int] = []

    def back(person: session.Terminal, written: list[str]) -> str:
        count = len(person.match.log)
        if person.live.may_take_back(0) and len(taken) < 3:
            taken.append(count)
            return "u"
        if taken and taken[-1] > 0:
            assert count < taken[-1]
            taken[-1] = 0
        if len(refused) < 2 and not person.live.may_take_back(0):
            refused.append(len(written))
            return "u"
        moves = [n for n, action in enumerate(person.match.legal(), 1) if isinstance(action, Move)]
        return str(moves[0]) if moves else anything(person, written)

    written = played("liveon", Library(tmp_path), back, 200)
    assert taken == [0, 0, 0]
    assert all(written[at].startswith("The last step cannot be taken back") for at in refused) and len(refused) == 2


def test_of_the_table_only_what_has_changed_is_written_again(tmp_path: Path) -> None:
    written = played("liveon", Library(tmp_path), anything)
    first, *others = [text.splitlines() for text in written if text.startswith(("Turn ", "── "))]
    assert [line for line in first if line.startswith("── ")] == ["── random", "── Player 1"]
    assert sum(len(lines) < len(first) for lines in others) > len(others) / 2


NAMES = Names(registry.load("liveon").rulebook, registry.load("liveon").card_sets, players=("Ada", "Bo"))


def test_changes_are_told_below_their_headings_and_what_is_gone_is_a_dash() -> None:
    ada = {"hand": ("Hand", "Ox"), "deck": ("Deck", "3 cards")}
    attack = {"attack": ("Attack", "Ox → Bo")}
    before = [TableSection("Turn 1", {}), TableSection("── Ada", ada), TableSection("", attack)]
    after = [TableSection("Turn 2", {}), TableSection("── Ada", {**ada, "hand": ("Hand", "")}), TableSection("", {})]
    assert terminal.table_text(terminal.changes(before, after)) == "Turn 2\n── Ada\n  Hand           –"
    assert terminal.changes(after, after) == []


def test_of_cards_with_one_name_it_is_said_whose_and_where() -> None:
    state = empty_state(Declared(NAMES.rulebook))
    code = next(iter(NAMES.cards))
    own, second, other = FIRST_CARD, FIRST_CARD + 1, FIRST_CARD + 2
    for card, seat in ((own, 0), (second, 0), (other, 1)):
        state.cards[card] = Card(code, seat, seat, "a")
        state.zones[seat]["a"].append(card)
    state.asked = Asked(0, "target", "card", (own, second, other))
    name = NAMES.code(code)
    told = [choice(state, NAMES, Choose(card)) for card in (own, second, other)]
    assert told == [f"Ada's {name} (A line 1)", f"Ada's {name} (A line 2)", f"Bo's {name}"]
