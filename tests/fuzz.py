"""Made-up logs, cards, sets and decks by hypothesis: `python -m tests.fuzz -n 20000`. Prints a report.

Whatever a line, a card or a deck says, readers take it or refuse it with a sentence. Fewer examples of the same are
in the test suite.
"""

from __future__ import annotations

import argparse
import copy
import functools
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, Verbosity, given, settings
from hypothesis import strategies as st

from engine.cards.decks import DeckError, read_deck
from engine.cards.files import CardError, read_sets
from engine.cards.rules_text import rules_texts
from engine.rulebooks import registry
from events.game import game_lines
from events.kinds import CardSet, GameEnded
from events.open import read_games
from events.record import TAGS, LogError, digest, encode
from replays.store import notes
from tests.events.highcard import CARDS, RULEBOOK, header
from tests.events.values import JSON, PLAIN, values_of
from tests.mutate import read_all

# --- logs ---------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(["deck", "hand", "table", "drawn", "played", "keep", "score", "draw", "points", "x"])
SMALL = st.integers(-2, 12)


@functools.cache
def plausible(tag: str) -> st.SearchStrategy[bytes]:
    """Lines of this kind whose words and numbers are mostly such as the invented game knows."""
    return values_of(TAGS[tag], {**PLAIN, int: SMALL, str: WORDS}).map(encode)


RECORDS = st.sampled_from(sorted(set(TAGS) - {"game_started", "rulebook", "card_set"})).flatmap(
    lambda tag: plausible(tag) | values_of(TAGS[tag]).map(encode)
)
LINES = st.one_of(
    RECORDS, RECORDS, RECORDS, RECORDS, st.binary(max_size=80), JSON.map(msgspec.json.encode),
    st.sampled_from(sorted(TAGS)).flatmap(lambda tag: values_of(TAGS[tag]).map(encode)),
)
ENDED = [encode(GameEnded(winner=0, reason="points"))]


@st.composite
def logs(draw: Any) -> bytes:
    """A log of the invented game whose records make some sense or none."""
    lines = [encode(RULEBOOK), encode(CARDS), encode(header(view=draw(st.sampled_from([None, None, None, 0, 1, 7]))))]
    lines += draw(st.lists(LINES, max_size=30))
    if draw(st.booleans()):
        lines += ENDED
    return b"\n".join(lines) + b"\n"


def a_log_is_read(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        read_all(data, Path(folder), frozenset(), True, Random(len(data)))


# --- cards, sets, decks -------------------------------------------------------------------------------------


@functools.cache
def shipped() -> list[tuple[str, Any]]:
    """Game and card of every shipped card, as its file gives it."""
    sets = [(key, one) for key in registry.GAMES for one in registry.load(key).card_sets]
    return [(key, card) for key, one in sets for card in one.cards.values()]


@st.composite
def cards(draw: Any) -> tuple[str, Any]:
    """A shipped card of which some fields are changed, dropped or added, at any depth."""
    key, card = draw(st.sampled_from(shipped()))
    card = copy.deepcopy(card)
    for _ in range(draw(st.integers(1, 3))):
        inner: Any = card
        while True:
            places = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
            if not places:
                break
            place = draw(st.sampled_from(places))
            if isinstance(inner[place], dict | list) and draw(st.booleans()):
                inner = inner[place]
                continue
            match draw(st.integers(0, 3)):
                case 0:
                    del inner[place]
                case 1:
                    inner[place] = draw(JSON | st.integers(-(2**63), 2**63 - 1) | WORDS)
                case 2 if isinstance(inner, dict):
                    inner[draw(WORDS)] = draw(JSON)
                case _:
                    others = list(inner.values()) if isinstance(inner, dict) else inner
                    inner[place] = copy.deepcopy(draw(st.sampled_from(others)))
            break
    return key, card


def a_card_is_read(given: tuple[str, Any]) -> None:
    key, card = given
    line = CardSet("FZ", "1", key, {"FZ-001": card})
    try:
        game = registry.game_type(key).from_sets((line,))
    except CardError as error:
        assert str(error).strip()
        return
    problems = game.card_problems()
    assert all(str(problem).strip() for problem in problems)
    if not problems:
        rules_texts([definition.printed for definition in game.cards.values()], "en", game.rulebook)


@st.composite
def sets(draw: Any) -> dict[str, bytes]:
    """The files of a folder that may be a card set."""
    key = draw(st.sampled_from(sorted(registry.GAMES)))
    about = f'key = "FZ"\nversion = "1"\ngame = "{key}"\nname = {{ en = "Fuzz" }}\n'.encode()
    told = b"".join(path.read_bytes() for path in sorted((registry.load(key).folder / "cards").glob("*/*.toml"))[:3])
    card = told[: 2000 + draw(st.integers(0, 4000))]
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(card)))
        card = card[:at] + draw(st.binary(max_size=12)) + card[at + draw(st.integers(0, 12)) :]
    about = draw(st.sampled_from([about, about, b"", b"\xff"]) | st.binary(max_size=60))
    return {"set.toml": about, "cards.toml": card}


def a_set_is_read(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        for key in registry.GAMES:
            kind = registry.game_type(key)
            try:
                read_sets([Path(folder)], kind.card_type, kind.key, kind.set_tables)
            except CardError as error:
                assert str(error).strip()


DECKS = st.text(max_size=200) | st.lists(
    st.builds("{} {}".format, st.integers(-5, 10**20), st.text(max_size=20)), max_size=8
).map("\n".join) | st.builds('name = "{}"\n[cards]\n"{}" = {}'.format, st.text(max_size=9), WORDS, JSON)


def a_deck_is_read(text: str) -> None:
    try:
        read_deck(text, {"Tin Cat": "FZ-001"})
    except DeckError as error:
        assert str(error).strip()


NOTES = st.builds(
    lambda games_: b'{"notes":1,"games":' + msgspec.json.encode(games_) + b"}",
    st.dictionaries(WORDS, st.lists(st.dictionaries(st.sampled_from(["id", "record", "text", "at", "by"]), JSON))),
) | st.binary(max_size=100)


def notes_are_read(data: bytes) -> None:
    try:
        notes.merge(notes.decode_notes(data))
    except notes.NotesError as error:
        assert str(error).strip()


def a_line_means_the_same_to_both_readers(data: bytes) -> None:
    """A log that opens opens again from what was read of it."""
    try:
        told = list(read_games(data))
    except LogError:
        return
    for one in told:
        if one.events and one.rulebook.key:
            again = next(read_games(b"\n".join([*one.shared, *one.lines])))
            assert again.events == one.events and digest(b"\n".join(game_lines(one.events)))


READERS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], None]]] = {
    "logs": (logs(), a_log_is_read),
    "logs again": (logs(), a_line_means_the_same_to_both_readers),
    "cards": (cards(), a_card_is_read),
    "sets": (sets(), a_set_is_read),
    "decks": (DECKS, a_deck_is_read),
    "notes": (NOTES, notes_are_read),
}


def fuzz(name: str, examples: int) -> None:
    """Gives a reader so many examples. Raises what a reader let escape, with the smallest example that does it."""
    strategy, reader = READERS[name]

    @settings(
        max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None,
        verbosity=Verbosity.quiet,
    )
    @given(strategy)
    def check(example: Any) -> None:
        reader(example)

    check()


def main() -> None:
    """Runs the trial and prints what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20_000, help="examples for each reader")
    parser.add_argument("readers", nargs="*", default=[], help=f"of {', '.join(READERS)}; left out: all")
    asked = parser.parse_args()
    for name in asked.readers or READERS:
        fuzz(name, asked.n)
        print(f"{name}: {asked.n} examples, none raised anything but a sentence", flush=True)


if __name__ == "__main__":
    main()
